# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# The sources of rendered videos, for tests and benchmarks that link gpu_scenespace.
set(rendered_video_files "")
foreach(name IN ITEMS images patterns room textures video)
  list(APPEND rendered_video_files "${CMAKE_CURRENT_LIST_DIR}/rendered_${name}.cpp")
endforeach()
