# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""RGB-D videos, samples of the scene, and effects."""

import copy
import gc
import math
import os
import pickle
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import on_host
from numpy.typing import NDArray

from pcl_gpu import scenespace, utils

WIDTH, HEIGHT, FRAMES = 64, 48, 8
CAMERA = utils.PinholeCamera(fx=60, fy=60, cx=31.5, cy=23.5, width=WIDTH, height=HEIGHT)
RESOURCES = scenespace.SceneSpaceResources(memory=1 << 28, reading_threads=1)


def pose_of(number: int) -> NDArray[np.float32]:
    pose = np.eye(4, dtype=np.float32)
    pose[0, 3] = 0.02 * number
    return pose


def render(number: int) -> tuple[NDArray[np.uint8], NDArray[np.float32], Any]:
    """A wall 2 m off with a pattern, and a box at 1.2 m that moves to the right, seen
    by a camera that moves, too. Returns colour, depth and the mask of the box."""
    v, u = np.mgrid[0:HEIGHT, 0:WIDTH]
    x, y = (u - 31.5) / 60, (v - 23.5) / 60
    offset = float(pose_of(number)[0, 3])
    at_box = np.abs(1.2 * x + offset - 0.1 * (number - 3)) < 0.12
    at_box &= np.abs(1.2 * y) < 0.15
    depth = np.where(at_box, 1.2, 2.0).astype(np.float32)
    wall_x, wall_y = 2 * x + offset, 2 * y
    pattern = np.stack(
        [
            128 + 90 * np.sin(9 * wall_x),
            128 + 90 * np.sin(11 * wall_y),
            128 + 90 * np.sin(7 * (wall_x + wall_y)),
            np.full_like(x, 255),
        ],
        axis=-1,
    )
    pattern[at_box] = (40, 200, 90, 255)
    noise = np.random.default_rng(number).normal(0, 6, (HEIGHT, WIDTH, 3))
    pattern[..., :3] += noise
    color = np.clip(np.rint(pattern), 0, 255).astype(np.uint8)
    depth[number + 5 : number + 8, 20:23] = np.nan
    return color, depth, at_box


def recorded() -> scenespace.RGBDRecording:
    recording = scenespace.RGBDRecording()
    for i in range(FRAMES):
        color, depth, _ = render(i)
        recording.add(
            scenespace.RGBDFrame(color, depth, CAMERA, pose_of(i), time=i / 30)
        )
    return recording


@pytest.fixture
def video() -> scenespace.RGBDRecording:
    return recorded()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The video as a folder, and masks of the box."""
    place = tmp_path_factory.mktemp("video")
    scenespace.write_rgbd_folder(recorded(), place / "video")
    (place / "masks").mkdir()
    for i in range(FRAMES):
        mask = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
        mask[render(i)[2]] = 255
        utils.write_color_image(str(place / "masks" / f"{i:06}.png"), mask)
    return place


def plane_frame(
    device: utils.Device, number: int, level: int, pose: Any = np.eye(4)
) -> scenespace.SceneFrame:
    """A grey wall 2 m off, seen at a time."""
    color = np.full((HEIGHT, WIDTH, 4), level, np.uint8)
    depth = np.full((HEIGHT, WIDTH), 2, np.float32)
    return scenespace.SceneFrame(
        utils.to_device(color, device),
        utils.to_device(depth, device),
        CAMERA,
        pose,
        number,
    )


# Frames


def test_a_frame_has_the_pixels_that_it_was_given() -> None:
    color, depth, _ = render(0)
    frame = scenespace.RGBDFrame(color, depth, CAMERA, pose_of(3), 0.5, "first")
    np.testing.assert_array_equal(frame.color, color)
    np.testing.assert_array_equal(frame.depth, depth)
    np.testing.assert_array_equal(frame.depth_pose, pose_of(3))
    assert (frame.time, frame.name) == (0.5, "first")
    assert pickle.loads(pickle.dumps(frame)) == frame
    assert copy.deepcopy(frame) == frame


def test_images_of_a_frame_are_shared_and_keep_it_alive() -> None:
    color, depth, _ = render(0)
    frame = scenespace.RGBDFrame(color, depth, CAMERA)
    images = frame.color, frame.depth
    assert images[0].ctypes.data == frame.color.ctypes.data
    assert images[1].ctypes.data == frame.depth.ctypes.data
    del frame
    gc.collect()
    np.testing.assert_array_equal(images[0], color)
    np.testing.assert_array_equal(images[1], depth)


def test_raw_depth_is_scaled_and_0_is_missing() -> None:
    color = render(0)[0]
    raw = np.arange(HEIGHT * WIDTH, dtype=np.uint16).reshape(HEIGHT, WIDTH)
    depth = scenespace.RGBDFrame(color, raw, CAMERA, scale=0.001).depth
    assert np.isnan(depth[0, 0])
    truth = np.float32(0.001) * raw.astype(np.float32)
    np.testing.assert_array_equal(depth.ravel()[1:], truth.ravel()[1:])
    with pytest.raises(ValueError, match="scale is None"):
        scenespace.RGBDFrame(color, raw, CAMERA)


def test_wrong_images_are_refused_by_name() -> None:
    color, depth, _ = render(0)
    with pytest.raises(TypeError, match="color: got float32.*expected uint8"):
        scenespace.RGBDFrame(color.astype(np.float32), depth, CAMERA)
    with pytest.raises(TypeError, match="depth: got float64"):
        scenespace.RGBDFrame(color, depth.astype(np.float64), CAMERA)
    with pytest.raises(ValueError, match=r"color: got uint8 of shape \(48, 64, 3\)"):
        scenespace.RGBDFrame(color[..., :3].copy(), depth, CAMERA)
    with pytest.raises(ValueError, match="depth: got .* do not lie together"):
        scenespace.SceneFrame(color, np.asfortranarray(depth), CAMERA)


def test_a_frame_on_a_device_shares_and_keeps_its_images() -> None:
    color, depth, _ = render(0)
    addresses = color.ctypes.data, depth.ctypes.data
    frame = scenespace.SceneFrame(color, depth, CAMERA, number=7)
    copies = color.copy(), depth.copy()
    del color, depth
    gc.collect()
    images = frame.color, frame.depth
    assert (images[0].ctypes.data, images[1].ctypes.data) == addresses
    del frame
    gc.collect()
    np.testing.assert_array_equal(images[0], copies[0])
    np.testing.assert_array_equal(images[1], copies[1])


# Videos


def test_a_video_is_a_sequence(video: scenespace.RGBDRecording) -> None:
    assert len(video) == FRAMES
    assert video[-1] == video.read(FRAMES - 1)
    assert [frame.time for frame in video] == [i / 30 for i in range(FRAMES)]
    with pytest.raises(IndexError, match="the video has 8"):
        video[FRAMES]
    part = scenespace.RGBDVideoRange(video, 2, 5)
    assert list(part) == [video[2], video[3], video[4]]
    assert list(scenespace.RGBDFrameStream(video, 2, 5)) == list(part)


def test_a_folder_has_the_frames_that_were_written(
    video: scenespace.RGBDRecording, folder: Path
) -> None:
    files = scenespace.open_rgbd_folder(folder / "video")
    assert isinstance(files, scenespace.RGBDVideoFiles)
    assert scenespace.names_color_camera(folder / "video")
    for read, written in zip(files, video, strict=True):
        np.testing.assert_array_equal(read.color, written.color)
        np.testing.assert_allclose(read.depth, written.depth, atol=0.0005 + 1e-6)
        np.testing.assert_allclose(read.color_pose, written.color_pose, atol=1e-6)
        assert read.color_camera == CAMERA
    with pytest.raises(utils.FileError, match="nowhere"):
        scenespace.open_rgbd_folder(folder / "nowhere")


def test_files_make_a_video(folder: Path) -> None:
    opened = scenespace.open_rgbd_folder(folder / "video")
    assert isinstance(opened, scenespace.RGBDVideoFiles)
    frames = [opened.frame(i) for i in range(3)]
    again = scenespace.RGBDVideoFiles(frames, 0.001)
    assert list(again) == [opened[i] for i in range(3)]


def test_a_class_of_pythons_is_a_video() -> None:
    class Rendered(scenespace.RGBDVideo):
        def __len__(self) -> int:
            return FRAMES

        def view(self, number: int) -> scenespace.RGBDView:
            return scenespace.RGBDView(
                time=number / 30,
                color_camera=CAMERA,
                depth_camera=CAMERA,
                color_pose=pose_of(number),
                depth_pose=pose_of(number),
            )

        def read(self, number: int) -> scenespace.RGBDFrame:
            color, depth, _ = render(number)
            return scenespace.RGBDFrame(
                color, depth, CAMERA, pose_of(number), number / 30
            )

    effect = scenespace.DenoisingEffect(reach=2)
    preparation = scenespace.ScenePreparation(noise=6)
    resources = scenespace.SceneSpaceResources(memory=1 << 28, reading_threads=2)
    made = scenespace.SceneSpaceVideo(Rendered(), effect, preparation, resources)
    truth = scenespace.SceneSpaceVideo(recorded(), effect, preparation, RESOURCES)
    assert made[3] == truth[3]


def test_errors_of_a_video_of_pythons_arrive() -> None:
    class Broken(scenespace.RGBDVideo):
        def __len__(self) -> int:
            return 3

        def view(self, number: int) -> scenespace.RGBDView:
            return recorded().view(number)

        def read(self, number: int) -> scenespace.RGBDFrame:
            raise ArithmeticError(f"frame {number} is lost")

    effect = scenespace.DeblurringEffect(reach=1)
    made = scenespace.SceneSpaceVideo(Broken(), effect, None, RESOURCES)
    with pytest.raises(ArithmeticError, match="is lost"):
        made.read(1)


def test_depth_is_registered_to_a_colour_camera_beside() -> None:
    color = render(0)[0]
    depth = np.full((HEIGHT, WIDTH), 2, np.float32)
    beside = np.eye(4)
    beside[0, 3] = 0.1  # 0.1 m is 3 pixels at 2 m
    recording = scenespace.RGBDRecording()
    recording.add(
        scenespace.RGBDFrame(
            color, depth, CAMERA, beside, depth_camera=CAMERA, depth_pose=np.eye(4)
        )
    )
    registered = scenespace.RegisteredRGBDVideo(recording)[0]
    np.testing.assert_allclose(registered.depth[:, : WIDTH - 3], 2, rtol=1e-6)
    assert np.isnan(registered.depth[:, WIDTH - 3 :]).all()
    np.testing.assert_allclose(registered.depth_pose, beside, atol=1e-7)


def test_all_frames_are_worked_on(video: scenespace.RGBDRecording) -> None:
    means: dict[int, float] = {}
    told: list[tuple[int, int]] = []

    def work(frame: scenespace.RGBDFrame, number: int) -> None:
        means[number] = float(frame.color.mean())

    scenespace.for_each_frame(
        video, work, threads=2, progress=lambda done, total: told.append((done, total))
    )
    assert means == {i: float(render(i)[0].mean()) for i in range(FRAMES)}
    assert told == [(i, FRAMES) for i in range(FRAMES + 1)]


@pytest.mark.parametrize("threads", [1, 2])
def test_writing_stops_on_ctrl_c_and_goes_on(
    video: scenespace.RGBDRecording, tmp_path: Path, threads: int
) -> None:
    class Slow(scenespace.RGBDVideo):
        def __len__(self) -> int:
            return FRAMES

        def view(self, number: int) -> scenespace.RGBDView:
            return video.view(number)

        def read(self, number: int) -> scenespace.RGBDFrame:
            time.sleep(0.04)
            return video.read(number)

    callers: set[int] = set()

    def interrupt(done: int, total: int) -> None:
        callers.add(threading.get_ident())
        if done == 2:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        scenespace.write_rgbd_folder(
            Slow(), tmp_path, threads=threads, progress=interrupt
        )
    assert callers == {threading.get_ident()}
    there = len(list((tmp_path / "depth").iterdir()))
    assert 2 <= there < FRAMES
    told: list[int] = []
    scenespace.write_rgbd_folder(
        video, tmp_path, resume=True, progress=lambda done, _: told.append(done)
    )
    assert told == list(range(there, FRAMES + 1))
    assert len(scenespace.open_rgbd_folder(tmp_path)) == FRAMES


def test_an_error_in_the_progress_stops_writing(
    video: scenespace.RGBDRecording, tmp_path: Path
) -> None:
    def fail(done: int, total: int) -> None:
        raise ArithmeticError("no more")

    with pytest.raises(ArithmeticError, match="no more"):
        scenespace.write_rgbd_folder(video, tmp_path, progress=fail)


def test_masks_are_the_same_from_files_arrays_and_functions(
    video: scenespace.RGBDRecording, folder: Path
) -> None:
    masks: list[NDArray[Any] | None] = [render(i)[2] for i in range(FRAMES)]
    masks[5] = None
    files = scenespace.open_masks(folder / "masks", video)
    arrays = scenespace.Masks(masks)
    for source in (files, arrays):
        mask = source(2)
        assert mask is not None
        np.testing.assert_array_equal(mask > 0, masks[2])
    assert arrays(5) is None
    effect = scenespace.InpaintingEffect(step=1)
    made = [
        scenespace.SceneSpaceVideo(
            video, effect, scenespace.ScenePreparation(masks=m), RESOURCES
        )[2]
        for m in (arrays, lambda number: masks[number])
    ]
    assert made[0] == made[1]
    assert not np.array_equal(made[0].color, video[2].color)
    preparation = scenespace.ScenePreparation(masks=arrays)
    assert isinstance(preparation.masks, scenespace.Masks)
    with pytest.raises(TypeError, match="masks: expected"):
        scenespace.ScenePreparation(masks=3)  # type: ignore[arg-type]


# Parameters


def test_parameters_are_printed_copied_and_pickled() -> None:
    parameters = scenespace.ComputationalShutterEffectParameters(
        shutter=scenespace.Shutter.strobe(3, 2)
    )
    assert "weights=[1.0, 0.0, 1.0, 0.0, 1.0]" in repr(parameters)
    assert pickle.loads(pickle.dumps(parameters)) == parameters
    view = scenespace.SceneView(camera=CAMERA, pose=pose_of(2), time=2)
    views = scenespace.VirtualViewEffectParameters(views=[view])
    assert pickle.loads(pickle.dumps(views)).views == [view]
    volume = scenespace.QueryVolume.box([0.1, 0.2, 0.3])
    gathering = scenespace.SampleGatheringParameters(volume=volume)
    assert pickle.loads(pickle.dumps(gathering)).volume == volume
    with pytest.raises(utils.BadArgumentError, match="reach"):
        scenespace.DenoisingEffect(reach=-1)


def test_shutters_are_their_closed_forms() -> None:
    gaussian = scenespace.Shutter.gaussian(2)
    times = np.arange(len(gaussian.weights)) + gaussian.first
    shape = np.array(gaussian.weights) / max(gaussian.weights)
    np.testing.assert_allclose(shape, np.exp(-(times**2) / 8), rtol=1e-5)
    sampled = scenespace.Shutter.sampled(lambda t: abs(t) + 1, -2, 1)
    assert sampled == scenespace.Shutter(first=-2, weights=[3, 2, 1, 2])


def test_windows_and_weights_are_their_closed_forms(
    video: scenespace.RGBDRecording,
) -> None:
    assert scenespace.frame_window(video, 1, 4, 2) == [1, 3, 5]
    weights = scenespace.time_weights([1, 3, 5], 1, 2.0)
    np.testing.assert_allclose(weights, [1, math.exp(-0.5), math.exp(-2)], rtol=1e-6)


# Gathering


@pytest.mark.parametrize("width", [1, 3])
def test_sets_hold_the_samples_of_brute_force(device: utils.Device, width: int) -> None:
    frames = []
    for i in range(3):
        color, depth, _ = render(i)
        frames.append(
            scenespace.SceneFrame(
                utils.to_device(color, device),
                utils.to_device(depth, device),
                CAMERA,
                pose_of(i),
                i,
            )
        )
    volume = scenespace.QueryVolume.frustum(scenespace.QueryFrustum(width=width))
    gathering = scenespace.SampleGathering(volume=volume, max_samples=64)
    view = scenespace.SceneView(camera=CAMERA, pose=pose_of(1), time=1)
    sets = gathering.gather(frames, view)
    counts = on_host(sets.counts).reshape(HEIGHT, WIDTH)
    truth = np.zeros_like(counts)
    row, column = np.mgrid[0:HEIGHT, 0:WIDTH]
    for i in range(3):
        depth = render(i)[1].astype(np.float64)
        shift = float(pose_of(i)[0, 3]) - float(pose_of(1)[0, 3])
        u = column + 60 * shift / depth
        for dy in range(-(width // 2), width // 2 + 1):
            for x in range(WIDTH):
                y = row + dy
                # Both ends lie a millionth of a pixel further.
                seen = np.isfinite(depth) & (y >= 0) & (y < HEIGHT)
                seen &= (u > x - width / 2 + 1e-6) & (u <= x + width / 2 + 1e-6)
                np.add.at(truth[:, x], y[seen], 1)
    np.testing.assert_array_equal(counts, truth)
    samples = sets.download(30, 20)
    assert len(samples) == counts[20, 30]
    for s in samples:
        color, depth, _ = render(s.frame)
        assert s.depth == depth[s.row, s.column]
        assert (s.blue, s.green, s.red) == tuple(color[s.row, s.column, :3])


def test_sets_that_are_held_stay(device: utils.Device) -> None:
    gathering = scenespace.SampleGathering(max_samples=16)
    view = scenespace.SceneView(camera=CAMERA)
    sets = gathering.gather([plane_frame(device, 0, 10)], view)
    depths = sets.counts
    before = on_host(depths).copy()
    gathering.gather([plane_frame(device, i, 10) for i in range(2)], view)
    np.testing.assert_array_equal(on_host(depths), before)


def test_a_sphere_holds_the_samples_near_the_point() -> None:
    volume = scenespace.QueryVolume.sphere(0.05)  # 1.5 pixels at 2 m
    gathering = scenespace.SampleGathering(volume=volume, max_samples=64)
    view = scenespace.SceneView(camera=CAMERA)
    frame = plane_frame(utils.Device("host"), 0, 10)
    sets = gathering.gather([frame], view, frame.depth)
    assert len(sets.download(30, 20)) == 9
    with pytest.raises(ValueError, match="reference depth is missing"):
        gathering.gather([frame], view)


def test_sets_out_of_core_are_those_of_one_go(video: scenespace.RGBDRecording) -> None:
    view = scenespace.SceneView(camera=CAMERA, pose=pose_of(3), time=3)
    frames = [scenespace.SceneFrame.upload(video[i], i) for i in range(FRAMES)]
    gathering = scenespace.SampleGathering(max_samples=100)
    truth = gathering.gather(frames, view)
    resources = scenespace.SceneSpaceResources(memory=1500000, reading_threads=1)
    parts = scenespace.OutOfCoreGathering(video, resources, max_samples=100)
    numbers = list(range(FRAMES))
    counts = np.zeros((HEIGHT, WIDTH), np.uint32)

    def work(
        sets: scenespace.SampleSets, parts: Sequence[scenespace.SceneFrame]
    ) -> None:
        r = sets.region
        rows, columns = slice(r.row, r.row + r.rows), slice(
            r.column, r.column + r.columns
        )
        counts[rows, columns] = on_host(sets.counts).reshape(r.rows, r.columns)

    statistics = parts.gather(numbers, view, work)
    assert statistics.regions > 1
    np.testing.assert_array_equal(counts.ravel(), on_host(truth.counts))

    def fail(sets: Any, parts: Any) -> None:
        raise ArithmeticError("no more")

    with pytest.raises(ArithmeticError, match="no more"):
        parts.gather(numbers, view, fail)


def test_an_average_is_the_weighted_mean(device: utils.Device) -> None:
    average = scenespace.SceneSpaceAverage(sigma_pixel=math.inf, sigma_rgb=math.inf)
    with device:
        average.begin(scenespace.SceneView(camera=CAMERA))
    average.add([plane_frame(device, 0, 100), plane_frame(device, 1, 40)], [1, 2])
    average.add([plane_frame(device, 2, 200)], [3])
    image = average.finish()
    color = on_host(image.color)
    assert (color[..., :3] == round((100 + 80 + 600) / 6)).all()
    np.testing.assert_allclose(on_host(image.depth), 2, rtol=1e-6)


def test_a_surface_is_the_wall_and_not_a_stray_sample(device: utils.Device) -> None:
    depth = np.full((HEIGHT, WIDTH), 2, np.float32)
    depth[20, 30] = 1
    stray = scenespace.SceneFrame(
        utils.to_device(np.zeros((HEIGHT, WIDTH, 4), np.uint8), device),
        utils.to_device(depth, device),
        CAMERA,
    )
    surface = scenespace.SceneSurface()
    with device:
        surface.begin(scenespace.SceneView(camera=CAMERA))
    surface.add([stray] + [plane_frame(device, i, 9) for i in range(1, 9)])
    np.testing.assert_allclose(on_host(surface.finish()), 2, rtol=1e-6)


def test_denoising_of_sets_is_that_of_one_go(video: scenespace.RGBDRecording) -> None:
    frames = [scenespace.SceneFrame.upload(video[i], i) for i in range(FRAMES)]
    reference = frames[3]
    denoising = scenespace.SceneSpaceDenoising()
    at_once = denoising.compute(reference, frames)
    sets = scenespace.SampleGathering(max_samples=200).gather(frames, reference.view)
    np.testing.assert_array_equal(
        denoising.compute(reference, frames, sets)[..., :3], at_once[..., :3]
    )
    region = scenespace.ImageRegion(column=32, row=16, columns=32, rows=32)
    part = scenespace.SampleGathering(max_samples=200, region=region).gather(
        frames, reference.view
    )
    with pytest.raises(ValueError, match="color is None"):
        denoising.compute(reference, frames, part)
    image = np.full((HEIGHT, WIDTH, 4), 7, np.uint8)
    assert denoising.compute(reference, frames, part, image) is image
    np.testing.assert_array_equal(image[16:, 32:, :3], at_once[16:, 32:, :3])
    assert (image[:16] == 7).all() and (image[:, :32] == 7).all()


def test_batches_go_through_frames_with_little_room(
    video: scenespace.RGBDRecording,
) -> None:
    preparation = scenespace.ScenePreparation()
    size = scenespace.SceneFrameStore.estimate_memory(WIDTH, HEIGHT, preparation)
    store = scenespace.SceneFrameStore(video, preparation, 3 * size)
    assert store.capacity == 3
    weights = [float(i) for i in range(FRAMES)]
    seen: list[tuple[int, float]] = []
    batch = None
    for batch in store.batches(list(range(FRAMES)), weights):
        assert batch.first == len(seen)
        seen += zip([f.number for f in batch.frames], batch.weights, strict=True)
    assert seen == [(i, float(i)) for i in range(FRAMES)]
    assert batch is not None and batch.frames == []
    frame = store.get(2).frame
    np.testing.assert_array_equal(on_host(frame.color), video[2].color)


# Filters of single images


def test_non_local_means_is_that_of_numpy(device: utils.Device) -> None:
    rng = np.random.default_rng(4)
    image = np.full((20, 24, 4), 255, np.uint8)
    image[..., :3] = rng.normal(128, 10, (20, 24, 3)).clip(0, 255)
    image[:, 12:, :3] //= 2
    sigma, strength, patch, search = 10.0, 0.8, 1, 3
    reach = patch + search
    c = np.pad(
        image[..., :3].astype(np.float64), ((reach,) * 2,) * 2 + ((0, 0),), "edge"
    )
    total, weights = np.zeros((20, 24, 3)), np.zeros((20, 24, 1))
    row, column = np.mgrid[0:20, 0:24]

    def shifted(dy: int, dx: int) -> NDArray[np.float64]:
        return c[reach + dy : reach + dy + 20, reach + dx : reach + dx + 24]

    for dy in range(-search, search + 1):
        for dx in range(-search, search + 1):
            d = np.zeros((20, 24))
            for ky in range(-patch, patch + 1):
                for kx in range(-patch, patch + 1):
                    difference = shifted(ky, kx) - shifted(dy + ky, dx + kx)
                    d += (difference**2).sum(axis=-1)
            d /= 9 * 3 * 2 * sigma**2
            w = np.exp(-np.maximum(0, d - 1) / strength**2)
            inside = (row + dy >= 0) & (row + dy < 20)
            inside &= (column + dx >= 0) & (column + dx < 24)
            w = (w * inside)[..., None]
            total += w * shifted(dy, dx)
            weights += w
    means = scenespace.NonLocalMeans(search_reach=search, strength=strength)
    filtered = on_host(means.compute(utils.to_device(image, device), sigma))
    np.testing.assert_allclose(filtered[..., :3], total / weights, atol=0.51)


def test_noise_of_all_pixels_is_that_of_each(device: utils.Device) -> None:
    image = utils.to_device(render(0)[0], device)
    variance = utils.to_device(np.full((HEIGHT, WIDTH), 36, np.float32), device)
    means = scenespace.NonLocalMeans()
    a, b = means.compute(image, 6.0), means.compute(image, variance=variance)
    np.testing.assert_allclose(on_host(a).astype(int), on_host(b).astype(int), atol=1)
    with pytest.raises(ValueError, match="sigma, variance: expected one"):
        means.compute(image)


def test_a_collaborative_filter_finds_a_gradient_in_noise(device: utils.Device) -> None:
    truth = np.mgrid[0:HEIGHT, 0:WIDTH][1] * 2.0 + 60
    rng = np.random.default_rng(5)
    image = np.full((HEIGHT, WIDTH, 4), 255, np.uint8)
    image[..., :3] = np.rint(truth[..., None] + rng.normal(0, 8, (HEIGHT, WIDTH, 3)))
    variance = np.full((HEIGHT, WIDTH), 64, np.float32)
    smooth = on_host(
        scenespace.CollaborativeFilter().compute(
            utils.to_device(image, device), utils.to_device(variance, device)
        )
    )
    deviation = (smooth[..., :3].astype(np.float64) - truth[..., None]).std()
    assert deviation < 8 / 3


def test_holes_get_the_depth_of_like_colours(device: utils.Device) -> None:
    color = np.zeros((20, 30, 4), np.uint8)
    color[:, 15:] = 200
    depth = np.where(color[..., 0] > 0, 1.0, 3.0).astype(np.float32)
    truth = depth.copy()
    depth[5:12, 8:22] = np.nan
    filling = scenespace.DepthFilling()
    filled = filling.compute(
        utils.to_device(depth, device), utils.to_device(color, device)
    )
    np.testing.assert_array_equal(on_host(filled), truth)


# Calibration


def test_a_calibration_is_written_read_and_applied(
    video: scenespace.RGBDRecording, tmp_path: Path
) -> None:
    place = np.eye(4)
    place[0, 3] = 0.025
    calibration = scenespace.ColorCalibration(
        color_camera=CAMERA,
        color_to_depth=place,
        corrections=[
            scenespace.FrameCorrection(number=1, gain=1.1),
            scenespace.FrameCorrection(number=3, gain=1.3),
        ],
    )
    scenespace.write_color_camera(tmp_path / "camera.txt", calibration)
    read = scenespace.read_color_camera(tmp_path / "camera.txt")
    assert read.color_camera == CAMERA
    assert read.corrections == calibration.corrections
    applied = scenespace.CalibratedRGBDVideo(video, read)
    assert applied.correction(2).gain == pytest.approx(1.2)
    np.testing.assert_allclose(
        applied.view(0).color_pose, pose_of(0) @ place, atol=1e-6
    )


def test_a_colour_camera_that_is_not_determined_is_no_result(
    video: scenespace.RGBDRecording,
) -> None:
    told: list[tuple[int, int]] = []
    found = scenespace.calibrate_color_camera(
        video,
        frame_gaps=[1, 2],
        progress=lambda done, total: told.append((done, total)),
    )
    assert not found.determined  # the camera does not turn
    assert told[-1] == (FRAMES, FRAMES)

    def stop(done: int, total: int) -> None:
        raise ArithmeticError("no more")

    with pytest.raises(ArithmeticError, match="no more"):
        scenespace.calibrate_color_camera(video, frame_gaps=[1], progress=stop)


# Effects


def test_denoising_comes_nearer_to_the_truth(video: scenespace.RGBDRecording) -> None:
    made = scenespace.SceneSpaceVideo(
        video,
        scenespace.DenoisingEffect(),
        scenespace.ScenePreparation(noise=6),
        RESOURCES,
    )[3]
    v, u = np.mgrid[0:HEIGHT, 0:WIDTH]
    x, y = 2 * (u - 31.5) / 60 + 0.06, 2 * (v - 23.5) / 60
    truth = np.stack(
        [
            128 + 90 * np.sin(9 * x),
            128 + 90 * np.sin(11 * y),
            128 + 90 * np.sin(7 * (x + y)),
        ],
        axis=-1,
    )
    wall = ~render(3)[2]
    before = np.sqrt(((video[3].color[..., :3] - truth)[wall] ** 2).mean())
    after = np.sqrt(((made.color[..., :3] - truth)[wall] ** 2).mean())
    assert before > 5.5
    assert after < before / 2


def test_an_effect_fills_images_that_are_held_no_more(
    video: scenespace.RGBDRecording,
) -> None:
    store = scenespace.SceneFrameStore(video, scenespace.ScenePreparation(noise=6))
    effect = scenespace.DenoisingEffect(reach=2)
    made = scenespace.SceneSpaceVideo(
        video, effect, scenespace.ScenePreparation(noise=6), RESOURCES
    )
    first = effect.compute(store, 3).color
    before = on_host(first).copy()
    second = effect.compute(store, 4)
    np.testing.assert_array_equal(on_host(first), before)
    np.testing.assert_array_equal(before[..., :3], made[3].color[..., :3])
    np.testing.assert_array_equal(on_host(second.depth), made[4].depth)


def test_an_inpainted_wall_is_the_wall(video: scenespace.RGBDRecording) -> None:
    masks = scenespace.Masks([render(i)[2] for i in range(FRAMES)])
    made = scenespace.SceneSpaceVideo(
        video,
        scenespace.InpaintingEffect(step=1),
        scenespace.ScenePreparation(masks=masks),
        RESOURCES,
    )[3]
    np.testing.assert_allclose(made.depth, 2, atol=0.02)


EFFECTS: dict[str, tuple[list[str], Any, dict[str, Any]]] = {
    "denoise": (
        ["--noise=5", "--reach=3"],
        lambda video: scenespace.DenoisingEffect(reach=3),
        {"noise": 5},
    ),
    "deblur": (
        ["--reach=2"],
        lambda video: scenespace.DeblurringEffect(reach=2),
        {},
    ),
    "view": (
        ["--stabilize=3", "--zoom=1.1", "--edge-margin=1"],
        lambda video: scenespace.VirtualViewEffect(
            views=scenespace.stabilized_views(video, 3, 1.1)
        ),
        {"edge_margin": 1},
    ),
    "aperture": (
        ["--aperture=0.1", "--focus=1.2", "--lens-samples=16"],
        lambda video: scenespace.VirtualApertureEffect(
            aperture=0.1, focus_distance=1.2, lens_samples=16
        ),
        {},
    ),
    "shutter": (
        [],
        lambda video: scenespace.ComputationalShutterEffect(),
        {},
    ),
    "inpaint": (
        ["--step=1"],
        lambda video: scenespace.InpaintingEffect(step=1),
        {"masks": True},
    ),
    "action": (
        ["--every=3", "--fade=4"],
        lambda video: scenespace.ActionShotEffect(interval=3, half_life=4),
        {"masks": True},
    ),
    "super-resolve": (
        ["--size=2", "--reach=2", "--noise=5"],
        lambda video: scenespace.SuperResolutionEffect(scale=2, reach=2),
        {"noise": 5},
    ),
}


@pytest.mark.parametrize("name", EFFECTS)
def test_an_effect_equals_the_program(
    name: str, folder: Path, programs: Path, tmp_path: Path
) -> None:
    options, make, settings = EFFECTS[name]
    command: list[str | Path] = [programs / "pcl_gpu_scenespace", name, *options]
    command += ["--input", folder / "video", "--output", tmp_path / "program"]
    command += ["--device=host", "--threads=1", "--frames=2:4"]
    video = scenespace.RegisteredRGBDVideo(
        scenespace.open_rgbd_folder(folder / "video")
    )
    if settings.get("masks"):
        command += ["--mask", folder / "masks"]
        masks = scenespace.open_masks(folder / "masks", video)
        settings = {**settings, "masks": masks}
    subprocess.run(command, check=True, capture_output=True)
    made = scenespace.SceneSpaceVideo(
        video, make(video), scenespace.ScenePreparation(**settings), RESOURCES
    )
    scenespace.write_rgbd_folder(
        scenespace.RGBDVideoRange(made, 2, 5), tmp_path / "python"
    )
    truth = scenespace.open_rgbd_folder(tmp_path / "program")
    ours = scenespace.open_rgbd_folder(tmp_path / "python")
    for i in range(3):
        assert not np.array_equal(truth[i].color, video[i + 2].color)
        np.testing.assert_array_equal(ours[i].color, truth[i].color)
        np.testing.assert_array_equal(ours[i].depth, truth[i].depth)
        np.testing.assert_array_equal(ours[i].color_pose, truth[i].color_pose)
        assert ours[i].color_camera == truth[i].color_camera


def test_a_recorded_video_equals_that_of_the_program(
    data_folder: Path, programs: Path, tmp_path: Path
) -> None:
    source = data_folder / "rgbd_video" / "redkitchen"
    command: list[str | Path] = [programs / "pcl_gpu_scenespace", "denoise"]
    command += ["-i", source]
    command += ["-o", tmp_path, "--device=host", "--frames=30:30", "--reach=1"]
    command += ["--noise=4", "--threads=1", "--calibrate-color=off"]
    subprocess.run(command, check=True, capture_output=True)
    video = scenespace.RegisteredRGBDVideo(scenespace.open_rgbd_folder(source))
    made = scenespace.SceneSpaceVideo(
        video,
        scenespace.DenoisingEffect(reach=1),
        scenespace.ScenePreparation(noise=4),
        RESOURCES,
    )
    truth = utils.read_color_image(tmp_path / "color" / "000000.png")
    np.testing.assert_array_equal(made[30].color, truth)
