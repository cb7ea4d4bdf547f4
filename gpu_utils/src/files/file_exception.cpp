// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "file_exception.h"

#include <pcl/exceptions.h>

namespace pcl::gpu {

void
throwFileException(const std::string& file,
                   const std::string& problem,
                   const std::string& expectation)
{
  PCL_THROW_EXCEPTION(IOException,
                      file << ": " << problem << ": expected " << expectation);
}

} // namespace pcl::gpu
