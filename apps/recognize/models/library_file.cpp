// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "library_file.h"

#include "../../common/command_line/errors.h"

#include <pcl/common/angles.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace pcl::gpu::apps {

namespace fs = std::filesystem;

namespace {

const char* const expected_library = "a library that pcl_gpu_recognize learn made";

} // namespace

Eigen::AlignedBox3f
boxOf(const TensorModel& model)
{
  Eigen::AlignedBox3f box;
  for (const PointNormal& point : model.points)
    box.extend(Eigen::Vector3f(point.getVector3fMap()));
  return box;
}

Eigen::Vector3f
middleOf(const TensorModel& model)
{
  const Eigen::AlignedBox3f box = boxOf(model);
  return box.isEmpty() ? Eigen::Vector3f::Zero() : Eigen::Vector3f(box.center());
}

std::shared_ptr<TensorLibrary>
readLibrary(const std::string& path)
{
  checkInputFile(path, expected_library);
  auto library = std::make_shared<TensorLibrary>();
  try {
    library->load(path);
  }
  catch (const IOException& error) {
    throw InputError(plainMessage(error) + ": expected " + expected_library);
  }
  return library;
}

std::shared_ptr<TensorLibrary>
readFilledLibrary(const std::string& path)
{
  auto library = readLibrary(path);
  if (library->size() == 0)
    throw fileError(path, "has no models", expected_library);
  return library;
}

void
printLibrary(const TensorLibrary& library, const std::string& path)
{
  const TensorParameters& p = library.getParameters();
  std::printf("%s: %d models, %ju bytes\n\n",
              path.c_str(),
              library.size(),
              static_cast<std::uintmax_t>(fs::file_size(path)));
  std::printf("resolution       %.4g m\n", p.resolution);
  std::printf("pairs            %d a point, %.4g to %.4g resolutions apart, normals at "
              "least %.4g degrees\n",
              p.pairs_per_point,
              p.min_distance,
              p.max_distance,
              rad2deg(p.min_angle));
  std::printf("grid             %d x %d x %d voxels of %.4g m\n\n",
              p.grid_size,
              p.grid_size,
              p.grid_size,
              p.voxel_size);
  std::size_t letters = 5;
  for (int i = 0; i < library.size(); ++i)
    letters = std::max(letters, library.getModel(i).name.size());
  const int width = static_cast<int>(letters);
  const char* const row = "%-*s %8s %8s %9s %8s %8s\n";
  std::printf(row, width, "model", "views", "tensors", "entries", "points", "size/m");
  std::size_t views = 0, tensors = 0, entries = 0, points = 0;
  const auto print = [&](const char* name,
                         std::size_t v,
                         std::size_t t,
                         std::size_t e,
                         std::size_t n,
                         const char* size) {
    std::printf("%-*s %8zu %8zu %9zu %8zu %8s\n", width, name, v, t, e, n, size);
  };
  for (int i = 0; i < library.size(); ++i) {
    const TensorModel& model = library.getModel(i);
    char size[32];
    const Eigen::AlignedBox3f box = boxOf(model);
    std::snprintf(
        size, sizeof size, "%.3f", box.isEmpty() ? 0.0f : box.sizes().maxCoeff());
    const auto of_model = static_cast<std::size_t>(model.view_count);
    print(model.name.c_str(),
          of_model,
          model.frames.size(),
          model.voxels.size(),
          model.points.size(),
          size);
    views += of_model;
    tensors += model.frames.size();
    entries += model.voxels.size();
    points += model.points.size();
  }
  print("all", views, tensors, entries, points, "");
}

} // namespace pcl::gpu::apps
