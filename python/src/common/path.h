// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>

#include <filesystem>
#include <string>
#include <utility>

namespace pcl_gpu_python {

/** \brief The name of a file or a folder. */
struct PathArgument {
  std::filesystem::path path;

  std::string
  string() const
  {
    return path.string();
  }
};

} // namespace pcl_gpu_python

namespace nanobind::detail {

template <>
struct type_caster<pcl_gpu_python::PathArgument> {
  NB_TYPE_CASTER(pcl_gpu_python::PathArgument, const_name("str | os.PathLike[str]"))

  bool
  from_python(handle source, std::uint8_t flags, cleanup_list* cleanup) noexcept
  {
    type_caster<std::filesystem::path> caster;
    if (!caster.from_python(source, flags, cleanup))
      return false;
    value.path = std::move(caster.value);
    return true;
  }

  static handle
  from_cpp(const pcl_gpu_python::PathArgument& argument,
           rv_policy policy,
           cleanup_list* cleanup) noexcept
  {
    return type_caster<std::filesystem::path>::from_cpp(argument.path, policy, cleanup);
  }
};

} // namespace nanobind::detail
