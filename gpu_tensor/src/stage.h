// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "device/matching_driver.h"
#include "device/recognition_driver.h"
#include "device/tensor_driver.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/tensor/types.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>

#include <cstddef>

// What the module's API classes have in common.

namespace pcl::gpu {

/** \brief The driver for memory that lives on \a device. */
const device::TensorDriver&
tensorDriver(const Device& device);

const device::MatchingDriver&
matchingDriver(const Device& device);

const device::RecognitionDriver&
recognitionDriver(const Device& device);

/** \brief The driver's view of tensors. */
device::TensorView
viewOf(const TensorSet& tensors);

/** \brief Checks that all arrays of tensors live on a device; see checkDevice().
 * \param[in] expected_name what the first input is called
 */
void
checkTensorsDevice(const TensorSet& tensors,
                   const char* expected_name,
                   const Device& expected);

/** \brief The bins that all angles from 0 to pi fall into. */
device::AngleBins
angleBins(float width);

/** \brief Memory for a run; what is kept is zero when it is new.
 * \param[in] forget whether what the run before kept is of no use to this one
 */
device::ScratchMemory
takeScratch(const device::TensorDriver& driver,
            const device::ScratchBytes& bytes,
            bool forget,
            Workspace& kept,
            Workspace& loose,
            const Stream& stream);

} // namespace pcl::gpu
