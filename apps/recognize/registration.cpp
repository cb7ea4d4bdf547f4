// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "subcommands.h"

#include "../common/command_line/errors.h"
#include "../common/command_line/json_text.h"
#include "../common/files/output_file.h"
#include "../common/files/pcd_reader.h"
#include "result_writer.h"

#include <pcl/conversions.h>
#include <pcl/gpu/tensor/tensor_registration.h>

#include <cstdio>
#include <filesystem>
#include <sstream>
#include <stdexcept>

namespace pcl::gpu::apps {

namespace {

PointCloud<PointXYZ>::Ptr
readCloud(const std::string& path)
{
  if (!std::filesystem::exists(path))
    throw fileError(path, "no such file", "a cloud (.pcd)");
  PointCloud<PointXYZ>::Ptr cloud(new PointCloud<PointXYZ>);
  Eigen::Vector4f origin;
  Eigen::Quaternionf orientation;
  fromPCLPointCloud2(readPcd(path, &origin, &orientation), *cloud);
  cloud->sensor_origin_ = origin;
  cloud->sensor_orientation_ = orientation;
  try {
    toRangeView(*cloud);
  }
  catch (const BadArgumentException& error) {
    throw InputError(path + ": " + plainMessage(error));
  }
  return cloud;
}

void
writePose(const RegisterOptions& options, const ViewAlignment& found)
{
  std::ostringstream out;
  out << "{\n  \"program\": \"pcl_gpu_recognize\",\n  \"version\": "
      << jsonText(PCL_GPU_VERSION)
      << ",\n  \"source\": " << jsonText(options.inputs.front())
      << ",\n  \"target\": " << jsonText(options.inputs.back())
      << ",\n  \"pose\": " << jsonPose(found.pose)
      << ",\n  \"fit\": " << jsonNumber(found.fit)
      << ",\n  \"visible\": " << jsonNumber(found.visible)
      << ",\n  \"inliers\": " << found.inliers
      << ",\n  \"score\": " << jsonNumber(found.score) << "\n}\n";
  writeText(options.output, out.str());
}

} // namespace

void
registerClouds(const RegisterOptions& options, Timings& timings)
{
  TensorRegistration<PointXYZ, PointXYZ> registration;
  registration.setInputSource(
      timings.measure("read", [&] { return readCloud(options.inputs.front()); }));
  registration.setInputTarget(
      timings.measure("read", [&] { return readCloud(options.inputs.back()); }));
  registration.viewRegistration().setParameters(options.registration);
  PointCloud<PointXYZ> aligned;
  timings.measure("register", [&] { registration.align(aligned); });
  const std::optional<ViewAlignment>& found = registration.getViewAlignment();
  if (!found)
    throw std::runtime_error(options.inputs.front() + ": is not found in " +
                             options.inputs.back());
  if (!options.output.empty())
    writePose(options, *found);
  const Eigen::Matrix4f pose = found->pose.matrix();
  for (int row = 0; row < 4; ++row)
    std::printf("%10.6f %10.6f %10.6f %10.6f\n",
                pose(row, 0),
                pose(row, 1),
                pose(row, 2),
                pose(row, 3));
  std::printf("%d inliers, fit %.2f, %.0f %% of the source visible\n",
              found->inliers,
              found->fit,
              100.0f * found->visible);
}

} // namespace pcl::gpu::apps
