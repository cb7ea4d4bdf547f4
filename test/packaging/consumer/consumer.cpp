// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/containers/device_array.h>

#include <iostream>
#include <vector>

int
main()
{
  const std::vector<float> sent{1.0f, 2.0f, 3.0f};
  pcl::gpu::DeviceArray<float> array;
  array.upload(sent);

  std::vector<float> received;
  array.download(received);
  std::cout << "received " << received.size() << " of " << sent.size() << " values\n";
  return received == sent ? 0 : 1;
}
