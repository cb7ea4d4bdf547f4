// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../gpu_tensor/experiments/recognition_scenes.h"

namespace benchmarks {

/** \brief Gives a depth map the errors of a structured-light camera (Kinect v1,
 * PrimeSense), as a recorded image of LM-O has them.
 *
 * Such a camera compares patches of its infrared image. Errors of neighbouring pixels
 * are therefore alike, edges are ragged and things wider than they are:
 *  - Each pixel looks at another one nearby. The offset has a standard deviation of
 *    0.9 pixels in rows and columns, and of pixels that are d apart a correlation of
 *    exp(-d^2 / 36).
 *  - The nearest depth within a pixel of there is seen.
 *  - At a depth of z metres it gets an error of 2.2e-3 z^2 m with a correlation of
 *    exp(-d^2 / 64), one of 1.2e-3 z^2 m with exp(-d^2 / 6), and one of 2.5e-3 z^2 m
 *    that hardly changes over an object, for the calibration of the camera.
 *  - It is rounded to steps of 0.00285 z^2 m, which are even steps of 1 / z.
 *  - Pixels next to a jump are lost here and there, and those of surfaces that are seen
 *    from less than 8 degrees.
 *
 * \param[in] depth metres, NaN where nothing is measured
 * \param[in] factor of all of these; 0: none
 */
pcl::gpu::test::Image<float>
withSensorNoise(const pcl::gpu::test::Image<float>& depth,
                Random& random,
                double factor);

} // namespace benchmarks
