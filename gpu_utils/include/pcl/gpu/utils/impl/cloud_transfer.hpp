// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/exceptions.h>
#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/impl/unshared.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <Eigen/StdVector>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/** \file
 * \brief Transfer of PCL's clouds to a device, and of results back, for the host
 * wrappers. Not for use elsewhere.
 */

namespace pcl::gpu::detail {

/** \brief Checks that a cloud is an image of points.
 * \param[in] cloud the wrapper's input
 * \param[in] wrapper the wrapper's name, for the message
 * \throws pcl::InitFailedException if there is no cloud
 * \throws pcl::UnorganizedPointCloudException if it has fewer than two rows, or if its
 * width and height do not agree with its number of points
 */
template <typename PointT>
void
requireOrganized(const shared_ptr<const PointCloud<PointT>>& cloud,
                 const std::string& wrapper)
{
  if (!cloud)
    PCL_THROW_EXCEPTION(InitFailedException,
                        wrapper << ": no input cloud was given, see setInputCloud()");
  const std::size_t pixels = std::size_t(cloud->width) * cloud->height;
  if (!cloud->isOrganized() || pixels != cloud->size())
    PCL_THROW_EXCEPTION(UnorganizedPointCloudException,
                        wrapper << ": the input cloud is " << cloud->width << " x "
                                << cloud->height << " with " << cloud->size()
                                << " points: expected an organized cloud, two rows of "
                                   "points or more");
}

/** \brief Calls body(i) for i from 0 to count - 1, on all threads if OpenMP is on. */
template <typename Body>
void
forEach(std::size_t count, const Body& body)
{
#ifdef _OPENMP
#pragma omp parallel for schedule(static) if (count > 16384)
#endif
  for (std::size_t i = 0; i < count; ++i)
    body(i);
}

/** \brief Calls body(row, column, row * columns + column) for all pixels of an image,
 * on all threads if OpenMP is on. */
template <typename Body>
void
forEachPixel(int rows, int columns, const Body& body)
{
#ifdef _OPENMP
#pragma omp parallel for schedule(static) if (std::size_t(rows) * columns > 16384)
#endif
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      body(row, column, std::size_t(row) * columns + column);
}

/** \brief An image, filled by host code for a device algorithm. */
template <typename T>
class ImageUpload {
public:
  /** \brief Gathers an image, and uploads it to the current device.
   * \param[in] pixelAt returns the pixel of an index, row-major
   * \return the image; valid until the next call
   */
  template <typename PixelAt>
  DeviceArray2D<T>
  gather(int rows, int columns, const PixelAt& pixelAt)
  {
    staging_.resize(std::size_t(rows) * columns);
    T* const pixels = staging_.data();
    forEach(staging_.size(), [=](std::size_t i) { pixels[i] = pixelAt(i); });
    return upload(pixels, rows, columns);
  }

  /** \brief Uploads an image to the current device. The host device reads it in place.
   * \param[in] pixels rows * columns elements, row-major; must outlive the result
   */
  DeviceArray2D<T>
  upload(const T* pixels, int rows, int columns)
  {
    const std::size_t step = columns * sizeof(T);
    if (currentDevice().isHost())
      return DeviceArray2D<T>(rows, columns, const_cast<T*>(pixels), step);
    image_.upload(pixels, step, rows, columns);
    return image_;
  }

private:
  std::vector<T, Eigen::aligned_allocator<T>> staging_;
  DeviceArray2D<T> image_;
};

/** \brief Positions of points in any order, gathered by host code for a device
 * algorithm. */
class PointUpload {
public:
  /** \brief Uploads the positions of a cloud's points to the current device.
   *
   * A whole cloud of PointXYZ is uploaded as it is; the host device reads it in place.
   * Otherwise the positions are gathered.
   * \param[in] cloud must stay unchanged until the stream has used the result
   * \param[in] indices the points to upload; null for all
   * \param[in] stream the queue to join
   * \return the positions; valid until the next call
   */
  template <typename PointT>
  DeviceArray<PointXYZ>
  upload(const PointCloud<PointT>& cloud, const Indices* indices, const Stream& stream)
  {
    if constexpr (std::is_same<PointT, PointXYZ>::value)
      if (!indices)
        return upload(cloud.points.data(), cloud.size(), stream);
    const PointT* points = cloud.points.data();
    const index_t* chosen = indices ? indices->data() : nullptr;
    staging_.resize(chosen ? indices->size() : cloud.size());
    PointXYZ* positions = staging_.data();
    forEach(staging_.size(), [points, chosen, positions](std::size_t i) {
      const PointT& point = points[chosen ? chosen[i] : i];
      positions[i] = PointXYZ(point.x, point.y, point.z);
    });
    return upload(positions, staging_.size(), stream);
  }

private:
  DeviceArray<PointXYZ>
  upload(const PointXYZ* positions, std::size_t count, const Stream& stream)
  {
    if (currentDevice().isHost())
      return DeviceArray<PointXYZ>(const_cast<PointXYZ*>(positions), count);
    if (points_.size() < count || deviceOf(points_) != currentDevice())
      points_ = DeviceArray<PointXYZ>(count);
    if (count > 0)
      copyAsync(positions, points_.ptr(), count * sizeof(PointXYZ), stream);
    return DeviceArray<PointXYZ>(points_.ptr(), count);
  }

  std::vector<PointXYZ, Eigen::aligned_allocator<PointXYZ>> staging_;
  DeviceArray<PointXYZ> points_;
};

/** \brief View for host code of memory that a device algorithm wrote; in place on the
 * host device. */
template <typename T>
class DeviceReader {
public:
  /** \brief Returns the rows of an image. They are valid until the next call or
   * change. */
  PtrStep<const T>
  read(const DeviceArray2D<T>& image)
  {
    if (deviceOf(image).isHost())
      return PtrStep<const T>(image.ptr(), image.step());
    const std::size_t step = image.cols() * sizeof(T);
    copy_.resize(std::size_t(image.rows()) * image.cols());
    image.download(copy_.data(), step);
    return PtrStep<const T>(copy_.data(), step);
  }

  /** \brief Returns the first elements of an array. They are valid until the next call
   * or change.
   */
  const T*
  read(const DeviceArray<T>& array, std::size_t count)
  {
    if (deviceOf(array).isHost())
      return array.ptr();
    copy_.resize(count);
    if (count > 0)
      array.download(copy_.data(), 0, count);
    return copy_.data();
  }

private:
  std::vector<T, Eigen::aligned_allocator<T>> copy_;
};

/** \brief Device memory that an object keeps from call to call.
 *
 * It is made anew when the calling thread's current device has changed. It is not
 * copied with the object, so two objects never share state.
 */
template <typename T>
class Scratch {
public:
  /** \brief Returns this object's memory on the current device. */
  T&
  onCurrentDevice()
  {
    const Device device = currentDevice();
    auto& kept = kept_.value;
    if (!kept || kept->first != device)
      kept = std::make_unique<std::pair<Device, T>>(device, T());
    return kept->second;
  }

private:
  Unshared<std::unique_ptr<std::pair<Device, T>>> kept_;
};

/** \brief Uploads the positions of an organized cloud's points.
 *
 * A cloud of PointXYZ is uploaded as it is. Of other types the positions are gathered.
 * \param[in] cloud must outlive the result
 * \param[in] upload the memory to use
 */
template <typename PointT>
DeviceArray2D<PointXYZ>
uploadPositions(const PointCloud<PointT>& cloud, ImageUpload<PointXYZ>& upload)
{
  const int rows = static_cast<int>(cloud.height);
  const int columns = static_cast<int>(cloud.width);
  if constexpr (std::is_same<PointT, PointXYZ>::value) {
    return upload.upload(cloud.points.data(), rows, columns);
  }
  else {
    const PointT* points = cloud.points.data();
    return upload.gather(rows, columns, [points](std::size_t i) {
      return PointXYZ(points[i].x, points[i].y, points[i].z);
    });
  }
}

/** \brief Uploads the normals of an organized cloud's points.
 * \param[in] normals rows * columns of them, row by row
 * \param[in] rows of the organized cloud
 * \param[in] columns of the organized cloud
 * \param[in] upload the memory to use
 */
template <typename NormalT>
DeviceArray2D<PointXYZ>
uploadNormals(const PointCloud<NormalT>& normals,
              int rows,
              int columns,
              ImageUpload<PointXYZ>& upload)
{
  const NormalT* values = normals.points.data();
  return upload.gather(rows, columns, [values](std::size_t i) {
    return PointXYZ(values[i].normal_x, values[i].normal_y, values[i].normal_z);
  });
}

} // namespace pcl::gpu::detail
