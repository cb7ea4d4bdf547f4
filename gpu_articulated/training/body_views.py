# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Pictures of random bodies, as regressPose() sees them."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
import torch.nn.functional as functional
import triton
import triton.language as tl
from random_bodies import BodyGenerator
from torch import Tensor

CELLS = 80  # of a row
CELL_SIZE = 0.032  # metres, at the depth of the picture's middle


@triton.jit
def _cast(origins, rays, a, b, radii, depths, ray_count, capsules: tl.constexpr, block: tl.constexpr):  # type: ignore
    view = tl.program_id(0)
    ray = tl.program_id(1) * block + tl.arange(0, block)
    is_ray = ray < ray_count
    start = (view.to(tl.int64) * ray_count + ray) * 3
    dx = tl.load(rays + start, mask=is_ray, other=1.0)
    dy = tl.load(rays + start + 1, mask=is_ray, other=0.0)
    dz = tl.load(rays + start + 2, mask=is_ray, other=0.0)
    ox = tl.load(origins + view * 3)
    oy = tl.load(origins + view * 3 + 1)
    oz = tl.load(origins + view * 3 + 2)
    none = float("inf")
    nearest = tl.full((block,), none, tl.float32)
    for k in range(capsules):
        c = (view * capsules + k) * 3
        ax = ox - tl.load(a + c)
        ay = oy - tl.load(a + c + 1)
        az = oz - tl.load(a + c + 2)
        bx = ox - tl.load(b + c)
        by = oy - tl.load(b + c + 1)
        bz = oz - tl.load(b + c + 2)
        square = tl.load(radii + view * capsules + k)
        square = square * square
        # The two spheres.
        da = dx * ax + dy * ay + dz * az
        db = dx * bx + dy * by + dz * bz
        aa = ax * ax + ay * ay + az * az
        h = da * da - aa + square
        nearest = tl.minimum(
            nearest, tl.where(h > 0, -da - tl.sqrt(tl.maximum(h, 0.0)), none)
        )
        h = db * db - (bx * bx + by * by + bz * bz) + square
        nearest = tl.minimum(
            nearest, tl.where(h > 0, -db - tl.sqrt(tl.maximum(h, 0.0)), none)
        )
        # The cylinder between them.
        ux = ax - bx
        uy = ay - by
        uz = az - bz
        uu = ux * ux + uy * uy + uz * uz + 1e-8
        du = dx * ux + dy * uy + dz * uz
        ua = ux * ax + uy * ay + uz * az
        qa = tl.maximum(uu - du * du, 1e-9)
        qb = uu * da - ua * du
        h = qb * qb - qa * (uu * aa - ua * ua - square * uu)
        t = (-qb - tl.sqrt(tl.maximum(h, 0.0))) / qa
        along = ua + t * du
        nearest = tl.minimum(
            nearest, tl.where((h > 0) & (along > 0) & (along < uu), t, none)
        )
    tl.store(depths + view.to(tl.int64) * ray_count + ray, nearest, mask=is_ray)


def cast(origins: Tensor, rays: Tensor, a: Tensor, b: Tensor, radii: Tensor) -> Tensor:
    """Returns the distances along unit rays to the nearest capsule; infinite for none.

    Shapes: (views, 3), (views, rays, 3), (views, capsules, 3) and (views, capsules).
    """
    origins, rays, a, b, radii = (x.contiguous() for x in (origins, rays, a, b, radii))
    views, count = rays.shape[:2]
    depths = torch.empty(views, count, device=rays.device)
    block = 256
    grid = (views, triton.cdiv(count, block))
    _cast[grid](origins, rays, a, b, radii, depths, count, a.shape[1], block)
    return depths


class Views(NamedTuple):
    """A batch of pictures with the joints in them."""

    pictures: (
        Tensor  # (views, 4, CELLS, CELLS): see BodyPicture in joint_regression.cpp
    )
    joints: Tensor  # (views, 15, 3): see NetworkAnswer in joint_network.h
    counts: Tensor  # whether a picture has cells enough, 0 or 1


class ViewGenerator:
    """Draws views of random bodies: from all sides and from above, with a Kinect's noise
    times 0 to 1.5, with things that people hold or stand beside, and parts that are
    hidden, beyond the picture, lost at edges or taken for the floor."""

    def __init__(self, bodies: BodyGenerator) -> None:
        self._bodies = bodies
        middle = torch.arange(CELLS, device=bodies.device) + 0.5 - 0.5 * CELLS
        rows, columns = torch.meshgrid(
            -middle * CELL_SIZE, middle * CELL_SIZE, indexing="ij"
        )
        self._rights, self._ups = columns.flatten()[None], rows.flatten()[None]

    def _axes(self, forward: Tensor, up: Tensor, roll: Tensor) -> Tensor:
        """Returns rows to the right, upward and forward. Steep views have any roll."""
        right = torch.cross(forward, up, dim=-1)
        is_steep = right.norm(dim=-1, keepdim=True) < 0.35
        side = self._bodies.constant([1.0, 0.0, 0.0]).expand_as(forward)
        other = torch.cross(forward, side, dim=-1)
        right = functional.normalize(torch.where(is_steep, other, right), dim=-1)
        upward = torch.cross(right, forward, dim=-1)
        angle = torch.where(is_steep, roll[:, None], 0.0 * roll[:, None])
        c, s = torch.cos(angle), torch.sin(angle)
        return torch.stack([right * c + upward * s, upward * c - right * s, forward], 1)

    def draw(self, count: int) -> Views:
        uniform, normal, constant = (
            self._bodies.uniform,
            self._bodies.normal,
            self._bodies.constant,
        )
        body = self._bodies.draw(count)
        cells = CELLS * CELLS

        # The camera, and the middle of its picture.
        kind = uniform(count)
        low, middle = -0.26 + 0.8 * uniform(count), 0.54 + 0.6 * uniform(count)
        elevation = torch.where(kind < 0.55, middle, 1.1 + 0.47 * uniform(count))
        elevation = torch.where(kind < 0.42, low, elevation)
        away = torch.where(
            kind < 0.55, 1.0 + 3.3 * uniform(count), 1.5 + 1.4 * uniform(count)
        )
        azimuth = 2 * math.pi * uniform(count)
        level = torch.cos(elevation)
        toward = torch.stack(
            [
                level * torch.sin(azimuth),
                torch.sin(elevation),
                level * torch.cos(azimuth),
            ],
            -1,
        )
        camera = toward * away[:, None] + body.joints[:, 8]
        up = constant([0.0, 1.0, 0.0]).expand(count, 3)
        known_up = functional.normalize(up + 0.05 * normal(count, 3), dim=-1)
        center = 0.5 * (body.a.mean(1) + body.b.mean(1)) + 0.08 * normal(count, 3)
        forward = functional.normalize(center - camera, dim=-1)
        axes = self._axes(forward, known_up, 2 * math.pi * uniform(count))
        distance = (center - camera).norm(dim=-1)[:, None]

        # Rays of a Kinect with jitter: see KinectNoise.
        noise = 1.5 * uniform(count)[:, None]
        right = self._rights + (uniform(count, cells) - 0.5) * CELL_SIZE
        upward = self._ups + (uniform(count, cells) - 0.5) * CELL_SIZE
        jitter = noise * 0.5 / 262 * distance
        rays = torch.stack(
            [
                right + jitter * normal(count, cells),
                upward + jitter * normal(count, cells),
                distance.expand(count, cells),
            ],
            -1,
        )
        lengths = rays.norm(dim=-1)
        directions = torch.einsum("brk,bkl->brl", rays / lengths[..., None], axes)
        a, b, radius = self._with_things(
            body.a, body.b, body.radius, body.joints, camera, axes
        )
        reached = cast(camera, directions, a, b, radius)
        depth = reached * distance / lengths
        is_seen = reached < 20
        depth = torch.where(is_seen, depth, 0.0 * distance)
        depth = depth + noise * 1.425e-3 * depth * depth * normal(count, cells)
        depth = torch.where(is_seen, depth, 0.0 * distance)

        def heights(depths: Tensor, along: Tensor) -> Tensor:
            points = torch.stack(
                [right / distance * depths, upward / distance * depths, depths], -1
            )
            return torch.einsum(
                "brk,bk->br", points, torch.einsum("bkl,bl->bk", axes, along)
            )

        height = heights(depth, known_up)
        bottom = (torch.minimum(body.a, body.b)[..., 1] - body.radius).amin(
            1, keepdim=True
        )
        top = (torch.maximum(body.a, body.b)[..., 1] + body.radius).amax(
            1, keepdim=True
        )

        def chance(share: float) -> Tensor:
            return uniform(count)[:, None] < share

        # Parts near the floor, below a table, beyond the picture or behind a pole are hidden.
        true_height = heights(depth, up) + camera[:, 1:2]
        is_seen &= (true_height > bottom + 0.09 * uniform(count)[:, None]) | chance(0.3)
        table = bottom + 0.75 * (top - bottom) * uniform(count)[:, None]
        is_seen &= ~chance(0.12) | (true_height > table)
        angle = 2 * math.pi * uniform(count)[:, None]
        across = right * torch.cos(angle) + upward * torch.sin(angle)
        is_seen &= ~chance(0.1) | (across < 0.1 + 0.5 * uniform(count)[:, None])
        pole, half_width = (
            0.36 * normal(count, 1),
            0.03 + 0.12 * uniform(count)[:, None],
        )
        is_seen &= ~chance(0.12) | ((across - pole).abs() > half_width)
        # Edges and single pixels are lost.
        picture = is_seen.view(count, 1, CELLS, CELLS).float()
        is_inside = -functional.max_pool2d(-picture, 3, 1, 1).view(count, -1) > 0
        share = uniform(count)[:, None]
        is_seen &= ~chance(0.4) | is_inside | (uniform(count, cells) < share)
        is_seen &= uniform(count, cells) > 0.5 * uniform(count)[:, None] ** 3
        # Stray points.
        is_stray = uniform(count, cells) < 0.004 * uniform(count)[:, None] ** 3
        is_stray &= ~is_seen
        stray = distance + 0.5 * normal(count, 1) + 0.3 * normal(count, cells)
        depth = torch.where(is_stray, stray, depth)
        height = torch.where(is_stray, heights(stray, known_up), height)
        is_seen |= is_stray

        # The floor is known in two views of three, and sometimes wrong.
        lifted = torch.where(
            chance(0.06), 0.25 * uniform(count)[:, None], 0.0 * distance
        )
        floor = bottom - lifted + 0.025 * normal(count, 1) - camera[:, 1:2]
        which = uniform(count)[:, None]
        floor = torch.where(which < 0.06, floor + 0.4 * normal(count, 1), floor)
        is_known = which <= 0.65

        seen = is_seen.float()
        number = seen.sum(1, keepdim=True).clamp_min(1)
        mean_depth = ((depth - distance) * seen).sum(1, keepdim=True) / number
        mean_height = (height * seen).sum(1, keepdim=True) / number
        above = torch.where(is_known, mean_height - floor, 0.0 * floor)
        channels = [
            seen,
            (depth - distance - mean_depth) * seen,
            (height - mean_height) * seen,
        ]
        pictures = torch.stack([*channels, above * seen], 1).view(
            count, 4, CELLS, CELLS
        )
        joints = torch.einsum("bjk,blk->bjl", body.joints - camera[:, None], axes)
        joint_depth = joints[..., 2].clamp_min(0.1)
        joints = torch.stack(
            [
                joints[..., 0] / joint_depth * distance,
                joints[..., 1] / joint_depth * distance,
                joint_depth - distance - mean_depth,
            ],
            -1,
        )
        return Views(pictures, joints, (number[:, 0] > 40).float())

    def _with_things(
        self,
        a: Tensor,
        b: Tensor,
        radius: Tensor,
        joints: Tensor,
        camera: Tensor,
        axes: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Adds capsules near some joints: things held, worn or beside the body."""
        uniform, normal = self._bodies.uniform, self._bodies.normal
        count, things = len(a), 4
        joint = (
            (uniform(count, things) * joints.shape[1])
            .long()
            .clamp_max(joints.shape[1] - 1)
        )
        start = torch.gather(joints, 1, joint[..., None].expand(-1, -1, 3))
        start = start + 0.12 * normal(count, things, 3)
        end = start + 0.25 * normal(count, things, 3)
        is_there = uniform(count, things, 1) < 0.08
        nowhere = camera[:, None] + 50 * axes[:, None, 2]
        start = torch.where(is_there, start, nowhere)
        end = torch.where(is_there, end, nowhere)
        girth = 0.02 + 0.07 * uniform(count, things)
        return (
            torch.cat([a, start], 1),
            torch.cat([b, end], 1),
            torch.cat([radius, girth], 1),
        )
