// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "jobs.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace {

/** \brief GPUs that work together, in nodes of 8. */
struct Group {
  explicit Group(int count) : gpus(count), nodes((count + 7) / 8) {}

  /** \brief Returns the bytes that a GPU's links move in a microsecond in large
   * transfers, as measured by others: rings of NVLink 4, and of eight InfiniBand
   * adapters of 400 Gbit/s in each node. */
  double
  bandwidth() const
  {
    return nodes == 1 ? 365e3 : 350e3;
  }

  int gpus, nodes;
};

/** \brief Latencies of one of NCCL's protocols, microseconds. */
struct Protocol {
  double ring_base, ring_nvlink, ring_network, ring_post;
  double tree_base, tree_nvlink, tree_network;
};

// LL, LL128 and Simple, as in NCCL's src/graph/tuning.cc (commit 5067397c).
constexpr Protocol protocols[] = {{6.6, 0.6, 2.7, 1.0, 6.8, 0.6, 5.0},
                                  {14.0, 1.9, 4.0, 1.0, 14.0, 1.25, 8.5},
                                  {8.4, 3.4, 14.0, 3.0, 8.4, 4.0, 14.0}};

/** \brief Returns the bytes in a microsecond of a protocol in a ring. */
double
ringBandwidth(std::size_t protocol, const Group& group)
{
  const double all = group.bandwidth();
  if (protocol == 0)
    return std::min(all / 2,
                    group.nodes == 1   ? 141e3
                    : group.nodes == 2 ? 39e3
                                       : 20.4e3);
  return protocol == 1 ? 0.92 * all : all;
}

/** \brief Returns NCCL's estimate for a ring that is passed once or twice. */
double
ringTime(const Group& group, int rounds, double bytes)
{
  double best = INFINITY;
  for (std::size_t i = 0; i < std::size(protocols); ++i) {
    const Protocol& p = protocols[i];
    const int steps = rounds * (group.gpus - 1), between = rounds * (group.nodes - 1);
    const double within =
        group.nodes > 1 ? std::max(p.ring_nvlink, p.ring_post) : p.ring_nvlink;
    best =
        std::min(best,
                 p.ring_base + (steps - between) * within + between * p.ring_network +
                     bytes * steps / group.gpus / ringBandwidth(i, group));
  }
  return best;
}

/** \brief Returns the microseconds until all have the bytes of all. */
double
allGatherTime(int gpus, double bytes)
{
  return ringTime(Group(gpus), 1, bytes);
}

/** \brief Returns the microseconds until all have the least of all numbers. */
double
allReduceTime(int gpus, double bytes)
{
  const Group group(gpus);
  double best = ringTime(group, 2, bytes);
  const double all = 0.92 * group.bandwidth();
  const double of_protocols[] = {std::min(all / 3.8, ringBandwidth(0, group)),
                                 all * (group.nodes == 1 ? 7.0 / 9 : 120.0 / 128),
                                 all};
  for (std::size_t i = 0; i < std::size(protocols); ++i) {
    const Protocol& p = protocols[i];
    const double hops = (double(gpus) / group.nodes - 1) * p.tree_nvlink +
                        std::floor(std::log2(group.nodes)) * p.tree_network;
    best = std::min(best, p.tree_base + 2 * hops + bytes / (of_protocols[i] / 2));
  }
  return best;
}

/** \brief A frame of the particle filter: all particles are moved and weighed by each
 * GPU, and compared in shares. */
Job
filterJob(int particles, double alike)
{
  return {"filter, " + std::to_string(particles) + " particles",
          [=](int gpus) {
            return alike + 75 + 0.1175 * std::ceil(double(particles) / gpus);
          },
          [=](int gpus) { return allGatherTime(gpus, 8.0 * particles); }};
}

/** \brief A depth map of 200 tensors: the library is matched in shares, and the rest is
 * done alike by each GPU. Each sends two matches of 12 bytes for each tensor. */
Job
recognitionJob(const std::string& name, double library_tensors)
{
  return {name,
          [=](int gpus) { return 499 + 28 + 3.34e-3 * library_tensors / gpus; },
          [](int gpus) { return allGatherTime(gpus, 12.0 * 2 * 200 * gpus); }};
}

/** \brief An image of a mesh: triangles are cast in shares, and all pixels resolved by
 * each GPU. */
Job
castingJob(const std::string& name, double million_triangles, double million_pixels)
{
  return {name,
          [=](int gpus) {
            const double shared = 13.0 * million_triangles + 11.2 * million_pixels;
            return 6.1 + 6.1 * million_pixels + shared / gpus;
          },
          [=](int gpus) { return allReduceTime(gpus, 8e6 * million_pixels); }};
}

/** \brief A video of 1920x1080, denoised with 37 frames each from files to files, in
 * blocks. A block needs 36 frames of others. */
Job
videoJob(const std::string& name, int frames)
{
  return {name,
          [=](int gpus) {
            const double a_frame = 33.7e3 * 16 / 14;
            return a_frame * (std::ceil(double(frames) / gpus) + (gpus > 1 ? 36 : 0));
          },
          [](int) { return 0.0; }};
}

} // namespace

std::vector<Job>
scalingJobs()
{
  return {filterJob(2000, 153),
          filterJob(65535, 976),
          recognitionJob("recognition, 20 models", 126e3),
          recognitionJob("recognition, 2,000 models", 12.6e6),
          castingJob("112 million triangles, 1024x1024", 111.5, 1.05),
          castingJob("112 million triangles, 7680x4320", 111.5, 33.2),
          videoJob("video of 20 s", 600),
          videoJob("video of an hour", 108000)};
}
