// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/gpu/tensor/pose_refinement_parameters.h>
#include <pcl/gpu/utils/device/types.hpp>
#include <pcl/gpu/utils/pinhole_camera.h>

#include <cstddef>
#include <cstdint>

namespace pcl::device {

using gpu::PinholeCamera;
using gpu::PoseRefinementParameters;

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
  float spacing;  ///< between neighbouring points, metres
  float diameter; ///< of the sphere about the centre that holds all points, metres
};

/** \brief A place just outside a model's contour, relative to its centre, metres. */
struct ContourPlace {
  float place[3];
  float inside[3]; ///< the model's surface a little inside the contour
  float normal[3]; ///< of the surface there
};

/** \brief The surfaces of all models of a library. */
struct ModelSurfaces {
  const ModelSurface* models;
  const Float4* points;
  const Float4* normals;
  const Float4* directions; ///< unit vectors from which models are looked at
  int direction_count;
  /** \brief Of every model and direction the place of its first visible point. */
  const std::uint32_t* starts;
  /** \brief Visible points, counted from the model's first, ascending. */
  const std::uint32_t* visible;
  int max_visible; ///< from any direction
  /** \brief Of every model and direction the number of its first place in
   * \a contours. */
  const std::uint32_t* contour_starts;
  const ContourPlace* contours; ///< in an order that spreads the first few evenly
  /** \brief Of every model the number of its first turn in \a symmetries. */
  const std::uint32_t* symmetry_starts;
  const Float4* symmetries; ///< turns about the centres, as unit quaternions x y z w
};

/** \brief An organized cloud and the camera that it was seen by. */
struct CameraCloud {
  PtrStepSz<const Float4> cloud;
  PtrStep<const Float4> normals;
  PinholeCamera camera;
};

/** \brief Rounds in which a model is moved to the surface of a scene. */
struct RefinementRounds {
  int rounds;
  int points; ///< of the model at most
  /** \brief Farthest distance from the surface in each round, metres. */
  float gates[PoseRefinementParameters::max_rounds];
  /** \brief Least cosine between normals in each round. */
  float cosines[PoseRefinementParameters::max_rounds];
};

/** \brief Models and the scene that they are moved to. */
struct RefinementInput {
  ModelSurfaces surfaces;
  CameraCloud scene;
};

} // namespace pcl::device
