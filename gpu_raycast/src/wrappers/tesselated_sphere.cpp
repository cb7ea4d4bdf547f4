// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/raycast/tesselated_sphere.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <cmath>
#include <map>
#include <utility>

namespace pcl::gpu {

namespace {

/** \brief Poles, and two rings of five vertices that are turned against one another. */
TesselatedSphere
makeIcosahedron()
{
  TesselatedSphere sphere;
  const double height = 1.0 / std::sqrt(5.0);
  const double radius = 2.0 * height;
  sphere.vertices.emplace_back(0.0f, 1.0f, 0.0f);
  for (int i = 0; i < 10; ++i) {
    const double angle = 0.2 * M_PI * i;
    sphere.vertices.emplace_back(static_cast<float>(radius * std::sin(angle)),
                                 static_cast<float>(i % 2 == 0 ? height : -height),
                                 static_cast<float>(radius * std::cos(angle)));
  }
  sphere.vertices.emplace_back(0.0f, -1.0f, 0.0f);

  // Even vertices of the rings are above, odd ones below; i runs counterclockwise about
  // y.
  const auto ring = [](int i) { return 1 + i % 10; };
  for (int i = 0; i < 10; i += 2) {
    sphere.triangles.push_back({0, ring(i), ring(i + 2)});
    sphere.triangles.push_back({ring(i), ring(i + 1), ring(i + 2)});
    sphere.triangles.push_back({ring(i + 1), ring(i + 3), ring(i + 2)});
    sphere.triangles.push_back({11, ring(i + 3), ring(i + 1)});
  }
  return sphere;
}

TesselatedSphere
divided(const TesselatedSphere& coarse)
{
  TesselatedSphere fine;
  fine.vertices = coarse.vertices;
  std::map<std::pair<int, int>, int> middles;
  const auto middle = [&](int a, int b) {
    const auto found = middles.emplace(std::minmax(a, b), fine.vertices.size());
    if (found.second)
      fine.vertices.push_back((fine.vertices[a] + fine.vertices[b]).normalized());
    return found.first->second;
  };
  for (const auto& [a, b, c] : coarse.triangles) {
    const int ab = middle(a, b);
    const int bc = middle(b, c);
    const int ca = middle(c, a);
    fine.triangles.push_back({a, ab, ca});
    fine.triangles.push_back({ab, b, bc});
    fine.triangles.push_back({ca, bc, c});
    fine.triangles.push_back({ab, bc, ca});
  }
  return fine;
}

} // namespace

TesselatedSphere
makeTesselatedSphere(int level)
{
  checkBetween("tesselation level", level, 0, TesselatedSphere::max_level, "0 to 8");
  TesselatedSphere sphere = makeIcosahedron();
  for (int i = 0; i < level; ++i)
    sphere = divided(sphere);
  return sphere;
}

} // namespace pcl::gpu
