# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Shows a moving thing at several times at once, each at its place in space; and
removes it. The camera moves, too."""

import argparse

import matplotlib
import numpy as np
from numpy.typing import NDArray

from pcl_gpu import scenespace, utils

CAMERA = utils.PinholeCamera(fx=262, fy=262, cx=159.5, cy=119.5)


def render(number: int, frames: int) -> tuple[scenespace.RGBDFrame, NDArray[np.bool_]]:
    """Renders a ball that flies past a pillar, before a wall; and its mask."""
    pose = np.eye(4)
    pose[0, 3] = 0.25 * number / frames
    v, u = np.mgrid[0:240, 0:320]
    ray = np.stack([(u - 159.5) / 262, (v - 119.5) / 262, np.ones((240, 320))], -1)
    depth = np.full((240, 320), 3.0)
    x, y = 3 * ray[..., 0] + pose[0, 3], 3 * ray[..., 1]
    color = np.full((240, 320, 4), 255, np.uint8)
    bricks = (np.floor(4 * x + 0.5 * (np.floor(8 * y) % 2)) + np.floor(8 * y)) % 2
    color[..., :3] = np.where(bricks[..., None] > 0, (120, 150, 190), (90, 110, 170))
    pillar = np.abs(1.7 * ray[..., 0] + pose[0, 3] - 0.35) < 0.09
    depth[pillar] = 1.7
    color[pillar, :3] = (70, 80, 60)
    time = number / (frames - 1)
    center = np.array(
        [-0.85 + 2.1 * time - pose[0, 3], 0.55 - 4 * time * (1 - time), 2]
    )
    half, square = ray @ center, (ray**2).sum(-1)
    root = half**2 - square * (center @ center - 0.15**2)
    hit = (half - np.sqrt(np.maximum(root, 0))) / square
    ball = (root > 0) & (hit < depth)
    depth[ball] = hit[ball]
    light = ((hit[..., None] * ray - center) @ [-0.4, -0.7, -0.6])[ball] / 0.15
    color[ball, :3] = np.clip(light, 0.15, 1)[:, None] * (40, 120, 250)
    frame = scenespace.RGBDFrame(color, depth.astype(np.float32), CAMERA, pose, time)
    return frame, ball


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("video", nargs="?", help="folder; else a ball is rendered")
    parser.add_argument("--masks", help="folder of masks of the video's movers")
    parser.add_argument("--times", type=int, default=6, help="number of them")
    parser.add_argument("--device", default="host", help="host, cuda or cuda:N")
    parser.add_argument("--output", default="make_action_shot.png", help="picture")
    options = parser.parse_args()

    video: scenespace.RGBDVideo
    if options.video:
        video = scenespace.RegisteredRGBDVideo(
            scenespace.open_rgbd_folder(options.video)
        )
        masks = scenespace.open_masks(options.masks, video)
    else:
        rendered = [render(i, 31) for i in range(31)]
        video = recording = scenespace.RGBDRecording()
        for frame, _ in rendered:
            recording.add(frame)
        masks = scenespace.Masks([mask for _, mask in rendered])
    chosen = np.linspace(0, len(video) - 1, options.times).astype(int).tolist()
    shown = chosen[len(chosen) // 3]
    pictures = {"input": video[shown].color}
    for name, effect in (
        ("action shot", scenespace.ActionShotEffect(frames=chosen)),
        ("removed", scenespace.InpaintingEffect()),
    ):
        made = scenespace.SceneSpaceVideo(
            video,
            effect,
            scenespace.ScenePreparation(masks=masks),
            scenespace.SceneSpaceResources(devices=[utils.Device(options.device)]),
        )
        pictures[name] = made[shown].color
    print(f"frame {shown} of {len(video)} shows the movers of frames {chosen}")

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
