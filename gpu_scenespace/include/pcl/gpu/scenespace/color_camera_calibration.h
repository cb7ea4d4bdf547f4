// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/color_calibration.h>

#include <vector>

namespace pcl::gpu {

/** \brief How far parameters may be from where a calibration begins: standard deviations of
 * normal distributions about that. All are finite and positive.
 *
 * \ingroup gpu_scenespace
 */
struct ColorCalibrationPriors {
  float focal_length = 0.03f;      ///< part of it
  float principal_point = 0.025f;  ///< of either coordinate, part of the image's width
  float rotation = 0.02f;          ///< of the colour camera about each axis, radians
  float translation = 0.005f;      ///< of the colour camera along each axis, metres
  float pose_rotation = 0.003f;    ///< of a frame's pose about each axis, radians
  float pose_translation = 0.005f; ///< of a frame's pose along each axis, metres
  float gain = 0.03f;              ///< of a frame's gain, about 1
};

/** \brief Finds the colour camera of an RGB-D video whose depth is not registered to colour: its
 * focal length, its principal point and its place beside the depth camera; and, if asked for,
 * small errors of all poses and changes of exposure.
 *
 * No pattern is needed. Points that a frame has depth of are looked up in the colour images of
 * that frame and of others that see them, too; the camera is the one for which their brightness
 * changes least: the sum of Huber's function of g_j I_j(p(M X_j)) / g_i - I_i(p(M X_i)) is
 * minimized by Levenberg and Marquardt's method, with priors about where it began, from blurred
 * images to sharp ones.
 *
 * The camera has to move, by turns as well as by steps, and to see texture at several depths.
 * Where frames do not tell intrinsics and rotation, ColorCalibration::determined is false: a
 * camera at rest, walls without texture, no depth, images that do not fit. This is measured:
 * at the minimum, in blurred images, each parameter is moved by one deviation, the others going
 * with it where the sum grows least; with noise in the place of texture, the sum does not grow
 * as it should. The parameter is told if it grows by a tenth of that at least, and if the
 * deviation that follows from the growth is below three quarters of the prior's.
 *
 * Standard deviations are those that follow from the growth, where 20 differences of
 * brightness of 8 levels count as one. The translation is hard to see: it often stays within
 * what its prior allows.
 *
 * The depth camera's intrinsics are taken for right, and lenses for free of distortion. What
 * has no depth is left out, and so are points at edges of depth.
 *
 * Time grows with points times frames times gaps, and with the third power of the number of
 * frames if poses or exposures are corrected; memory with the square of that, and 12 bytes for
 * each pixel of all frames. Of long videos choose some hundred frames at most, say each fourth
 * one, and gaps of 1, 2, 4 and 6. The same bits for any number of threads.
 *
 * \code
 * ColorCameraCalibration calibration;
 * calibration.setCorrectPoses(true);
 * const ColorCalibration found = calibration.compute(*video);
 * if (found.determined)
 *   writeColorCalibration(folder, found);
 * \endcode
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS ColorCameraCalibration {
public:
  /** \brief Chooses the frames that take part.
   * \param[in] numbers of frames, which increase; none: all frames of the video, as by default
   * \throws pcl::BadArgumentException naming a number that is negative or not greater than the
   * one before
   */
  void
  setFrames(const std::vector<int>& numbers);

  /** \return the numbers of the frames that take part; none: all */
  const std::vector<int>&
  getFrames() const;

  /** \brief Chooses the pairs of frames that are compared. In between the camera should move
   * by some pixels and more, and still see the same things; errors of poses from one to the
   * other should be small.
   * \param[in] gaps how many places one frame is behind the other in the list of those that take
   * part; 4, 9, 16 and 25 by default, for a hand-held camera's 30 frames a second
   * \throws pcl::BadArgumentException naming a gap below 1, or if there is none
   */
  void
  setFrameGaps(const std::vector<int>& gaps);

  /** \return the gaps between frames that are compared */
  const std::vector<int>&
  getFrameGaps() const;

  /** \brief Chooses the points.
   * \param[in] step from point to point along rows and columns of a depth map, pixels, 2 or
   * more; 8 by default. A point's neighbours at half a step tell whether it lies at an edge.
   * \throws pcl::BadArgumentException naming it if it is less than 2
   */
  void
  setPointStep(int step);

  /** \return pixels from point to point */
  int
  getPointStep() const;

  /** \brief Whether each frame's pose is corrected; not by default.
   * \param[in] correct true to correct them
   */
  void
  setCorrectPoses(bool correct);

  /** \return whether poses are corrected */
  bool
  getCorrectPoses() const;

  /** \brief Whether a gain is found for each frame, which an automatic exposure needs; not by
   * default.
   * \param[in] correct true to find them
   */
  void
  setCorrectExposures(bool correct);

  /** \return whether gains are found */
  bool
  getCorrectExposures() const;

  /** \brief Sets the camera to begin with.
   * \param[in] camera whose size means nothing, and of whose fx and fy the mean is taken; a
   * focal length of 0: a Kinect's, 525 pixels in an image of 640 columns, with the principal
   * point in the centre; this is the default
   * \throws pcl::BadArgumentException naming the parameter and its value, if it is no camera
   */
  void
  setStartCamera(const PinholeCamera& camera);

  /** \return the camera to begin with; a focal length of 0: a Kinect's */
  const PinholeCamera&
  getStartCamera() const;

  /** \brief Sets the place to begin with.
   * \param[in] color_to_depth colour camera to depth camera, metres; a Kinect's by default,
   * whose colour camera is 25 mm on the right of the depth camera
   * \throws pcl::BadArgumentException naming it if it is not rigid
   */
  void
  setStartColorToDepth(const Pose& color_to_depth);

  /** \return the place to begin with, colour camera to depth camera, metres */
  const Pose&
  getStartColorToDepth() const;

  /** \brief Sets how far from the beginning the result may be.
   * \param[in] priors deviations of all parameters
   * \throws pcl::BadArgumentException naming the parameter and its value unless finite and
   * positive
   */
  void
  setPriors(const ColorCalibrationPriors& priors);

  /** \return how far from the beginning the result may be */
  const ColorCalibrationPriors&
  getPriors() const;

  /** \brief Calibrates.
   * \param[in] video whose frames are read one after the other, and whose colour cameras and
   * their poses mean nothing
   * \return the camera, and how well the frames determine it: see ColorCalibration::determined
   * \throws pcl::BadArgumentException naming the parameter and its value: frames that the video
   * has not, fewer frames than the smallest gap needs, colour images of several sizes
   * \throws what RGBDVideo::read() throws
   */
  ColorCalibration
  compute(const RGBDVideo& video) const;

private:
  std::vector<int> frames_;
  std::vector<int> gaps_ = {4, 9, 16, 25};
  int point_step_ = 8;
  bool correct_poses_ = false, correct_exposures_ = false;
  PinholeCamera start_camera_;
  Pose start_color_to_depth_ = Pose(Eigen::Translation3f(0.025f, 0.0f, 0.0f));
  ColorCalibrationPriors priors_;

public:
  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

} // namespace pcl::gpu
