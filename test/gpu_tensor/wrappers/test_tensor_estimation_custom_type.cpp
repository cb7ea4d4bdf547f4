// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Before any other include, as for PCL's own classes with types of the user's own.
#define PCL_NO_PRECOMPILE

#include "common/change_parameters.h"
#include "common/devices.h"

#include <pcl/gpu/tensor/tensor_estimation.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>
#include <pcl/register_point_struct.h>
#include <pcl/registration/correspondence_estimation.h>

#include <cmath>
#include <cstddef>

/** \brief A point with a field that PCL does not know, and x, y, z behind it. */
struct EIGEN_ALIGN16 PointWithConfidence {
  float confidence;
  float padding[3];
  PCL_ADD_POINT4D;
  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

/** \brief A normal with a weight, and without a curvature. */
struct EIGEN_ALIGN16 WeightedNormal {
  PCL_ADD_NORMAL4D;
  float weight;
  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

/** \brief A signature with a label in front. */
struct LabeledSignature {
  unsigned int label = 17;
  float descriptor[1000] = {};
  float rf[9] = {};
  float origin[3] = {};
  float angle = 0.0f;

  static constexpr int
  descriptorSize()
  {
    return 1000;
  }
};

// clang-format off
POINT_CLOUD_REGISTER_POINT_STRUCT(PointWithConfidence,
                                  (float, confidence, confidence)
                                  (float, x, x)(float, y, y)(float, z, z))
POINT_CLOUD_REGISTER_POINT_STRUCT(WeightedNormal,
                                  (float, normal_x, normal_x)
                                  (float, normal_y, normal_y)
                                  (float, normal_z, normal_z)
                                  (float, weight, weight))
POINT_CLOUD_REGISTER_POINT_STRUCT(LabeledSignature,
                                  (unsigned int, label, label)
                                  (float[1000], descriptor, tensor)
                                  (float[9], rf, rf)
                                  (float[3], origin, origin)
                                  (float, angle, angle))
// clang-format on

namespace {

/** \brief Two walls that meet at a right angle in the middle column. */
template <typename PointT, typename NormalT, typename Estimation>
void
setCorner(Estimation& estimation)
{
  typename pcl::PointCloud<PointT>::Ptr cloud(new pcl::PointCloud<PointT>(60, 50));
  typename pcl::PointCloud<NormalT>::Ptr normals(new pcl::PointCloud<NormalT>(60, 50));
  const float half = std::sqrt(0.5f);
  for (int v = 0; v < 50; ++v)
    for (int u = 0; u < 60; ++u) {
      const float from_edge = 0.01f * half * static_cast<float>(u - 30);
      auto& point = cloud->at(u, v);
      point.x = from_edge;
      point.y = 0.01f * static_cast<float>(v - 25);
      point.z = 1.0f + std::abs(from_edge);
      auto& normal = normals->at(u, v);
      normal.normal_x = u < 30 ? -half : half;
      normal.normal_y = 0.0f;
      normal.normal_z = -half;
    }
  estimation.setInputCloud(cloud);
  estimation.setInputNormals(normals);
  estimation.setResolution(0.01f);
  estimation.setVoxelSize(0.02f);
  pcl::gpu::test::change(estimation.getTriangulation(), [](auto& p) {
    p.dynamic_edge_length = false;
    p.max_edge_length = 0.05f;
    p.dynamic_normal_angle = false;
  });
  estimation.setIndices(pcl::IndicesPtr(new pcl::Indices{24 * 60 + 27, 24 * 60 + 33}));
}

class CustomTensors : public pcl::gpu::test::DeviceTest {};

TEST_P(CustomTensors, AreThoseOfPclsTypes)
{
  pcl::gpu::TensorEstimation<PointWithConfidence, WeightedNormal, LabeledSignature>
      estimation;
  setCorner<PointWithConfidence, WeightedNormal>(estimation);
  pcl::PointCloud<LabeledSignature> signatures;
  estimation.compute(signatures);

  pcl::gpu::TensorEstimation<pcl::PointXYZ> of_pcl;
  setCorner<pcl::PointXYZ, pcl::Normal>(of_pcl);
  pcl::PointCloud<pcl::gpu::TensorSignature1000> expected;
  of_pcl.compute(expected);

  ASSERT_EQ(signatures.size(), 2u);
  ASSERT_EQ(expected.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(signatures[i].label, 17u);
    double sum = 0.0;
    for (int j = 0; j < 1000; ++j) {
      EXPECT_EQ(signatures[i].descriptor[j], expected[i].descriptor[j]);
      sum += signatures[i].descriptor[j];
    }
    // Two half planes, each 10 voxels along the edge and 5 sqrt(2) across.
    EXPECT_NEAR(sum, 100.0 * std::sqrt(2.0), 1e-2);
    EXPECT_NEAR(signatures[i].angle, M_PI / 2.0, 1e-6);
    for (int j = 0; j < 9; ++j)
      EXPECT_EQ(signatures[i].rf[j], expected[i].rf[j]);
    for (int j = 0; j < 3; ++j)
      EXPECT_EQ(signatures[i].origin[j], expected[i].origin[j]);
  }
}

TEST_P(CustomTensors, OfOurTypeCorrespondWithoutPrecompiledCode)
{
  using Signature = pcl::gpu::TensorSignature1000;
  pcl::gpu::TensorEstimation<PointWithConfidence, WeightedNormal> estimation;
  setCorner<PointWithConfidence, WeightedNormal>(estimation);
  const pcl::PointCloud<Signature>::Ptr signatures(new pcl::PointCloud<Signature>);
  estimation.compute(*signatures);
  pcl::registration::CorrespondenceEstimation<Signature, Signature> matcher;
  matcher.setInputSource(signatures);
  matcher.setInputTarget(signatures);
  pcl::Correspondences found;
  matcher.determineCorrespondences(found);
  ASSERT_EQ(found.size(), 2u);
  for (const pcl::Correspondence& match : found)
    EXPECT_EQ(match.distance, 0.0f);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(CustomTensors);

} // namespace
