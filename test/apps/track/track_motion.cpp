// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "apps/track/track_motion.h"

#include <sstream>

namespace pcl::gpu::test {

std::string
armsMotion(int frames)
{
  std::ostringstream out;
  out << R"(HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT LeftUpLeg
  {
    OFFSET 0.09 -0.05 0
    CHANNELS 0
    JOINT LeftLeg
    {
      OFFSET 0 -0.42 0
      CHANNELS 0
      End Site
      {
        OFFSET 0 -0.40 0
      }
    }
  }
  JOINT RightUpLeg
  {
    OFFSET -0.09 -0.05 0
    CHANNELS 0
    JOINT RightLeg
    {
      OFFSET 0 -0.42 0
      CHANNELS 0
      End Site
      {
        OFFSET 0 -0.40 0
      }
    }
  }
  JOINT Spine
  {
    OFFSET 0 0.2 0
    CHANNELS 0
    JOINT Neck
    {
      OFFSET 0 0.3 0
      CHANNELS 0
      JOINT Head
      {
        OFFSET 0 0.1 0
        CHANNELS 0
        End Site
        {
          OFFSET 0 0.15 0
        }
      }
    }
    JOINT LeftArm
    {
      OFFSET 0.18 0.25 0
      CHANNELS 1 Zrotation
      JOINT LeftForeArm
      {
        OFFSET 0.28 0 0
        CHANNELS 1 Zrotation
        End Site
        {
          OFFSET 0.35 0 0
        }
      }
    }
    JOINT RightArm
    {
      OFFSET -0.18 0.25 0
      CHANNELS 1 Zrotation
      JOINT RightForeArm
      {
        OFFSET -0.28 0 0
        CHANNELS 1 Zrotation
        End Site
        {
          OFFSET -0.35 0 0
        }
      }
    }
  }
}
MOTION
)"
      << "Frames: " << frames << "\nFrame Time: 0.0166667\n";
  for (int i = 0; i < frames; ++i)
    out << 0.002 * i << " 1 0 0 0 0 " << -60 + i << " " << i << " " << 60 - i << " "
        << -i << "\n";
  return out.str();
}

} // namespace pcl::gpu::test
