// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "common/numbers.h"
#include "gpu_scenespace/gathering/average_case.h"
#include "gpu_scenespace/gathering/naive_sets.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/gathering/scene_space_average.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu::test {

namespace {

class AveragesOfSamples : public DeviceTest {};

/** \brief An image on the host. */
struct HostImage {
  std::vector<RGB> color;
  std::vector<float> depth, variance;

  HostImage() = default;
  explicit HostImage(const SceneImage& image)
  : color(downloaded(image.color))
  , depth(downloaded(image.depth))
  , variance(downloaded(image.variance))
  {}
};

HostImage
average(SceneSpaceAverage& averaging,
        const AverageCase& input,
        const SceneReference& reference)
{
  averaging.begin(input.rig.view, reference);
  averaging.add(input.upload(), input.weights);
  SceneImage image;
  averaging.finish(image);
  return HostImage(image);
}

/** \brief A sample as an output camera sees it. */
struct SeenSample {
  Eigen::Vector3d point; ///< in the output camera's frame
  Eigen::Vector2d pixel;
};

SeenSample
seenSample(const RandomRig& rig, const SceneSample& sample)
{
  const RGBDFrame& frame = rig.frames[sample.frame];
  const PinholeCamera& from = frame.color_camera;
  const PinholeCamera& to = rig.view.camera;
  const double depth = sample.depth;
  const Eigen::Vector3d world =
      frame.color_pose.cast<double>() *
      Eigen::Vector3d(depth * (sample.column - double(from.cx)) / from.fx,
                      depth * (sample.row - double(from.cy)) / from.fy,
                      depth);
  SeenSample seen;
  seen.point = rig.view.pose.cast<double>().inverse(Eigen::Affine) * world;
  seen.pixel = {to.fx * seen.point.x() / seen.point.z() + to.cx,
                to.fy * seen.point.y() / seen.point.z() + to.cy};
  return seen;
}

double
squared(double a)
{
  return a * a;
}

/** \brief Squared distance of colours in deviations. */
double
colorDistance(const RGB& a, const RGB& b, double sigma)
{
  return (squared(double(a.r) - b.r) + squared(double(a.g) - b.g) +
          squared(double(a.b) - b.b)) /
         squared(sigma);
}

/** \brief The formula of SceneSpaceAverage in double precision. */
void
expectAverages(const HostImage& image,
               const AverageCase& input,
               const SceneSpaceAverage& averaging,
               bool has_color,
               bool has_depth)
{
  const auto sets = naiveSets(input.rig, averaging.getParameters().frustum);
  const PinholeCamera& camera = input.rig.view.camera;
  ASSERT_EQ(image.color.size(), sets.size());
  int seen_pixels = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    SCOPED_TRACE("pixel " + std::to_string(i));
    const int column = int(i) % camera.width, row = int(i) / camera.width;
    double weights = 0.0, squares = 0.0, depth = 0.0;
    Eigen::Array3d color = Eigen::Array3d::Zero();
    for (const SceneSample& sample : sets[i]) {
      const SeenSample seen = seenSample(input.rig, sample);
      const RGB& guide =
          input.guides[sample.frame][std::size_t(sample.row) *
                                         input.rig.frames[sample.frame].color.width +
                                     sample.column];
      double distance =
          (squared(seen.pixel.x() - column) + squared(seen.pixel.y() - row)) /
          squared(averaging.getParameters().sigma_pixel);
      if (has_color)
        distance +=
            colorDistance(guide, input.color[i], averaging.getParameters().sigma_rgb);
      if (has_depth && input.depth[i] > 0.0f) {
        const double z = input.depth[i];
        const Eigen::Vector3d point(z * (column - double(camera.cx)) / camera.fx,
                                    z * (row - double(camera.cy)) / camera.fy,
                                    z);
        const float in_front = averaging.getParameters().sigma_xyz_in_front;
        const bool is_in_front = seen.point.z() < z && in_front > 0.0f;
        const double sigma =
            is_in_front ? in_front : averaging.getParameters().sigma_xyz;
        distance += (seen.point - point).squaredNorm() / squared(sigma);
      }
      const double weight = input.weights[sample.frame] * std::exp(-0.5 * distance);
      weights += weight;
      squares += weight * weight;
      depth += weight * seen.point.z();
      color += weight * Eigen::Array3d(sample.red, sample.green, sample.blue);
    }
    if (weights < 1e-28) {
      if (weights < 1e-32) {
        ASSERT_EQ(image.color[i].a, 0);
        ASSERT_TRUE(std::isnan(image.depth[i]));
        ASSERT_EQ(image.variance[i], 1.0f);
        ASSERT_EQ(image.color[i].r, has_color ? input.color[i].r : 0);
      }
      continue;
    }
    ++seen_pixels;
    ASSERT_EQ(image.color[i].a, 255);
    ASSERT_NEAR(image.color[i].r, color[0] / weights, 0.51);
    ASSERT_NEAR(image.color[i].g, color[1] / weights, 0.51);
    ASSERT_NEAR(image.color[i].b, color[2] / weights, 0.51);
    ASSERT_NEAR(image.depth[i], depth / weights, 1e-4);
    // Below, single precision has no squares.
    if (squares > 2e-36) {
      ASSERT_NEAR(image.variance[i], squares / weights / weights, 1e-3);
    }
    else if (squares < 5e-37) {
      ASSERT_EQ(image.variance[i], 1.0f);
    }
  }
  EXPECT_GT(seen_pixels, int(sets.size()) / 4);
}

void
expectSame(const HostImage& a, const HostImage& b)
{
  ASSERT_EQ(a.color.size(), b.color.size());
  for (std::size_t i = 0; i < a.color.size(); ++i) {
    SCOPED_TRACE("pixel " + std::to_string(i));
    ASSERT_EQ(a.color[i].rgba, b.color[i].rgba);
    ASSERT_TRUE(a.depth[i] == b.depth[i] ||
                (std::isnan(a.depth[i]) && std::isnan(b.depth[i])))
        << a.depth[i] << " and " << b.depth[i];
    ASSERT_EQ(a.variance[i], b.variance[i]);
  }
}

TEST_P(AveragesOfSamples, AreThoseOfDoublePrecision)
{
  SceneSpaceAverage averaging;
  change(averaging, [&](auto& p) { p.sigma_xyz = 0.5f; });
  for (unsigned int seed = 1; seed <= 6; ++seed) {
    const AverageCase input(seed);
    expectAverages(
        average(averaging, input, input.reference()), input, averaging, true, true);
  }
}

TEST_P(AveragesOfSamples, AreThoseOfDoublePrecisionForAnyDeviations)
{
  SceneSpaceAverage averaging;
  const AverageCase input(7);
  for (const float scale : {1.0f, 10.0f, infinity}) {
    change(averaging, [&](auto& p) {
      p.sigma_rgb = 20.0f * scale;
      p.sigma_xyz = 1.0f * scale;
      p.sigma_pixel = 0.5f * scale;
    });
    expectAverages(
        average(averaging, input, input.reference()), input, averaging, true, true);
  }
}

TEST_P(AveragesOfSamples, CompareSamplesInFrontOfTheReferenceInAWayOfTheirOwn)
{
  SceneSpaceAverage averaging;
  change(averaging, [&](auto& p) { p.sigma_xyz = 1.0f; });
  const AverageCase input(14);
  for (const float sigma : {0.5f, 2.0f, infinity}) {
    change(averaging, [&](auto& p) { p.sigma_xyz_in_front = sigma; });
    expectAverages(
        average(averaging, input, input.reference()), input, averaging, true, true);
  }
  const HostImage here = average(averaging, input, input.reference());
  const auto scope = useDevice("host");
  SceneSpaceAverage on_host;
  change(on_host, [&](auto& p) {
    p.sigma_xyz = 1.0f;
    p.sigma_xyz_in_front = infinity;
  });
  expectSame(here, average(on_host, input, input.reference()));
}

TEST_P(AveragesOfSamples, DoWithoutColorOrDepthOfAReference)
{
  SceneSpaceAverage averaging;
  change(averaging, [&](auto& p) { p.sigma_xyz = 0.5f; });
  const AverageCase input(8);
  SceneReference reference = input.reference();
  reference.color.release();
  expectAverages(average(averaging, input, reference), input, averaging, false, true);
  reference.depth.release();
  expectAverages(average(averaging, input, reference), input, averaging, false, false);
  reference.color = input.reference().color;
  expectAverages(average(averaging, input, reference), input, averaging, true, false);
}

TEST_P(AveragesOfSamples, AreThoseOfDoublePrecisionForOtherFrustums)
{
  SceneSpaceAverage averaging;
  change(averaging, [&](auto& p) {
    p.sigma_xyz = 0.5f;
    p.sigma_pixel = 3.0f;
  });
  const AverageCase input(9);
  for (const int width : {1, 2, 4, 7}) {
    QueryFrustum frustum;
    frustum.width = width;
    change(averaging, [&](auto& p) { p.frustum = frustum; });
    const HostImage image = average(averaging, input, input.reference());
    expectAverages(image, input, averaging, true, true);
  }
}

TEST_P(AveragesOfSamples, DoNotDependOnHowManyFramesAreAddedAtOnce)
{
  SceneSpaceAverage averaging;
  const AverageCase input(10);
  const HostImage whole = average(averaging, input, input.reference());
  const auto frames = input.upload();
  for (const std::size_t part : {1u, 2u, 3u}) {
    averaging.begin(input.rig.view, input.reference());
    for (std::size_t i = 0; i < frames.size(); i += part) {
      const std::size_t end = std::min(frames.size(), i + part);
      averaging.add({frames.begin() + i, frames.begin() + end},
                    {input.weights.begin() + i, input.weights.begin() + end});
    }
    SceneImage image;
    averaging.finish(image);
    expectSame(HostImage(image), whole);
  }
}

TEST_P(AveragesOfSamples, AreTheSameOnTheHost)
{
  for (const RigMotion motion :
       {RigMotion::Small, RigMotion::Forward, RigMotion::Wild}) {
    RigSettings settings;
    settings.motion = motion;
    const AverageCase input(11, settings);
    SceneSpaceAverage averaging;
    const HostImage here = average(averaging, input, input.reference());
    const auto scope = useDevice("host");
    SceneSpaceAverage on_host;
    expectSame(here, average(on_host, input, input.reference()));
  }
}

TEST_P(AveragesOfSamples, CompareTheFramesOwnColorsIfThereAreNoGuides)
{
  AverageCase input(12);
  SceneSpaceAverage averaging;
  const SceneReference reference = input.reference();
  averaging.begin(input.rig.view, reference);
  averaging.add(input.rig.upload(), input.weights);
  SceneImage image;
  averaging.finish(image);
  for (std::size_t i = 0; i < input.guides.size(); ++i)
    input.guides[i] = input.rig.frames[i].color.pixels;
  expectSame(HostImage(image), average(averaging, input, reference));
}

TEST_P(AveragesOfSamples, RejectWhatIsNoInput)
{
  const AverageCase input(13);
  const auto frames = input.upload();
  SceneSpaceAverage averaging;
  SceneImage image;
  EXPECT_THROW(averaging.add(frames), InitFailedException);
  EXPECT_THROW(averaging.finish(image), InitFailedException);
  SceneReference reference = input.reference();
  reference.color.create(3, 3);
  expectBadArgument("reference colour",
                    [&] { averaging.begin(input.rig.view, reference); });
  averaging.begin(input.rig.view, {});
  expectBadArgument("number of frames", [&] { averaging.add({}); });
  expectBadArgument("number of weights", [&] { averaging.add(frames, {1.0f}); });
  std::vector<float> weights = input.weights;
  weights[2] = -1.0f;
  expectBadArgument("weight of a frame", [&] { averaging.add(frames, weights); });
  weights[2] = infinity;
  expectBadArgument("weight of a frame", [&] { averaging.add(frames, weights); });
}

TEST_P(AveragesOfSamples, RejectSettingsThatMakeNoSense)
{
  SceneSpaceAverage averaging;
  expectBadArgument("sigma_rgb",
                    [&] { change(averaging, [&](auto& p) { p.sigma_rgb = 0.0f; }); });
  expectBadArgument("sigma_xyz",
                    [&] { change(averaging, [&](auto& p) { p.sigma_xyz = -1.0f; }); });
  expectBadArgument("sigma_xyz in front", [&] {
    change(averaging, [&](auto& p) { p.sigma_xyz_in_front = -1.0f; });
  });
  expectBadArgument("sigma_pixel", [&] {
    change(averaging, [&](auto& p) { p.sigma_pixel = std::nanf(""); });
  });
}

TEST_P(AveragesOfSamples, RejectGuidesOfAnotherSize)
{
  SceneFrame frame;
  frame.upload(RandomRig(1, {}).frames[0], 0);
  DeviceArray2D<RGB> guide(3, 4);
  expectBadArgument("guide", [&] { frame.setGuide(guide); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(AveragesOfSamples);

} // namespace

} // namespace pcl::gpu::test
