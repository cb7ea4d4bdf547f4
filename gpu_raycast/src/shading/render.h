// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "shading/render.hpp"

struct CUstream_st;

// The steps of a picture, in this order.

namespace pcl::device {

/** \brief Shadow rays to one light. */
struct ShadowTask {
  RenderTask picture;
  int light;
  void* grid; ///< of the light, by makeLightGrid(); null: the hierarchy is asked
};

namespace host {

/** \brief Writes what task.picture.visible has for the light. */
void
testShadows(const ShadowTask& task);

/** \brief Writes task.open. */
void
occludeAmbientLight(const RenderTask& task);

/** \brief Writes the picture. */
void
shade(const RenderTask& task);

} // namespace host

namespace cuda {

void
testShadows(const ShadowTask& task, CUstream_st* stream);

void
occludeAmbientLight(const RenderTask& task, CUstream_st* stream);

void
shade(const RenderTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device
