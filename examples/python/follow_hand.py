# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Follows a hand that closes and opens through simulated depth maps."""

import argparse

import matplotlib
import numpy as np
from numpy.typing import NDArray

from pcl_gpu import articulated, utils


def closing_hand(skeleton: articulated.Skeleton, frames: int) -> NDArray[np.float32]:
    """Returns poses half a metre before the camera, whose fingers bend one by one."""
    poses = np.tile(skeleton.rest_pose, (frames, 1))
    poses[:, :7] = [0, 0.1, 0.5, 0, 1, 0, 0]  # the palm to the camera, y down
    time = np.linspace(0, 1, frames)
    for place, finger in enumerate(("Index", "Middle", "Ring", "Pinky")):
        bend = np.sin(np.pi * np.clip(1.6 * time - 0.2 * place, 0, 1)) ** 2
        for number in (1, 2, 3):
            joint = skeleton.find_joint(f"RightHand{finger}{number}")
            poses[:, skeleton.angle_index(joint)] = 1.2 * bend
    return poses


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=40)
    parser.add_argument("--particles", type=int, default=300)
    parser.add_argument("--device", default="host", help="host, cuda or cuda:N")
    parser.add_argument("--output", default="followed_hand.png", help="picture")
    options = parser.parse_args()

    device, host = utils.Device(options.device), utils.Device.host()
    skeleton = articulated.make_hand_skeleton()
    poses = closing_hand(skeleton, options.frames)
    camera = utils.PinholeCamera(
        fx=260, fy=260, cx=79.5, cy=89.5, width=160, height=180
    )
    noise = articulated.DepthNoise(deviation=0.002, outlier_fraction=0)
    caster = articulated.CapsuleRayCaster(camera=camera)
    sensor = articulated.DepthSensorSimulation(camera=camera, noise=noise)
    kinematics = articulated.ForwardKinematics(skeleton)
    particle_filter = articulated.PoseParticleFilter(
        articulated.hand_tracking_parameters(skeleton),
        particle_count=options.particles,
    )
    particle_filter.set_skeleton(skeleton)
    with device:
        particle_filter.initialize(poses[0])

    followed, pictures = [], []
    for frame, skin in enumerate(kinematics.compute_capsules(poses)):
        depth = caster.cast(utils.to_device(skin, device))
        measured = sensor.add_noise(depth, frame)
        points = sensor.compute_points(measured)
        particle_filter.process_frame(points, [0, 0, 0], 1 / 30)
        followed.append(particle_filter.estimate.mean)
        pictures.append(utils.to_device(measured, host))
    joints = kinematics.compute_joints(np.stack(followed))[..., :3]
    truth = kinematics.compute_joints(poses)[..., :3]
    errors = 1000 * np.linalg.norm(joints - truth, axis=-1).mean(axis=1)
    print(f"{len(poses)} frames, mean error of the joints {errors.mean():.1f} mm")

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 4, figsize=(11, 6.4), layout="constrained")
    skins = kinematics.compute_capsules(np.stack(followed))
    for column, frame in enumerate(np.linspace(0, 0.6, 4) * (len(poses) - 1)):
        number = int(frame)
        axes[0, column].imshow(pictures[number], cmap="viridis", vmin=0.4, vmax=0.55)
        axes[0, column].set_title(f"frame {number}")
        _, ids, normals = caster.cast_with_normals(skins[number])
        shade = np.clip(0.2 - 0.8 * normals[..., 2], 0, 1)[..., None]
        axes[1, column].imshow(np.where(ids[..., None] < 0, 1, shade * [1, 0.7, 0.5]))
        axes[1, column].set_title(f"{errors[number]:.1f} mm")
        for one in axes[:, column]:
            one.set_axis_off()
    figure.savefig(options.output, dpi=80)
    print(options.output)


if __name__ == "__main__":
    main()
