// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// The parameters of algorithms.

#include <pcl/exceptions.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/parameterized.h>

#include <gtest/gtest.h>

#include <string>

namespace pcl::gpu {

namespace {

struct StepParameters {
  float length = 2.0f;
  int count = 3;

  void
  validate() const
  {
    checkPositive("length", length);
    checkPositive("count", static_cast<float>(count));
  }
};

class Step : public Parameterized<StepParameters> {};

/** \brief Passes its parameters on, as algorithms made of stages do. */
class Walk : public Parameterized<StepParameters> {
public:
  void
  setParameters(const StepParameters& parameters)
  {
    Parameterized::setParameters(parameters);
    step.setParameters(parameters);
  }

  Step step;
};

} // namespace

TEST(Parameters, HaveTheirDefaults)
{
  EXPECT_EQ(Step().getParameters().length, 2.0f);
  EXPECT_EQ(Step().getParameters().count, 3);
}

TEST(Parameters, AreCopiedWithTheAlgorithm)
{
  Step step;
  step.setParameters({4.0f, 5});
  const Step copy = step;
  step.setParameters({6.0f, 7});
  EXPECT_EQ(copy.getParameters().length, 4.0f);
  EXPECT_EQ(copy.getParameters().count, 5);
}

TEST(Parameters, StayIfNewOnesAreRefused)
{
  Step step;
  step.setParameters({4.0f, 5});
  try {
    step.setParameters({-1.0f, 6});
    FAIL() << "a negative length was taken";
  }
  catch (const BadArgumentException& exception) {
    EXPECT_NE(std::string(exception.what()).find("length is -1"), std::string::npos);
  }
  EXPECT_EQ(step.getParameters().length, 4.0f);
  EXPECT_EQ(step.getParameters().count, 5);
}

TEST(Parameters, CanBeSetOneByOne)
{
  Step step;
  setParameter(step, &StepParameters::count, 8);
  EXPECT_EQ(step.getParameters().length, 2.0f);
  EXPECT_EQ(step.getParameters().count, 8);
  EXPECT_THROW(setParameter(step, &StepParameters::length, 0.0f), BadArgumentException);
  EXPECT_EQ(step.getParameters().length, 2.0f);
}

TEST(Parameters, OfStagesFollowThoseOfTheWhole)
{
  Walk walk;
  setParameter(walk, &StepParameters::length, 9.0f);
  EXPECT_EQ(walk.step.getParameters().length, 9.0f);
}

} // namespace pcl::gpu
