# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Poses that are followed, searched and fitted, and people in depth maps."""

import gc
import json
import pickle
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import on_host
from numpy.typing import NDArray

from pcl_gpu import articulated, utils
from pcl_gpu.articulated import PoseParticleFilter


def point_body() -> articulated.Skeleton:
    """Returns a body that only moves and turns."""
    return articulated.Skeleton([articulated.SkeletonJoint(name="root")])


def still_filter(device: utils.Device, particles: int = 500) -> PoseParticleFilter:
    """Returns a filter of particles that do not move, all at 1, 2 and 3 metres."""
    particle_filter = PoseParticleFilter(
        particle_count=particles,
        root_translation_deviation=0,
        root_rotation_deviation=0,
    )
    particle_filter.set_skeleton(point_body())
    with device:
        particle_filter.initialize([1, 2, 3, 1, 0, 0, 0], [0] * 6)
    return particle_filter


def uniform_like(poses: Any) -> Any:
    device = utils.current_device()
    return utils.to_device(np.zeros(poses.shape[0]), device)


def test_a_filter_is_kalmans_where_all_is_normal(device: utils.Device) -> None:
    start, moved, seen, place = 0.3, 0.4, 0.25, np.array([0.5, -0.2, 0.1])
    particle_filter = PoseParticleFilter(
        particle_count=40000,
        root_translation_deviation=moved,
        root_rotation_deviation=0,
    )
    skeleton = point_body()
    particle_filter.set_skeleton(skeleton)
    assert particle_filter.skeleton == skeleton
    assert not particle_filter.is_initialized
    with device:
        particle_filter.initialize([0, 0, 0, 1, 0, 0, 0], [start] * 3 + [0] * 3)
    assert particle_filter.is_initialized

    def likelihood(poses: Any) -> Any:
        offsets = on_host(poses)[:, :3].astype(np.float64) - place
        return utils.to_device(-(offsets**2).sum(1) / (2 * seen**2), device)

    dt = 0.25
    particle_filter.process_frame(likelihood, dt)
    estimate = particle_filter.estimate
    prior = start**2 + moved**2 * dt
    variance = 1 / (1 / prior + 1 / seen**2)
    np.testing.assert_allclose(estimate.mean[:3], place * variance / seen**2, atol=0.01)
    np.testing.assert_allclose(estimate.deviations[:3], np.sqrt(variance), rtol=0.03)
    covariance = particle_filter.covariance
    np.testing.assert_allclose(
        covariance[:3, :3], variance * np.eye(3), atol=0.03 * variance
    )
    # The particles and their weights say the same.
    particles = on_host(particle_filter.particles).astype(np.float64)
    weights = np.exp(on_host(particle_filter.log_weights))
    assert particles.shape == (40000, 7) and weights.max() == 1
    mean = weights @ particles[:, :3] / weights.sum()
    np.testing.assert_allclose(estimate.mean[:3], mean, atol=1e-5)
    size = weights.sum() ** 2 / (weights**2).sum()
    assert estimate.effective_sample_size == pytest.approx(size, rel=1e-4)
    assert estimate.possible and estimate.frame == 1


def test_a_motion_function_moves_particles(device: utils.Device) -> None:
    particle_filter = still_filter(device)
    steps = []

    def move(poses: Any, dt: float) -> Any:
        steps.append(dt)
        moved = on_host(poses).copy()
        moved[:, 0] += 0.5
        return utils.to_device(moved, device)

    particle_filter.set_motion_function(move)
    particle_filter.process_frame(uniform_like, 0.125)
    first = particle_filter.particles
    kept = on_host(first).copy()
    particle_filter.process_frame(uniform_like, 0.25)
    assert steps == [0.125, 0.25]
    np.testing.assert_allclose(
        on_host(particle_filter.particles)[:, :3], [[2, 2, 3]] * 500
    )
    # The next frame leaves the arrays of the last one alone.
    np.testing.assert_array_equal(on_host(first), kept)
    np.testing.assert_allclose(kept[:, :3], [[1.5, 2, 3]] * 500)
    with pytest.raises(TypeError, match="function.*3.*int"):
        particle_filter.set_motion_function(3)  # type: ignore[arg-type]
    particle_filter.set_motion_function(None)
    particle_filter.process_frame(uniform_like, 0.125)
    np.testing.assert_allclose(particle_filter.estimate.mean[:3], [2, 2, 3], rtol=1e-6)


def test_a_filter_ends_with_a_function_that_refers_to_it() -> None:
    particle_filter = still_filter(utils.Device.host(), 10)

    class Motion:
        def __init__(self) -> None:
            self.own = particle_filter

        def __call__(self, poses: Any, dt: float) -> Any:
            return poses

    motion = Motion()
    particle_filter.set_motion_function(motion)
    particle_filter.process_frame(uniform_like, 0.1)
    end = weakref.ref(motion)
    del motion, particle_filter
    gc.collect()
    assert end() is None


def test_particles_of_the_caller(device: utils.Device) -> None:
    particle_filter = still_filter(device, 50)
    poses = np.tile(np.array([0, 0, 0, 1, 0, 0, 0], np.float32), (50, 1))
    poses[:, 1] = np.arange(50)
    particle_filter.initialize(utils.to_device(poses, device))
    particle_filter.process_frame(uniform_like, 0.1)
    np.testing.assert_array_equal(on_host(particle_filter.particles), poses)
    with pytest.raises(ValueError, match=r"poses.*\(50, 6\).*7"):
        particle_filter.initialize(np.ascontiguousarray(poses[:, 1:]))


def test_errors_in_functions_come_through(device: utils.Device) -> None:
    particle_filter = still_filter(device, 50)

    def broken(poses: Any) -> Any:
        raise KeyError("broken")

    def nothing(poses: Any) -> Any:
        return None

    with pytest.raises(KeyError, match="broken"):
        particle_filter.process_frame(broken, 0.1)
    with pytest.raises(ValueError, match=r"log_likelihoods.*\(3,\).*50"):
        particle_filter.process_frame(
            lambda poses: utils.to_device(np.zeros(3), device), 0.1
        )
    with pytest.raises(TypeError, match="log_likelihoods.*float32.*float64"):
        particle_filter.process_frame(
            lambda poses: utils.to_device(np.zeros(50, np.float32), device), 0.1
        )
    with pytest.raises(TypeError, match="log_likelihoods"):
        particle_filter.process_frame(nothing, 0.1)
    particle_filter.process_frame(uniform_like, 0.1)
    assert particle_filter.estimate.possible


def camera_of(columns: int, rows: int) -> utils.PinholeCamera:
    return utils.PinholeCamera(
        fx=525 * columns / 640,
        fy=525 * columns / 640,
        cx=(columns - 1) / 2,
        cy=(rows - 1) / 2,
        width=columns,
        height=rows,
    )


def test_a_followed_body_equals_the_programs(
    programs: Path, data_folder: Path, tmp_path: Path
) -> None:
    motion_file = str(data_folder / "mocap" / "cmu_02_01.bvh")
    output = tmp_path / "program.bvh"
    command: list[str | Path] = [
        programs / "pcl_gpu_track",
        "--simulate",
        motion_file,
        "--size",
        "80x60",
    ]
    command += [
        "--particles",
        "60",
        "--frames",
        "0:3",
        "--device",
        "host",
        "-o",
        output,
    ]
    subprocess.run(command, check=True, capture_output=True)

    body, motion = articulated.load_bvh(
        motion_file, articulated.BvhOptions(scale=0.05644)
    )
    articulated.add_body_capsules(body)
    articulated.set_body_limits(body)
    times = np.floor(np.arange(4) / (30 * motion.frame_time) + 0.5).astype(int)
    poses = motion.poses[times]
    target = articulated.center_of_motion(poses)
    camera = camera_of(80, 60)
    view = articulated.view_of_motion(camera, poses, target)
    distance = float(np.linalg.norm(target - view[:3, 3]))
    caster = articulated.CapsuleRayCaster(camera=camera, pose=view)
    noise = articulated.DepthNoise(
        nearest_outlier=min(0.5, distance / 2), farthest_outlier=1.5 * distance
    )
    sensor = articulated.DepthSensorSimulation(camera=camera, pose=view, noise=noise)
    kinematics = articulated.ForwardKinematics(body)
    particle_filter = PoseParticleFilter(
        articulated.body_tracking_parameters(body),
        particle_count=60,
        root_rotation_deviation=float(np.float32(70) * np.float32(0.017453293)),
    )
    particle_filter.set_skeleton(body)
    particle_filter.initialize(poses[0])
    means = []
    for frame, skin in enumerate(kinematics.compute_capsules(poses)):
        points = sensor.compute_points(sensor.add_noise(caster.cast(skin), frame))
        particle_filter.process_frame(points, view[:3, 3], 1 / 30)
        means.append(particle_filter.estimate.mean)
    same = tmp_path / "same.bvh"
    frame_time = 1.0 / 30.0
    articulated.save_bvh(
        str(same), body, articulated.MotionClip(np.stack(means), frame_time)
    )
    assert same.read_bytes() == output.read_bytes()
    estimates = articulated.estimate_joints(particle_filter, kinematics)
    places = kinematics.compute_joints(means[-1][None])[0, :, :3]
    np.testing.assert_allclose([one.position for one in estimates], places, atol=1e-5)
    assert all(one.deviation >= 0 for one in estimates)


def person_before_a_wall(
    columns: int, rows: int
) -> tuple[articulated.Skeleton, NDArray[np.float32], NDArray[np.float32], Any]:
    """Returns a person, a pose that faces the camera with its arms stretched out, a
    depth map of the person and a wall, and the camera."""
    skeleton = articulated.make_human_skeleton()
    pose = skeleton.rest_pose
    pose[:7] = [0, 0, 2.5, 0, 1, 0, 0]  # y down, and turned to the camera
    camera = camera_of(columns, rows)
    skin = articulated.ForwardKinematics(skeleton).compute_capsules(pose[None])[0]
    depth = articulated.CapsuleRayCaster(camera=camera).cast(skin)
    return skeleton, pose, np.fmin(depth, np.float32(4)), camera


def cloud_of(depth: NDArray[np.float32], camera: Any) -> NDArray[np.float32]:
    points = articulated.DepthSensorSimulation(camera=camera).compute_points(depth)
    cloud: NDArray[np.float32] = points.reshape(*depth.shape, 4)
    return cloud


def body_points(cloud: NDArray[np.float32]) -> NDArray[np.float32]:
    result: NDArray[np.float32] = cloud[cloud[..., 2] < 3.5]
    return result


def test_a_pose_is_found_from_near_it(device: utils.Device) -> None:
    skeleton, pose, depth, camera = person_before_a_wall(160, 120)
    points = utils.to_device(body_points(cloud_of(depth, camera)), device)
    start = pose.copy()
    start[:3] += [0.1, -0.05, 0.1]
    options = articulated.PoseSearchOptions(particles=100, seed=1)
    found = articulated.search_pose(skeleton, start, points, [0, 0, 0], options)
    again = articulated.search_pose(skeleton, start, points, [0, 0, 0], options)
    np.testing.assert_array_equal(found.pose, again.pose)
    joints = articulated.ForwardKinematics(skeleton).compute_joints(
        np.stack([pose, start, found.pose])
    )[..., :3]
    errors = np.linalg.norm(joints[1:] - joints[0], axis=-1).mean(axis=1)
    assert errors[1] < 0.07 < errors[0]
    assert found.log_likelihood < 0


def test_a_person_is_found_without_a_guess(device: utils.Device) -> None:
    skeleton, pose, depth, camera = person_before_a_wall(160, 120)
    points = utils.to_device(body_points(cloud_of(depth, camera)), device)
    start = skeleton.rest_pose
    start[3:7] = [0, 1, 0, 0]  # upright, where y is down
    found = articulated.regress_pose(skeleton, start, points, [0, 0, 0])
    truth = articulated.name_joints(articulated.JointConvention.ITOP, skeleton, pose)
    assert [joint.name for joint in found.joints] == [joint.name for joint in truth]
    errors = [
        np.linalg.norm(np.subtract(joint.position, other.position))
        for joint, other in zip(found.joints, truth)
    ]
    assert np.mean(errors) < 0.06
    kept = articulated.regress_pose(
        skeleton,
        start,
        points,
        [0, 0, 0],
        articulated.PoseRegressionOptions(fit_lengths=False, floor=-1.5),
    )
    assert len(kept.pose) == len(pose)


def test_a_floor_is_a_plane_or_none() -> None:
    options = articulated.SkeletonFitOptions(floor=[0, -1, 0, 1.3])
    assert options.floor is not None
    assert np.allclose(options.floor, [0, -1, 0, 1.3])
    assert pickle.loads(pickle.dumps(options)) == options
    options.floor = None
    assert options == articulated.SkeletonFitOptions()
    with pytest.raises(TypeError, match="floor"):
        options.floor = [0, 1]


@pytest.mark.parametrize(
    "call", ["search_pose", "fit_skeleton", "detect", "process_frame"]
)
def test_interruptions_end_a_search(call: str) -> None:
    size = (160, 120) if call == "search_pose" else (1280, 960)
    skeleton, pose, depth, camera = person_before_a_wall(*size)
    cloud = cloud_of(depth, camera)
    view = pose, body_points(cloud), [0, 0, 0]
    small = articulated.make_human_skeleton(1.4)
    search = articulated.PoseSearchOptions(particles=100_000)
    calls: dict[str, Callable[[], Any]] = {
        "search_pose": lambda: articulated.search_pose(skeleton, *view, search),
        "fit_skeleton": lambda: articulated.fit_skeleton(small, *view),
        "detect": lambda: articulated.PeopleDetection().detect(cloud),
        "process_frame": lambda: articulated.PeopleTracker().process_frame(cloud, 0.1),
    }
    delay = 0.2
    timer = threading.Timer(delay, lambda: signal.raise_signal(signal.SIGINT))
    # Shells start background jobs with the signal ignored.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer.start()
    start = time.perf_counter()
    try:
        with pytest.raises(KeyboardInterrupt):
            calls[call]()
        assert time.perf_counter() - start < delay + 3
    finally:
        timer.join()
        signal.signal(signal.SIGINT, handler)


def test_a_size_is_fitted(device: utils.Device) -> None:
    truth, pose, depth, camera = person_before_a_wall(80, 60)
    points = utils.to_device(body_points(cloud_of(depth, camera)), device)
    small = articulated.make_human_skeleton(1.65)
    fit = articulated.fit_skeleton(small, pose, points, [0, 0, 0])

    def height(skeleton: articulated.Skeleton) -> float:
        joints = articulated.ForwardKinematics(skeleton).compute_joints(
            skeleton.rest_pose[None]
        )[0]
        return float(np.ptp(joints[:, 1]))

    assert abs(height(fit.skeleton) - height(truth)) < 0.03
    assert height(truth) - height(small) > 0.08
    likelihood = articulated.CapsuleLikelihood(sigma=0.02, truncation_distance=0.1)
    likelihood.set_points(points, [0, 0, 0])
    skin = articulated.ForwardKinematics(fit.skeleton).compute_capsules(fit.pose[None])
    there = on_host(likelihood.compute(utils.to_device(skin, device)))
    assert fit.log_likelihood == pytest.approx(there[0], rel=1e-5)


def test_joints_have_published_names() -> None:
    skeleton = articulated.make_human_skeleton()
    pose = skeleton.rest_pose
    joints = articulated.ForwardKinematics(skeleton).compute_joints(pose[None])[0]
    named = articulated.name_joints(articulated.JointConvention.ITOP, skeleton, pose)
    assert len(named) == 15 and named[0].name == "Head"
    places = {joint.name: joint.position for joint in named}
    for name, own in (("R Elbow", "RightForeArm"), ("L Knee", "LeftLeg")):
        np.testing.assert_allclose(
            places[name], joints[skeleton.find_joint(own), :3], atol=1e-6
        )
    assert np.isnan(named[0].deviation)
    upper = articulated.without_legs(skeleton)
    coco = articulated.name_joints(
        articulated.JointConvention.COCO, upper, upper.rest_pose
    )
    assert len(coco) == 17
    missing = [joint.name for joint in coco if np.isnan(joint.position).any()]
    assert {"left_knee", "right_ankle"} <= set(missing)


def write_pcd(file: Path, cloud: NDArray[np.float32]) -> None:
    rows, columns = cloud.shape[:2]
    file.write_bytes(
        b"VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\n"
        + f"WIDTH {columns}\nHEIGHT {rows}\nVIEWPOINT 0 0 0 1 0 0 0\n".encode()
        + f"POINTS {rows * columns}\nDATA binary\n".encode()
        + np.ascontiguousarray(cloud[..., :3]).tobytes()
    )


def test_people_equal_the_programs(programs: Path, tmp_path: Path) -> None:
    _, _, depth, camera = person_before_a_wall(128, 96)
    cloud = cloud_of(depth, camera)
    write_pcd(tmp_path / "cloud.pcd", cloud)
    output = tmp_path / "people.json"
    command: list[str | Path] = [
        programs / "pcl_gpu_track",
        "--fit",
        "--json",
    ]
    command += [output, "--joints", "skeleton", "--device", "host"]
    subprocess.run([*command, tmp_path / "cloud.pcd"], check=True, capture_output=True)
    (frame,) = json.loads(output.read_text())["frames"]

    ticks, ended = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not ended.wait(0.001):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    people = articulated.PeopleDetection().detect(cloud)
    ended.set()
    thread.join()
    assert ticks > 50  # other threads run on
    assert len(people) == len(frame["people"]) == 1
    confidence = np.float32(frame["people"][0]["confidence"])
    assert people[0].confidence == pytest.approx(confidence, rel=1e-5)
    assert people[0].area > 0.3
    kinematics = articulated.ForwardKinematics(people[0].skeleton)
    joints = kinematics.compute_joints(people[0].pose[None])[0]
    for joint, place in zip(people[0].skeleton.joints, joints, strict=True):
        expected = frame["people"][0]["joints"][joint.name]["position_m"]
        # The program writes six digits.
        np.testing.assert_array_equal(
            [float(f"{number:.6g}") for number in place[:3]], expected
        )


def test_people_are_followed_under_their_numbers() -> None:
    _, pose, depth, camera = person_before_a_wall(128, 96)
    tracker = articulated.PeopleTracker()
    parameters = tracker.get_parameters()
    parameters.filter.particle_count = 50
    tracker.set_parameters(parameters)
    cloud = cloud_of(depth, camera)
    for _ in range(2):
        (person,) = tracker.process_frame(cloud, 1 / 30)
        assert person.number == 0 and 0 <= person.confidence <= 1
        assert np.linalg.norm(person.estimate.mean[:3] - pose[:3]) < 0.15
        assert len(person.joints) == len(person.skeleton.joints)
    with pytest.raises(utils.BadArgumentError, match="size|rows|columns|width"):
        tracker.process_frame(np.ascontiguousarray(cloud[:50]), 1 / 30)
    tracker.reset()


def test_some_particles_start_from_a_proposal() -> None:
    skeleton = articulated.make_human_skeleton()
    particle_filter = PoseParticleFilter(
        particle_count=20, root_translation_deviation=0.0, proposal_share=0.25
    )
    particle_filter.set_skeleton(skeleton)
    with utils.Device.host():
        particle_filter.initialize(skeleton.rest_pose)
    proposal = np.array(skeleton.rest_pose)
    proposal[0] += 1
    particle_filter.propose(proposal)
    points = utils.to_points(np.array([[0, 1, 0.1]], np.float32))
    particle_filter.process_frame(points, [0, 1, 3], 1 / 30)
    starts = on_host(particle_filter.particles)[:, 0] - skeleton.rest_pose[0]
    expected = [float(number % 4 == 3) for number in range(20)]
    np.testing.assert_allclose(starts, expected, atol=1e-6)
    with pytest.raises(ValueError, match="number of floats"):
        particle_filter.propose(proposal[:3])
