# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Learns objects from their meshes, finds them in a depth map, and draws them there."""

import argparse
import lzma
import os
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from numpy.typing import NDArray

from pcl_gpu import tensor, utils

Mesh = tuple[NDArray[np.float32], NDArray[np.int32]]
# Toys of balls, for want of data: their middles and radii, metres.
TOYS = {
    "cat": np.array(
        [[0, 0, 0, 60], [60, 30, 10, 38], [-30, -75, 0, 32], [-55, 30, 35, 30]]
    ),
    "duck": np.array(
        [[0, 0, 0, 50], [0, -60, 20, 36], [10, -62, 60, 16], [45, 10, -30, 40]]
    ),
}


def read_mesh(path: Path) -> Mesh:
    """Reads a binary PLY of x, y, z and triangles, in millimetres."""
    data = lzma.open(path).read() if path.suffix == ".xz" else path.read_bytes()
    head, body = data.split(b"end_header\n", 1)
    words = head.split()
    counts = [int(words[words.index(word) + 1]) for word in (b"vertex", b"face")]
    points = np.frombuffer(body, "<f4", 3 * counts[0]).reshape(-1, 3)
    row = np.dtype([("count", "u1"), ("corners", "<i4", 3)])
    faces = np.frombuffer(body, row, counts[1], points.nbytes)["corners"]
    return utils.to_points(points * np.float32(0.001)), faces.astype(np.int32)


def make_mesh(balls: NDArray[Any]) -> Mesh:
    polar, around = np.meshgrid(
        np.linspace(0, np.pi, 25), np.linspace(0, 2 * np.pi, 49)
    )
    flat = np.sin(polar)
    unit = np.stack([flat * np.cos(around), flat * np.sin(around), np.cos(polar)], -1)
    corner = (np.arange(48)[:, None] * 25 + np.arange(24)).ravel()[:, None]
    faces = np.concatenate([corner + [0, 1, 26], corner + [0, 26, 25]])
    points = [0.001 * (ball[:3] + ball[3] * unit.reshape(-1, 3)) for ball in balls]
    triangles = [faces + k * 25 * 49 for k in range(len(balls))]
    return (
        utils.to_points(np.concatenate(points).astype(np.float32)),
        np.concatenate(triangles).astype(np.int32, order="C"),
    )


def render(camera: utils.PinholeCamera) -> NDArray[np.uint16]:
    """Renders the toys on a table, in millimetres."""
    v, u = np.mgrid[0 : camera.height, 0 : camera.width]
    x, y = (u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy
    ray = np.stack([x, y, np.ones_like(x)], -1)
    square = (ray**2).sum(-1)
    depth = np.minimum(0.65 / np.maximum(0.8 * y + 0.45, 0.3), 1.4)
    for place, angle, balls in zip((-0.12, 0.12), (0.7, 2.5), TOYS.values()):
        c, s = np.cos(angle), np.sin(angle)
        for ball in balls / 1000:
            middle = [[c, 0, s], [0, 1, 0], [-s, 0, c]] @ ball[:3] + [place, 0.05, 0.9]
            half = ray @ middle
            root = half**2 - square * (middle @ middle - ball[3] ** 2)
            hit = (half - np.sqrt(np.maximum(root, 0))) / square
            depth = np.where(root > 0, np.minimum(depth, hit), depth)
    return np.asarray(1000 * depth, np.uint16)


def draw(
    axes: Any, mesh: Mesh, pose: Any, camera: utils.PinholeCamera, hue: Any
) -> None:
    """Draws a mesh as the camera sees it."""
    from matplotlib.collections import PolyCollection

    points = mesh[0][:, :3] @ pose[:3, :3].T + pose[:3, 3]
    corners = points[mesh[1]]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    middle = corners.mean(axis=1)
    length = np.linalg.norm(across, axis=1) * np.linalg.norm(middle, axis=1)
    light = -(across * middle).sum(axis=1) / np.maximum(length, 1e-12)
    order = [i for i in np.argsort(-middle[:, 2]) if light[i] > 0]
    pixels = corners[..., :2] / corners[..., 2:] * [camera.fx, camera.fy]
    pixels += [camera.cx, camera.cy]
    colors = np.clip(0.3 + 0.7 * light[order], 0, 1)[:, None] * np.array(hue[:3])
    axes.add_collection(
        PolyCollection(pixels[order], facecolors=colors, edgecolors=colors)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("depth", nargs="?", help="16-bit PNG, millimetres")
    parser.add_argument("meshes", nargs="*", type=Path, help="binary PLY, millimetres")
    parser.add_argument(
        "--camera", type=float, nargs=4, metavar=("FX", "FY", "CX", "CY")
    )
    parser.add_argument("--device", default="host", help="host, cuda or cuda:N")
    parser.add_argument("--output", default="recognition.png", help="picture")
    options = parser.parse_args()
    files = {path.name.split(".")[0]: path for path in options.meshes}
    fx, fy, cx, cy = options.camera or (525, 525, 319.5, 239.5)
    data = os.environ.get("PCL_GPU_TEST_DATA")
    if data and not options.depth:
        folder = Path(data) / "field" / "lmo"
        options.depth = folder / "frame_000003" / "depth.png"
        numbers = {"can": 5, "cat": 6, "driller": 8, "duck": 9}
        files = {n: folder / f"models/obj_{i:06d}.ply.xz" for n, i in numbers.items()}
        fx, fy, cx, cy = 572.4114, 573.57043, 325.2611, 242.04899
    camera = utils.PinholeCamera(fx=fx, fy=fy, cx=cx, cy=cy, width=640, height=480)
    if options.depth:
        meshes = {name: read_mesh(path) for name, path in files.items()}
        depth = utils.clear_missing_depth(utils.read_depth_image(options.depth))
        camera.height, camera.width = depth.shape
    else:
        meshes = {name: make_mesh(balls) for name, balls in TOYS.items()}
        depth = render(camera)

    device = utils.Device(options.device)
    extraction = tensor.DepthMapTensorExtractionParameters(tensor_count=100)
    extraction.set_tensors(tensor.recognition_parameters(0.0025))
    extraction.surface.projection.camera = camera
    library = tensor.TensorLibrary(extraction.tensors)
    learning = tensor.TensorModelLearning(extraction=extraction)
    for name, mesh in meshes.items():
        learning.clear()
        vertices, triangles = (utils.to_device(part, device) for part in mesh)
        learning.add_views(vertices, triangles, views=60, distance=1.0)
        library.add_model(learning.get_model(name))
    print(f"{len(library)} models, {library.tensor_count} tensors")

    extraction.tensor_count = 6000
    chain = tensor.DepthMapTensorExtraction(extraction)
    chain.compute(utils.to_device(depth, device), 0.001)
    surface = chain.surface
    recognition = tensor.TensorRecognition()
    recognition.set_library(library)
    recognition.compute(
        surface.cloud, surface.normals, chain.cloud_camera, chain.tensors
    )

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(13, 5), layout="tight")
    metres = np.where(depth > 0, depth / 1000, np.nan)
    near, far = np.nanpercentile(metres, [1, 97])
    for one, cmap in zip(axes, ("viridis", "gray_r")):
        one.imshow(metres, cmap=cmap, vmin=near, vmax=1.2 * far)
        one.set_axis_off()
    # The farthest objects first.
    for i, found in sorted(
        enumerate(recognition.objects), key=lambda one: -one[1].pose[2, 3]
    ):
        name, pose = library.names[found.model], found.pose
        print(
            f"{name} at {np.round(pose[:3, 3], 3)}, confidence {found.confidence:.2f}"
        )
        hue = plt.get_cmap("tab10")(i)
        draw(axes[1], meshes[name], pose, camera, hue)
        u, v = pose[:2, 3] / pose[2, 3] * [camera.fx, camera.fy] + [
            camera.cx,
            camera.cy,
        ]
        axes[1].annotate(
            f"{name}, {found.confidence:.2f}",
            (u, v),
            (100 if u > camera.cx else -170, 30),
            textcoords="offset points",
            arrowprops={"arrowstyle": "-", "color": hue, "linewidth": 1.5},
            bbox={"facecolor": "white", "edgecolor": hue, "boxstyle": "round"},
        )
    axes[0].set_title("depth map")
    axes[1].set_title("objects that were found, in their poses")
    figure.savefig(options.output, dpi=80, bbox_inches="tight")
    print(options.output)


if __name__ == "__main__":
    main()
