// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "body_scene.h"

#include "common/statistics.h"
#include "paper_listing.h"
#include "testing/capsule_body.h"

#include <pcl/gpu/articulated/capsule_likelihood.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <stdexcept>

namespace benchmarks {

namespace {

using Eigen::Vector3f;
using pcl::PointXYZ;
using pcl::gpu::Capsule;

/** \brief Points that one random sequence gives. */
constexpr std::size_t piece = 4096;

/** \brief The ray length at which a ray from the origin meets a capsule from
 * outside. */
float
enterLength(const Vector3f& v, const Capsule& capsule)
{
  const Vector3f a = Vector3f::Map(capsule.a);
  const Vector3f axis = Vector3f::Map(capsule.b) - a;
  const float length = axis.norm();
  const Vector3f c = axis / length;
  const Vector3f across = v - v.dot(c) * c;
  const Vector3f start = -(a - a.dot(c) * c);
  const auto root = [](float square, float half, float constant) {
    return (-half - std::sqrt(half * half - square * constant)) / square;
  };
  const float square_radius = capsule.radius * capsule.radius;
  const float side = root(
      across.squaredNorm(), across.dot(start), start.squaredNorm() - square_radius);
  const float height = (side * v - a).dot(c);
  if (height >= 0.0f && height <= length)
    return side;
  const Vector3f end = height < 0.0f ? a : Vector3f(Vector3f::Map(capsule.b));
  return root(1.0f, -v.dot(end), end.squaredNorm() - square_radius);
}

/** \brief Returns the depth at which the ray first meets the body; infinity if it
 * passes. */
float
castAtBody(const Vector3f& v, const std::vector<Capsule>& body)
{
  float nearest = std::numeric_limits<float>::infinity();
  for (const Capsule& capsule : body) {
    const float length = enterLength(v, capsule);
    if (length < nearest) // a miss is NaN
      nearest = length;
  }
  return nearest;
}

/** \brief Returns the depth at which the ray meets the wall or the floor. */
float
castAtRoom(const Vector3f& v)
{
  constexpr float wall = 4.5f;
  constexpr float floor = 1.0f;
  const float to_wall = wall / v.z();
  return v.y() > 0.0f ? std::min(to_wall, floor / v.y()) : to_wall;
}

Vector3f
randomDirection(float half_width, float half_height, std::mt19937& random)
{
  std::uniform_real_distribution<float> place(-1.0f, 1.0f);
  const float x = half_width * place(random);
  return Vector3f(x, half_height * place(random), 1.0f).normalized();
}

/** \brief A point on the body, or one off it. */
PointXYZ
seenPoint(bool on_body, const std::vector<Capsule>& body, std::mt19937& random)
{
  std::normal_distribution<float> noise(0.0f, 0.01f);
  for (;;) {
    const Vector3f v = on_body ? randomDirection(0.3f, 0.4f, random)
                               : randomDirection(0.6f, 0.45f, random);
    const float length = castAtBody(v, body);
    if (std::isfinite(length) != on_body)
      continue;
    const Vector3f x = (std::min(length, castAtRoom(v)) + noise(random)) * v;
    return {x.x(), x.y(), x.z()};
  }
}

/** \brief Capsules of one sample: of one person, and of further persons if needed. */
std::vector<Capsule>
sampleOf(int count, float spread, std::mt19937& random)
{
  std::vector<Capsule> capsules;
  for (float side = 0.0f; static_cast<int>(capsules.size()) < count; side += 0.9f) {
    const auto body =
        pcl::gpu::test::capsuleBody(Vector3f(side, 0.1f, 3.0f), spread, random);
    capsules.insert(capsules.end(), body.begin(), body.end());
  }
  capsules.resize(count);
  return capsules;
}

} // namespace

double
SceneSize::pairs() const
{
  return static_cast<double>(points) * static_cast<double>(samples) * capsules;
}

std::string
SceneSize::pointsOnBody() const
{
  return std::to_string(static_cast<int>(std::lround(100.0 * on_body))) + " %";
}

std::vector<PointXYZ>
seenPoints(const SceneSize& size, const std::vector<Capsule>& body)
{
  std::vector<PointXYZ> points(size.points);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t first = 0; first < points.size(); first += piece) {
    std::mt19937 of_piece(static_cast<unsigned>(first / piece));
    std::uniform_real_distribution<double> share(0.0, 1.0);
    for (std::size_t i = first; i < std::min(first + piece, points.size()); ++i)
      points[i] = seenPoint(share(of_piece) < size.on_body, body, of_piece);
  }
  return points;
}

BodyScene::BodyScene(const SceneSize& scene_size) : size(scene_size)
{
  std::mt19937 random(1);
  points = seenPoints(size, sampleOf(size.capsules, 0.0f, random));
  capsules.resize(size.samples * size.capsules);
#pragma omp parallel for
  for (std::size_t j = 0; j < size.samples; ++j) {
    std::mt19937 of_sample(static_cast<unsigned>(j));
    const std::vector<Capsule> sample = sampleOf(size.capsules, size.spread, of_sample);
    std::copy(sample.begin(), sample.end(), capsules.begin() + j * size.capsules);
  }
}

std::vector<float>
BodyScene::pointCoordinates() const
{
  std::vector<float> coordinates;
  coordinates.reserve(3 * points.size());
  for (const PointXYZ& point : points)
    coordinates.insert(coordinates.end(), {point.x, point.y, point.z});
  return coordinates;
}

void
checkAgainstListing()
{
  SceneSize size;
  size.points = 2000;
  size.samples = 20;
  const BodyScene scene(size);
  std::vector<float> expected(size.samples);
  paperListing(expected.data(),
               size.samples,
               scene.pointCoordinates().data(),
               size.points,
               reinterpret_cast<const float*>(scene.capsules.data()),
               size.capsules,
               size.truncation);
  pcl::gpu::DeviceArray<PointXYZ> points;
  points.upload(scene.points);
  pcl::gpu::DeviceArray<Capsule> capsules;
  capsules.upload(scene.capsules);
  for (const auto search :
       {pcl::gpu::CapsuleSearch::Culled, pcl::gpu::CapsuleSearch::BruteForce}) {
    pcl::gpu::CapsuleLikelihood likelihood;
    pcl::gpu::setParameter(
        likelihood, &pcl::gpu::CapsuleLikelihoodParameters::search, search);
    pcl::gpu::setParameter(likelihood,
                           &pcl::gpu::CapsuleLikelihoodParameters::distance,
                           pcl::gpu::CapsuleDistance::Absolute);
    pcl::gpu::setParameter(likelihood,
                           &pcl::gpu::CapsuleLikelihoodParameters::truncation_distance,
                           size.truncation);
    likelihood.setPoints(points, Vector3f::Zero());
    pcl::gpu::DeviceArray<double> log_likelihoods;
    likelihood.compute(capsules, size.capsules, log_likelihoods);
    std::vector<double> found;
    log_likelihoods.download(found);
    const double sigma = likelihood.getParameters().sigma;
    for (std::size_t j = 0; j < size.samples; ++j) {
      const double sum = -2.0 * sigma * sigma * found[j];
      if (!(std::abs(sum - expected[j]) <= 1e-4 * expected[j])) {
        char message[160];
        std::snprintf(message,
                      sizeof(message),
                      "sample %zu: the sum is %.9g, that of listing 1.2 is %.9g",
                      j,
                      sum,
                      static_cast<double>(expected[j]));
        throw std::runtime_error(message);
      }
    }
  }
}

double
timeListing(const BodyScene& scene, std::size_t samples)
{
  samples = std::min(samples, scene.size.samples);
  const std::vector<float> coordinates = scene.pointCoordinates();
  std::vector<float> sums(samples);
  const StopWatch watch;
  paperListing(sums.data(),
               samples,
               coordinates.data(),
               scene.size.points,
               reinterpret_cast<const float*>(scene.capsules.data()),
               scene.size.capsules,
               scene.size.truncation);
  const double elapsed = watch.seconds();
  return elapsed /
         (static_cast<double>(samples) * scene.size.points * scene.size.capsules);
}

} // namespace benchmarks
