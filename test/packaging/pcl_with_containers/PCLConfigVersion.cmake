# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

include("${REAL_PCL_DIR}/PCLConfigVersion.cmake")
