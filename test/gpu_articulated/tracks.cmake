# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# Recorded motions, tracked in what a simulated depth camera sees.
PCL_GPU_ADD_TEST(gpu_articulated_tracks test_gpu_articulated_tracks
  FILES test_tracks.cpp
  LINK_WITH testing_bodies
  LABELS data slow)
