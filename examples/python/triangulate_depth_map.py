# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Turns a depth map into a cloud, normals and a mesh, and draws them."""

import argparse
import os

import matplotlib
import numpy as np
from numpy.typing import NDArray

from pcl_gpu import triangulation, utils


def read_or_render(path: str | None) -> NDArray[np.uint16]:
    """Reads a 16-bit PNG in millimetres, or renders two balls before a wall."""
    folder = os.environ.get("PCL_GPU_TEST_DATA")
    if path is None and folder:
        path = f"{folder}/depth/tum_desk.depth_mm.png"
    if path is not None:
        image: NDArray[np.uint16] = utils.read_depth_image(path)
        return image
    v, u = np.mgrid[0:480, 0:640]
    ray = np.stack([(u - 319.5) / 525, (v - 239.5) / 525, np.ones((480, 640))], -1)
    depth = np.full((480, 640), 2.5)
    for x, z, radius in ((-0.3, 1.5, 0.3), (0.35, 1.8, 0.4)):
        half = ray @ [x, 0, z]
        square = (ray**2).sum(-1)
        root = half**2 - square * (x**2 + z**2 - radius**2)
        hit = (half - np.sqrt(np.maximum(root, 0))) / square
        depth = np.where(root > 0, np.minimum(depth, hit), depth)
    return (1000 * depth).astype(np.uint16)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("depth", nargs="?", help="16-bit PNG, millimetres")
    parser.add_argument("--device", default="host", help="host, cuda or cuda:N")
    parser.add_argument("--output", default="triangulation.png", help="picture")
    options = parser.parse_args()

    depth = utils.clear_missing_depth(read_or_render(options.depth))
    rows, columns = depth.shape
    camera = utils.PinholeCamera(
        fx=525 * columns / 640,
        fy=525 * columns / 640,
        cx=(columns - 1) / 2,
        cy=(rows - 1) / 2,
    )
    chain = triangulation.DepthMapTriangulation(
        projection=triangulation.DepthMapProjectionParameters(camera=camera),
        # A Kinect's noise grows with the square of the depth.
        filter=triangulation.DepthBilateralFilterParameters(
            sigma_r=0.005, sigma_r_growth=0.004
        ),
        mesh=triangulation.OrganizedTriangulationParameters(
            angle_tolerance=0.02,
            max_edge_length_squared=0.0035,
            dynamic_normal_angle=False,
        ),
    )
    chain.compute(utils.to_device(depth, utils.Device(options.device)), 0.001)
    cloud, normals, faces = (
        utils.to_device(array, utils.Device.host())
        for array in (chain.cloud, chain.normals, chain.faces)
    )
    print(f"{np.isfinite(cloud[..., 2]).sum()} points, {len(faces)} triangles")

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(15, 4.2), layout="constrained")
    metres = np.where(depth > 0, depth / 1000, np.nan)
    near, far = np.nanpercentile(metres, [1, 97])
    axes[0].imshow(metres, cmap="viridis", vmin=near, vmax=far)
    axes[0].set_title("depth map")
    axes[1].imshow(np.nan_to_num(0.5 - 0.5 * normals[..., :3], nan=1.0))
    axes[1].set_title("normals")
    # The mesh from the side, the nearest triangles last.
    points = cloud.reshape(-1, 4)[:, :3]
    angle = np.radians(35)
    middle = np.nanmedian(points, axis=0)
    turn = np.array(
        [
            [np.cos(angle), 0, np.sin(angle)],
            [0, 1, 0],
            [-np.sin(angle), 0, np.cos(angle)],
        ]
    )
    seen = (points - middle) @ turn.T
    a, b, c = (seen[faces[:, i]] for i in range(3))
    across = np.cross(b - a, c - a)
    light = -across[:, 2] / np.maximum(np.linalg.norm(across, axis=1), 1e-12)
    order = np.argsort(-(a + b + c)[:, 2])
    center = ((a + b + c) / 3)[order]
    axes[2].scatter(
        center[:, 0],
        -center[:, 1],
        c=0.15 + 0.85 * np.clip(light[order], 0, 1),
        cmap="gray",
        vmin=0,
        vmax=1,
        s=0.6,
        linewidths=0,
    )
    low, high = np.percentile(center[:, :2], [2, 98], axis=0)
    axes[2].set_xlim(low[0] - 0.2, high[0] + 0.2)
    axes[2].set_ylim(-high[1] - 0.2, -low[1] + 0.2)
    axes[2].set_aspect("equal")
    axes[2].set_title("mesh, from the side")
    for one in axes:
        one.set_axis_off()
    figure.savefig(options.output, dpi=80)
    print(options.output)


if __name__ == "__main__":
    main()
