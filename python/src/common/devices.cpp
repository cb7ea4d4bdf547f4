// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/array.h"

#include <pcl/gpu/containers/initialization.h>

#include <nanobind/stl/string.h>

#include <memory>
#include <vector>

namespace pcl_gpu_python {

using pcl::gpu::Device;
using pcl::gpu::Stream;

namespace {

thread_local std::vector<std::unique_ptr<pcl::gpu::ScopedDevice>> devices;

Device
deviceOfName(const std::string& name)
{
  if (name == "host" || name == "cpu")
    return Device::host();
  if (name == "cuda")
    return Device::cuda(0);
  const std::string prefix = "cuda:";
  const std::string number = name.substr(std::min(prefix.size(), name.size()));
  if (name.rfind(prefix, 0) != 0 || number.empty() || number.size() > 4 ||
      number.find_first_not_of("0123456789") != std::string::npos)
    throw nb::value_error(
        ("name is \"" + name + "\": expected \"host\", \"cuda\" or \"cuda:N\"")
            .c_str());
  return Device::cuda(std::stoi(number));
}

} // namespace

void
bindDevices(nb::module_& module)
{
  nb::class_<Device>(module,
                     "Device",
                     "The host or a CUDA device. In a `with` block it is the device "
                     "that new arrays are on.")
      .def(
          "__init__",
          [](Device* self, const std::string& name) {
            new (self) Device(deviceOfName(name));
          },
          nb::arg("name"),
          "Takes \"host\", \"cuda\" (the first one) or \"cuda:N\".")
      .def_static("host", &Device::host, "Returns the host.")
      .def_static("cuda", &Device::cuda, nb::arg("id") = 0, "Returns a CUDA device.")
      .def_prop_ro("is_cuda", &Device::isCuda, "Whether this is a CUDA device.")
      .def_prop_ro("is_host", &Device::isHost, "Whether this is the host.")
      .def_prop_ro("id", &Device::id, "Number of the CUDA device.")
      .def_prop_ro("name", &Device::name, "\"host\", \"cuda:0\", ...")
      .def("__repr__",
           [](const Device& self) { return "Device(\"" + self.name() + "\")"; })
      .def("__eq__",
           [](const Device& self, nb::handle other) {
             return nb::isinstance<Device>(other) &&
                    self == nb::cast<const Device&>(other);
           })
      .def("__hash__",
           [](const Device& self) { return std::hash<std::string>()(self.name()); })
      .def("__getstate__", &Device::name)
      .def("__setstate__",
           [](Device& self, const std::string& name) {
             new (&self) Device(deviceOfName(name));
           })
      .def(
          "__enter__",
          [](nb::object self) {
            devices.push_back(std::make_unique<pcl::gpu::ScopedDevice>(
                nb::cast<const Device&>(self)));
            return self;
          },
          nb::sig("def __enter__(self) -> Device"))
      .def(
          "__exit__",
          [](const Device&, const nb::args&) { devices.pop_back(); },
          nb::sig("def __exit__(self, *exception: typing.Any) -> None"));

  nb::class_<Stream>(module,
                     "Stream",
                     "A queue of work on a CUDA device. Calls in a `with` block join "
                     "it, and return once their work is queued. Without one they join "
                     "the default stream. On the host it has no meaning.")
      .def(
          "__init__",
          [](Stream* self) { new (self) Stream(Stream::create()); },
          "Creates a stream on the current device.")
      .def_static(
          "from_handle",
          [](std::uintptr_t handle) {
            return Stream(reinterpret_cast<CUstream_st*>(handle));
          },
          nb::arg("handle"),
          "Refers to a stream that the caller owns, such as "
          "`torch.cuda.Stream().cuda_stream`; 0 is the default stream.")
      .def_prop_ro(
          "handle",
          [](const Stream& self) {
            return reinterpret_cast<std::uintptr_t>(self.get());
          },
          "Address of CUDA's stream; 0 for the default one.")
      .def("synchronize",
           &Stream::synchronize,
           nb::call_guard<nb::gil_scoped_release>(),
           "Waits until all work queued so far is done.")
      .def(
          "__enter__",
          [](nb::object self) {
            pushStream(nb::cast<const Stream&>(self));
            return self;
          },
          nb::sig("def __enter__(self) -> Stream"))
      .def(
          "__exit__",
          [](const Stream&, const nb::args&) { popStream(); },
          nb::sig("def __exit__(self, *exception: typing.Any) -> None"));

  module.def("current_device",
             &pcl::gpu::currentDevice,
             "Returns the device on which new arrays are.");
  module.def("cuda_device_count",
             &pcl::gpu::getCudaEnabledDeviceCount,
             "Returns the number of CUDA devices; 0 without a driver.");
  module.def("device_name",
             &pcl::gpu::getDeviceName,
             nb::arg("device") = 0,
             "Returns the name of a CUDA device.");
  module.def(
      "synchronize",
      [] {
        const Stream stream = currentStream();
        const nb::gil_scoped_release release;
        stream.synchronize();
      },
      "Waits until all work on the current stream is done.");
}

} // namespace pcl_gpu_python
