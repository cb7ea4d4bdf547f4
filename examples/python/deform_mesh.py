# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Casts rays at a mesh that waves, frame after frame, where its vertices are."""

import argparse
import time

import matplotlib
import numpy as np
from numpy.typing import NDArray

from pcl_gpu import raycast, utils


def make_torus(across: int, around: int) -> tuple[NDArray[np.float32], ...]:
    """Makes points and triangles of a ring that lies on a table."""
    i, j = np.mgrid[0:across, 0:around]
    a, b = 2 * np.pi * i / across, 2 * np.pi * j / around
    points = np.ones((across, around, 4), np.float32)
    points[..., 0] = (1 + 0.4 * np.cos(b)) * np.cos(a)
    points[..., 1] = 0.4 * np.sin(b)
    points[..., 2] = (1 + 0.4 * np.cos(b)) * np.sin(a)
    ids = (i * around + j).astype(np.int32)
    right, down = np.roll(ids, -1, 1), np.roll(ids, -1, 0)
    both = np.roll(right, -1, 0)
    triangles = np.stack([ids, right, down, right, both, down], -1)
    return points.reshape(-1, 4), np.ascontiguousarray(triangles.reshape(-1, 3))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="host", help="host, cuda or cuda:N")
    parser.add_argument("--frames", type=int, default=5, help="of the picture")
    parser.add_argument("--output", default="deformed.png", help="picture")
    options = parser.parse_args()

    device = utils.Device(options.device)
    points, triangles = make_torus(400, 100)
    rest = raycast.TriangleMesh(
        utils.to_device(points, device), utils.to_device(triangles, device)
    )
    deform = raycast.MeshDeformation(
        kind=raycast.Deformation.WAVE, radius=1.4, strength=2
    )
    scene = raycast.RaycastingScene()
    ring = scene.add_triangles(rest)

    side = 400
    rays = raycast.RaycastingScene.create_rays_pinhole(
        fov_deg=42, center=[0, 0, 0], eye=[0, 2.4, 4], up=[0, -1, 0],
        width_px=side, height_px=side,
    )  # fmt: skip
    there = utils.to_device(rays, device)

    pictures = []
    start = time.perf_counter()
    for i in range(options.frames):
        # The vertices stay on their device, and are shared: four numbers each.
        moved = deform.compute(rest, i / options.frames)
        scene.update_vertices(ring, moved.vertices)
        normals = scene.cast_rays(there)["primitive_normals"]
        pictures.append(utils.to_device(normals, utils.Device.host()))
    milliseconds = 1000 * (time.perf_counter() - start) / options.frames
    print(
        f"{len(triangles)} triangles, {side * side} rays: {milliseconds:.1f} ms a frame"
    )

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(
        1, options.frames, figsize=(3 * options.frames, 3.2), squeeze=False
    )
    figure.subplots_adjust(0, 0, 1, 0.92, wspace=0.02)
    for i, (normals, one) in enumerate(zip(pictures, axes[0])):
        hit = np.abs(normals).sum(axis=-1) > 0
        light = np.clip(normals @ np.array([-0.5, 0.7, 0.5], np.float32), 0.05, 1)
        one.imshow(np.where(hit, light, np.nan), cmap="copper", vmin=0, vmax=1)
        one.set_title(f"frame {i}")
        one.set_axis_off()
    figure.savefig(options.output, dpi=80)
    print(options.output)


if __name__ == "__main__":
    main()
