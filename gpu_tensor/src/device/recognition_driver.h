// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "matching_driver.h"

#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/gpu/tensor/recognized_object.h>
#include <pcl/gpu/tensor/tensor_match.h>
#include <pcl/gpu/utils/device/types.hpp>

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace pcl::device {

using gpu::PtrStep;
using gpu::PtrStepSz;
using gpu::RecognizedObject;

/** \brief An object in the scene: where a model is, and how it is turned. */
struct ModelPose {
  Float4 rotation; ///< unit quaternion x y z w: from the model's frame to the scene's
  float center[3]; ///< of the model, in the scene's frame, metres
  int model;       ///< -1 for none
};

/** \brief Poses that count as one. */
struct PoseRadius {
  float squared_distance; ///< of the models' centres, square metres
  float half_cosine;      ///< of half the angle between the rotations
};

/** \brief A model's surface. Its points are relative to its centre. */
struct ModelSurface {
  float center[3]; ///< in the model's own frame, metres
  float radius;    ///< of the sphere about the centre that all points are in
  int first_point;
  int point_count;
  float spacing; ///< between neighbouring points, metres
};

/** \brief The surfaces of all models of a library. */
struct ModelSurfaces {
  const ModelSurface* models;
  int count;
  const Float4* points;
  const Float4* normals;
  /** \brief From every point to a place beside the surface, past an edge near the point;
   * zero if there is none. Null if it does not matter where models end. */
  const Float4* beside;
  const Float4* directions; ///< unit vectors from which models are looked at
  int direction_count;
  /** \brief Of every model and direction the place of its first visible point. */
  const std::uint32_t* starts;
  /** \brief Visible points, counted from the model's first, ascending. */
  const std::uint32_t* visible;
  int max_visible; ///< from any direction
};

/** \brief An organized cloud and the camera that it was seen by. */
struct SceneView {
  PtrStepSz<const Float4> cloud;
  PtrStep<const Float4> normals;
  float fx, fy, cx, cy;
};

/** \brief The most rounds of refinement. */
constexpr int max_refinement_rounds = 64;
/** \brief Means of a group of poses that follow the first, each of a smaller radius. */
constexpr int mean_shifts = 2;

/** \brief What poses are found, refined and judged by. */
struct RecognitionParameters {
  PoseRadius group[1 + mean_shifts]; ///< of hypotheses, then of mean shifts
  int max_candidates;

  int rounds;
  int points;                           ///< of a model, that a round looks at
  float gates[max_refinement_rounds];   ///< farthest distance from the surface, metres
  float cosines[max_refinement_rounds]; ///< least, between normals

  float tolerance;     ///< of inliers, metres
  float free_distance; ///< behind a point, at which it is seen through, metres
  float min_cosine;    ///< between normals of inliers

  float min_visible, min_fit, max_violations, min_spread;
  int min_inliers;
  float support_weight, min_confidence;

  PoseRadius same;  ///< what refined poses are merged by
  float max_shared; ///< share of a candidate's pixels that others may have claimed
};

/** \brief A pose that a group of hypotheses agrees on. */
struct PoseCandidate {
  ModelPose grouped;
  ModelPose pose;
  std::uint64_t weight; ///< of the group, at most one hypothesis for each tensor
  float support, visible, fit, violations, spread, confidence, score;
  int inliers;
  bool accepted;
};

/** \brief A model as its own camera saw it, to be refined both ways. */
struct MirrorView {
  SceneView view; ///< of the model, in the model's frame
  int model = -1; ///< that is the scene, in the scene's frame; -1 for no mirror
};

/** \brief What recognition needs, from matches to objects. */
struct RecognitionTask {
  const TensorFrame* frames; ///< of the scene's tensors
  const int* count;
  int max_count;
  const TensorFrame* table_frames; ///< in the models' frames
  const int* labels;               ///< models of the table's tensors
  const TensorMatch* matches;
  int match_count; ///< of each tensor
  ModelSurfaces surfaces;
  SceneView scene;
  RecognitionParameters parameters;
  RecognizedObject* objects; ///< room for max_candidates
  int* object_count;
  PtrStep<int>
      pixel_objects; ///< number of each pixel's object, -1 for none; may be null
  /** \brief Poses to judge, max_candidates of them, where there is nothing to match. */
  const ModelPose* given;
  MirrorView mirror;

  PCL_GPU_HOST_DEVICE int
  hypotheses() const
  {
    return max_count * match_count;
  }

  /** \brief How many tensors the scene has. */
  PCL_GPU_HOST_DEVICE int
  tensors() const
  {
    return max_count == 0 ? 0 : *count < max_count ? *count : max_count;
  }
};

/** \brief Memory of a run. */
struct RecognitionScratch {
  ModelPose* poses;       ///< hypotheses
  std::uint32_t* weights; ///< of hypotheses
  std::uint64_t* support; ///< of hypotheses
  std::uint32_t* is_peak; ///< of hypotheses
  PoseCandidate* candidates;
  int* candidate_count;
  int* pixels; ///< of each candidate's points, row by row: those of inliers, else -1
  int* order;  ///< candidates, the best first
  int* kept;   ///< those that became objects, in their order
  std::uint8_t* claimed; ///< of each pixel of the scene
  std::uint64_t* claims; ///< of each pixel of the scene
};

/** \brief What recognition asks of a device. See TensorDriver. */
class RecognitionDriver {
public:
  using Queue = CUstream_st*;

  virtual std::size_t
  recognitionScratchBytes(const RecognitionTask& task) const = 0;

  virtual void
  recognize(const RecognitionTask& task, void* scratch, Queue queue) const = 0;

  /** \brief Refines and judges the poses that are given, each by itself: the objects are in
   * their order. */
  virtual void
  verify(const RecognitionTask& task, void* scratch, Queue queue) const = 0;

protected:
  ~RecognitionDriver() = default;
};

const RecognitionDriver&
hostRecognitionDriver();

/** \brief Exists only where the module is built with CUDA. */
const RecognitionDriver&
cudaRecognitionDriver();

} // namespace pcl::device
