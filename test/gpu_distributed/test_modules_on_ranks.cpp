// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// The modules' classes on the ranks of MPI against the same classes in one process.

#include "testing/image.h"

#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/articulated/pose_particle_filter.h>
#include <pcl/gpu/distributed/mpi_communicator.h>
#include <pcl/gpu/raycast/mesh_ray_caster.h>
#include <pcl/gpu/tensor/tensor_library.h>
#include <pcl/gpu/tensor/tensor_matching.h>

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace pcl::gpu::test {

namespace {

template <typename T>
bool
haveSameBits(const std::vector<T>& a, const std::vector<T>& b)
{
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/** \brief Follows a cloud of points for three frames. */
std::vector<float>
follow(const Communicator::Ptr& ranks, int islands)
{
  std::mt19937 random(3);
  std::normal_distribution<float> normal(0.0f, 0.4f);
  std::vector<PointXYZ> cloud;
  for (int i = 0; i < 400; ++i)
    cloud.emplace_back(normal(random), normal(random), 3.0f + normal(random));
  DeviceArray<PointXYZ> points;
  points.upload(cloud);
  const auto skeleton = std::make_shared<Skeleton>(makeHumanSkeleton());
  std::vector<float> pose = skeleton->restPose();
  pose[2] = 3.0f;
  PoseParticleFilter filter;
  filter.setSkeleton(skeleton);
  PoseParticleFilterParameters parameters;
  parameters.particle_count = 61;
  parameters.layers = 2;
  parameters.islands = islands;
  filter.setParameters(parameters);
  filter.setCommunicator(ranks);
  filter.initialize(pose);
  for (int frame = 0; frame < 3; ++frame)
    filter.processFrame(points, Eigen::Vector3f::Zero(), 0.1f);
  PoseEstimate estimate;
  filter.getEstimate(estimate);
  std::vector<float> result = downloaded(filter.getParticles());
  result.insert(result.end(), estimate.mean.begin(), estimate.mean.end());
  return result;
}

/** \brief Returns a model of random tensors. */
TensorModel
randomModel(unsigned int seed, int tensors, float voxel_size)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(0.1f, 1.0f);
  TensorModel model;
  model.name = "model " + std::to_string(seed);
  model.view_count = 1;
  for (int i = 0; i < tensors; ++i) {
    TensorFrame frame{};
    frame.x_axis[0] = frame.y_axis[1] = frame.z_axis[2] = 1.0f;
    frame.angle = 0.3f + uniform(random);
    frame.voxel_size = voxel_size;
    model.frames.push_back(frame);
    model.views.push_back(0);
    for (std::uint16_t voxel = 0; voxel < 1000; ++voxel)
      if (random() % 4 != 0) {
        model.voxels.push_back(voxel);
        model.areas.push_back(uniform(random));
      }
    model.starts.push_back(static_cast<std::uint32_t>(model.areas.size()));
  }
  return model;
}

std::vector<TensorMatch>
match(const Communicator::Ptr& ranks)
{
  TensorLibrary library;
  TensorParameters parameters;
  parameters.resolution = 0.01f;
  parameters.voxel_size = 0.04f;
  library.setParameters(parameters);
  library.setCommunicator(ranks);
  for (unsigned int model = 0; model < 3; ++model)
    library.addModel(randomModel(model, 5 + model, parameters.voxel_size));
  const TensorModel scene = randomModel(9, 4, parameters.voxel_size);
  TensorSet tensors;
  tensors.grid_size = parameters.grid_size;
  tensors.count.upload(std::vector<int>{static_cast<int>(scene.frames.size())});
  tensors.frames.upload(scene.frames);
  tensors.starts.upload(scene.starts);
  tensors.voxels.upload(scene.voxels);
  tensors.areas.upload(scene.areas);
  TensorMatching matching;
  TensorMatchingParameters all;
  all.match_count = 7;
  all.min_correlation = -1.0f;
  matching.setParameters(all);
  DeviceArray<TensorMatch> matches;
  matching.compute(tensors, library.table(), matches);
  return downloaded(matches);
}

/** \brief Casts rays at a rank's run of 300 triangles, or at all of them. */
std::vector<float>
cast(const Communicator::Ptr& ranks)
{
  std::mt19937 random(5);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  std::vector<PointXYZ> vertices;
  for (int i = 0; i < 900; ++i)
    vertices.emplace_back(uniform(random), uniform(random), 3.0f + uniform(random));
  const std::vector<std::size_t> starts =
      ranks ? ranks->shares(300) : std::vector<std::size_t>{0, 300};
  const int rank = ranks ? ranks->rank() : 0;
  std::vector<int> triangles;
  for (std::size_t corner = 3 * starts[rank]; corner < 3 * starts[rank + 1]; ++corner)
    triangles.push_back(static_cast<int>(corner));
  TriangleMesh mesh;
  mesh.vertices.upload(vertices);
  mesh.triangles.upload(triangles);
  MeshRayCaster caster;
  MeshRayCasterParameters parameters;
  parameters.outputs = TrianglesOutput | DepthOutput | NormalsOutput;
  caster.setParameters(parameters);
  caster.setInputMesh(mesh);
  caster.setCommunicator(ranks);
  RayCastImages images;
  caster.cast(CameraView(PinholeCamera::fromFieldOfView(1.0f, 64, 48)), images);
  std::vector<float> values(64 * 48);
  std::vector<int> ids(64 * 48);
  std::vector<PointXYZ> normals(64 * 48);
  images.depth.download(values.data(), 64 * sizeof(float));
  images.triangles.download(ids.data(), 64 * sizeof(int));
  images.normals.download(normals.data(), 64 * sizeof(PointXYZ));
  values.insert(values.end(), ids.begin(), ids.end());
  for (const PointXYZ& normal : normals)
    values.insert(values.end(), normal.data, normal.data + 3);
  return values;
}

} // namespace

TEST(ModulesOnRanks, AFilterHasTheParticlesOfOneProcess)
{
  const auto ranks = std::make_shared<MpiCommunicator>();
  for (const int islands : {1, 3})
    EXPECT_TRUE(haveSameBits(follow(ranks, islands), follow(nullptr, islands)))
        << islands << " islands";
}

TEST(ModulesOnRanks, ALibraryHasTheMatchesOfOneProcess)
{
  const std::vector<TensorMatch> matches = match(nullptr);
  EXPECT_GE(matches[6].tensor, 0);
  EXPECT_TRUE(haveSameBits(match(std::make_shared<MpiCommunicator>()), matches));
}

TEST(ModulesOnRanks, ARayCasterHasTheImagesOfOneProcess)
{
  const std::vector<float> images = cast(nullptr);
  EXPECT_GT(*std::max_element(images.begin() + 64 * 48, images.begin() + 2 * 64 * 48),
            200.0f);
  EXPECT_TRUE(haveSameBits(cast(std::make_shared<MpiCommunicator>()), images));
}

} // namespace pcl::gpu::test
