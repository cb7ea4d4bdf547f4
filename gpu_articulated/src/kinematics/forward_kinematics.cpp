// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "kinematic_tables.h"

#include "kinematics_driver.h"

#include <pcl/gpu/articulated/forward_kinematics.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/driver_choice.h>
#include <pcl/gpu/utils/workspace.h>

#include <utility>

namespace pcl::gpu {

static_assert(sizeof(PointXYZ) == sizeof(device::Float4),
              "both must describe the same point");

/** \brief The skeleton as it was when it was set, and memory that stays from one call to
 * the next. */
struct ForwardKinematics::Buffers {
  KinematicTables tables;
  Workspace scratch;

  /** \brief Checks the poses, gives the outputs their size, and calls the driver.
   * \param[in] per_pose number of outputs of a pose
   * \param[in] place takes the driver and the task
   */
  template <typename T, typename Place>
  void
  turnPoses(const DeviceArray<float>& poses,
            int per_pose,
            DeviceArray<T>& outputs,
            const Stream& stream,
            const Place& place)
  {
    checkArgument(tables.poseSize() > 0, "skeleton", "not set", "setSkeleton() before");
    if (poses.size() % tables.poseSize() != 0)
      PCL_THROW_EXCEPTION(BadArgumentException,
                          "number of floats in poses is "
                              << poses.size() << ": expected a multiple of "
                              << tables.poseSize() << ", the size of a pose");
    const Device device = deviceOf(poses);
    const ScopedDevice scope(device);
    const std::size_t count = poses.size() / tables.poseSize();
    createOn(device, outputs, count * per_pose);
    if (outputs.empty())
      return;
    const auto& driver = chooseDriver(device,
                                      &device::hostKinematicsDriver,
                                      PCL_GPU_CUDA_ONLY(device::cudaKinematicsDriver),
                                      "gpu_articulated");
    device::KinematicsTask task{tables.on(device), poses.ptr(), count, nullptr};
    if (const std::size_t transforms = driver.scratchCount(task.tree)) {
      scratch.reserve(Workspace::bytesFor<device::JointTransform>(transforms));
      task.scratch = scratch.take<device::JointTransform>(transforms);
    }
    place(driver, task, stream.get());
  }
};

ForwardKinematics::ForwardKinematics() : buffers_(new Buffers) {}

ForwardKinematics::ForwardKinematics(const ForwardKinematics& other)
: skeleton_(other.skeleton_)
, buffers_(new Buffers)
{
  buffers_->tables = other.buffers_->tables;
}

ForwardKinematics::ForwardKinematics(ForwardKinematics&&) noexcept = default;

ForwardKinematics&
ForwardKinematics::operator=(ForwardKinematics other) noexcept
{
  skeleton_ = std::move(other.skeleton_);
  buffers_ = std::move(other.buffers_);
  return *this;
}

ForwardKinematics::~ForwardKinematics() = default;

void
ForwardKinematics::setSkeleton(const Skeleton::ConstPtr& skeleton)
{
  checkArgument(skeleton != nullptr, "skeleton", "null", "a skeleton");
  checkArgument(!skeleton->getJoints().empty(), "skeleton", "empty", "a root joint");
  buffers_->tables = KinematicTables(*skeleton);
  skeleton_ = skeleton;
}

const Skeleton::ConstPtr&
ForwardKinematics::getSkeleton() const
{
  return skeleton_;
}

void
ForwardKinematics::computeCapsules(const DeviceArray<float>& poses,
                                   DeviceArray<Capsule>& capsules,
                                   const Stream& stream)
{
  const KinematicTables& tables = buffers_->tables;
  checkArgument(tables.hasPlainCapsules(),
                "a capsule of the skeleton",
                "tapered",
                "one radius each, or an array of TaperedCapsule");
  buffers_->turnPoses(poses,
                      tables.capsuleCount(),
                      capsules,
                      stream,
                      [&](const auto& driver, const auto& task, auto queue) {
                        driver.placeCapsules(task, capsules.ptr(), queue);
                      });
}

void
ForwardKinematics::computeCapsules(const DeviceArray<float>& poses,
                                   DeviceArray<TaperedCapsule>& capsules,
                                   const Stream& stream)
{
  buffers_->turnPoses(poses,
                      buffers_->tables.capsuleCount(),
                      capsules,
                      stream,
                      [&](const auto& driver, const auto& task, auto queue) {
                        driver.placeCapsules(task, capsules.ptr(), queue);
                      });
}

void
ForwardKinematics::computeJoints(const DeviceArray<float>& poses,
                                 DeviceArray<PointXYZ>& positions,
                                 const Stream& stream)
{
  buffers_->turnPoses(
      poses,
      buffers_->tables.jointCount(),
      positions,
      stream,
      [&](const auto& driver, const auto& task, auto queue) {
        driver.placeJoints(
            task, reinterpret_cast<device::Float4*>(positions.ptr()), queue);
      });
}

} // namespace pcl::gpu
