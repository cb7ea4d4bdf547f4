# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Puts views of an object together, of which nothing is known but their points."""

import argparse
import lzma
import os
import sys
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from numpy.typing import NDArray

from pcl_gpu import tensor, triangulation, utils

Cloud = NDArray[np.float32]
# A toy of balls, for want of data: their middles and radii, metres.
TOY = np.array(
    [
        [0, 0, 0, 0.06],
        [0.06, 0.03, 0.01, 0.038],
        [-0.03, -0.075, 0, 0.032],
        [-0.055, 0.03, 0.035, 0.03],
        [0.01, 0.04, -0.07, 0.025],
    ]
)


def read_cloud(path: Path) -> Cloud:
    """Reads x, y and z, the first columns of a text."""
    data = lzma.open(path, "rt") if path.suffix == ".xz" else open(path)
    with data as file:
        points = np.loadtxt(file, np.float32, usecols=(0, 1, 2))
    return np.asarray(utils.to_points(points))


def render(angle: float) -> Cloud:
    """Renders the toy as a camera sees it from one of the sides."""
    camera = utils.PinholeCamera(fx=400, fy=400, cx=159.5, cy=119.5)
    v, u = np.mgrid[0:240, 0:320]
    ray = np.stack([(u - 159.5) / 400, (v - 119.5) / 400, np.ones((240, 320))], -1)
    square = (ray**2).sum(-1)
    depth = np.full((240, 320), np.inf)
    c, s = np.cos(angle), np.sin(angle)
    for ball in TOY:
        middle = [[c, 0, s], [0, 1, 0], [-s, 0, c]] @ ball[:3] + [0, 0, 0.6]
        half = ray @ middle
        root = half**2 - square * (middle @ middle - ball[3] ** 2)
        hit = (half - np.sqrt(np.maximum(root, 0))) / square
        depth = np.where(root > 0, np.minimum(depth, hit), depth)
    projection = triangulation.DepthMapProjection(camera=camera)
    cloud: Cloud = projection.compute(depth.astype(np.float32))
    return cloud.copy()


def draw(axes: Any, clouds: list[Cloud], title: str) -> None:
    """Draws clouds from above and beside, the nearest points last."""
    from matplotlib import colormaps

    points = np.concatenate([cloud.reshape(-1, 4)[:, :3] for cloud in clouds])
    number = np.repeat(np.arange(len(clouds)), [cloud.size // 4 for cloud in clouds])
    keep = np.isfinite(points[:, 2])
    points, number = points[keep] - np.median(points[keep], axis=0), number[keep]
    a, b = np.radians(30), np.radians(20)
    turn = np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])
    tilt = np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
    seen = points @ (tilt @ turn).T
    order = np.argsort(-seen[:, 2])
    seen, number = seen[order], number[order]
    low, high = np.percentile(seen[:, 2], [2, 98])
    light = np.interp(seen[:, 2], [low, high], [1.0, 0.45])[:, None]
    colors = light * colormaps["hsv"](number / len(clouds))[:, :3]
    axes.scatter(seen[:, 0], -seen[:, 1], c=colors, s=3, linewidths=0)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_title(title)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "clouds", nargs="*", type=Path, help="texts of x, y and z, metres"
    )
    parser.add_argument("--device", default="host", help="host, cuda or cuda:N")
    parser.add_argument("--output", default="registration.png", help="picture")
    options = parser.parse_args()
    data = os.environ.get("PCL_GPU_TEST_DATA")
    if data and not options.clouds:
        folder = Path(data) / "field" / "bunny_views"
        options.clouds = [folder / f"cloudXYZ_{i}.xyz.xz" for i in range(0, 36, 3)]
    clouds = [read_cloud(path) for path in options.clouds]
    clouds = clouds or [render(angle) for angle in np.arange(0, 2 * np.pi, 0.6)]

    registration = tensor.TensorViewRegistration()
    for cloud in clouds:
        registration.add_view(cloud)
    with utils.Device(options.device):
        alignments = registration.align_all(
            lambda done, of: print(f"\r{done}/{of} pairs", end="", file=sys.stderr)
        )
    poses = registration.connect(alignments)
    placed = [
        (cloud @ pose.T).astype(np.float32)
        for cloud, pose in zip(clouds, poses)
        if pose is not None
    ]
    print(f"\n{len(alignments)} pairs fit; {len(placed)} of {len(clouds)} views placed")

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(12, 6), layout="constrained")
    draw(axes[0], clouds, f"{len(clouds)} views, each in the frame of its camera")
    draw(axes[1], placed, f"{len(placed)} views in one frame")
    figure.savefig(options.output, dpi=80)
    print(options.output)


if __name__ == "__main__":
    main()
