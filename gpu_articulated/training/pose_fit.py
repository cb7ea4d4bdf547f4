# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Fits poses of a skeleton to the joints of other bodies."""

from __future__ import annotations

import torch
import torch.nn.functional as functional
from random_bodies import BodyGenerator, Poses, X, Y, Z, rotations
from torch import Tensor

# Joints of JointConvention::Itop, and those to which they point.
BONES = (
    (1, 0),
    (8, 1),
    (2, 3),
    (9, 10),
    (2, 4),
    (3, 5),
    (4, 6),
    (5, 7),
    (9, 11),
    (10, 12),
    (11, 13),
    (12, 14),
)
MIRRORED = (0, 1, 3, 2, 5, 4, 7, 6, 8, 10, 9, 12, 11, 14, 13)
UNKNOWN = ("Hand", "HandIndex1", "ToeBase")  # ends of names: nothing shows their angles
LEAST_COSINE = 0.95  # of each bone's error in a pose that is kept


def directions(joints: Tensor) -> Tensor:
    start, end = (list(numbers) for numbers in zip(*BONES))
    return functional.normalize(joints[:, end] - joints[:, start], dim=-1)


def fit_poses(bodies: BodyGenerator, joints: Tensor, rounds: int = 300) -> Poses:
    """Returns poses whose bones have the directions of those between other joints.

    joints: of JointConvention::Itop, (poses, 15, 3), y points up. Poses that the
    skeleton cannot take are left out. Those that remain are followed by their mirror
    images.
    """
    mirrored = joints[:, MIRRORED] * bodies.constant([-1.0, 1.0, 1.0])
    joints = torch.cat([joints, mirrored])
    wanted, count = directions(joints), len(joints)
    across, up = wanted[:, 3], wanted[:, 1]
    forward = functional.normalize(torch.cross(across, up, dim=-1), dim=-1)
    start = torch.stack([across, torch.cross(forward, across, dim=-1), forward], -1)

    def variable(values: list[float]) -> Tensor:
        return bodies.constant(values).repeat(count, 1).requires_grad_()

    # From the middle of the limits: from stretched arms a twentieth gets stuck.
    turn = variable([0.0] * 3)
    angles = {
        joint: variable([0.5 * (lower + upper) for _, lower, upper in each])
        for joint, each in enumerate(bodies.angles)
        if each
    }
    offsets, a, b, radius = (
        each.expand(count, *each.shape)
        for each in (bodies.offsets, bodies.a, bodies.b, bodies.radii)
    )
    optimizer = torch.optim.Adam([turn, *angles.values()])
    for step in range(rounds):
        optimizer.param_groups[0]["lr"] = 0.1 * (1 - step / rounds)
        root = start
        for i, axis in enumerate((X, Y, Z)):
            root = root @ rotations(axis, turn[:, i])
        turns, places = bodies.placed(offsets, Poses(root, angles))
        found = directions(bodies.itop_joints(turns, places, a, b, radius))
        cosines = (wanted * found).sum(-1)
        bent = sum(values.square().sum() for values in angles.values())
        optimizer.zero_grad()
        ((1 - cosines).sum() + 0.003 * bent).backward()
        optimizer.step()
        with torch.no_grad():
            for joint, values in angles.items():
                values.copy_(bodies.limited(joint, values))
    is_good = cosines.detach().amin(1) > LEAST_COSINE
    return Poses(
        root.detach()[is_good],
        {
            joint: values.detach()[is_good]
            for joint, values in angles.items()
            if not bodies.names[joint].endswith(UNKNOWN)
        },
    )
