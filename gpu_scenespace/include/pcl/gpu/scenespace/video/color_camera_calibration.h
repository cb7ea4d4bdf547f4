// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/video/rgbd_video.h>

#include <Eigen/Core>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief A change of a frame of a video that makes it fit to the other frames.
 *
 * \ingroup gpu_scenespace
 */
struct FrameCorrection {
  int number = 0; ///< of the frame in its video
  /** \brief Factor of the depth camera's pose, on its right: takes the frame of the
   * corrected depth camera to that of the uncorrected one; metres. */
  Pose motion = Pose::Identity();
  float gain = 1.0f; ///< factor of the levels of colours

  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

/** \brief Standard deviations of a colour camera's parameters.
 *
 * \ingroup gpu_scenespace
 */
struct ColorCalibrationDeviations {
  float focal_length = 0.0f; ///< pixels
  float cx = 0.0f;           ///< pixels
  float cy = 0.0f;           ///< pixels
  /** \brief Deviations of the turn from the depth camera to the colour camera, about
   * the colour camera's axes, radians. */
  Eigen::Vector3f rotation = Eigen::Vector3f::Zero();
  /** \brief Deviations of the depth camera's origin, along the colour camera's axes,
   * metres. */
  Eigen::Vector3f translation = Eigen::Vector3f::Zero();
};

/** \brief A colour camera, its place beside the depth camera, and corrections of the
 * frames of a video; calibrateColorCamera() finds it.
 *
 * \ingroup gpu_scenespace
 */
struct ColorCalibration {
  /** \brief Intrinsics of colour; fx is fy where they were estimated. A size of 0 is
   * that of the video. */
  PinholeCamera color_camera;
  /** \brief Colour camera to depth camera, as RGBDFolderOptions has it; metres. */
  Pose color_to_depth = Pose::Identity();
  /** \brief Corrections of the frames that took part, by increasing numbers; without
   * changes if none was asked for. */
  std::vector<FrameCorrection> corrections;

  /** \brief Standard deviations that follow from the frames and the priors. */
  ColorCalibrationDeviations deviations;
  /** \brief Robust standard deviation of the difference in brightness between
   * observations of a point in two frames, levels of 0 to 255; NaN where no point was
   * seen twice. */
  float residual = 0.0f;
  std::size_t comparisons = 0; ///< number of these differences
  bool converged = false;      ///< whether more steps would change next to nothing
  /** \brief True if the frames determine the camera's intrinsics and its rotation. If
   * not, the values are those of the start, changed by noise: do not use them. */
  bool determined = false;

  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

/** \brief Standard deviations of the normal distributions about the start of a
 * calibration. All are finite and positive.
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

/** \brief Parameters of calibrateColorCamera().
 *
 * \ingroup gpu_scenespace
 */
struct ColorCalibrationParameters {
  /** \brief Numbers of the frames that take part; they increase. None: all frames. */
  std::vector<int> frames;
  /** \brief Distances between compared frames, in places of the list of those that take
   * part. Between them the camera should move by some pixels and more and still see the
   * same things, and errors of poses should be small. The default is for a hand-held
   * camera's 30 frames a second. */
  std::vector<int> frame_gaps = {4, 9, 16, 25};
  /** \brief Pixels from point to point along rows and columns of a depth map, 2 or
   * more. A point whose neighbours at half a step have another depth lies at an
   * edge. */
  int point_step = 8;
  bool correct_poses = false;     ///< whether each frame's pose is corrected
  bool correct_exposures = false; ///< whether a gain is found for each frame
  /** \brief Camera of the start: the mean of fx and fy is taken, the size is ignored. A
   * focal length of 0: a Kinect's, 525 pixels in an image of 640 columns, with the
   * principal point in the centre. */
  PinholeCamera start_camera;
  /** \brief Place of the start, colour camera to depth camera, metres. The default is a
   * Kinect's, whose colour camera is 25 mm on the right of the depth camera. */
  Pose start_color_to_depth = Pose(Eigen::Translation3f(0.025f, 0.0f, 0.0f));
  ColorCalibrationPriors priors; ///< distances of the result from the start

  /** \brief Rejects invalid parameters.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  PCL_EXPORTS void
  validate() const;

  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

/** \brief Finds the colour camera of an RGB-D video whose depth is not registered to
 * colour: focal length, principal point and place beside the depth camera; and, if
 * asked for, small errors of all poses and changes of exposure.
 *
 * No pattern is needed. Points with depth in one frame are looked up in the colour
 * images of that frame and of other frames that see them. The result is the camera for
 * which their brightness changes least: Levenberg and Marquardt's method minimizes the
 * sum of Huber's function of g_j I_j(p(M X_j)) / g_i - I_i(p(M X_i)), with priors about
 * the start, from blurred images to sharp ones.
 *
 * The camera has to turn and to move, and to see texture at several depths. Otherwise
 * ColorCalibration::determined is false: a camera at rest, walls without texture, no
 * depth, images that do not fit. This is measured at the minimum, in blurred images.
 * Each parameter is moved by one deviation; the others follow on the path of least
 * growth. A parameter is determined if the sum grows by a tenth of the predicted growth
 * at least, and if the deviation that follows from the growth is below three quarters
 * of the prior's.
 *
 * Standard deviations are those that follow from the growth; 20 differences of
 * brightness of 8 levels count as one. The translation is hard to see: it often stays
 * within its prior.
 *
 * The depth camera's intrinsics are taken as correct, and lenses as free of distortion.
 * Points without depth and points at edges of depth are left out.
 *
 * Time grows with points times frames times gaps, and with the third power of the
 * number of frames if poses or exposures are corrected; memory with the square of that,
 * and 12 bytes for each pixel of all frames. Of long videos choose some hundred frames
 * at most, say each fourth one, and gaps of 1, 2, 4 and 6. The same bits for any number
 * of threads.
 *
 * \code
 * ColorCalibrationParameters parameters;
 * parameters.correct_poses = true;
 * const ColorCalibration found = calibrateColorCamera(*video, parameters);
 * if (found.determined)
 *   writeColorCamera("camera.txt", found);
 * \endcode
 *
 * \param[in] video whose frames are read one after the other; its colour cameras and
 * their poses are ignored
 * \param[in] parameters see there
 * \return the camera, and its certainty: see ColorCalibration::determined
 * \throws pcl::BadArgumentException naming the parameter and its value: invalid
 * parameters, frames that the video lacks, fewer frames than the smallest gap needs,
 * colour images of several sizes
 * \throws as RGBDVideo::read()
 * \ingroup gpu_scenespace
 */
PCL_EXPORTS ColorCalibration
calibrateColorCamera(const RGBDVideo& video,
                     const ColorCalibrationParameters& parameters = {});

/** \brief Registration of a video's depth to its colour.
 *
 * \ingroup gpu_scenespace
 */
enum class ColorRegistrationState {
  Registered,  ///< no other camera than the video's own fits clearly better
  Apart,       ///< another colour camera fits clearly better
  Undetermined ///< too little is seen, or images do not fit to each other
};

/** \brief Result of checkColorRegistration().
 *
 * \ingroup gpu_scenespace
 */
struct ColorRegistrationCheck {
  /** \brief Registration as the frames show it. */
  ColorRegistrationState registration = ColorRegistrationState::Undetermined;
  /** \brief Start of a calibration that fits better: that of the parameters, or the
   * video's own camera. */
  PinholeCamera start_camera;
  /** \brief Place of that camera, colour camera to depth camera, metres. */
  Pose start_color_to_depth = Pose::Identity();

  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

/** \brief Finds out whether the colour cameras that a video names are the right ones,
 * such as those of a video that says nothing of them and whose depth may be registered
 * to colour or not.
 *
 * Searches for a colour camera that fits better, in blurred images: one search begins
 * at the video's own camera, one at the start of the parameters. Brightness is compared
 * as by calibrateColorCamera(). The result is "apart" if the sum decreases by 20 and by
 * a twentieth, and if images fit to 8 levels. Both numbers were chosen on rendered
 * videos: errors of poses of 6 mm and 0.4 degrees decrease the sum of registered ones
 * by 2 %, a Kinect's colour camera that of others by 10 % and more.
 *
 * A dozen frames suffice, spread over some seconds; they take a second on two
 * processors.
 *
 * \param[in] video whose frames are read one after the other
 * \param[in] parameters frames, gaps, the step from point to point, the start, and
 * priors of the camera; poses and exposures are not corrected
 * \return see there
 * \throws as calibrateColorCamera()
 * \ingroup gpu_scenespace
 */
PCL_EXPORTS ColorRegistrationCheck
checkColorRegistration(const RGBDVideo& video,
                       const ColorCalibrationParameters& parameters = {});

/** \brief Finds small errors of all poses and changes of exposure, for a colour camera
 * that is known.
 *
 * Minimizes the sum that calibrateColorCamera() minimizes, without changing the camera,
 * for some 100 frames at a time: time grows with the number of frames, memory does not.
 * Each part begins with the last frames of the one before, as many as the largest gap.
 * Their corrections are known, and are the start of those of the frames that follow.
 *
 * \param[in] video whose frames are read one after the other; its colour cameras and
 * their poses are ignored
 * \param[in] camera the colour camera and its place; its corrections are ignored
 * \param[in] parameters frames, gaps, the step from point to point, and priors of poses
 * and gains; all else is ignored
 * \param[in] progress is told the number of frames that are corrected, part by part
 * \return those of the frames of the parameters
 * \throws as calibrateColorCamera()
 * \throws pcl::BadArgumentException as validateCalibration()
 * \ingroup gpu_scenespace
 */
PCL_EXPORTS std::vector<FrameCorrection>
findFrameCorrections(const RGBDVideo& video,
                     const ColorCalibration& camera,
                     const ColorCalibrationParameters& parameters = {},
                     const std::function<void(int done)>& progress = {});

/** \brief Writes a colour camera and its place to one text file, which
 * readColorCamera() reads with the same bits; and the corrections of frames, if there
 * are any.
 *
 * Lines that begin with # are comments. The first other line has width, height, fx, fy,
 * cx and cy of the colour camera in pixels, without width and height if they are
 * unknown. Four lines follow with the 4 x 4 matrix that takes points of the colour
 * camera's frame to the depth camera's, metres. Then each corrected frame has a line:
 * its number, its gain, and the 16 entries of its motion. The file appears when it is
 * complete, in place of an existing one.
 *
 * \param[in] file its name
 * \param[in] calibration the camera and its place
 * \throws pcl::BadArgumentException as validateCalibration()
 * \throws pcl::IOException naming the file and the reason, if it cannot be written
 * \ingroup gpu_scenespace
 */
PCL_EXPORTS void
writeColorCamera(const std::string& file, const ColorCalibration& calibration);

/** \brief Reads a file of writeColorCamera().
 * \param[in] file its name
 * \return the camera, its place and the corrections
 * \throws pcl::IOException naming the file and the line, if it cannot be read
 * \ingroup gpu_scenespace
 */
PCL_EXPORTS ColorCalibration
readColorCamera(const std::string& file);

/** \brief Rejects invalid calibrations.
 * \param[in] calibration the camera, its place and the corrections; deviations and the
 * other results of an estimation are not checked
 * \throws pcl::BadArgumentException naming the parameter and its value: an invalid
 * camera, a motion that is not rigid, numbers of frames that are negative or do not
 * increase, a gain that is not finite and positive
 * \ingroup gpu_scenespace
 */
PCL_EXPORTS void
validateCalibration(const ColorCalibration& calibration);

/** \brief Writes a colour camera and its place to the tables color_intrinsics.txt and
 * color_to_depth.txt of a video's folder, where openRGBDFolder() finds them.
 *
 * Each file appears when it is complete, in place of an existing one. Corrections of
 * poses are not written: see writeDepthPoses().
 *
 * \param[in] folder of colour and depth, or in the format of 7-Scenes
 * \param[in] calibration the camera and its place
 * \throws pcl::BadArgumentException as validateCalibration()
 * \throws pcl::IOException naming the file and the reason: one that cannot be written;
 * files of the folder for which the tables would not be read, color_poses.txt and those
 * of the TUM benchmark's format. Then nothing is written.
 * \ingroup gpu_scenespace
 */
PCL_EXPORTS void
writeColorCalibration(const std::string& folder, const ColorCalibration& calibration);

/** \brief Writes times and poses of the depth camera to the table poses.txt of a
 * video's folder, where openRGBDFolder() finds them. It keeps the poses that
 * CalibratedRGBDVideo corrects.
 *
 * The file appears when it is complete, in place of an existing one: keep a copy of
 * poses that you may want again.
 *
 * \param[in] folder of colour and depth, or in the format of 7-Scenes
 * \param[in] video whose frames are those of the folder
 * \throws pcl::BadArgumentException naming the number of frames, if there is none
 * \throws pcl::IOException naming the file and the reason: one that cannot be written;
 * files of the TUM benchmark's format, for which the table would not be read. Then
 * nothing is written.
 * \ingroup gpu_scenespace
 */
PCL_EXPORTS void
writeDepthPoses(const std::string& folder, const RGBDVideo& video);

/** \brief A video with the colour camera, the poses and, if asked for, the exposure of
 * a calibration. RegisteredRGBDVideo then registers its depth to that colour camera.
 *
 * Frames between those that were corrected get a part of both neighbours' corrections,
 * by their numbers; frames before the first one and after the last one get theirs.
 * Without any, poses and colours stay as they are.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS CalibratedRGBDVideo : public RGBDVideo {
public:
  /** \brief Takes a video; reads nothing yet.
   * \param[in] video whose frames are wanted
   * \param[in] calibration of its colour camera
   * \param[in] apply_gains whether colours are multiplied by their frames' gains:
   * rounded, and at most 255, so that bright ones may become equal. Without, colours
   * are those of the video, bit for bit.
   * \throws pcl::BadArgumentException naming the parameter and its value: no video, a
   * calibration that validateCalibration() rejects, a camera of another size than the
   * video's
   */
  CalibratedRGBDVideo(RGBDVideo::ConstPtr video,
                      const ColorCalibration& calibration,
                      bool apply_gains = false);

  int
  size() const override
  {
    return video_->size();
  }

  RGBDView
  view(int number) const override;

  RGBDFrame
  read(int number) const override;

  /** \brief Returns the correction of a frame, between others' corrections as well.
   * \param[in] number of the frame, any one; takes time with the logarithm of the
   * number of corrections
   * \return the correction, with this number
   */
  FrameCorrection
  correction(int number) const;

private:
  void
  apply(const FrameCorrection& correction, RGBDView& view) const;

  RGBDVideo::ConstPtr video_;
  ColorCalibration calibration_;
  bool apply_gains_;
};

} // namespace pcl::gpu
