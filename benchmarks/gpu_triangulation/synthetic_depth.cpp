// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "synthetic_depth.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <stdexcept>

namespace benchmarks {

namespace {

constexpr float focal_at_640 = 525.0f;
constexpr float baseline = 0.075f; // metres, projector to camera

/** \brief A camera of the Kinect's field of view across \a width. */
pcl::gpu::PinholeCamera
kinectCamera(int width, int height)
{
  const float focal = focal_at_640 * static_cast<float>(width) / 640.0f;
  return {focal, focal, 0.5f * (width - 1), 0.5f * (height - 1), width, height};
}

struct Hit {
  float depth = std::numeric_limits<float>::infinity();
  Eigen::Vector3f normal = Eigen::Vector3f::Zero();
};

/** \brief Keeps the nearer of \a hit and the point at \a depth. */
void
keepNearer(Hit& hit, float depth, const Eigen::Vector3f& normal)
{
  if (depth > 0.0f && depth < hit.depth)
    hit = {depth, normal};
}

// Rays are (x, y, 1), so that the ray parameter is the depth.

void
intersectPlane(const Eigen::Vector3f& ray,
               const Eigen::Vector3f& normal,
               float offset,
               Hit& hit)
{
  const Eigen::Vector3f unit = normal.normalized();
  keepNearer(hit, offset / unit.dot(ray), unit);
}

void
intersectSphere(const Eigen::Vector3f& ray,
                const Eigen::Vector3f& center,
                float radius,
                Hit& hit)
{
  const float a = ray.squaredNorm();
  const float b = ray.dot(center);
  const float discriminant = b * b - a * (center.squaredNorm() - radius * radius);
  if (discriminant < 0.0f)
    return;
  const float depth = (b - std::sqrt(discriminant)) / a;
  keepNearer(hit, depth, (depth * ray - center) / radius);
}

void
intersectBox(const Eigen::Vector3f& ray,
             const Eigen::Array3f& low,
             const Eigen::Array3f& high,
             Hit& hit)
{
  const Eigen::Array3f to_low = low / ray.array();
  const Eigen::Array3f to_high = high / ray.array();
  Eigen::Index axis = 0;
  const float enter = to_low.min(to_high).maxCoeff(&axis);
  if (enter <= to_low.max(to_high).minCoeff())
    keepNearer(hit, enter, Eigen::Vector3f::Unit(axis));
}

Hit
traceRoom(const Eigen::Vector3f& ray)
{
  Hit hit;
  intersectPlane(ray, {0.05f, -0.1f, 1.0f}, 3.6f, hit); // back wall
  intersectPlane(ray, {0.0f, 1.0f, 0.02f}, 1.1f, hit);  // floor
  intersectPlane(ray, {-1.0f, 0.0f, 0.1f}, 1.7f, hit);  // left wall
  intersectSphere(ray, {-0.55f, 0.35f, 1.9f}, 0.4f, hit);
  intersectSphere(ray, {0.35f, -0.3f, 1.2f}, 0.15f, hit);
  intersectBox(ray, {0.3f, 0.25f, 2.2f}, {1.1f, 1.1f, 2.8f}, hit);
  intersectBox(ray, {-0.05f, -1.0f, 1.6f}, {0.0f, 1.1f, 1.65f}, hit); // a post
  return hit;
}

/** \brief A number in [0, 1) that depends on nothing but the two given. */
float
hashUniform(std::uint64_t index, std::uint64_t salt)
{
  std::uint64_t bits = index + (salt + 1) * 0x9e3779b97f4a7c15ull;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ull;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebull;
  return static_cast<float>((bits ^ (bits >> 31)) >> 40) * 0x1p-24f;
}

/** \brief A nearly normal number of mean 0 and deviation 1. */
float
hashNormal(std::uint64_t index)
{
  float sum = -2.0f;
  for (std::uint64_t salt = 1; salt <= 4; ++salt)
    sum += hashUniform(index, salt);
  return sum * 1.7320508f;
}

/** \brief Returns whether the sensor gets no signal from a surface, shadows aside. */
bool
isUnseen(
    int u, int v, const Eigen::Vector3f& ray, const Hit& hit, const RawDepth& image)
{
  const auto& camera = image.camera;
  const float columns =
      640.0f * static_cast<float>(u) / static_cast<float>(camera.width);
  const bool border = columns >= 632.0f;
  const bool grazing = std::abs(hit.normal.dot(ray.normalized())) < 0.12f;
  const bool dark = std::hypot(ray.x() + 0.1f, ray.y() + 0.25f) < 0.05f;
  const bool far = !(hit.depth < 6.0f);
  const auto index = static_cast<std::uint64_t>(v) * camera.width + u;
  return border || grazing || dark || far || hashUniform(index, 0) < 0.005f;
}

} // namespace

RawDepth
renderSyntheticDepth(int width, int height)
{
  RawDepth image;
  image.name = "synthetic";
  image.camera = kinectCamera(width, height);
  image.millimetres.assign(static_cast<std::size_t>(width) * height, 0);

  const auto& camera = image.camera;
  const float steps = 8.0f * baseline * camera.fx; // disparity steps at 1 m
#pragma omp parallel for schedule(dynamic, 8)
  for (int v = 0; v < height; ++v) {
    float lit_from = -std::numeric_limits<float>::infinity();
    for (int u = 0; u < width; ++u) {
      const Eigen::Vector3f ray(
          (u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy, 1.0f);
      const Hit hit = traceRoom(ray);
      // The projector's column that lights the point; nearer points further left take
      // it.
      const float lit_at = static_cast<float>(u) + baseline * camera.fx / hit.depth;
      const bool shadowed = lit_at < lit_from - 0.5f;
      lit_from = std::max(lit_from, lit_at);
      if (shadowed || isUnseen(u, v, ray, hit, image))
        continue;
      const std::size_t index = static_cast<std::size_t>(v) * width + u;
      const float disparity = std::round(steps / hit.depth + 0.5f * hashNormal(index));
      const float millimetres = std::round(1000.0f * steps / std::max(disparity, 1.0f));
      image.millimetres[index] =
          static_cast<std::uint16_t>(std::min(millimetres, 65535.0f));
    }
  }
  return image;
}

RawDepth
readDepthPgm(const std::string& file)
{
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    throw std::runtime_error(file + ": cannot be opened");
  std::string magic;
  int width = 0;
  int height = 0;
  int maximum = 0;
  stream >> magic >> width >> height >> maximum;
  stream.get();
  if (!stream || magic != "P5" || width < 1 || height < 1 || maximum < 256)
    throw std::runtime_error(file + ": expected a binary graymap (P5) of 16 bits");

  RawDepth image;
  image.name = file.substr(file.find_last_of('/') + 1);
  image.camera = kinectCamera(width, height);
  std::vector<unsigned char> bytes(2 * static_cast<std::size_t>(width) * height);
  if (!stream.read(reinterpret_cast<char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size())))
    throw std::runtime_error(file + ": ends before its last row");
  image.millimetres.resize(bytes.size() / 2);
  for (std::size_t i = 0; i < image.millimetres.size(); ++i)
    image.millimetres[i] =
        static_cast<std::uint16_t>(bytes[2 * i] << 8 | bytes[2 * i + 1]);
  return image;
}

} // namespace benchmarks
