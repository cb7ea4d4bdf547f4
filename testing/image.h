// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

namespace pcl::gpu::test {

/** \brief A row-major image in host memory: expected or actual. */
template <typename T>
struct Image {
  int rows = 0;
  int columns = 0;
  std::vector<T> data;

  Image() = default;

  Image(int r, int c, const T& value = T())
  : rows(r)
  , columns(c)
  , data(static_cast<std::size_t>(r) * c, value)
  {}

  T&
  at(int v, int u)
  {
    return data[static_cast<std::size_t>(v) * columns + u];
  }

  const T&
  at(int v, int u) const
  {
    return data[static_cast<std::size_t>(v) * columns + u];
  }
};

/** \brief Copies an image to the current device. */
template <typename T>
DeviceArray2D<T>
uploaded(const Image<T>& image)
{
  DeviceArray2D<T> array;
  if (!image.data.empty())
    array.upload(
        image.data.data(), image.columns * sizeof(T), image.rows, image.columns);
  return array;
}

/** \brief Copies an image from its device; waits for all work queued there. */
template <typename T>
Image<T>
downloaded(const DeviceArray2D<T>& array)
{
  Image<T> image;
  if (array.empty())
    return image;
  image = Image<T>(array.rows(), array.cols());
  array.download(image.data.data(), image.columns * sizeof(T));
  return image;
}

/** \brief Copies a vector to the current device. */
template <typename T>
DeviceArray<T>
uploaded(const std::vector<T>& values)
{
  DeviceArray<T> array;
  if (!values.empty())
    array.upload(values.data(), values.size());
  return array;
}

/** \brief Copies a vector from its device; waits for all work queued there. */
template <typename T>
std::vector<T>
downloaded(const DeviceArray<T>& array)
{
  std::vector<T> values(array.size());
  if (!values.empty())
    array.download(values.data());
  return values;
}

/** \brief Returns device memory full of a byte pattern that no algorithm writes. An
 * output array that starts like this shows every element that was not written. */
template <typename T>
DeviceArray2D<T>
poisoned(int rows, int columns)
{
  Image<T> image(rows, columns);
  std::memset(
      static_cast<void*>(image.data.data()), 0xC5, image.data.size() * sizeof(T));
  return uploaded(image);
}

/** \brief Returns whether two images have the same size and the same bits. */
template <typename T>
bool
sameBits(const Image<T>& a, const Image<T>& b)
{
  static_assert(std::is_trivially_destructible<T>::value, "compared as bytes");
  return a.rows == b.rows && a.columns == b.columns &&
         (a.data.empty() || std::memcmp(static_cast<const void*>(a.data.data()),
                                        static_cast<const void*>(b.data.data()),
                                        a.data.size() * sizeof(T)) == 0);
}

} // namespace pcl::gpu::test
