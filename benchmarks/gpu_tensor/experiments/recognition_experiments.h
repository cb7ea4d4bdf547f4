// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/statistics.h"
#include "recognition_scenes.h"

#include <pcl/gpu/tensor/tensor_library.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace benchmarks {

struct ExperimentOptions {
  std::string data;          ///< folder of test data
  std::string library;       ///< file to keep the learned library in; may be empty
  float size = 0.25f;        ///< longest side of the objects, metres
  int library_views = 42;    ///< that objects are learned from
  int library_tensors = 150; ///< of each view
  int scenes = 20;           ///< or views of each object, or runs
  std::uint64_t seed = 1;
  int tensors = 500;    ///< of a scene
  bool verbose = false; ///< lists missed and falsely found objects
};

/** \brief Objects, and the library learned from them, or from its file. */
struct LearnedObjects {
  std::vector<SceneMesh> meshes;
  std::shared_ptr<pcl::gpu::TensorLibrary> library;
};

LearnedObjects
learnedObjects(const ExperimentOptions& options);

/** \brief Objects found in cluttered scenes, by how much of them is hidden.
 * \param[in] mix of each scene; where it has 0 of the library's objects and of
 * distractors, 4 or 5 and 1 or 2
 */
void
runClutter(const ExperimentOptions& options, const SceneMix& mix);

/** \brief Figure 15 of the paper: rates of tensors and of views of single objects. */
void
runViews(const ExperimentOptions& options);

/** \brief A milk carton, moved by random motions, in a recorded scene with it and
 * without.
 * \return whether it was found in all that have it, and in no other
 */
bool
runCarton(const ExperimentOptions& options);

/** \brief Two views of an object, registered by TensorRegistration and by PCL's FPFH
 * and SampleConsensusPrerejective, by how much both views share. */
void
runRegistration(const ExperimentOptions& options);

/** \brief Frames of a recorded video, 5 to 59 frames apart, registered by
 * TensorRegistration. */
void
runRecordedRegistration(const ExperimentOptions& options);

/** \brief Mean distance between the vertices of a mesh in two poses. */
float
meanDistance(const SceneMesh& mesh, const pcl::gpu::Pose& a, const pcl::gpu::Pose& b);

/** \brief Distance between two poses. */
struct PoseError {
  double millimetres; ///< between their images of a point
  double degrees;
};

PoseError
poseError(const pcl::gpu::Pose& found,
          const pcl::gpu::Pose& truth,
          const Eigen::Vector3f& point = Eigen::Vector3f::Zero());

} // namespace benchmarks
