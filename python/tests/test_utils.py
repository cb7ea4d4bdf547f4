# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Cameras, images, splits, devices and errors."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest
from conftest import on_host

import pcl_gpu

from pcl_gpu import utils


def test_modules_are_loaded_when_they_are_used() -> None:
    assert pcl_gpu.triangulation.__name__ == "pcl_gpu.triangulation"
    with pytest.raises(AttributeError, match="no attribute 'teapots'"):
        pcl_gpu.teapots  # noqa: B018


def test_parameters_take_keywords_and_show_them() -> None:
    camera = utils.PinholeCamera(fx=500, cy=2.5, width=640)
    assert repr(camera) == (
        "PinholeCamera(fx=500.0, fy=0.0, cx=0.0, cy=2.5, width=640, height=0)"
    )


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p))]
)
def test_parameters_are_copied_and_pickled(duplicate: object) -> None:
    camera = utils.PinholeCamera(fx=500.25, fy=501, cx=3, cy=4, width=5, height=6)
    other = duplicate(camera)  # type: ignore[operator]
    assert other == camera
    other.fx = 1
    assert other != camera


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"f": 3}, 'PinholeCamera has no "f"; it has fx, fy, cx, cy, width, height'),
        ({"fx": "a"}, "fx: got 'a', a str; expected float"),
        ({"width": 2.5}, "width: got 2.5, a float; expected int"),
    ],
)
def test_wrong_parameters_are_named(values: dict[str, object], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        utils.PinholeCamera(**values)  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_values_out_of_range_have_the_text_of_the_library() -> None:
    camera = utils.PinholeCamera(fx=-1, fy=1)
    with pytest.raises(utils.BadArgumentError, match="-1: expected a positive number"):
        camera.validate()
    with pytest.raises(ValueError, match="-1"):
        camera.validate()


def test_a_camera_is_resized_about_its_corner() -> None:
    camera = utils.PinholeCamera(fx=100, fy=100, cx=49.5, cy=24.5, width=100, height=50)
    half = camera.resized(50, 25)
    assert (half.fx, half.cx, half.cy) == (50, 24.5, 12)


def test_images_are_written_and_read(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    depth = random.integers(0, 65536, (7, 5), np.uint16)
    utils.write_depth_image(tmp_path / "depth.png", depth)
    np.testing.assert_array_equal(utils.read_depth_image(tmp_path / "depth.png"), depth)
    color = random.integers(0, 256, (7, 5, 4), np.uint8)
    color[..., 3] = 255
    utils.write_color_image(tmp_path / "color.png", color)
    np.testing.assert_array_equal(utils.read_color_image(tmp_path / "color.png"), color)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nothing.png: No such file"):
        utils.read_depth_image(tmp_path / "nothing.png")


def test_points_get_four_numbers() -> None:
    points = np.arange(24, dtype=np.float32).reshape(2, 4, 3)[:, ::2]
    rows = utils.to_points(points)
    assert rows.shape == (2, 2, 4)
    np.testing.assert_array_equal(rows[..., :3], points)


def test_a_split_is_a_stable_sort(device: utils.Device) -> None:
    random = np.random.default_rng(2)
    keys = random.integers(0, 50, 10000, np.uint32)
    values = np.arange(10000, dtype=np.uint32)
    split = utils.BinSplit(50).split(
        utils.to_device(keys, device), utils.to_device(values, device)
    )
    split_keys, split_values, counts, starts = (on_host(array) for array in split)
    order = np.argsort(keys, kind="stable")
    np.testing.assert_array_equal(split_keys, keys[order])
    np.testing.assert_array_equal(split_values, values[order])
    np.testing.assert_array_equal(counts, np.bincount(keys, minlength=50))
    np.testing.assert_array_equal(starts, np.concatenate([[0], np.cumsum(counts)]))


def test_a_pose_looks_at_its_target() -> None:
    pose = utils.look_at([1, 2, 3], [1, 2, 8])
    np.testing.assert_allclose(pose[:3, 2], [0, 0, 1], atol=1e-6)
    np.testing.assert_allclose(pose[:3, 3], [1, 2, 3])


def test_devices_have_names() -> None:
    assert utils.Device("cuda:3").id == 3
    assert utils.Device("host") == utils.Device.host()
    assert pickle.loads(pickle.dumps(utils.Device("cuda:1"))).name == "cuda:1"
    with pytest.raises(ValueError, match='name is "gpu"'):
        utils.Device("gpu")


def test_a_device_is_current_in_its_block(device: utils.Device) -> None:
    former = utils.current_device()
    with device:
        assert utils.current_device() == device
    assert utils.current_device() == former
