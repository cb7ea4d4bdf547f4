// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/captured_graph.h"
#include "common/devices.h"
#include "recognition_shapes.h"

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief The chain from depth to objects that has run once neither waits nor
 * allocates, so that it can be captured; and finds others when there is other depth in
 * the same memory. */
class RecognitionCaptures : public DeviceTest {};

TEST_P(RecognitionCaptures, FromDepthToObjects)
{
  const auto library = shapeLibrary();
  ShapeFinder finder(library);
  const std::vector<PlacedShape> shapes = {{"block", randomPose("block", 1)},
                                           {"cone", randomPose("cone", 2)}};
  DepthMap depth = uploaded(seenScene({shapes[0]}).depth);
  const Stream stream = Stream::create();
  Stream().synchronize(); // which the other stream does not wait for
  const auto work = [&] {
    finder.extraction.compute(depth, stream);
    finder.recognition.compute(finder.extraction.surface().cloud(),
                               finder.extraction.surface().normals(),
                               finder.extraction.getCloudCamera(),
                               finder.extraction.tensors(),
                               stream);
  };
  work();
  const CapturedGraph graph(stream, work);
  for (const PlacedShape& shape : {shapes[1], shapes[0], shapes[1]}) {
    const Image<float> image = seenScene({shape}).depth;
    depth.upload(
        image.data.data(), image.columns * sizeof(float), image.rows, image.columns);
    Stream().synchronize();
    graph.launch(2);
    const auto found = finder.recognition.downloadObjects();
    ASSERT_EQ(found.size(), 1u);
    expectShape(found[0], *library, shape);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices,
                         RecognitionCaptures,
                         ::testing::Values("cuda"),
                         deviceTestName);

} // namespace
