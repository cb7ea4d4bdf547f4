// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/PCLPointCloud2.h>
#include <pcl/pcl_exports.h>

#include <Eigen/Geometry>

#include <string>
#include <string_view>

namespace pcl::gpu {

/** \brief Contents of a PCD file. */
struct PcdFile {
  PCLPointCloud2 cloud;
  /** \brief Position of the sensor, from VIEWPOINT. */
  Eigen::Vector4f origin = Eigen::Vector4f::Zero();
  /** \brief Orientation of the sensor, from VIEWPOINT, as in the file. */
  Eigen::Quaternionf orientation = Eigen::Quaternionf::Identity();
};

/** \brief Reads a PCD file: text, binary or compressed.
 *
 * Checks each line of the header, and all sizes against the file. Skips a byte order
 * mark and unknown lines of the header. PCL's reader is not used: damaged headers crash
 * it, and it takes some short files for complete ones.
 * \param[in] file its name
 * \throws pcl::IOException naming the file and the problem, if it cannot be read or is
 * damaged
 */
PCL_EXPORTS PcdFile
readPcdFile(const std::string& file);

/** \brief Reads and checks the header of a PCD file, but not the points.
 * \param[in] file its name
 * \return the cloud without data
 * \throws pcl::IOException naming the file and the problem, if it cannot be read or is
 * damaged
 */
PCL_EXPORTS PcdFile
readPcdHeader(const std::string& file);

/** \brief Reads the bytes of a PCD file.
 * \param[in] bytes all of them
 * \throws pcl::IOException with the problem, if they are damaged
 */
PCL_EXPORTS PcdFile
parsePcd(std::string_view bytes);

} // namespace pcl::gpu
