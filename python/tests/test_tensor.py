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

CAMERA = utils.PinholeCamera(
    fx=300, fy=300, cx=159.5, cy=119.5, width=320, height=240
)
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
    diagonal = np.linalg.norm(used.max(axis=0) - used.min(axis=0))
    # The program expects no surface nearer than that of the mesh.
    parameters.extraction.nearest_depth = min(0.7, max(0.07, 0.75 - 0.5 * diagonal))
    parameters.extraction.seed = 3
    learning = tensor.TensorModelLearning(parameters)
    learning.add_views(vertices, triangles, views=5, distance=0.75, seed=3)
    made = tensor.TensorLibrary(tensor.recognition_parameters(RESOLUTION))
    made.add_model(learning.get_model("creature"))
    made.save(str(tmp_path / "python.tensors"))
    assert (tmp_path / "python.tensors").read_bytes() == file.read_bytes()


def test_recognition_equals_the_program(
    programs: Path, tmp_path: Path, library: tensor.TensorLibrary
) -> None:
    library.save(str(tmp_path / "a.tensors"))
    raw = np.round(1000 * seen(CAMERA, POSE)).astype(np.uint16)
    utils.write_depth_image(str(tmp_path / "scene.png"), raw)
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
