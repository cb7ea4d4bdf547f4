# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Reads depth images of a ROS 2 bag or an MCAP file by `rosbags`, or the frames of a
video by `imageio`, and turns them into clouds.

Without an input it writes a small ROS 2 bag first. Needs `pip install rosbags`, and
`imageio[ffmpeg]` for videos.
"""

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from numpy.typing import NDArray

from pcl_gpu import triangulation, utils

Depth = NDArray[np.uint16]


def write_bag(path: Path, frames: int) -> None:
    """Writes depth images of a ball that moves before a wall."""
    from rosbags.rosbag2 import Writer
    from rosbags.typesys import Stores, get_typestore

    store = get_typestore(Stores.ROS2_HUMBLE)
    types: Any = store.types
    v, u = np.mgrid[0:120, 0:160]
    ray = np.stack([(u - 79.5) / 130, (v - 59.5) / 130, np.ones((120, 160))], -1)
    square = (ray**2).sum(-1)
    with Writer(path, version=9) as writer:
        name = "sensor_msgs/msg/Image"
        connection = writer.add_connection("/depth/image_raw", name, typestore=store)
        for i in range(frames):
            middle = np.array([0.8 * i / (frames - 1) - 0.4, 0, 1.4])
            half = ray @ middle
            root = half**2 - square * (middle @ middle - 0.25**2)
            hit = (half - np.sqrt(np.maximum(root, 0))) / square
            depth = (1000 * np.where(root > 0, hit, 2.0)).astype(np.uint16)
            stamp = types["builtin_interfaces/msg/Time"](sec=i, nanosec=0)
            header = types["std_msgs/msg/Header"](stamp=stamp, frame_id="camera")
            message = types[name](
                header=header,
                height=120,
                width=160,
                encoding="16UC1",
                is_bigendian=0,
                step=320,
                data=depth.view(np.uint8).ravel(),
            )
            writer.write(connection, i * 10**9, store.serialize_cdr(message, name))


def depth_images(path: Path) -> Iterator[Depth]:
    """Reads the depth images of a bag (or an MCAP file), or the frames of a video."""
    if path.suffix in (".avi", ".mkv", ".mp4"):
        import imageio.v3 as iio

        for frame in iio.imiter(path, pixel_format="gray16le"):
            yield np.ascontiguousarray(frame[..., 0] if frame.ndim == 3 else frame)
        return
    from rosbags.highlevel import AnyReader

    with AnyReader([path]) as reader:
        for connection, _, raw in reader.messages():
            if connection.msgtype != "sensor_msgs/msg/Image":
                continue
            message: Any = reader.deserialize(raw, connection.msgtype)
            if message.encoding in ("16UC1", "mono16"):
                rows = message.data.reshape(message.height, message.step)
                # The bytes of the message are shared: rows may be apart.
                yield rows.view(np.uint16)[:, : message.width]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recording", nargs="?", type=Path)
    parser.add_argument("--device", default="host", help="host, cuda or cuda:N")
    parser.add_argument("--output", default="recording.png", help="picture")
    options = parser.parse_args()
    folder = tempfile.TemporaryDirectory()
    if options.recording is None:
        options.recording = Path(folder.name) / "bag"
        write_bag(options.recording, 5)

    chain = triangulation.DepthMapTriangulation()
    host = utils.Device.host()
    pictures = []
    for depth in depth_images(options.recording):
        rows, columns = depth.shape
        focal = 525 * columns / 640
        camera = utils.PinholeCamera(
            fx=focal, fy=focal, cx=(columns - 1) / 2, cy=(rows - 1) / 2
        )
        chain.set_parameters(
            projection=triangulation.DepthMapProjectionParameters(camera=camera)
        )
        if options.device != "host":
            depth = utils.to_device(
                np.ascontiguousarray(depth), utils.Device(options.device)
            )
        chain.compute(depth, 0.001)
        pictures.append(utils.to_device(chain.normals, host)[..., :3])
        print(f"frame {len(pictures)}: {len(chain.faces)} triangles")

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    shown = pictures[:: max(1, len(pictures) // 5)][:5]
    figure, axes = plt.subplots(
        1,
        len(shown),
        figsize=(3 * len(shown), 2.6),
        layout="constrained",
        squeeze=False,
    )
    for one, normals in zip(axes[0], shown):
        one.imshow(np.nan_to_num(0.5 - 0.5 * normals, nan=1.0))
        one.set_axis_off()
    figure.savefig(options.output, dpi=80)
    print(options.output)


if __name__ == "__main__":
    main()
