// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "testing/host_mesh.h"
#include "testing/packed_file.h"

#include <pcl/gpu/tensor/tensor_view_registration.h>

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

// Other people's recordings, with the poses that they give.

using Cloud = pcl::PointCloud<pcl::PointXYZ>;

Cloud
fragment(int number)
{
  const auto vertices = readMesh(dataPath("field/fragments/cloud_bin_" +
                                          std::to_string(number) + ".ply.xz"))
                            .vertices;
  Cloud cloud;
  cloud.assign(vertices.begin(), vertices.end());
  return cloud;
}

/** \brief Reads the true poses of fragments: of the second in the first one's frame. */
std::map<std::pair<int, int>, Pose>
truthOf(const std::string& name)
{
  std::ifstream file(dataPath("field/fragments/gt/" + name + ".log"));
  std::map<std::pair<int, int>, Pose> poses;
  int first = 0, second = 0, all = 0;
  while (file >> first >> second >> all) {
    Pose pose = Pose::Identity();
    for (int i = 0; i < 16; ++i)
      file >> pose.matrix()(i / 4, i % 4);
    poses[{first, second}] = pose;
  }
  return poses;
}

/** \brief Returns the root of the mean squared distance between a cloud's points in two
 * poses. */
double
errorOf(const Cloud& cloud, const Pose& found, const Pose& truth)
{
  double sum = 0.0;
  for (const pcl::PointXYZ& point : cloud) {
    const Eigen::Vector3f p = point.getVector3fMap();
    sum += (found * p - truth * p).squaredNorm();
  }
  return std::sqrt(sum / static_cast<double>(cloud.size()));
}

class RecordedViews : public DeviceTest {};

TEST_P(RecordedViews, FragmentsOfARoomAreRegistered)
{
  const auto truth = truthOf("3DMatch"), barely = truthOf("3DLoMatch");
  TensorViewRegistration registration;
  std::map<int, int> numbers;
  std::map<int, Cloud> clouds;
  for (const int i : {1, 3, 6, 9}) {
    clouds[i] = fragment(i);
    numbers[i] = registration.addView(clouds[i]);
  }
  // They overlap by 51, 69 and 14 %.
  for (const auto& [first, second] : {std::make_pair(1, 3), {6, 9}, {1, 9}}) {
    SCOPED_TRACE(std::to_string(first) + " " + std::to_string(second));
    const auto known = truth.find({first, second});
    const Pose pose = known != truth.end() ? known->second : barely.at({first, second});
    const auto found = registration.align(numbers[second], numbers[first]);
    ASSERT_TRUE(found);
    EXPECT_LT(errorOf(clouds[second], found->pose, pose), 0.1);
  }
}

/** \brief Reads views of an object, and the camera's poses. */
struct BunnyViews {
  std::map<int, Pose> cameras;

  BunnyViews()
  {
    std::ifstream file(dataPath("field/bunny_views/Q.txt"));
    int number = 0;
    Eigen::Vector3f t;
    Eigen::Quaternionf q;
    while (file >> number >> t.x() >> t.y() >> t.z() >> q.x() >> q.y() >> q.z() >>
           q.w()) {
      Pose pose = Pose::Identity();
      pose.linear() = q.normalized().toRotationMatrix();
      pose.translation() = t;
      cameras[number] = pose;
    }
  }

  static Cloud
  view(int number)
  {
    std::istringstream text(contentsOf(
        dataPath("field/bunny_views/cloudXYZ_" + std::to_string(number) + ".xyz.xz")));
    text.imbue(std::locale::classic());
    Cloud cloud;
    float x, y, z, nx, ny, nz;
    while (text >> x >> y >> z >> nx >> ny >> nz)
      cloud.emplace_back(x, y, z);
    return cloud;
  }

  Pose
  pose(int source, int target) const
  {
    return cameras.at(target).inverse() * cameras.at(source);
  }
};

TEST_P(RecordedViews, OfAnObjectAreRegistered)
{
  const BunnyViews views;
  // 25, 75 and 75 degrees apart.
  for (const auto& [target, source] :
       {std::make_pair(0, 2), std::make_pair(14, 20), std::make_pair(28, 34)}) {
    SCOPED_TRACE(std::to_string(target) + " " + std::to_string(source));
    TensorViewRegistration registration;
    registration.addView(views.view(target));
    const Cloud cloud = views.view(source);
    registration.addView(cloud);
    const auto found = registration.align(1, 0);
    ASSERT_TRUE(found);
    EXPECT_LT(errorOf(cloud, found->pose, views.pose(source, target)), 0.004);
  }
}

TEST_P(RecordedViews, OfOppositeSidesAreNotFound)
{
  const BunnyViews views;
  TensorViewRegistration registration;
  registration.addView(views.view(0));
  registration.addView(views.view(18));
  EXPECT_FALSE(registration.align(1, 0));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RecordedViews);

} // namespace
