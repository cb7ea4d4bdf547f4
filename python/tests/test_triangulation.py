# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""From depth maps to meshes."""

import math
import pickle
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import on_host
from numpy.typing import NDArray

from pcl_gpu import triangulation, utils

CAMERA = utils.PinholeCamera(fx=100, fy=100, cx=79.5, cy=59.5)


def read_ply(path: Path) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Reads vertices with normals and curvature, and triangles."""
    header, body = path.read_bytes().split(b"end_header\n", 1)
    counts = [
        int(line.split()[2]) for line in header.split(b"\n") if b"element" in line
    ]
    vertices = np.frombuffer(body, "<f4", counts[0] * 7).reshape(-1, 7)
    face = np.dtype([("n", "u1"), ("vertices", "<i4", 3)])
    faces = np.frombuffer(body, face, counts[1], counts[0] * 28)
    return vertices, faces["vertices"]


def test_a_cloud_is_the_depth_along_its_rays(
    device: utils.Device, sphere_depth: NDArray[np.float32]
) -> None:
    project = triangulation.DepthMapProjection(camera=CAMERA)
    cloud = on_host(project.compute(utils.to_device(sphere_depth, device)))
    v, u = np.mgrid[0:120, 0:160]
    z = sphere_depth.astype(np.float64)
    truth = np.stack([z * (u - 79.5) / 100, z * (v - 59.5) / 100, z], axis=-1)
    np.testing.assert_allclose(cloud[..., :3], truth, rtol=1e-6, atol=1e-7)


def test_raw_depth_needs_its_unit(sphere_depth: NDArray[np.float32]) -> None:
    raw = np.nan_to_num(sphere_depth * 1000).astype(np.uint16)
    project = triangulation.DepthMapProjection(camera=CAMERA)
    with pytest.raises(ValueError, match="scale is None"):
        project.compute(raw)
    with pytest.raises(ValueError, match="scale is 0.001"):
        project.compute(sphere_depth, 0.001)
    cloud = project.compute(raw, 0.001)
    np.testing.assert_array_equal(np.isnan(cloud[..., 2]), raw == 0)
    np.testing.assert_allclose(cloud[60, 80, 2], raw[60, 80] / 1000, rtol=1e-6)


def test_a_filter_keeps_planes(device: utils.Device) -> None:
    depth = np.full((50, 60), 1.5, np.float32)
    smooth = on_host(
        triangulation.DepthBilateralFilter().compute(utils.to_device(depth, device))
    )
    np.testing.assert_allclose(smooth, depth, rtol=1e-6)


def test_normals_of_a_sphere_point_away_from_its_centre(
    device: utils.Device, sphere_depth: NDArray[np.float32]
) -> None:
    cloud = triangulation.DepthMapProjection(camera=CAMERA).compute(
        utils.to_device(sphere_depth, device)
    )
    normals = on_host(triangulation.NormalMapEstimation().compute(cloud))[..., :3]
    points = on_host(cloud)[..., :3].astype(np.float64)
    truth = (points - [0, 0, 2]) / 0.5
    cosines = (normals * truth).sum(axis=-1)
    inner = np.hypot(points[..., 0], points[..., 1]) < 0.35
    assert math.degrees(np.arccos(np.nanmedian(cosines[inner]))) < 1.0


def test_the_chain_makes_a_surface_of_a_sphere(
    device: utils.Device, sphere_depth: NDArray[np.float32]
) -> None:
    chain = triangulation.DepthMapTriangulation(
        projection=triangulation.DepthMapProjectionParameters(camera=CAMERA)
    )
    chain.compute(utils.to_device(sphere_depth, device))
    faces = on_host(chain.faces)
    points = on_host(chain.cloud).reshape(-1, 4)[:, :3]
    assert faces.shape[1] == 3
    a, b, c = (points[faces[:, i]].astype(np.float64) for i in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    # Up to 0.3 m from the axis, the cap is r - sqrt(r^2 - 0.3^2) = 0.1 m high.
    middle = (a + b + c) / 3
    inner = np.hypot(middle[:, 0], middle[:, 1]) < 0.3
    assert area[inner].sum() == pytest.approx(2 * np.pi * 0.5 * 0.1, rel=0.02)
    # Polygons face the viewer.
    assert ((np.cross(b - a, c - a) * a).sum(axis=1) < 0).all()
    assert chain.statistics.points == np.isfinite(points[:, 2]).sum()


def test_results_that_are_held_stay(sphere_depth: NDArray[np.float32]) -> None:
    chain = triangulation.DepthMapTriangulation(
        projection=triangulation.DepthMapProjectionParameters(camera=CAMERA)
    )
    chain.compute(sphere_depth)
    cloud = chain.cloud
    copy = cloud.copy()
    chain.compute(2 * sphere_depth)
    np.testing.assert_array_equal(cloud, copy)
    assert np.nanmin(chain.cloud[..., 2]) > 2.9


def test_nested_parameters_are_set_in_place_and_pickled() -> None:
    parameters = triangulation.DepthMapTriangulationParameters(filter_enabled=False)
    parameters.filter.sigma_r = 0.5
    parameters.mesh.cut = triangulation.Cut.QUAD
    other = pickle.loads(pickle.dumps(parameters))
    assert other == parameters
    assert other.filter.sigma_r == 0.5
    assert other.mesh.cut == triangulation.Cut.QUAD


def test_parameters_out_of_range_are_refused() -> None:
    with pytest.raises(utils.BadArgumentError, match="sigma_r|range"):
        triangulation.DepthBilateralFilter(sigma_r=-1)
    with pytest.raises(TypeError, match='has no "sigma"'):
        triangulation.DepthBilateralFilter(sigma=1)  # type: ignore[call-arg]


def test_results_equal_those_of_the_program(
    data_folder: Path, programs: Path, tmp_path: Path
) -> None:
    file = data_folder / "depth" / "tum_desk.depth_mm.png"
    mesh = tmp_path / "mesh.ply"
    subprocess.run(
        [
            programs / "pcl_gpu_triangulate",
            "--device=host",
            "--no-color",
            "--keep-flying-pixels",
            file,
            "-o",
            mesh,
        ],
        check=True,
        capture_output=True,
    )
    vertices, triangles = read_ply(mesh)

    depth = utils.read_depth_image(file)
    parameters = triangulation.DepthMapTriangulationParameters()
    parameters.projection.camera = utils.PinholeCamera(
        fx=525, fy=525, cx=319.5, cy=239.5
    )
    parameters.filter.sigma_r = 0.005
    parameters.filter.sigma_r_growth = 0.004
    parameters.normals.window_radius = 5
    parameters.mesh.max_edge_length_squared = 0.0035
    parameters.mesh.angle_tolerance = math.radians(1)
    parameters.mesh.dynamic_normal_angle = False
    parameters.mesh.max_normal_angle = math.pi
    chain = triangulation.DepthMapTriangulation(parameters)
    chain.compute(utils.clear_missing_depth(depth), 0.001)
    faces = chain.faces
    assert faces.shape == triangles.shape
    # The program leaves out points without triangles.
    points = chain.cloud.reshape(-1, 4)[:, :3]
    normals = chain.normals.reshape(-1, 4)
    np.testing.assert_array_equal(points[faces], vertices[triangles, :3])
    np.testing.assert_array_equal(normals[faces], vertices[triangles, 3:])
