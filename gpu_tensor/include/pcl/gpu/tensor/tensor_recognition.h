// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/tensor/tensor_elements.h>
#include <pcl/gpu/tensor/tensor_library.h>
#include <pcl/gpu/tensor/tensor_matching.h>
#include <pcl/gpu/tensor/tensor_recognition_parameters.h>
#include <pcl/gpu/tensor/types.h>
#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/communicator.h>
#include <pcl/gpu/utils/impl/unshared.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>
#include <pcl/pcl_exports.h>

#include <memory>
#include <vector>

namespace pcl::gpu {

/** \brief Finds the objects of a library in a scene: their models, poses and numbers.
 *
 * Carries out the future work of Orts-Escolano et al. 2014 (section 5), on their
 * tensors. The steps are those of Mian et al. 2006 (PAMI 28(10), section 5), except
 * that all hypotheses are compared with the depth map before some are refined:
 *  1. Each tensor of the scene is matched with the library's (TensorMatching).
 *  2. Each match gives a pose of its model: T = F_s F_m^-1 with the frames of both.
 *  3. Some of the model's points that should be seen, and places outside its contour,
 *     are compared with the scene's depth in their pixels. The scene's surface may go
 *     through a point, be in front of it (the point is hidden), or behind it (the
 *     camera would see through the object). Where it goes on beyond the contour, or
 *     lies in a plane that is larger than the model, it is part of something else.
 *  4. The hypotheses that the scene contradicts least are moved to its surface
 *     (iterative closest points, point to plane), and compared with it again. Those
 *     that are better than all in nearly the same pose are candidates.
 *  5. Candidates are moved with more points, and judged by all of them. The support is
 *     the sum, over the scene's tensors, of the best score (coefficient times overlap)
 *     among their matches that agree with the pose. A logistic regression makes the
 *     probability that the object is there of it and of the shares of points and
 *     places.
 *  6. Drops candidates whose points others explain better: two poses of one object, two
 *     objects in one place. Any number of objects may be of one model.
 *  7. Each point of the scene is assigned to the object whose surface it is on.
 *
 * Grouping hypotheses, as Mian et al. do, loses small objects: of a thousand matches,
 * three or four agree on one.
 *
 * Most distances are in resolutions of the library (TensorParameters). Depth deviates
 * as TensorRecognitionParameters::depth_deviation says, whatever the resolution. The
 * defaults suit objects of 30 to 100 resolutions and a Kinect's noise, filtered as
 * DepthMapTensorExtraction does.
 *
 * A library may be divided among processes (TensorLibrary::setCommunicator()). All of
 * them call compute() with the same scene. Each matches its part of the library's
 * tensors. The steps from 2 on begin with the joined matches, and run on every rank
 * alike: there are few candidates, and all ranks have the result at once.
 *
 * O(tensors x tensors of the library + hypotheses x candidates + candidates^2 +
 * candidates x rounds x points).
 * The result is the same, bit for bit, on every run. Steady state neither allocates nor
 * waits, but for downloadObjects(). A copy has the same library and parameters, and no
 * results.
 *
 * \ingroup gpu_tensor
 */
class PCL_EXPORTS TensorRecognition
: public Parameterized<TensorRecognitionParameters> {
public:
  /** \brief Sets the objects to look for.
   * \param[in] library may change between calls of compute(). Only one recognition and
   * one device should use it at a time, as it has one table
   * \throws pcl::BadArgumentException if null
   */
  void
  setLibrary(const std::shared_ptr<TensorLibrary>& library);

  /** \return the objects to look for; null if they were not set */
  const std::shared_ptr<TensorLibrary>&
  getLibrary() const
  {
    return library_;
  }

  /** \brief Looks for the objects in a scene.
   * \param[in] cloud the scene, organized, in its camera's frame, metres
   * \param[in] normals of the cloud
   * \param[in] camera intrinsics of the cloud's pixels; width and height may be 0
   * \param[in] tensors of the cloud, computed with the library's parameters
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there is no library or it has no parameters,
   * sizes differ, inputs are on different devices, or grids have another size than the
   * library's; or as TensorLibrary::table()
   * \throws CommunicationException if another rank failed
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const OrganizedCloud& cloud,
          const NormalMap& normals,
          const PinholeCamera& camera,
          const TensorSet& tensors,
          const Stream& stream = {});

  /** \return the objects of the last compute(), the surest first; only the first
   * objectCount() are defined */
  const DeviceArray<RecognizedObject>&
  objects() const
  {
    return buffers_.value.objects;
  }

  /** \return one element: the number of objects */
  const DeviceArray<int>&
  objectCount() const
  {
    return buffers_.value.object_count;
  }

  /** \return for each point of the cloud the place among objects() of the object whose
   * surface it is on; -1 if it is on none */
  const DeviceArray2D<int>&
  pixelObjects() const
  {
    return buffers_.value.pixel_objects;
  }

  /** \brief Copies the objects of the last compute() to host memory. Waits for the
   * device, and with a divided library for the stream of compute(), which must exist.
   * \return the objects, the surest first
   * \throws CommunicationException if another rank failed
   * \throws DeviceException if the device fails
   */
  std::vector<RecognizedObject>
  downloadObjects() const;

private:
  struct Buffers {
    DeviceArray<TensorMatch> matches;
    DeviceArray<RecognizedObject> objects;
    DeviceArray<int> object_count;
    DeviceArray2D<int> pixel_objects;
    Communicator::Ptr communicator; ///< that compute() exchanged matches by; or null
    Stream stream;                  ///< that it joined
  };

  std::shared_ptr<TensorLibrary> library_;
  TensorMatching matching_;
  detail::Unshared<Buffers> buffers_;
  Workspace workspace_;
};

/** \brief Returns the pose of an object.
 * \param[in] rows of its transform, as RecognizedObject has them
 * \return maps the model's points into the frame of the scene's camera, metres
 */
PCL_EXPORTS Pose
toPose(const float (&rows)[3][4]);

} // namespace pcl::gpu
