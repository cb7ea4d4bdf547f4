# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Arrays go in and out without a copy, on all devices and in all packages."""

import gc
import sys
import threading
from typing import Any

import numpy as np
import pytest
from conftest import on_host
from numpy.typing import NDArray

from pcl_gpu import triangulation, utils

CAMERA = utils.PinholeCamera(fx=100, fy=100, cx=79.5, cy=59.5)


def projection() -> triangulation.DepthMapProjection:
    return triangulation.DepthMapProjection(camera=CAMERA)


def address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])


def resident_bytes() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


def needs_cuda() -> None:
    if utils.cuda_device_count() == 0:
        pytest.skip("needs a CUDA device")


def test_an_input_is_read_where_it_is(sphere_depth: NDArray[np.float32]) -> None:
    # A change of the caller's array is seen by the next call.
    convert = projection()
    assert convert.compute(sphere_depth)[60, 80, 2] == sphere_depth[60, 80]
    sphere_depth[60, 80] = 7.5
    assert convert.compute(sphere_depth)[60, 80, 2] == 7.5


def test_results_share_the_memory_that_is_filled(
    sphere_depth: NDArray[np.float32],
) -> None:
    convert = projection()
    first = convert.compute(sphere_depth)
    where = address(first)
    del first
    assert address(convert.compute(sphere_depth)) == where


def test_a_result_that_is_held_stays(sphere_depth: NDArray[np.float32]) -> None:
    convert = projection()
    first = convert.compute(sphere_depth)
    copy = first.copy()
    second = convert.compute(2 * sphere_depth)
    np.testing.assert_array_equal(first, copy)
    assert address(first) != address(second)


def test_a_result_outlives_its_algorithm(sphere_depth: NDArray[np.float32]) -> None:
    cloud = projection().compute(sphere_depth)
    gc.collect()
    assert cloud[60, 80, 2] == sphere_depth[60, 80]


def test_rows_may_be_apart(sphere_depth: NDArray[np.float32]) -> None:
    wide = np.zeros((120, 200), np.float32)
    wide[:, :160] = sphere_depth
    np.testing.assert_array_equal(
        projection().compute(wide[:, :160]), projection().compute(sphere_depth)
    )


def test_read_only_arrays_are_read(sphere_depth: NDArray[np.float32]) -> None:
    sphere_depth.setflags(write=False)
    projection().compute(sphere_depth)


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        (lambda d: d.astype(np.float64), TypeError, "got float64 of shape (120, 160)"),
        (lambda d: np.nan_to_num(d).astype(np.int32), TypeError, "got int32"),
        (
            lambda d: d[0],
            ValueError,
            "(160,) on host; expected float32 of shape (n, n)",
        ),
        (lambda d: d[:, ::2], ValueError, "do not lie together"),
        (lambda d: d[::-1], ValueError, "do not lie together"),
        (lambda d: d.T, ValueError, "do not lie together"),
        (lambda d: d.tolist(), TypeError, "got list; expected an array"),
    ],
)
def test_other_arrays_are_refused_by_name(
    sphere_depth: NDArray[np.float32], change: Any, error: Any, words: str
) -> None:
    with pytest.raises(error) as caught:
        projection().compute(change(sphere_depth))
    assert str(caught.value).startswith("depth: ")
    assert words in str(caught.value)


def test_references_are_given_back(sphere_depth: NDArray[np.float32]) -> None:
    before = sys.getrefcount(sphere_depth)
    convert = projection()
    cloud = convert.compute(sphere_depth)
    del cloud
    for bad in (sphere_depth[:, ::2], sphere_depth.astype(np.float64)):
        with pytest.raises((TypeError, ValueError)):
            convert.compute(bad)
    del bad
    gc.collect()
    assert sys.getrefcount(sphere_depth) == before


def test_ten_thousand_calls_leak_nothing() -> None:
    depth = np.ones((48, 64), np.float32)
    convert = projection()
    held = [convert.compute(depth)]

    def run(count: int) -> None:
        for i in range(count):
            cloud = convert.compute(depth)
            if i % 3 == 0:
                held[0] = cloud  # forces new memory

    run(1000)
    gc.collect()
    before = resident_bytes()
    run(10000)
    gc.collect()
    assert resident_bytes() - before < 2 << 20


def test_two_threads_at_once(sphere_depth: NDArray[np.float32]) -> None:
    expected = projection().compute(sphere_depth).copy()
    wrong: list[int] = []

    def run(number: int) -> None:
        convert = projection()
        for _ in range(200):
            cloud = convert.compute(sphere_depth)
            if not np.array_equal(cloud, expected, equal_nan=True):
                wrong.append(number)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_host_tensors_of_pytorch_are_shared() -> None:
    torch = pytest.importorskip("torch")
    depth = torch.ones((48, 64))
    convert = projection()
    cloud = convert.compute(depth)
    assert torch.from_numpy(cloud).data_ptr() == address(cloud)
    depth[3, 4] = 2.0
    assert convert.compute(depth)[3, 4, 2] == 2.0


def test_cuda_arrays_equal_the_host(
    device: utils.Device, sphere_depth: NDArray[np.float32]
) -> None:
    depth = utils.to_device(sphere_depth, device)
    cloud = projection().compute(depth)
    if device.is_cuda:
        assert cloud.device == device
        assert cloud.shape == (120, 160, 4)
        assert cloud.dtype == "float32"
    np.testing.assert_allclose(
        on_host(cloud), projection().compute(sphere_depth), rtol=1e-6, equal_nan=True
    )


@pytest.mark.parametrize("package", ["torch", "cupy"])
def test_cuda_memory_is_shared(package: str) -> None:
    needs_cuda()
    other = pytest.importorskip(package)
    for number in range(utils.cuda_device_count()):
        cloud = projection().compute(
            utils.to_device(np.ones((48, 64), np.float32), utils.Device.cuda(number))
        )
        assert isinstance(cloud, utils.CudaArray)
        pointer = cloud.__cuda_array_interface__["data"][0]
        there = other.from_dlpack(cloud)
        if package == "torch":
            assert there.data_ptr() == pointer
            assert other.as_tensor(cloud, device=there.device).data_ptr() == pointer
        else:
            assert there.data.ptr == pointer
            with other.cuda.Device(number):  # CuPy copies to its current device
                assert other.asarray(cloud).data.ptr == pointer
        del cloud
        gc.collect()
        assert float(there[0, 0, 2]) == 1.0  # it keeps the memory


@pytest.mark.parametrize("package", ["torch", "cupy"])
def test_cuda_inputs_are_read_where_they_are(package: str) -> None:
    needs_cuda()
    other = pytest.importorskip(package)
    if package == "torch":
        depth = other.ones((48, 64), dtype=other.float32, device="cuda")
    else:
        depth = other.ones((48, 64), dtype=other.float32)
    convert = projection()
    assert on_host(convert.compute(depth))[3, 4, 2] == 1.0
    depth[3, 4] = 2.0
    assert on_host(convert.compute(depth))[3, 4, 2] == 2.0


def test_work_comes_after_a_slow_kernel_of_another_stream() -> None:
    needs_cuda()
    torch = pytest.importorskip("torch")
    side = torch.cuda.Stream()
    depth = torch.ones((48, 64), device="cuda")
    torch.cuda.synchronize()
    convert = projection()
    with utils.Device.cuda(0):
        own = utils.Stream()
    for _ in range(5):
        with torch.cuda.stream(side):
            torch.cuda._sleep(50_000_000)
            depth.add_(1.0)
        # The tensor's stream is the current one of PyTorch.
        with torch.cuda.stream(side), own:
            cloud = convert.compute(depth)
            there = torch.from_dlpack(cloud)
            total = there[..., 2].sum()
        side.synchronize()
        assert float(total) == float(depth.sum())


def test_device_memory_does_not_leak() -> None:
    needs_cuda()
    device = utils.Device.cuda(0)
    depth = utils.to_device(np.ones((48, 64), np.float32), device)
    convert = projection()
    held = [convert.compute(depth)]

    def run(count: int) -> None:
        for i in range(count):
            cloud = convert.compute(depth)
            if i % 3 == 0:
                held[0] = cloud

    run(100)
    utils.synchronize()
    before = utils.free_memory_of(device)
    run(10000)
    utils.synchronize()
    assert before - utils.free_memory_of(device) < 4 << 20


def test_arrays_of_two_devices_are_refused() -> None:
    needs_cuda()
    image = np.zeros((48, 64, 4), np.uint8)
    depth = utils.to_device(np.ones((48, 64), np.float32), utils.Device.cuda(0))
    with pytest.raises(ValueError, match="cuda:0"):
        projection().compute(depth, colors=image)
