// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/tensor/depth_map_tensor_extraction.h>
#include <pcl/gpu/tensor/tensor_recognition.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/pcl_exports.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace pcl::gpu {

/** \brief Parameters of a DepthStreamRecognition: those of its steps.
 * \ingroup gpu_tensor_types
 */
struct PCL_EXPORTS DepthStreamRecognitionParameters {
  DepthMapTensorExtractionParameters extraction; ///< the camera has to be set
  TensorRecognitionParameters recognition;       ///< of finding objects

  /** \brief Checks all parameters.
   * \throws pcl::BadArgumentException that names the first one that is wrong, and its
   * value
   */
  void
  validate() const
  {
    extraction.validate();
    recognition.validate();
  }
};

/** \brief Recognizes objects in a stream of depth maps, on one or several devices.
 *
 * Several frames are under way at a time: while one is computed, the next one is copied
 * to its device. Each device has a copy of the library. Frames go to the devices one
 * after the other. Results come in the order of the frames, and equal those of
 * DepthMapTensorExtraction and TensorRecognition.
 * \code
 * pcl::gpu::DepthStreamRecognition recognition(library);
 * pcl::gpu::DepthStreamRecognitionParameters parameters;
 * parameters.extraction.surface.projection.camera = camera;
 * parameters.extraction.tensor_count = 500;
 * recognition.setParameters(parameters);
 * while (grabFrame(depth)) {
 *   recognition.submit(depth, 640, 480, 0.001f);
 *   if (recognition.pending() == recognition.capacity())
 *     show(recognition.next());
 * }
 * while (recognition.pending() > 0)
 *   show(recognition.next());
 * \endcode
 * If the library is divided among processes (TensorLibrary::setCommunicator()), all of
 * them submit the same frames in the same order, each on one device.
 *
 * Steady state does not allocate.
 *
 * \ingroup gpu_tensor
 */
class PCL_EXPORTS DepthStreamRecognition
: public Parameterized<DepthStreamRecognitionParameters> {
public:
  /** \brief Copies a library to devices.
   * \param[in] library objects to look for, with its parameters; changes are not
   * followed
   * \param[in] devices that share the frames; the calling thread's current one if empty
   * \param[in] frames_per_device that are under way at a time, 1 or more
   * \throws pcl::BadArgumentException if the library has no parameters, \a
   * frames_per_device is less than 1, or as TensorLibrary::table()
   * \throws DeviceException if a device fails or runs out of memory
   */
  explicit DepthStreamRecognition(const TensorLibrary& library,
                                  const std::vector<Device>& devices = {},
                                  int frames_per_device = 2);

  /** \brief Waits for frames under way, and frees all memory. */
  ~DepthStreamRecognition();

  DepthStreamRecognition(const DepthStreamRecognition&) = delete;
  DepthStreamRecognition&
  operator=(const DepthStreamRecognition&) = delete;

  /** \brief Sets the parameters that frames are computed with from then on.
   * \param[in] parameters of both steps; those of tensors are always the library's
   * \throws pcl::BadArgumentException as DepthStreamRecognitionParameters::validate()
   */
  void
  setParameters(const DepthStreamRecognitionParameters& parameters);

  /** \return the largest number of frames that can be under way */
  int
  capacity() const
  {
    return static_cast<int>(lanes_.size());
  }

  /** \return the number of frames that are under way or done, and that next() has not
   * returned */
  int
  pending() const
  {
    return static_cast<int>(pending_);
  }

  /** \brief Starts to compute a frame. Copies it first, and returns before it is done.
   * Works in streams of its own. The first frames, and larger ones later, allocate
   * memory, which may wait for the device.
   * \param[in] depth raw depth, row by row; 0 is no measurement
   * \param[in] columns pixels of a row
   * \param[in] rows number of rows
   * \param[in] scale metres for one unit of \a depth: 0.001 for millimetres
   * \throws pcl::BadArgumentException if capacity() frames are pending, there is no
   * image, or as TensorRecognition::compute() and DepthMapTensorExtraction::compute();
   * the frame is then not pending
   * \throws CommunicationException if another process failed
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  submit(const std::uint16_t* depth, int columns, int rows, float scale);

  /** \brief Returns the objects in the oldest frame that is pending. Waits until it is
   * done.
   * \return the objects, the surest first
   * \throws pcl::BadArgumentException if no frame is pending
   * \throws CommunicationException if another process failed
   * \throws DeviceException if the device failed
   */
  std::vector<RecognizedObject>
  next();

private:
  struct Lane;

  std::vector<std::unique_ptr<Lane>> lanes_;
  std::size_t oldest_ = 0;
  std::size_t pending_ = 0;
};

} // namespace pcl::gpu
