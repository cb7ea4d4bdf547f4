// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "device_surfaces.h"
#include "stage.h"

#include <pcl/gpu/tensor/tensor_recognition.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>

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

device::SceneView
sceneView(const OrganizedCloud& cloud,
          const NormalMap& normals,
          const PinholeCamera& camera)
{
  return {inputView<device::Float4>(cloud),
          inputView<device::Float4>(normals),
          camera.fx,
          camera.fy,
          camera.cx,
          camera.cy};
}

} // namespace

struct TensorRecognition::Settings {
  float group_distance = 6.0f;
  float group_angle = 0.261799388f;
  int max_candidates = 150;
  int rounds = 12;
  int points = 300;
  float first_distance = 9.0f, last_distance = 2.25f;
  float inlier_distance = 1.5f;
  float free_distance = 3.0f;
  float min_visible = 0.4f, min_fit = 0.55f, max_violations = 0.05f;
  float min_spread = 0.12f;
  int min_inliers = 40;
  float min_confidence = 0.62f, support_weight = 0.08f;
  float max_shared = 0.4f;
  bool segments = true;
  bool have_outlines = true;

  device::RecognitionParameters
  inMetres(float resolution) const
  {
    const auto radius = [&](float distance, float angle, float scale) {
      const float length = scale * distance * resolution;
      return device::PoseRadius{length * length, std::cos(0.5f * scale * angle)};
    };
    device::RecognitionParameters p{};
    constexpr float shrinking[1 + device::mean_shifts] = {1.0f, 0.75f, 0.5625f};
    for (int i = 0; i <= device::mean_shifts; ++i)
      p.group[i] = radius(group_distance, group_angle, shrinking[i]);
    p.max_candidates = max_candidates;
    p.rounds = rounds;
    p.points = points;
    for (int i = 0; i < rounds; ++i) {
      const float done =
          rounds > 1 ? static_cast<float>(i) / static_cast<float>(rounds - 1) : 1.0f;
      p.gates[i] =
          first_distance * std::pow(last_distance / first_distance, done) * resolution;
      p.cosines[i] = std::cos((60.0f - 20.0f * done) * pi / 180.0f);
    }
    p.tolerance = inlier_distance * resolution;
    p.free_distance = free_distance * resolution;
    p.min_cosine = std::cos(40.0f * pi / 180.0f);
    p.min_visible = min_visible;
    p.min_fit = min_fit;
    p.max_violations = max_violations;
    p.min_spread = min_spread;
    p.min_inliers = min_inliers;
    p.support_weight = support_weight;
    p.min_confidence = min_confidence;
    p.same = radius(4.0f, 0.2f, 1.0f);
    p.max_shared = max_shared;
    return p;
  }
};

struct TensorRecognition::Buffers {
  DeviceSurfaces surfaces;
  DeviceArray<TensorMatch> matches;
  DeviceArray<RecognizedObject> objects;
  DeviceArray<int> object_count;
  DeviceArray2D<int> pixel_objects;
  Workspace workspace;
};

TensorRecognition::TensorRecognition()
: settings_(std::make_unique<Settings>())
, buffers_(std::make_unique<Buffers>())
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
, settings_(std::make_unique<Settings>(*other.settings_))
, buffers_(std::make_unique<Buffers>())
{}

TensorRecognition::TensorRecognition(TensorRecognition&&) noexcept = default;

TensorRecognition&
TensorRecognition::operator=(TensorRecognition other) noexcept
{
  library_.swap(other.library_);
  std::swap(matching_, other.matching_);
  settings_.swap(other.settings_);
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
  settings_->group_distance = distance;
  settings_->group_angle = angle;
}

void
TensorRecognition::setMaxCandidates(int candidates)
{
  checkArgument(
      candidates >= 1, "largest number of candidates", candidates, "1 or more");
  settings_->max_candidates = candidates;
}

void
TensorRecognition::setRefinement(int rounds, int points)
{
  checkArgument(rounds >= 0 && rounds <= device::max_refinement_rounds,
                "rounds of refinement",
                rounds,
                "0 to 64");
  checkArgument(points >= 1, "points of refinement", points, "1 or more");
  settings_->rounds = rounds;
  settings_->points = points;
}

void
TensorRecognition::setRefinementDistances(float first, float last)
{
  checkPositive("first distance of refinement", first);
  checkPositive("last distance of refinement", last);
  checkArgument(
      last <= first, "last distance of refinement", last, "not more than the first");
  settings_->first_distance = first;
  settings_->last_distance = last;
}

void
TensorRecognition::setInlierDistance(float distance)
{
  checkPositive("inlier distance", distance);
  settings_->inlier_distance = distance;
}

void
TensorRecognition::setFreeDistance(float distance)
{
  checkPositive("free distance", distance);
  settings_->free_distance = distance;
}

void
TensorRecognition::setMinVisible(float share)
{
  checkShare("least visible share", share);
  settings_->min_visible = share;
}

void
TensorRecognition::setMinFit(float fit)
{
  checkShare("least fit", fit);
  settings_->min_fit = fit;
}

void
TensorRecognition::setMaxViolations(float share)
{
  checkShare("largest share of violations", share);
  settings_->max_violations = share;
}

void
TensorRecognition::setMinSpread(float spread)
{
  checkArgument(spread >= 0.0f && spread <= 0.5f, "least spread", spread, "0 to 0.5");
  settings_->min_spread = spread;
}

void
TensorRecognition::setMinInliers(int points)
{
  checkArgument(points >= 0, "least number of inliers", points, "0 or more");
  settings_->min_inliers = points;
}

void
TensorRecognition::setMinConfidence(float confidence, float support_weight)
{
  checkArgument(
      std::isfinite(confidence), "least confidence", confidence, "a finite number");
  checkNotNegative("weight of the support", support_weight);
  settings_->min_confidence = confidence;
  settings_->support_weight = support_weight;
}

void
TensorRecognition::setMaxShared(float share)
{
  checkShare("largest shared part", share);
  settings_->max_shared = share;
}

void
TensorRecognition::setSegmentationEnabled(bool enabled)
{
  settings_->segments = enabled;
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
  buffers.surfaces.update(*library_, device, settings_->have_outlines);
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
  task.surfaces = buffers.surfaces.view();
  task.scene = sceneView(cloud, normals, camera);
  task.parameters = settings_->inMetres(parameters.resolution);
  createOn(device, buffers.objects, settings_->max_candidates);
  createOn(device, buffers.object_count, 1);
  if (settings_->segments)
    createOn(device, buffers.pixel_objects, cloud.rows(), cloud.cols());
  else
    buffers.pixel_objects.release();
  task.objects = buffers.objects.ptr();
  task.object_count = buffers.object_count.ptr();
  task.pixel_objects = outputView<int>(buffers.pixel_objects);
  const device::RecognitionDriver& driver = recognitionDriver(device);
  const std::size_t bytes = driver.recognitionScratchBytes(task);
  buffers.workspace.reserve(Workspace::bytesFor<char>(bytes));
  driver.recognize(task, buffers.workspace.take<char>(bytes), stream.get());
}

void
TensorRecognition::ignoreOutlines()
{
  settings_->have_outlines = false;
}

std::vector<TensorRecognition::MutualFit>
TensorRecognition::fitViews(const SeenSurface& first,
                            const SeenSurface& second,
                            const Poses& poses)
{
  std::vector<MutualFit> fits(poses.size());
  if (poses.empty())
    return fits;
  const Device device = deviceOf(first.cloud);
  const ScopedDevice scope(device);
  Buffers& buffers = *buffers_;
  DeviceSurfaces& surfaces = buffers.surfaces;
  surfaces.update(*library_, device, settings_->have_outlines);
  device::RecognitionTask task{};
  task.surfaces = surfaces.view();
  // They lie on the surface already.
  Settings near = *settings_;
  near.rounds = 12;
  near.first_distance = 4.0f;
  near.last_distance = 1.0f;
  near.max_candidates = static_cast<int>(poses.size());
  task.parameters = near.inMetres(library_->getParameters().resolution);
  const device::RecognitionDriver& driver = recognitionDriver(device);
  const std::size_t bytes = driver.recognitionScratchBytes(task);
  buffers.workspace.reserve(Workspace::bytesFor<char>(bytes));
  void* const scratch = buffers.workspace.take<char>(bytes);
  DeviceArray<RecognizedObject> objects(poses.size());
  const auto verify = [&](const std::vector<device::ModelPose>& given) {
    DeviceArray<device::ModelPose> given_on_device;
    given_on_device.upload(given);
    task.given = given_on_device.ptr();
    task.objects = objects.ptr();
    driver.verify(task, scratch, nullptr);
    std::vector<RecognizedObject> verified;
    objects.download(verified);
    return verified;
  };

  task.scene = sceneView(second.cloud, second.normals, second.camera);
  task.mirror = {sceneView(first.cloud, first.normals, first.camera), 1};
  std::vector<device::ModelPose> given;
  for (const Pose& pose : poses)
    given.push_back(surfaces.aboutCenter(0, pose));
  const std::vector<RecognizedObject> forward = verify(given);
  task.scene = sceneView(first.cloud, first.normals, first.camera);
  task.mirror.model = -1;
  task.parameters.rounds = 0;
  given.clear();
  for (const RecognizedObject& object : forward)
    given.push_back(surfaces.aboutCenter(1, toPose(object.pose).inverse()));
  const std::vector<RecognizedObject> backward = verify(given);
  for (std::size_t i = 0; i < fits.size(); ++i)
    fits[i] = {forward[i], backward[i]};
  return fits;
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
