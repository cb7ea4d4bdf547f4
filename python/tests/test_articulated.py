# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Skeletons, their files, their skin in depth maps, and likelihoods of it."""

import copy
import gc
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import on_host
from numpy.typing import NDArray

from pcl_gpu import articulated, utils

Doubles = NDArray[np.float64]


def address_of(array: Any) -> int:
    address: int = array.__array_interface__["data"][0]
    return address


def random_poses(skeleton: articulated.Skeleton, count: int) -> NDArray[np.float32]:
    random = np.random.default_rng(5)
    poses = random.uniform(-1, 1, (count, skeleton.pose_size)).astype(np.float32)
    poses[:, 3:7] /= np.linalg.norm(poses[:, 3:7], axis=1, keepdims=True)
    return poses


def turn_about(axis: Doubles, angle: float) -> Doubles:
    """Rodrigues' formula."""
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    result: Doubles = (
        np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    )
    return result


def frames_of(
    skeleton: articulated.Skeleton, pose: NDArray[np.float32]
) -> list[tuple[Doubles, Doubles]]:
    """Returns the turn and the place of each joint, in double precision."""
    numbers = pose.astype(np.float64)
    frames: list[tuple[Doubles, Doubles]] = []
    next_angle = skeleton.ROOT_SIZE
    for joint in skeleton.joints:
        if joint.parent < 0:
            w, *axis = numbers[3:7]
            length = np.linalg.norm(axis)
            turn = turn_about(np.array(axis), 2 * math.atan2(length, w))
            frames.append((turn, numbers[:3]))
            continue
        parent_turn, place = frames[joint.parent]
        turn = parent_turn
        for angle in joint.angles:
            turn = turn @ turn_about(
                angle.axis.astype(np.float64), float(numbers[next_angle])
            )
            next_angle += 1
        frames.append((turn, place + parent_turn @ joint.offset.astype(np.float64)))
    return frames


def camera_of(columns: int, rows: int, focal_length: float) -> utils.PinholeCamera:
    return utils.PinholeCamera(
        fx=focal_length,
        fy=focal_length,
        cx=(columns - 1) / 2,
        cy=(rows - 1) / 2,
        width=columns,
        height=rows,
    )


def arm() -> articulated.Skeleton:
    hinge = articulated.JointAngle(axis=[0, 0, 1], lower=-2, upper=2)
    return articulated.Skeleton(
        [
            articulated.SkeletonJoint(name="shoulder"),
            articulated.SkeletonJoint(
                name="elbow", parent=0, offset=[0.3, 0, 0], angles=[hinge]
            ),
            articulated.SkeletonJoint(name="hand", parent=1, offset=[0.25, 0, 0]),
        ],
        [articulated.SkeletonCapsule(name="lower arm", joint=1, b=[0.25, 0, 0])],
    )


def test_an_arm_bends_at_its_elbow(device: utils.Device) -> None:
    kinematics = articulated.ForwardKinematics(arm())
    pose = np.array([[1, 2, 3, 1, 0, 0, 0, np.pi / 2]], np.float32)
    joints = on_host(kinematics.compute_joints(utils.to_device(pose, device)))
    assert joints.shape == (1, 3, 4)
    truth = [[1.0, 2, 3], [1.3, 2, 3], [1.3, 2.25, 3]]
    np.testing.assert_allclose(joints[0, :, :3], truth, atol=1e-6)
    plain = on_host(kinematics.compute_capsules(utils.to_device(pose, device), False))
    np.testing.assert_allclose(
        plain, [[[1.3, 2, 3, 0.05, 1.3, 2.25, 3]]], rtol=0, atol=1e-6
    )


def test_joints_and_skin_equal_those_in_double_precision(device: utils.Device) -> None:
    skeleton = articulated.make_human_skeleton()
    poses = random_poses(skeleton, 7)
    kinematics = articulated.ForwardKinematics()
    kinematics.set_skeleton(skeleton)
    assert kinematics.skeleton == skeleton
    there = utils.to_device(poses, device)
    joints = on_host(kinematics.compute_joints(there))
    skin = on_host(kinematics.compute_capsules(there))
    assert skin.shape == (7, len(skeleton.capsules), 8)
    for pose, places, capsules in zip(poses, joints, skin, strict=True):
        frames = frames_of(skeleton, pose)
        np.testing.assert_allclose(
            places[:, :3], [place for _, place in frames], atol=2e-6
        )
        for capsule, row in zip(skeleton.capsules, capsules, strict=True):
            turn, place = frames[capsule.joint]
            np.testing.assert_allclose(row[:3], place + turn @ capsule.a, atol=2e-6)
            np.testing.assert_allclose(row[4:7], place + turn @ capsule.b, atol=2e-6)
            assert (row[3], row[7]) == (
                np.float32(capsule.radius_a),
                np.float32(capsule.radius_b),
            )


def test_results_share_memory_and_stay_as_they_are() -> None:
    skeleton = arm()
    kinematics = articulated.ForwardKinematics(skeleton)
    poses = random_poses(skeleton, 3)
    first = kinematics.compute_joints(poses)
    assert not first.flags.owndata
    kept, address = first.copy(), address_of(first)
    poses[:, 0] += 1  # in place: the next run reads it there
    second = kinematics.compute_joints(poses)
    assert address_of(second) != address
    np.testing.assert_array_equal(first, kept)
    np.testing.assert_allclose(second[..., 0], kept[..., 0] + 1, atol=1e-6)
    del first
    address = address_of(second)
    del second
    assert address_of(kinematics.compute_joints(poses)) == address


def test_a_skeleton_changed_later_changes_nothing() -> None:
    skeleton = arm()
    kinematics = articulated.ForwardKinematics(skeleton)
    poses = random_poses(skeleton, 9)
    joints = kinematics.compute_joints(poses)
    finger = articulated.JointAngle(axis=[0, 1, 0])
    skeleton.add_joint(
        articulated.SkeletonJoint(name="finger", parent=2, angles=[finger])
    )
    np.testing.assert_array_equal(kinematics.compute_joints(poses), joints)
    kinematics.set_skeleton(skeleton)
    assert kinematics.compute_joints(random_poses(skeleton, 9)).shape == (9, 4, 4)


def test_no_poses_no_results() -> None:
    skeleton = arm()
    kinematics = articulated.ForwardKinematics(skeleton)
    poses = np.zeros((0, skeleton.pose_size), np.float32)
    assert kinematics.compute_joints(poses).shape == (0, 3, 4)
    assert kinematics.compute_capsules(poses).shape == (0, 1, 8)
    assert len(articulated.MotionClip(poses, 0.1)) == 0
    depth = articulated.CapsuleRayCaster(
        camera=utils.PinholeCamera(fx=10, fy=10, width=4, height=3)
    ).cast(np.zeros((0, 8), np.float32))
    assert depth.shape == (3, 4) and np.isnan(depth).all()


def test_wrong_arrays_name_the_argument() -> None:
    skeleton = arm()
    kinematics = articulated.ForwardKinematics(skeleton)
    poses = random_poses(skeleton, 4)
    with pytest.raises(TypeError, match="poses.*float64.*float32"):
        kinematics.compute_joints(poses.astype(np.float64))
    with pytest.raises(ValueError, match=r"poses.*\(4, 7\).*8"):
        kinematics.compute_joints(np.ascontiguousarray(poses[:, :7]))
    with pytest.raises(ValueError, match="poses"):
        kinematics.compute_joints(poses[::2])
    with pytest.raises(ValueError, match=r"capsules.*\(2, 8\)"):
        articulated.CapsuleLikelihood().compute(np.zeros((2, 8), np.float32))
    with pytest.raises(ValueError, match=r"points.*\(5, 3\).*4"):
        articulated.CapsuleLikelihood().set_points(
            np.zeros((5, 3), np.float32), [0] * 3
        )
    with pytest.raises(TypeError, match="cloud.*float64.*float32"):
        articulated.PeopleDetection().detect(np.zeros((4, 4, 4)))


def test_skeletons_copy_pickle_and_reject() -> None:
    skeleton = articulated.make_hand_skeleton(0.18, articulated.HandSide.LEFT)
    assert skeleton.pose_size == 29
    assert repr(skeleton) == "Skeleton(22 joints, 46 capsules, 29 numbers a pose)"
    other = copy.deepcopy(skeleton)
    assert other == skeleton
    joint = other.joints[1]
    joint.offset = [1, 2, 3]
    other.set_joint(1, joint)
    assert other != skeleton
    person = articulated.make_human_skeleton()
    assert pickle.loads(pickle.dumps(person)) == person
    joint = skeleton.joints[5]
    joint.angles.clear()  # of a copy
    assert len(joint.angles) == len(skeleton.joints[5].angles) > 0
    assert skeleton.find_joint(joint.name) == 5
    assert skeleton.find_joint("nose") == -1
    limits = [angle for one in skeleton.joints for angle in one.angles]
    np.testing.assert_allclose(
        skeleton.rest_pose[7:],
        [np.clip(0, angle.lower, angle.upper) for angle in limits],
    )
    with pytest.raises(utils.BadArgumentError, match="parent"):
        skeleton.add_joint(articulated.SkeletonJoint(name="sixth", parent=99))
    with pytest.raises(TypeError, match="angles"):
        wrong: Any = [1.0]
        articulated.SkeletonJoint(angles=wrong)


def test_parameters_pickle_and_print() -> None:
    skeleton = articulated.make_human_skeleton()
    parameters = articulated.body_tracking_parameters(skeleton)
    limbs = articulated.find_limbs(skeleton)
    assert sorted(sum(limbs, [])) == list(range(len(skeleton.joints)))
    assert parameters.partitions[: len(limbs)] == limbs
    parameters.rest_pose = skeleton.rest_pose
    parameters.likelihood.sigma = 0.25
    same = pickle.loads(pickle.dumps(parameters))
    assert same == parameters and same.likelihood.sigma == 0.25
    assert "sigma=0.25" in repr(parameters)
    assert "OCCLUDING" in repr(parameters.likelihood)
    with pytest.raises(TypeError, match="particles"):
        unknown: Any = {"particles": 3}
        articulated.PoseParticleFilterParameters(**unknown)
    with pytest.raises(utils.BadArgumentError, match="layers"):
        articulated.PoseParticleFilter(layers=0)


def test_files_give_back_skeletons_and_poses(tmp_path: Path) -> None:
    skeleton = articulated.make_human_skeleton(1.6)
    file = tmp_path / "body.yaml"
    articulated.save_skeleton(file, skeleton)
    read = articulated.load_skeleton(file)
    poses = random_poses(skeleton, 3)
    truth = articulated.ForwardKinematics(skeleton).compute_capsules(poses)
    np.testing.assert_allclose(
        articulated.ForwardKinematics(read).compute_capsules(poses), truth, atol=1e-5
    )
    file = tmp_path / "body.bvh"
    clip = articulated.MotionClip(poses, 0.02)
    assert clip.poses is poses and len(clip) == 3
    articulated.save_bvh(file, skeleton, clip)
    bones, motion = articulated.load_bvh(file)
    assert motion.frame_time == pytest.approx(0.02)
    # Joints may have other axes and places in the list.
    names = [joint.name for joint in bones.joints]
    order = [names.index(joint.name) for joint in skeleton.joints]
    np.testing.assert_allclose(
        articulated.ForwardKinematics(bones).compute_joints(motion.poses)[:, order],
        articulated.ForwardKinematics(skeleton).compute_joints(poses),
        atol=1e-4,
    )
    with pytest.raises(utils.FileError, match="none.bvh"):
        articulated.load_bvh(tmp_path / "none.bvh")


def test_a_bvh_file_of_numbers_known(tmp_path: Path) -> None:
    file = tmp_path / "arm.bvh"
    file.write_text(
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition "
        "Zposition Zrotation Yrotation Xrotation\nJOINT LeftArm\n{\nOFFSET 10 0 0\n"
        "CHANNELS 3 Zrotation Yrotation Xrotation\nEnd Site\n{\nOFFSET 20 0 0\n}\n}\n}\n"
        "MOTION\nFrames: 2\nFrame Time: 0.04\n0 0 0 0 0 0 0 0 0\n1 2 3 90 0 0 90 0 0\n"
    )
    skeleton, motion = articulated.load_bvh(file, articulated.BvhOptions(scale=0.01))
    assert [joint.name for joint in skeleton.joints] == [
        "Hips",
        "LeftArm",
        "LeftArm_end",
    ]
    joints = articulated.ForwardKinematics(skeleton).compute_joints(motion.poses)
    np.testing.assert_allclose(
        joints[0, :, :3], [[0.0, 0, 0], [0.1, 0, 0], [0.3, 0, 0]]
    )
    np.testing.assert_allclose(
        joints[1, :, :3],
        [[0.01, 0.02, 0.03], [0.01, 0.12, 0.03], [-0.19, 0.12, 0.03]],
        atol=1e-6,
    )
    np.testing.assert_allclose(
        articulated.center_of_motion(motion.poses), [0.005, 0.01, 0.015], rtol=1e-6
    )


def test_bodies_of_other_makers_get_skin() -> None:
    bones = articulated.Skeleton(
        [
            (
                articulated.SkeletonJoint(name=joint.name, parent=joint.parent)
                if joint.parent < 0
                else joint
            )
            for joint in articulated.make_human_skeleton().joints
        ]
    )
    assert not bones.capsules
    assert articulated.find_unknown_joints(bones) == []
    articulated.add_body_capsules(bones)
    articulated.set_body_limits(bones)
    assert len(bones.capsules) > 20
    upper = articulated.without_legs(bones)
    names = {joint.name for joint in upper.joints}
    assert "LeftArm" in names and "LeftUpLeg" not in names


def test_a_ball_in_a_depth_map(device: utils.Device) -> None:
    camera = camera_of(64, 48, 60)
    pose = utils.look_at(eye=[0.2, 0.3, -2], target=[0, 0.1, 0])
    center, radius = np.array([0, 0.1, 0]), 0.5
    caster = articulated.CapsuleRayCaster(camera=camera, pose=pose)
    ball = np.array([[*center, radius, *center, radius]], np.float32)
    depth, ids, normals = (
        on_host(array)
        for array in caster.cast_with_normals(utils.to_device(ball, device))
    )
    v, u = np.mgrid[0:48, 0:64].astype(np.float64)
    rays = np.stack([(u - 31.5) / 60, (v - 23.5) / 60, np.ones_like(u)], -1)
    there = np.linalg.inv(pose.astype(np.float64)) @ [*center, 1]
    square, half = (rays**2).sum(-1), rays @ there[:3]
    root = half**2 - square * (there[:3] @ there[:3] - radius**2)
    hit = root > 0
    truth = (half - np.sqrt(np.where(hit, root, np.nan))) / square
    np.testing.assert_array_equal(np.isfinite(depth), hit)
    np.testing.assert_allclose(depth, truth, rtol=1e-6)
    np.testing.assert_array_equal(ids, np.where(hit, 0, -1))
    outwards = (rays * truth[..., None] - there[:3]) / radius
    np.testing.assert_allclose(normals[hit][:, :3], outwards[hit], atol=1e-5)
    same = on_host(caster.cast(utils.to_device(ball, device)))
    np.testing.assert_array_equal(same, depth)


def test_a_sensor_measures_points_in_the_world(device: utils.Device) -> None:
    camera = camera_of(40, 30, 50)
    pose = utils.look_at(eye=[1, 2, 3], target=[0, 0, 0])
    depth = np.random.default_rng(1).uniform(1, 4, (30, 40)).astype(np.float32)
    depth[3, 5] = np.nan
    there = utils.to_device(depth, device)
    noise = articulated.DepthNoise(
        deviation=0, outlier_fraction=0, missing_fraction=0.25, quantization=0.125
    )
    sensor = articulated.DepthSensorSimulation(camera=camera, pose=pose, noise=noise)
    points = on_host(sensor.compute_points(there))
    v, u = np.mgrid[0:30, 0:40]
    rays = np.stack([(u - 19.5) / 50, (v - 14.5) / 50, np.ones((30, 40))], -1)
    truth = (depth[..., None] * rays).reshape(-1, 3) @ pose[:3, :3].T + pose[:3, 3]
    np.testing.assert_allclose(points[:, :3], truth, atol=1e-5)
    measured = on_host(sensor.add_noise(there, 3))
    known = np.isfinite(measured)
    assert 0.2 < 1 - known.mean() < 0.3
    # Depths are rounded.
    np.testing.assert_array_equal(
        measured[known], (np.round(depth[known] / 0.125) * 0.125).astype(np.float32)
    )
    np.testing.assert_array_equal(on_host(sensor.add_noise(there, 3)), measured)
    assert not np.array_equal(
        on_host(sensor.add_noise(there, 4)), measured, equal_nan=True
    )


def test_a_camera_sees_all_of_a_motion() -> None:
    skeleton = articulated.make_human_skeleton()
    poses = np.tile(skeleton.rest_pose, (20, 1))
    poses[:, 0] = np.linspace(-1, 2, 20)
    poses[:, 2] = np.linspace(0, 1, 20)
    camera = camera_of(80, 60, 66)
    target = articulated.center_of_motion(poses)
    np.testing.assert_allclose(target, [0.5, 0, 0.5], atol=1e-6)
    view = articulated.view_of_motion(camera, poses, target)
    joints = articulated.ForwardKinematics(skeleton).compute_joints(poses)
    seen = (joints[..., :3] - view[:3, 3]) @ view[:3, :3]
    assert seen[..., 2].min() > 0
    for axis, size in ((0, 80), (1, 60)):
        pixel = 66 * seen[..., axis] / seen[..., 2] + (size - 1) / 2
        assert 0 <= pixel.min() and pixel.max() <= size - 1


def sphere_distances(
    points: Doubles, balls: Doubles, tau: float
) -> tuple[Doubles, Doubles]:
    """Returns the distance of each point from the first hit of its ray, from the
    origin, with each ball, at most tau; and the hits, infinite for a miss."""
    length = np.linalg.norm(points, axis=1)[:, None]
    half = (points / length) @ balls[:, :3].T
    root = half**2 - (balls[:, :3] ** 2).sum(1) + balls[:, 3] ** 2
    near = half - np.sqrt(np.where(root >= 0, root, np.nan))
    hits = np.where(np.nan_to_num(near, nan=-1) > 0, near, np.inf)
    return np.minimum(np.abs(hits - length), tau), hits


def observed_points(count: int) -> NDArray[np.float32]:
    random = np.random.default_rng(2)
    points = np.ones((count, 4), np.float32)
    points[:, :3] = random.normal([0, 0, 2], [0.4, 0.4, 0.2], (count, 3))
    return points


def random_balls(samples: int, balls: int) -> Doubles:
    random = np.random.default_rng(3)
    rows = np.empty((samples, balls, 4), np.float32)
    rows[..., :3] = random.normal([0, 0, 2], 0.3, (samples, balls, 3))
    rows[..., 3] = random.uniform(0.1, 0.4, (samples, balls))
    return rows.astype(np.float64)


def test_likelihoods_equal_those_in_double_precision(device: utils.Device) -> None:
    points = observed_points(300)
    points[7, 1] = np.nan
    balls = random_balls(5, 3)
    weights = np.random.default_rng(4).uniform(0, 2, 300).astype(np.float32)
    likelihood = articulated.CapsuleLikelihood(sigma=0.04, truncation_distance=0.2)
    likelihood.set_points(
        utils.to_device(points, device),
        [0, 0, 0],
        weights=utils.to_device(weights, device),
    )
    assert likelihood.count_skipped_points() == 1
    tapered = np.concatenate([balls, balls], axis=2).astype(np.float32)
    sums = likelihood.compute(utils.to_device(tapered, device))
    good = np.isfinite(points[:, 1])
    truth = []
    for sample in balls:
        distances, _ = sphere_distances(
            points[good, :3].astype(np.float64), sample, 0.2
        )
        truth.append(-(weights[good] @ distances.min(axis=1) ** 2) / (2 * 0.04**2))
    np.testing.assert_allclose(on_host(sums), truth, rtol=1e-5)
    plain = np.ascontiguousarray(tapered[..., :7])
    other = articulated.CapsuleLikelihood(sigma=0.04, truncation_distance=0.2)
    other.share_observation(likelihood)
    del likelihood
    same = on_host(other.compute(utils.to_device(tapered, device)))
    np.testing.assert_array_equal(same, on_host(sums))
    there = on_host(other.compute(utils.to_device(plain, device)))
    np.testing.assert_allclose(there, truth, rtol=1e-5)


def test_likelihoods_with_a_room_behind(device: utils.Device) -> None:
    points, balls = observed_points(200), random_balls(4, 3)
    length = np.linalg.norm(points[:, :3].astype(np.float64), axis=1)
    rooms = (length + 0.1).astype(np.float32)
    likelihood = articulated.CapsuleLikelihood(
        visibility=articulated.CapsuleVisibility.OCCLUDING, truncation_distance=0.2
    )
    likelihood.set_points(
        utils.to_device(points, device),
        [0, 0, 0],
        backgrounds=utils.to_device(rooms, device),
    )
    tapered = np.concatenate([balls, balls], axis=2).astype(np.float32)
    sums = on_host(likelihood.compute(utils.to_device(tapered, device)))
    for sample, computed in zip(balls, sums, strict=True):
        _, hits = sphere_distances(points[:, :3].astype(np.float64), sample, 0.2)
        nearest = np.minimum(hits.min(axis=1), rooms)
        distances = np.minimum(np.abs(nearest - length), 0.2)
        assert computed == pytest.approx(
            -(distances**2).sum() / (2 * 0.05**2), rel=1e-5
        )


def test_a_shared_observation_stays() -> None:
    points, balls = observed_points(300), random_balls(4, 3)
    capsules = np.concatenate([balls, balls], axis=2).astype(np.float32)
    lender = articulated.CapsuleLikelihood(sigma=0.1)
    with pytest.raises(ValueError, match="observation"):
        articulated.CapsuleLikelihood().share_observation(lender)
    lender.set_points(points, [0, 0, 0])
    truth = lender.compute(capsules).copy()
    first, second = (articulated.CapsuleLikelihood(sigma=0.1) for _ in range(2))
    first.share_observation(lender)
    second.share_observation(first)
    lender.share_observation(lender)
    lender.share_observation(second)
    # More points need other memory; the former ones must not end with it.
    lender.set_points(observed_points(30000), [0, 0, 0])
    assert lender.get_parameters().sigma == pytest.approx(0.1)
    first.set_points(points[:10], [0, 0, 0])
    np.testing.assert_array_equal(second.compute(capsules), truth)
    assert (first.compute(capsules) != truth).any()
    with pytest.raises(ValueError, match="weights"):
        second.set_points(points, [0, 0, 0], np.ones(3, np.float32))
    del lender, first
    gc.collect()
    np.testing.assert_array_equal(second.compute(capsules), truth)
