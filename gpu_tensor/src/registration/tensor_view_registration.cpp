// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "library/sampled_points.h"
#include "verification/verification.h"

#include <pcl/gpu/tensor/tensor_view_registration.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/device/missing_depth.hpp>
#include <pcl/gpu/utils/internal/device_memory_checks.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <queue>
#include <string>

namespace pcl::gpu {

namespace {

/** \brief Points of a view that it is refined and verified with. */
constexpr std::size_t points_of_view = 3000;

/** \brief Returns a quantile of the depth. */
float
depthQuantile(const std::vector<float>& depth, float share)
{
  std::vector<float> measured;
  for (const float z : depth)
    if (isMeasuredDepth(z))
      measured.push_back(z);
  checkAtLeast("number of pixels with depth", measured.size(), 1);
  const auto place =
      measured.begin() +
      static_cast<std::ptrdiff_t>(share * static_cast<float>(measured.size() - 1));
  std::nth_element(measured.begin(), place, measured.end());
  return *place;
}

} // namespace

TensorViewRegistrationParameters::TensorViewRegistrationParameters()
{
  // Views share less of a surface than objects show. Tensors at the rim of the shared
  // part resemble each other little.
  recognition.matching.match_count = 4;
  recognition.matching.min_overlap = 0.3f;
  recognition.matching.min_correlation = 0.3f;
  recognition.segmentation = false;
  recognition.max_shared = 1.0f;
  // All poses remain until both views judge.
  recognition.judge_outlines = false;
  recognition.min_confidence = 0.0f;
  recognition.min_visible = recognition.min_fit = 0.0f;
  recognition.refinement.rounds = 20;
  recognition.refinement.points = static_cast<int>(points_of_view);
  recognition.refinement.first_distance = 9.0f;
  recognition.refinement.last_distance = 1.75f;
  // They lie on the surface already.
  verification.refinement.rounds = 12;
  verification.refinement.points = static_cast<int>(points_of_view);
  verification.refinement.first_distance = 4.0f;
  verification.refinement.last_distance = 1.0f;
}

void
TensorViewRegistrationParameters::validate() const
{
  recognition.validate();
  verification.validate();
  checkNotNegative("resolution", resolution);
  checkAtLeast("number of tensors of a source", source_tensors, 1);
  checkAtLeast("number of tensors of a target", target_tensors, 1);
  checkBetween("least overlap", min_overlap, 0.0f, 1.0f, "0 to 1");
  checkBetween("least fit", min_fit, 0.0f, 1.0f, "0 to 1");
}

void
TensorViewRegistration::setParameters(
    const TensorViewRegistrationParameters& parameters)
{
  parameters.validate();
  if (parameters.resolution != parameters_.resolution)
    resolution_ = parameters.resolution;
  parameters_ = parameters;
}

void
TensorViewRegistration::prepare(View& view, int tensors)
{
  const RangeView& range = view.range;
  DepthMapTensorExtractionParameters parameters;
  parameters.surface.projection.camera = range.camera;
  parameters.surface.projection.sampling_step = range.sampling_step;
  // The window is counted in the pixels that are used.
  const bool samples = range.sampling_step > 1;
  parameters.surface.filter.window_radius = samples ? 6 : 3;
  parameters.surface.filter.sigma_s = samples ? 3.0f : 1.5f;
  // One pixel in a hundred may be nearer.
  parameters.nearest_depth = depthQuantile(range.depth, 0.01f);
  parameters.tensors = recognitionParameters(resolution_);
  parameters.tensor_count = tensors;
  extraction_.setParameters(parameters);
  DepthMap depth;
  depth.upload(range.depth, range.camera.width);
  extraction_.compute(depth);
  const DepthMapTriangulation& surface = extraction_.surface();
  if (!view.cloud.empty())
    return;
  surface.cloud().copyTo(view.cloud);
  surface.normals().copyTo(view.normals);
  view.camera = extraction_.getCloudCamera();
  // Any part of the surface counts, even one that is seen very flatly.
  constexpr float any_side = 1.0f;
  view.model.points =
      sampledPoints(surface, Pose::Identity(), any_side, points_of_view, 0);
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
  const float median = depthQuantile(view.depth, 0.5f);
  if (views_.empty() && parameters_.resolution == 0.0f)
    resolution_ = median * static_cast<float>(view.sampling_step) / view.camera.fx;
  views_.emplace_back();
  views_.back().range = view;
  return size() - 1;
}

const TensorModel&
TensorViewRegistration::modelOf(int number)
{
  View& view = views_[number];
  if (view.model.name.empty()) {
    prepare(view, parameters_.source_tensors);
    constexpr int min_voxels = 20;
    appendTensors(extraction_.tensors(), Pose::Identity(), 0, view.model, min_voxels);
    view.model.name = std::to_string(number);
  }
  return view.model;
}

int
TensorViewRegistration::addView(const PointCloud<PointXYZ>& cloud)
{
  return addView(toRangeView(cloud));
}

void
TensorViewRegistration::checkView(const char* name, int view) const
{
  checkArgument(view >= 0 && view < size(), name, view, "the number of a view");
}

struct TensorViewRegistration::MutualFit {
  Pose pose;                ///< of the first one in the second
  device::PoseFit forward;  ///< the first one in the second
  device::PoseFit backward; ///< the second one in the first
};

std::vector<TensorViewRegistration::MutualFit>
TensorViewRegistration::fitViews(const View& first,
                                 const View& second,
                                 TensorLibrary& library,
                                 const std::vector<RecognizedObject>& objects)
{
  const ScopedDevice scope(deviceOf(first.cloud));
  const DeviceSurfaces& surfaces =
      library.surfaces(parameters_.recognition.judge_outlines);
  const device::CameraCloud first_view =
      cameraCloud(first.cloud, first.normals, first.camera);
  device::VerificationInput input{
      {surfaces.view,
       cameraCloud(second.cloud, second.normals, second.camera),
       {first_view, 1}},
      inMetres(parameters_.verification, library.getParameters().resolution)};
  std::vector<device::ModelPose> poses;
  for (const RecognizedObject& object : objects)
    poses.push_back(surfaces.aboutCenter(0, toPose(object.pose)));
  const std::vector<device::PoseFit> forward = verifyPoses(input, poses, workspace_);
  input.scene = first_view;
  input.mirror.model = -1;
  input.parameters.refinement.rounds = 0;
  poses.clear();
  for (const device::PoseFit& fit : forward)
    poses.push_back(surfaces.aboutCenter(1, surfaces.ownPose(fit.pose).inverse()));
  const std::vector<device::PoseFit> backward = verifyPoses(input, poses, workspace_);
  std::vector<MutualFit> fits;
  for (std::size_t i = 0; i < forward.size(); ++i)
    fits.push_back({surfaces.ownPose(forward[i].pose), forward[i], backward[i]});
  return fits;
}

std::optional<ViewAlignment>
TensorViewRegistration::findInPrepared(int source, int target)
{
  const auto library = std::make_shared<TensorLibrary>();
  library->setParameters(recognitionParameters(resolution_));
  library->addModel(modelOf(source));
  // A model without tensors: it is verified, but never found.
  TensorModel surface;
  surface.name = "target";
  surface.points = views_[target].model.points;
  library->addModel(surface);
  TensorRecognitionParameters recognition = parameters_.recognition;
  recognition.depth_deviation =
      0.5f * parameters_.verification.inlier_distance * resolution_;
  recognition.depth_deviation_growth = 0.0f;
  recognition_.setParameters(recognition);
  recognition_.setLibrary(library);
  recognition_.compute(extraction_.surface().cloud(),
                       extraction_.surface().normals(),
                       extraction_.getCloudCamera(),
                       extraction_.tensors());
  const std::vector<RecognizedObject> objects = recognition_.downloadObjects();
  if (objects.empty())
    return std::nullopt;
  const std::vector<MutualFit> fits =
      fitViews(views_[source], views_[target], *library, objects);
  const auto isAccepted = [&](const device::PoseFit& fit) {
    constexpr float most_violations = 0.1f, least_spread = 0.02f;
    constexpr int least_inliers = 100;
    return fit.fit >= parameters_.min_fit && fit.visible >= parameters_.min_overlap &&
           fit.violations <= most_violations && fit.spread >= least_spread &&
           fit.inliers >= least_inliers;
  };
  const MutualFit* best = nullptr;
  for (const MutualFit& fit : fits)
    if (isAccepted(fit.forward) && isAccepted(fit.backward) &&
        (!best ||
         fit.forward.fit * fit.backward.fit > best->forward.fit * best->backward.fit))
      best = &fit;
  if (!best)
    return std::nullopt;
  ViewAlignment alignment;
  alignment.source = source;
  alignment.target = target;
  alignment.pose =
      views_[target].range.pose * best->pose * views_[source].range.pose.inverse();
  alignment.fit = std::min(best->forward.fit, best->backward.fit);
  alignment.visible = std::min(best->forward.visible, best->backward.visible);
  alignment.score = std::sqrt(best->forward.score * best->backward.score);
  alignment.inliers = std::min(best->forward.inliers, best->backward.inliers);
  return alignment;
}

std::optional<ViewAlignment>
TensorViewRegistration::align(int source, int target)
{
  checkView("source", source);
  checkView("target", target);
  checkArgument(source != target, "target", target, "another view than the source");
  // The source comes first, as the same chain computes it.
  modelOf(source);
  prepare(views_[target], parameters_.target_tensors);
  return findInPrepared(source, target);
}

TensorViewRegistration::Alignments
TensorViewRegistration::alignAll()
{
  for (int source = 0; source + 1 < size(); ++source)
    modelOf(source);
  Alignments alignments;
  for (int target = 1; target < size(); ++target) {
    prepare(views_[target], parameters_.target_tensors);
    for (int source = 0; source < target; ++source)
      if (const auto found = findInPrepared(source, target))
        alignments.push_back(*found);
  }
  return alignments;
}

TensorViewRegistration::Poses
TensorViewRegistration::connect(const Alignments& alignments) const
{
  for (const ViewAlignment& alignment : alignments) {
    checkView("source of an alignment", alignment.source);
    checkView("target of an alignment", alignment.target);
  }
  Poses poses(views_.size());
  if (views_.empty())
    return poses;
  poses[0] = Pose::Identity();
  // Prim's algorithm: the surest alignment that reaches a further view comes next.
  for (;;) {
    const ViewAlignment* best = nullptr;
    for (const ViewAlignment& alignment : alignments)
      if (poses[alignment.source].has_value() != poses[alignment.target].has_value() &&
          (!best || alignment.score > best->score))
        best = &alignment;
    if (!best)
      return poses;
    if (poses[best->target])
      poses[best->source] = *poses[best->target] * best->pose;
    else
      poses[best->target] = *poses[best->source] * best->pose.inverse();
  }
}

} // namespace pcl::gpu
