// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

namespace pcl::gpu::test {

/** \brief How many cases to go through: a tenth under sanitizers, which take their time, and
 * find in a few cases what they find in many. */
constexpr int
fewerUnderSanitizers(int cases)
{
#if defined(__SANITIZE_ADDRESS__)
  return (cases + 9) / 10;
#else
  return cases;
#endif
}

} // namespace pcl::gpu::test
