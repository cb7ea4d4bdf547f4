// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/numbers.h"
#include "recognition_shapes.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

// Inputs with little in them, copies, bits, memory.

class RecognitionOutput : public DeviceTest {
protected:
  static Image<float>
  twoShapes()
  {
    return seenScene({{"block", poseAt("block", {-0.15f, 0.0f, 0.8f}, 1)},
                      {"cone", poseAt("cone", {0.15f, 0.0f, 0.8f}, 2)}})
        .depth;
  }

  /** \brief Expects that nothing is found, and that no pixel is of anything. */
  static void
  expectNothing(ShapeFinder& finder, const Image<float>& depth)
  {
    const auto found = finder.find(depth);
    EXPECT_TRUE(found.empty()) << textOf(found);
    expectNoPixels(finder, depth);
  }

  static void
  expectNoPixels(const ShapeFinder& finder, const Image<float>& depth)
  {
    const Image<int> labels = downloaded(finder.recognition.pixelObjects());
    EXPECT_EQ(labels.rows, depth.rows);
    EXPECT_EQ(labels.columns, depth.columns);
    EXPECT_TRUE(std::all_of(
        labels.data.begin(), labels.data.end(), [](int label) { return label == -1; }));
  }
};

TEST_P(RecognitionOutput, BeforeTheFirstRunIsEmpty)
{
  TensorRecognition recognition;
  EXPECT_TRUE(recognition.downloadObjects().empty());
  EXPECT_TRUE(recognition.objects().empty());
  EXPECT_TRUE(recognition.objectCount().empty());
  EXPECT_TRUE(recognition.pixelObjects().empty());
  EXPECT_EQ(recognition.getLibrary(), nullptr);
}

TEST_P(RecognitionOutput, OfScenesWithNothingMeasuredIsEmpty)
{
  ShapeFinder finder;
  expectNothing(finder, Image<float>(240, 320, not_a_number));
  expectNothing(finder, Image<float>(240, 320, 0.0f));
  EXPECT_EQ(finder.find(twoShapes()).size(), 2u);
  expectNothing(finder, Image<float>(240, 320, not_a_number));
}

TEST_P(RecognitionOutput, OfTensorsThatWereNeverComputedIsEmpty)
{
  ShapeFinder finder;
  const Image<float> depth = twoShapes();
  finder.extract(depth);
  const DepthMapTensorExtraction& extraction = finder.extraction;
  finder.recognition.compute(extraction.surface().cloud(),
                             extraction.surface().normals(),
                             extraction.getCloudCamera(),
                             TensorSet());
  EXPECT_TRUE(finder.recognition.downloadObjects().empty());
  expectNoPixels(finder, depth);
}

TEST_P(RecognitionOutput, OfScenesOfOnePixelIsEmpty)
{
  ShapeFinder finder;
  PinholeCamera camera = smallCamera();
  camera.width = camera.height = 0;
  change(finder.extraction, [&](auto& p) { p.surface.projection.camera = camera; });
  for (float depth : {0.8f, not_a_number})
    expectNothing(finder, Image<float>(1, 1, depth));
  expectNothing(finder, Image<float>(1, 320, 0.8f));
  expectNothing(finder, Image<float>(240, 1, 0.8f));
}

TEST_P(RecognitionOutput, OfAnEmptySceneIsEmpty)
{
  ShapeFinder finder;
  TensorRecognition& recognition = finder.recognition;
  TensorSet tensors;
  tensors.grid_size = shapeParameters().grid_size;
  PinholeCamera camera = smallCamera();
  camera.width = camera.height = 0;
  recognition.compute({}, {}, camera, tensors);
  EXPECT_TRUE(recognition.downloadObjects().empty());
  EXPECT_TRUE(recognition.pixelObjects().empty());
}

TEST_P(RecognitionOutput, OfScenesWithoutTensorsIsEmpty)
{
  ShapeFinder finder;
  finder.extract(twoShapes());
  TensorSet tensors;
  tensors.grid_size = shapeParameters().grid_size;
  finder.recognition.compute(finder.extraction.surface().cloud(),
                             finder.extraction.surface().normals(),
                             finder.extraction.getCloudCamera(),
                             tensors);
  EXPECT_TRUE(finder.recognition.downloadObjects().empty());
}

TEST_P(RecognitionOutput, OfAnEmptyLibraryIsEmpty)
{
  ShapeFinder finder(shapeLibrary({}));
  expectNothing(finder, twoShapes());
}

TEST_P(RecognitionOutput, OfModelsWithoutPointsIsEmpty)
{
  const auto library = std::make_shared<TensorLibrary>();
  library->setParameters(shapeParameters());
  TensorModel model = learnedShape("block");
  model.points.clear();
  library->addModel(model);
  ShapeFinder finder(library);
  expectNothing(finder, twoShapes());
  change(finder.recognition,
         [&](auto& p) { p.min_visible = p.min_fit = p.min_confidence = 0.0f; });
  for (const RecognizedObject& object : finder.findWith(finder.recognition))
    EXPECT_EQ(object.inliers, 0) << textOf({object});
}

TEST_P(RecognitionOutput, DoesNotMindOtherModelsWithoutPointsOrTensors)
{
  const auto library = std::make_shared<TensorLibrary>();
  library->setParameters(shapeParameters());
  TensorModel pointless = learnedShape("bracket"), bare;
  pointless.points.clear();
  bare.name = "bare";
  library->addModel(pointless);
  library->addModel(bare);
  library->addModel(learnedShape("block"));
  TensorModel of_one_point = learnedShape("bracket");
  of_one_point.name = "point";
  of_one_point.points.resize(1);
  library->addModel(of_one_point);
  ShapeFinder finder(library);
  const auto found = finder.find(twoShapes());
  ASSERT_EQ(found.size(), 1u) << textOf(found);
  EXPECT_EQ(found[0].model, 2);
}

TEST_P(RecognitionOutput, HasNumbersThatAgree)
{
  ShapeFinder finder;
  const auto found = finder.find(twoShapes());
  ASSERT_EQ(found.size(), 2u);
  for (const RecognizedObject& object : found) {
    const RecognitionEvidence& e = object.evidence;
    for (float share : {object.visible,
                        object.confidence,
                        e.fit,
                        e.near,
                        e.aligned,
                        e.free,
                        e.hidden,
                        e.unseen,
                        e.larger,
                        e.filled}) {
      EXPECT_GE(share, 0.0f);
      EXPECT_LE(share, 1.0f);
    }
    EXPECT_GE(object.inliers, 40);
    EXPECT_GT(e.support, 0.0f);
    EXPECT_NO_THROW(validatePose(toPose(object.pose), "pose"));
    EXPECT_NO_THROW(validatePose(toPose(object.matched_pose), "matched pose"));
  }
  EXPECT_EQ(downloaded(finder.recognition.objectCount()).at(0), 2);
}

TEST_P(RecognitionOutput, IsTheSameOnEveryRun)
{
  ShapeFinder finder;
  const auto first = finder.find(twoShapes());
  ASSERT_EQ(first.size(), 2u);
  const Image<int> labels = downloaded(finder.recognition.pixelObjects());
  for (int run = 0; run < 3; ++run) {
    EXPECT_TRUE(sameObjects(finder.find(twoShapes()), first));
    EXPECT_TRUE(sameBits(downloaded(finder.recognition.pixelObjects()), labels));
  }
  ShapeFinder other;
  EXPECT_TRUE(sameObjects(other.find(twoShapes()), first));
}

TEST_P(RecognitionOutput, DoesNotDependOnFormerRuns)
{
  const Image<float> other = seenScene({{"bracket", randomPose("bracket", 4)}}).depth;
  ShapeFinder fresh;
  const auto expected = fresh.find(twoShapes());
  ShapeFinder used;
  change(used.recognition, [&](auto& p) { p.max_candidates = 7; });
  change(used.extraction, [&](auto& p) { p.tensor_count = 70; });
  used.find(other);
  change(used.recognition, [&](auto& p) { p.max_candidates = 300; });
  change(used.extraction, [&](auto& p) { p.tensor_count = 300; });
  EXPECT_TRUE(sameObjects(used.find(twoShapes()), expected));
}

TEST_P(RecognitionOutput, KeepsMemoryThatFits)
{
  ShapeFinder finder;
  finder.find(twoShapes());
  const auto* const objects = finder.recognition.objects().ptr();
  const auto* const count = finder.recognition.objectCount().ptr();
  const auto* const pixels = finder.recognition.pixelObjects().ptr();
  finder.find(twoShapes());
  EXPECT_EQ(finder.recognition.objects().ptr(), objects);
  EXPECT_EQ(finder.recognition.objectCount().ptr(), count);
  EXPECT_EQ(finder.recognition.pixelObjects().ptr(), pixels);
}

TEST_P(RecognitionOutput, OfCopiesIsTheSame)
{
  ShapeFinder finder;
  change(finder.recognition, [&](auto& p) { p.min_visible = 0.25f; });
  const auto expected = finder.find(twoShapes());
  ASSERT_EQ(expected.size(), 2u);
  TensorRecognition copy = finder.recognition;
  EXPECT_TRUE(copy.downloadObjects().empty()) << "a copy has no results";
  EXPECT_EQ(copy.getLibrary(), finder.recognition.getLibrary());
  EXPECT_TRUE(sameObjects(finder.findWith(copy), expected));
  EXPECT_TRUE(sameObjects(finder.recognition.downloadObjects(), expected));

  TensorRecognition assigned;
  assigned = copy;
  EXPECT_TRUE(sameObjects(finder.findWith(assigned), expected));
  TensorRecognition moved = std::move(assigned);
  EXPECT_TRUE(sameObjects(moved.downloadObjects(), expected)) << "results move along";
  EXPECT_TRUE(sameObjects(finder.findWith(moved), expected));
  assigned = moved;
  EXPECT_TRUE(sameObjects(finder.findWith(assigned), expected));
}

TEST_P(RecognitionOutput, OfCopiesHasSettingsOfItsOwn)
{
  ShapeFinder finder;
  finder.extract(twoShapes());
  TensorRecognition copy = finder.recognition;
  change(copy, [&](auto& p) { p.min_confidence = 1.0f; });
  change(copy, [&](auto& p) { p.matching.match_count = 1; });
  EXPECT_TRUE(finder.findWith(copy).empty());
  EXPECT_EQ(finder.findWith(finder.recognition).size(), 2u);
  EXPECT_EQ(finder.recognition.getParameters().matching.match_count, 8);
}

TEST_P(RecognitionOutput, FollowsTheLibrary)
{
  const auto library = shapeLibrary({"bracket"});
  ShapeFinder finder(library);
  // A bracket fits parts of other shapes.
  change(finder.recognition, [](auto& p) { p.min_confidence = 0.75f; });
  EXPECT_TRUE(finder.find(twoShapes()).empty());
  const int cone = library->addModel(learnedShape("cone"));
  auto found = finder.findWith(finder.recognition);
  ASSERT_EQ(found.size(), 1u) << textOf(found);
  EXPECT_EQ(found[0].model, cone);
  library->addModel(learnedShape("block"));
  EXPECT_EQ(finder.findWith(finder.recognition).size(), 2u);
  library->removeModel(0);
  found = finder.findWith(finder.recognition);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].model + found[1].model, 1) << "numbers moved up";
  finder.recognition.setLibrary(shapeLibrary({"block"}));
  EXPECT_EQ(finder.findWith(finder.recognition).size(), 1u);
}

TEST_P(RecognitionOutput, OfOneCandidateIsOneObject)
{
  ShapeFinder finder;
  change(finder.recognition, [&](auto& p) { p.max_candidates = 1; });
  EXPECT_EQ(finder.find(twoShapes()).size(), 1u);
  EXPECT_EQ(finder.recognition.objects().size(), 1u);
}

TEST_P(RecognitionOutput, HasTheSettingsThatAreDocumented)
{
  ShapeFinder finder, set;
  change(set.recognition, [](TensorRecognitionParameters& p) {
    p.matching.match_count = 8;
    p.matching.min_overlap = 0.4f;
    p.matching.min_correlation = 0.4f;
    p.matching.ranking = MatchRanking::CorrelationTimesOverlap;
    p.max_hypotheses = 3000;
    p.capture_distance = 12.0f;
    p.max_candidates = 300;
    p.refinement.rounds = 10;
    p.refinement.points = 300;
    p.refinement.first_distance = 6.0f;
    p.refinement.last_distance = 2.0f;
    p.grouping_distance = 8.0f;
    p.grouping_angle = 0.261799388f;
    p.min_visible = 0.2f;
    p.min_fit = 0.45f;
    p.max_shared = 0.4f;
  });
  const auto expected = finder.find(twoShapes());
  ASSERT_EQ(expected.size(), 2u);
  EXPECT_TRUE(sameObjects(set.find(twoShapes()), expected));
}

TEST_P(RecognitionOutput, IsTheSameOnAnotherStream)
{
  ShapeFinder finder;
  const auto expected = finder.find(twoShapes());
  const Stream stream = Stream::create();
  finder.recognition.compute(finder.extraction.surface().cloud(),
                             finder.extraction.surface().normals(),
                             finder.extraction.getCloudCamera(),
                             finder.extraction.tensors(),
                             stream);
  stream.synchronize();
  EXPECT_TRUE(sameObjects(finder.recognition.downloadObjects(), expected));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RecognitionOutput);

} // namespace
