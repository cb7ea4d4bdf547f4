// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "kinematics/kinematic_tables.h"

#include <pcl/gpu/articulated/forward_kinematics.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/internal/workspace_pieces.h>
#include <pcl/gpu/utils/workspace.h>

namespace pcl::gpu {

/** \brief Memory that stays from one call to the next. */
struct ForwardKinematics::Buffers {
  DeviceArray<char> tables; ///< of the skeleton; empty before the first call
  Workspace scratch;
};

void
ForwardKinematics::setSkeleton(const Skeleton::ConstPtr& skeleton)
{
  checkArgument(skeleton != nullptr, "skeleton", "null", "a skeleton");
  checkArgument(!skeleton->getJoints().empty(), "skeleton", "empty", "a root joint");
  tables_ = std::make_shared<const KinematicTables>(*skeleton);
  buffers_.get().tables.release();
  skeleton_ = skeleton;
}

template <typename Skin, typename T>
void
ForwardKinematics::turnPoses(const DeviceArray<float>& poses,
                             DeviceArray<T>& outputs,
                             const Stream& stream)
{
  static_assert(sizeof(T) == sizeof(typename Skin::Output), "the same output");
  checkArgument(tables_ != nullptr, "skeleton", "not set", "setSkeleton() before");
  Buffers& buffers = buffers_.get();
  const Device device = deviceOf(poses);
  const ScopedDevice scope(device);
  device::KinematicsTask<Skin> task{};
  task.tree = tables_->view(buffers.tables.ptr());
  task.poses = poses.ptr();
  task.count = poses.size() / task.tree.pose_size;
  if (poses.size() % task.tree.pose_size != 0)
    PCL_THROW_EXCEPTION(BadArgumentException,
                        "number of floats in poses is "
                            << poses.size() << ": expected a multiple of "
                            << task.tree.pose_size << ", the size of a pose");
  createOn(device, outputs, task.count * Skin::countPerPose(task.tree));
  if (outputs.empty())
    return;
  if (buffers.tables.empty() || deviceOf(buffers.tables) != device) {
    DeviceArray<char> copy;
    copy.upload(tables_->bytes);
    buffers.tables = copy;
    task.tree = tables_->view(copy.ptr());
  }
  const auto scratchTransforms = functionFor(device, PCL_GPU_BOTH(scratchTransforms));
  if (const std::size_t transforms = scratchTransforms(task.tree))
    takePieces(buffers.scratch, Piece(task.scratch, transforms));
  task.outputs = reinterpret_cast<typename Skin::Output*>(outputs.ptr());
  dispatch(device, PCL_GPU_BOTH(turnPoses<Skin>), task, stream);
}

void
ForwardKinematics::computeCapsules(const DeviceArray<float>& poses,
                                   DeviceArray<Capsule>& capsules,
                                   const Stream& stream)
{
  checkArgument(!tables_ || tables_->has_plain_capsules,
                "a capsule of the skeleton",
                "tapered",
                "one radius each, or an array of TaperedCapsule");
  turnPoses<device::PlaceCapsules<Capsule>>(poses, capsules, stream);
}

void
ForwardKinematics::computeCapsules(const DeviceArray<float>& poses,
                                   DeviceArray<TaperedCapsule>& capsules,
                                   const Stream& stream)
{
  turnPoses<device::PlaceCapsules<TaperedCapsule>>(poses, capsules, stream);
}

void
ForwardKinematics::computeJoints(const DeviceArray<float>& poses,
                                 DeviceArray<PointXYZ>& positions,
                                 const Stream& stream)
{
  turnPoses<device::PlaceJoints>(poses, positions, stream);
}

} // namespace pcl::gpu
