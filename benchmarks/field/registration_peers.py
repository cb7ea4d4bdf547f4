#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers
"""Registers pairs of fragments of a scene in 3DMatch's format by other libraries.

Prints errors and times as "experiment_field fragments" does, on the same pairs. Needs
numpy. Skips methods whose packages are not installed: open3d, kiss-matcher,
small-gicp.
"""

import argparse
import importlib
import lzma
import os
import time

import numpy as np

RIGHT = 0.2  # metres, below
THREADS = len(os.sched_getaffinity(0))
COLUMNS = "fresh clouds, ms{0} | prepared ones, ms{0} |"
PLY_TYPES = {
    "char": "i1",
    "int8": "i1",
    "uchar": "u1",
    "uint8": "u1",
    "short": "i2",
    "int16": "i2",
    "ushort": "u2",
    "uint16": "u2",
    "int": "i4",
    "int32": "i4",
    "uint": "u4",
    "uint32": "u4",
    "float": "f4",
    "float32": "f4",
    "double": "f8",
    "float64": "f8",
}


def contents(path):
    """Returns the bytes of a file, or of its packed file if only that exists."""
    if os.path.exists(path):
        with open(path, "rb") as file:
            return file.read()
    with lzma.open(path + ".xz") as file:
        return file.read()


def read_points(path):
    """Reads the vertices of a PLY file, whose first element they are."""
    data = contents(path)
    end = data.index(b"end_header\n") + len(b"end_header\n")
    fields, is_ascii, order, count, elements = [], False, "<", 0, 0
    for line in data[:end].decode().splitlines():
        words = line.split()
        if words[:1] == ["format"]:
            is_ascii = words[1] == "ascii"
            order = ">" if words[1] == "binary_big_endian" else "<"
        elif words[:1] == ["element"]:
            elements += 1
            if elements == 1:
                count = int(words[2])
        elif words[:1] == ["property"] and elements == 1:
            fields.append((words[2], order + PLY_TYPES[words[1]]))
    if is_ascii:
        names = [name for name, _ in fields]
        rows = [line.split() for line in data[end:].splitlines()[:count]]
        columns = [names.index(axis) for axis in "xyz"]
        points = np.array(rows, float)[:, columns]
    else:
        table = np.frombuffer(data, np.dtype(fields), count, end)
        points = np.stack([table[axis] for axis in "xyz"], axis=1).astype(float)
    return points[np.isfinite(points).all(axis=1)]


def read_matrices(path, side):
    """Reads matrices, and the number of fragments, by target and source."""
    values = np.array(contents(path).split(), float).reshape(-1, 3 + side * side)
    return {
        (int(row[0]), int(row[1])): (int(row[2]), row[3:].reshape(side, side))
        for row in values
    }


def error_of(pose, truth, information):
    """Returns the root mean square error as the benchmark defines it, metres."""
    rest = np.linalg.inv(truth) @ pose
    rotation = rest[:3, :3]
    w = np.sqrt(max(0.0, 1.0 + np.trace(rotation))) / 2.0
    if w > 1e-6:
        vector = np.array(
            [
                rotation[2, 1] - rotation[1, 2],
                rotation[0, 2] - rotation[2, 0],
                rotation[1, 0] - rotation[0, 1],
            ]
        ) / (4.0 * w)
    else:
        vector = np.sqrt(np.maximum(0.0, (np.diag(rotation) + 1.0) / 2.0))
    motion = np.r_[rest[:3, 3], -vector]
    return np.sqrt(max(0.0, motion @ information @ motion / information[0, 0]))


class Open3dFeatures:
    """FPFH, a global registration, and point to plane ICP, as in Open3D's tutorial.

    Normals point to the origin, which is expected to be a place of the camera.
    """

    def __init__(self, voxel, is_fast):
        self.o3d = importlib.import_module("open3d")
        self.voxel = voxel
        self.is_fast = is_fast

    def prepare(self, points):
        o3d = self.o3d
        cloud = o3d.geometry.PointCloud(o3d.utility.Vector3dVector(points))
        cloud = cloud.voxel_down_sample(self.voxel)
        knn = o3d.geometry.KDTreeSearchParamHybrid
        cloud.estimate_normals(knn(radius=2.0 * self.voxel, max_nn=30))
        cloud.orient_normals_towards_camera_location()
        features = o3d.pipelines.registration.compute_fpfh_feature(
            cloud, knn(radius=5.0 * self.voxel, max_nn=100)
        )
        return cloud, features

    def guess(self, source, target):
        """Returns a pose without ICP; None if nothing was found."""
        r = self.o3d.pipelines.registration
        arguments = [source[0], target[0], source[1], target[1]]
        if self.is_fast:
            found = r.registration_fgr_based_on_feature_matching(
                *arguments,
                r.FastGlobalRegistrationOption(
                    maximum_correspondence_distance=0.5 * self.voxel
                ),
            )
        else:
            self.o3d.utility.random.seed(1)
            distance = 1.5 * self.voxel
            found = r.registration_ransac_based_on_feature_matching(
                *arguments,
                True,
                distance,
                r.TransformationEstimationPointToPoint(False),
                3,
                [
                    r.CorrespondenceCheckerBasedOnEdgeLength(0.9),
                    r.CorrespondenceCheckerBasedOnDistance(distance),
                ],
                r.RANSACConvergenceCriteria(100000, 0.999),
            )
        return found.transformation if found.fitness > 0.0 else None

    def align(self, source, target):
        guess = self.guess(source, target)
        if guess is None:
            return None
        r = self.o3d.pipelines.registration
        return r.registration_icp(
            source[0],
            target[0],
            self.voxel,
            guess,
            r.TransformationEstimationPointToPlane(),
        ).transformation


class KissMatcher:
    """KISS-Matcher with its defaults. It describes both clouds anew for each pair."""

    def __init__(self, voxel):
        self.kiss = importlib.import_module("kiss_matcher")
        self.voxel = voxel

    def prepare(self, points):
        return np.ascontiguousarray(points.T)

    def guess(self, source, target):
        matcher = self.kiss.KISSMatcher(self.kiss.KISSMatcherConfig(self.voxel))
        found = matcher.prune_and_solve(*matcher.match(source, target))
        # Its examples take a pose of fewer inliers for a failure.
        if not found.valid or matcher.get_num_final_inliers() < 5:
            return None
        pose = np.eye(4)
        pose[:3, :3] = found.rotation
        pose[:3, 3] = found.translation
        return pose

    align = guess


class SmallGicp:
    """GICP of small_gicp, from the identity or from a guess of another method."""

    def __init__(self, voxel, first=None):
        self.small_gicp = importlib.import_module("small_gicp")
        self.voxel = voxel
        self.first = first

    def prepare(self, points):
        cloud, tree = self.small_gicp.preprocess_points(
            points, downsampling_resolution=self.voxel, num_threads=THREADS
        )
        return cloud, tree, self.first.prepare(points) if self.first else None

    def align(self, source, target):
        guess = np.eye(4)
        if self.first:
            guess = self.first.guess(source[2], target[2])
            if guess is None:
                return None
        found = self.small_gicp.align(
            target[0],
            source[0],
            target[1],
            guess,
            # The identity is farther from the truth than a guess.
            max_correspondence_distance=(2.0 if self.first else 10.0) * self.voxel,
            num_threads=THREADS,
            max_iterations=100,
        )
        return found.T_target_source


METHODS = {
    "open3d_ransac": lambda voxel: Open3dFeatures(voxel, is_fast=False),
    "open3d_fgr": lambda voxel: Open3dFeatures(voxel, is_fast=True),
    "kiss_matcher": KissMatcher,
    "kiss_matcher_small_gicp": lambda voxel: SmallGicp(voxel, KissMatcher(voxel)),
    "open3d_ransac_small_gicp": lambda voxel: SmallGicp(
        voxel, Open3dFeatures(voxel, is_fast=False)
    ),
    "small_gicp_identity": SmallGicp,
}


def write_log(path, pairs, poses):
    """Writes poses as a log, the benchmark's format of results."""
    with open(path, "w") as file:
        for (target, source), pose in poses.items():
            file.write(f"{target}\t{source}\t{pairs[target, source][0]}\n")
            for row in pose:
                file.write("\t".join(f"{value:.9g}" for value in row) + "\n")


def run(name, method, clouds, pairs, information):
    """Registers all pairs by a method, prints them, and returns the poses and a row of
    the summary."""
    prepared, seconds = {}, {}
    # Starts threads.
    first = next(iter(pairs))
    method.align(method.prepare(clouds[first[1]]), method.prepare(clouds[first[0]]))
    for number, points in clouds.items():
        start = time.perf_counter()
        prepared[number] = method.prepare(points)
        seconds[number] = time.perf_counter() - start
    print(f"\n{name}\n")
    print("| target | source | error, m | verdict | " + COLUMNS.format(""))
    print("|---|---|---|---|---|---|")
    poses, times, right = {}, [], 0
    for (target, source), (_, truth) in pairs.items():
        start = time.perf_counter()
        pose = method.align(prepared[source], prepared[target])
        of_pair = time.perf_counter() - start
        times.append((of_pair + seconds[source] + seconds[target], of_pair))
        error, verdict = "", "none"
        if pose is not None:
            poses[target, source] = pose
            metres = error_of(pose, truth, information[target, source][1])
            error = f"{metres:.3f}"
            verdict = "right" if metres < RIGHT else "WRONG"
            right += metres < RIGHT
        milliseconds = " | ".join(f"{1e3 * t:.0f}" for t in times[-1])
        print(f"| {target} | {source} | {error} | {verdict} | {milliseconds} |")
    means, largest = 1e3 * np.mean(times, axis=0), 1e3 * np.max(times, axis=0)
    row = (
        f"| {name} | {len(pairs)} | {right} | {100.0 * right / len(pairs):.1f} % | "
        f"{len(poses) - right} | {means[0]:.0f}, {largest[0]:.0f} | "
        f"{means[1]:.0f}, {largest[1]:.0f} |"
    )
    return poses, row


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="folder of cloud_bin_N.ply or .ply.xz")
    parser.add_argument(
        "--kind",
        default="3DMatch",
        help="of the pairs: 3DMatch or 3DLoMatch; their truth is gt/KIND.log and "
        "gt/KIND.info in the folder",
    )
    parser.add_argument(
        "--truth", help="other file of their poses; FILE.info is beside FILE.log"
    )
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument(
        "--voxel", type=float, default=0.05, help="side of all methods' voxels, metres"
    )
    parser.add_argument("--results", help="folder to write METHOD.log to")
    options = parser.parse_args()

    log = options.truth or os.path.join(options.folder, "gt", options.kind + ".log")
    pairs = {
        pair: truth
        for pair, truth in sorted(read_matrices(log, 4).items())
        if pair[1] - pair[0] > 1
    }
    information = read_matrices(os.path.splitext(log)[0] + ".info", 6)
    clouds = {
        number: read_points(os.path.join(options.folder, f"cloud_bin_{number}.ply"))
        for number in sorted({number for pair in pairs for number in pair})
    }
    rows = []
    for name in options.methods:
        try:
            method = METHODS[name](options.voxel)
        except (ImportError, OSError) as error:
            print(f"{name} is skipped: {error}")
            continue
        poses, row = run(name, method, clouds, pairs, information)
        rows.append(row)
        if options.results:
            os.makedirs(options.results, exist_ok=True)
            write_log(os.path.join(options.results, name + ".log"), pairs, poses)
    print("\n| method | pairs | right | share | false | ", end="")
    print(COLUMNS.format(": mean, largest"))
    print("|---|---|---|---|---|---|---|")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
