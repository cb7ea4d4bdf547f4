// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "recognition/recognition_task.h"
#include "verification/device_surfaces.h"
#include "verification/verification.h"

#include <pcl/gpu/tensor/tensor_recognition.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pcl::gpu {

namespace {

constexpr float pi = 3.14159274f;

void
checkShare(const char* name, float share)
{
  checkArgument(share >= 0.0f && share <= 1.0f, name, share, "0 to 1");
}

void
checkLibrary(const std::shared_ptr<TensorLibrary>& library)
{
  checkArgument(library != nullptr, "library", "null", "one set by setLibrary()");
  validateParameters(library->getParameters());
}

void
checkCamera(const PinholeCamera& camera, const OrganizedCloud& cloud)
{
  camera.validate();
  const bool fits = (camera.width == 0 || camera.width == cloud.cols()) &&
                    (camera.height == 0 || camera.height == cloud.rows());
  if (!fits)
    PCL_THROW_EXCEPTION(BadArgumentException,
                        "camera has " << camera.width << " x " << camera.height
                                      << " pixels: expected those of the cloud, "
                                      << cloud.cols() << " x " << cloud.rows());
}

Device
deviceOfScene(const OrganizedCloud& cloud)
{
  return cloud.empty() ? currentDevice() : deviceOf(cloud);
}

void
checkScene(const OrganizedCloud& cloud,
           const NormalMap& normals,
           const PinholeCamera& camera)
{
  checkCamera(camera, cloud);
  checkSameSize("normals", normals, "cloud", cloud);
  checkDevice("normals", normals, "cloud", deviceOfScene(cloud));
}

/** \brief Brings parameters to metres. */
device::RecognitionParameters
inMetres(const TensorRecognitionParameters& parameters, float resolution)
{
  device::RecognitionParameters p{};
  constexpr float shrinking[1 + device::mean_shifts] = {1.0f, 0.75f, 0.5625f};
  for (int i = 0; i <= device::mean_shifts; ++i)
    p.group[i] = poseRadius(shrinking[i] * parameters.grouping_distance * resolution,
                            shrinking[i] * parameters.grouping_angle);
  p.max_candidates = parameters.max_candidates;
  p.same = poseRadius(4.0f * resolution, 0.2f);
  p.max_shared = parameters.max_shared;
  return p;
}

} // namespace

struct TensorRecognition::Buffers {
  DeviceArray<TensorMatch> matches;
  DeviceArray<RecognizedObject> objects;
  DeviceArray<int> object_count;
  DeviceArray2D<int> pixel_objects;
  Workspace workspace;
};

TensorRecognition::TensorRecognition() : buffers_(std::make_unique<Buffers>())
{
  matching_.setMatchCount(2);
  matching_.setMinOverlap(0.4f);
  matching_.setMinCorrelation(0.4f);
  matching_.setMinOverlapVoxels(12);
  matching_.setRanking(MatchRanking::CorrelationTimesOverlap);
}

TensorRecognition::TensorRecognition(const TensorRecognition& other)
: library_(other.library_)
, matching_(other.matching_)
, parameters_(other.parameters_)
, buffers_(std::make_unique<Buffers>())
{}

TensorRecognition::TensorRecognition(TensorRecognition&&) noexcept = default;

TensorRecognition&
TensorRecognition::operator=(TensorRecognition other) noexcept
{
  library_.swap(other.library_);
  std::swap(matching_, other.matching_);
  std::swap(parameters_, other.parameters_);
  buffers_.swap(other.buffers_);
  return *this;
}

TensorRecognition::~TensorRecognition() = default;

void
TensorRecognition::setLibrary(const std::shared_ptr<TensorLibrary>& library)
{
  checkArgument(library != nullptr, "library", "null", "a library");
  library_ = library;
}

const std::shared_ptr<TensorLibrary>&
TensorRecognition::getLibrary() const
{
  return library_;
}

TensorMatching&
TensorRecognition::matching()
{
  return matching_;
}

void
TensorRecognition::setGroupingRadius(float distance, float angle)
{
  checkPositive("grouping distance", distance);
  checkArgument(
      angle > 0.0f && angle <= pi, "grouping angle", angle, "above 0 up to pi");
  parameters_.grouping_distance = distance;
  parameters_.grouping_angle = angle;
}

void
TensorRecognition::setMaxCandidates(int candidates)
{
  checkArgument(
      candidates >= 1, "largest number of candidates", candidates, "1 or more");
  parameters_.max_candidates = candidates;
}

void
TensorRecognition::setRefinement(int rounds, int points)
{
  checkArgument(rounds >= 0 && rounds <= PoseVerificationParameters::max_rounds,
                "rounds of refinement",
                rounds,
                "0 to 64");
  checkArgument(points >= 1, "points of refinement", points, "1 or more");
  parameters_.verification.rounds = rounds;
  parameters_.verification.points = points;
}

void
TensorRecognition::setRefinementDistances(float first, float last)
{
  checkPositive("first distance of refinement", first);
  checkPositive("last distance of refinement", last);
  checkArgument(
      last <= first, "last distance of refinement", last, "not more than the first");
  parameters_.verification.first_distance = first;
  parameters_.verification.last_distance = last;
}

void
TensorRecognition::setInlierDistance(float distance)
{
  checkPositive("inlier distance", distance);
  parameters_.verification.inlier_distance = distance;
}

void
TensorRecognition::setFreeDistance(float distance)
{
  checkPositive("free distance", distance);
  parameters_.verification.free_distance = distance;
}

void
TensorRecognition::setMinVisible(float share)
{
  checkShare("least visible share", share);
  parameters_.verification.min_visible = share;
}

void
TensorRecognition::setMinFit(float fit)
{
  checkShare("least fit", fit);
  parameters_.verification.min_fit = fit;
}

void
TensorRecognition::setMaxViolations(float share)
{
  checkShare("largest share of violations", share);
  parameters_.verification.max_violations = share;
}

void
TensorRecognition::setMinSpread(float spread)
{
  checkArgument(spread >= 0.0f && spread <= 0.5f, "least spread", spread, "0 to 0.5");
  parameters_.verification.min_spread = spread;
}

void
TensorRecognition::setMinInliers(int points)
{
  checkArgument(points >= 0, "least number of inliers", points, "0 or more");
  parameters_.verification.min_inliers = points;
}

void
TensorRecognition::setMinConfidence(float confidence, float support_weight)
{
  checkArgument(
      std::isfinite(confidence), "least confidence", confidence, "a finite number");
  checkNotNegative("weight of the support", support_weight);
  parameters_.verification.min_confidence = confidence;
  parameters_.verification.support_weight = support_weight;
}

void
TensorRecognition::setMaxShared(float share)
{
  checkShare("largest shared part", share);
  parameters_.max_shared = share;
}

void
TensorRecognition::setSegmentationEnabled(bool enabled)
{
  parameters_.segmentation = enabled;
}

void
TensorRecognition::setOutlinesJudged(bool enabled)
{
  parameters_.verification.judge_outlines = enabled;
}

const TensorRecognitionParameters&
TensorRecognition::getParameters() const
{
  return parameters_;
}

void
TensorRecognition::compute(const OrganizedCloud& cloud,
                           const NormalMap& normals,
                           const PinholeCamera& camera,
                           const TensorSet& tensors,
                           const Stream& stream)
{
  checkLibrary(library_);
  checkScene(cloud, normals, camera);
  const TensorParameters& parameters = library_->getParameters();
  // Nothing may have been computed into them: they have no grid size then.
  checkArgument(tensors.frames.empty() || tensors.grid_size == parameters.grid_size,
                "grid size of the tensors",
                tensors.grid_size,
                "that of the library");
  const Device device = deviceOfScene(cloud);
  checkDevice("tensors", tensors.frames, "cloud", device);
  const ScopedDevice scope(device);

  Buffers& buffers = *buffers_;
  const DeviceSurfaces& surfaces =
      library_->surfaces(parameters_.verification.judge_outlines);
  const TensorTable& table = library_->table(stream);
  matching_.compute(tensors, table, buffers.matches, stream);

  device::RecognitionTask task{};
  task.frames = tensors.frames.ptr();
  task.count = tensors.count.ptr();
  task.max_count = static_cast<int>(tensors.frames.size());
  task.table_frames = table.tensors().frames.ptr();
  task.labels = table.labels().ptr();
  task.matches = buffers.matches.ptr();
  task.match_count = matching_.getMatchCount();
  task.verification = {surfaces.view(),
                       sceneView(cloud, normals, camera),
                       inMetres(parameters_.verification, parameters.resolution),
                       {}};
  task.parameters = inMetres(parameters_, parameters.resolution);
  createOn(device, buffers.objects, parameters_.max_candidates);
  createOn(device, buffers.object_count, 1);
  if (parameters_.segmentation)
    createOn(device, buffers.pixel_objects, cloud.rows(), cloud.cols());
  else
    buffers.pixel_objects.release();
  task.objects = buffers.objects.ptr();
  task.object_count = buffers.object_count.ptr();
  task.pixel_objects = outputView<int>(buffers.pixel_objects);
  const std::size_t bytes =
      functionFor(device,
                  &device::host::recognitionScratchBytes,
                  PCL_GPU_CUDA_ONLY(device::cuda::recognitionScratchBytes))(task);
  buffers.workspace.reserve(Workspace::bytesFor<char>(bytes));
  task.scratch = buffers.workspace.take<char>(bytes);
  dispatch(device,
           &device::host::recognize,
           PCL_GPU_CUDA_ONLY(device::cuda::recognize),
           task,
           stream);
}

const DeviceArray<RecognizedObject>&
TensorRecognition::objects() const
{
  return buffers_->objects;
}

const DeviceArray<int>&
TensorRecognition::objectCount() const
{
  return buffers_->object_count;
}

const DeviceArray2D<int>&
TensorRecognition::pixelObjects() const
{
  return buffers_->pixel_objects;
}

std::vector<RecognizedObject>
TensorRecognition::getObjects() const
{
  std::vector<RecognizedObject> objects;
  if (buffers_->objects.empty())
    return objects;
  const ScopedDevice scope(deviceOf(buffers_->objects));
  int count = 0;
  buffers_->object_count.download(&count);
  objects.resize(static_cast<std::size_t>(count));
  if (count > 0)
    buffers_->objects.download(objects.data(), 0, objects.size());
  return objects;
}

Pose
toPose(const float (&rows)[3][4])
{
  Pose pose = Pose::Identity();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j)
      pose(i, j) = rows[i][j];
  return pose;
}

} // namespace pcl::gpu
