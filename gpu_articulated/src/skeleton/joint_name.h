// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "body_parts.h"

#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief The known words in a joint's name, in small letters: "LeftUpLeg",
 * "mixamorig:left_up_leg", "Left Up Leg" and "leftupleg" are left, up and leg.
 *
 * Anything that is no letter separates words, and so do capital letters. Known words
 * need no separator; others are left out. A name space ends with the last colon.
 */
class JointName {
public:
  explicit JointName(const std::string& name);

  bool
  hasWord(const std::string& word) const;

  /** \brief Returns the part of the body that the words say. */
  BodyPart
  part() const;

  /** \brief Returns 1 for left, -1 for right, 0 for neither. */
  int
  side() const;

private:
  /** \brief Adds the known words in a run of letters. */
  void
  addLetters(const std::string& letters);

  std::vector<std::string> words_;
};

} // namespace pcl::gpu
