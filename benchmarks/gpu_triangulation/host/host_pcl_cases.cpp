// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "host_cases.h"

#include <pcl/features/integral_image_normal.h>
#include <pcl/features/normal_3d_omp.h>
#include <pcl/filters/fast_bilateral_omp.h>
#include <pcl/surface/organized_fast_mesh.h>

#include <limits>
#include <optional>
#include <vector>

namespace benchmarks {

namespace {

using Normals = pcl::PointCloud<pcl::Normal>;
using IntegralImages = pcl::IntegralImageNormalEstimation<pcl::PointXYZ, pcl::Normal>;
using Mesh = pcl::OrganizedFastMesh<pcl::PointXYZ>;

/** \brief PCL's classes on one frame, and their results. */
class PclChain {
public:
  PclChain(std::shared_ptr<const Frame> frame, int threads)
  : frame_(std::move(frame))
  , threads_(threads)
  , filter_(threads)
  , plane_fit_(threads)
  {
    filter_.setSigmaS(15.0f);
    filter_.setSigmaR(0.05f);
    mesh_.setTriangulationType(Mesh::TRIANGLE_LEFT_CUT);
    mesh_.setTrianglePixelSize(1);
  }

  /** \brief A cloud that no class has seen, as a grabber would deliver it. */
  void
  makeFreshCloud()
  {
    fresh_ = std::make_shared<Cloud>(*frame_->cloud);
    filtered_ = fresh_;
  }

  void
  filter()
  {
    auto output = std::make_shared<Cloud>();
    filter_.setInputCloud(fresh_);
    filter_.filter(*output);
    restore(*output);
    filtered_ = output;
  }

  void
  integralNormals(IntegralImages::NormalEstimationMethod method)
  {
    // A new object every time: SIMPLE_3D_GRADIENT keeps its sums of the cloud before.
    IntegralImages estimation;
    estimation.setNormalEstimationMethod(method);
    estimation.setNormalSmoothingSize(2.0f * window_radius + 1.0f);
    estimation.setInputCloud(filtered_);
    estimation.compute(normals_);
  }

  void
  planeFitNormals(int neighbors)
  {
    plane_fit_.setKSearch(neighbors);
    plane_fit_.setInputCloud(filtered_);
    plane_fit_.compute(normals_);
  }

  void
  mesh(bool with_shadows)
  {
    mesh_.storeShadowedFaces(with_shadows);
    mesh_.setInputCloud(filtered_);
    mesh_.reconstruct(polygons_);
  }

  CloudAndNormals
  result() const
  {
    return {pointsOf(*filtered_), normalsOf(normals_)};
  }

private:
  /** \brief Repairs the filter's results, as its user must: it invents depth where
   * there is none and leaves x and y as they were. */
  void
  restore(Cloud& output) const
  {
    const Cloud& input = *fresh_;
    const int points = static_cast<int>(output.size());
#pragma omp parallel for num_threads(threads_)
    for (int i = 0; i < points; ++i) {
      auto& point = output[i];
      const float ratio = point.z / input[i].z; // NaN where the input is
      point.x *= ratio;
      point.y *= ratio;
      point.z = input[i].z * ratio;
    }
  }

  std::shared_ptr<const Frame> frame_;
  int threads_;
  pcl::FastBilateralFilterOMP<pcl::PointXYZ> filter_;
  pcl::NormalEstimationOMP<pcl::PointXYZ, pcl::Normal> plane_fit_;
  Mesh mesh_;
  Cloud::ConstPtr fresh_;
  Cloud::ConstPtr filtered_;
  Normals normals_;
  std::vector<pcl::Vertices> polygons_;
};

/** \brief A way to get normals out of PCL. */
struct NormalMethod {
  const char* name;
  std::optional<IntegralImages::NormalEstimationMethod> integral;
  int neighbors = 0;

  void
  run(PclChain& chain) const
  {
    if (integral)
      chain.integralNormals(*integral);
    else
      chain.planeFitNormals(neighbors);
  }
};

const NormalMethod normal_methods[] = {
    {"PCL AVERAGE_3D_GRADIENT", IntegralImages::AVERAGE_3D_GRADIENT},
    {"PCL SIMPLE_3D_GRADIENT", IntegralImages::SIMPLE_3D_GRADIENT},
    {"PCL COVARIANCE_MATRIX", IntegralImages::COVARIANCE_MATRIX},
    {"PCL NormalEstimationOMP k=49", std::nullopt, 49},
    {"PCL NormalEstimationOMP k=25", std::nullopt, 25},
};

} // namespace

void
addPclCases(const std::shared_ptr<const Frame>& frame, int threads)
{
  const auto chain = std::make_shared<PclChain>(frame, threads);
  const auto prepare = [chain] { chain->makeFreshCloud(); };

  for (const auto& method : normal_methods) {
    const auto whole = [chain, method] {
      chain->filter();
      method.run(*chain);
      chain->mesh(true);
    };
    const auto result = [chain] { return chain->result(); };
    addCase(*frame, {"chain", method.name, prepare, whole, result});
    const auto normals = [chain, method] { method.run(*chain); };
    addCase(*frame, {"normals", method.name, prepare, normals, result});
  }
  const auto filter = [chain] { chain->filter(); };
  addCase(*frame, {"filter", "PCL FastBilateralFilterOMP", prepare, filter, {}});
  for (const bool with_shadows : {true, false}) {
    const char* name = with_shadows ? "PCL OrganizedFastMesh, shadows kept"
                                    : "PCL OrganizedFastMesh, shadows removed";
    const auto mesh = [chain, with_shadows] { chain->mesh(with_shadows); };
    addCase(*frame, {"mesh", name, prepare, mesh, {}});
  }
}

} // namespace benchmarks
