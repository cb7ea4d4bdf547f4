// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Data sets of the BOP benchmark (bop.felk.cvut.cz), in its format. JSON files
 * and meshes may be compressed by xz: scene_gt.json.xz is read if scene_gt.json is
 * missing. Lengths in files are millimetres, here metres.
 */

#pragma once

#include "testing/host_mesh.h"
#include "testing/image.h"

#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>

#include <map>
#include <string>
#include <vector>

namespace benchmarks {

/** \brief A mesh obj_NNNNNN.ply of a folder of models. */
struct BopMesh {
  int object; ///< obj_id: its number
  pcl::gpu::test::HostMesh mesh;
};

/** \brief An object's entry of models_info.json. */
struct BopObjectInfo {
  float diameter;
  bool is_symmetric; ///< has symmetries, discrete or continuous ones
};

/** \brief An object in an image: the truth. */
struct BopInstance {
  int object;          ///< obj_id
  pcl::gpu::Pose pose; ///< maps the model into the frame of the camera
  float visible;       ///< visib_fract: visible share of its pixels
};

/** \brief An image of a scene. */
struct BopImage {
  int number;                     ///< im_id
  pcl::gpu::PinholeCamera camera; ///< without a size
  float depth_unit;               ///< of the depth image's values, metres
  std::vector<BopInstance> instances;
};

/** \brief Returns whether a file or folder exists, or its packed file. */
bool
existsInBop(const std::string& path);

/** \brief Reads the intrinsics and the size of camera.json.
 * \throws std::runtime_error naming the file, as all functions here
 */
pcl::gpu::PinholeCamera
readBopCamera(const std::string& path);

/** \brief Reads all meshes of a folder, by their numbers. */
std::vector<BopMesh>
readBopMeshes(const std::string& folder);

/** \brief Reads models_info.json, in a folder of meshes or in the folder above.
 * \return entries of the meshes' objects by obj_id
 */
std::map<int, BopObjectInfo>
readBopModelsInfo(const std::string& folder, const std::vector<BopMesh>& meshes);

/** \brief Reads scene_gt.json, scene_gt_info.json and scene_camera.json.
 * \param[in] folder of a scene
 * \return images by their numbers
 */
std::vector<BopImage>
readBopScene(const std::string& folder);

/** \brief Reads a depth image.
 * \return metres; NaN where it is 0
 */
pcl::gpu::test::Image<float>
readBopDepth(const std::string& path, float unit);

/** \brief Returns the path of FOLDER/depth/000003.png. */
std::string
bopDepthPath(const std::string& folder, int image);

} // namespace benchmarks
