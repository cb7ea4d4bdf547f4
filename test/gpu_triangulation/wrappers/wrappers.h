// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/devices.h"
#include "testing/image.h"

#include <pcl/features/normal_3d_omp.h>
#include <pcl/filters/fast_bilateral.h>
#include <pcl/gpu/triangulation/fast_bilateral_filter.h>
#include <pcl/gpu/triangulation/organized_fast_mesh.h>
#include <pcl/gpu/triangulation/organized_normal_estimation.h>
#include <pcl/io/pcd_io.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>
#include <pcl/surface/organized_fast_mesh.h>

#if PCL_GPU_HAVE_CUDA
#include <cuda_runtime_api.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

/** \file
 * \brief Common code of the tests of the host wrappers: PCL's classes and ours behind
 * one name, so that one test body runs with both.
 */

namespace pcl::gpu::test {

/** \brief PCL's own classes. */
struct PclClasses {
  template <typename PointT>
  using Mesh = pcl::OrganizedFastMesh<PointT>;

  template <typename PointT, typename NormalT = pcl::Normal>
  using Normals = pcl::NormalEstimationOMP<PointT, NormalT>;

  template <typename PointT>
  using BilateralFilter = pcl::FastBilateralFilter<PointT>;

  static constexpr bool is_ours = false;

  static std::unique_ptr<ScopedDevice>
  use()
  {
    return nullptr;
  }
};

/** \brief Our classes, on any device. */
struct OurClasses {
  template <typename PointT>
  using Mesh = pcl::gpu::OrganizedFastMesh<PointT>;

  template <typename PointT, typename NormalT = pcl::Normal>
  using Normals = pcl::gpu::OrganizedNormalEstimation<PointT, NormalT>;

  template <typename PointT>
  using BilateralFilter = pcl::gpu::FastBilateralFilter<PointT>;

  static constexpr bool is_ours = true;
};

/** \brief Our classes on the host. */
struct OurClassesOnHost : OurClasses {
  static std::unique_ptr<ScopedDevice>
  use()
  {
    return useDevice("host");
  }
};

/** \brief Our classes on a CUDA device. */
struct OurClassesOnCuda : OurClasses {
  static std::unique_ptr<ScopedDevice>
  use()
  {
    return useDevice("cuda");
  }
};

using Implementations =
    ::testing::Types<PclClasses, OurClassesOnHost, OurClassesOnCuda>;

/** \brief Names test instances "pcl", "host" and "cuda". */
struct ImplementationName {
  template <typename T>
  static std::string
  GetName(int index)
  {
    return index == 0 ? "pcl" : index == 1 ? "host" : "cuda";
  }
};

/** \brief Base of the drop-in tests: the same body for PCL's class and for ours. */
template <typename Implementation>
class DropInTest : public ::testing::Test {
protected:
  void
  SetUp() override
  {
    scope_ = Implementation::use();
  }

  void
  TearDown() override
  {
    scope_.reset();
  }

private:
  std::unique_ptr<ScopedDevice> scope_;
};

/** \brief An organized cloud of any point type; is_dense says whether points are
 * missing. Fields other than the position keep their defaults.
 */
template <typename PointT>
typename pcl::PointCloud<PointT>::Ptr
cloudOfType(const Image<PointXYZ>& image)
{
  typename pcl::PointCloud<PointT>::Ptr cloud(new pcl::PointCloud<PointT>);
  cloud->width = image.columns;
  cloud->height = image.rows;
  cloud->resize(image.data.size());
  cloud->width = image.columns;
  cloud->height = image.rows;
  cloud->is_dense = true;
  for (std::size_t i = 0; i < image.data.size(); ++i) {
    (*cloud)[i].getVector3fMap() = image.data[i].getVector3fMap();
    cloud->is_dense &= image.data[i].getVector3fMap().allFinite();
  }
  return cloud;
}

/** \brief The positions of an organized cloud. */
template <typename PointT>
Image<PointXYZ>
positionsOf(const pcl::PointCloud<PointT>& cloud)
{
  Image<PointXYZ> image(cloud.height, cloud.width);
  for (std::size_t i = 0; i < cloud.size(); ++i)
    image.data[i].getVector3fMap() = cloud[i].getVector3fMap();
  return image;
}

/** \brief Loads a recorded cloud; skips the running test if it is absent. */
inline pcl::PointCloud<pcl::PointXYZRGB>::Ptr
recordedCloud(const std::string& name)
{
  pcl::PointCloud<pcl::PointXYZRGB>::Ptr cloud(new pcl::PointCloud<pcl::PointXYZRGB>);
  EXPECT_EQ(pcl::io::loadPCDFile(dataPath("pcd/" + name), *cloud), 0) << name;
  return cloud;
}

/** \brief The organized ones among the recorded clouds, 640 x 480. */
inline const std::vector<std::string>&
recordedCloudNames()
{
  static const std::vector<std::string> names = {"office1.pcd",
                                                 "milk_cartoon_all_small_clorox.pcd"};
  return names;
}

/** \brief Bytes that the process has allocated on the host and on the current CUDA
 * device.
 *
 * Always 0 where the C library or a sanitizer cannot report it.
 */
inline std::size_t
allocatedBytes()
{
  std::size_t bytes = 0;
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  const struct mallinfo2 heap = mallinfo2();
  bytes += heap.uordblks + heap.hblkhd;
#endif
#if PCL_GPU_HAVE_CUDA
  if (currentDevice().isCuda()) {
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    EXPECT_EQ(cudaMemGetInfo(&free_bytes, &total_bytes), cudaSuccess);
    bytes += total_bytes - free_bytes;
  }
#endif
  return bytes;
}

/** \brief Expects that a call that has run before keeps no more memory.
 *
 * A leak repeats in every round of calls; the CUDA runtime takes some memory for itself
 * now and then, in one of them. Less than one kilobyte is what the C library's caches
 * take for small blocks that come and go in several threads; an image of the tests is
 * larger than that.
 */
template <typename Call>
void
expectNoGrowth(const Call& call)
{
  call();
  std::size_t least_growth = std::numeric_limits<std::size_t>::max();
  for (int round = 0; round < 4; ++round) {
    const std::size_t before = allocatedBytes();
    for (int i = 0; i < 5; ++i)
      call();
    const std::size_t after = allocatedBytes();
    least_growth = std::min(least_growth, after > before ? after - before : 0);
  }
  EXPECT_LT(least_growth, 1024u);
}

} // namespace pcl::gpu::test
