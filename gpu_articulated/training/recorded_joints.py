# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Writes the joints of recorded motion for train.py.

    python3 recorded_joints.py joints.npy CLIP.bvh ...

Bodies may have any joints whose names loadSkeleton() understands, and any unit of
length. Frames that hardly differ from the last one kept are left out. Needs the package
pcl_gpu (see python/README.md).
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pcl_gpu import articulated

LEAST_CHANGE = 0.05  # of a joint's place, as a share of the body's reach


def joints_in(clip: Path) -> NDArray[np.float32]:
    """Returns the joints of JointConvention.ITOP in each frame, (frames, 15, 3)."""
    skeleton, motion = articulated.load_bvh(clip)
    articulated.add_body_capsules(skeleton)
    frames = []
    for pose in motion.poses:
        named = articulated.name_joints(
            articulated.JointConvention.ITOP, skeleton, pose
        )
        frames.append([joint.position for joint in named])
    return np.array(frames, np.float32)


def thinned(joints: NDArray[np.float32]) -> NDArray[np.float32]:
    """Returns the frames that differ from the last one kept."""
    around = joints - joints[:, 8:9]
    reach = np.linalg.norm(around, axis=-1).max()
    kept = [0]
    for frame, places in enumerate(around):
        change = np.linalg.norm(places - around[kept[-1]], axis=-1).max()
        if change > LEAST_CHANGE * reach:
            kept.append(frame)
    return joints[kept]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("joints", type=Path, help="file to write")
    parser.add_argument("clips", type=Path, nargs="+", help="BVH files, y points up")
    options = parser.parse_args()
    clips = [thinned(joints_in(clip)) for clip in options.clips]
    part = options.joints.with_suffix(".part")
    with open(part, "wb") as out:
        np.save(out, np.concatenate(clips))
    os.replace(part, options.joints)


if __name__ == "__main__":
    main()
