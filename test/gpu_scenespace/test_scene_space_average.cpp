// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "naive_sets.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/scene_space_average.h>
#include <pcl/gpu/scenespace/scene_surface.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pcl {
namespace gpu {
namespace test {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

class AveragesOfSamples : public DeviceTest {};
class SurfacesOfSamples : public DeviceTest {};

/** \brief A rig, guides of its frames, and a reference for its output. */
struct AverageCase {
  RandomRig rig;
  std::vector<std::vector<RGB>> guides;
  std::vector<RGB> color;
  std::vector<float> depth;
  std::vector<float> weights;

  explicit AverageCase(unsigned int seed, const RigSettings& settings = {})
  : rig(seed, settings)
  {
    std::mt19937 random(seed);
    const auto someColor = [&] {
      RGB made;
      made.rgba = random();
      made.r = 100 + made.r % 40;
      made.g = 30 + made.g % 40;
      made.b = 200 + made.b % 40;
      return made;
    };
    for (const RGBDFrame& frame : rig.frames) {
      guides.emplace_back();
      for (std::size_t i = 0; i < frame.color.pixels.size(); ++i)
        guides.back().push_back(someColor());
      weights.push_back(0.1f * (1 + random() % 20));
    }
    weights[1] = 0.0f;
    const int pixels = rig.view.camera.width * rig.view.camera.height;
    for (int i = 0; i < pixels; ++i) {
      color.push_back(someColor());
      depth.push_back(random() % 4 == 0 ? std::nanf("")
                                        : 1.0f + 0.001f * (random() % 1000));
    }
  }

  int
  width() const
  {
    return rig.view.camera.width;
  }

  std::vector<SceneFrame::ConstPtr>
  upload() const
  {
    std::vector<SceneFrame::ConstPtr> uploaded;
    for (std::size_t i = 0; i < rig.frames.size(); ++i) {
      const auto frame = std::make_shared<SceneFrame>();
      frame->upload(rig.frames[i], static_cast<int>(i));
      DeviceArray2D<RGB> guide;
      guide.upload(guides[i], rig.frames[i].color.width);
      frame->setGuide(guide);
      uploaded.push_back(frame);
    }
    return uploaded;
  }

  SceneReference
  reference() const
  {
    SceneReference made;
    made.color.upload(color, width());
    made.depth.upload(depth, width());
    return made;
  }
};

template <typename T>
std::vector<T>
downloaded(const DeviceArray2D<T>& image)
{
  std::vector<T> pixels;
  int columns = 0;
  image.download(pixels, columns);
  return pixels;
}

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
  const auto sets = naiveSets(input.rig, averaging.getFrustum());
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
          squared(averaging.getSigmaPixel());
      if (has_color)
        distance += colorDistance(guide, input.color[i], averaging.getSigmaRGB());
      if (has_depth && input.depth[i] > 0.0f) {
        const double z = input.depth[i];
        const Eigen::Vector3d point(z * (column - double(camera.cx)) / camera.fx,
                                    z * (row - double(camera.cy)) / camera.fy,
                                    z);
        const float in_front = averaging.getSigmaXYZInFront();
        const bool is_in_front = seen.point.z() < z && in_front > 0.0f;
        const double sigma = is_in_front ? in_front : averaging.getSigmaXYZ();
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
  averaging.setSigmaXYZ(0.5f);
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
    averaging.setSigmaRGB(20.0f * scale);
    averaging.setSigmaXYZ(1.0f * scale);
    averaging.setSigmaPixel(0.5f * scale);
    expectAverages(
        average(averaging, input, input.reference()), input, averaging, true, true);
  }
}

TEST_P(AveragesOfSamples, CompareSamplesInFrontOfTheReferenceInAWayOfTheirOwn)
{
  SceneSpaceAverage averaging;
  averaging.setSigmaXYZ(1.0f);
  const AverageCase input(14);
  for (const float sigma : {0.5f, 2.0f, infinity}) {
    averaging.setSigmaXYZInFront(sigma);
    expectAverages(
        average(averaging, input, input.reference()), input, averaging, true, true);
  }
  const HostImage here = average(averaging, input, input.reference());
  const auto scope = useDevice("host");
  SceneSpaceAverage on_host;
  on_host.setSigmaXYZ(1.0f);
  on_host.setSigmaXYZInFront(infinity);
  expectSame(here, average(on_host, input, input.reference()));
}

TEST_P(AveragesOfSamples, DoWithoutColorOrDepthOfAReference)
{
  SceneSpaceAverage averaging;
  averaging.setSigmaXYZ(0.5f);
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
  averaging.setSigmaXYZ(0.5f);
  averaging.setSigmaPixel(3.0f);
  const AverageCase input(9);
  for (const int width : {1, 2, 4, 7}) {
    QueryFrustum frustum;
    frustum.width = width;
    averaging.setFrustum(frustum);
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
  expectBadArgument("sigma_rgb", [&] { averaging.setSigmaRGB(0.0f); });
  expectBadArgument("sigma_xyz", [&] { averaging.setSigmaXYZ(-1.0f); });
  expectBadArgument("sigma_xyz in front", [&] { averaging.setSigmaXYZInFront(-1.0f); });
  expectBadArgument("sigma_pixel", [&] { averaging.setSigmaPixel(std::nanf("")); });
}

TEST_P(AveragesOfSamples, RejectGuidesOfAnotherSize)
{
  SceneFrame frame;
  frame.upload(RandomRig(1, {}).frames[0], 0);
  DeviceArray2D<RGB> guide(3, 4);
  expectBadArgument("guide", [&] { frame.setGuide(guide); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(AveragesOfSamples);

/** \brief Frames of one camera that look at walls, pixel by pixel. */
struct Walls {
  PinholeCamera camera = PinholeCamera::fromFieldOfView(0.8f, 50, 37);
  std::vector<std::vector<float>> depths;

  std::vector<SceneFrame::ConstPtr>
  upload() const
  {
    std::vector<SceneFrame::ConstPtr> frames;
    for (std::size_t i = 0; i < depths.size(); ++i) {
      DeviceArray2D<float> depth;
      depth.upload(depths[i], camera.width);
      DeviceArray2D<RGB> color;
      color.upload(std::vector<RGB>(depths[i].size()), camera.width);
      const auto frame = std::make_shared<SceneFrame>();
      frame->set(color, depth, camera, Pose::Identity(), static_cast<int>(i));
      frames.push_back(frame);
    }
    return frames;
  }

  SceneView
  view() const
  {
    SceneView made;
    made.camera = camera;
    return made;
  }

  /** \brief A wall that frames see at some depths. */
  void
  add(const std::vector<float>& wall_depths)
  {
    for (const float depth : wall_depths)
      depths.emplace_back(std::size_t(camera.width) * camera.height, depth);
  }
};

std::vector<float>
surface(SceneSurface& surfaces,
        const SceneView& view,
        const std::vector<SceneFrame::ConstPtr>& frames,
        const std::vector<float>& weights = {})
{
  surfaces.begin(view);
  surfaces.add(frames, weights);
  DeviceArray2D<float> depth;
  surfaces.finish(depth);
  return downloaded(depth);
}

void
expectAll(const std::vector<float>& depths, float expected)
{
  for (std::size_t i = 0; i < depths.size(); ++i)
    ASSERT_NEAR(depths[i], expected, 1e-5f * expected) << "pixel " << i;
}

TEST_P(SurfacesOfSamples, AreMeansOfTheirDepths)
{
  Walls walls;
  walls.add({2.0f, 2.02f, 1.98f, 2.04f});
  SceneSurface surfaces;
  expectAll(surface(surfaces, walls.view(), walls.upload()), 2.01f);
}

TEST_P(SurfacesOfSamples, AreTheNearestOnesWithSupport)
{
  Walls walls;
  walls.add({3.0f, 3.0f, 1.0f, 3.0f, 2.0f, 2.0f, 3.0f, 3.0f, 3.0f, 3.0f});
  SceneSurface surfaces;
  expectAll(surface(surfaces, walls.view(), walls.upload()), 2.0f);
  surfaces.setLeastSupport(0.05f);
  expectAll(surface(surfaces, walls.view(), walls.upload()), 1.0f);
  surfaces.setLeastSupport(0.3f);
  expectAll(surface(surfaces, walls.view(), walls.upload()), 3.0f);
}

TEST_P(SurfacesOfSamples, AreThoseThatMostFramesSee)
{
  Walls walls;
  walls.add({1.0f, 1.0f, 3.0f, 3.0f, 3.0f, 4.0f});
  SceneSurface surfaces;
  surfaces.setChoice(SurfaceChoice::MostSeen);
  expectAll(surface(surfaces, walls.view(), walls.upload()), 3.0f);
}

TEST_P(SurfacesOfSamples, CountFramesByTheirWeights)
{
  Walls walls;
  walls.add({1.0f, 2.0f, 3.0f});
  SceneSurface surfaces;
  surfaces.setChoice(SurfaceChoice::MostSeen);
  expectAll(surface(surfaces, walls.view(), walls.upload(), {1.0f, 2.0f, 1.5f}), 2.0f);
  expectAll(surface(surfaces, walls.view(), walls.upload(), {0.0f, 1.0f, 3.0f}), 3.0f);
}

TEST_P(SurfacesOfSamples, KeepTheLayersThatMostSpeaksFor)
{
  Walls walls;
  walls.add({1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f});
  SceneSurface surfaces;
  surfaces.setChoice(SurfaceChoice::MostSeen);
  const std::vector<float> weights = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 3.0f};
  expectAll(surface(surfaces, walls.view(), walls.upload(), weights), 6.0f);
}

TEST_P(SurfacesOfSamples, AreMissingWhereThereAreNoSamples)
{
  Walls walls;
  walls.add({std::nanf("")});
  SceneSurface surfaces;
  for (const float depth : surface(surfaces, walls.view(), walls.upload()))
    ASSERT_TRUE(std::isnan(depth));
}

TEST_P(SurfacesOfSamples, AreThoseOfTheOutputsCamera)
{
  Walls walls;
  walls.add({2.0f, 2.0f});
  SceneView view = walls.view();
  view.pose.translation().z() = 0.5f;
  SceneSurface surfaces;
  expectAll(surface(surfaces, view, walls.upload()), 1.5f);
}

TEST_P(SurfacesOfSamples, AreTheSameOnTheHost)
{
  for (const RigMotion motion :
       {RigMotion::Small, RigMotion::Forward, RigMotion::Wild}) {
    RigSettings settings;
    settings.motion = motion;
    settings.frames = 9;
    const AverageCase input(14, settings);
    SceneSurface surfaces;
    const auto here = surface(surfaces, input.rig.view, input.upload(), input.weights);
    const auto scope = useDevice("host");
    SceneSurface on_host;
    const auto there = surface(on_host, input.rig.view, input.upload(), input.weights);
    ASSERT_EQ(here.size(), there.size());
    for (std::size_t i = 0; i < here.size(); ++i)
      ASSERT_TRUE(here[i] == there[i] || (std::isnan(here[i]) && std::isnan(there[i])))
          << "pixel " << i << ": " << here[i] << " and " << there[i];
  }
}

TEST_P(SurfacesOfSamples, RejectWhatIsNoInput)
{
  Walls walls;
  walls.add({1.0f});
  SceneSurface surfaces;
  DeviceArray2D<float> depth;
  EXPECT_THROW(surfaces.add(walls.upload()), InitFailedException);
  EXPECT_THROW(surfaces.finish(depth), InitFailedException);
  expectBadArgument("tolerance", [&] { surfaces.setTolerance(0.0f); });
  expectBadArgument("least support", [&] { surfaces.setLeastSupport(1.1f); });
  expectBadArgument("sigma_pixel", [&] { surfaces.setSigmaPixel(0.0f); });
  expectBadArgument("surface choice",
                    [&] { surfaces.setChoice(static_cast<SurfaceChoice>(7)); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(SurfacesOfSamples);

} // namespace

} // namespace test
} // namespace gpu
} // namespace pcl
