// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/captured_graph.h"
#include "common/devices.h"
#include "gpu_scenespace/images/random_images.h"

#include <pcl/gpu/scenespace/collaborative_filter.h>
#include <pcl/gpu/scenespace/depth_filling.h>
#include <pcl/gpu/scenespace/non_local_means.h>

namespace pcl::gpu::test {

namespace {

/** \brief A second run neither waits nor allocates, so that it can be captured. */
class ImageCaptures : public DeviceTest {};

TEST_P(ImageCaptures, OfMeansAreTheSame)
{
  const DeviceArray2D<RGB> color = uploaded(noisyAreas(50, 70, 9.0f, 1));
  const DeviceArray2D<float> variance = uploaded(Image<float>(50, 70, 81.0f));
  const NonLocalMeans means;
  DeviceArray2D<RGB> result = poisoned<RGB>(50, 70), same = poisoned<RGB>(50, 70);
  const Stream stream = Stream::create();
  Stream().synchronize(); // which the other stream does not wait for
  captureAndLaunch(stream, [&] {
    means.compute(color, variance, result, stream);
    means.compute(color, 9.0f, same, stream);
  });
  DeviceArray2D<RGB> expected, expected_same;
  means.compute(color, variance, expected);
  means.compute(color, 9.0f, expected_same);
  EXPECT_TRUE(sameBits(downloaded(result), downloaded(expected)));
  EXPECT_TRUE(sameBits(downloaded(same), downloaded(expected_same)));
}

TEST_P(ImageCaptures, OfFilledDepthAreTheSame)
{
  Image<float> holes(50, 70, std::numeric_limits<float>::quiet_NaN());
  for (std::size_t i = 0; i < holes.data.size(); i += 7)
    holes.data[i] = 1.0f + i;
  const DeviceArray2D<RGB> color = uploaded(noisyAreas(50, 70, 9.0f, 1));
  const DeviceArray2D<float> depth = uploaded(holes);
  DepthFilling filling;
  DeviceArray2D<float> filled = poisoned<float>(50, 70);
  const Stream stream = Stream::create();
  Stream().synchronize(); // which the other stream does not wait for
  captureAndLaunch(stream, [&] { filling.compute(depth, color, filled, stream); });
  DeviceArray2D<float> expected;
  filling.compute(depth, color, expected);
  EXPECT_TRUE(sameBits(downloaded(filled), downloaded(expected)));
}

TEST_P(ImageCaptures, OfFilteredBlocksAreTheSame)
{
  const DeviceArray2D<RGB> color = uploaded(noisyAreas(50, 70, 9.0f, 1));
  const DeviceArray2D<float> variance = uploaded(Image<float>(50, 70, 81.0f));
  CollaborativeFilter filter;
  DeviceArray2D<RGB> expected, result = poisoned<RGB>(50, 70);
  filter.compute(color, variance, expected); // allocates
  const Stream stream = Stream::create();
  Stream().synchronize(); // which the other stream does not wait for
  captureAndLaunch(stream, [&] { filter.compute(color, variance, result, stream); });
  EXPECT_TRUE(sameBits(downloaded(result), downloaded(expected)));
}

INSTANTIATE_TEST_SUITE_P(Devices,
                         ImageCaptures,
                         ::testing::Values("cuda"),
                         deviceTestName);

} // namespace

} // namespace pcl::gpu::test
