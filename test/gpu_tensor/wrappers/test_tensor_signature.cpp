// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/temporary_folder.h"
#include "signature_scenes.h"

#include <pcl/correspondence.h>
#include <pcl/io/pcd_io.h>
#include <pcl/kdtree/kdtree_flann.h>
#include <pcl/registration/correspondence_estimation.h>

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief Signatures of random numbers. */
Signatures::Ptr
randomSignatures(int count, std::uint32_t seed)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> unit(-1.0f, 1.0f);
  const Signatures::Ptr signatures(new Signatures);
  for (int i = 0; i < count; ++i) {
    Signature signature;
    for (float& value : signature.descriptor)
      value = unit(random);
    for (float& value : signature.rf)
      value = 1000.0f * unit(random);
    for (float& value : signature.origin)
      value = 1000.0f * unit(random);
    signature.angle = 1000.0f * unit(random);
    signatures->push_back(signature);
  }
  return signatures;
}

Signature
noSignature()
{
  Signature signature;
  const float none = std::numeric_limits<float>::quiet_NaN();
  for (float& value : signature.descriptor)
    value = none;
  for (float& value : signature.rf)
    value = none;
  for (float& value : signature.origin)
    value = none;
  signature.angle = none;
  return signature;
}

/** \brief Square of the Euclidean distance of two descriptors. */
double
squaredDistance(const Signature& a, const Signature& b)
{
  double sum = 0.0;
  for (int i = 0; i < Signature::descriptorSize(); ++i) {
    const double difference = a.descriptor[i] - b.descriptor[i];
    sum += difference * difference;
  }
  return sum;
}

TEST(TensorSignature, BeginsAsZero)
{
  const Signature signature;
  EXPECT_EQ(Signature::descriptorSize(), 1000);
  for (const float value : signature.descriptor)
    EXPECT_EQ(value, 0.0f);
  for (const float value : signature.rf)
    EXPECT_EQ(value, 0.0f);
  for (const float value : signature.origin)
    EXPECT_EQ(value, 0.0f);
  EXPECT_EQ(signature.angle, 0.0f);
}

TEST(TensorSignature, IsPrinted)
{
  Signature signature;
  for (int i = 0; i < 9; ++i)
    signature.rf[i] = static_cast<float>(i);
  signature.origin[2] = 1.5f;
  signature.angle = 0.25f;
  signature.descriptor[999] = 7.0f;
  std::ostringstream text;
  text << signature;
  EXPECT_EQ(text.str().rfind("(0, 1, 2, 3, 4, 5, 6, 7, 8)(0, 0, 1.5)(0.25)(0, 0, ", 0),
            0u)
      << text.str();
  EXPECT_EQ(text.str().substr(text.str().size() - 8), "0, 0, 7)");
}

TEST(TensorSignature, HasFields)
{
  const std::vector<pcl::PCLPointField> fields = pcl::getFields<Signature>();
  ASSERT_EQ(fields.size(), 4u);
  const char* const names[] = {"tensor", "rf", "origin", "angle"};
  const unsigned int counts[] = {1000, 9, 3, 1};
  unsigned int place = 0;
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(fields[i].name, names[i]);
    EXPECT_EQ(fields[i].count, counts[i]);
    EXPECT_EQ(fields[i].datatype, pcl::PCLPointField::FLOAT32);
    EXPECT_EQ(fields[i].offset, place);
    place += counts[i] * sizeof(float);
  }
  EXPECT_EQ(sizeof(Signature), place);
}

TEST(TensorSignature, IsTheSameAfterAPcdFile)
{
  const TemporaryFolder folder;
  const Signatures::Ptr signatures = randomSignatures(6, 1);
  signatures->push_back(noSignature());
  signatures->push_back(Signature());
  signatures->width = 4;
  signatures->height = 2;
  signatures->is_dense = false;
  const std::string path = folder / "signatures.pcd";
  pcl::PCDWriter writer;
  for (const std::string format : {"ascii", "binary", "compressed"}) {
    SCOPED_TRACE(format);
    if (format == "ascii")
      ASSERT_EQ(writer.writeASCII(path, *signatures, 9), 0);
    else if (format == "binary")
      ASSERT_EQ(writer.writeBinary(path, *signatures), 0);
    else
      ASSERT_EQ(writer.writeBinaryCompressed(path, *signatures), 0);
    Signatures loaded;
    ASSERT_EQ(pcl::io::loadPCDFile(path, loaded), 0);
    EXPECT_EQ(loaded.width, 4u);
    EXPECT_EQ(loaded.height, 2u);
    ASSERT_EQ(loaded.size(), signatures->size());
    for (std::size_t i = 0; i < loaded.size(); ++i)
      EXPECT_TRUE(areSame(loaded[i], (*signatures)[i])) << i;
  }
}

TEST(TensorSignature, IsFiniteUnlessItIsNone)
{
  EXPECT_TRUE(pcl::isFinite(Signature()));
  EXPECT_FALSE(pcl::isFinite(noSignature()));
}

TEST(TensorSignature, IsSearchedByItsDescriptor)
{
  const Signatures::Ptr signatures = randomSignatures(200, 2);
  (*signatures)[0] = noSignature();
  (*signatures)[77] = noSignature();
  const Signatures::Ptr queries = randomSignatures(20, 3);
  pcl::KdTreeFLANN<Signature> tree;
  tree.setInputCloud(signatures);
  for (const Signature& query : *queries) {
    int closest = -1;
    double distance = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < signatures->size(); ++i)
      if (squaredDistance((*signatures)[i], query) < distance) {
        distance = squaredDistance((*signatures)[i], query);
        closest = static_cast<int>(i);
      }
    pcl::Indices found;
    std::vector<float> distances;
    ASSERT_EQ(tree.nearestKSearch(query, 1, found, distances), 1);
    EXPECT_EQ(found[0], closest);
    EXPECT_NEAR(distances[0], distance, 1e-4 * distance);
  }
}

class TensorCorrespondences : public DeviceTest {
protected:
  using Matcher = pcl::registration::CorrespondenceEstimation<Signature, Signature>;

  void
  SetUp() override
  {
    DeviceTest::SetUp();
    const OrientedCloud scene = damagedCloud(40, 50, 4);
    rotation_ = randomRotation(4);
    const OrientedCloud turned = moved(scene, rotation_, translation_);
    source_.reset(new Signatures(signaturesOf(scene)));
    target_.reset(new Signatures(signaturesOf(turned)));
    // Left out are the few pairs that rounding decides otherwise in the moved cloud.
    for (const int i : differentOnes(*source_))
      if (!isNone((*target_)[i]) &&
          squaredDistance((*source_)[i], (*target_)[i]) < 0.01)
        points_->push_back(i);
    ASSERT_GT(points_->size(), 500u);
  }

  Eigen::Matrix3d rotation_;
  const Eigen::Vector3d translation_{0.3, 0.1, -0.2};
  Signatures::Ptr source_, target_;
  const pcl::IndicesPtr points_{new pcl::Indices};
};

TEST_P(TensorCorrespondences, FindEachPointInTheMovedCloud)
{
  Matcher matcher;
  matcher.setInputSource(source_);
  matcher.setIndicesSource(points_);
  matcher.setInputTarget(target_);
  pcl::Correspondences found;
  matcher.determineCorrespondences(found);
  ASSERT_EQ(found.size(), points_->size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].index_query, (*points_)[i]);
    // Itself, or the point that it shares its signature with.
    EXPECT_TRUE(areSame((*target_)[found[i].index_match], (*target_)[(*points_)[i]]))
        << (*points_)[i];
    EXPECT_LE(found[i].distance, 0.01f);
  }
}

TEST_P(TensorCorrespondences, AreReciprocal)
{
  Matcher matcher;
  matcher.setInputSource(source_);
  matcher.setIndicesSource(points_);
  matcher.setInputTarget(target_);
  matcher.setIndicesTarget(points_);
  pcl::Correspondences found;
  matcher.determineReciprocalCorrespondences(found);
  ASSERT_EQ(found.size(), points_->size());
  for (const pcl::Correspondence& match : found) {
    EXPECT_EQ(match.index_match, match.index_query);
    EXPECT_LE(match.distance, 0.01f);
  }
}

TEST_P(TensorCorrespondences, TellTheMotionByThemselves)
{
  // From a single correspondence: rf and origin are those of the frames.
  for (const int i : *points_) {
    const Signature &a = (*source_)[i], &b = (*target_)[i];
    const Eigen::Matrix3d from = Eigen::Map<const Eigen::Matrix3f>(a.rf).cast<double>();
    const Eigen::Matrix3d to = Eigen::Map<const Eigen::Matrix3f>(b.rf).cast<double>();
    const Eigen::Matrix3d rotation = to * from.transpose();
    EXPECT_LE((rotation - rotation_).norm(), 1e-3) << i;
    const Eigen::Vector3d translation =
        Eigen::Map<const Eigen::Vector3f>(b.origin).cast<double>() -
        rotation * Eigen::Map<const Eigen::Vector3f>(a.origin).cast<double>();
    EXPECT_LE((translation - translation_).norm(), 1e-3) << i;
  }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(TensorCorrespondences);

} // namespace
