# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Follows a person through simulated depth maps, and draws how exact that is."""

import argparse
import os

import matplotlib
import numpy as np
from numpy.typing import NDArray

from pcl_gpu import articulated, utils


def load_or_make(
    path: str | None, scale: float
) -> tuple[articulated.Skeleton, NDArray[np.float32]]:
    """Reads a BVH file, or lets a person walk on the spot. 30 poses a second."""
    folder = os.environ.get("PCL_GPU_TEST_DATA")
    if path is None and folder:
        path = f"{folder}/mocap/cmu_02_01.bvh"
        scale = 0.05644  # metres of the unit of CMU's files
    if path is not None:
        options = articulated.BvhOptions(scale=scale)
        skeleton, motion = articulated.load_bvh(path, options)
        articulated.add_body_capsules(skeleton)
        articulated.set_body_limits(skeleton)
        times = np.arange(0, len(motion), 1 / (30 * motion.frame_time))
        return skeleton, motion.poses[times.astype(int)]
    skeleton = articulated.make_human_skeleton()
    poses = np.tile(skeleton.rest_pose, (60, 1))
    swing = 0.6 * np.sin(np.arange(60) * 2 * np.pi / 30)
    for name, sign in (("LeftUpLeg", 1), ("RightUpLeg", -1)):
        poses[:, skeleton.angle_index(skeleton.find_joint(name))] += sign * swing
    return skeleton, poses


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("motion", nargs="?", help="BVH file")
    parser.add_argument("--scale", type=float, default=0.01, help="metres of its unit")
    parser.add_argument("--particles", type=int, default=250)
    parser.add_argument("--frames", type=int, default=60, help="most frames")
    parser.add_argument("--device", default="host", help="host, cuda or cuda:N")
    parser.add_argument("--output", default="followed_body.png", help="picture")
    options = parser.parse_args()

    device = utils.Device(options.device)
    skeleton, poses = load_or_make(options.motion, options.scale)
    poses = poses[: options.frames]
    camera = utils.PinholeCamera(
        fx=195, fy=195, cx=119.5, cy=89.5, width=240, height=180
    )
    view = articulated.view_of_motion(
        camera, poses, articulated.center_of_motion(poses)
    )
    caster = articulated.CapsuleRayCaster(camera=camera, pose=view)
    sensor = articulated.DepthSensorSimulation(camera=camera, pose=view)
    sensor.set_parameters(noise=articulated.DepthNoise(outlier_fraction=0.05))
    kinematics = articulated.ForwardKinematics(skeleton)
    particle_filter = articulated.PoseParticleFilter(
        articulated.body_tracking_parameters(skeleton),
        particle_count=options.particles,
    )
    particle_filter.set_skeleton(skeleton)
    with device:
        particle_filter.initialize(poses[0])

    followed, pictures = [], []
    for frame in range(len(poses)):
        pose = utils.to_device(poses[frame : frame + 1], device)
        skin = utils.to_device(kinematics.compute_capsules(pose), utils.Device.host())
        depth = caster.cast(utils.to_device(skin[0], device))
        measured = sensor.add_noise(depth, frame)
        points = sensor.compute_points(measured)
        particle_filter.process_frame(points, view[:3, 3], 1 / 30)
        followed.append(particle_filter.estimate.mean)
        pictures.append(utils.to_device(measured, utils.Device.host()))
    joints = kinematics.compute_joints(np.stack(followed))[..., :3]
    truth = kinematics.compute_joints(poses)[..., :3]
    errors = 100 * np.linalg.norm(joints - truth, axis=-1).mean(axis=1)
    print(f"{len(poses)} frames, mean error of the joints {errors.mean():.1f} cm")

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(13, 6.5), layout="constrained")
    grid = figure.add_gridspec(2, 3, height_ratios=[3, 1.6])
    for column, frame in enumerate((0, len(poses) // 2, len(poses) - 1)):
        axes = figure.add_subplot(grid[0, column])
        middle = np.nanmedian(pictures[frame])
        axes.imshow(
            pictures[frame], cmap="bone_r", vmin=middle - 0.6, vmax=middle + 0.6
        )
        for places, color, width in ((truth, "k", 4.5), (joints, "tab:orange", 2.5)):
            seen = (places[frame] - view[:3, 3]) @ view[:3, :3]
            u = camera.fx * seen[:, 0] / seen[:, 2] + camera.cx
            v = camera.fy * seen[:, 1] / seen[:, 2] + camera.cy
            for number, joint in enumerate(skeleton.joints):
                if joint.parent >= 0:
                    ends = [joint.parent, number]
                    axes.plot(u[ends], v[ends], color=color, linewidth=width)
            reach = 0.65 * np.ptp(v)
            axes.set_xlim(u.mean() - 1.3 * reach, u.mean() + 1.3 * reach)
            axes.set_ylim(v.min() + np.ptp(v) / 2 + reach, v.min() - 0.15 * np.ptp(v))
        axes.set_title(f"frame {frame}")
        axes.set_axis_off()
    axes = figure.add_subplot(grid[1, :])
    axes.plot(errors, color="tab:orange")
    axes.set(xlabel="frame", ylabel="mean error, cm", xlim=(0, len(poses) - 1))
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    figure.savefig(options.output, dpi=80)
    print(options.output)


if __name__ == "__main__":
    main()
