// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/numbers.h"
#include "recognition_shapes.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <set>
#include <string>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

namespace {

// Objects that are found, and others, in scenes that are rendered without noise.

class Recognition : public DeviceTest {
protected:
  /** \brief A table seen obliquely from above, its middle 0.8 m away. */
  static Pose
  tablePose()
  {
    return lookAt(Vector3f(0.0f, -0.6f, 0.53f), Vector3f::Zero(), Vector3f::UnitZ())
        .inverse();
  }

  /** \brief A shape on that table, turned about the table's normal.
   * \param[in] height of the shape's own origin above the table
   */
  static Pose
  onTable(float x, float y, float turn, float height = 0.0f)
  {
    Pose pose = Pose::Identity();
    pose.translation() = Vector3f(x, y, height);
    pose.rotate(Eigen::AngleAxisf(turn, Vector3f::UnitZ()));
    return tablePose() * pose;
  }

  /** \brief Expects a shape to be found if its visible part determines its pose. */
  static void
  expectFoundInRandomPoses(const std::string& name, float distance, float degrees)
  {
    // Of views of two sides of a block, say, the place along the edge between is
    // unknown.
    constexpr float least_determinedness = 0.07f;
    ShapeFinder finder;
    int poses = 0;
    for (std::uint32_t seed = 1; poses < 8 && seed < 40; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      const PlacedShape shape = {name, randomPose(name, seed)};
      const SeenScene seen = seenScene({shape});
      if (seen.determinedness(0) < least_determinedness)
        continue;
      ++poses;
      const auto found = finder.find(seen.depth);
      EXPECT_EQ(found.size(), 1u) << textOf(found);
      if (!found.empty())
        expectShape(
            found[0], *finder.recognition.getLibrary(), shape, distance, degrees);
    }
    EXPECT_EQ(poses, 8);
  }

  /** \brief Expects that all shapes of a scene are found, and nothing else. Where they
   * are is not asked as exactly as above: little may be visible of some sides. */
  static void
  expectAll(const std::vector<RecognizedObject>& found,
            const TensorLibrary& library,
            const std::vector<PlacedShape>& shapes)
  {
    EXPECT_EQ(found.size(), shapes.size()) << textOf(found);
    for (const PlacedShape& shape : shapes) {
      const auto is_it = [&](const RecognizedObject& object) {
        const PoseDifference error =
            poseDifference(shape.name, toPose(object.pose), shape.pose);
        return library.getModel(object.model).name == shape.name &&
               error.distance < 0.003f && error.angle < 0.03f;
      };
      EXPECT_EQ(std::count_if(found.begin(), found.end(), is_it), 1)
          << shape.name << "\n"
          << textOf(found);
    }
  }
};

TEST_P(Recognition, FindsABlockInAnyPose)
{
  expectFoundInRandomPoses("block", 0.001f, 0.5f);
}

TEST_P(Recognition, FindsABracketInAnyPose)
{
  expectFoundInRandomPoses("bracket", 0.001f, 0.5f);
}

TEST_P(Recognition, FindsAConeInAnyPose)
{
  // Only its steps show the angle about its axis.
  expectFoundInRandomPoses("cone", 0.0015f, 1.25f);
}

TEST_P(Recognition, FindsSeveralObjectsOfOneModel)
{
  ShapeFinder finder;
  change(finder.extraction, [&](auto& p) { p.tensor_count = 500; });
  const std::vector<PlacedShape> shapes = {
      {"block", poseAt("block", {-0.24f, -0.05f, 0.8f}, 1)},
      {"block", poseAt("block", {0.0f, 0.05f, 0.85f}, 2)},
      {"block", poseAt("block", {0.25f, -0.02f, 0.75f}, 5)}};
  expectAll(
      finder.find(seenScene(shapes).depth), *finder.recognition.getLibrary(), shapes);
}

TEST_P(Recognition, FindsDifferentObjectsOnATable)
{
  // A table and the side of a block are a bracket, so that there is none to be found.
  ShapeFinder finder(shapeLibrary({"block", "cone"}));
  change(finder.extraction, [&](auto& p) { p.tensor_count = 500; });
  const std::vector<PlacedShape> shapes = {{"block", onTable(-0.15f, -0.05f, 0.6f)},
                                           {"cone", onTable(0.2f, -0.1f, 2.0f)}};
  std::vector<PlacedShape> with_table = shapes;
  with_table.push_back({"table", tablePose()});
  expectAll(finder.find(seenScene(with_table).depth),
            *finder.recognition.getLibrary(),
            shapes);
}

TEST_P(Recognition, ListsTheBestObjectsFirst)
{
  ShapeFinder finder;
  change(finder.extraction, [&](auto& p) { p.tensor_count = 500; });
  const std::vector<PlacedShape> shapes = {
      {"cone", poseAt("cone", {-0.24f, -0.05f, 0.8f}, 1)},
      {"bracket", poseAt("bracket", {0.0f, 0.05f, 0.85f}, 6)},
      {"block", poseAt("block", {0.25f, -0.02f, 0.75f}, 5)}};
  const auto found = finder.find(seenScene(shapes).depth);
  expectAll(found, *finder.recognition.getLibrary(), shapes);
  for (std::size_t i = 1; i < found.size(); ++i)
    EXPECT_GE(found[i - 1].confidence, found[i].confidence);
}

TEST_P(Recognition, DoesNotFindWhatIsNotInTheLibrary)
{
  ShapeFinder finder(shapeLibrary({"block", "bracket"}));
  for (std::uint32_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Pose behind = Pose::Identity();
    behind.translation() = Vector3f(0.0f, 0.0f, 1.3f);
    const PlacedShape cone = {"cone", randomPose("cone", seed)};
    const auto found = finder.find(seenScene({cone, {"screen", behind}}).depth);
    EXPECT_TRUE(found.empty()) << textOf(found);
  }
}

TEST_P(Recognition, FindsNothingOnATable)
{
  ShapeFinder finder;
  const auto found = finder.find(seenScene({{"table", tablePose()}}).depth);
  EXPECT_TRUE(found.empty()) << textOf(found);
}

/** \brief Points behind walls count as hidden: the inner corner of a block fits into
 * that of a room, but for the walls that go on where the block ends. */
TEST_P(Recognition, FindsNothingInTheCornerOfARoom)
{
  ShapeFinder finder;
  const Pose pose =
      lookAt(Vector3f(0.6f, 0.55f, 0.5f), Vector3f::Zero(), Vector3f::UnitZ())
          .inverse();
  const auto found = finder.find(seenScene({{"corner", pose}}).depth);
  EXPECT_TRUE(found.empty()) << textOf(found);
}

TEST_P(Recognition, FindsAnObjectOfWhichHalfIsHidden)
{
  ShapeFinder finder;
  change(finder.recognition, [](auto& p) { p.min_confidence = 0.2f; });
  int tested = 0;
  for (const char* name : {"block", "bracket", "cone"})
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
      SCOPED_TRACE(std::string(name) + ", seed " + std::to_string(seed));
      const PlacedShape shape = {name, randomPose(name, seed)};
      Pose before = Pose::Identity();
      before.translation() = 0.75f * (shape.pose * middleOf(name));
      const SeenScene seen = seenScene({shape, {"screen", before}});
      const auto alone = seenScene({shape}).instances.data;
      const auto visible =
          std::count(seen.instances.data.begin(), seen.instances.data.end(), 0);
      const auto all = std::count(alone.begin(), alone.end(), 0);
      if (visible < 0.45 * all || visible > 0.7 * all || seen.determinedness(0) < 0.1f)
        continue;
      ++tested;
      const auto found = finder.find(seen.depth);
      EXPECT_EQ(found.size(), 1u) << textOf(found);
      if (!found.empty())
        expectShape(found[0], *finder.recognition.getLibrary(), shape, 0.002f, 1.0f);
    }
  EXPECT_GE(tested, 5);
}

TEST_P(Recognition, DoesNotFindWhatWasCutAway)
{
  ShapeFinder finder;
  for (float turn : {0.3f, 2.0f, 4.0f}) {
    SeenScene seen =
        seenScene({{"cone", onTable(0.0f, 0.0f, turn)}, {"table", tablePose()}});
    EXPECT_EQ(finder.find(seen.depth).size(), 1u);
    for (std::size_t i = 0; i < seen.depth.data.size(); ++i)
      if (seen.instances.data[i] == 0)
        seen.depth.data[i] = not_a_number;
    const auto found = finder.find(seen.depth);
    EXPECT_TRUE(found.empty()) << textOf(found);
  }
}

TEST_P(Recognition, RefusesAnObjectThatTheCameraSeesThrough)
{
  ShapeFinder finder;
  const PlacedShape shape = {"block", randomPose("block", 1)};
  SeenScene seen = seenScene({shape});
  // Two stripes of three of the object show a wall behind it.
  for (int v = 0; v < seen.depth.rows; ++v)
    for (int u = 0; u < seen.depth.columns; ++u)
      if (seen.instances.at(v, u) != 0 || u % 48 < 32)
        seen.depth.at(v, u) = 1.2f;
  const auto found = finder.find(seen.depth);
  EXPECT_TRUE(found.empty()) << textOf(found);

  change(finder.recognition,
         [&](auto& p) { p.min_visible = p.min_fit = p.min_confidence = 0.0f; });
  const auto tolerated = finder.findWith(finder.recognition);
  const auto is_it = [&](const RecognizedObject& object) {
    return object.model == 0 &&
           poseDifference("block", toPose(object.pose), shape.pose).distance < 0.01f &&
           object.evidence.free > 0.05f;
  };
  EXPECT_TRUE(std::any_of(tolerated.begin(), tolerated.end(), is_it))
      << "it must be the free space that speaks against it\n"
      << textOf(tolerated);
}

/** \brief Counts of a scene's pixels by their true shapes and by the recognized
 * ones. */
struct LabelCounts {
  int of_shapes = 0, right = 0, of_table = 0, wrong_of_table = 0, of_nothing = 0,
      wrong_of_nothing = 0;
};

class RecognizedPixels : public Recognition {
protected:
  /** \param[in] shapes the last one is the table */
  static LabelCounts
  labelCounts(const std::vector<PlacedShape>& shapes)
  {
    ShapeFinder finder(shapeLibrary({"block", "cone"}));
    change(finder.extraction, [&](auto& p) { p.tensor_count = 500; });
    const SeenScene seen = seenScene(shapes);
    const auto found = finder.find(seen.depth);
    const Image<int> labels = downloaded(finder.recognition.pixelObjects());
    const TensorLibrary& library = *finder.recognition.getLibrary();
    LabelCounts counts;
    EXPECT_EQ(found.size() + 1, shapes.size()) << textOf(found);
    const int table = static_cast<int>(shapes.size()) - 1;
    for (std::size_t i = 0; i < labels.data.size(); ++i) {
      const int shape = seen.instances.data[i], label = labels.data[i];
      if (label < -1 || label >= static_cast<int>(found.size())) {
        ADD_FAILURE() << "label " << label << " of " << found.size();
        break;
      }
      if (shape < 0) {
        ++counts.of_nothing;
        counts.wrong_of_nothing += label != -1;
      }
      else if (shape == table) {
        ++counts.of_table;
        counts.wrong_of_table += label != -1;
      }
      else {
        ++counts.of_shapes;
        counts.right += label >= 0 &&
                        library.getModel(found[label].model).name == shapes[shape].name;
      }
    }
    return counts;
  }
};

TEST_P(RecognizedPixels, AreThoseOfObjectsAboveATable)
{
  const LabelCounts counts = labelCounts({{"block", onTable(-0.15f, 0.0f, 0.6f, 0.05f)},
                                          {"cone", onTable(0.2f, 0.0f, 2.0f, 0.05f)},
                                          {"table", tablePose()}});
  EXPECT_GT(counts.of_shapes, 3000);
  EXPECT_GE(counts.right, 0.95 * counts.of_shapes);
  EXPECT_GT(counts.of_table, 10000);
  EXPECT_EQ(counts.wrong_of_table, 0);
  EXPECT_EQ(counts.wrong_of_nothing, 0);
}

TEST_P(RecognizedPixels, AreHardlyThoseOfTheTableThatObjectsStandOn)
{
  const LabelCounts counts = labelCounts({{"block", onTable(-0.15f, 0.0f, 0.6f)},
                                          {"cone", onTable(0.2f, 0.0f, 2.0f)},
                                          {"table", tablePose()}});
  EXPECT_GE(counts.right, 0.95 * counts.of_shapes);
  // Near the contact of both, normals lie between those of both.
  EXPECT_LE(counts.wrong_of_table, 0.02 * counts.of_shapes);
}

TEST_P(RecognizedPixels, TellObjectsOfOneModelApart)
{
  const std::vector<PlacedShape> shapes = {
      {"block", poseAt("block", {-0.2f, -0.05f, 0.8f}, 1)},
      {"block", poseAt("block", {0.15f, 0.05f, 0.8f}, 2)}};
  ShapeFinder finder;
  const SeenScene seen = seenScene(shapes);
  const auto found = finder.find(seen.depth);
  ASSERT_EQ(found.size(), 2u);
  const Image<int> labels = downloaded(finder.recognition.pixelObjects());
  for (int shape = 0; shape < 2; ++shape) {
    int all = 0, counts[3] = {};
    for (std::size_t i = 0; i < labels.data.size(); ++i)
      if (seen.instances.data[i] == shape) {
        ++all;
        ++counts[labels.data[i] + 1];
      }
    const PoseDifference first =
        poseDifference("block", toPose(found[0].pose), shapes[shape].pose);
    const int object = first.distance < 0.01f ? 0 : 1;
    EXPECT_GE(counts[object + 1], 0.95 * all);
    EXPECT_EQ(counts[2 - object], 0) << "pixels taken for the other block";
  }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(Recognition);
PCL_GPU_INSTANTIATE_DEVICE_TESTS(RecognizedPixels);

} // namespace
