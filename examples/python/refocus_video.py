# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Takes an RGB-D video through a larger lens: sharp at one distance, blurred before
and behind it."""

import argparse
import os

import matplotlib
import numpy as np

from pcl_gpu import scenespace, utils

DATA = os.environ.get("PCL_GPU_TEST_DATA")
RECORDED = f"{DATA}/rgbd_video/redkitchen" if DATA else None


def render(frames: int) -> scenespace.RGBDVideo:
    """Makes a video of a camera that moves past discs before a wall."""
    camera = utils.PinholeCamera(fx=262, fy=262, cx=159.5, cy=119.5)
    video = scenespace.RGBDRecording()
    v, u = np.mgrid[0:240, 0:320]
    for i in range(frames):
        pose = np.eye(4)
        pose[0, 3] = 0.005 * (i - frames // 2)
        depth = np.full((240, 320), np.inf)
        color = np.full((240, 320, 4), 255, np.uint8)
        discs = ((0, 0, 4, 9), (0.7, 0.2, 2.5, 0.5), (-0.1, 0, 1.6, 0.3))
        for center_x, center_y, z, radius in (*discs, (-0.45, 0.1, 1, 0.2)):
            x = z * (u - 159.5) / 262 + pose[0, 3] - center_x
            y = z * (v - 119.5) / 262 - center_y
            hit = np.hypot(x, y) < radius
            depth[hit] = z
            checks = (np.floor(12 * x / z) + np.floor(12 * y / z)) % 2
            shades = np.array([[40, 60, 90], [220, 200, 90 + 40 * z]])
            color[hit, :3] = shades[checks[hit].astype(int)]
        metres = depth.astype(np.float32)
        video.add(scenespace.RGBDFrame(color, metres, camera, pose, i / 30))
    return video


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("video", nargs="?", default=RECORDED, help="folder")
    parser.add_argument("--frame", type=int, default=6, help="the one to make")
    parser.add_argument("--aperture", type=float, default=0.08, help="metres")
    parser.add_argument("--device", default="host", help="host, cuda or cuda:N")
    parser.add_argument("--output", default="refocus_video.png", help="picture")
    options = parser.parse_args()

    video = render(13)
    if options.video:
        video = scenespace.RegisteredRGBDVideo(
            scenespace.open_rgbd_folder(options.video)
        )
    frame = video[options.frame]
    near, far = (float(np.nanpercentile(frame.depth, p)) for p in (5, 90))
    pictures = {"as recorded": frame.color}
    for distance in (near, far):
        made = scenespace.SceneSpaceVideo(
            video,
            scenespace.VirtualApertureEffect(
                aperture=options.aperture, focus_distance=distance, lens_samples=48
            ),
            resources=scenespace.SceneSpaceResources(
                devices=[utils.Device(options.device)]
            ),
        )
        pictures[f"focus at {distance:.2f} m"] = made[options.frame].color
        print(f"frame {options.frame} with a focus at {distance:.2f} m")

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(15, 4.2), layout="constrained")
    for axis, (name, picture) in zip(axes, pictures.items(), strict=True):
        axis.imshow(picture[..., 2::-1])
        axis.set_title(name)
        axis.set_axis_off()
    figure.savefig(options.output, dpi=100)


if __name__ == "__main__":
    main()
