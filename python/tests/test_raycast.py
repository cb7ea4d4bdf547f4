# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Rays at meshes, and pictures of them."""

import gc
import pickle
import subprocess
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import on_host
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


def scene_on(
    device: utils.Device, vertices: NDArray[np.float32], triangles: NDArray[np.uint32]
) -> raycast.RaycastingScene:
    scene = raycast.RaycastingScene()
    scene.add_triangles(
        utils.to_device(vertices, device), utils.to_device(triangles, device)
    )
    return scene


def test_first_hits_equal_those_in_double_precision(device: utils.Device) -> None:
    vertices, triangles, rays = random_scene()
    scene = scene_on(device, vertices, triangles)
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
    scene = scene_on(device, vertices, triangles)
    there = utils.to_device(rays, device)
    t, _, _ = intersections(vertices, triangles, rays)
    counts = on_host(scene.count_intersections(there))
    np.testing.assert_array_equal(counts, np.isfinite(t).sum(axis=1))
    occluded = on_host(scene.test_occlusions(there, tnear=0.3, tfar=0.9))
    assert occluded.dtype == np.bool_
    np.testing.assert_array_equal(occluded, ((t > 0.3) & (t <= 0.9)).any(axis=1))


def test_all_hits_are_listed_near_ones_first(device: utils.Device) -> None:
    vertices, triangles, rays = random_scene()
    scene = scene_on(device, vertices, triangles)
    hits = {
        name: on_host(array)
        for name, array in scene.list_intersections(
            utils.to_device(rays, device)
        ).items()
    }
    t, u, v = intersections(vertices, triangles, rays)
    counts = np.isfinite(t).sum(axis=1)
    numbers = np.repeat(np.arange(len(rays)), counts)
    order = np.argsort(t, axis=1)
    nearest = np.concatenate([row[:count] for row, count in zip(order, counts)])
    splits = np.concatenate([[0], np.cumsum(counts)])
    np.testing.assert_array_equal(hits["ray_splits"], splits)
    np.testing.assert_array_equal(hits["ray_ids"], numbers)
    np.testing.assert_array_equal(hits["primitive_ids"], nearest)
    assert (hits["geometry_ids"] == 0).all()
    np.testing.assert_allclose(hits["t_hit"], t[numbers, nearest], rtol=1e-4)
    truth = np.stack([u[numbers, nearest], v[numbers, nearest]], axis=-1)
    np.testing.assert_allclose(hits["primitive_uvs"], truth, atol=1e-4)


def test_lists_of_a_query_are_those_of_a_scene(device: utils.Device) -> None:
    vertices, triangles, rays = random_scene()
    scene = raycast.RaycastingScene()
    scene.add_triangles(vertices, triangles)
    expected = scene.list_intersections(rays)
    query = raycast.MeshRayQuery()
    query.set_input_mesh(
        raycast.TriangleMesh(
            utils.to_device(utils.to_points(vertices), device),
            utils.to_device(triangles.astype(np.int32), device),
        )
    )
    query.build()
    starts, numbers, hits = query.list_hits(
        raycast.make_rays(utils.to_device(rays, device))
    )
    np.testing.assert_array_equal(on_host(starts), expected["ray_splits"])
    np.testing.assert_array_equal(on_host(numbers), expected["ray_ids"])
    np.testing.assert_array_equal(on_host(hits.distances), expected["t_hit"])
    np.testing.assert_array_equal(on_host(hits.triangles), expected["primitive_ids"])


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


@pytest.mark.parametrize(
    ("vertices", "triangles", "error", "words"),
    [
        (CUBE.astype(float), CUBE_TRIANGLES, TypeError, "vertex_positions: got float6"),
        (CUBE[:, :2], CUBE_TRIANGLES, ValueError, "vertex_positions: got float32"),
        (CUBE, CUBE_TRIANGLES.astype(int), TypeError, "triangle_indices: got int64"),
        (CUBE, CUBE_TRIANGLES.ravel(), ValueError, "triangle_indices: got uint32"),
    ],
)
def test_other_meshes_are_refused(
    vertices: Any, triangles: Any, error: Any, words: str
) -> None:
    with pytest.raises(error) as caught:
        raycast.RaycastingScene().add_triangles(vertices, triangles)
    assert words in str(caught.value)


def test_a_geometry_that_is_not_there_does_not_move() -> None:
    scene = raycast.RaycastingScene()
    scene.add_triangles(CUBE, CUBE_TRIANGLES)
    with pytest.raises(ValueError, match="geometry_id is 1: expected less than 1"):
        scene.update_vertices(1, CUBE)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("compute_distance", "no distances to surfaces"),
        ("compute_signed_distance", "no distances to surfaces"),
        ("compute_closest_points", "no distances to surfaces"),
        ("compute_occupancy", "no distances to surfaces"),
    ],
)
def test_methods_that_are_missing_say_so(name: str, reason: str) -> None:
    with pytest.raises(NotImplementedError, match=reason):
        getattr(raycast.RaycastingScene(), name)(CUBE)


def test_an_update_does_not_write_to_shared_vertices() -> None:
    vertices = utils.to_points(CUBE)
    scene = raycast.RaycastingScene()
    cube = scene.add_triangles(vertices, CUBE_TRIANGLES)
    before = vertices.copy()
    for distance in (1, 2):
        moved = CUBE + np.array([0, 0, distance], np.float32)
        scene.update_vertices(cube, moved)
        rays = np.array([[0, 0, -5, 0, 0, 1]], np.float32)
        assert scene.cast_rays(rays)["t_hit"] == [4 + distance]
        np.testing.assert_array_equal(vertices, before)


def test_the_scene_takes_a_mesh() -> None:
    mesh = raycast.TriangleMesh(utils.to_points(CUBE), CUBE_TRIANGLES)
    scene = raycast.RaycastingScene(nthreads=0)
    cube = scene.add_triangles(mesh=mesh)
    del mesh
    gc.collect()
    rays = np.array([[0, 0, -5, 0, 0, 1]], np.float32)
    assert scene.cast_rays(rays, nthreads=1)["t_hit"] == [4]
    scene.update_vertices(cube, CUBE + np.array([0, 0, 1], np.float32))
    assert scene.cast_rays(rays)["t_hit"] == [5]


def test_nothing_is_hit_in_an_empty_scene() -> None:
    hits = raycast.RaycastingScene().cast_rays(np.ones((2, 3, 6), np.float32))
    assert hits["t_hit"].shape == (2, 3)
    assert np.isinf(hits["t_hit"]).all()


def test_threads_share_a_scene(device: utils.Device) -> None:
    vertices, triangles, rays = random_scene()
    scene = scene_on(device, vertices, triangles)
    parts = [
        np.tile(rays, (count, 1)) for count in (1, 2, 5, 9)
    ]  # of many sizes, so that memory is taken anew
    truth = [
        on_host(scene.cast_rays(utils.to_device(part, device))["t_hit"])
        for part in parts
    ]
    wrong: list[str] = []

    def cast(number: int) -> None:
        try:
            with device:
                for i in range(40):
                    k = (number + i) % len(parts)
                    found = scene.cast_rays(utils.to_device(parts[k], device))
                    if not np.array_equal(on_host(found["t_hit"]), truth[k]):
                        wrong.append(f"thread {number}, call {i}")
        except Exception as error:
            wrong.append(str(error))

    threads = [threading.Thread(target=cast, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_rays_of_a_camera_are_those_of_its_pixels() -> None:
    intrinsics = np.array([[50, 0, 32], [0, 60, 24], [0, 0, 1]])
    extrinsics = np.eye(4)
    extrinsics[:3, :3] = [[0, 0, -1], [0, 1, 0], [1, 0, 0]]
    extrinsics[:3, 3] = [1, 2, 3]
    rays = raycast.RaycastingScene.create_rays_pinhole(intrinsics, extrinsics, 64, 48)
    assert rays.shape == (48, 64, 6)
    assert rays.dtype == np.float32
    for x, y in ((0, 0), (63, 0), (10, 47)):
        origin, direction = rays[y, x, :3], rays[y, x, 3:]
        seen = extrinsics[:3, :3] @ (origin + 2.5 * direction) + extrinsics[:3, 3]
        np.testing.assert_allclose(seen[2], 2.5, rtol=1e-6)
        pixel = intrinsics @ seen / seen[2]
        np.testing.assert_allclose(pixel[:2], [x + 0.5, y + 0.5], rtol=1e-5)
    with pytest.raises(ValueError, match="no camera"):
        raycast.RaycastingScene.create_rays_pinhole(
            fov_deg=60,
            center=[0, 0, 0],
            eye=[0, 1, 0],
            up=[0, 1, 0],
            width_px=8,
            height_px=8,
        )
    with pytest.raises(ValueError, match="width_px"):
        raycast.RaycastingScene.create_rays_pinhole(intrinsics, extrinsics, 0, 48)


def test_hits_equal_those_of_open3d() -> None:
    o3d = pytest.importorskip("open3d")
    vertices, triangles, rays = random_scene()
    theirs = o3d.t.geometry.RaycastingScene()
    theirs.add_triangles(o3d.core.Tensor(vertices), o3d.core.Tensor(triangles))
    tensor = o3d.core.Tensor(rays)
    truth = theirs.cast_rays(tensor)
    ours = raycast.RaycastingScene()
    ours.add_triangles(vertices, triangles)
    hits = ours.cast_rays(rays)
    assert set(hits) == set(truth)
    for name, array in truth.items():
        assert hits[name].dtype == array.numpy().dtype
        assert hits[name].shape == array.numpy().shape
    for name in ("t_hit", "primitive_uvs", "primitive_normals"):
        np.testing.assert_allclose(
            hits[name], truth[name].numpy(), rtol=1e-4, atol=1e-4, err_msg=name
        )
    for name in ("geometry_ids", "primitive_ids"):
        np.testing.assert_array_equal(hits[name], truth[name].numpy(), err_msg=name)
    counts = theirs.count_intersections(tensor).numpy()
    np.testing.assert_array_equal(ours.count_intersections(rays), counts)
    assert ours.count_intersections(rays).dtype == counts.dtype
    theirs_listed = theirs.list_intersections(tensor)
    listed = ours.list_intersections(rays)
    assert set(listed) == set(theirs_listed)
    for name, array in theirs_listed.items():
        assert listed[name].dtype == array.numpy().dtype
        assert listed[name].shape == array.numpy().shape
    np.testing.assert_array_equal(
        listed["ray_splits"], theirs_listed["ray_splits"].numpy()
    )
    # Open3D's hits of a ray are in no order.
    order = np.lexsort(
        (theirs_listed["t_hit"].numpy(), theirs_listed["ray_ids"].numpy())
    )
    for name in ("ray_ids", "geometry_ids", "primitive_ids"):
        np.testing.assert_array_equal(listed[name], theirs_listed[name].numpy()[order])
    np.testing.assert_allclose(
        listed["t_hit"], theirs_listed["t_hit"].numpy()[order], rtol=1e-4
    )
    np.testing.assert_array_equal(
        ours.test_occlusions(rays, tnear=0.3, tfar=0.9),
        theirs.test_occlusions(tensor, tnear=0.3, tfar=0.9).numpy(),
    )


def test_rays_of_cameras_equal_those_of_open3d() -> None:
    o3d = pytest.importorskip("open3d")
    theirs, ours = o3d.t.geometry.RaycastingScene, raycast.RaycastingScene
    look: dict[str, Any] = {
        "fov_deg": 60,
        "center": [0, 0, 1],
        "eye": [1, 2, 3],
        "up": [0, 1, 0],
        "width_px": 40,
        "height_px": 30,
    }
    np.testing.assert_allclose(
        ours.create_rays_pinhole(**look),
        theirs.create_rays_pinhole(**look).numpy(),
        atol=1e-6,
    )
    intrinsics = np.array([[50, 0, 32], [0, 60, 24], [0, 0, 1]])
    extrinsics = np.linalg.inv(utils.look_at([1, 2, 3], [0, 0, 1])).astype(np.float64)
    np.testing.assert_allclose(
        ours.create_rays_pinhole(intrinsics, extrinsics, 40, 30),
        theirs.create_rays_pinhole(
            o3d.core.Tensor(intrinsics), o3d.core.Tensor(extrinsics), 40, 30
        ).numpy(),
        atol=1e-6,
    )


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


def test_arrays_of_a_mesh_outlive_it() -> None:
    vertices = utils.to_points(CUBE)
    colors = np.full((8, 4), 7, np.uint8)
    count = np.array([5], np.int32)
    mesh = raycast.TriangleMesh(
        vertices, CUBE_TRIANGLES.copy(), colors=colors, triangle_count=count
    )
    copy = vertices.copy()
    held, held_triangles = mesh.vertices, mesh.triangles
    assert mesh.normals is None
    assert mesh.texture_coordinates is None
    np.testing.assert_array_equal(mesh.colors, colors)
    np.testing.assert_array_equal(mesh.triangle_count, count)
    del mesh, vertices
    gc.collect()
    np.zeros((8, 4), np.float32)  # would take the memory if it were free
    np.testing.assert_array_equal(held, copy)
    np.testing.assert_array_equal(held_triangles, CUBE_TRIANGLES)


def test_only_triangles_that_exist_are_hit(device: utils.Device) -> None:
    count = np.array([4], np.int32)  # both sides across x
    mesh = raycast.TriangleMesh(
        utils.to_device(utils.to_points(CUBE), device),
        utils.to_device(CUBE_TRIANGLES, device),
        triangle_count=utils.to_device(count, device),
    )
    query = raycast.MeshRayQuery()
    query.set_input_mesh(mesh)
    del mesh
    query.build()
    rows = np.array([[-5, 0.1, 0.2, 1, 0, 0], [0.2, -5, 0.1, 0, 1, 0]], np.float32)
    rays = raycast.make_rays(utils.to_device(rows, device))
    np.testing.assert_array_equal(on_host(query.count_hits(rays)), [2, 0])
    np.testing.assert_array_equal(on_host(query.test_occlusion(rays)), [1, 0])


def test_images_are_not_copied_and_stay() -> None:
    scene, view = cube_view(utils.Device.host())
    caster = raycast.MeshRayCaster()
    caster.set_scene(scene)
    images = caster.cast(view)
    held, same = images.depth, images.depth
    assert held is not None and same is not None
    assert held.__array_interface__["data"] == same.__array_interface__["data"]
    before = held.copy()
    pose = np.eye(4)
    pose[2, 3] = 7
    scene.set_pose(0, pose)
    again = caster.cast(view).depth
    assert again is not None
    np.testing.assert_array_equal(held, before)
    np.testing.assert_allclose(again[24, 32], 6, rtol=1e-6)
    np.testing.assert_allclose(scene.get_pose(0), pose)
    assert scene.find_triangle(3) == (0, 0, 3)
    assert scene.get_mesh(0).vertices.shape == (8, 4)


def test_several_cameras_lie_below_one_another(device: utils.Device) -> None:
    scene, view = cube_view(device)
    camera = utils.PinholeCamera(fx=50, fy=50, cx=31.5, cy=23.5, width=64, height=48)
    aside = raycast.CameraView(camera, utils.look_at([4, 3, 0], [0, 0, 5]))
    assert (aside.fx, aside.cy, aside.width) == (50, 23.5, 64)
    caster = raycast.MeshRayCaster()
    caster.set_scene(scene)
    both = on_host(caster.cast([view, aside]).depth)
    assert both.shape == (96, 64)
    np.testing.assert_array_equal(both[:48], on_host(caster.cast(view).depth))
    np.testing.assert_array_equal(both[48:], on_host(caster.cast(aside).depth))


def test_tests_of_the_tile_grid_are_counted() -> None:
    scene, view = cube_view(utils.Device.host())
    counter = np.zeros(1, np.uint64)
    caster = raycast.MeshRayCaster(method=raycast.CastMethod.TILE_GRID)
    caster.set_scene(scene)
    caster.set_test_counter(counter)
    caster.cast(view)
    once = int(counter[0])
    assert once > 0
    caster.cast(view)
    assert counter[0] == 2 * once
    caster.set_test_counter(None)
    caster.cast(view)
    assert counter[0] == 2 * once


def test_depth_equals_that_of_the_program(programs: Path, tmp_path: Path) -> None:
    vertices, triangles = raycast.make_tesselated_sphere(3)
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z, _ in vertices]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in triangles]
    (tmp_path / "ball.obj").write_text("\n".join(lines) + "\n")
    pose = utils.look_at([1, 2, 3], [0.2, 0, 0])
    np.savetxt(tmp_path / "pose.txt", pose, fmt="%.9g")
    subprocess.run(
        [str(programs / "pcl_gpu_raycast"), "ball.obj", "--depth", "depth.png"]
        + ["--size", "160x120", "--intrinsics", "150,150,79.5,59.5"]
        + ["--pose", "pose.txt", "--device", "host"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    camera = utils.PinholeCamera(
        fx=150, fy=150, cx=79.5, cy=59.5, width=160, height=120
    )
    caster = raycast.MeshRayCaster()
    caster.set_input_mesh(raycast.TriangleMesh(vertices, triangles))
    depth = caster.cast(raycast.CameraView(camera, pose)).depth
    assert depth is not None
    truth = utils.read_depth_image(tmp_path / "depth.png")
    units = np.where(np.isnan(depth), 0, np.rint(depth / np.float32(0.001)))
    np.testing.assert_array_equal(units, truth)
    assert (truth > 0).sum() > 1000


def test_a_picture_equals_that_of_the_program(programs: Path, tmp_path: Path) -> None:
    vertices, triangles = raycast.make_tesselated_sphere(3)
    rgb = (60 + 120 * np.abs(vertices[:, :3])).astype(np.uint8)
    lines = ["ply", "format ascii 1.0", f"element vertex {len(vertices)}"]
    lines += [f"property float {axis}" for axis in "xyz"]
    lines += [f"property uchar {color}" for color in ("red", "green", "blue")]
    lines += [f"element face {len(triangles)}"]
    lines += ["property list uchar int vertex_indices", "end_header"]
    for (x, y, z, _), (red, green, blue) in zip(vertices, rgb):
        lines.append(f"{x:.9g} {y:.9g} {z:.9g} {red} {green} {blue}")
    lines += [f"3 {a} {b} {c}" for a, b, c in triangles]
    (tmp_path / "ball.ply").write_text("\n".join(lines) + "\n")
    poses = [np.eye(4), np.eye(4)]
    poses[1][:3, 3] = [1.5, 0.5, 1]
    for number, pose in enumerate(poses):
        np.savetxt(tmp_path / f"{number}.txt", pose, fmt="%.9g")
    view_pose = utils.look_at([1, 2, 6], [0.2, 0, 0])
    np.savetxt(tmp_path / "pose.txt", view_pose, fmt="%.9g")
    subprocess.run(
        [str(programs / "pcl_gpu_raycast"), "ball.ply@0.txt", "ball.ply@1.txt"]
        + ["--light", "3,4,5,0.8", "--soft-shadows", "0.2", "--crease-angle", "0"]
        + ["--size", "160x120", "--intrinsics", "150,150,79.5,59.5"]
        + ["--pose", "pose.txt", "--device", "host", "--image", "picture.png"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    truth = utils.read_color_image(tmp_path / "picture.png")[..., 2::-1].astype(int)

    scene = raycast.MeshScene()
    colors = np.concatenate([rgb[:, ::-1], np.full((len(rgb), 1), 255, np.uint8)], 1)
    ball = raycast.TriangleMesh(vertices, triangles, colors=colors)
    for pose in poses:
        scene.add_instance(scene.add_mesh(ball), pose)
    box = np.concatenate([vertices[:, :3] + pose[:3, 3] for pose in poses])
    middle = (box.min(0) + box.max(0)) / 2
    place = np.array([3, 4, 5], np.float32)
    lamp = raycast.Light.disc(place, middle - place, 0.2)
    lamp.intensity = 0.8
    renderer = raycast.MeshRenderer(
        lights=[lamp],
        ambient=raycast.LightGradient([0.26, 0.29, 0.34], [0.09, 0.085, 0.08]),
        background=raycast.LightGradient([0, 0, 0], [0.36, 0.40, 0.46]),
        shadows=raycast.Shadows.SOFT,
    )
    renderer.set_scene(scene)
    # Each pixel is the mean of four.
    camera = utils.PinholeCamera(
        fx=300, fy=300, cx=159.5, cy=119.5, width=320, height=240
    )
    fine = renderer.render_linear(raycast.CameraView(camera, view_pose))
    light = fine[..., :3].reshape(120, 2, 160, 2, 3).mean((1, 3))
    bent = np.where(light < 0.8, light, 0.8 + 0.2 * np.tanh(5 * (light - 0.8)))
    value = np.where(bent <= 0.0031308, 12.92 * bent, 1.055 * bent ** (1 / 2.4) - 0.055)
    made = np.rint(255 * value)
    # Only the curve is computed anew here.
    assert np.abs(made - truth).max() <= 1
    assert (made == truth).mean() > 0.999
    assert truth.std() > 20


def test_partial_views_lie_on_the_surface(device: utils.Device) -> None:
    vertices, triangles = raycast.make_tesselated_sphere(3)
    vertices[:, :3] = vertices[:, :3] * 0.5 + [1, 2, 3]
    views = raycast.RenderViewsTesselatedSphere()
    views.set_input_mesh(
        raycast.TriangleMesh(
            utils.to_device(vertices, device), utils.to_device(triangles, device)
        )
    )
    views.set_tesselation_level(0)
    views.set_compute_entropies(True)
    views.generate_views()
    assert len(views.views) == len(views.poses) == len(views.entropies) == 20
    for points, pose, camera in zip(views.views, views.poses, views.cameras):
        np.testing.assert_allclose(camera.pose @ pose, np.eye(4), atol=1e-5)
        world = (camera.pose @ points.T.astype(np.float64)).T[:, :3]
        radii = np.linalg.norm(world - [1, 2, 3], axis=1)
        assert len(points) > 100
        assert radii.max() < 0.5001
        assert radii.min() > 0.49
    # A camera at a distance of four radii sees a cap of (1 - 1/4) / 2 of a ball.
    np.testing.assert_allclose(views.entropies, 0.375, atol=0.03)
    held = views.views[0]
    assert (
        held.__array_interface__["data"] == views.views[0].__array_interface__["data"]
    )
    before = held.copy()
    views.set_gen_organized(True)
    views.set_resolution(40)
    views.generate_views(views.place_cameras()[3:5])
    assert [view.shape for view in views.views] == [(40, 40, 4)] * 2
    np.testing.assert_array_equal(held, before)


def test_partial_views_from_above() -> None:
    vertices, triangles = raycast.make_tesselated_sphere(1)
    views = raycast.RenderViewsTesselatedSphere()
    views.set_input_mesh(raycast.TriangleMesh(vertices, triangles))
    views.set_radius_sphere(3)
    views.set_cam_pos_constraints(lambda position: bool(position[1] > 0))
    above = views.place_cameras()
    assert 0 < len(above) < 80
    for camera in above:
        assert camera.pose[1, 3] > 0
        np.testing.assert_allclose(np.linalg.norm(camera.pose[:3, 3]), 3, rtol=1e-5)
    views.set_cam_pos_constraints(None)
    assert len(views.place_cameras()) == 80

    def fail(position: Any) -> bool:
        raise KeyError("no")

    views.set_cam_pos_constraints(fail)
    with pytest.raises(KeyError):
        views.generate_views()
