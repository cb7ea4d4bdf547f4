# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""People of random sizes in random poses, as tensors of capsules and joints.

Three poses of five are near recorded ones, if there are any. The other angles are drawn
within the skeleton's limits, most of them near those of people who stand, walk, bend,
sit or crouch. Bodies whose limbs pass through them are drawn again, and most that would
fall.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

import torch
import yaml
from torch import Tensor

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


class Bodies(NamedTuple):
    """A batch of bodies. y points up, the root is at the origin."""

    a: Tensor  # one end of each capsule, (bodies, capsules, 3), metres
    b: Tensor  # the other end
    radius: Tensor  # (bodies, capsules)
    joints: Tensor  # of JointConvention::Itop, (bodies, 15, 3)
    may_lean: Tensor  # whether the weight need not be above the feet, (bodies)

    def chosen(self, numbers: Tensor) -> Bodies:
        return Bodies(*(each[numbers] for each in self))


class Poses(NamedTuple):
    """A batch of poses of a skeleton."""

    root: Tensor  # orientation, (poses, 3, 3)
    angles: dict[int, Tensor]  # of a joint, (poses, angles of the joint)


def rotations(axis: tuple[float, float, float], angle: Tensor) -> Tensor:
    """Returns the rotation matrices about a unit axis."""
    x, y, z = axis
    c, s = torch.cos(angle), torch.sin(angle)
    d = 1 - c
    rows = [
        c + x * x * d,
        x * y * d - z * s,
        x * z * d + y * s,
        y * x * d + z * s,
        c + y * y * d,
        y * z * d - x * s,
        z * x * d - y * s,
        z * y * d + x * s,
        c + z * z * d,
    ]
    return torch.stack(rows, -1).view(*angle.shape, 3, 3)


class BodyGenerator:
    """Draws bodies like that of a skeleton file (see saveSkeleton())."""

    def __init__(self, file: Path, device: str) -> None:
        self.device = device
        self._constants: dict[str, Tensor] = {}
        data = yaml.safe_load(file.read_text())
        joints, capsules = data["joints"], data["capsules"]
        self.names = [joint["name"] for joint in joints]
        self.number = {name: i for i, name in enumerate(self.names)}
        self.parents = [
            self.number[joint["parent"]] if "parent" in joint else -1
            for joint in joints
        ]
        self.angles = [
            [
                (
                    tuple(angle["axis"]),
                    *(math.radians(limit) for limit in angle["limits"]),
                )
                for angle in joint.get("angles", [])
            ]
            for joint in joints
        ]
        self.offsets = self.constant(
            [joint.get("offset", [0.0, 0.0, 0.0]) for joint in joints]
        )
        self.capsule_names = [capsule["name"] for capsule in capsules]
        self.capsule_joints = [self.number[capsule["joint"]] for capsule in capsules]
        self.a = self.constant([capsule["a"] for capsule in capsules])
        self.b = self.constant([capsule["b"] for capsule in capsules])
        self.radii = self.constant([capsule["radius"] for capsule in capsules])
        mirrored = [
            name.replace("Left", "#").replace("Right", "Left").replace("#", "Right")
            for name in self.names
        ]
        self.mirror = [self.number[name] for name in mirrored]
        self.groups = [self._group_of(name) for name in self.names]
        self.recorded: Poses | None = None  # see fit_poses()

    @staticmethod
    def _group_of(name: str) -> int:
        """Returns the part whose size a joint's bone has: trunk, head, arms or legs."""
        if name.startswith("Head") or name == "Neck":
            return 1
        if any(word in name for word in ("Arm", "Hand")):
            return 2
        return 3 if any(word in name for word in ("Leg", "Foot", "Toe")) else 0

    def constant(self, values: list) -> Tensor:  # type: ignore[type-arg]
        """Returns a tensor on the device. A second call returns the same one: CUDA
        graphs cannot make it."""
        key = str(values)
        if key not in self._constants:
            self._constants[key] = torch.tensor(values, device=self.device)
        return self._constants[key]

    def uniform(self, *shape: int) -> Tensor:
        return torch.rand(*shape, device=self.device)

    def normal(self, *shape: int) -> Tensor:
        return torch.randn(*shape, device=self.device)

    def limited(self, joint: int, values: Tensor) -> Tensor:
        """Returns the nearest angles within the limits of a joint, (bodies, angles)."""
        columns = [
            values[:, i].clamp(lower, upper)
            for i, (_, lower, upper) in enumerate(self.angles[joint])
        ]
        return torch.stack(columns, -1)

    def _draw_sizes(self, count: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Returns the offsets of joints, and ends and radii of capsules. One person in
        five is a child."""
        adult = torch.exp(0.075 * self.normal(count)).clamp(0.8, 1.2)
        child = 0.6 + 0.25 * self.uniform(count)
        whole = torch.where(self.uniform(count) < 0.2, child, adult)[:, None]
        groups, mirror = self.constant(self.groups), self.constant(self.mirror)
        parts = self.normal(count, 4) * self.constant([0.10, 0.08, 0.07, 0.06])
        parts = parts + self.constant([-0.05, 0.0, 0.0, 0.0])
        bones = self.normal(count, len(self.names)) * 0.028
        bones = bones + bones[:, mirror]
        length = whole * torch.exp(parts[:, groups] + bones)
        width = torch.exp(0.13 * self.normal(count) + 0.05)[:, None]
        girths = torch.exp(0.12 * self.normal(count, 4) + 0.06)[:, groups]
        girths = girths * whole * torch.exp(0.08 * self.normal(count))[:, None]
        moved = 0.0056 * self.normal(count, len(self.names), 3)
        moved = moved + moved[:, mirror] * self.constant([-1.0, 1.0, 1.0])
        moved[:, 0] = 0

        def widened(vectors: Tensor, joints: list[int]) -> Tensor:
            of_trunk = (groups[self.constant(joints)] == 0).float()
            factor = 1 + of_trunk * (width - 1)
            return torch.cat(
                [vectors[..., :1] * factor[..., None], vectors[..., 1:]], -1
            )

        parents = [max(parent, 0) for parent in self.parents]
        offsets = self.offsets * length[:, self.constant(parents), None]
        offsets = widened(offsets, parents) + moved
        of_capsules = self.constant(self.capsule_joints)
        scale = length[:, of_capsules, None]
        a = widened(self.a * scale, self.capsule_joints)
        b = widened(self.b * scale, self.capsule_joints)
        cloth = 0.008 * self.uniform(count)[:, None]
        return offsets, a, b, self.radii * girths[:, of_capsules] + cloth

    def _draw_angles(self, count: int) -> tuple[dict[int, Tensor], Tensor]:
        """Returns the angles of each joint, and who sits."""
        drawn: dict[int, Tensor] = {}

        def limited(joint: str, values: Tensor) -> None:
            number = self.number[joint]
            drawn[number] = self.limited(number, values)

        def anywhere(joint: str) -> Tensor:
            ranges = [
                lower + (upper - lower) * self.uniform(count)
                for _, lower, upper in self.angles[self.number[joint]]
            ]
            return torch.stack(ranges, -1)

        def either(condition: Tensor, one: Tensor, other: Tensor) -> Tensor:
            return torch.where(condition[:, None], one, other)

        def chance(share: float) -> Tensor:
            return self.uniform(count) < share

        def near(middle: list[float], deviation: list[float]) -> Tensor:
            return self.normal(count, len(middle)) * self.constant(
                deviation
            ) + self.constant(middle)

        bend = 0.3 * chance(0.3).float()[:, None] + 0.1
        for joint in ("Spine", "Spine1"):
            limited(joint, self.normal(count, 3) * bend)
        for joint in ("Neck", "Head"):
            limited(joint, near([0.0] * 3, [0.22] * 3))
        for side in ("Left", "Right"):
            limited(side + "Shoulder", near([0.0] * 2, [0.13] * 2))
            hangs, is_before = chance(0.4), chance(0.35)
            hanging = near([-1.25, -0.1, 0.0], [0.3, 0.4, 0.5])
            before = near([-0.7, -0.5, 0.0], [0.6, 0.7, 0.6])
            arm = side + "Arm"
            limited(
                arm, either(hangs, hanging, either(is_before, before, anywhere(arm)))
            )
            straight = near([0.35], [0.4]).abs()
            fore = side + "ForeArm"
            bent = either(chance(0.4), straight, anywhere(fore))
            limited(fore, either(hangs, straight, bent))
            limited(side + "Hand", near([0.0] * 3, [0.6, 0.35, 0.2]))
            limited(side + "HandIndex1", near([0.3], [0.4]))

        mode = self.uniform(count)
        stands, sits = mode < 0.35, mode > 0.88
        walks = (mode >= 0.35) & (mode < 0.62)
        phase = 2 * math.pi * self.uniform(count)
        swing = 0.15 + 0.45 * self.uniform(count)
        crouch = torch.where(chance(0.25), 0.8 * self.uniform(count), 0.0 * phase)[
            :, None
        ]
        for side in ("Left", "Right"):
            is_firm = stands | chance(0.4)
            angle = phase + (0.0 if side == "Left" else math.pi)
            zero = 0.0 * phase
            stand = near([0.08, 0.03, 0.0], [0.2, 0.12, 0.2])
            stand = torch.cat([stand[:, :1] + crouch, stand[:, 1:]], -1)
            stand_knee = near([0.1], [0.25]).abs() + 2 * crouch
            step = torch.stack([0.1 + swing * torch.sin(angle), zero, zero], -1)
            step = near([0.0] * 3, [0.08, 0.08, 0.15]) + step
            step = torch.cat([step[:, :1] + crouch, step[:, 1:]], -1)
            lift = 1.2 * (0.4 + 0.8 * swing) * torch.cos(angle).clamp_min(0)
            step_knee = near([0.1], [0.12]).abs() + lift[:, None] + 2 * crouch
            free = near([0.0, 0.12, 0.0], [0.0, 0.28, 0.35])
            free = torch.cat([-0.5 + 2.4 * self.uniform(count, 1), free[:, 1:]], -1)
            stretched = near([0.0], [0.25]).abs()
            free_knee = either(chance(0.35), stretched, 2.3 * self.uniform(count, 1))
            seat, seat_knee = near([1.4, 0.1, 0.0], [0.25, 0.2, 0.25]), near(
                [1.4], [0.35]
            )
            hip = either(sits, seat, either(walks, step, either(is_firm, stand, free)))
            knee = either(walks, step_knee, either(is_firm, stand_knee, free_knee))
            limited(side + "UpLeg", hip)
            limited(side + "Leg", either(sits, seat_knee, knee))
            limited(side + "Foot", near([0.0] * 2, [0.2] * 2))
            limited(side + "ToeBase", near([0.0], [0.15]))
        return drawn, sits

    def placed(
        self, offsets: Tensor, poses: Poses
    ) -> tuple[list[Tensor], list[Tensor]]:
        """Returns the orientations and places of the joints."""
        turns, places = [poses.root], [torch.zeros_like(poses.root[:, 0])]
        for joint in range(1, len(self.names)):
            parent = self.parents[joint]
            places.append(
                places[parent] + (turns[parent] @ offsets[:, joint, :, None])[..., 0]
            )
            own = turns[parent]
            for i, (axis, _, _) in enumerate(self.angles[joint]):
                own = own @ rotations(axis, poses.angles[joint][:, i])
            turns.append(own)
        return turns, places

    def itop_joints(
        self,
        turns: list[Tensor],
        places: list[Tensor],
        a: Tensor,
        b: Tensor,
        radius: Tensor,
    ) -> Tensor:
        """Returns the joints of JointConvention::Itop, (bodies, 15, 3)."""

        def skin(name: str) -> Tensor:
            joint = self.number[name]
            own = self.constant(
                [i for i, j in enumerate(self.capsule_joints) if j == joint]
            )
            size = radius[:, own, None]
            low = torch.minimum(a[:, own], b[:, own]) - size
            high = torch.maximum(a[:, own], b[:, own]) + size
            middle = 0.5 * (low.amin(1) + high.amax(1))
            return places[joint] + (turns[joint] @ middle[..., None])[..., 0]

        def at(name: str) -> Tensor:
            return places[self.number[name]]

        shoulders = at("LeftArm") + at("RightArm")
        hips = at("LeftUpLeg") + at("RightUpLeg")
        joints = [skin("Head"), 0.5 * shoulders]
        joints += [at("RightArm"), at("LeftArm"), at("RightForeArm"), at("LeftForeArm")]
        joints += [skin("RightHand"), skin("LeftHand"), 0.25 * (shoulders + hips)]
        joints += [at("RightUpLeg"), at("LeftUpLeg"), at("RightLeg"), at("LeftLeg")]
        joints += [skin("RightFoot"), skin("LeftFoot")]
        return torch.stack(joints, 1)

    def _draw_poses(self, count: int) -> tuple[Poses, Tensor]:
        """Returns poses, and whose weight need not be above the feet."""
        angles, may_lean = self._draw_angles(count)
        few, many = self.uniform(count) < 0.72, self.uniform(count) < 0.75
        lean = torch.where(
            few, 0.1 * self.normal(count), -0.3 + 1.5 * self.uniform(count)
        )
        roll = self.normal(count) * torch.where(many, 0.07, 0.3)
        root = rotations(Z, roll) @ rotations(X, lean)
        if self.recorded:
            known = len(self.recorded.root)
            number = (known * self.uniform(count)).long().clamp_max(known - 1)
            is_recorded = self.uniform(count) < 0.6
            root = torch.where(
                is_recorded[:, None, None], self.recorded.root[number], root
            )
            may_lean = may_lean | is_recorded
            for joint, values in self.recorded.angles.items():
                near = values[number] + 0.08 * self.normal(count, values.shape[1])
                near = self.limited(joint, near)
                angles[joint] = torch.where(is_recorded[:, None], near, angles[joint])
        turn = 2 * math.pi * self.uniform(count)
        return Poses(rotations(Y, turn) @ root, angles), may_lean

    def _draw_posed(self, count: int) -> Bodies:
        """Returns bodies, also those that cannot be."""
        offsets, a, b, radius = self._draw_sizes(count)
        poses, may_lean = self._draw_poses(count)
        turns, places = self.placed(offsets, poses)
        joints = self.itop_joints(turns, places, a, b, radius)
        all_turns, all_places = torch.stack(turns, 1), torch.stack(places, 1)
        of_capsules = self.constant(self.capsule_joints)

        def ends(points: Tensor) -> Tensor:
            return (
                all_places[:, of_capsules]
                + (all_turns[:, of_capsules] @ points[..., None])[..., 0]
            )

        return Bodies(ends(a), ends(b), radius, joints, may_lean)

    def _collide(self, bodies: Bodies) -> Tensor:
        """Returns whether forearms are in trunk, head or thighs, or the legs in each
        other."""
        bad = torch.zeros_like(bodies.may_lean)

        def numbers(*starts: str, without: str = "?") -> Tensor:
            names = enumerate(self.capsule_names)
            return self.constant(
                [
                    i
                    for i, name in names
                    if name.startswith(starts) and not name.endswith(without)
                ]
            )

        def test(first: Tensor, second: Tensor, share: float) -> None:
            start, end = bodies.a[:, second][:, None], bodies.b[:, second][:, None]
            along = end - start
            square = (along * along).sum(-1).clamp_min(1e-9)
            least = share * (
                bodies.radius[:, first][:, :, None] + bodies.radius[:, second][:, None]
            )
            for t in (0.0, 0.5, 1.0):
                point = (bodies.a[:, first] * (1 - t) + bodies.b[:, first] * t)[
                    :, :, None
                ]
                way = (((point - start) * along).sum(-1) / square).clamp(0, 1)
                distance = (point - start - way[..., None] * along).norm(dim=-1)
                bad.logical_or_((distance < least).flatten(1).any(1))

        arms = numbers("LeftForeArm", "RightForeArm", "LeftHand_palm", "RightHand_palm")
        test(arms, numbers("Trunk", "Head", "LeftUpLeg", "RightUpLeg"), 0.75)
        # Thighs meet at the top.
        left = torch.cat([numbers("LeftLeg"), numbers("LeftUpLeg", without="_1")])
        right = torch.cat([numbers("RightLeg"), numbers("RightUpLeg", without="_1")])
        test(left, right, 0.7)
        return bad

    def _fall(self, bodies: Bodies) -> Tensor:
        """Returns whether the weight is not above the feet."""
        middle = 0.5 * (bodies.joints[:, 8] + bodies.joints.mean(1))
        one, other = bodies.joints[:, 13], bodies.joints[:, 14]
        is_lifted = ((one - other)[:, 1].abs() > 0.12)[:, None]
        lower = torch.where((one[:, 1] < other[:, 1])[:, None], one, other)
        one, other = torch.where(is_lifted, lower, one), torch.where(
            is_lifted, lower, other
        )
        level = self.constant([1.0, 0.0, 1.0])
        between = (other - one) * level
        length = (between * between).sum(-1).clamp_min(1e-6)
        share = (((middle - one) * level * between).sum(-1) / length).clamp(0, 1)
        off = ((middle - one - share[:, None] * between) * level).norm(dim=-1)
        return (off > 0.16) & ~bodies.may_lean

    def draw(self, count: int) -> Bodies:
        """Returns bodies that can be."""
        bodies = self._draw_posed(int(2.6 * count))
        falls = self._fall(bodies) & (self.uniform(len(bodies.may_lean)) < 0.8)
        faults = 2 * self._collide(bodies).float() + falls.float()
        return bodies.chosen(torch.argsort(faults, stable=True)[:count])
