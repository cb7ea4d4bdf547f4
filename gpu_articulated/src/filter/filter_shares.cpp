// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter/filter_share.h"

#include <algorithm>

namespace pcl::gpu {

void
createShares(FilterShares& shares,
             const std::vector<Device>& devices,
             const Skeleton::ConstPtr& skeleton,
             const PoseLimits& limits,
             std::uint32_t count,
             bool velocities,
             const Stream& stream)
{
  const std::size_t number = std::min<std::size_t>(devices.size(), count);
  const bool several = number > 1;
  const auto isOn = [](const FilterShare& share, const Device& device) {
    return share.device == device;
  };
  if (shares.size() != number ||
      !std::equal(shares.begin(), shares.end(), devices.begin(), isOn)) {
    shares.clear();
    shares.reserve(number);
    for (std::size_t i = 0; i < number; ++i)
      shares.emplace_back(devices[i]);
    for (FilterShare& share : shares) {
      if (!several)
        break;
      const ScopedDevice scope(share.device);
      share.stream = Stream::create();
      share.copies = Stream::create();
      share.gathered = Event::create();
      share.reached = Event::create();
      for (const FilterShare& other : shares)
        enablePeerAccess(share.device, other.device);
    }
  }
  shares.front().stream = stream;
  std::uint64_t begin = 0, part = 0;
  forEachShare(shares, [&](FilterShare& share) {
    const std::uint64_t end = ++part * count / number;
    const device::ParticleRange own = {static_cast<std::uint32_t>(begin),
                                       static_cast<std::uint32_t>(end - begin)};
    share.kinematics.setSkeleton(skeleton);
    share.create(limits, count, own, velocities);
    createOn(share.device, share.all_log_likelihoods, several ? count : 0);
    begin = end;
  });
}

void
startShares(FilterShares& shares, const Stream& stream)
{
  FilterShare& first = shares.front();
  first.stream = stream;
  if (shares.size() < 2)
    return;
  const ScopedDevice scope(first.device);
  first.reached.record(stream);
  for (std::size_t i = 1; i < shares.size(); ++i) {
    const ScopedDevice other_scope(shares[i].device);
    shares[i].stream.waitFor(first.reached);
  }
}

void
finishShares(FilterShares& shares)
{
  if (shares.size() < 2)
    return;
  for (std::size_t i = 1; i < shares.size(); ++i) {
    const ScopedDevice scope(shares[i].device);
    shares[i].reached.record(shares[i].stream);
  }
  const ScopedDevice scope(shares.front().device);
  for (std::size_t i = 1; i < shares.size(); ++i)
    shares.front().stream.waitFor(shares[i].reached);
}

void
exchangePoses(FilterShares& shares)
{
  if (shares.size() < 2)
    return;
  forEachShare(shares, [&](FilterShare& share) {
    share.reached.record(share.stream);
    share.copies.waitFor(share.reached);
    const device::ParticleRange& range = share.range;
    const auto send =
        [&](const DeviceArray<float>& from, DeviceArray<float>& to, std::size_t size) {
          copyAsync(from.ptr() + range.first * size,
                    to.ptr() + range.first * size,
                    range.count * size * sizeof(float),
                    share.copies);
        };
    for (FilterShare& other : shares) {
      if (&other == &share)
        continue;
      share.copies.waitFor(other.gathered);
      send(share.poses, other.poses, share.particles.space.size());
      if (!share.velocities.empty())
        send(share.velocities, other.velocities, share.particles.space.freedoms());
    }
  });
}

void
exchangeLogLikelihoods(FilterShares& shares)
{
  if (shares.size() < 2)
    return;
  forEachShare(shares, [&](FilterShare& share) {
    share.reached.record(share.stream);
    share.copies.waitFor(share.reached);
    for (FilterShare& other : shares)
      copyAsync(share.log_likelihoods.ptr(),
                other.all_log_likelihoods.ptr() + share.range.first,
                share.log_likelihoods.sizeBytes(),
                share.copies);
    share.reached.record(share.copies);
  });
  forEachShare(shares, [&](FilterShare& share) {
    for (const FilterShare& other : shares)
      share.stream.waitFor(other.reached);
  });
}

} // namespace pcl::gpu
