# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Casts a million rays at a mesh, and draws distances, normals and light."""

import argparse
import lzma
import os
import time
from pathlib import Path

import matplotlib
import numpy as np
from numpy.typing import NDArray

from pcl_gpu import raycast, utils


def read_mesh(path: Path | None) -> tuple[NDArray[np.float32], NDArray[np.uint32]]:
    """Reads a binary PLY of positions and triangles, or makes a knotted tube."""
    data = os.environ.get("PCL_GPU_TEST_DATA")
    if path is None and data:
        path = Path(data) / "meshes" / "armadillo_100k.ply.xz"
    if path is None:
        t, a = np.mgrid[0:400, 0:40] * (2 * np.pi / np.array([400, 40])[:, None, None])
        r = 2 + np.cos(3 * t) + 0.4 * np.cos(a)
        knot = np.stack([r * np.cos(2 * t), r * np.sin(2 * t), np.sin(3 * t)], -1)
        knot[..., 2] += 0.4 * np.sin(a)
        i, j = np.mgrid[0:400, 0:40]
        ids = (i % 400) * 40 + j % 40
        right, down = np.roll(ids, -1, 1), np.roll(ids, -1, 0)
        both = np.roll(right, -1, 0)
        quads = np.stack([ids, down, right, right, down, both], -1).reshape(-1, 3)
        return knot.reshape(-1, 3).astype(np.float32), quads.astype(np.uint32)
    raw = lzma.open(path).read() if path.suffix == ".xz" else path.read_bytes()
    header, body = raw.split(b"end_header\n", 1)
    counts = [
        int(line.split()[2]) for line in header.splitlines() if b"element" in line
    ]
    numbers = header.split(b"element face")[0].count(b"property")
    vertices = np.frombuffer(body, "<f4", counts[0] * numbers).reshape(-1, numbers)
    face = np.dtype([("n", "u1"), ("vertices", "<u4", 3)])
    faces = np.frombuffer(body, face, counts[1], vertices.nbytes)["vertices"]
    return np.ascontiguousarray(vertices[:, :3]), np.ascontiguousarray(faces)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mesh", nargs="?", type=Path, help="binary PLY, may be .xz")
    parser.add_argument("--device", default="host", help="host, cuda or cuda:N")
    parser.add_argument("--output", default="rays.png", help="picture")
    options = parser.parse_args()

    vertices, triangles = read_mesh(options.mesh)
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    middle, size = (low + high) / 2, float((high - low).max())
    side = 1000
    v, u = np.mgrid[0:side, 0:side].astype(np.float32) / side - 0.5
    rays = np.empty((side, side, 6), np.float32)
    rays[..., :3] = middle - np.array([0, 0, 2 * size], np.float32)
    rays[..., 3:] = np.stack([-0.6 * u, -0.6 * v, np.ones_like(u)], axis=-1)

    device = utils.Device(options.device)
    scene = raycast.RaycastingScene()
    scene.add_triangles(
        utils.to_device(vertices, device), utils.to_device(triangles, device)
    )
    there = utils.to_device(rays, device)
    start = time.perf_counter()
    found = scene.cast_rays(there)
    hits = {k: utils.to_device(a, utils.Device.host()) for k, a in found.items()}
    milliseconds = 1000 * (time.perf_counter() - start)
    hit = np.isfinite(hits["t_hit"])
    print(f"{len(triangles)} triangles, {hit.sum()} of {hit.size} rays hit,")
    print(f"{milliseconds:.0f} ms with the build of the hierarchy")

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    normals = hits["primitive_normals"]
    light = np.clip(normals @ np.array([0.4, 0.6, -0.7], np.float32), 0.08, 1)
    figure, axes = plt.subplots(1, 3, figsize=(15, 5), layout="constrained")
    axes[0].imshow(np.where(hit, hits["t_hit"], np.nan), cmap="viridis_r")
    axes[0].set_title("distance")
    axes[1].imshow(np.where(hit[..., None], 0.5 + 0.5 * normals * [-1, 1, -1], 1))
    axes[1].set_title("normals of the triangles")
    axes[2].imshow(np.where(hit, light, np.nan), cmap="gray", vmin=0, vmax=1)
    axes[2].set_title("light")
    for one in axes:
        one.set_axis_off()
    figure.savefig(options.output, dpi=80)
    print(options.output)


if __name__ == "__main__":
    main()
