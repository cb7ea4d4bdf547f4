// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/errors.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/containers/device_exception.h>

#include <nanobind/stl/string.h>

#include <exception>
#include <string>

namespace pcl_gpu_python {

namespace nb = nanobind;

namespace {

/** \brief The exceptions of Python's, which live as long as the interpreter. */
struct Errors {
  PyObject *pcl, *bad_argument, *io, *device, *out_of_memory;
};

Errors errors;

void
translate(const std::exception_ptr& exception, void*)
{
  try {
    std::rethrow_exception(exception);
  }
  catch (const pcl::gpu::DeviceOutOfMemoryException& e) {
    PyErr_SetString(errors.out_of_memory, pcl::gpu::plainMessage(e).c_str());
  }
  catch (const pcl::gpu::DeviceException& e) {
    PyErr_SetString(errors.device, pcl::gpu::plainMessage(e).c_str());
  }
  catch (const pcl::BadArgumentException& e) {
    PyErr_SetString(errors.bad_argument, pcl::gpu::plainMessage(e).c_str());
  }
  catch (const pcl::IOException& e) {
    PyErr_SetString(errors.io, pcl::gpu::plainMessage(e).c_str());
  }
  catch (const pcl::PCLException& e) {
    PyErr_SetString(errors.pcl, pcl::gpu::plainMessage(e).c_str());
  }
}

} // namespace

void
bindErrors(nb::module_& module)
{
  const auto add = [&](const char* name, const nb::object& bases, const char* doc) {
    const nb::object type = nb::steal(PyErr_NewExceptionWithDoc(
        (nb::cast<std::string>(module.attr("__name__")) + "." + name).c_str(),
        doc,
        bases.ptr(),
        nullptr));
    module.attr(name) = type;
    return nb::object(type).release().ptr();
  };
  const nb::handle value_error = PyExc_ValueError, os_error = PyExc_OSError,
                   runtime_error = PyExc_RuntimeError, memory_error = PyExc_MemoryError;
  errors.pcl = add("PCLError", nb::borrow(runtime_error), "Failure of the library.");
  const nb::handle pcl_error = errors.pcl;
  errors.bad_argument = add("BadArgumentError",
                            nb::make_tuple(pcl_error, value_error),
                            "A parameter has a value that it cannot have.");
  errors.io = add("FileError",
                  nb::make_tuple(pcl_error, os_error),
                  "A file cannot be read or written.");
  errors.device = add("DeviceError", nb::borrow(pcl_error), "A device failed.");
  const nb::handle device_error = errors.device;
  errors.out_of_memory = add("DeviceOutOfMemoryError",
                             nb::make_tuple(device_error, memory_error),
                             "A device has not enough memory.");
  nb::register_exception_translator(&translate);
}

void
checkSignals()
{
  const nb::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0)
    throw nb::python_error();
}

} // namespace pcl_gpu_python
