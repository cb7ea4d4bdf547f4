// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_bucket_split.cuh"

template struct pcl::device::BucketSplit<std::uint32_t>;
