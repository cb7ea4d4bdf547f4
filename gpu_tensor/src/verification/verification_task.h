// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/gpu/tensor/tensor_elements.h>
#include <pcl/gpu/tensor/tensor_recognition_parameters.h>
#include <pcl/gpu/utils/device/types.hpp>
#include <pcl/gpu/utils/pinhole_camera.h>

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace pcl::device {

using gpu::PinholeCamera;
using gpu::PoseVerificationParameters;
using gpu::RecognizedObject;

/** \brief The position and rotation of a model in the scene. */
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
  int first_point;
  float spacing; ///< between neighbouring points, metres
};

/** \brief The surfaces of all models of a library. */
struct ModelSurfaces {
  const ModelSurface* models;
  const Float4* points;
  const Float4* normals;
  /** \brief From every point to a place beside the surface, past an edge near the
   * point; zero if there is none. Null if outlines are not needed. */
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
struct CameraCloud {
  PtrStepSz<const Float4> cloud;
  PtrStep<const Float4> normals;
  PinholeCamera camera;
};

/** \brief Parameters by which poses are refined and judged. */
struct VerificationParameters {
  PoseVerificationParameters given; ///< with distances in resolutions
  /** \brief Farthest distance from the surface in each round, metres. */
  float gates[PoseVerificationParameters::max_rounds];
  /** \brief Least cosine between normals in each round. */
  float cosines[PoseVerificationParameters::max_rounds];

  float tolerance;     ///< of inliers, metres
  float free_distance; ///< behind a point, at which it is seen through, metres
  float min_cosine;    ///< between normals of inliers
};

/** \brief Weight of a score of 1. Weights are whole numbers, so that their sum does not
 * depend on the order. */
constexpr float weight_of_one = 65536.0f;

/** \brief A pose and its judgement. */
struct PoseCandidate {
  ModelPose grouped;
  ModelPose pose;
  /** \brief Of the group, at most one hypothesis for each tensor; 0 if given. */
  std::uint64_t weight;
  RecognizedObject object; ///< without its model and poses
  bool accepted;
};

/** \brief A model as its own camera saw it, to be refined both ways. */
struct MirrorView {
  CameraCloud view; ///< of the model, in the model's frame
  int model = -1;   ///< that is the scene, in the scene's frame; -1 for no mirror
};

/** \brief Models, scene and parameters by which poses are refined and judged. */
struct VerificationInput {
  ModelSurfaces surfaces;
  CameraCloud scene;
  VerificationParameters parameters;
  MirrorView mirror;
};

/** \brief Refines and judges poses that are given, each by itself. */
struct VerificationTask {
  VerificationInput input;
  const ModelPose* given;
  int count;
  RecognizedObject* objects; ///< in the order of the poses
  int* pixels;               ///< scratch: input.surfaces.max_visible for every pose
};

namespace host {

void
verify(const VerificationTask& task);

} // namespace host

namespace cuda {

void
verify(const VerificationTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device
