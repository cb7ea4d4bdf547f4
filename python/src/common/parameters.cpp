// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/parameters.h"

namespace pcl_gpu_python {

std::string
typeNameOf(nb::handle value)
{
  if (value.is_none())
    return "typing.Any";
  const nb::handle type = value.type();
  const std::string module = nb::cast<std::string>(type.attr("__module__"));
  const std::string name = nb::cast<std::string>(type.attr("__qualname__"));
  if (module == "builtins") {
    if (name == "list" && nb::len(value) > 0)
      return "list[" + typeNameOf(nb::object(value[0])) + "]";
    return name == "list" || name == "dict" || name == "tuple" ? "typing.Any" : name;
  }
  if (module.rfind("numpy", 0) == 0)
    return "numpy.typing.ArrayLike";
  return module + "." + name;
}

void
throwWrongType(const std::string& name, nb::handle value, const std::string& expected)
{
  throw nb::type_error((name + ": got " + nb::cast<std::string>(nb::repr(value)) +
                        ", a " + typeNameOf(value) + "; expected " + expected)
                           .c_str());
}

void
throwUnknown(const std::string& name,
             const char* type,
             const std::vector<std::string>& known)
{
  std::string message = std::string(type) + " has no \"" + name + "\"; it has ";
  for (std::size_t i = 0; i < known.size(); ++i)
    message += (i > 0 ? ", " : "") + known[i];
  throw nb::type_error(message.c_str());
}

} // namespace pcl_gpu_python
