// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "state/current_stream.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/point_types.h>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/** \file
 * \brief Arrays that cross from Python to the library and back without a copy.
 */

namespace pcl_gpu_python {

namespace nb = nanobind;

/** \brief Any length of an axis, in a shape that is expected. */
constexpr std::int64_t any_length = -1;

/** \brief An element of the library as Python sees it: some numbers of one type. */
template <typename T>
struct Element {
  using Number = T;
  static constexpr std::int64_t count = 1; ///< 1: no axis of its own
};

template <>
struct Element<pcl::PointXYZ> {
  using Number = float;
  static constexpr std::int64_t count = 4;
};

template <>
struct Element<pcl::PointXYZRGB> {
  using Number = float;
  static constexpr std::int64_t count = 8;
};

template <>
struct Element<pcl::RGB> {
  using Number = std::uint8_t;
  static constexpr std::int64_t count = 4;
};

/** \brief An array of Python's: anything with DLPack, `__cuda_array_interface__` or the
 * buffer protocol. */
struct ArrayArgument {
  nb::object object;

  bool
  isNone() const
  {
    return object.is_none();
  }
};

/** \brief A view of an array of Python's, whose memory it keeps alive. */
struct ArrayView {
  void* data = nullptr;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides; ///< numbers
  nb::dlpack::dtype type = {};
  pcl::gpu::Device device = pcl::gpu::Device::host();
  nb::object owner;
};

/** \brief Views an array. Work that is queued on the current stream from now on comes
 * after the work that fills the array.
 * \throws nb::type_error naming the argument if it is no array
 */
ArrayView
viewOf(const ArrayArgument& argument, const char* name);

/** \brief Checks that an array is on the host.
 * \throws nb::value_error naming the argument if it is elsewhere
 */
void
checkOnHost(const ArrayView& view, const char* name);

/** \brief Views an array on the host.
 * \throws nb::type_error as viewOf()
 * \throws nb::value_error naming the argument if it is elsewhere
 */
ArrayView
hostViewOf(const ArrayArgument& argument, const char* name);

/** \brief Checks numbers and shape of an array, and that its numbers lie together.
 * \param[in] shape lengths; any_length for those that may be any
 * \param[in] gap_axis axis whose elements may be apart, such as rows with a pitch; -1
 * for none
 * \throws nb::type_error or nb::value_error naming the argument, what came and what was
 * expected
 */
void
checkArray(const ArrayView& view,
           const char* name,
           const nb::dlpack::dtype& type,
           std::initializer_list<std::int64_t> shape,
           int gap_axis);

/** \brief Returns whether an array has numbers of a type. */
template <typename Number>
bool
hasNumbers(const ArrayView& view)
{
  return view.type == nb::dtype<Number>();
}

/** \brief An array of the library over memory of Python's, which it keeps alive. */
template <typename Array>
struct Input {
  Array array;
  nb::object owner;

  operator const Array&() const { return array; }
  const Array&
  operator*() const
  {
    return array;
  }
  const Array*
  operator->() const
  {
    return &array;
  }
};

/** \brief Takes a list of elements: shape (n) or (n, numbers of an element). */
template <typename T>
Input<pcl::gpu::DeviceArray<T>>
listFrom(const ArrayView& view, const char* name)
{
  using Number = typename Element<T>::Number;
  if constexpr (Element<T>::count == 1)
    checkArray(view, name, nb::dtype<Number>(), {any_length}, -1);
  else
    checkArray(view, name, nb::dtype<Number>(), {any_length, Element<T>::count}, -1);
  const auto size = static_cast<std::size_t>(view.shape[0]);
  if (size == 0)
    return {};
  return {pcl::gpu::DeviceArray<T>(static_cast<T*>(view.data), size), view.owner};
}

template <typename T>
Input<pcl::gpu::DeviceArray<T>>
listFrom(const ArrayArgument& argument, const char* name)
{
  if (argument.isNone())
    return {};
  return listFrom<T>(viewOf(argument, name), name);
}

/** \brief Takes rows of numbers, as one list: shape (n, columns).
 * \param[in] columns may be any_length
 */
template <typename Number>
Input<pcl::gpu::DeviceArray<Number>>
rowsFrom(const ArrayView& view, const char* name, std::int64_t columns)
{
  checkArray(view, name, nb::dtype<Number>(), {any_length, columns}, -1);
  const auto size = static_cast<std::size_t>(view.shape[0] * view.shape[1]);
  if (size == 0)
    return {};
  return {pcl::gpu::DeviceArray<Number>(static_cast<Number*>(view.data), size),
          view.owner};
}

/** \brief Takes an image of elements: shape (rows, columns) or (rows, columns, numbers
 * of an element). Rows may be apart. */
template <typename T>
Input<pcl::gpu::DeviceArray2D<T>>
imageFrom(const ArrayView& view, const char* name)
{
  using Number = typename Element<T>::Number;
  if constexpr (Element<T>::count == 1)
    checkArray(view, name, nb::dtype<Number>(), {any_length, any_length}, 0);
  else
    checkArray(view,
               name,
               nb::dtype<Number>(),
               {any_length, any_length, Element<T>::count},
               0);
  const auto rows = static_cast<int>(view.shape[0]);
  const auto columns = static_cast<int>(view.shape[1]);
  if (rows == 0 || columns == 0)
    return {};
  const std::size_t step =
      rows == 1 ? columns * sizeof(T) : view.strides[0] * sizeof(Number);
  return {pcl::gpu::DeviceArray2D<T>(rows, columns, view.data, step), view.owner};
}

template <typename T>
Input<pcl::gpu::DeviceArray2D<T>>
imageFrom(const ArrayArgument& argument, const char* name)
{
  if (argument.isNone())
    return {};
  return imageFrom<T>(viewOf(argument, name), name);
}

/** \brief An array on a CUDA device that Python holds. Host arrays are NumPy's. */
struct CudaArray {
  void* data;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides; ///< numbers
  nb::dlpack::dtype type;
  int device;
  pcl::gpu::Stream stream; ///< on which it is filled
  std::shared_ptr<void> owner;
};

/** \brief An array that is returned: NumPy's on the host, else a CudaArray. Type
 * checkers know the one, and allow the other.
 * \tparam Number void: of any type
 */
template <typename Number>
struct ArrayResult {
  nb::object object;
};

/** \brief Returns an array to Python: NumPy's on the host, else a CudaArray. */
nb::object
toPython(const pcl::gpu::Device& device, CudaArray array);

/** \brief Returns the strides of an array whose numbers lie together. */
std::vector<std::int64_t>
denseStrides(const std::vector<std::int64_t>& shape);

/** \brief Returns memory whose numbers lie together to Python.
 * \param[in] owner of the memory
 */
nb::object
denseToPython(const pcl::gpu::Device& device,
              const void* data,
              const nb::dlpack::dtype& type,
              std::vector<std::int64_t> shape,
              std::shared_ptr<void> owner);

template <typename Number>
ArrayResult<Number>
denseToPython(const pcl::gpu::Device& device,
              const void* data,
              std::vector<std::int64_t> shape,
              std::shared_ptr<void> owner)
{
  return {denseToPython(
      device, data, nb::dtype<Number>(), std::move(shape), std::move(owner))};
}

/** \brief Type of the numbers of an array of the library. */
template <typename Array>
using NumberOf = typename Element<typename Array::type>::Number;

/** \brief Returns a list of elements to Python, which shares its memory. */
template <typename T>
ArrayResult<typename Element<T>::Number>
toPython(const pcl::gpu::DeviceArray<T>& array, std::shared_ptr<void> owner = nullptr)
{
  if (!owner)
    owner = std::make_shared<pcl::gpu::DeviceArray<T>>(array);
  std::vector<std::int64_t> shape{static_cast<std::int64_t>(array.size())};
  if (Element<T>::count > 1)
    shape.push_back(Element<T>::count);
  return denseToPython<typename Element<T>::Number>(
      pcl::gpu::deviceOf(array), array.ptr(), std::move(shape), std::move(owner));
}

/** \brief Returns an image of elements to Python, which shares its memory. */
template <typename T>
ArrayResult<typename Element<T>::Number>
toPython(const pcl::gpu::DeviceArray2D<T>& array, std::shared_ptr<void> owner = nullptr)
{
  using Number = typename Element<T>::Number;
  constexpr std::int64_t count = Element<T>::count;
  if (!owner)
    owner = std::make_shared<pcl::gpu::DeviceArray2D<T>>(array);
  CudaArray result{const_cast<T*>(array.ptr()),
                   {array.rows(), array.cols()},
                   {static_cast<std::int64_t>(array.step() / sizeof(Number)), count},
                   nb::dtype<Number>(),
                   0,
                   currentStream(),
                   std::move(owner)};
  if (count > 1) {
    result.shape.push_back(count);
    result.strides.push_back(1);
  }
  return {toPython(pcl::gpu::deviceOf(array), std::move(result))};
}

/** \brief Returns a list or image that has an owner, which may be itself; None if it is
 * empty. */
template <typename Array>
std::optional<ArrayResult<NumberOf<Array>>>
toPythonIfAny(const Array& array, std::shared_ptr<void> owner)
{
  if (array.empty())
    return std::nullopt;
  return toPython(array, std::move(owner));
}

/** \brief Returns a list of numbers to Python as rows of some each. */
template <typename Number>
ArrayResult<Number>
rowsToPython(const pcl::gpu::DeviceArray<Number>& array,
             std::int64_t columns,
             std::shared_ptr<void> owner)
{
  return denseToPython<Number>(
      pcl::gpu::deviceOf(array),
      array.ptr(),
      {static_cast<std::int64_t>(array.size()) / columns, columns},
      std::move(owner));
}

/** \brief Returns host numbers to Python, which owns them from then on. */
template <typename Number>
ArrayResult<Number>
toPython(std::vector<Number> numbers, std::vector<std::int64_t> shape)
{
  const auto owner = std::make_shared<std::vector<Number>>(std::move(numbers));
  return denseToPython<Number>(
      pcl::gpu::Device::host(), owner->data(), std::move(shape), owner);
}

/** \brief Arrays of the library that an object fills again and again, and Python may
 * still hold: a call takes a new one if Python holds the last one. */
template <typename Array>
class Output {
public:
  /** \brief Returns the array to be filled. */
  Array&
  next()
  {
    if (!array_ || array_.use_count() > 1)
      array_ = std::make_shared<Array>();
    return *array_;
  }

  /** \brief Returns the array as it was filled. */
  const std::shared_ptr<Array>&
  last() const
  {
    return array_;
  }

  /** \brief Returns the array as it was filled, to Python. */
  ArrayResult<NumberOf<Array>>
  result() const
  {
    return toPython(*array_, array_);
  }

private:
  std::shared_ptr<Array> array_;
};

} // namespace pcl_gpu_python

namespace nanobind::detail {

template <>
struct type_caster<pcl_gpu_python::ArrayArgument> {
  NB_TYPE_CASTER(pcl_gpu_python::ArrayArgument, const_name("pcl_gpu.typing.Array"))

  bool
  from_python(handle source, std::uint8_t, cleanup_list*) noexcept
  {
    value.object = borrow(source);
    return true;
  }

  static handle
  from_cpp(const pcl_gpu_python::ArrayArgument& argument,
           rv_policy,
           cleanup_list*) noexcept
  {
    return argument.object.inc_ref();
  }
};

/** \brief Returns the name that NumPy has for a type of numbers. */
template <typename Number>
constexpr auto
numpyName()
{
  if constexpr (std::is_void_v<Number>)
    return const_name("typing.Any");
  else if constexpr (std::is_same_v<Number, bool>)
    return const_name("numpy.bool_");
  else if constexpr (std::is_floating_point_v<Number>)
    return const_name("numpy.float") + const_name<8 * sizeof(Number)>();
  else if constexpr (std::is_signed_v<Number>)
    return const_name("numpy.int") + const_name<8 * sizeof(Number)>();
  else
    return const_name("numpy.uint") + const_name<8 * sizeof(Number)>();
}

template <typename Number>
struct type_caster<pcl_gpu_python::ArrayResult<Number>> {
  NB_TYPE_CASTER(pcl_gpu_python::ArrayResult<Number>,
                 const_name("numpy.typing.NDArray[") + numpyName<Number>() +
                     const_name("] | typing.Any"))

  bool
  from_python(handle, std::uint8_t, cleanup_list*) noexcept
  {
    return false;
  }

  static handle
  from_cpp(const pcl_gpu_python::ArrayResult<Number>& result,
           rv_policy,
           cleanup_list*) noexcept
  {
    return result.object.inc_ref();
  }
};

} // namespace nanobind::detail
