# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Casts rays at a mesh that deforms, frame after frame, where its vertices are."""

import argparse
import time

import matplotlib
import numpy as np

from pcl_gpu import raycast, utils


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="host", help="host, cuda or cuda:N")
    parser.add_argument("--frames", type=int, default=5, help="of the picture")
    parser.add_argument("--output", default="deformed.png", help="picture")
    options = parser.parse_args()

    device = utils.Device(options.device)
    vertices, triangles = raycast.make_tesselated_sphere(6)
    rest = raycast.TriangleMesh(
        utils.to_device(vertices, device), utils.to_device(triangles, device)
    )
    deform = raycast.MeshDeformation(kind=raycast.Deformation.NOISE, strength=2.5)
    scene = raycast.RaycastingScene()
    sphere = scene.add_triangles(rest.vertices, rest.triangles)

    side = 400
    v, u = np.mgrid[0:side, 0:side].astype(np.float32) / side - 0.5
    rays = np.zeros((side, side, 6), np.float32)
    rays[..., 2] = 4
    rays[..., 3:] = np.stack([u, -v, -np.ones_like(u)], axis=-1)
    there = utils.to_device(rays, device)

    pictures = []
    start = time.perf_counter()
    for i in range(options.frames):
        # The vertices stay on their device, and are shared: four numbers each.
        moved = deform.compute(rest, i / options.frames)
        scene.update_vertices(sphere, moved.vertices)
        normals = scene.cast_rays(there)["primitive_normals"]
        pictures.append(utils.to_device(normals, utils.Device.host()))
    milliseconds = 1000 * (time.perf_counter() - start) / options.frames
    print(
        f"{len(triangles)} triangles, {side * side} rays: {milliseconds:.1f} ms a frame"
    )

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(
        1, options.frames, figsize=(3 * options.frames, 3.2), layout="constrained"
    )
    for i, normals in enumerate(pictures):
        hit = np.abs(normals).sum(axis=-1) > 0
        light = np.clip(normals @ np.array([-0.5, 0.6, 0.62], np.float32), 0.05, 1)
        axes[i].imshow(np.where(hit, light, np.nan), cmap="copper", vmin=0, vmax=1)
        axes[i].set_title(f"frame {i}")
        axes[i].set_axis_off()
    figure.savefig(options.output, dpi=80)
    print(options.output)


if __name__ == "__main__":
    main()
