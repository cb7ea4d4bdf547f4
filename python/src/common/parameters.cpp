// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/parameters.h"

namespace pcl_gpu_python {

std::string
spelled(nb::handle type)
{
  const std::string module = nb::cast<std::string>(type.attr("__module__"));
  const std::string name = nb::cast<std::string>(type.attr("__qualname__"));
  if (module == "builtins")
    return name == "NoneType" ? "None" : name;
  if (module.rfind("numpy", 0) == 0)
    return "numpy.typing.ArrayLike";
  return module + "." + name;
}

std::string
argumentTypeOf(std::string type)
{
  if (type == "list[float]" || type == "list[int]")
    return "collections.abc." + type.replace(0, 4, "Sequence") +
           " | numpy.typing.NDArray[typing.Any]";
  const std::string list = "list[", sequence = "collections.abc.Sequence[";
  for (std::size_t i = 0; (i = type.find(list, i)) != std::string::npos;
       i += sequence.size())
    type.replace(i, list.size(), sequence);
  return type;
}

std::string
resultTypeOf(std::string type)
{
  const std::string matrix = "numpy.typing.ArrayLike";
  if (type.rfind(matrix, 0) == 0)
    type.replace(0, matrix.size(), "numpy.typing.NDArray[numpy.float32]");
  return type;
}

void
throwWrongType(const std::string& name, nb::handle value, const std::string& expected)
{
  throw nb::type_error((name + ": got " + nb::cast<std::string>(nb::repr(value)) +
                        ", a " + spelled(value.type()) + "; expected " + expected)
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
