// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

namespace pcl::gpu::test {

/** \brief Returns the number of cases to run: a tenth under sanitizers, which are slow
 * and find errors in few cases as well as in many. */
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
