# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Rays at meshes, and pictures of them."""

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pcl_gpu import raycast, utils

CUBE = np.array(
    [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32
)
CUBE_TRIANGLES = np.array(
    [
        [0, 1, 3],
        [0, 3, 2],
        [4, 6, 7],
        [4, 7, 5],
        [0, 4, 5],
        [0, 5, 1],
        [2, 3, 7],
        [2, 7, 6],
        [0, 2, 6],
        [0, 6, 4],
        [1, 5, 7],
        [1, 7, 3],
    ],
    np.uint32,
)


def on_host(array: Any) -> NDArray[Any]:
    result: NDArray[Any] = array if isinstance(array, np.ndarray) else array.numpy()
    return result


def random_scene() -> (
    tuple[NDArray[np.float32], NDArray[np.uint32], NDArray[np.float32]]
):
    random = np.random.default_rng(3)
    vertices = random.uniform(-1, 1, (60, 3)).astype(np.float32)
    triangles = random.permutation(60).reshape(20, 3).astype(np.uint32)
    rays = np.concatenate(
        [random.uniform(-2, 2, (500, 3)), random.normal(size=(500, 3))], axis=1
    ).astype(np.float32)
    return vertices, triangles, rays


def intersections(
    vertices: NDArray[np.float32],
    triangles: NDArray[np.uint32],
    rays: NDArray[np.float32],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Returns t, u and v of each ray and triangle, in double precision: t is infinite
    for a miss. Moeller and Trumbore 1997."""
    a, b, c = (vertices[triangles[:, i]].astype(np.float64) for i in range(3))
    origin, direction = (rays[:, None, i : i + 3].astype(np.float64) for i in (0, 3))
    p = np.cross(direction, c - a)
    determinant = ((b - a) * p).sum(-1)
    s = origin - a
    u = (s * p).sum(-1) / determinant
    q = np.cross(s, b - a)
    v = (direction * q).sum(-1) / determinant
    t = ((c - a) * q).sum(-1) / determinant
    hit = (u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0)
    return np.where(hit, t, np.inf), u, v


def test_first_hits_equal_those_in_double_precision(device: utils.Device) -> None:
    vertices, triangles, rays = random_scene()
    scene = raycast.RaycastingScene()
    scene.add_triangles(
        utils.to_device(vertices, device), utils.to_device(triangles, device)
    )
    hits = {
        name: on_host(array)
        for name, array in scene.cast_rays(utils.to_device(rays, device)).items()
    }
    t, u, v = intersections(vertices, triangles, rays)
    nearest = t.argmin(axis=1)
    rows = np.arange(len(rays))
    hit = np.isfinite(t.min(axis=1))
    np.testing.assert_allclose(hits["t_hit"], t.min(axis=1), rtol=1e-4)
    np.testing.assert_array_equal(hits["primitive_ids"][hit], nearest[hit])
    invalid = raycast.RaycastingScene.INVALID_ID
    assert (hits["primitive_ids"][~hit] == invalid).all()
    np.testing.assert_array_equal(hits["geometry_ids"], np.where(hit, 0, invalid))
    truth = np.stack([u[rows, nearest], v[rows, nearest]], axis=-1)
    np.testing.assert_allclose(hits["primitive_uvs"][hit], truth[hit], atol=1e-4)
    a, b, c = (vertices[triangles[nearest, i]].astype(np.float64) for i in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    np.testing.assert_allclose(hits["primitive_normals"][hit], normals[hit], atol=1e-4)
    assert (hits["primitive_normals"][~hit] == 0).all()


def test_all_hits_are_counted_and_occlusions_bounded(device: utils.Device) -> None:
    vertices, triangles, rays = random_scene()
    scene = raycast.RaycastingScene()
    scene.add_triangles(
        utils.to_device(vertices, device), utils.to_device(triangles, device)
    )
    there = utils.to_device(rays, device)
    t, _, _ = intersections(vertices, triangles, rays)
    counts = on_host(scene.count_intersections(there))
    np.testing.assert_array_equal(counts, np.isfinite(t).sum(axis=1))
    occluded = on_host(scene.test_occlusions(there, tnear=0.3, tfar=0.9))
    assert occluded.dtype == np.bool_
    np.testing.assert_array_equal(occluded, ((t > 0.3) & (t <= 0.9)).any(axis=1))


def test_several_geometries_have_numbers_and_move(device: utils.Device) -> None:
    scene = raycast.RaycastingScene()
    triangles = utils.to_device(CUBE_TRIANGLES, device)
    first = scene.add_triangles(utils.to_device(CUBE, device), triangles)
    far = CUBE + np.array([0, 0, 10], np.float32)
    second = scene.add_triangles(utils.to_device(far, device), triangles)
    assert (first, second) == (0, 1)
    rays = np.zeros((2, 3, 6), np.float32)
    rays[..., 2] = -5
    rays[..., 5] = 1
    rays[1, :, 0] = 0.5
    hits = scene.cast_rays(utils.to_device(rays, device))
    assert on_host(hits["t_hit"]).shape == (2, 3)
    np.testing.assert_array_equal(on_host(hits["t_hit"]), 4)
    np.testing.assert_array_equal(on_host(hits["geometry_ids"]), 0)
    aside = CUBE + np.array([5, 0, 0], np.float32)
    scene.update_vertices(first, utils.to_device(aside, device))
    hits = scene.cast_rays(utils.to_device(rays, device))
    np.testing.assert_array_equal(on_host(hits["t_hit"]), 14)
    np.testing.assert_array_equal(on_host(hits["geometry_ids"]), 1)


def test_results_that_are_held_stay() -> None:
    scene = raycast.RaycastingScene()
    cube = scene.add_triangles(CUBE, CUBE_TRIANGLES)
    rays = np.array([[0, 0, -5, 0, 0, 1]], np.float32)
    held = scene.cast_rays(rays)["t_hit"]
    scene.update_vertices(cube, CUBE + np.array([0, 0, 1], np.float32))
    assert scene.cast_rays(rays)["t_hit"] == [5]
    assert held == [4]


def test_vertices_of_four_numbers_are_shared() -> None:
    vertices = utils.to_points(CUBE)
    mesh = raycast.TriangleMesh(vertices, CUBE_TRIANGLES)
    address = vertices.__array_interface__["data"]
    assert mesh.vertices.__array_interface__["data"][0] == address[0]
    scene = raycast.RaycastingScene()
    cube = scene.add_triangles(vertices, CUBE_TRIANGLES)
    rays = np.array([[0, 0, -5, 0, 0, 1]], np.float32)
    assert scene.cast_rays(rays)["t_hit"] == [4]
    vertices[:, 2] += 1
    scene.update_vertices(cube, vertices)
    del vertices  # the scene keeps it
    assert scene.cast_rays(rays)["t_hit"] == [5]


@pytest.mark.parametrize(
    ("rays", "error", "words"),
    [
        (np.zeros((4, 6)), TypeError, "rays: got float64 of shape (4, 6)"),
        (np.zeros((4, 5), np.float32), ValueError, "rays: got float32 of shape (4, 5)"),
        (np.zeros((8, 6), np.float32)[::2], ValueError, "do not lie together"),
    ],
)
def test_other_rays_are_refused(rays: Any, error: Any, words: str) -> None:
    scene = raycast.RaycastingScene()
    scene.add_triangles(CUBE, CUBE_TRIANGLES)
    with pytest.raises(error) as caught:
        scene.cast_rays(rays)
    assert words in str(caught.value)


def test_distances_are_refused_clearly() -> None:
    with pytest.raises(NotImplementedError, match="rays, not distances"):
        raycast.RaycastingScene().compute_distance(CUBE)


def test_hits_equal_those_of_open3d() -> None:
    o3d = pytest.importorskip("open3d")
    vertices, triangles, rays = random_scene()
    theirs = o3d.t.geometry.RaycastingScene()
    theirs.add_triangles(o3d.core.Tensor(vertices), o3d.core.Tensor(triangles))
    truth = theirs.cast_rays(o3d.core.Tensor(rays))
    ours = raycast.RaycastingScene()
    ours.add_triangles(vertices, triangles)
    hits = ours.cast_rays(rays)
    for name in ("t_hit", "primitive_uvs", "primitive_normals"):
        np.testing.assert_allclose(
            hits[name], truth[name].numpy(), rtol=1e-4, atol=1e-4, err_msg=name
        )
    for name in ("geometry_ids", "primitive_ids"):
        np.testing.assert_array_equal(hits[name], truth[name].numpy(), err_msg=name)


def cube_view(device: utils.Device) -> tuple[raycast.MeshScene, raycast.CameraView]:
    scene = raycast.MeshScene()
    mesh = raycast.TriangleMesh(
        utils.to_device(utils.to_points(CUBE), device),
        utils.to_device(CUBE_TRIANGLES, device),
    )
    pose = np.eye(4)
    pose[2, 3] = 5
    scene.add_instance(scene.add_mesh(mesh), pose)
    camera = utils.PinholeCamera(fx=50, fy=50, cx=31.5, cy=23.5, width=64, height=48)
    return scene, raycast.CameraView(camera)


def test_a_camera_sees_the_front_of_a_cube(device: utils.Device) -> None:
    scene, view = cube_view(device)
    caster = raycast.MeshRayCaster(
        outputs=raycast.DEPTH_OUTPUT | raycast.NORMALS_OUTPUT
    )
    caster.set_scene(scene)
    images = caster.cast(view)
    depth = on_host(images.depth)
    v, u = np.mgrid[0:48, 0:64]
    # Rays through edges hit.
    inside = (np.abs(u - 31.5) / 50 * 4 <= 1) & (np.abs(v - 23.5) / 50 * 4 <= 1)
    np.testing.assert_array_equal(np.isfinite(depth), inside)
    np.testing.assert_allclose(depth[inside], 4, rtol=1e-6)
    # Those of edges are of one of their sides.
    middle = on_host(images.normals)[15:30, 25:40, :3]
    np.testing.assert_allclose(
        middle,
        np.broadcast_to(np.array([0, 0, -1], np.float32), middle.shape),
        atol=1e-6,
    )
    assert images.points is None


def test_queries_equal_the_caster(device: utils.Device) -> None:
    scene, view = cube_view(device)
    query = raycast.MeshRayQuery()
    query.set_scene(scene)
    query.build()
    v, u = np.mgrid[0:48, 0:64].astype(np.float32)
    directions = np.stack([(u - 31.5) / 50, (v - 23.5) / 50, np.ones_like(u)], axis=-1)
    rows = np.concatenate([np.zeros_like(directions), directions], axis=-1)
    hits = query.cast_rays(
        raycast.make_rays(utils.to_device(rows.reshape(-1, 6), device))
    )
    caster = raycast.MeshRayCaster()
    caster.set_scene(scene)
    depth = on_host(caster.cast(view).depth).ravel()
    distances = on_host(hits.distances)
    np.testing.assert_array_equal(np.isinf(distances), np.isnan(depth))
    hit = np.isfinite(depth)
    np.testing.assert_allclose(distances[hit], depth[hit], rtol=1e-5)


def test_a_dull_white_surface_has_the_cosine_of_its_light(device: utils.Device) -> None:
    scene, view = cube_view(device)
    renderer = raycast.MeshRenderer(
        lights=[raycast.Light.directional([0, 1, 1])],
        ambient=raycast.LightGradient([0, 0, 0]),
        shadows=raycast.Shadows.NONE,
    )
    renderer.set_scene(scene)
    picture = on_host(renderer.render_linear(view))
    assert picture.shape == (48, 64, 4)
    np.testing.assert_allclose(picture[24, 32, :3], np.sqrt(0.5), rtol=1e-3)
    assert picture[0, 0, 3] == 0


def test_parameters_with_lights_are_pickled() -> None:
    parameters = raycast.MeshRendererParameters(
        lights=[raycast.Light.point([1, 2, 3])],
        instance_materials={2: raycast.Material(reflectivity=0.5)},
    )
    other = pickle.loads(pickle.dumps(parameters))
    assert other == parameters
    np.testing.assert_array_equal(other.lights[0].position, [1, 2, 3])
    assert other.instance_materials[2].reflectivity == 0.5


def test_a_tesselated_sphere_is_round() -> None:
    vertices, triangles = raycast.make_tesselated_sphere(2)
    assert triangles.shape == (320, 3)
    np.testing.assert_allclose(np.linalg.norm(vertices[:, :3], axis=1), 1, rtol=1e-6)


def test_a_deformed_mesh_returns_to_rest(device: utils.Device) -> None:
    vertices, triangles = raycast.make_tesselated_sphere(2)
    rest = raycast.TriangleMesh(
        utils.to_device(vertices, device), utils.to_device(triangles, device)
    )
    deform = raycast.MeshDeformation(kind=raycast.Deformation.TWIST)
    half = on_host(deform.compute(rest, 0.25).vertices)
    whole = on_host(deform.compute(rest, 1.0).vertices)
    assert np.abs(half - vertices)[:, :3].max() > 0.1
    np.testing.assert_allclose(whole, vertices, atol=1e-6)
