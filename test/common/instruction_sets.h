// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/devices.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pcl::gpu::test {

/** \brief Base of the fixtures that run the host driver on each instruction set that
 * this processor has: the library would otherwise be tested on the best one only. */
class InstructionSetTest : public ::testing::TestWithParam<std::int64_t> {
protected:
  void
  SetUp() override
  {
    scope_ = useDevice("host");
    hwy::SetSupportedTargetsForTest(GetParam());
    hwy::GetChosenTarget().DeInit();
  }

  void
  TearDown() override
  {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
  }

private:
  std::unique_ptr<ScopedDevice> scope_;
};

/** \brief Returns all sets of the processor; all but the best; all but the best
 * two... A library that is compiled for one set has that one only. */
inline std::vector<std::int64_t>
instructionSets()
{
#if defined(HWY_COMPILE_ONLY_STATIC)
  return {hwy::SupportedTargets()};
#else
  std::vector<std::int64_t> sets;
  // Better targets are lower bits.
  for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1)
    sets.push_back(rest);
  return sets;
#endif
}

inline std::string
instructionSetName(const ::testing::TestParamInfo<std::int64_t>& info)
{
  return "to" + std::string(hwy::TargetName(info.param & -info.param));
}

} // namespace pcl::gpu::test

/** \brief Runs the tests of an InstructionSetTest fixture on every set. */
#define PCL_GPU_INSTANTIATE_INSTRUCTION_SET_TESTS(Fixture)                             \
  INSTANTIATE_TEST_SUITE_P(Host,                                                       \
                           Fixture,                                                    \
                           ::testing::ValuesIn(::pcl::gpu::test::instructionSets()),   \
                           ::pcl::gpu::test::instructionSetName)
