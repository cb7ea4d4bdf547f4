// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "formats.h"

#include "apps/common/files/image_reader.h"
#include "apps/common/files/pcd_reader.h"
#include "apps/common/files/pose_file.h"
#include "apps/common/meshes/mesh_file.h"
#include "gpu_tensor/src/library/library_file.h"
#include "gpu_tensor/src/library/library_format.h"

#include <pcl/gpu/articulated/bvh.h>
#include <pcl/gpu/articulated/skeleton_file.h>
#include <pcl/gpu/scenespace/video/color_camera_calibration.h>
#include <pcl/gpu/scenespace/video/rgbd_folder.h>
#include <pcl/gpu/utils/internal/text_file.h>

#include <zlib.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace pcl::gpu::fuzz {

namespace {

void
expect(bool condition, const char* expectation)
{
  if (condition)
    return;
  std::fprintf(stderr, "A file was read, but not: %s\n", expectation);
  std::abort();
}

template <typename T>
void
add(const std::vector<T>& elements, Digest& digest)
{
  digest.add(elements.data(), elements.size());
}

template <typename T>
void
add(const T& number, Digest& digest)
{
  digest.add(&number, 1);
}

void
add(const Pose& pose, Digest& digest)
{
  expect(pose.matrix().allFinite(), "a finite pose");
  digest.add(pose.data(), 16);
}

template <typename Pixel>
void
add(const Image<Pixel>& image, Digest& digest)
{
  expect(image.width > 0 && image.height > 0 &&
             image.pixels.size() == std::size_t(image.width) * image.height,
         "an image of width x height pixels");
  add(image.width, digest);
  add(image.pixels, digest);
}

void
add(const PinholeCamera& camera, Digest& digest)
{
  camera.validate();
  add(camera.width, digest);
  add(camera.height, digest);
  for (float number : {camera.fx, camera.fy, camera.cx, camera.cy})
    add(number, digest);
}

void
add(const PCLPointCloud2& cloud, Digest& digest)
{
  expect(cloud.data.size() ==
             std::size_t(cloud.width) * cloud.height * cloud.point_step,
         "a cloud of width x height points");
  add(cloud.width, digest);
  for (const PCLPointField& field : cloud.fields) {
    digest.add(field.name);
    expect(field.offset < cloud.point_step, "fields within points");
  }
  add(cloud.data, digest);
}

void
add(const Skeleton& skeleton, Digest& digest)
{
  expect(!skeleton.getJoints().empty(), "a skeleton with a root");
  for (const SkeletonJoint& joint : skeleton.getJoints()) {
    digest.add(joint.name);
    add(joint.parent, digest);
    digest.add(joint.offset.data(), 3);
    expect(joint.offset.allFinite(), "finite offsets");
    for (const JointAngle& angle : joint.angles) {
      digest.add(angle.axis.data(), 3);
      for (float number : {angle.lower, angle.upper, angle.deviation})
        add(number, digest);
    }
  }
  for (const SkeletonCapsule& capsule : skeleton.getCapsules()) {
    digest.add(capsule.name);
    add(capsule.joint, digest);
    digest.add(capsule.a.data(), 3);
    digest.add(capsule.b.data(), 3);
    add(capsule.radius_a, digest);
    add(capsule.radius_b, digest);
  }
}

void
readBvh(const std::string& path, Digest& digest)
{
  Skeleton skeleton;
  MotionClip motion;
  loadBvh(path, skeleton, motion);
  add(motion.frame_time, digest);
  for (const std::vector<float>& pose : motion.poses) {
    expect(pose.size() == std::size_t(skeleton.poseSize()), "poses of the skeleton");
    add(pose, digest);
  }
  add(loadSkeleton(path), digest);
}

void
readSkeleton(const std::string& path, Digest& digest)
{
  add(loadSkeleton(path), digest);
}

void
readColor(const std::string& path, Digest& digest)
{
  add(gpu::readColorImage(path), digest);
}

void
readDepth(const std::string& path, Digest& digest)
{
  add(gpu::readDepthImage(path), digest);
}

void
readPgm(const std::string& path, Digest& digest)
{
  add(apps::readDepthMap(path, std::nullopt), digest);
}

void
readPose(const std::string& path, Digest& digest)
{
  add(apps::readPose(path), digest);
}

void
readCameraPath(const std::string& path, Digest& digest)
{
  for (const Pose& pose : apps::readCameraPath(path))
    add(pose, digest);
}

void
readColorCamera(const std::string& path, Digest& digest)
{
  const ColorCalibration calibration = gpu::readColorCamera(path);
  add(calibration.color_camera, digest);
  add(calibration.color_to_depth, digest);
}

void
readMesh(const std::string& path, Digest& digest)
{
  const PolygonMesh mesh = apps::readMeshFile(path);
  const PCLPointCloud2& cloud = mesh.cloud;
  add(cloud, digest);
  const std::size_t vertices = std::size_t(cloud.width) * cloud.height;
  for (const Vertices& polygon : mesh.polygons)
    for (const auto vertex : polygon.vertices) {
      expect(std::size_t(vertex) < vertices, "polygons of the mesh's vertices");
      add(vertex, digest);
    }
}

void
readPcd(const std::string& path, Digest& digest)
{
  add(apps::readPcd(path), digest);
}

void
readLibrary(const std::string& path, Digest& digest)
{
  TensorLibrary library;
  library.load(path);
  std::string saved;
  writeLibrary(library, [&](const void* bytes, std::size_t count) {
    saved.append(static_cast<const char*>(bytes), count);
  });
  expect(saved == readFileBytes(path, "a library"),
         "a library with the bytes of its file");
  digest.add(saved);
}

/** \brief Reads the folder of a file as an RGB-D video. */
void
readVideo(const std::string& path, Digest& digest)
{
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const RGBDVideo::ConstPtr video = openRGBDFolder(folder);
  for (int i = 0; i < video->size(); ++i) {
    const RGBDFrame frame = video->read(i);
    digest.add(frame.name);
    add(frame.time, digest);
    add(frame.depth_camera, digest);
    add(frame.color_camera, digest);
    add(frame.depth_pose, digest);
    add(frame.color_pose, digest);
    add(frame.depth, digest);
    add(frame.color, digest);
  }
}

void
repairPng(char* bytes, std::size_t size)
{
  constexpr std::size_t signature = 8, around = 12;
  const auto bigEndian = [&](std::size_t place) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i)
      number = number << 8 | static_cast<unsigned char>(bytes[place + i]);
    return number;
  };
  for (std::size_t place = signature; place + around <= size;) {
    const std::size_t length = bigEndian(place);
    if (length > size - place - around)
      return;
    const auto* chunk = reinterpret_cast<const Bytef*>(bytes + place + 4);
    const auto sum = crc32(0, chunk, static_cast<uInt>(length + 4));
    for (std::size_t i = 0; i < 4; ++i)
      bytes[place + 8 + length + i] = static_cast<char>(sum >> (24 - 8 * i));
    place += length + around;
  }
}

void
repairLibrary(char* bytes, std::size_t size)
{
  if (size < smallest_library)
    return;
  constexpr std::size_t length_place = 16;
  const std::uint64_t length = size;
  std::memcpy(bytes + length_place, &length, sizeof(length));
  LibraryChecksum checksum;
  checksum.process_bytes(bytes, size - sizeof(length));
  const std::uint64_t sum = checksum.checksum();
  std::memcpy(bytes + size - sizeof(sum), &sum, sizeof(sum));
}

} // namespace

const std::vector<Format>&
formats()
{
  using End = EarlyEnd;
  static const std::vector<Format> all = {
      {"bvh", End::InLastWord, "body.bvh", "", readBvh, nullptr},
      {"yaml", End::Anywhere, "skeleton.yaml", "skeleton", readSkeleton, nullptr},
      {"json", End::Refused, "skeleton.json", "skeleton", readSkeleton, nullptr},
      {"png", End::Refused, "image.png", "", readColor, repairPng},
      {"depth_png", End::Refused, "image.png", "", readDepth, repairPng},
      {"jpeg", End::Refused, "image.jpg", "", readColor, nullptr},
      {"pgm", End::Refused, "image.pgm", "", readPgm, nullptr},
      {"library", End::Refused, "models.library", "", readLibrary, repairLibrary},
      {"pose", End::Anywhere, "pose.txt", "", readPose, nullptr},
      {"camera_path", End::Anywhere, "path.txt", "", readCameraPath, nullptr},
      {"color_camera", End::Refused, "camera.txt", "", readColorCamera, nullptr},
      {"intrinsics",
       End::Anywhere,
       "intrinsics.txt",
       "color_depth",
       readVideo,
       nullptr},
      {"poses", End::InLastLine, "poses.txt", "color_depth", readVideo, nullptr},
      {"seven_scenes",
       End::InLastWord,
       "a.pose.txt",
       "seven_scenes",
       readVideo,
       nullptr},
      {"tum_list", End::InLastLine, "rgb.txt", "tum", readVideo, nullptr},
      {"tum_pairs", End::InLastLine, "associations.txt", "tum", readVideo, nullptr},
      {"tum_poses", End::InLastLine, "groundtruth.txt", "tum", readVideo, nullptr},
      {"obj", End::Anywhere, "mesh.obj", "", readMesh, nullptr},
      {"ply", End::InLastWord, "mesh.ply", "", readMesh, nullptr},
      {"off", End::InLastWord, "mesh.off", "", readMesh, nullptr},
      {"stl", End::AfterSolid, "mesh.stl", "", readMesh, nullptr},
      {"vtk", End::InLastWord, "mesh.vtk", "", readMesh, nullptr},
      {"pcd", End::InLastWord, "cloud.pcd", "", readPcd, nullptr},
      {"pcd_video", End::InLastWord, "cloud.pcd", "", readVideo, nullptr}};
  return all;
}

} // namespace pcl::gpu::fuzz
