// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

/** \brief One copy of a function for any processor and one for those with wider registers,
 * chosen when the library is loaded. Everything is inlined, to be part of the copies. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define PCL_GPU_FOR_EACH_PROCESSOR                                                     \
  __attribute__((target_clones("avx2", "default"), flatten))
#else
#define PCL_GPU_FOR_EACH_PROCESSOR
#endif
