// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "reference.h"

#include "common/image.h"

#include <memory>

namespace pcl {
namespace gpu {
namespace test {

/** \brief Embree's answers, in its robust mode.
 *
 * Embree gets the triangles in the camera's frame, taken there in float64 and then rounded
 * once, and rays from the origin along (slope, slope, 1): what it answers owes nothing to
 * the code under test, and distances along its rays are depths.
 */
class EmbreeReference {
public:
  /** \param[in] reference whose triangles and camera are used */
  explicit EmbreeReference(const ReferenceCast& reference);

  ~EmbreeReference();

  EmbreeReference(const EmbreeReference&) = delete;
  EmbreeReference&
  operator=(const EmbreeReference&) = delete;

  /** \return the answers of all pixels */
  Image<Answer>
  cast() const;

private:
  struct Scene;

  const ReferenceCast& reference_;
  std::unique_ptr<Scene> scene_;
};

} // namespace test
} // namespace gpu
} // namespace pcl
