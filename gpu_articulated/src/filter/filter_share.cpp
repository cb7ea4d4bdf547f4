// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter_share.h"

#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>

#include <algorithm>

namespace pcl::gpu {

namespace {

/** \brief Whether shares work on these devices, in this order. */
bool
areOn(const std::vector<FilterShare>& shares,
      const std::vector<Device>& devices,
      std::size_t count)
{
  const auto isOn = [](const FilterShare& share, const Device& device) {
    return share.device == device;
  };
  return shares.size() == count &&
         std::equal(shares.begin(), shares.end(), devices.begin(), isOn);
}

} // namespace

FilterShare::FilterShare(const Device& place) : device(place) {}

void
FilterShare::createQueues()
{
  stream = Stream::create();
  copies = Stream::create();
  for (Event* event : {&started, &gathered, &moved, &compared, &sent, &finished})
    *event = Event::create();
}

void
FilterShare::create(const ParticleSet::Space& space,
                    std::uint32_t count,
                    const device::ParticleRange& own,
                    bool velocities,
                    bool several)
{
  range = own;
  particles.create(space, count, velocities, stream);
  const std::size_t size = device::root_size + space.lower.size();
  const std::size_t begin = own.first * size, floats = own.count * size;
  poses = DeviceArray<float>(particles.poses().ptr() + begin, floats);
  gathered_poses = DeviceArray<float>(particles.gatheredPoses().ptr() + begin, floats);
  createOn(device, all_log_likelihoods, several ? count : 0);
}

void
FilterShare::takePoints(const DeviceArray<PointXYZ>& source)
{
  createOn(device, points, source.size());
  copyAsync(source.ptr(), points.ptr(), source.sizeBytes(), stream);
}

void
FilterShare::compareWithPoints(CapsuleLikelihood& compared, const Skeleton& skeleton)
{
  const auto compute = [&](auto& skins) {
    kinematics.computeCapsules(poses, skins, stream);
    const auto count = static_cast<int>(skeleton.getCapsules().size());
    compared.compute(skins, count, log_likelihoods, stream);
  };
  if (skeleton.hasPlainCapsules())
    compute(capsules);
  else
    compute(tapered_capsules);
}

void
FilterShare::sendPoses(FilterShare& other) const
{
  copies.waitFor(other.gathered);
  particles.copyTo(other.particles, range, copies);
}

void
FilterShare::sendLogLikelihoods(FilterShare& other) const
{
  copyAsync(log_likelihoods.ptr(),
            other.all_log_likelihoods.ptr() + range.first,
            log_likelihoods.sizeBytes(),
            copies);
}

const double*
FilterShare::allLogLikelihoods() const
{
  return all_log_likelihoods.empty() ? log_likelihoods.ptr()
                                     : all_log_likelihoods.ptr();
}

void
FilterShares::create(const std::vector<Device>& devices,
                     const Skeleton::ConstPtr& skeleton,
                     const ParticleSet::Space& space,
                     std::uint32_t count,
                     bool velocities,
                     const Stream& stream)
{
  const std::size_t number = std::min<std::size_t>(devices.size(), count);
  if (!areOn(shares_, devices, number)) {
    shares_.clear();
    shares_.reserve(number);
    for (std::size_t i = 0; i < number; ++i)
      shares_.emplace_back(devices[i]);
    if (areSeveral())
      forEach([&](FilterShare& share) {
        share.createQueues();
        for (const FilterShare& other : shares_)
          enablePeerAccess(share.device, other.device);
      });
  }
  first().stream = stream;
  std::uint64_t begin = 0, part = 0;
  forEach([&](FilterShare& share) {
    share.kinematics.setSkeleton(skeleton);
    const std::uint64_t end = ++part * count / number;
    const device::ParticleRange range{static_cast<std::uint32_t>(begin),
                                      static_cast<std::uint32_t>(end - begin)};
    share.create(space, count, range, velocities, areSeveral());
    begin = end;
  });
}

void
FilterShares::start(const Stream& stream)
{
  first().stream = stream;
  if (!areSeveral())
    return;
  {
    const ScopedDevice scope(first().device);
    first().started.record(stream);
  }
  forEach([&](FilterShare& share) {
    if (&share != &first())
      share.stream.waitFor(first().started);
  });
}

void
FilterShares::copyFrom(FilterShares& others)
{
  start(others.first().stream);
  forEach([&](FilterShare& share) {
    share.particles.copyFrom(others.at(placeOf(share)).particles, share.stream);
  });
  finish();
}

void
FilterShares::finish()
{
  if (!areSeveral())
    return;
  forEach([&](FilterShare& share) {
    if (&share != &first())
      share.finished.record(share.stream);
  });
  const ScopedDevice scope(first().device);
  for (const FilterShare& share : shares_)
    if (&share != &first())
      first().stream.waitFor(share.finished);
}

void
FilterShares::observe(const DeviceArray<PointXYZ>& points,
                      const Eigen::Vector3f& viewpoint,
                      CapsuleLikelihood& likelihood)
{
  forEach([&](FilterShare& share) {
    if (&share == &first())
      return likelihood.setPoints(points, viewpoint, share.stream);
    share.likelihood.copySettings(likelihood);
    share.takePoints(points);
    share.likelihood.setPoints(share.points, viewpoint, share.stream);
  });
}

void
FilterShares::exchangePoses()
{
  if (!areSeveral())
    return;
  forEach([&](FilterShare& share) {
    share.moved.record(share.stream);
    share.copies.waitFor(share.moved);
    for (FilterShare& other : shares_)
      if (&other != &share)
        share.sendPoses(other);
  });
}

void
FilterShares::exchangeLogLikelihoods()
{
  if (!areSeveral())
    return;
  forEach([&](FilterShare& share) {
    share.compared.record(share.stream);
    share.copies.waitFor(share.compared);
    for (FilterShare& other : shares_)
      share.sendLogLikelihoods(other);
    share.sent.record(share.copies);
  });
  forEach([&](FilterShare& share) {
    for (const FilterShare& other : shares_)
      share.stream.waitFor(other.sent);
  });
}

} // namespace pcl::gpu
