// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/bvh.h>
#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/pcl_exports.h>

#include <string>

namespace pcl::gpu {

/** \brief Reads a body from a YAML, JSON or BVH file. Its extension is .yaml, .yml,
 * .json or .bvh.
 *
 * A YAML file (or JSON, with the same keys) lists joints, parents before their
 * children, and the capsules on them:
 * \code{.yaml}
 * joints:
 *   - name: Base                  # the first is the root: a name only
 *   - name: Shoulder
 *     parent: Base
 *     offset: [0, 0.3, 0]         # metres, in the parent's frame; 0 0 0 if absent
 *     angles:                     # none to three, applied in this order
 *       - axis: [0, 1, 0]
 *         limits: [-90, 90]       # degrees; none if absent
 *         deviation: 40           # degrees over one second; 57.3 if absent
 *       - axis: [1, 0, 0]
 * capsules:
 *   - name: Column
 *     joint: Base
 *     a: [0, 0, 0]                # metres, in the joint's frame
 *     b: [0, 0.3, 0]
 *     radius: 0.06                # metres; or one at each end: radii: [0.06, 0.04]
 * \endcode
 *
 * A YAML file may also take its joints from a BVH file, with capsules by
 * addBodyCapsules() and limits by setBodyLimits(). It then lists only changes. Its
 * capsules, if there are any, replace all of those:
 * \code{.yaml}
 * skeleton: walk.bvh              # in the folder of this file
 * scale: 0.05644                  # metres in its unit of length; 1 if absent
 * joints:
 *   - name: LeftLeg
 *     angles:                     # as many as the joint has; {} changes nothing
 *       - limits: [0, 0]
 *       - {}
 *       - {limits: [0, 150], deviation: 60}
 * \endcode
 *
 * A BVH file alone gets its capsules and limits in the same way. It has 5000 joints at
 * most.
 * \param[in] file its name
 * \param[in] options units of a BVH file; not used for others
 * \return the body
 * \throws pcl::IOException naming the file, the line, the key and the expected value
 * \throws pcl::BadArgumentException if an option is out of its range
 */
PCL_EXPORTS Skeleton
loadSkeleton(const std::string& file, const BvhOptions& options = {});

/** \brief Writes a body, with all its joints and capsules, to a YAML file that
 * loadSkeleton() reads. The file appears under its name when it is complete.
 * \param[in] file its name, which ends in .yaml or .yml
 * \param[in] skeleton a skeleton with a root
 * \throws pcl::BadArgumentException if there is no root, or the name has another ending
 * \throws pcl::IOException naming the file if it cannot be written
 */
PCL_EXPORTS void
saveSkeleton(const std::string& file, const Skeleton& skeleton);

} // namespace pcl::gpu
