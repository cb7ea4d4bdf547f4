// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/kernel_containers.h>

/** \brief Sets the elements of an image on the current CUDA device to 100 y + x, and
 * the elements of an array to the image's rows, one after the other; waits for it.
 * \param[out] image device image
 * \param[out] array as many elements
 */
void
fillRows(pcl::gpu::PtrStepSz<int> image, pcl::gpu::PtrSz<int> array);

/** \brief An error that no one has asked for yet.
 * \return CUDA's number of the error, 0 for none
 */
int
pendingCudaError();

/** \brief Page-locked host memory.
 * \param[in] bytes size
 * \return the memory
 */
void*
allocatePinned(unsigned bytes);

/** \brief Memory that the host and the devices share.
 * \param[in] bytes size
 * \return the memory
 */
void*
allocateManaged(unsigned bytes);

/** \brief Frees allocatePinned().
 * \param[in] memory the memory
 */
void
freePinned(void* memory);

/** \brief Frees allocateManaged().
 * \param[in] memory the memory
 */
void
freeManaged(void* memory);
