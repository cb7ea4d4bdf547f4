// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/video/rgbd_video.h>
#include <pcl/gpu/utils/image_file.h>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <utility>
#include <vector>

// Differences of the brightness of points between frames of a video, and their
// dependence on the colour camera and on the frames' poses and gains.

namespace pcl::gpu {

/** \brief Brightness of pixels, levels, row by row. */
using Brightness = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/** \brief A turn, radians about each axis, and a shift that follows it, metres. */
using Twist = Eigen::Matrix<double, 6, 1>;

/** \brief Returns the motion of a twist. */
Eigen::Isometry3d
motionOf(const Twist& twist);

/** \brief Returns the twist of a motion. */
Twist
twistOf(const Eigen::Isometry3d& motion);

constexpr int shared_parameters =
    3 + 6;                              ///< focal length, cx, cy; a twist of the camera
constexpr int frame_parameters = 6 + 1; ///< a twist of the pose; a gain

/** \brief Parameters that are estimated. */
struct PhotometricState {
  double focal_length = 0.0, cx = 0.0, cy = 0.0; ///< pixels
  /** \brief Takes points of the depth camera's frame into that of the colour camera. */
  Eigen::Isometry3d depth_to_color = Eigen::Isometry3d::Identity();
  std::vector<Eigen::Isometry3d> poses; ///< of the depth camera, camera-to-world
  std::vector<double> gains;            ///< factors of levels

  /** \brief The state after a step.
   * \param[in] step of all parameters: the shared ones, and those of frame after frame.
   * A twist of the colour camera is about its own axes, that of a pose about the depth
   * camera's.
   */
  PhotometricState
  moved(const Eigen::VectorXd& step) const;
};

/** \brief Sums of squared differences as they change with all parameters. */
struct PhotometricSums {
  Eigen::MatrixXd matrix; ///< of the normal equations
  Eigen::VectorXd vector; ///< the cost's gradient
  double cost = 0.0;
};

/** \brief Frames of a video that are compared. */
class PhotometricFrames {
public:
  /** \brief Takes frames.
   * \param[in] gaps between frames that are compared
   * \param[in] step from point to point of a depth map, pixels
   */
  PhotometricFrames(std::vector<int> gaps, int step)
  : gaps_(std::move(gaps))
  , step_(step)
  {}

  /** \brief Adds a frame behind all others. */
  void
  add(RGBDFrame frame);

  /** \brief Blurs all images by some pixels, and finds which points are to be
   * compared. */
  void
  prepare(const PhotometricState& state, double sigma);

  /** \brief Sums over all points.
   * \param[in] with_frames whether derivatives by the frames' parameters are wanted,
   * too
   */
  PhotometricSums
  sums(const PhotometricState& state, bool with_frames) const;

  /** \brief Returns the cost, which calibration minimizes. */
  double
  cost(const PhotometricState& state) const;

  /** \brief Returns the growth of the cost from one state to another one, of points
   * that all images have in both states: those that leave an image say nothing. */
  double
  growth(const PhotometricState& state, const PhotometricState& other) const;

  /** \brief Returns absolute differences of brightness, levels. */
  std::vector<float>
  differences(const PhotometricState& state) const;

private:
  /** \brief Points of a frame that are looked up in another one. */
  struct Comparison {
    int to;
    std::vector<int> points; ///< their numbers
  };

  struct Frame {
    PinholeCamera depth_camera;
    Image<float> depth;
    Brightness brightness;
    Brightness blurred;
    std::vector<Eigen::Vector3d> points; ///< in the depth camera's frame
    std::vector<Comparison> comparisons;
  };

  /** \brief A comparison of a point in two frames. */
  struct Difference;

  Comparison
  comparisonOf(const PhotometricState& state, int from, int to) const;

  template <typename Visit>
  void
  visitDifferences(const PhotometricState& state,
                   int from,
                   bool with_slopes,
                   Visit visit) const;

  std::vector<int> gaps_;
  int step_;
  std::vector<Frame> frames_;
};

} // namespace pcl::gpu
