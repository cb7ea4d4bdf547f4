// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/sanitizers.h"
#include "likelihood_test.h"

#include <cstdio>
#include <tuple>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

std::string
scientific(double value)
{
  char text[32];
  std::snprintf(text, sizeof(text), "%.2e", value);
  return text;
}

/** \brief Random scenes of one kind on one device, against the reference. */
class CapsuleScenes : public testing::TestWithParam<std::tuple<std::string, int>> {
protected:
  void
  SetUp() override
  {
    scope_ = useDevice(std::get<0>(GetParam()));
  }

  void
  compareSeeds(std::uint32_t count, bool two_radii)
  {
    const auto kind = SceneKind(std::get<1>(GetParam()));
    for (std::uint32_t seed = 0; seed < count; ++seed) {
      SCOPED_TRACE(std::string(nameOf(kind)) + ", seed " + std::to_string(seed));
      expectReferenceSums(randomScene(kind, seed, two_radii), two_radii, errors_);
    }
    RecordProperty("worst_relative_error", scientific(errors_.worst()));
  }

private:
  std::unique_ptr<ScopedDevice> scope_;
  SumErrors errors_;
};

std::string
nameOfScenes(const testing::TestParamInfo<CapsuleScenes::ParamType>& info)
{
  return std::get<0>(info.param) + "_" + nameOf(SceneKind(std::get<1>(info.param)));
}

} // namespace

// 1000 seeds in all.
TEST_P(CapsuleScenes, AgreeWithTheReference)
{
  compareSeeds(fewerUnderSanitizers(1000 / scene_kinds + 1), false);
}

TEST_P(CapsuleScenes, WithTwoRadiiAgreeWithTheReference)
{
  compareSeeds(fewerUnderSanitizers(30), true);
}

INSTANTIATE_TEST_SUITE_P(Devices,
                         CapsuleScenes,
                         testing::Combine(testing::ValuesIn(devices()),
                                          testing::Range(0, scene_kinds)),
                         nameOfScenes);
