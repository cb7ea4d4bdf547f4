// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "gpu_tensor/pairs/pair_reference.h"
#include "gpu_tensor/tensors/host_tensors.h"
#include "gpu_tensor/tensors/tensor_reference.h"
#include "signature_scenes.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <set>
#include <string>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3d;
using Eigen::Vector3f;
using pcl::PointXYZ;

namespace {

constexpr int none = -1;

/** \brief The closest partner of each point, or none: by looking at all in its
 * window. */
std::vector<int>
closestPartners(const OrientedCloud& scene, const ReferencePairing& pairing)
{
  std::vector<int> partners(scene.points.data.size(), none);
  for (std::size_t i = 0; i < partners.size(); ++i) {
    const std::vector<int> alone{static_cast<int>(i)};
    for (const PointPair& pair : referencePairs(scene, pairing, &alone))
      partners[i] = pair.second;
  }
  return partners;
}

ReferencePairing
onePairPerPoint()
{
  ReferencePairing pairing;
  pairing.pairs_per_point = 1;
  return pairing;
}

/** \brief Pairs of all points that have a partner. */
std::vector<PointPair>
pairsWith(const std::vector<int>& partners)
{
  std::vector<PointPair> pairs;
  for (std::size_t i = 0; i < partners.size(); ++i)
    if (partners[i] != none)
      pairs.push_back({static_cast<int>(i), partners[i]});
  return pairs;
}

/** \brief Expects the bits of a tensor. */
void
expectTensor(const HostTensors& tensors, int number, const Signature& signature)
{
  const std::vector<double> areas = tensors.dense(number);
  ASSERT_EQ(areas.size(), std::size_t(Signature::descriptorSize()));
  ASSERT_TRUE(std::equal(areas.begin(), areas.end(), signature.descriptor));
  const TensorFrame& frame = tensors.frames[number];
  ASSERT_TRUE(std::equal(frame.x_axis, frame.x_axis + 3, signature.rf));
  ASSERT_TRUE(std::equal(frame.y_axis, frame.y_axis + 3, signature.rf + 3));
  ASSERT_TRUE(std::equal(frame.z_axis, frame.z_axis + 3, signature.rf + 6));
  ASSERT_TRUE(std::equal(frame.origin, frame.origin + 3, signature.origin));
  ASSERT_EQ(frame.angle, signature.angle);
}

/** \brief Expects the tensor of each point and its partner, as the device class has it,
 * and nothing for a point without a partner. */
void
expectTensors(TensorExtraction& extraction,
              const OrientedCloud& scene,
              const OrganizedMesh& mesh,
              const std::vector<int>& partners,
              const Signatures& signatures,
              const DeviceArray<ResolutionStatistics>& statistics = {})
{
  const HostTensors tensors =
      tensorsOf(extraction, scene, mesh, pairsWith(partners), statistics);
  ASSERT_EQ(signatures.size(), partners.size());
  int number = 0;
  for (std::size_t i = 0; i < partners.size(); ++i) {
    SCOPED_TRACE("point " + std::to_string(i));
    if (partners[i] == none)
      ASSERT_TRUE(isNone(signatures[i]));
    else
      expectTensor(tensors, number++, signatures[i]);
  }
  EXPECT_GT(number, 300);
}

OrientedCloud
flatScene(int rows, int columns)
{
  OrientedCloud scene{Image<PointXYZ>(rows, columns),
                      Image<PointXYZ>(rows, columns, PointXYZ(0.0f, 0.0f, -1.0f))};
  for (int v = 0; v < rows; ++v)
    for (int u = 0; u < columns; ++u)
      scene.points.at(v, u) = PointXYZ(pixel_distance * static_cast<float>(u),
                                       pixel_distance * static_cast<float>(v),
                                       1.0f);
  return scene;
}

double
sumOf(const Signature& signature)
{
  return std::accumulate(
      std::begin(signature.descriptor), std::end(signature.descriptor), 0.0);
}

class TensorsOfPoints : public DeviceTest {};

TEST_P(TensorsOfPoints, AreTensorsOfPointsAndTheirClosestPartners)
{
  for (std::uint32_t seed = 1; seed <= 2; ++seed) {
    SCOPED_TRACE(seedText(seed));
    const OrientedCloud scene = damagedCloud(40, 50, seed);
    TensorExtraction extraction;
    change(extraction, [&](auto& p) {
      p.voxel_size = signature_voxel_size;
      p.voxel_unit = LengthUnit::Metres;
    });
    expectTensors(extraction,
                  scene,
                  meshOf(scene, Cut::Left, 0.01f),
                  closestPartners(scene, onePairPerPoint()),
                  signaturesOf(scene));
  }
}

TEST_P(TensorsOfPoints, HoldTheAreasOfTheSurface)
{
  const OrientedCloud scene = bumpyCloud(40, 50, 3);
  const Signatures signatures = signaturesOf(scene);
  const Triangles triangles = trianglesOf(meshOf(scene, Cut::Left, 0.01f));
  const std::vector<int> partners = closestPartners(scene, onePairPerPoint());
  int compared = 0;
  for (std::size_t i = 0; i < partners.size(); i += 97) {
    if (partners[i] == none)
      continue;
    SCOPED_TRACE("point " + std::to_string(i));
    const Signature& signature = signatures[i];
    const ReferenceFrame frame =
        referenceFrame(scene, {static_cast<int>(i), partners[i]});
    EXPECT_NEAR(signature.angle, frame.angle, 1e-5);
    const Eigen::Map<const Eigen::Matrix3f> axes(signature.rf);
    EXPECT_LE((axes.col(0).cast<double>() - frame.x_axis).norm(), 1e-5);
    EXPECT_LE((axes.col(1).cast<double>() - frame.y_axis).norm(), 1e-5);
    EXPECT_LE((axes.col(2).cast<double>() - frame.z_axis).norm(), 1e-5);
    TensorFrame used{};
    std::copy(signature.rf, signature.rf + 3, used.x_axis);
    std::copy(signature.rf + 3, signature.rf + 6, used.y_axis);
    std::copy(signature.rf + 6, signature.rf + 9, used.z_axis);
    std::copy(signature.origin, signature.origin + 3, used.origin);
    used.voxel_size = signature_voxel_size;
    expectAreas(
        referenceAreas(gridTriangles(scene.points.data, triangles, used, 10), 10),
        std::vector<double>(std::begin(signature.descriptor),
                            std::end(signature.descriptor)),
        4.0 * area_tolerance);
    ++compared;
  }
  EXPECT_GE(compared, 10);
}

TEST_P(TensorsOfPoints, HaveTheAreaOfARoof)
{
  // Two half planes at a right angle: for any pair, the frame's x axis is the ridge,
  // and the z axis halves the angle. A plane leaves the grid of 10 x 10 x 10 voxels
  // through two sides, 10 voxels apart along the ridge and 5 across it: both together
  // have 2 * 10
  // * 5 * sqrt(2) faces in it.
  const float step = 1.0f / 256.0f;
  const OrientedCloud scene = foldedPlane(60, 80);
  Estimation estimation;
  prepare(estimation, scene);
  estimation.setResolution(step);
  estimation.setVoxelSize(2.0f * step);
  pcl::IndicesPtr points(new pcl::Indices);
  for (int v = 25; v < 35; ++v)
    for (int u = 32; u < 48; ++u)
      points->push_back(v * 80 + u);
  estimation.setIndices(points);
  const Signatures signatures = signaturesOf(estimation);
  ASSERT_EQ(signatures.size(), 160u);
  int found = 0;
  for (const Signature& signature : signatures) {
    if (isNone(signature))
      continue;
    ++found;
    EXPECT_NEAR(sumOf(signature), 100.0 * std::sqrt(2.0), 1e-3);
    EXPECT_NEAR(signature.angle, M_PI / 2.0, 1e-6);
    EXPECT_NEAR(std::abs(signature.rf[1]), 1.0f, 1e-6f);
    EXPECT_NEAR(signature.rf[6], -std::sqrt(0.5f), 1e-6f);
    EXPECT_NEAR(signature.rf[8], -std::sqrt(0.5f), 1e-6f);
  }
  EXPECT_GT(found, 100);
}

TEST_P(TensorsOfPoints, AreSharedByPointsThatChooseEachOther)
{
  const OrientedCloud scene = bumpyCloud(40, 50, 4);
  const std::vector<int> partners = closestPartners(scene, onePairPerPoint());
  const Signatures signatures = signaturesOf(scene);
  int both = 0, one = 0;
  for (std::size_t i = 0; i < partners.size(); ++i) {
    if (partners[i] == none)
      continue;
    const bool mutual = partners[partners[i]] == static_cast<int>(i);
    ASSERT_EQ(areSame(signatures[i], signatures[partners[i]]), mutual) << i;
    ++(mutual ? both : one);
  }
  EXPECT_GT(both, 20);
  EXPECT_GT(one, 100);
}

TEST_P(TensorsOfPoints, AreThoseOfTheIndices)
{
  const OrientedCloud scene = damagedCloud(40, 50, 5);
  const auto cloud = pointsOf(scene);
  cloud->header.frame_id = "camera";
  cloud->header.stamp = 42;
  cloud->sensor_origin_ = Eigen::Vector4f(0.1f, 0.2f, 0.3f, 0.0f);
  Estimation estimation;
  prepare(estimation, scene);
  estimation.setInputCloud(cloud);
  const Signatures all = signaturesOf(estimation);
  EXPECT_EQ(all.width, 50u);
  EXPECT_EQ(all.height, 40u);

  pcl::IndicesPtr indices(new pcl::Indices{1999, 0, 777, 777, 1043, 776});
  for (int i = 1200; i > 1000; i -= 3)
    indices->push_back(i);
  estimation.setIndices(indices);
  const Signatures some = signaturesOf(estimation);
  EXPECT_EQ(some.width, indices->size());
  EXPECT_EQ(some.height, 1u);
  EXPECT_EQ(some.header.frame_id, "camera");
  EXPECT_EQ(some.header.stamp, 42u);
  EXPECT_EQ(some.sensor_origin_, cloud->sensor_origin_);
  ASSERT_EQ(some.size(), indices->size());
  for (std::size_t i = 0; i < some.size(); ++i)
    EXPECT_TRUE(areSame(some[i], all[(*indices)[i]])) << (*indices)[i];

  // One point, without any other that could choose it.
  for (std::size_t i = 0; i < all.size(); i += 119) {
    *indices = {static_cast<int>(i)};
    EXPECT_TRUE(areSame(signaturesOf(estimation)[0], all[i])) << i;
  }

  // As many indices as points keep the cloud organized, as in PCL.
  indices->resize(all.size());
  std::iota(indices->rbegin(), indices->rend(), 0);
  const Signatures reversed = signaturesOf(estimation);
  EXPECT_EQ(reversed.width, 50u);
  ASSERT_EQ(reversed.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    ASSERT_TRUE(areSame(reversed[i], all[all.size() - 1 - i])) << i;

  indices->clear();
  EXPECT_EQ(signaturesOf(estimation).size(), 0u);
}

TEST_P(TensorsOfPoints, MoveWithTheCloud)
{
  const OrientedCloud scene = damagedCloud(40, 50, 6);
  const Eigen::Matrix3d rotation = randomRotation(6);
  const Vector3d translation(0.4, -0.2, 0.6);
  const Signatures before = signaturesOf(scene);
  const Signatures after = signaturesOf(moved(scene, rotation, translation));
  const std::vector<int> partners = closestPartners(scene, onePairPerPoint());
  int compared = 0, others = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    ASSERT_EQ(isNone(before[i]), partners[i] == none);
    if (isNone(before[i]) || isNone(after[i])) {
      others += isNone(before[i]) != isNone(after[i]);
      continue;
    }
    // Another partner, if two were nearly as close; or turned, if both are as high.
    const Vector3d origin =
        rotation * Eigen::Map<const Vector3f>(before[i].origin).cast<double>() +
        translation;
    const double height =
        referenceFrame(scene, {static_cast<int>(i), partners[i]}).height;
    if ((Eigen::Map<const Vector3f>(after[i].origin).cast<double>() - origin).norm() >
            1e-5 ||
        std::abs(height) < 1e-6) {
      ++others;
      continue;
    }
    ++compared;
    EXPECT_NEAR(before[i].angle, after[i].angle, 1e-4);
    const Eigen::Matrix3d axes =
        Eigen::Map<const Eigen::Matrix3f>(before[i].rf).cast<double>();
    EXPECT_LE((Eigen::Map<const Eigen::Matrix3f>(after[i].rf).cast<double>() -
               rotation * axes)
                  .norm(),
              1e-4);
    double difference = 0.0;
    for (int j = 0; j < Signature::descriptorSize(); ++j)
      difference += std::abs(before[i].descriptor[j] - after[i].descriptor[j]);
    EXPECT_LE(difference, 1e-3 * sumOf(before[i]));
  }
  EXPECT_GT(compared, 1000);
  EXPECT_LE(others, 10);
}

TEST_P(TensorsOfPoints, AreNoneOnAPlane)
{
  const OrientedCloud scene = flatScene(30, 40);
  const Signatures signatures = signaturesOf(scene);
  EXPECT_FALSE(signatures.is_dense);
  ASSERT_EQ(signatures.size(), 1200u);
  for (const Signature& signature : signatures)
    EXPECT_TRUE(isNone(signature));
}

TEST_P(TensorsOfPoints, AreNoneWherePointsOrNormalsAreMissing)
{
  const OrientedCloud scene = damagedCloud(40, 50, 7);
  const Signatures signatures = signaturesOf(scene);
  EXPECT_FALSE(signatures.is_dense);
  int missing = 0;
  std::vector<int> there;
  for (std::size_t i = 0; i < signatures.size(); ++i) {
    if (!scene.points.data[i].getVector3fMap().allFinite() ||
        !scene.normals.data[i].getVector3fMap().allFinite()) {
      ++missing;
      EXPECT_TRUE(isNone(signatures[i])) << i;
    }
    if (!isNone(signatures[i]))
      there.push_back(static_cast<int>(i));
  }
  EXPECT_GT(missing, 100);
  // The cloud is not dense, but these points' signatures are.
  EXPECT_TRUE(signaturesOf(scene, &there).is_dense);
}

TEST_P(TensorsOfPoints, AreNoneOfAPairWithOppositeNormals)
{
  OrientedCloud scene = flatScene(30, 40);
  for (int v = 0; v < 30; ++v)
    for (int u = 0; u < 20; ++u)
      scene.normals.at(v, u) = {0.0f, 0.0f, 1.0f};
  const Signatures signatures = signaturesOf(scene);
  EXPECT_FALSE(signatures.is_dense);
  for (const Signature& signature : signatures)
    EXPECT_TRUE(isNone(signature));
}

TEST_P(TensorsOfPoints, AreAllThereWhereThereAreMany)
{
  // More than the 16384 that are computed at once.
  const OrientedCloud scene = bumpyCloud(150, 160, 8);
  const Signatures all = signaturesOf(scene);
  std::set<std::array<float, 3>> origins;
  std::vector<int> some;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const float* const origin = all[i].origin;
    if (!isNone(all[i]))
      origins.insert({origin[0], origin[1], origin[2]});
    if (i % 37 == 0)
      some.push_back(static_cast<int>(i));
  }
  EXPECT_GT(origins.size(), 16384u);
  const Signatures fewer = signaturesOf(scene, &some);
  for (std::size_t i = 0; i < some.size(); ++i)
    EXPECT_TRUE(areSame(fewer[i], all[some[i]])) << some[i];
}

TEST_P(TensorsOfPoints, FollowTheSettings)
{
  const OrientedCloud scene = damagedCloud(40, 50, 9);
  ReferencePairing pairing = onePairPerPoint();
  pairing.least_distance = 3.0f;
  pairing.largest_distance = 9.0f;
  pairing.least_angle = 0.4f;
  pairing.window_radius = 8;
  pairing.resolution = 0.0022f;
  Estimation estimation;
  prepare(estimation, scene);
  estimation.setDistances(pairing.least_distance, pairing.largest_distance);
  estimation.setMinAngle(pairing.least_angle);
  estimation.setWindowRadius(pairing.window_radius);
  estimation.setResolution(pairing.resolution);
  EXPECT_EQ(estimation.getResolution(), pairing.resolution);
  estimation.setVoxelSizeFactor(1.5f);
  estimation.setMinArea(0.1f);
  estimation.setTriangles(TensorTriangles::Connected);
  setMesh(estimation.getTriangulation(), 0.006f);
  TensorExtraction extraction;
  change(extraction, [&](auto& p) {
    p.voxel_size = 1.5f * pairing.resolution;
    p.voxel_unit = LengthUnit::Metres;
  });
  change(extraction, [&](auto& p) { p.min_area = 0.1f; });
  change(extraction, [&](auto& p) { p.triangles = TensorTriangles::Connected; });
  expectTensors(extraction,
                scene,
                meshOf(scene, Cut::Left, 0.006f),
                closestPartners(scene, pairing),
                signaturesOf(estimation));
}

TEST_P(TensorsOfPoints, FollowTheCloudsOwnResolution)
{
  const OrientedCloud scene = damagedCloud(40, 50, 10);
  const DeviceArray<ResolutionStatistics> statistics = statisticsOf(scene);
  ReferencePairing pairing = onePairPerPoint();
  pairing.resolution = downloaded(statistics).at(0).nearest_distance;
  Estimation estimation;
  prepare(estimation, scene);
  estimation.setResolution(0.0f);
  estimation.setVoxelSizeFactor(1.0f);
  TensorExtraction extraction;
  change(extraction, [&](auto& p) {
    p.voxel_size = 1.0f;
    p.voxel_unit = LengthUnit::Resolutions;
  });
  expectTensors(extraction,
                scene,
                meshOf(scene, Cut::Left, 0.01f),
                closestPartners(scene, pairing),
                signaturesOf(estimation),
                statistics);
}

TEST_P(TensorsOfPoints, AreOfTheMeshSeenFromTheSensor)
{
  // Seen from a viewpoint in its plane, a half plane of the fold has no triangles.
  const OrientedCloud scene = foldedPlane(40, 60);
  Estimation estimation;
  prepare(estimation, scene);
  estimation.setResolution(1.0f / 256.0f);
  estimation.setVoxelSize(1.0f / 128.0f);
  change(estimation.getTriangulation(), [](auto& p) { p.angle_tolerance = 0.02f; });
  const auto cloud = pointsOf(scene);
  estimation.setInputCloud(cloud);
  const int point = 20 * 60 + 32;
  estimation.setIndices(pcl::IndicesPtr(new pcl::Indices{point}));
  cloud->sensor_origin_ = Eigen::Vector4f(-3.0f, 0.0f, -3.0f, 0.0f);
  EXPECT_NEAR(sumOf(signaturesOf(estimation)[0]), 100.0 * std::sqrt(2.0), 1e-3);
  cloud->sensor_origin_ = Eigen::Vector4f(0.0f, 0.07f, -30.0f, 0.0f);
  EXPECT_LE(sumOf(signaturesOf(estimation)[0]), 85.0);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(TensorsOfPoints);

} // namespace
