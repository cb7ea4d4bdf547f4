// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/instruction_sets.h"
#include "likelihood_test.h"

using namespace pcl::gpu;
using namespace pcl::gpu::test;

class CapsuleInstructionSets : public InstructionSetTest {};

TEST_P(CapsuleInstructionSets, BodiesEqualTheReference)
{
  SumErrors errors;
  for (const bool two_radii : {false, true})
    for (const std::size_t points : {15, 17, 300, 5000})
      expectReferenceSums(bodyScene(points, 0.6f, 3, 0.1f, 7), two_radii, errors);
}

TEST_P(CapsuleInstructionSets, RandomScenesEqualTheReference)
{
  SumErrors errors;
  for (const bool two_radii : {false, true})
    for (int kind = 0; kind < scene_kinds; ++kind) {
      SCOPED_TRACE(nameOf(static_cast<SceneKind>(kind)));
      expectReferenceSums(
          randomScene(static_cast<SceneKind>(kind), 3, two_radii), two_radii, errors);
    }
}

PCL_GPU_INSTANTIATE_INSTRUCTION_SET_TESTS(CapsuleInstructionSets);
