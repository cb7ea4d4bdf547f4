# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Finds people in one depth map, and draws their joints and skin over it."""

import argparse
import os

import matplotlib
import numpy as np
from numpy.typing import NDArray

from pcl_gpu import articulated, triangulation, utils


def read_or_render(
    path: str | None, intrinsics: str | None
) -> tuple[NDArray[np.float32], utils.PinholeCamera]:
    """Reads a 16-bit PNG in millimetres, or renders a person before a wall."""
    folder = os.environ.get("PCL_GPU_TEST_DATA")
    if path is None and folder:
        path = f"{folder}/people/open3d_person_depth_mm.png"
        intrinsics = "525,525,319.5,239.5"
    camera = utils.PinholeCamera(fx=260, fy=260, cx=159.5, cy=119.5)
    if intrinsics:
        fx, fy, cx, cy = map(float, intrinsics.split(","))
        camera = utils.PinholeCamera(fx=fx, fy=fy, cx=cx, cy=cy)
    if path is not None:
        raw = utils.clear_missing_depth(utils.read_depth_image(path))
        camera.height, camera.width = raw.shape
        return np.where(raw > 0, raw / 1000, np.nan).astype(np.float32), camera
    camera.width, camera.height = 320, 240
    skeleton = articulated.make_human_skeleton()
    pose = skeleton.rest_pose
    pose[:7] = [0, 0, 2.6, 0, 1, 0, 0]  # turned to the camera, whose y is down
    skin = articulated.ForwardKinematics(skeleton).compute_capsules(pose[None])[0]
    depth = articulated.CapsuleRayCaster(camera=camera).cast(skin)
    return np.fmin(depth, np.float32(4)), camera


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("depth", nargs="?", help="16-bit PNG, millimetres")
    parser.add_argument("--intrinsics", help="FX,FY,CX,CY, pixels")
    parser.add_argument("--device", default="host", help="host, cuda or cuda:N")
    parser.add_argument("--output", default="people.png", help="picture")
    options = parser.parse_args()

    depth, camera = read_or_render(options.depth, options.intrinsics)
    cloud = triangulation.DepthMapProjection(camera=camera).compute(depth)
    detection = articulated.PeopleDetection()
    with utils.Device(options.device):
        people = detection.detect(cloud)

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(13, 5.2), layout="constrained")
    caster = articulated.CapsuleRayCaster(camera=camera)
    seen = []
    for person in people:
        kinematics = articulated.ForwardKinematics(person.skeleton)
        joints = kinematics.compute_joints(person.pose[None])[0, :, :3]
        u = camera.fx * joints[:, 0] / joints[:, 2] + camera.cx
        v = camera.fy * joints[:, 1] / joints[:, 2] + camera.cy
        for number, joint in enumerate(person.skeleton.joints):
            if joint.parent >= 0:
                ends = [joint.parent, number]
                axes[1].plot(u[ends], v[ends], color="tab:orange", linewidth=3)
        axes[1].scatter(u, v, color="tab:red", s=22, zorder=3)
        skin = kinematics.compute_capsules(person.pose[None])[0]
        _, ids, normals = caster.cast_with_normals(skin)
        shade = np.clip(-normals[..., 2], 0, 1)
        colors = np.zeros((*depth.shape, 4))
        colors[..., :3] = np.nan_to_num(shade)[..., None] * [1.0, 0.6, 0.2]
        colors[..., 3] = 0.85 * (ids >= 0)
        axes[2].imshow(colors)
        seen.append(np.stack([u, v, joints[:, 2]]))
        named = articulated.name_joints(
            articulated.JointConvention.ITOP, person.skeleton, person.pose
        )
        head = next(joint for joint in named if joint.name == "Head")
        print(
            f"person of confidence {person.confidence:.2f}, head at "
            f"{', '.join(f'{number:.2f}' for number in head.position)} m"
        )
    print(f"{len(people)} people")
    # The part of the picture around the people, with colours for their depths.
    low, high = np.array([[0, 0, 0.5], [camera.width, camera.height, 6]])
    if seen:
        margin = np.array([0.12 * camera.width, 0.12 * camera.height, 0.6])
        low = np.maximum(low, np.concatenate(seen, 1).min(1) - margin)
        high = np.minimum(high, np.concatenate(seen, 1).max(1) + margin)
    for one, title in zip(axes, ("depth map", "joints", "skin"), strict=True):
        one.imshow(depth, cmap="bone_r", vmin=low[2], vmax=high[2], zorder=-1)
        one.set(title=title, xlim=(low[0], high[0]), ylim=(high[1], low[1]))
        one.set_axis_off()
    figure.savefig(options.output, dpi=80)
    print(options.output)


if __name__ == "__main__":
    main()
