// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "library_scenes.h"

#include "gpu_tensor/tensors/tensor_scenes.h"
#include "library/library_file.h"
#include "library/library_format.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

namespace pcl::gpu::test {

namespace {

template <typename T>
bool
sameBytes(const std::vector<T>& a, const std::vector<T>& b)
{
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

bool
samePoint(const PointNormal& a, const PointNormal& b)
{
  return std::memcmp(a.data, b.data, 3 * sizeof(float)) == 0 &&
         std::memcmp(a.data_n, b.data_n, 3 * sizeof(float)) == 0 &&
         std::memcmp(&a.curvature, &b.curvature, sizeof(float)) == 0;
}

} // namespace

TensorParameters
libraryParameters()
{
  TensorParameters parameters;
  parameters.resolution = 0.0019f;
  parameters.min_distance = 4.5f;
  parameters.max_distance = 13.25f;
  parameters.min_angle = 0.3f;
  parameters.pairs_per_point = 2;
  parameters.grid_size = 8;
  parameters.voxel_size = 0.0041f;
  parameters.min_area = 0.01f;
  return parameters;
}

TensorModel
randomModel(const std::string& name, std::uint32_t seed, int points, int tensors)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> number(0.0f, 1.0f);
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const TensorParameters parameters = libraryParameters();
  TensorModel model;
  model.name = name;
  model.view_count = 2;
  for (int i = 0; i < points; ++i) {
    PointNormal point;
    point.getVector3fMap() << number(random), number(random), number(random);
    point.getNormalVector3fMap() << number(random), number(random), -1.0f;
    point.getNormalVector3fMap().normalize();
    if (i == 0)
      point.getNormalVector3fMap().setConstant(nan);
    point.curvature = i == 1 ? nan : number(random);
    model.points.push_back(point);
  }
  for (int i = 0; i < points / 3; ++i) {
    Pose turn = Pose::Identity();
    turn.linear() = randomRotation(random()).cast<float>();
    turn.translation() << number(random), number(random), number(random);
    model.symmetries.push_back(turn);
  }
  for (int i = 0; i < tensors; ++i) {
    const Eigen::Matrix3f rotation = randomRotation(random()).cast<float>();
    TensorFrame frame{};
    Eigen::Map<Eigen::Vector3f>(&frame.x_axis[0]) = rotation.col(0);
    Eigen::Map<Eigen::Vector3f>(&frame.y_axis[0]) = rotation.col(1);
    Eigen::Map<Eigen::Vector3f>(&frame.z_axis[0]) = rotation.col(2);
    for (float& coordinate : frame.origin)
      coordinate = number(random);
    frame.angle = 3.0f * number(random);
    frame.voxel_size = parameters.voxel_size;
    frame.first = static_cast<int>(random());
    frame.second = static_cast<int>(random() % 1000);
    model.frames.push_back(frame);
    model.views.push_back(i % 2);
    const int voxels =
        parameters.grid_size * parameters.grid_size * parameters.grid_size;
    for (int voxel = 0; i > 0 && voxel < voxels; voxel += 1 + random() % 60) {
      model.voxels.push_back(static_cast<std::uint16_t>(voxel));
      model.areas.push_back(0.01f + number(random));
    }
    model.starts.push_back(static_cast<std::uint32_t>(model.areas.size()));
  }
  return model;
}

TensorLibrary
smallLibrary()
{
  TensorLibrary library;
  library.setParameters(libraryParameters());
  library.addModel(randomModel("cup", 1, 7, 5));
  library.addModel(randomModel("jug with a handle", 2, 0, 4));
  TensorModel empty;
  empty.name = "nothing";
  library.addModel(empty);
  return library;
}

void
expectSameModel(const TensorModel& expected, const TensorModel& actual)
{
  EXPECT_EQ(expected.name, actual.name);
  EXPECT_EQ(expected.view_count, actual.view_count);
  EXPECT_EQ(expected.starts, actual.starts);
  EXPECT_EQ(expected.views, actual.views);
  EXPECT_EQ(expected.voxels, actual.voxels);
  EXPECT_TRUE(sameBytes(expected.frames, actual.frames));
  EXPECT_TRUE(sameBytes(expected.areas, actual.areas));
  ASSERT_EQ(expected.points.size(), actual.points.size());
  for (std::size_t i = 0; i < expected.points.size(); ++i)
    ASSERT_TRUE(samePoint(expected.points[i], actual.points[i])) << "point " << i;
  ASSERT_EQ(expected.symmetries.size(), actual.symmetries.size());
  for (std::size_t i = 0; i < expected.symmetries.size(); ++i)
    EXPECT_EQ(expected.symmetries[i].matrix(), actual.symmetries[i].matrix()) << i;
}

void
expectSameLibrary(const TensorLibrary& expected, const TensorLibrary& actual)
{
  EXPECT_TRUE(expected.getParameters() == actual.getParameters());
  ASSERT_EQ(expected.size(), actual.size());
  EXPECT_EQ(expected.getTensorCount(), actual.getTensorCount());
  for (int i = 0; i < expected.size(); ++i) {
    expectSameModel(expected.getModel(i), actual.getModel(i));
    EXPECT_EQ(actual.findModel(expected.getModel(i).name), i);
  }
}

std::string
savedBytes(const TensorLibrary& library)
{
  std::string bytes;
  writeLibrary(library, [&bytes](const void* next, std::size_t count) {
    bytes.append(static_cast<const char*>(next), count);
  });
  return bytes;
}

void
loadBytes(TensorLibrary& library, const std::string& bytes)
{
  std::size_t place = 0;
  const auto read = [&bytes, &place](void* to, std::size_t count) {
    ASSERT_LE(count, bytes.size() - place) << "read beyond the end";
    std::memcpy(to, bytes.data() + place, count);
    place += count;
  };
  loadLibrary(library, {"memory", bytes.size(), read});
}

void
repairLength(std::string& bytes)
{
  if (bytes.size() >= smallest_library)
    setNumber(bytes, 16, static_cast<std::uint64_t>(bytes.size()));
}

void
repairChecksum(std::string& bytes)
{
  if (bytes.size() < sizeof(std::uint64_t))
    return;
  LibraryChecksum checksum;
  const std::size_t content = bytes.size() - sizeof(std::uint64_t);
  checksum.process_bytes(bytes.data(), content);
  setNumber(bytes, content, static_cast<std::uint64_t>(checksum.checksum()));
}

LibraryPlaces
placesOf(const TensorLibrary& library)
{
  LibraryPlaces places{{16, 56}, {8, 12}};
  for (std::size_t place = 24; place < 56; place += 4)
    places.arrays.push_back(place);
  std::size_t place = 64;
  for (int i = 0; i < library.size(); ++i) {
    const TensorModel& model = library.getModel(i);
    places.sizes.push_back(place);
    place += 8 + model.name.size();
    places.arrays.push_back(place);
    places.sizes.push_back(place += 4);
    places.arrays.push_back(place += 8);
    places.sizes.push_back(place += bytes_per_point * model.points.size());
    places.arrays.push_back(place += 8);
    places.sizes.push_back(place += bytes_per_symmetry * model.symmetries.size());
    places.sizes.push_back(place += 8);
    places.arrays.push_back(place += 8);
    places.arrays.push_back(place += sizeof(TensorFrame) * model.frames.size());
    places.arrays.push_back(place += 4 * model.frames.size());
    places.arrays.push_back(place += 4 * model.starts.size());
    places.arrays.push_back(place += 2 * model.areas.size());
    place += 4 * model.areas.size();
  }
  return places;
}

} // namespace pcl::gpu::test
