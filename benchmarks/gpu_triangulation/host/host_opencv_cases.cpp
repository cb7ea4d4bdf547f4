// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "host_cases.h"

#if BENCHMARKS_HAVE_OPENCV

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/rgbd.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace benchmarks {

namespace {

using Triangle = std::array<int, 3>;

/** \brief OpenCV's functions on one frame, and their results. */
class OpenCvChain {
public:
  OpenCvChain(const Frame& frame, int threads)
  : intrinsics_(frame.camera.fx,
                0.0f,
                frame.camera.cx,
                0.0f,
                frame.camera.fy,
                frame.camera.cy,
                0.0f,
                0.0f,
                1.0f)
  , normals_of_points_(frame.camera.height,
                       frame.camera.width,
                       CV_32F,
                       intrinsics_,
                       2 * window_radius + 1,
                       cv::rgbd::RgbdNormals::RGBD_NORMALS_METHOD_FALS)
  , bands_(threads)
  {
    // bilateralFilter() takes 0 for missing depth, the other functions take NaN.
    cv::Mat(frame.camera.height,
            frame.camera.width,
            CV_32F,
            const_cast<float*>(frame.depth.data()))
        .copyTo(depth_);
    cv::patchNaNs(depth_, 0.0);
  }

  /** \brief Lets the later stages start from unfiltered depth. */
  void
  skipFilter()
  {
    depth_.copyTo(filtered_);
    markMissing();
  }

  void
  filter()
  {
    cv::bilateralFilter(
        depth_, filtered_, 2 * window_radius + 1, sigma_metres, sigma_pixels);
    markMissing();
  }

  void
  project()
  {
    cv::rgbd::depthTo3d(filtered_, intrinsics_, points_);
  }

  void
  normals()
  {
    normals_of_points_(points_, normals_);
  }

  /** \brief Makes the mesh as a user would: two triangles a quad, no edge across a
   * depth step. Bands of rows run in parallel. */
  void
  mesh()
  {
    const int quad_rows = points_.rows - 1;
    const int bands = static_cast<int>(bands_.size());
    cv::parallel_for_(cv::Range(0, bands), [&](const cv::Range& range) {
      for (int band = range.start; band < range.end; ++band) {
        bands_[band].clear();
        for (int row = quad_rows * band / bands; row < quad_rows * (band + 1) / bands;
             ++row)
          meshRow(row, bands_[band]);
      }
    });
    triangles_.clear();
    for (const auto& band : bands_)
      triangles_.insert(triangles_.end(), band.begin(), band.end());
  }

  CloudAndNormals
  result() const
  {
    return {copyOf(points_), copyOf(normals_)};
  }

private:
  void
  markMissing()
  {
    filtered_.setTo(std::numeric_limits<float>::quiet_NaN(), depth_ == 0.0f);
  }

  void
  meshRow(int row, std::vector<Triangle>& triangles) const
  {
    constexpr float largest_step = 0.03f; // metres
    const auto* upper = points_.ptr<cv::Vec3f>(row);
    const auto* lower = points_.ptr<cv::Vec3f>(row + 1);
    const auto joined = [](const cv::Vec3f& p, const cv::Vec3f& q) {
      return std::abs(p[2] - q[2]) <= largest_step; // false for NaN
    };
    for (int u = 0; u + 1 < points_.cols; ++u) {
      const int index = row * points_.cols + u;
      if (!joined(upper[u + 1], lower[u]))
        continue;
      if (joined(upper[u], upper[u + 1]) && joined(upper[u], lower[u]))
        triangles.push_back({index, index + points_.cols, index + 1});
      if (joined(lower[u + 1], upper[u + 1]) && joined(lower[u + 1], lower[u]))
        triangles.push_back(
            {index + 1, index + points_.cols, index + points_.cols + 1});
    }
  }

  static VectorMap
  copyOf(const cv::Mat& vectors)
  {
    return VectorMap(vectors.cols, vectors.rows, [&](std::size_t i) {
      const auto& vector = vectors.at<cv::Vec3f>(static_cast<int>(i) / vectors.cols,
                                                 static_cast<int>(i) % vectors.cols);
      return Eigen::Vector3f(vector[0], vector[1], vector[2]);
    });
  }

  cv::Matx33f intrinsics_;
  cv::rgbd::RgbdNormals normals_of_points_;
  cv::Mat depth_;
  cv::Mat filtered_;
  cv::Mat points_;
  cv::Mat normals_;
  std::vector<std::vector<Triangle>> bands_;
  std::vector<Triangle> triangles_;
};

} // namespace

void
addOpenCvCases(const std::shared_ptr<const Frame>& frame, int threads)
{
  cv::setNumThreads(threads);
  const auto chain = std::make_shared<OpenCvChain>(*frame, threads);
  const auto result = [chain] { return chain->result(); };
  const auto project_raw = [chain] {
    chain->skipFilter();
    chain->project();
  };
  const auto whole = [chain] {
    chain->filter();
    chain->project();
    chain->normals();
    chain->mesh();
  };
  addCase(*frame, {"chain", "OpenCV bilateral + FALS + loop", {}, whole, result});
  addCase(*frame,
          {"filter", "OpenCV bilateralFilter", {}, [chain] { chain->filter(); }, {}});
  addCase(*frame,
          {"projection",
           "OpenCV depthTo3d",
           [chain] { chain->skipFilter(); },
           [chain] { chain->project(); },
           {}});
  addCase(*frame,
          {"normals",
           "OpenCV RgbdNormals FALS",
           project_raw,
           [chain] { chain->normals(); },
           result});
  addCase(
      *frame,
      {"mesh", "loop over OpenCV points", project_raw, [chain] { chain->mesh(); }, {}});
}

} // namespace benchmarks

#else

namespace benchmarks {

void
addOpenCvCases(const std::shared_ptr<const Frame>&, int)
{}

} // namespace benchmarks

#endif
