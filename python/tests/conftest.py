# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Scenes and devices of the tests."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pcl_gpu import utils


def devices() -> list[str]:
    """Returns the devices of this machine."""
    return ["host"] + [f"cuda:{i}" for i in range(utils.cuda_device_count())]


def on_host(array: Any) -> NDArray[Any]:
    """Returns an array of any device as NumPy's."""
    result: NDArray[Any] = array if isinstance(array, np.ndarray) else array.numpy()
    return result


@pytest.fixture(autouse=True)
def host_is_current() -> Iterator[None]:
    """Without arrays of another device, tests run on the host."""
    with utils.Device.host():
        yield


@pytest.fixture(params=devices())
def device(request: pytest.FixtureRequest) -> utils.Device:
    """Each device of this machine."""
    return utils.Device(request.param)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of recorded data."""
    folder = os.environ.get("PCL_GPU_TEST_DATA", "")
    if not folder:
        pytest.skip("PCL_GPU_TEST_DATA names no folder with recorded data")
    return Path(folder)


@pytest.fixture(scope="session")
def programs() -> Path:
    """The folder of the C++ programs."""
    folder = os.environ.get("PCL_GPU_BIN", "")
    if not folder:
        pytest.skip("PCL_GPU_BIN names no folder with the programs")
    return Path(folder)


@pytest.fixture
def sphere_depth() -> NDArray[np.float32]:
    """Depth of a sphere of radius 0.5 m, 2 m before a camera of 100 pixels' focal
    length, 120 x 160 pixels; NaN beside it."""
    v, u = np.mgrid[0:120, 0:160].astype(np.float64)
    ray = np.stack([(u - 79.5) / 100, (v - 59.5) / 100, np.ones_like(u)], axis=-1)
    square = (ray**2).sum(axis=-1)
    half = 2.0
    root = half**2 - square * (2.0**2 - 0.5**2)
    with np.errstate(invalid="ignore"):
        depth = (half - np.sqrt(root)) / square
    result: NDArray[np.float32] = depth.astype(np.float32)
    return result
