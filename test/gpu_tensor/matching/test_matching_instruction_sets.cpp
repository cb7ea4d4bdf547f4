// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/instruction_sets.h"
#include "matching_reference.h"
#include "matching_scenes.h"

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class MatchingInstructionSets : public InstructionSetTest {};

TEST_P(MatchingInstructionSets, MatchesEqualTheReference)
{
  const HostTensors tensors = membersOf(Families(), 70, 1);
  const HostTensors table = membersOf(Families(), 300, 2);
  TensorMatching matching;
  EXPECT_TRUE(sameMatches(matchesOf(matching, uploadedTensors(tensors), tableOf(table)),
                          matchesOf(MatchingRules(), tensors, table).matches));
}

TEST_P(MatchingInstructionSets, MatchesAreThoseOfAllPairs)
{
  for (int grid : {4, 10, 11}) {
    SCOPED_TRACE(grid);
    Families families;
    families.grid_size = grid;
    for (const MatchingRules& rules : {MatchingRules(), loose(3)})
      EXPECT_GT(expectMatches(rules,
                              matchesOf(rules,
                                        membersOf(families, 70, 1),
                                        membersOf(families, 300, 2))),
                40);
  }
}

PCL_GPU_INSTANTIATE_INSTRUCTION_SET_TESTS(MatchingInstructionSets);

} // namespace
