#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers
"""Finds objects in depth images of a scene in BOP's format by OpenCV's ppf_match_3d.

Judges poses and writes them as "experiment_field images" does. OpenCV counts votes,
which do not compare between objects, and tells no absent object. So the estimate of an
object is its pose of most votes, and each object has exactly one in each image. Needs
numpy, scipy, trimesh and opencv-contrib-python 5. OpenCV 4 returns matrices that are
no rotations.
"""

import argparse
import glob
import io
import json
import os
import re
import time

import cv2
import numpy as np
import trimesh
from registration_peers import contents
from scipy.spatial import cKDTree

VISIBLE = 0.1  # share from which on an instance counts
MAX_CELLS = 400  # along a side of the scene, because OpenCV allocates their cube


def read_json(path):
    return json.loads(contents(path))


def path_of(folder, name):
    """Returns a path in the scene's folder or in the data set's, two folders above."""
    near = os.path.join(folder, name)
    return near if os.path.exists(near) else os.path.join(folder, "..", "..", name)


def matrix_of(instance):
    pose = np.eye(4)
    pose[:3, :3] = np.reshape(instance["cam_R_m2c"], (3, 3))
    pose[:3, 3] = instance["cam_t_m2c"]
    return pose


def thinned(cloud, side):
    """Returns the means of points and normals in cubes."""
    cells = np.floor(cloud[:, :3] / side).astype(np.int64)
    _, place, counts = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
    sums = [np.bincount(place.ravel(), column) for column in cloud.T]
    means = np.stack(sums, axis=1) / counts[:, None]
    lengths = np.linalg.norm(means[:, 3:], axis=1, keepdims=True)
    means[:, 3:] /= np.maximum(lengths, 1e-9)
    return means.astype(np.float32)


def scaled(cloud, factor):
    return cloud * np.float32([factor] * 3 + [1.0] * 3)


def cloud_of(depth, camera, far, neighbours):
    """Returns points of a depth image, nearer than `far`, with normals towards the
    camera; all in millimetres."""
    z = depth * camera["depth_scale"]
    fx, _, cx, _, fy, cy = camera["cam_K"][:6]
    rows, columns = np.nonzero((z > 0.0) & (z < far))
    z = z[rows, columns]
    points = np.stack([(columns - cx) / fx * z, (rows - cy) / fy * z, z], axis=1)
    # OpenCV sums squares in single precision, so the origin is in their middle.
    middle = points.mean(axis=0)
    _, cloud = cv2.ppf_match_3d.computeNormalsPC3d(
        (points - middle).astype(np.float32), neighbours, True, tuple(-middle)
    )
    cloud[:, :3] = points
    return cloud


class Model:
    """An object: its mesh, its judge, and OpenCV's detector of it."""

    def __init__(self, path, infos, step):
        self.number = int(re.search(r"obj_(\d{6})", path)[1])
        info = infos[str(self.number)]
        self.diameter, self.side = info["diameter"], step * info["diameter"]
        self.is_symmetric = any(name.startswith("symmetries") for name in info)
        data = io.BytesIO(contents(path.removesuffix(".xz")))
        mesh = trimesh.load(data, file_type="ply", process=False)
        self.vertices = np.array(mesh.vertices, float)
        # Faces count by their areas.
        a, b, c = (self.vertices[mesh.faces[:, corner]] for corner in range(3))
        normals = np.zeros_like(self.vertices)
        for corner in mesh.faces.T:
            np.add.at(normals, corner, np.cross(b - a, c - a))
        lengths = np.linalg.norm(normals, axis=1, keepdims=True)
        cloud = np.hstack([self.vertices, normals / np.maximum(lengths, 1e-12)])
        self.cloud = cloud[lengths[:, 0] > 0.0].astype(np.float32)
        # The detector's threshold of clusters is the step, in units of the points, so
        # its unit is the diameter. Its cells alone would be finer in thin objects.
        self.detector = cv2.ppf_match_3d_PPF3DDetector(step)
        self.detector.trainModel(
            scaled(thinned(self.cloud, self.side), 1 / info["diameter"])
        )

    def find(self, scene, every, count):
        """Returns the poses of most votes, in their order, after ICP."""
        points = thinned(scene, self.side)
        cells = np.ceil(np.ptp(points[:, :3], axis=0).max() / self.side) + 1
        found = self.detector.match(
            scaled(points, 1.0 / self.diameter),
            1.0 / every,
            1.0 / min(cells, MAX_CELLS),
        )[:count]
        for guess in found:
            pose = np.array(guess.pose)
            pose[:3, 3] *= self.diameter
            guess.updatePose(pose)
        guesses = [np.array(guess.pose) for guess in found]
        # Coarser levels would keep too few points of small objects in the scene.
        icp = cv2.ppf_match_3d_ICP(100, numLevels=1)
        refined = icp.registerModelToScene(self.cloud, scene, found)[1]
        poses = [np.array(pose.pose) for pose in refined]
        # ICP sometimes leaves the scene.
        return [
            (pose.numVotes, after if self.is_near(before, after) else before)
            for pose, before, after in zip(refined, guesses, poses)
        ]

    def is_near(self, a, b):
        return np.linalg.norm(a[:3, 3] - b[:3, 3]) < self.diameter

    def error(self, pose, truth):
        """Returns ADD, or ADD-S of an object with symmetries, in millimetres."""
        found = self.vertices @ pose[:3, :3].T + pose[:3, 3]
        true = self.vertices @ truth[:3, :3].T + truth[:3, 3]
        if self.is_symmetric:
            return cKDTree(found).query(true)[0].mean()
        return np.linalg.norm(found - true, axis=1).mean()


class Judgement:
    """Counts right and false poses of all images."""

    def __init__(self):
        self.right = self.all = self.false = self.among = 0

    def add(self, model, poses, instances):
        """Judges and prints an object's poses in an image, the estimate first."""
        errors = [[model.error(p, truth) for truth, _ in instances] for _, p in poses]
        limit = 0.1 * model.diameter
        share, verdict, is_right = 0.0, "not in the image", False
        if instances and poses:
            closest = int(np.argmin(errors[0]))
            share, error = instances[closest][1], errors[0][closest]
            is_right = error < limit
            verdict = f"{'right' if is_right else 'wrong'}, {error:.1f} mm"
        self.all += sum(visible >= VISIBLE for _, visible in instances)
        self.right += is_right and share >= VISIBLE
        self.false += bool(poses) and not is_right
        self.among += any(
            error < limit and visible >= VISIBLE
            for row in errors
            for error, (_, visible) in zip(row, instances)
        )
        print(f"object {model.number}, {100 * share:.0f} % visible: {verdict}", end="")

    def print(self, count):
        print(f"\nright {self.right} of {self.all}, false {self.false}")
        print(f"objects with a right pose among their first {count}: {self.among}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scene", help="folder of scene_gt.json")
    parser.add_argument("--image", type=int, help="number of the only image")
    parser.add_argument(
        "--depth",
        help="depth image of --image; default: depth/NNNNNN.png in the scene's folder",
    )
    parser.add_argument(
        "--models",
        help="folder of meshes obj_NNNNNN.ply, millimetres; models_info.json is in it "
        "or beside it; default: models in the scene's folder, or two above",
    )
    parser.add_argument("--result", help="file to write the result to: BOP's CSV")
    parser.add_argument(
        "--step", type=float, default=0.05, help="between points, in diameters"
    )
    parser.add_argument(
        "--every", type=int, default=5, help="takes every N-th point as a reference"
    )
    parser.add_argument(
        "--poses", type=int, default=10, help="of most votes to refine, for each object"
    )
    parser.add_argument(
        "--neighbours", type=int, default=50, help="that a normal is computed from"
    )
    parser.add_argument(
        "--far",
        type=float,
        default=2.0,
        help="metres; farther points are left out, because a Kinect's errors there are "
        "large and OpenCV's memory grows with the size of the scene",
    )
    options = parser.parse_args()
    if options.depth and options.image is None:
        parser.error("--depth needs --image N")

    truths, shares, cameras = (
        read_json(os.path.join(options.scene, name + ".json"))
        for name in ("scene_gt", "scene_gt_info", "scene_camera")
    )
    numbers = sorted(map(int, truths)) if options.image is None else [options.image]
    folder = options.models or path_of(options.scene, "models")
    paths = sorted(glob.glob(os.path.join(folder, "obj_*.ply*")))
    beside = os.path.join(folder, "..", "models_info.json")
    inside = os.path.join(folder, "models_info.json")
    infos = read_json(inside if os.path.exists(inside) else beside)
    start = time.perf_counter()
    models = [Model(path, infos, options.step) for path in paths]
    print(f"{len(models)} objects, learned in {time.perf_counter() - start:.1f} s")

    name = os.path.basename(os.path.normpath(options.scene))
    scene, lines = int(name) if name.isdigit() else 0, []
    judgement = Judgement()
    for number in numbers:
        path = os.path.join(options.scene, "depth", f"{number:06d}.png")
        data = np.frombuffer(contents(options.depth or path), np.uint8)
        depth = cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
        print(f"\nimage {number}")
        start, found, seconds = time.perf_counter(), {}, {}
        cloud = cloud_of(
            depth, cameras[str(number)], 1e3 * options.far, options.neighbours
        )
        for model in models:
            since = time.perf_counter()
            found[model] = model.find(cloud, options.every, options.poses)
            seconds[model] = time.perf_counter() - since
        of_image = time.perf_counter() - start
        for model, poses in found.items():
            instances = [
                (matrix_of(truth), info["visib_fract"])
                for truth, info in zip(truths[str(number)], shares[str(number)])
                if truth["obj_id"] == model.number
            ]
            judgement.add(model, poses, instances)
            print(f", {seconds[model]:.1f} s")
            for votes, pose in poses[:1]:
                texts = [
                    " ".join(f"{value:.8g}" for value in part)
                    for part in (pose[:3, :3].ravel(), pose[:3, 3])
                ]
                row = [scene, number, model.number, votes, *texts, f"{of_image:.8g}"]
                lines.append(",".join(map(str, row)) + "\n")
        print(f"{of_image:.1f} s")
    judgement.print(options.poses)
    if options.result:
        with open(options.result, "w") as file:
            file.write("scene_id,im_id,obj_id,score,R,t,time\n")
            file.writelines(lines)


if __name__ == "__main__":
    main()
