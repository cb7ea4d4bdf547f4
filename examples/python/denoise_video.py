# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Removes the noise of an RGB-D video: each frame by those before and after it."""

import argparse
import os

import matplotlib
import numpy as np
from numpy.typing import NDArray

from pcl_gpu import scenespace, utils

DATA = os.environ.get("PCL_GPU_TEST_DATA")
RECORDED = f"{DATA}/rgbd_video/redkitchen" if DATA else None


def render(frames: int) -> scenespace.RGBDVideo:
    """Makes a video of a camera that moves along a wall, 2 m off, with a pattern."""
    camera = utils.PinholeCamera(fx=262, fy=262, cx=159.5, cy=119.5)
    video = scenespace.RGBDRecording()
    for i in range(frames):
        pose = np.eye(4)
        pose[0, 3] = 0.01 * i
        v, u = np.mgrid[0:240, 0:320]
        x, y = 2 * (u - 159.5) / 262 + pose[0, 3], 2 * (v - 119.5) / 262
        color = np.full((240, 320, 4), 255, np.uint8)
        for channel, phase in enumerate((0.0, 1.0, 2.0)):
            rings = np.cos(25 * np.hypot(x - 0.2 * phase, y) + phase)
            color[..., channel] = 128 + 60 * rings + 40 * np.sin(60 * x)
        depth = np.full((240, 320), 2, np.float32)
        video.add(scenespace.RGBDFrame(color, depth, camera, pose, i / 30))
    return video


def with_noise(video: scenespace.RGBDVideo, sigma: float) -> scenespace.RGBDVideo:
    """Adds noise to the colours of a video."""
    noisy = scenespace.RGBDRecording()
    random = np.random.default_rng(1)
    for frame in video:
        levels = frame.color[..., :3]
        noise = random.normal(0, sigma, levels.shape)
        levels[:] = np.clip(np.rint(levels + noise), 0, 255).astype(np.uint8)
        noisy.add(frame)
    return noisy


def error(image: NDArray[np.uint8], truth: NDArray[np.uint8]) -> float:
    """Returns the root mean square of the differences, levels."""
    difference = image[..., :3].astype(float) - truth[..., :3]
    return float(np.sqrt((difference**2).mean()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("video", nargs="?", default=RECORDED, help="folder")
    parser.add_argument("--noise", type=float, default=15, help="to add, levels")
    parser.add_argument("--frame", type=int, default=8, help="the one to make")
    parser.add_argument("--device", default="host", help="host, cuda or cuda:N")
    parser.add_argument("--output", default="denoise_video.png", help="picture")
    options = parser.parse_args()

    reach = 8
    video = render(17)
    if options.video:
        video = scenespace.RegisteredRGBDVideo(
            scenespace.open_rgbd_folder(options.video)
        )
    begin, end = options.frame - reach, options.frame + reach + 1
    video = scenespace.RGBDVideoRange(video, max(begin, 0), min(end, len(video)))
    number = options.frame - max(begin, 0)
    noisy = with_noise(video, options.noise)
    before = noisy[number].color
    noise = utils.estimate_noise(before)
    made = scenespace.SceneSpaceVideo(
        noisy,
        scenespace.DenoisingEffect(reach=reach),
        scenespace.ScenePreparation(noise=noise),
        scenespace.SceneSpaceResources(devices=[utils.Device(options.device)]),
    )
    after = made[number].color
    truth = video[number].color
    print(f"noise of {noise:.1f} levels, as estimated")
    print(f"error {error(before, truth):.1f} before, {error(after, truth):.1f} after")

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 2, figsize=(10.5, 8.2), layout="constrained")
    rows, columns = before.shape[:2]
    for column, (name, image) in enumerate((("before", before), ("after", after))):
        picture = image[..., 2::-1]
        axes[0, column].imshow(picture)
        axes[0, column].set_title(name)
        axes[1, column].imshow(
            picture[rows // 3 : 2 * rows // 3, columns // 3 : 2 * columns // 3]
        )
    for axis in axes.flat:
        axis.set_axis_off()
    figure.savefig(options.output, dpi=100)


if __name__ == "__main__":
    main()
