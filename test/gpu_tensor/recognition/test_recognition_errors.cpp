// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "common/numbers.h"
#include "recognition_shapes.h"

#include <cmath>
#include <limits>
#include <string>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

constexpr float pi = 3.14159274f;

/** \brief Expects that a setter refuses values outside 0 to a limit, and takes the
 * rest. */
template <typename Set>
void
expectShare(const std::string& name, float limit, const Set& set)
{
  for (float bad : {-0.5f,
                    -std::numeric_limits<float>::min(),
                    std::nextafter(limit, 2.0f),
                    not_a_number,
                    infinity,
                    -infinity})
    expectBadArgument(name, [&] { set(bad); });
  for (float good : {0.0f, 0.5f * limit, limit})
    EXPECT_NO_THROW(set(good)) << name << " " << good;
}

template <typename Set>
void
expectPositive(const std::string& name, const Set& set)
{
  for (float bad : {0.0f, -1.0f, not_a_number, infinity})
    expectBadArgument(name, [&] { set(bad); });
  for (float good : {1e-6f, 1.0f, 1e6f})
    EXPECT_NO_THROW(set(good)) << name << " " << good;
}

TEST(BadRecognitionArguments, AreNamedWithTheirValues)
{
  TensorRecognition r;
  expectBadArgument("library is null", [&] { r.setLibrary(nullptr); });
  for (int bad : {0, -3}) {
    expectBadArgument("number of hypotheses is " + std::to_string(bad),
                      [&] { change(r, [&](auto& p) { p.max_hypotheses = bad; }); });
    expectBadArgument("number of candidates is " + std::to_string(bad),
                      [&] { change(r, [&](auto& p) { p.max_candidates = bad; }); });
    expectBadArgument("points of refinement is " + std::to_string(bad),
                      [&] { change(r, [&](auto& p) { p.refinement.points = bad; }); });
  }
  for (int bad : {-1, 65})
    expectBadArgument("rounds of refinement is " + std::to_string(bad),
                      [&] { change(r, [&](auto& p) { p.refinement.rounds = bad; }); });
  for (float bad : {0.0f, -1.0f, not_a_number, std::nextafter(pi, 4.0f)})
    expectBadArgument("grouping angle",
                      [&] { change(r, [&](auto& p) { p.grouping_angle = bad; }); });
  for (float bad : {-0.001f, not_a_number, infinity}) {
    expectBadArgument("deviation of depth",
                      [&] { change(r, [&](auto& p) { p.depth_deviation = bad; }); });
    expectBadArgument("growth of the deviation of depth", [&] {
      change(r, [&](auto& p) { p.depth_deviation_growth = bad; });
    });
  }
  expectBadArgument("deviation of depth is 0", [&] {
    change(r, [&](auto& p) { p.depth_deviation = p.depth_deviation_growth = 0.0f; });
  });
  expectBadArgument("last distance of refinement is 3", [&] {
    change(r, [&](auto& p) {
      p.refinement.first_distance = 2.0f;
      p.refinement.last_distance = 3.0f;
    });
  });
}

TEST(BadRecognitionArguments, AreRefusedAtTheLimits)
{
  TensorRecognition r;
  const auto expectShareOf = [&](const std::string& name,
                                 float TensorRecognitionParameters::*share) {
    expectShare(
        name, 1.0f, [&](float v) { change(r, [&](auto& p) { p.*share = v; }); });
  };
  expectShareOf("least visible share", &TensorRecognitionParameters::min_visible);
  expectShareOf("least fit", &TensorRecognitionParameters::min_fit);
  expectShareOf("least confidence", &TensorRecognitionParameters::min_confidence);
  expectShareOf("shared part", &TensorRecognitionParameters::max_shared);
  expectPositive("capture distance",
                 [&](float v) { change(r, [&](auto& p) { p.capture_distance = v; }); });
  expectPositive("grouping distance", [&](float v) {
    change(r, [&](auto& p) { p.grouping_distance = v; });
  });
  expectPositive("first distance", [&](float v) {
    change(r, [&](auto& p) {
      p.refinement.first_distance = v;
      p.refinement.last_distance = 1e-6f;
    });
  });
  expectPositive("last distance", [&](float v) {
    change(r, [&](auto& p) {
      p.refinement.first_distance = 1e6f;
      p.refinement.last_distance = v;
    });
  });
}

TEST(BadRecognitionArguments, AtTheLimitsAreGood)
{
  TensorRecognition r;
  EXPECT_NO_THROW(change(r, [&](auto& p) { p.grouping_angle = pi; }));
  EXPECT_NO_THROW(change(r, [&](auto& p) { p.max_candidates = p.max_hypotheses = 1; }));
  EXPECT_NO_THROW(change(r, [&](auto& p) {
    p.refinement.rounds = 0;
    p.refinement.points = 1;
  }));
  EXPECT_NO_THROW(change(r, [&](auto& p) {
    p.refinement.rounds = 64;
    p.refinement.points = 100000;
  }));
  EXPECT_NO_THROW(change(r, [&](auto& p) {
    p.refinement.first_distance = p.refinement.last_distance = 2.0f;
  }));
  EXPECT_NO_THROW(change(r, [&](auto& p) { p.depth_deviation = 0.0f; }));
}

class RecognitionErrors : public DeviceTest {
protected:
  void
  SetUp() override
  {
    DeviceTest::SetUp();
    finder_ = std::make_unique<ShapeFinder>(shapeLibrary({}));
    finder_->extract(Image<float>(240, 320, 0.8f));
  }

  void
  TearDown() override
  {
    finder_.reset();
    DeviceTest::TearDown();
  }

  void
  compute(TensorRecognition& recognition)
  {
    finder_->findWith(recognition);
  }

  std::unique_ptr<ShapeFinder> finder_;
};

TEST_P(RecognitionErrors, NameALibraryThatIsMissing)
{
  TensorRecognition recognition;
  expectBadArgument("library is null", [&] { compute(recognition); });
}

TEST_P(RecognitionErrors, NameALibraryWithoutParameters)
{
  TensorRecognition recognition;
  recognition.setLibrary(std::make_shared<TensorLibrary>());
  expectBadArgument("resolution", [&] { compute(recognition); });
}

TEST_P(RecognitionErrors, NameSizesThatDiffer)
{
  const DepthMapTensorExtraction& e = finder_->extraction;
  const NormalMap fewer =
      uploaded(Image<pcl::PointXYZ>(239, 320, pcl::PointXYZ(0.0f, 0.0f, 1.0f)));
  expectBadArgument("normals", [&] {
    finder_->recognition.compute(
        e.surface().cloud(), fewer, e.getCloudCamera(), e.tensors());
  });
}

TEST_P(RecognitionErrors, NameACameraOfAnotherSize)
{
  const DepthMapTensorExtraction& e = finder_->extraction;
  PinholeCamera camera = e.getCloudCamera();
  camera.width = 640;
  camera.height = 480;
  expectBadArgument("camera", [&] {
    finder_->recognition.compute(
        e.surface().cloud(), e.surface().normals(), camera, e.tensors());
  });
  camera = e.getCloudCamera();
  camera.fx = 0.0f;
  expectBadArgument("fx", [&] {
    finder_->recognition.compute(
        e.surface().cloud(), e.surface().normals(), camera, e.tensors());
  });
}

TEST_P(RecognitionErrors, NameGridsThatDiffer)
{
  TensorParameters parameters = shapeParameters();
  parameters.grid_size = 8;
  const auto library = std::make_shared<TensorLibrary>();
  library->setParameters(parameters);
  TensorRecognition recognition;
  recognition.setLibrary(library);
  expectBadArgument("grid size of the tensors is 10", [&] { compute(recognition); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RecognitionErrors);

/** \brief Inputs of one call on two devices; runs where there is a CUDA device. */
TEST(recognition_of_host_and_cuda_mixed, IsRefusedByName)
{
  const auto cuda = useDevice("cuda");
  ShapeFinder on_cuda(shapeLibrary({}));
  on_cuda.extract(Image<float>(240, 320, 0.8f));
  const auto host = useDevice("host");
  ShapeFinder on_host(shapeLibrary({}));
  on_host.extract(Image<float>(240, 320, 0.8f));
  const DepthMapTriangulation &surface = on_host.extraction.surface(),
                              &other = on_cuda.extraction.surface();
  const PinholeCamera camera = smallCamera();
  TensorRecognition& recognition = on_host.recognition;
  expectBadArgument("normals", [&] {
    recognition.compute(
        surface.cloud(), other.normals(), camera, on_host.extraction.tensors());
  });
  expectBadArgument("tensors", [&] {
    recognition.compute(
        surface.cloud(), surface.normals(), camera, on_cuda.extraction.tensors());
  });
}

/** \brief One object, and one library, may work on one device and then on the other. */
TEST(recognition_on_host_and_cuda_in_turn, FindsTheSame)
{
  const auto cuda = useDevice("cuda");
  const PlacedShape shape = {"block", randomPose("block", 1)};
  const auto library = shapeLibrary({"block"});
  ShapeFinder on_cuda(library);
  const auto host = useDevice("host");
  ShapeFinder on_host(library);
  const Image<float> depth = seenScene({shape}).depth;
  on_host.extract(depth);
  const auto again = useDevice("cuda");
  on_cuda.extract(depth);
  TensorRecognition recognition = on_host.recognition;
  for (int run = 0; run < 2; ++run)
    for (const ShapeFinder* finder : {&on_host, &on_cuda}) {
      const auto found = finder->findWith(recognition);
      ASSERT_EQ(found.size(), 1u);
      expectShape(found[0], *library, shape);
      EXPECT_EQ(deviceOf(recognition.objects()),
                finder == &on_host ? Device::host() : Device::cuda(0));
    }
}

} // namespace
