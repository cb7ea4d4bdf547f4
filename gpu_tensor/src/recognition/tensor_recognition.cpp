// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/counted_elements.h"
#include "poses/device_surfaces.h"
#include "recognition/recognition_task.h"

#include <pcl/gpu/tensor/tensor_recognition.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/camera_checks.h>
#include <pcl/gpu/utils/internal/device/trigonometry.hpp>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/internal/key_sort.h>

#include <cmath>

namespace pcl::gpu {

namespace {

/** \brief Returns poses that count as one.
 * \param[in] distance of the models' centres, metres
 * \param[in] angle between the rotations, radians
 */
device::PoseRadius
poseRadius(float distance, float angle)
{
  return {distance * distance, std::cos(0.5f * angle)};
}

/** \brief Brings parameters to metres. */
device::RecognitionParameters
inMetres(const TensorRecognitionParameters& parameters, float resolution)
{
  const PoseRefinementParameters& refinement = parameters.refinement;
  device::RecognitionParameters p{};
  p.max_hypotheses = parameters.max_hypotheses;
  // A hypothesis comes near enough in few rounds of few points.
  constexpr int rounds = 6, points = 80;
  const float capture = parameters.capture_distance * resolution;
  p.capture = refinementRounds(rounds, points, {capture, 0.4f * capture}, {0.5f, 0.7f});
  p.same = poseRadius(6.0f * resolution, 0.3f);
  p.max_candidates = parameters.max_candidates;
  p.refinement = refinementRounds(
      refinement.rounds,
      refinement.points,
      {refinement.first_distance * resolution, refinement.last_distance * resolution},
      {0.6f, 0.75f});
  p.group =
      poseRadius(parameters.grouping_distance * resolution, parameters.grouping_angle);
  p.deviation = {parameters.depth_deviation, parameters.depth_deviation_growth};
  p.min_visible = parameters.min_visible;
  p.min_fit = parameters.min_fit;
  p.min_confidence = parameters.min_confidence;
  p.max_shared = parameters.max_shared;
  return p;
}

} // namespace

TensorRecognitionParameters::TensorRecognitionParameters()
{
  matching.match_count = 8;
  matching.min_overlap = 0.4f;
  matching.min_correlation = 0.4f;
  matching.min_overlap_voxels = 12;
  matching.ranking = MatchRanking::CorrelationTimesOverlap;
}

void
TensorRecognitionParameters::validate() const
{
  matching.validate();
  checkAtLeast("largest number of hypotheses", max_hypotheses, 1);
  checkPositive("capture distance", capture_distance);
  checkAtLeast("largest number of candidates", max_candidates, 1);
  refinement.validate();
  checkPositive("grouping distance", grouping_distance);
  checkArgument(grouping_angle > 0.0f && grouping_angle <= device::pi,
                "grouping angle",
                grouping_angle,
                "above 0 up to pi");
  checkNotNegative("deviation of depth", depth_deviation);
  checkNotNegative("growth of the deviation of depth", depth_deviation_growth);
  checkArgument(depth_deviation + depth_deviation_growth > 0.0f,
                "deviation of depth",
                depth_deviation,
                "positive if it does not grow");
  checkBetween("least visible share", min_visible, 0.0f, 1.0f, "0 to 1");
  checkBetween("least fit", min_fit, 0.0f, 1.0f, "0 to 1");
  checkBetween("least confidence", min_confidence, 0.0f, 1.0f, "0 to 1");
  checkBetween("largest shared part", max_shared, 0.0f, 1.0f, "0 to 1");
}

void
TensorRecognition::setLibrary(const std::shared_ptr<TensorLibrary>& library)
{
  checkArgument(library != nullptr, "library", "null", "a library");
  library_ = library;
}

void
TensorRecognition::compute(const OrganizedCloud& cloud,
                           const NormalMap& normals,
                           const PinholeCamera& camera,
                           const TensorSet& tensors,
                           const Stream& stream)
{
  checkArgument(library_ != nullptr, "library", "null", "one set by setLibrary()");
  const TensorParameters& parameters = library_->getParameters();
  parameters.validate();
  const Device device = cloud.empty() ? currentDevice() : deviceOf(cloud);
  camera.validate();
  checkCamera("camera", camera, "the cloud", cloud);
  checkSameSize("normals", normals, "cloud", cloud);
  checkDevice("normals", normals, "cloud", device);
  // Nothing may have been computed into them: they have no grid size then.
  checkArgument(tensors.frames.empty() || tensors.grid_size == parameters.grid_size,
                "grid size of the tensors",
                tensors.grid_size,
                "that of the library");
  checkDevice("tensors", tensors.frames, "cloud", device);
  const ScopedDevice scope(device);

  Buffers& buffers = buffers_.value;
  const DeviceSurfaces& surfaces = library_->surfaces();
  const TensorTable& table = library_->table(stream);
  matching_.setParameters(parameters_.matching);
  matching_.compute(tensors, table, buffers.matches, stream);

  device::RecognitionTask task{};
  task.frames = tensors.frames.ptr();
  task.count = tensors.count.ptr();
  task.max_count = static_cast<int>(tensors.frames.size());
  task.table_frames = table.wholeFrames().ptr();
  task.labels = table.wholeLabels().ptr();
  task.matches = buffers.matches.ptr();
  task.match_count = parameters_.matching.match_count;
  task.input = {surfaces.view, cameraCloud(cloud, normals, camera)};
  task.parameters = inMetres(parameters_, parameters.resolution);
  createOn(device, buffers.objects, parameters_.max_candidates);
  createOn(device, buffers.object_count, 1);
  buffers.communicator = library_->getCommunicator();
  buffers.stream = buffers.communicator ? stream : Stream();
  if (parameters_.segmentation)
    createOn(device, buffers.pixel_objects, cloud.rows(), cloud.cols());
  else
    buffers.pixel_objects.release();
  task.objects = buffers.objects.ptr();
  task.object_count = buffers.object_count.ptr();
  task.pixel_objects = outputView<int>(buffers.pixel_objects);
  task.sort_bytes = sortScratchBytes(device, task.hypotheses(), device::rank_bits);
  const std::size_t bytes = device::RecognitionScratch(task, nullptr).bytes;
  workspace_.reserve(Workspace::bytesFor<char>(bytes));
  task.scratch = workspace_.take<char>(bytes);
  dispatch(device, PCL_GPU_BOTH(recognize), task, stream);
}

std::vector<RecognizedObject>
TensorRecognition::downloadObjects() const
{
  const Buffers& buffers = buffers_.value;
  if (buffers.objects.empty())
    return {};
  const ScopedDevice scope(deviceOf(buffers.objects));
  if (buffers.communicator)
    buffers.communicator->synchronize(buffers.stream);
  return downloadCounted(buffers.objects, buffers.object_count);
}

Pose
toPose(const float (&rows)[3][4])
{
  Pose pose = Pose::Identity();
  pose.affine() =
      Eigen::Map<const Eigen::Matrix<float, 3, 4, Eigen::RowMajor>>(rows[0]);
  return pose;
}

} // namespace pcl::gpu
