// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter/filter_share.h"

#include <algorithm>
#include <cstddef>

namespace pcl::gpu {

void
createShares(FilterShares& shares,
             const std::vector<Device>& devices,
             Communicator* communicator,
             const Skeleton::ConstPtr& skeleton,
             const PoseParticleFilterParameters& parameters,
             const Stream& stream)
{
  const std::uint32_t count = islandSize(parameters);
  const std::size_t number = std::min<std::size_t>(devices.size(), count);
  const bool several = number > 1;
  const auto isOn = [](const FilterShare& share, const Device& device) {
    return share.device == device;
  };
  const auto last = devices.begin() + static_cast<std::ptrdiff_t>(number);
  if (!std::equal(shares.begin(), shares.end(), devices.begin(), last, isOn)) {
    shares = FilterShares(devices.begin(), last);
    if (several)
      forEachShare(shares, [&](FilterShare& share) {
        share.stream = Stream::create();
        share.copies = Stream::create();
        share.gathered = Event::create();
        share.reached = Event::create();
        for (const FilterShare& other : shares)
          enablePeerAccess(share.device, other.device);
      });
  }
  shares.front().stream = stream;
  const auto rangeOf = [](std::uint64_t begin, std::uint64_t end) {
    return device::ParticleRange{static_cast<std::uint32_t>(begin),
                                 static_cast<std::uint32_t>(end - begin)};
  };
  const bool splits = splitsIslands(parameters, communicator);
  std::uint64_t begin = 0, part = 0;
  forEachShare(shares, [&](FilterShare& share) {
    const std::uint64_t end = ++part * count / number;
    const device::ParticleRange moved = rangeOf(begin, end);
    device::ParticleRange compared = moved;
    if (splits) {
      const std::vector<std::size_t> starts = communicator->shares(count);
      const int rank = communicator->rank();
      compared = rangeOf(starts[rank], starts[rank + 1]);
    }
    share.communicator = communicator;
    share.kinematics.setSkeleton(skeleton);
    share.create(parameters, moved, compared);
    createOn(share.device, share.all_log_likelihoods, several || splits ? count : 0);
    begin = end;
  });
}

void
startShares(FilterShares& shares, const Stream& stream)
{
  FilterShare& first = shares.front();
  first.stream = stream;
  const ScopedDevice scope(first.device);
  first.reached.record(stream);
  forEachShare(shares,
               [&](FilterShare& share) { share.stream.waitFor(first.reached); });
}

void
finishShares(FilterShares& shares)
{
  forEachShare(shares, [](FilterShare& share) { share.reached.record(share.stream); });
  const ScopedDevice scope(shares.front().device);
  for (const FilterShare& share : shares)
    shares.front().stream.waitFor(share.reached);
}

void
exchangePoses(FilterShares& shares)
{
  forEachShare(shares, [&](FilterShare& share) {
    share.reached.record(share.stream);
    share.copies.waitFor(share.reached);
    const device::ParticleRange& range = share.moved;
    const auto send = [&](const float* from, float* to, std::size_t size) {
      copyAsync(from + range.first * size,
                to + range.first * size,
                range.count * size * sizeof(float),
                share.copies);
    };
    for (FilterShare& other : shares) {
      if (&other == &share)
        continue;
      share.copies.waitFor(other.gathered);
      const device::Particles &own = share.particles, &theirs = other.particles;
      send(own.poses, theirs.poses, own.space.size());
      if (own.velocities)
        send(own.velocities, theirs.velocities, own.space.freedoms());
    }
  });
}

void
exchangeLogLikelihoods(FilterShares& shares)
{
  if (shares.size() == 1)
    return forEachShare(shares,
                        [](FilterShare& share) { share.gatherLogLikelihoods(); });
  forEachShare(shares, [&](FilterShare& share) {
    share.reached.record(share.stream);
    share.copies.waitFor(share.reached);
    for (FilterShare& other : shares)
      copyAsync(share.log_likelihoods.ptr(),
                other.all_log_likelihoods.ptr() + share.compared.first,
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
