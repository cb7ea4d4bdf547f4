// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "poses/device_surfaces.h"
#include "poses/model_pose.hpp"
#include "registration/pose_graph.h"
#include "registration/registration_task.h"
#include "registration/scanned_view.h"

#include <pcl/gpu/tensor/depth_map_tensor_extraction.h>
#include <pcl/gpu/tensor/tensor_recognition.h>
#include <pcl/gpu/tensor/tensor_view_registration.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace pcl::gpu {

namespace {

/** \brief Default resolution, in distances of neighbouring points: more points take
 * time, and show more noise. */
constexpr float spacings = 2.5f;

/** \brief Returns the pose about a centre as one of the cloud. */
Pose
ownPose(const device::ModelPose& pose, const float (&center)[3])
{
  device::ModelSurface about{};
  std::copy_n(center, 3, about.center);
  float rows[3][4];
  writePose(pose, about, rows);
  return toPose(rows);
}

/** \brief Keeps the best poses, in their order. */
void
keepBest(std::vector<device::RankedPose>& poses, int most)
{
  poses.erase(std::remove_if(poses.begin(),
                             poses.end(),
                             [](const auto& pose) { return pose.pose.model < 0; }),
              poses.end());
  std::stable_sort(poses.begin(), poses.end(), [](const auto& a, const auto& b) {
    return a.rank > b.rank;
  });
  poses.resize(std::min(poses.size(), static_cast<std::size_t>(most)));
}

/** \brief Returns poses that differ from all better ones.
 * \param[in] poses the best first
 * \param[in] source that the poses move
 * \param[in] node its points
 * \param[in] distance by which they differ at least, metres
 */
std::vector<device::JudgedPose>
differentPoses(const std::vector<device::RankedPose>& poses,
               const SurfaceOnDevice& source,
               const PoseNode& node,
               float distance,
               int most)
{
  const float(&center)[3] = source.get().center;
  std::vector<device::JudgedPose> different;
  std::vector<Pose> kept;
  for (const device::RankedPose& pose : poses) {
    const Pose own = ownPose(pose.pose, center);
    if (std::any_of(kept.begin(), kept.end(), [&](const Pose& other) {
          return poseDeviation(own, other, node) < distance;
        }))
      continue;
    kept.push_back(own);
    different.emplace_back();
    different.back().pose = pose.pose;
    if (different.size() == static_cast<std::size_t>(most))
      break;
  }
  return different;
}

/** \brief Uploads poses, runs a task on them, and downloads them. */
template <typename PoseT>
void
runOnPoses(void (*host)(const device::PoseTask<PoseT>&),
           void (*cuda)(const device::PoseTask<PoseT>&, CUstream_st*),
           const device::RegistrationTask& task,
           std::vector<PoseT>& poses)
{
  if (poses.empty())
    return;
  DeviceArray<PoseT> on_device;
  on_device.upload(poses);
  dispatch(
      currentDevice(),
      host,
      cuda,
      device::PoseTask<PoseT>{task, on_device.ptr(), static_cast<int>(poses.size())},
      Stream());
  on_device.download(poses);
}

} // namespace

TensorViewRegistrationParameters::TensorViewRegistrationParameters()
{
  // Views share less of a surface than objects show. Tensors at the rim of the shared
  // part resemble each other little.
  matching.match_count = 8;
  matching.min_overlap = 0.3f;
  matching.min_correlation = 0.3f;
  matching.min_overlap_voxels = 12;
  matching.ranking = MatchRanking::CorrelationTimesOverlap;
}

void
TensorViewRegistrationParameters::validate() const
{
  matching.validate();
  checkNotNegative("resolution", resolution);
  checkAtLeast("largest number of tensors", max_tensors, 1);
  checkAtLeast("largest number of hypotheses", max_hypotheses, 1);
  checkAtLeast("largest number of candidates", max_candidates, 1);
  checkBetween("least overlap", min_overlap, 0.0f, 1.0f, "0 to 1");
  checkBetween("least fit", min_fit, 0.0f, 1.0f, "0 to 1");
}

void
TensorViewRegistration::setParameters(
    const TensorViewRegistrationParameters& parameters)
{
  parameters.validate();
  const bool is_other = parameters.resolution != parameters_.resolution;
  checkArgument(views_.empty() || !is_other,
                "resolution",
                parameters.resolution,
                "the same as long as there are views");
  if (is_other)
    resolution_ = parameters.resolution;
  parameters_ = parameters;
}

int
TensorViewRegistration::add(View view, float spacing)
{
  constexpr float share_of_extent = 0.0055f;
  float resolution = resolution_;
  if (resolution == 0.0f)
    resolution =
        std::max(spacings * spacing, share_of_extent * usualExtent(*view.cloud));
  checkResolution(*view.cloud, resolution);
  view.center = centroidOf(*view.cloud);
  double squared = 0.0;
  for (const PointXYZ& point : *view.cloud)
    squared += (point.getVector3fMap() - view.center).squaredNorm();
  view.radius =
      static_cast<float>(std::sqrt(squared / static_cast<double>(view.cloud->size())));
  views_.push_back(std::move(view));
  resolution_ = resolution;
  return size() - 1;
}

int
TensorViewRegistration::addView(const RangeView& view)
{
  view.camera.validate();
  validatePose(view.pose, "pose of the view");
  checkArgument(view.camera.width > 0 && view.camera.height > 0 &&
                    view.depth.size() ==
                        static_cast<std::size_t>(view.camera.width) *
                            static_cast<std::size_t>(view.camera.height),
                "number of the view's pixels",
                view.depth.size(),
                "as many as its camera has");
  View added;
  added.cloud = measuredPoints(view);
  added.range = view;
  return add(std::move(added), resolution_ > 0.0f ? 0.0f : pixelSpacing(view));
}

int
TensorViewRegistration::addView(const PointCloud<PointXYZ>& cloud)
{
  if (const std::optional<RangeView> organized = organizedRangeView(cloud))
    return addView(*organized);
  const PointCloud<PointXYZ>::Ptr measured = measuredPoints(cloud);
  const float spacing =
      resolution_ > 0.0f ? resolution_ / spacings : pointSpacing(measured);
  View added;
  added.cloud = measured;
  added.range = seenFromOrigin(*measured, spacing);
  if (added.range) {
    const Pose to_camera = added.range->pose.inverse();
    for (PointXYZ& point : *measured)
      point.getVector3fMap() = to_camera * Eigen::Vector3f(point.getVector3fMap());
  }
  return add(std::move(added), spacing);
}

int
TensorViewRegistration::addCloud(const PointCloud<PointXYZ>& cloud)
{
  View added;
  added.cloud = measuredPoints(cloud);
  const float spacing = resolution_ > 0.0f ? 0.0f : pointSpacing(added.cloud);
  return add(std::move(added), spacing);
}

void
TensorViewRegistration::checkView(const char* name, int view) const
{
  checkArgument(view >= 0 && view < size(), name, view, "the number of a view");
}

const TensorViewRegistration::DescribedView&
TensorViewRegistration::describe(View& view, bool is_oriented)
{
  if (!view.on_device || view.device != currentDevice()) {
    view.described[0].reset();
    view.described[1].reset();
    view.surface = std::make_shared<EvenSurface>(
        evenSurface(*view.cloud, resolution_, workspace_));
    view.on_device =
        std::make_shared<SurfaceOnDevice>(*view.surface, view.range, workspace_);
    view.device = currentDevice();
  }
  std::optional<DescribedView>& described = view.described[is_oriented ? 1 : 0];
  if (!described) {
    DescribedView made;
    made.tensors = surfaceTensors(*view.surface,
                                  recognitionParameters(resolution_),
                                  parameters_.max_tensors,
                                  is_oriented,
                                  extraction_);
    const TensorSet both =
        is_oriented ? made.tensors : tensorsOfBothSides(made.tensors);
    DeviceArray<int> labels;
    labels.upload(std::vector<int>(std::max<std::size_t>(both.frames.size(), 1)));
    made.table.build(both, labels);
    described = made;
  }
  return *described;
}

std::optional<ViewAlignment>
TensorViewRegistration::align(int number, int target_number)
{
  checkView("source", number);
  checkView("target", target_number);
  checkArgument(
      number != target_number, "target", target_number, "another view than the source");
  View &source = views_[number], &target = views_[target_number];
  const bool is_oriented = source.range && target.range;
  const TensorSet& tensors = describe(source, is_oriented).tensors;
  const TensorTable& table = describe(target, is_oriented).table;
  DeviceArray<TensorMatch> matches;
  matching_.setParameters(parameters_.matching);
  matching_.compute(tensors, table, matches);

  device::RegistrationTask task{};
  task.source = source.on_device->get();
  task.target = target.on_device->get();
  task.frames = tensors.frames.ptr();
  task.tensors = static_cast<int>(tensors.frames.size());
  task.target_frames = table.wholeFrames().ptr();
  task.matches = matches.ptr();
  task.match_count = parameters_.matching.match_count;
  task.overlap = {resolution_, 1.5f * resolution_, 0.8f, is_oriented};
  task.support_distance = 4.0f * resolution_;
  task.capture =
      refinementRounds(8, 400, {3.0f * resolution_, 1.5f * resolution_}, {0.6f, 0.6f});
  task.refinement = refinementRounds(
      10, 3000, {2.0f * resolution_, 0.7f * resolution_}, {0.6f, 0.6f});

  std::vector<device::RankedPose> poses(static_cast<std::size_t>(task.tensors) *
                                        task.match_count);
  runOnPoses(PCL_GPU_BOTH(rankPoses), task, poses);
  keepBest(poses, parameters_.max_hypotheses);
  runOnPoses(PCL_GPU_BOTH(capturePoses), task, poses);
  keepBest(poses, parameters_.max_hypotheses);
  std::vector<device::JudgedPose> judged =
      differentPoses(poses,
                     *source.on_device,
                     {source.center, source.radius},
                     2.0f * resolution_,
                     parameters_.max_candidates);
  runOnPoses(PCL_GPU_BOTH(judgePoses), task, judged);

  std::optional<ViewAlignment> best;
  for (const device::JudgedPose& pose : judged) {
    constexpr int least_inliers = 100;
    // Few tensors show a small overlap.
    constexpr float least_support = 0.003f;
    const float score =
        pose.fit * pose.overlap * std::sqrt(pose.support + least_support);
    if (pose.fit < parameters_.min_fit || pose.overlap < parameters_.min_overlap ||
        pose.inliers < least_inliers || (best && best->score >= score))
      continue;
    best.emplace();
    best->source = number;
    best->target = target_number;
    best->pose = target.pose() * ownPose(pose.pose, task.source.center) *
                 source.pose().inverse();
    best->fit = pose.fit;
    best->overlap = pose.overlap;
    best->score = score;
    best->inliers = pose.inliers;
  }
  return best;
}

TensorViewRegistration::Alignments
TensorViewRegistration::alignAll()
{
  Alignments alignments;
  for (int target = 1; target < size(); ++target)
    for (int source = 0; source < target; ++source)
      if (const auto found = align(source, target))
        alignments.push_back(*found);
  return alignments;
}

TensorViewRegistration::Poses
TensorViewRegistration::connect(const Alignments& alignments) const
{
  PoseEdges edges;
  std::map<std::pair<int, int>, std::size_t> places; // of pairs, among the edges
  for (const ViewAlignment& alignment : alignments) {
    checkView("source of an alignment", alignment.source);
    checkView("target of an alignment", alignment.target);
    checkArgument(alignment.source != alignment.target,
                  "target of an alignment",
                  alignment.target,
                  "another view than the source");
    checkPositive("score of an alignment", alignment.score);
    PoseEdge edge;
    edge.from = alignment.source;
    edge.to = alignment.target;
    edge.pose = alignment.pose;
    edge.score = alignment.score;
    const auto [place, is_new] =
        places.emplace(std::minmax(edge.from, edge.to), edges.size());
    if (is_new)
      edges.push_back(edge);
    else if (edge.score > edges[place->second].score)
      edges[place->second] = edge;
  }
  if (views_.empty())
    return {};
  std::vector<PoseNode> nodes;
  for (const View& view : views_)
    nodes.push_back({view.pose() * view.center, view.radius});
  return solvePoseGraph(nodes, edges, 2.0f * resolution_);
}

} // namespace pcl::gpu
