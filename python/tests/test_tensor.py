# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Tensors: pairs, extraction, matching, learning, recognition and registration."""

import copy
import gc
import json
import lzma
import pickle
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pcl_gpu import tensor, triangulation, utils

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

CAMERA = utils.PinholeCamera(fx=300, fy=300, cx=159.5, cy=119.5, width=320, height=240)
RESOLUTION = 0.004
# A creature of balls: middles and radii, metres.
BALLS = np.array(
    [
        [0.0, 0.0, 0.0, 0.060],
        [0.06, 0.03, 0.01, 0.038],
        [-0.03, 0.075, 0.0, 0.032],
        [-0.055, -0.03, 0.035, 0.030],
        [0.01, -0.03, -0.07, 0.028],
        [0.02, 0.06, -0.045, 0.024],
    ]
)


def address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])


def turned(axis: list[float], angle: float, place: list[float]) -> Doubles:
    """A pose: a turn about an axis, then a shift."""
    x, y, z = np.array(axis) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    pose = np.eye(4)
    pose[:3, :3] += np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    pose[:3, 3] = place
    return pose


def ball_mesh(balls: Doubles = BALLS) -> tuple[Floats, NDArray[np.int32]]:
    """Vertices (rows of 4) and triangles of all balls, seen from outside."""
    rows, columns = 24, 48
    polar, around = np.meshgrid(
        np.linspace(0, np.pi, rows + 1),
        np.linspace(0, 2 * np.pi, columns + 1),
        indexing="ij",
    )
    unit = np.stack(
        [np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), np.cos(polar)],
        axis=-1,
    ).reshape(-1, 3)
    i, j = np.mgrid[0:rows, 0:columns].reshape(2, -1)
    a = i * (columns + 1) + j
    quads = np.stack([a, a + columns + 1, a + columns + 2, a + 1], axis=-1)
    faces = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    vertices = np.concatenate([ball[:3] + ball[3] * unit for ball in balls])
    triangles = np.concatenate([faces + k * len(unit) for k in range(len(balls))])
    ones = np.ones((len(vertices), 1))
    return (
        np.concatenate([vertices, ones], axis=1).astype(np.float32),
        np.ascontiguousarray(triangles, np.int32),
    )


def seen(
    camera: utils.PinholeCamera, pose: Doubles, wall: float = 1.2, floor: float = 0.2
) -> Floats:
    """Exact depth of the creature in a pose, before a wall and over a floor."""
    v, u = np.mgrid[0 : camera.height, 0 : camera.width].astype(np.float64)
    ray = np.stack(
        [(u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy, np.ones_like(u)], -1
    )
    depth = np.full(u.shape, wall)
    with np.errstate(divide="ignore"):
        below = np.where(ray[..., 1] > 0, floor / ray[..., 1], np.inf)
    depth = np.minimum(depth, below)
    square = (ray**2).sum(-1)
    for ball in BALLS:
        middle = pose[:3, :3] @ ball[:3] + pose[:3, 3]
        half = ray @ middle
        root = half**2 - square * (middle @ middle - ball[3] ** 2)
        hit = (half - np.sqrt(np.maximum(root, 0))) / square
        depth = np.where(root > 0, np.minimum(depth, hit), depth)
    return depth.astype(np.float32)


POSE = turned([0.3, 1.0, 0.2], 0.8, [0.03, 0.02, 0.75])


def learning_parameters(tensors: int = 60) -> tensor.TensorModelLearningParameters:
    """Those of pcl_gpu_recognize learn."""
    parameters = tensor.TensorModelLearningParameters(point_count=300)
    extraction = parameters.extraction
    extraction.tensor_count = tensors
    extraction.surface.projection.camera = CAMERA
    extraction.set_tensors(tensor.recognition_parameters(RESOLUTION))
    return parameters


def learned(views: int = 40) -> tensor.TensorModel:
    learning = tensor.TensorModelLearning(learning_parameters())
    learning.add_views(*ball_mesh(), views=views, distance=0.75)
    return learning.get_model("creature")


@pytest.fixture(scope="module")
def library() -> tensor.TensorLibrary:
    """The creature."""
    made = tensor.TensorLibrary(tensor.recognition_parameters(RESOLUTION))
    made.add_model(learned())
    return made


def chain(library: tensor.TensorLibrary) -> tensor.DepthMapTensorExtraction:
    parameters = tensor.DepthMapTensorExtractionParameters(tensor_count=600)
    parameters.set_tensors(library.get_parameters())
    parameters.surface.projection.camera = CAMERA
    return tensor.DepthMapTensorExtraction(parameters)


def recognized(
    library: tensor.TensorLibrary, depth: Any
) -> tuple[tensor.TensorRecognition, tensor.DepthMapTensorExtraction]:
    extraction = chain(library)
    extraction.compute(depth)
    recognition = tensor.TensorRecognition()
    recognition.set_library(library)
    recognition.compute(
        extraction.surface.cloud,
        extraction.surface.normals,
        extraction.cloud_camera,
        extraction.tensors,
    )
    return recognition, extraction


def write_ply(path: Path, vertices: Floats, triangles: NDArray[np.int32]) -> None:
    head = (
        "ply\nformat binary_little_endian 1.0\n"
        f"element vertex {len(vertices)}\n"
        "property float x\nproperty float y\nproperty float z\n"
        f"element face {len(triangles)}\n"
        "property list uchar int vertex_indices\nend_header\n"
    )
    faces = np.zeros(len(triangles), [("count", "u1"), ("corners", "<i4", 3)])
    faces["count"] = 3
    faces["corners"] = triangles
    with open(path, "wb") as file:
        file.write(head.encode() + vertices[:, :3].tobytes() + faces.tobytes())


def write_pcd(path: Path, points: Floats, width: int, viewpoint: str) -> None:
    """Writes points (rows of 4) as a binary PCD file."""
    head = (
        "VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\n"
        f"WIDTH {width}\nHEIGHT {len(points) // width}\nVIEWPOINT {viewpoint}\n"
        f"POINTS {len(points)}\nDATA binary\n"
    )
    with open(path, "wb") as file:
        file.write(head.encode() + points[:, :3].tobytes())


def run(programs: Path, *words: Any) -> str:
    done = subprocess.run(
        [programs / "pcl_gpu_recognize", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_learning_equals_the_program(programs: Path, tmp_path: Path) -> None:
    # The files are equal, bit for bit.
    vertices, triangles = ball_mesh()
    write_ply(tmp_path / "creature.ply", vertices, triangles)
    file = tmp_path / "program.tensors"
    run(
        programs, "learn", file, tmp_path / "creature.ply", "--views", 5,
        "--tensors", 40, "--points", 300, "--resolution", RESOLUTION,
        "--camera", "300,300,159.5,119.5,320,240", "--distance", 0.75, "--seed", 3,
        "--device", "host",
    )  # fmt: skip
    parameters = learning_parameters(40)
    used = vertices[np.unique(triangles), :3]
    diagonal = float(np.linalg.norm(used.max(axis=0) - used.min(axis=0)))
    # The program expects no surface nearer than that of the mesh.
    parameters.extraction.nearest_depth = min(0.7, max(0.07, 0.75 - 0.5 * diagonal))
    parameters.extraction.seed = 3
    learning = tensor.TensorModelLearning(parameters)
    learning.add_views(vertices, triangles, views=5, distance=0.75, seed=3)
    made = tensor.TensorLibrary(tensor.recognition_parameters(RESOLUTION))
    made.add_model(learning.get_model("creature"))
    made.save(tmp_path / "python.tensors")
    assert (tmp_path / "python.tensors").read_bytes() == file.read_bytes()


def test_recognition_equals_the_program(
    programs: Path, tmp_path: Path, library: tensor.TensorLibrary
) -> None:
    library.save(tmp_path / "a.tensors")
    raw = np.round(1000 * seen(CAMERA, POSE)).astype(np.uint16)
    utils.write_depth_image(tmp_path / "scene.png", raw)
    run(
        programs, "recognize", tmp_path / "a.tensors", tmp_path / "scene.png",
        "--tensors", 600, "--camera", "300,300,159.5,119.5", "--output",
        tmp_path / "found.json", "--device", "host",
    )  # fmt: skip
    scene = json.loads((tmp_path / "found.json").read_text())["scenes"][0]
    metres = np.where(raw > 0, np.float32(0.001) * raw.astype(np.float32), np.nan)
    recognition, extraction = recognized(library, metres.astype(np.float32))
    objects = recognition.objects
    assert len(extraction.tensors) == scene["tensors"]
    assert len(objects) == len(scene["objects"]) > 0
    for ours, theirs in zip(objects, scene["objects"]):
        # Nine digits tell all numbers of single precision apart.
        np.testing.assert_array_equal(ours.pose, np.float32(theirs["pose"]))
        assert ours.inliers == theirs["inliers"]
        assert ours.evidence.fit == pytest.approx(theirs["fit"], abs=1e-4)
        assert ours.confidence == pytest.approx(theirs["confidence"], abs=1e-4)


def test_registration_equals_the_program(programs: Path, tmp_path: Path) -> None:
    clouds = views()
    for i, cloud in enumerate(clouds):
        write_pcd(
            tmp_path / f"{i}.pcd", cloud.reshape(-1, 4), CAMERA.width, "0 0 0 1 0 0 0"
        )
    files = [tmp_path / f"{i}.pcd" for i in range(3)]
    run(
        programs, "register", *files, "--output", tmp_path / "pairs.json",
        "--poses", tmp_path / "poses.json", "--device", "host",
    )  # fmt: skip
    pairs = json.loads((tmp_path / "pairs.json").read_text())["pairs"]
    placed = json.loads((tmp_path / "poses.json").read_text())["clouds"]
    registration = tensor.TensorViewRegistration()
    for cloud in clouds:
        registration.add_view(cloud)
    alignments = registration.align_all()
    found = [pair for pair in pairs if pair["pose"]]
    assert len(alignments) == len(found) == 3
    for ours, theirs in zip(alignments, found):
        np.testing.assert_array_equal(ours.pose, np.float32(theirs["pose"]))
        assert ours.inliers == theirs["inliers"]
    for pose, theirs in zip(registration.connect(alignments), placed):
        np.testing.assert_array_equal(pose, np.float32(theirs["pose"]))


CAMERA_POSES = [
    turned([0, 1, 0], angle, [0.75 * np.sin(-angle), 0, 0.75 - 0.75 * np.cos(angle)])
    for angle in (0.0, 0.25, 0.5)
]


def views() -> list[Floats]:
    """Organized clouds of the creature from three places."""
    clouds = []
    for pose in CAMERA_POSES:
        depth = seen(CAMERA, np.linalg.inv(pose) @ POSE, wall=9.0, floor=9.0)
        depth[depth > 1.1] = np.nan
        convert = triangulation.DepthMapProjection(camera=CAMERA)
        clouds.append(convert.compute(depth).copy())
    return clouds


def test_views_are_put_together_where_they_were() -> None:
    registration = tensor.TensorViewRegistration(max_tensors=1000)
    for cloud in views():
        registration.add_view(cloud)
    assert len(registration) == 3
    calls: list[tuple[int, int]] = []
    alignments = registration.align_all(lambda done, of: calls.append((done, of)))
    assert calls == [(1, 3), (2, 3), (3, 3)]
    poses = registration.connect(alignments)
    assert registration.connect([])[1] is None
    for pose, true in zip(poses, CAMERA_POSES):
        assert pose is not None
        error = np.linalg.inv(true) @ pose
        assert np.linalg.norm(error[:3, 3]) < 0.004
        assert np.arccos(min(1.0, (np.trace(error[:3, :3]) - 1) / 2)) < 0.01
    # An alignment of another origin.
    made = tensor.ViewAlignment(0, 1, np.linalg.inv(CAMERA_POSES[1]), score=1.0)
    second = registration.connect([made])[1]
    assert second is not None
    np.testing.assert_allclose(second, CAMERA_POSES[1], atol=1e-5)


def test_a_range_view_has_the_camera_of_its_cloud() -> None:
    cloud = views()[0]
    view = tensor.organized_range_view(cloud)
    assert view is not None
    for name in ("fx", "fy", "cx", "cy"):
        assert getattr(view.camera, name) == pytest.approx(
            getattr(CAMERA, name), abs=0.05
        )
    np.testing.assert_array_equal(view.depth, cloud[..., 2])
    np.testing.assert_array_equal(view.pose, np.eye(4))
    again = tensor.RangeView(view.depth, CAMERA, np.eye(4))
    np.testing.assert_array_equal(again.depth, view.depth)
    a, b = tensor.TensorViewRegistration(), tensor.TensorViewRegistration()
    assert a.add_view(again) == b.add_view(cloud) == 0
    assert a.used_resolution == pytest.approx(b.used_resolution, rel=1e-3)
    projected = tensor.projected_range_view(cloud, CAMERA)
    both = np.isfinite(projected.depth) & np.isfinite(view.depth)
    assert both.sum() > 0.95 * np.isfinite(view.depth).sum()
    assert np.abs(projected.depth - view.depth)[both].max() < 0.01


def test_objects_are_found_where_they_are(library: tensor.TensorLibrary) -> None:
    recognition, extraction = recognized(library, seen(CAMERA, POSE))
    objects = recognition.objects
    assert [found.model for found in objects] == [0]
    assert objects[0].confidence > 0.8
    error = np.linalg.inv(POSE) @ objects[0].pose
    assert np.linalg.norm(error[:3, 3]) < 0.004
    assert np.arccos(min(1.0, (np.trace(error[:3, :3]) - 1) / 2)) < 0.04
    # Pixels of the object, in the exact depth map without it and with it.
    behind = seen(CAMERA, turned([1, 0, 0], 0, [0, 0, -9]))
    on_it = (seen(CAMERA, POSE) < behind)[::2, ::2]
    labels = recognition.pixel_objects
    assert labels.shape == on_it.shape == extraction.surface.cloud.shape[:2]
    both = (labels == 0) & on_it
    assert both.sum() > 0.8 * ((labels == 0) | on_it).sum()


def test_results_that_are_held_stay(library: tensor.TensorLibrary) -> None:
    depth = seen(CAMERA, POSE)
    recognition, extraction = recognized(library, depth)
    labels, areas = recognition.pixel_objects, extraction.tensors.areas
    copies = labels.copy(), areas.copy()
    where = address(labels)
    assert address(recognition.pixel_objects) == where

    def again(other: Floats) -> None:
        extraction.compute(other)
        surface = extraction.surface
        recognition.compute(
            surface.cloud, surface.normals, extraction.cloud_camera, extraction.tensors
        )

    again(depth[:, ::-1].copy())
    np.testing.assert_array_equal(labels, copies[0])
    np.testing.assert_array_equal(areas, copies[1])
    assert address(recognition.pixel_objects) != where
    # Memory that nobody holds is used again.
    both = address(recognition.pixel_objects), address(extraction.tensors.areas)
    again(depth)
    assert address(recognition.pixel_objects) == both[0]
    assert address(extraction.tensors.areas) == both[1]
    np.testing.assert_array_equal(recognition.pixel_objects, copies[0])
    del recognition, extraction, again
    gc.collect()
    np.testing.assert_array_equal(areas, copies[1])


def test_stages_use_memory_again_that_nobody_holds() -> None:
    table = tensor.TensorTable()
    table.build(
        tensor.TensorSet(6, *random_tensors(50, 5)), np.arange(50, dtype=np.int32)
    )
    matching = tensor.TensorMatching(min_correlation=0)
    scenes = [tensor.TensorSet(6, *random_tensors(20, seed)) for seed in (6, 7)]
    held = matching.compute(scenes[0], table).tensors
    copied = held.copy()
    other = matching.compute(scenes[1], table)
    np.testing.assert_array_equal(held, copied)
    assert not np.array_equal(other.tensors, held)
    where = address(other.tensors)
    assert where != address(held)
    del other
    assert address(matching.compute(scenes[0], table).tensors) == where
    del matching, table
    gc.collect()
    np.testing.assert_array_equal(held, copied)


def test_streams_equal_single_frames(library: tensor.TensorLibrary) -> None:
    raw = [
        np.round(1000 * seen(CAMERA, turned([0, 1, 0], angle, [0, 0, 0.75])))
        for angle in (0.0, 1.0, 2.0)
    ]
    stream = tensor.DepthStreamRecognition(library)
    parameters = tensor.DepthStreamRecognitionParameters()
    parameters.extraction = chain(library).get_parameters()
    stream.set_parameters(parameters)
    assert stream.capacity == 2
    with pytest.raises(ValueError, match="number of frames under way"):
        stream.next()
    results = []
    for depth in raw:
        if stream.pending == stream.capacity:
            results.append(stream.next())
        stream.submit(depth.astype(np.uint16), 0.001)
    while stream.pending > 0:
        results.append(stream.next())
    for depth, found in zip(raw, results):
        extraction = chain(library)
        extraction.compute(depth.astype(np.uint16), 0.001)
        single = tensor.TensorRecognition()
        single.set_library(library)
        single.compute(
            extraction.surface.cloud,
            extraction.surface.normals,
            extraction.cloud_camera,
            extraction.tensors,
        )
        assert [one.model for one in found] == [0]
        np.testing.assert_array_equal(found[0].pose, single.objects[0].pose)
    with pytest.raises(TypeError, match="depth: got float32"):
        stream.submit(raw[0].astype(np.float32), 0.001)


def test_libraries_keep_their_models(
    tmp_path: Path, library: tensor.TensorLibrary
) -> None:
    file = tmp_path / "objects.tensors"
    library.save(file)
    read = tensor.TensorLibrary()
    read.load(file)
    assert read.get_parameters() == library.get_parameters()
    assert read.names == ["creature"]
    assert read.find_model("creature") == 0
    assert read.find_model("dragon") == -1
    ours, theirs = read.get_model(0), library.get_model(0)
    assert ours.view_count == theirs.view_count == 40
    assert read.tensor_count == len(ours) == len(theirs) > 1000
    for name in ("points", "normals", "frames", "starts", "voxels", "areas", "views"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))
    np.testing.assert_allclose(
        np.linalg.norm(ours.normals[:, :3], axis=1), 1, rtol=1e-3
    )
    # Points lie on the balls.
    distance = np.linalg.norm(ours.points[:, None, :3] - BALLS[:, :3], axis=2)
    assert np.abs(distance - BALLS[:, 3]).min(axis=1).max() < 0.003
    with pytest.raises(OSError, match="nothing.tensors"):
        read.load(tmp_path / "nothing.tensors")
    with pytest.raises(ValueError, match="creature"):
        read.add_model(ours)
    read.remove_model(0)
    assert len(read) == 0 and len(ours) == library.tensor_count


def test_tables_have_the_tensors_by_their_angles(library: tensor.TensorLibrary) -> None:
    table = library.table()
    angles = np.array(library.get_model(0).frames[:, 3])
    width = table.used_bin_width
    bins = np.floor(angles / width).astype(int)
    order = np.argsort(bins, kind="stable")
    np.testing.assert_array_equal(table.former_places, order)
    np.testing.assert_array_equal(table.tensors.angles, angles[order])
    assert table.bin_starts[-1] == len(table) == len(angles)
    place = library.get_place(17)
    assert (place.model, place.tensor) == (0, order[17])


def test_interruptions_stop_learning() -> None:
    import signal

    learning = tensor.TensorModelLearning(learning_parameters())
    calls = []

    def interrupt(done: int, of: int) -> None:
        calls.append((done, of))
        if done == 2:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        learning.add_views(*ball_mesh(), views=9, distance=0.75, progress=interrupt)
    assert calls == [(1, 9), (2, 9)]

    def fail(done: int, of: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        learning.add_views(*ball_mesh(), views=9, distance=0.75, progress=fail)


def test_points_of_a_view_lie_on_the_object() -> None:
    learning = tensor.TensorModelLearning(learning_parameters())
    depth = seen(CAMERA, POSE, wall=9.0, floor=9.0)
    depth[depth > 1.1] = np.nan
    learning.add_view(depth, np.linalg.inv(POSE))
    model = learning.get_model("one view")
    distance = np.linalg.norm(model.points[:, None, :3] - BALLS[:, :3], axis=2)
    # Creases are filtered.
    assert np.abs(distance - BALLS[:, 3]).min(axis=1).max() < 0.005
    with pytest.raises(ValueError, match="pose of the camera"):
        learning.add_view(depth, 2 * np.eye(4))


def organized() -> tuple[Floats, Floats]:
    """Cloud and normals of a coarse view."""
    small = utils.PinholeCamera(fx=100, fy=100, cx=39.5, cy=29.5, width=80, height=60)
    depth = seen(small, turned([0.3, 1.0, 0.2], 0.8, [0.03, 0.02, 0.35]))
    cloud = triangulation.DepthMapProjection(camera=small).compute(depth)
    return cloud, triangulation.NormalMapEstimation().compute(cloud)


def test_pairs_equal_brute_force() -> None:
    cloud, normals = organized()
    estimation = tensor.PointPairEstimation(
        pairs_per_point=1, resolution=0.0035, window_radius=9
    )
    pairs = estimation.compute(cloud, normals)
    rows, columns = cloud.shape[:2]
    points = cloud[..., :3].astype(np.float64)
    units = normals[..., :3].astype(np.float64)
    best = np.full((rows, columns), np.inf)
    partner = np.full((rows, columns), -1)
    v, u = np.mgrid[0:rows, 0:columns]
    for dv in range(-9, 10):
        for du in range(-9, 10):
            inside = (
                (v + dv >= 0) & (v + dv < rows) & (u + du >= 0) & (u + du < columns)
            )
            at = np.clip(v + dv, 0, rows - 1), np.clip(u + du, 0, columns - 1)
            far = np.linalg.norm(points[at] - points, axis=-1)
            angle = np.arccos(np.clip((units[at] * units).sum(-1), -1, 1))
            good = inside & (far >= 5 * 0.0035) & (far <= 14 * 0.0035)
            good &= (angle >= np.radians(15)) & (far < best - 1e-9)
            best[good], partner[good] = far[good], (at[0] * columns + at[1])[good]
    true = {(min(i, j), max(i, j)) for i, j in enumerate(partner.ravel()) if j >= 0}
    ours = {(min(i, j), max(i, j)) for i, j in pairs.pairs.tolist()}
    assert len(pairs) == len(ours) > 500
    # Single precision decides some ties otherwise.
    assert len(true ^ ours) < 0.01 * len(true)
    # Pairs of some points only.
    some = np.arange(1000, 1400, dtype=np.int32)
    chosen = estimation.compute(cloud, normals, keypoints=some)
    assert {tuple(p) for p in chosen.pairs.tolist()} >= {
        tuple(p) for p in pairs.pairs.tolist() if p[0] in some and p[1] not in some
    }
    # The cloud's own resolution.
    measured = triangulation.CloudResolution().compute(cloud, normals)
    own = tensor.PointPairEstimation().compute(cloud, normals, measured)
    same = tensor.PointPairEstimation(resolution=measured.nearest_distance)
    np.testing.assert_array_equal(own.pairs, same.compute(cloud, normals).pairs)


def test_tensors_of_a_mesh_have_its_area() -> None:
    vertices, triangles = ball_mesh(np.array([[0.1, 0.2, 0.3, 0.05]]))
    normals = vertices.copy()
    normals[:, :3] = (vertices[:, :3] - [0.1, 0.2, 0.3]) / 0.05
    normals[:, 3] = 0
    pairs = tensor.PointPairs(np.array([[500, 620], [100, 140]], np.int32))
    extraction = tensor.TensorExtraction(
        grid_size=12, voxel_size=0.02, voxel_unit=tensor.LengthUnit.METRES
    )
    tensors = extraction.compute_mesh(vertices, normals, triangles, pairs)
    a, b, c = (np.float64(vertices[triangles[:, i], :3]) for i in range(3))
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()
    starts = tensors.starts
    assert len(tensors) == 2 and len(starts) == 3 and tensors.grid_size == 12
    for i, (first, second) in enumerate(pairs.pairs):
        sum_of_voxels = np.float64(tensors.areas[starts[i] : starts[i + 1]]).sum()
        assert sum_of_voxels * 0.02**2 == pytest.approx(area, rel=1e-4)
        n: Doubles = normals[[first, second], :3].astype(np.float64)
        n /= np.linalg.norm(n, axis=1, keepdims=True)
        z = n.sum(axis=0) / np.linalg.norm(n.sum(axis=0))
        np.testing.assert_allclose(tensors.axes[i, 2], z, atol=1e-5)
        x = np.cross(n[0], n[1]) / np.linalg.norm(np.cross(n[0], n[1]))
        assert abs(tensors.axes[i, 0] @ x) == pytest.approx(1, abs=1e-5)
        np.testing.assert_allclose(np.linalg.det(tensors.axes[i]), 1, atol=1e-5)
        middle = np.float64(vertices[[first, second], :3]).mean(axis=0)
        np.testing.assert_allclose(tensors.origins[i], middle, atol=1e-6)
        assert tensors.angles[i] == pytest.approx(np.arccos(n[0] @ n[1]), abs=1e-4)
        assert sorted(tensors.points[i]) == sorted([first, second])
    np.testing.assert_allclose(tensors.voxel_sizes, 0.02)


def test_signatures_are_the_tensors_of_closest_pairs() -> None:
    cloud, normals = organized()
    estimation = tensor.TensorEstimation()
    estimation.resolution = 0.0035
    chosen = np.arange(900, 4000, 7, dtype=np.int32)
    signatures = estimation.compute(cloud, normals, chosen)
    assert signatures.descriptors.shape == (len(chosen), 1000)
    pairs = tensor.PointPairEstimation(pairs_per_point=1, resolution=0.0035).compute(
        cloud, normals
    )
    tensors = tensor.TensorExtraction(
        voxel_size=4 * 0.0035, voxel_unit=tensor.LengthUnit.METRES
    ).compute_organized(cloud, normals, pairs)
    place = {int(first): i for i, (first, _) in enumerate(pairs.pairs)}
    compared = 0
    for k, point in enumerate(chosen):
        if int(point) not in place:
            continue
        i = place[int(point)]
        dense = np.zeros(1000, np.float32)
        entries = slice(tensors.starts[i], tensors.starts[i + 1])
        dense[tensors.voxels[entries]] = tensors.areas[entries]
        np.testing.assert_allclose(signatures.descriptors[k], dense, atol=1e-6)
        np.testing.assert_allclose(signatures.origins[k], tensors.origins[i], atol=1e-6)
        np.testing.assert_allclose(signatures.axes[k], tensors.axes[i], atol=1e-6)
        assert signatures.angles[k] == pytest.approx(tensors.angles[i], abs=1e-6)
        compared += 1
    assert compared > 20
    with pytest.raises(ValueError, match="cloud: got float32 of shape"):
        estimation.compute(cloud[..., :3].copy(), normals)


def test_stages_equal_the_chain(library: tensor.TensorLibrary) -> None:
    extraction = chain(library)
    extraction.compute(seen(CAMERA, POSE))
    used = extraction.get_parameters()
    stage = tensor.TensorExtraction(used.used_tensors())
    tensors = stage.compute(extraction.surface, extraction.pairs)
    assert len(tensors) == len(extraction.tensors) == len(extraction.pairs)
    for name in ("frames", "starts", "voxels", "areas"):
        np.testing.assert_array_equal(
            getattr(tensors, name), getattr(extraction.tensors, name)
        )
    assert used.used_pairs().selected_count == 600
    copied = tensor.apply_parameters(
        library.get_parameters(), tensor.PointPairEstimationParameters()
    )
    assert copied.resolution == np.float32(RESOLUTION)


def random_tensors(count: int, seed: int) -> tuple[Any, ...]:
    """Frames, starts, voxels and areas: noisy copies of five tensors."""
    random = np.random.default_rng(seed)
    base = np.random.default_rng(1)
    prototypes = [
        (np.sort(base.permutation(216)[:60]), base.random(60)) for _ in range(5)
    ]
    frames = np.zeros((count, 16), np.float32)
    frames[:, [0, 5, 10]] = 1  # the axes
    frames[:, 3] = random.uniform(0, np.pi, count)
    voxels, areas, starts = [], [], [0]
    for _ in range(count):
        where, much = prototypes[random.integers(5)]
        keep = random.random(60) < 0.8
        voxels.append(where[keep])
        areas.append(much[keep] + 0.3 * random.random(keep.sum()))
        starts.append(starts[-1] + int(keep.sum()))
    return (
        frames,
        np.array(starts, np.uint32),
        np.concatenate(voxels).astype(np.uint16),
        np.concatenate(areas).astype(np.float32),
    )


def dense(parts: tuple[Any, ...]) -> Doubles:
    """Areas of all voxels; 0 where there is none."""
    frames, starts, voxels, areas = parts
    grids = np.zeros((len(frames), 216))
    grids[np.repeat(np.arange(len(frames)), np.diff(starts)), voxels] = areas
    return grids


def test_matches_equal_numpy() -> None:
    scene, models = random_tensors(40, 2), random_tensors(90, 3)
    table = tensor.TensorTable()
    labels = np.arange(90, dtype=np.int32)
    table.build(tensor.TensorSet(6, *models), labels)
    np.testing.assert_array_equal(table.labels, table.former_places)
    matching = tensor.TensorMatching(match_count=3, min_correlation=-1, min_overlap=0.4)
    matches = matching.compute(tensor.TensorSet(6, *scene), table)
    assert len(matches) == 40 and matches.tensors.shape == (40, 3)
    ours, theirs = dense(scene), dense(models)[np.array(table.former_places)]
    for i in range(40):
        scores = np.full(90, -2.0)
        overlaps = np.zeros(90)
        for k in range(90):
            both = (ours[i] > 0) & (theirs[k] > 0)
            either = (ours[i] > 0) | (theirs[k] > 0)
            overlaps[k] = both.sum() / either.sum()
            if both.sum() >= 8 and overlaps[k] >= 0.4:
                scores[k] = np.corrcoef(ours[i][both], theirs[k][both])[0, 1]
        best = np.argsort(-scores, kind="stable")[:3]
        found = matches.tensors[i]
        np.testing.assert_array_equal(found, np.where(scores[best] > -2, best, -1))
        good = found >= 0
        np.testing.assert_allclose(
            matches.correlations[i][good], scores[best][good], atol=1e-5
        )
        np.testing.assert_allclose(
            matches.overlaps[i][good], overlaps[best][good], rtol=1e-6
        )


def test_tensors_keep_the_arrays_they_are_made_of() -> None:
    parts = random_tensors(10, 4)
    copies = [part.copy() for part in parts]
    where = [address(part) for part in parts]
    tensors = tensor.TensorSet(6, *parts)
    del parts
    gc.collect()
    views = tensors.frames, tensors.starts, tensors.voxels, tensors.areas
    assert [address(view) for view in views] == where
    assert address(tensors.origins) == where[0] + 12 * 4
    del tensors
    gc.collect()
    for view, part in zip(views, copies):
        np.testing.assert_array_equal(view, part)
    numbers = np.array([[1, 2], [3, 4]], np.int32)
    pairs = tensor.PointPairs(numbers)
    assert address(pairs.pairs) == address(numbers)


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"frames": lambda a: a.astype(float)}, TypeError, "frames: got float64"),
        ({"frames": lambda a: a[:, :15].copy()}, ValueError, "frames: got"),
        ({"frames": lambda a: a[::2]}, ValueError, "frames: got"),
        ({"starts": lambda a: a.astype(np.int32)}, TypeError, "starts: got int32"),
        ({"starts": lambda a: a[:-1].copy()}, ValueError, "one more than frames"),
        ({"starts": lambda a: a[::-1].copy()}, ValueError, "starts: expected ascend"),
        ({"voxels": lambda a: a + np.uint16(200)}, ValueError, "less than 216"),
        ({"areas": lambda a: a[:-1].copy()}, ValueError, "as many as voxels"),
    ],
)
def test_other_tensors_are_refused_by_name(
    change: dict[str, Any], error: Any, words: str
) -> None:
    names = ("frames", "starts", "voxels", "areas")
    parts: dict[str, Any] = dict(zip(names, random_tensors(10, 4)))
    for name, function in change.items():
        parts[name] = function(parts[name])
    with pytest.raises(error) as caught:
        tensor.TensorSet(6, **parts)
    assert words in str(caught.value)


def test_models_may_be_made_of_tensors() -> None:
    points = np.zeros((5, 4), np.float32)
    normals = np.tile(np.array([0, 0, 1, 0], np.float32), (5, 1))
    model = tensor.TensorModel("made", points, normals)
    tensors = tensor.TensorSet(6, *random_tensors(10, 4))
    assert model.append_tensors(tensors, np.eye(4), view=0) == 10
    held, copied = model.frames, model.frames.copy()
    shift = turned([0, 0, 1], 0, [1, 2, 3])
    assert model.append_tensors(tensors, shift, view=1) == 10
    assert model.view_count == 2 and len(model) == 20
    np.testing.assert_array_equal(held, copied)
    np.testing.assert_array_equal(model.frames[10:, 12:15], np.tile([1, 2, 3], (10, 1)))
    np.testing.assert_array_equal(model.views, np.repeat([0, 1], 10))
    model.symmetries = [turned([0, 0, 1], np.pi, [0, 0, 0])]
    assert len(model.symmetries) == 1
    assert "made" in repr(model)


def test_an_ellipsoid_has_three_half_turns() -> None:
    axes = np.array([0.1, 0.07, 0.045])
    directions = tensor.even_directions(700)
    np.testing.assert_allclose(np.linalg.norm(directions, axis=1), 1, rtol=1e-6)
    points = utils.to_points((directions * axes).astype(np.float32))
    slopes = directions / axes
    slopes /= np.linalg.norm(slopes, axis=1, keepdims=True)
    turns = tensor.find_symmetries(points, utils.to_points(slopes.astype(np.float32)))
    diagonals = sorted(tuple(np.round(np.diag(t)[:3]).astype(int)) for t in turns)
    assert diagonals == [(-1, -1, 1), (-1, 1, -1), (1, -1, -1)]


def test_parameters_are_structs() -> None:
    parameters = tensor.TensorRecognitionParameters(max_candidates=7)
    parameters.matching.match_count = 5
    assert parameters.matching.ranking == tensor.MatchRanking.CORRELATION_TIMES_OVERLAP
    same = pickle.loads(pickle.dumps(parameters))
    assert same == parameters == copy.deepcopy(parameters)
    assert same.matching.match_count == 5
    assert "max_candidates=7" in repr(same) and "match_count=5" in repr(same)
    assert tensor.TensorRecognition(same).get_parameters() == parameters
    with pytest.raises(TypeError, match="max_candidate"):
        tensor.TensorRecognition(max_candidate=7)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="rounds"):
        tensor.PoseRefinementParameters(rounds=1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="grid size"):
        tensor.TensorExtraction(grid_size=99)


def test_other_arguments_are_refused_by_name(library: tensor.TensorLibrary) -> None:
    extraction = chain(library)
    with pytest.raises(TypeError, match="depth: got float64"):
        extraction.compute(np.ones((240, 320)))
    with pytest.raises(ValueError, match="scale"):
        extraction.compute(np.ones((240, 320), np.uint16))
    learning = tensor.TensorModelLearning(learning_parameters())
    vertices, triangles = ball_mesh()
    with pytest.raises(TypeError, match="triangles: got int64"):
        learning.add_views(vertices, triangles.astype(np.int64), 2, 0.7)
    with pytest.raises(ValueError, match="vertices: got float32"):
        learning.add_views(vertices[:, :3].copy(), triangles, 2, 0.7)
    with pytest.raises(TypeError):
        tensor.TensorRecognition().set_library(None)  # type: ignore[arg-type]
    registration = tensor.TensorViewRegistration()
    with pytest.raises(TypeError, match="cloud: got float64"):
        registration.add_cloud(np.zeros((9, 4)))


def test_recorded_bunny_views_are_registered(data_folder: Path) -> None:
    # The markers' poses are the truth.
    folder = data_folder / "field" / "bunny_views"
    numbers = (0, 2)
    registration = tensor.TensorViewRegistration()
    for i in numbers:
        text = lzma.open(folder / f"cloudXYZ_{i}.xyz.xz", "rt").read().split()
        points = np.array(text, np.float32).reshape(-1, 6)[:, :3]
        registration.add_view(utils.to_points(np.ascontiguousarray(points)))
    found = registration.align(1, 0)
    assert found is not None
    true = []
    for line in (folder / "Q.txt").read_text().splitlines():
        fields = np.array(line.split(), float)
        if int(fields[0]) in numbers:
            x, y, z, w = fields[4:8]
            angle = 2 * np.arctan2(np.linalg.norm([x, y, z]), w)
            true.append(turned([x, y, z], angle, list(fields[1:4])))
    error = np.linalg.inv(np.linalg.inv(true[0]) @ true[1]) @ found.pose
    assert np.linalg.norm(error[:3, 3]) < 0.02
    assert np.arccos(min(1.0, (np.trace(error[:3, :3]) - 1) / 2)) < 0.05
