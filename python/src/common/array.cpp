// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/array.h"

#include "common/devices.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace pcl_gpu_python {

using pcl::gpu::Device;
using pcl::gpu::Stream;

namespace {

std::string
nameOf(const nb::dlpack::dtype& type)
{
  using Code = nb::dlpack::dtype_code;
  const std::string bits = std::to_string(type.bits);
  switch (static_cast<Code>(type.code)) {
  case Code::Int:
    return "int" + bits;
  case Code::UInt:
    return "uint" + bits;
  case Code::Float:
    return "float" + bits;
  case Code::Bool:
    return "bool";
  case Code::Complex:
    return "complex" + bits;
  default:
    return "another type of number";
  }
}

template <typename Lengths>
std::string
shapeName(const Lengths& shape)
{
  std::string name = "(";
  for (const std::int64_t length : shape)
    name += (name.size() > 1 ? ", " : "") +
            (length == any_length ? "n" : std::to_string(length));
  return name + (shape.size() == 1 ? ",)" : ")");
}

std::string
description(const ArrayView& view)
{
  return nameOf(view.type) + " of shape " + shapeName(view.shape) + " on " +
         view.device.name();
}

/** \brief Returns the number that DLPack and `__cuda_array_interface__` have for a
 * stream: 1 for the default one. */
std::intptr_t
numberOf(const Stream& stream)
{
  return stream.get() ? reinterpret_cast<std::intptr_t>(stream.get()) : 1;
}

/** \brief Returns the stream of a number; that of None, 0, 1 and 2 is the default one.
 */
Stream
streamOf(const nb::object& number)
{
  if (number.is_none())
    return {};
  const auto value = nb::cast<std::intptr_t>(number);
  return value <= 2 ? Stream() : Stream(reinterpret_cast<CUstream_st*>(value));
}

/** \brief Makes later work on a stream wait for the present work of another one. */
void
order(const Device& device, const Stream& first, const Stream& then)
{
  if (first.get() == then.get())
    return;
  const pcl::gpu::ScopedDevice scope(device);
  const auto event = pcl::gpu::Event::create();
  event.record(first);
  then.waitFor(event);
}

/** \brief Views an array that only has `__cuda_array_interface__`. */
ArrayView
viewOfInterface(const nb::object& array, const char* name)
{
  const nb::dict interface = nb::cast<nb::dict>(array.attr("__cuda_array_interface__"));
  ArrayView view;
  view.owner = array;
  const nb::tuple data = nb::cast<nb::tuple>(interface["data"]);
  view.data = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(data[0]));
  const std::string text = nb::cast<std::string>(interface["typestr"]);
  const auto bytes = static_cast<std::uint8_t>(std::stoi(text.substr(2)));
  const std::string_view kinds = "iufcb";
  using Code = nb::dlpack::dtype_code;
  constexpr Code codes[] = {
      Code::Int, Code::UInt, Code::Float, Code::Complex, Code::Bool};
  const std::size_t kind = kinds.find(text[1]);
  if (kind == std::string_view::npos)
    throw nb::type_error((std::string(name) + ": got numbers of type " + text).c_str());
  view.type = {
      static_cast<std::uint8_t>(codes[kind]), static_cast<std::uint8_t>(8 * bytes), 1};
  view.shape = nb::cast<std::vector<std::int64_t>>(interface["shape"]);
  view.strides = denseStrides(view.shape);
  if (interface.contains("strides") && !interface["strides"].is_none()) {
    const nb::object strides = interface["strides"];
    for (std::size_t i = 0; i < view.shape.size(); ++i)
      view.strides[i] = nb::cast<std::int64_t>(strides[i]) / bytes;
  }
  view.device = pcl::gpu::deviceOf(view.data);
  if (interface.contains("stream") && !interface["stream"].is_none())
    order(view.device, streamOf(nb::object(interface["stream"])), currentStream());
  return view;
}

/** \brief DLPack's table of functions of a package, which spares calls of Python:
 * DLPackExchangeAPI of DLPack 1.2. */
struct ExchangeTable {
  std::uint32_t major, minor;
  const void* former;
  const void* make;
  const void* take;
  const void* give;
  int (*view)(void* object, nb::dlpack::dltensor* tensor);
  int (*currentStream)(std::int32_t device_type, std::int32_t device, void** stream);
};

/** \brief Views an array of a package that has an ExchangeTable.
 * \return false if it has none
 */
bool
viewByTable(const nb::object& array, ArrayView& view)
{
  const nb::object capsule =
      nb::getattr(array.type(), "__dlpack_c_exchange_api__", nb::none());
  constexpr const char* name = "dlpack_exchange_api";
  if (capsule.is_none() || !PyCapsule_IsValid(capsule.ptr(), name))
    return false;
  const auto* const table =
      static_cast<const ExchangeTable*>(PyCapsule_GetPointer(capsule.ptr(), name));
  nb::dlpack::dltensor tensor;
  if (table->major != 1 || !table->view)
    return false;
  if (table->view(array.ptr(), &tensor) != 0)
    throw nb::python_error();
  const int type = tensor.device.device_type;
  if (type == nb::device::cuda::value) {
    view.device = Device::cuda(tensor.device.device_id);
    void* stream = nullptr;
    if (table->currentStream(type, tensor.device.device_id, &stream) != 0)
      throw nb::python_error();
    order(view.device, Stream(static_cast<CUstream_st*>(stream)), currentStream());
  }
  else if (type != nb::device::cpu::value)
    return false;
  view.data = static_cast<char*>(tensor.data) + tensor.byte_offset;
  view.type = tensor.dtype;
  view.shape.assign(tensor.shape, tensor.shape + tensor.ndim);
  if (tensor.strides)
    view.strides.assign(tensor.strides, tensor.strides + tensor.ndim);
  else
    view.strides = denseStrides(view.shape);
  view.owner = array;
  return true;
}

/** \brief Casts to NumPy's array, or to an object with `__dlpack__`. */
template <typename... Options>
nb::object
castArray(const CudaArray& array, int device_type, nb::handle owner)
{
  std::vector<std::size_t> shape(array.shape.begin(), array.shape.end());
  return nb::cast(nb::ndarray<Options...>(array.data,
                                          shape.size(),
                                          shape.data(),
                                          owner,
                                          array.strides.data(),
                                          array.type,
                                          device_type,
                                          array.device));
}

} // namespace

ArrayView
viewOf(const ArrayArgument& argument, const char* name)
{
  const nb::object& object = argument.object;
  nb::ndarray<nb::ro> array;
  nb::object source = object;
  if (nb::isinstance<CudaArray>(object)) {
    const CudaArray& own = nb::cast<const CudaArray&>(object);
    order(Device::cuda(own.device), own.stream, currentStream());
    return {
        own.data, own.shape, own.strides, own.type, Device::cuda(own.device), object};
  }
  ArrayView view;
  if (viewByTable(object, view))
    return view;
  if (nb::hasattr(object, "__dlpack_device__")) {
    const nb::tuple place = nb::cast<nb::tuple>(object.attr("__dlpack_device__")());
    const int kind = nb::cast<int>(place[0]);
    if (kind == nb::device::cuda::value || kind == nb::device::cuda_managed::value)
      source = object.attr("__dlpack__")(nb::arg("stream") = numberOf(currentStream()));
  }
  else if (nb::hasattr(object, "__cuda_array_interface__"))
    return viewOfInterface(object, name);
  if (!nb::try_cast(source, array))
    throw nb::type_error((std::string(name) + ": got " +
                          nb::cast<std::string>(object.type().attr("__name__")) +
                          "; expected an array (NumPy, or anything with DLPack or "
                          "__cuda_array_interface__)")
                             .c_str());
  view.data = const_cast<void*>(array.data());
  view.type = array.dtype();
  for (std::size_t i = 0; i < array.ndim(); ++i) {
    view.shape.push_back(static_cast<std::int64_t>(array.shape(i)));
    view.strides.push_back(array.stride(i));
  }
  if (array.device_type() == nb::device::cuda::value)
    view.device = Device::cuda(array.device_id());
  else if (array.device_type() == nb::device::cuda_managed::value)
    view.device = pcl::gpu::deviceOf(view.data);
  else if (array.device_type() != nb::device::cpu::value &&
           array.device_type() != nb::device::cuda_host::value)
    throw nb::value_error((std::string(name) +
                           ": got an array on a device that is neither the host nor "
                           "CUDA's")
                              .c_str());
  // The view's array keeps a DLPack capsule alive, the object a buffer.
  view.owner = nb::make_tuple(object, source);
  if (!source.is(object))
    view.owner = nb::cast(array, nb::rv_policy::reference);
  return view;
}

void
checkOnHost(const ArrayView& view, const char* name)
{
  if (view.device.isCuda())
    throw nb::value_error((std::string(name) + ": got an array on " +
                           view.device.name() + "; expected one on the host")
                              .c_str());
}

ArrayView
hostViewOf(const ArrayArgument& argument, const char* name)
{
  ArrayView view = viewOf(argument, name);
  checkOnHost(view, name);
  return view;
}

void
checkArray(const ArrayView& view,
           const char* name,
           const nb::dlpack::dtype& type,
           std::initializer_list<std::int64_t> shape,
           int gap_axis)
{
  const auto message = [&](const std::string& suffix) {
    return std::string(name) + ": got " + description(view) + suffix + "; expected " +
           nameOf(type) + " of shape " + shapeName(shape);
  };
  if (view.type != type)
    throw nb::type_error(message("").c_str());
  bool fits = view.shape.size() == shape.size();
  for (std::size_t i = 0; i < shape.size() && fits; ++i)
    fits = shape.begin()[i] == any_length || shape.begin()[i] == view.shape[i];
  if (!fits)
    throw nb::value_error(message("").c_str());
  // An array without numbers may have any strides: NumPy gives 0 to DLPack.
  if (std::find(view.shape.begin(), view.shape.end(), 0) != view.shape.end())
    return;
  std::int64_t together = 1; // stride of an axis whose elements lie together
  for (std::size_t i = shape.size(); i-- > 0;) {
    const bool may_gap = static_cast<int>(i) == gap_axis;
    if (view.shape[i] > 1 &&
        !(view.strides[i] == together || (may_gap && view.strides[i] > together)))
      throw nb::value_error(message(" whose numbers do not lie together (strides " +
                                    shapeName(view.strides) + ")")
                                .c_str());
    together *= view.shape[i];
  }
  constexpr std::uintptr_t point_alignment = 16;
  const bool is_point =
      shape.size() > 1 && type == nb::dtype<float>() && *(shape.end() - 1) % 4 == 0;
  if (is_point && reinterpret_cast<std::uintptr_t>(view.data) % point_alignment != 0)
    throw nb::value_error(message(" that is not aligned to 16 bytes").c_str());
}

nb::object
toPython(const Device& device, CudaArray array)
{
  if (device.isCuda()) {
    array.device = device.id();
    return nb::cast(std::move(array));
  }
  const auto owner = new std::shared_ptr<void>(std::move(array.owner));
  const nb::capsule capsule(
      owner, [](void* p) noexcept { delete static_cast<std::shared_ptr<void>*>(p); });
  return castArray<nb::numpy>(array, nb::device::cpu::value, capsule);
}

std::vector<std::int64_t>
denseStrides(const std::vector<std::int64_t>& shape)
{
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

nb::object
denseToPython(const Device& device,
              const void* data,
              const nb::dlpack::dtype& type,
              std::vector<std::int64_t> shape,
              std::shared_ptr<void> owner)
{
  std::vector<std::int64_t> strides = denseStrides(shape);
  return toPython(device,
                  {const_cast<void*>(data),
                   std::move(shape),
                   std::move(strides),
                   type,
                   0,
                   currentStream(),
                   std::move(owner)});
}

void
bindCudaArray(nb::module_& module)
{
  nb::class_<CudaArray>(module,
                        "CudaArray",
                        "Array on a CUDA device. PyTorch, CuPy, JAX and Warp take it "
                        "without a copy, by DLPack or `__cuda_array_interface__`.")
      .def_prop_ro(
          "shape",
          [](const CudaArray& array) { return nb::tuple(nb::cast(array.shape)); },
          nb::sig("def shape(self) -> tuple[int, ...]"),
          "Lengths of the axes.")
      .def_prop_ro(
          "strides",
          [](const CudaArray& array) {
            std::vector<std::int64_t> bytes = array.strides;
            for (std::int64_t& stride : bytes)
              stride *= array.type.bits / 8;
            return nb::tuple(nb::cast(bytes));
          },
          nb::sig("def strides(self) -> tuple[int, ...]"),
          "Bytes from an element to the next one, for each axis.")
      .def_prop_ro(
          "dtype",
          [](const CudaArray& array) { return nameOf(array.type); },
          "Name of the type of the numbers, such as \"float32\".")
      .def_prop_ro(
          "device",
          [](const CudaArray& array) { return Device::cuda(array.device); },
          "Device of the memory.")
      .def("__len__", [](const CudaArray& array) { return array.shape.front(); })
      .def("__repr__",
           [](const CudaArray& array) {
             return "<CudaArray of " + nameOf(array.type) + ", shape " +
                    shapeName(array.shape) + ", on " +
                    Device::cuda(array.device).name() + ">";
           })
      .def(
          "numpy",
          [](const CudaArray& array) {
            const Device device = Device::cuda(array.device);
            const pcl::gpu::ScopedDevice scope(device);
            array.stream.synchronize();
            // Gaps within an element of the first axis are copied, too.
            std::int64_t numbers = 1;
            for (std::size_t i = 1; i < array.shape.size(); ++i)
              numbers = array.shape[i] == 0 || numbers == 0
                            ? 0
                            : numbers + (array.shape[i] - 1) * array.strides[i];
            const std::int64_t bytes = numbers * array.type.bits / 8;
            const std::int64_t rows = array.shape.front();
            const std::int64_t step = array.strides.front() * array.type.bits / 8;
            auto memory = std::make_shared<std::vector<std::uint8_t>>(rows * bytes);
            if (!memory->empty())
              pcl::gpu::DeviceArray2D<std::uint8_t>(static_cast<int>(rows),
                                                    static_cast<int>(bytes),
                                                    array.data,
                                                    static_cast<std::size_t>(step))
                  .download(memory->data(), static_cast<std::size_t>(bytes));
            CudaArray host = array;
            host.data = memory->data();
            host.owner = memory;
            host.strides.front() = numbers;
            return ArrayResult<void>{toPython(Device::host(), std::move(host))};
          },
          "Copies the array to NumPy, when the work that fills it is done.")
      .def("__dlpack_device__",
           [](const CudaArray& array) {
             return std::pair<int, int>(nb::device::cuda::value, array.device);
           })
      .def(
          "__dlpack__",
          [](nb::handle self,
             const nb::object& stream,
             const nb::object& copy,
             const nb::kwargs&) {
            const CudaArray& array = nb::cast<const CudaArray&>(self);
            if (copy.is(nb::handle(Py_True)))
              throw nb::buffer_error("copy is True: expected False or None");
            constexpr std::intptr_t no_order = -1;
            if (stream.is_none() || nb::cast<std::intptr_t>(stream) != no_order)
              order(Device::cuda(array.device), array.stream, streamOf(stream));
            return castArray<>(array, nb::device::cuda::value, self);
          },
          nb::kw_only(),
          nb::arg("stream").none() = nb::none(),
          nb::arg("copy").none() = nb::none(),
          nb::arg("options"),
          nb::sig(
              "def __dlpack__(self, *, stream: int | None = None, copy: bool | None "
              "= None, **options: typing.Any) -> typing.Any"),
          "Returns a DLPack capsule. Work that is queued on the stream from then on "
          "comes after the work that fills the array.")
      .def_prop_ro(
          "__cuda_array_interface__",
          [](const CudaArray& array) {
            nb::dict interface;
            std::vector<std::int64_t> strides = array.strides;
            for (std::int64_t& stride : strides)
              stride *= array.type.bits / 8;
            const char kinds[] = "iuf?cb";
            interface["shape"] = nb::tuple(nb::cast(array.shape));
            interface["typestr"] = std::string("<") + kinds[array.type.code] +
                                   std::to_string(array.type.bits / 8);
            interface["data"] =
                nb::make_tuple(reinterpret_cast<std::uintptr_t>(array.data), false);
            interface["strides"] = nb::tuple(nb::cast(strides));
            interface["stream"] = numberOf(array.stream);
            interface["version"] = 3;
            return interface;
          },
          nb::sig("def __cuda_array_interface__(self) -> dict[str, typing.Any]"),
          "Description of the memory for Numba, CuPy and others.");
}

} // namespace pcl_gpu_python
