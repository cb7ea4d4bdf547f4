#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Times the package beside its peers, from arrays to arrays. Prints a Markdown table.

Peers that are not installed are left out. On the host: Open3D, embreex, small_gicp,
KISS-Matcher. On a GPU: Warp, by PyTorch's tensors.
"""

import argparse
import lzma
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pcl_gpu import raycast, tensor, triangulation, utils

Floats = NDArray[np.float32]


def milliseconds(run: Callable[[], object], repeats: int) -> float:
    """Returns the median time of a call, after one that warms up."""
    run()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


def read_ply(path: str) -> tuple[Floats, NDArray[np.uint32]]:
    """Reads a mesh by a package that can."""
    import trimesh

    mesh = trimesh.load(path, process=False)
    return np.ascontiguousarray(mesh.vertices, np.float32), np.ascontiguousarray(
        mesh.faces, np.uint32
    )


def waves(vertices: Floats, frames: int) -> list[Floats]:
    """Returns the vertices of a mesh that waves."""
    size = np.ptp(vertices, axis=0).max()
    result = []
    for i in range(frames):
        moved = vertices.copy()
        phase = 2 * np.pi * (vertices[:, 1] / size + i / frames)
        moved[:, 0] += 0.03 * size * np.sin(phase)
        result.append(moved)
    return result


def rays_at(vertices: Floats, side: int) -> Floats:
    """Returns the rays of a camera of side x side pixels before a mesh."""
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    middle, size = (low + high) / 2, (high - low).max()
    v, u = np.mgrid[0:side, 0:side].astype(np.float32)
    rays = np.empty((side * side, 6), np.float32)
    rays[:, :3] = middle + [0, 0, 1.5 * size]
    directions = np.stack(
        [0.9 * (u / side - 0.5), 0.9 * (0.5 - v / side), -np.ones_like(u)], axis=-1
    )
    rays[:, 3:] = directions.reshape(-1, 3)
    rays[:, 3:] /= np.linalg.norm(rays[:, 3:], axis=1, keepdims=True)
    return rays


def cast_by_us(frames: list[Any], faces: Any, rays: Any) -> Callable[[], object]:
    scene = raycast.RaycastingScene()
    mesh = scene.add_triangles(frames[0], faces)
    number = iter(range(1 << 30))

    def run() -> object:
        scene.update_vertices(mesh, frames[next(number) % len(frames)])
        hits = scene.cast_rays(rays)
        utils.synchronize()
        return hits

    return run


def cast_by_open3d(frames: list[Floats], faces: Any, rays: Any) -> Callable[[], object]:
    import open3d as o3d

    tensor = o3d.core.Tensor
    number = iter(range(1 << 30))

    def run() -> object:
        scene = o3d.t.geometry.RaycastingScene()
        vertices = frames[next(number) % len(frames)]
        scene.add_triangles(tensor(vertices), tensor(faces))
        return scene.cast_rays(tensor(rays))

    return run


def cast_by_embreex(
    frames: list[Floats], faces: Any, rays: Any
) -> Callable[[], object]:
    from embreex import rtcore_scene
    from embreex.mesh_construction import TriangleMesh

    number = iter(range(1 << 30))
    origins = np.ascontiguousarray(rays[:, :3])
    directions = np.ascontiguousarray(rays[:, 3:])

    def run() -> object:
        scene = rtcore_scene.EmbreeScene()
        TriangleMesh(scene, frames[next(number) % len(frames)], faces.astype(np.int32))
        return scene.run(origins, directions, output=1)

    return run


def cast_by_warp(frames: list[Any], faces: Any, rays: Any) -> Callable[[], object]:
    import torch
    import warp as wp

    wp.init()

    @wp.kernel
    def cast(
        mesh: wp.uint64,
        rays: wp.array2d(dtype=float),  # type: ignore[valid-type]
        distances: wp.array(dtype=float),  # type: ignore[valid-type]
        triangles: wp.array(dtype=int),  # type: ignore[valid-type]
        barycentric: wp.array2d(dtype=float),  # type: ignore[valid-type]
    ) -> None:
        i = wp.tid()
        origin = wp.vec3(rays[i, 0], rays[i, 1], rays[i, 2])
        direction = wp.vec3(rays[i, 3], rays[i, 4], rays[i, 5])
        hit = wp.mesh_query_ray(mesh, origin, direction, 1.0e9)
        distances[i] = wp.where(hit.result, hit.t, wp.inf)
        triangles[i] = wp.where(hit.result, hit.face, -1)
        barycentric[i, 0] = hit.u
        barycentric[i, 1] = hit.v

    points = wp.array(frames[0].cpu().numpy(), dtype=wp.vec3, device="cuda")
    indices = wp.array(faces.cpu().numpy().ravel(), dtype=wp.int32, device="cuda")
    number = iter(range(1 << 30))
    ray_array = wp.from_torch(rays)
    count = rays.shape[0]
    distances = torch.empty(count, device="cuda")
    triangles = torch.empty(count, dtype=torch.int32, device="cuda")
    barycentric = torch.empty((count, 2), device="cuda")
    out = [wp.from_torch(a) for a in (distances, triangles, barycentric)]

    def run() -> object:
        wp.copy(points, wp.from_torch(frames[next(number) % len(frames)], wp.vec3))
        # A mesh that deforms far is built anew, as ours is.
        mesh = wp.Mesh(points, indices, bvh_constructor="lbvh")
        wp.launch(cast, count, inputs=[mesh.id, ray_array], outputs=out)
        torch.cuda.synchronize()
        return mesh

    return run


def casting(options: argparse.Namespace) -> Iterator[tuple[str, str, float]]:
    vertices, faces = read_ply(options.mesh)
    rays: Any = rays_at(vertices, options.side)
    frames: list[Any] = waves(vertices, 8)
    task = f"{len(rays)} rays at {len(faces)} triangles that move"
    if options.device == "host":
        peers = [
            ("pcl_gpu", cast_by_us),
            ("Open3D", cast_by_open3d),
            ("embreex", cast_by_embreex),
        ]
        arrays: Any = faces
    else:
        import torch

        frames = [torch.from_numpy(frame).cuda() for frame in frames]
        rays = torch.from_numpy(rays).cuda()
        arrays = torch.from_numpy(faces.astype(np.int32)).cuda()
        peers = [("pcl_gpu", cast_by_us), ("Warp", cast_by_warp)]
    for name, make in peers:
        try:
            indices = arrays
            if name == "pcl_gpu" and options.device != "host":
                indices = arrays.view(torch.uint32)
            run = make(frames, indices, rays)
        except ImportError as error:
            print(f"{name}: {error}")
            continue
        yield task, name, milliseconds(run, options.repeats)


def depth_to_mesh(options: argparse.Namespace) -> Iterator[tuple[str, str, float]]:
    depth = utils.read_depth_image(options.depth)
    camera = utils.PinholeCamera(fx=525, fy=525, cx=319.5, cy=239.5)
    chain = triangulation.DepthMapTriangulation(
        projection=triangulation.DepthMapProjectionParameters(camera=camera)
    )
    there = utils.to_device(depth, utils.Device(options.device))
    task = "640 x 480 depth map to filtered cloud, normals, mesh"

    def run() -> object:
        chain.compute(there, 0.001)
        utils.synchronize()
        return chain.faces

    yield task, "pcl_gpu", milliseconds(run, options.repeats)
    if options.device != "host":
        return
    try:
        import open3d as o3d
    except ImportError as error:
        print(f"Open3D: {error}")
        return
    intrinsic = o3d.core.Tensor(
        [[525.0, 0.0, 319.5], [0.0, 525.0, 239.5], [0.0, 0.0, 1.0]]
    )
    image = o3d.t.geometry.Image(o3d.core.Tensor(depth))

    def run_open3d() -> object:
        # Its tensors have filter, cloud and normals of a depth image, but no mesh.
        metres = image.clip_transform(1000.0, 0.1, 10.0, np.nan)
        smooth = metres.filter_bilateral(7, 0.03, 4.5)
        cloud = smooth.create_vertex_map(intrinsic, np.nan)
        return cloud.create_normal_map(np.nan)

    yield task + " (Open3D: without the mesh)", "Open3D", milliseconds(
        run_open3d, options.repeats
    )


def pose_of(row: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the matrix of a translation and a quaternion (x, y, z, w)."""
    x, y, z, w = row[3:7] / np.linalg.norm(row[3:7])
    pose = np.eye(4)
    pose[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    pose[:3, 3] = row[:3]
    return pose


def registration(options: argparse.Namespace) -> Iterator[tuple[str, str, float]]:
    """Pairs of views some apart; a pose is right if all points are within 6 mm."""
    folder = Path(options.views)
    truth = [pose_of(row[1:]) for row in np.loadtxt(folder / "Q.txt")]
    count = len(truth)
    points = []
    for i in range(count):
        with lzma.open(folder / f"cloudXYZ_{i}.xyz.xz", "rt") as file:
            points.append(np.loadtxt(file, np.float32, usecols=(0, 1, 2)))
    pairs = [(i, (i + options.apart) % count) for i in range(count)]

    def rate(poses: list[Any]) -> str:
        right = 0
        for (source, target), pose in zip(pairs, poses):
            if pose is None:
                continue
            true = np.linalg.inv(truth[target]) @ truth[source]
            cloud = points[source]
            apart = cloud @ (pose[:3, :3] - true[:3, :3]).T + pose[:3, 3] - true[:3, 3]
            right += float(np.linalg.norm(apart, axis=1).max()) < 0.006
        none = sum(pose is None for pose in poses)
        false = count - right - none
        return f"{count} pairs of views, {options.apart} apart: {right} right, {false} false"

    start = time.perf_counter()
    ours = tensor.TensorViewRegistration()
    with utils.Device(options.device):
        for cloud in points:
            ours.add_view(utils.to_points(cloud))
        found = [ours.align(source, target) for source, target in pairs]
    took = 1000 * (time.perf_counter() - start) / count
    yield rate([one.pose if one else None for one in found]), "pcl_gpu", took
    if options.device != "host":
        return
    sys.path.append(str(Path(__file__).parents[1] / "field"))
    import registration_peers

    # KISS-Matcher refuses voxels of a few millimetres: its bunny is ten times as large.
    scale, voxel = 10.0, 0.03
    try:
        kiss = registration_peers.KissMatcher(voxel)
        peers = [
            ("KISS-Matcher", kiss),
            (
                "KISS-Matcher, small_gicp",
                registration_peers.SmallGicp(
                    voxel, registration_peers.KissMatcher(voxel)
                ),
            ),
        ]
    except ImportError as error:
        print(f"registration: {error}")
        return
    for name, peer in peers:
        start = time.perf_counter()
        prepared = [peer.prepare(scale * cloud.astype(np.float64)) for cloud in points]
        poses = [peer.align(prepared[i], prepared[j]) for i, j in pairs]
        for pose in poses:
            if pose is not None:
                pose[:3, 3] /= scale
        took = 1000 * (time.perf_counter() - start) / count
        yield rate(poses), name, took


def main() -> None:
    folder = os.environ.get("PCL_GPU_TEST_DATA", "../shared/data")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="host", help="host or cuda")
    parser.add_argument("--mesh", default=f"{folder}/meshes/dragon_vrip.ply")
    parser.add_argument("--depth", default=f"{folder}/depth/tum_desk.depth_mm.png")
    parser.add_argument("--views", default=f"{folder}/field/bunny_views")
    parser.add_argument("--apart", type=int, default=2, help="views of a pair")
    parser.add_argument("--side", type=int, default=1000, help="pixels of the rays")
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()
    print("| task | package | ms | of the first |")
    print("|---|---|---|---|")
    for task in (casting, depth_to_mesh, registration):
        first = 0.0
        for name, package, time_ms in task(options):
            first = first or time_ms
            print(f"| {name} | {package} | {time_ms:.2f} | {time_ms / first:.2f} |")


if __name__ == "__main__":
    main()
