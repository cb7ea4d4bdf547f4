// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief How well, and how fast, a PoseParticleFilter follows recorded motions that a
 * simulated depth camera sees. Prints a Markdown table.
 *
 * benchmark_tracking --help
 */

#include "common/recorded_body.h"

#include <pcl/gpu/articulated/body_tracking.h>
#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/containers/initialization.h>

#include <boost/program_options.hpp>

#include <cstdio>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace pcl::gpu;
using namespace pcl::gpu::test;
namespace po = boost::program_options;

struct Options {
  std::vector<std::string> clips;
  std::string device;
  RecordedBodyOptions body;
  int seeds = 0;
  std::vector<int> particles;
  int layers = 0;
  float survival = 0.0f;
  float decay = 0.0f;
  bool motion_noise = false;
  bool no_partitions = false;
  float velocity = 0.0f;
  float sigma = 0.0f;
  float tau = 0.0f;
  bool each_capsule = false;
  float root_deviation = 0.0f;
  float turn_deviation = 0.0f;
  float deviation_factor = 0.0f;
  float wide_motion = 0.0f;
  float wide_limb_motion = 0.0f;
  int islands = 0;
  float miss = 0.0f;
  bool frames = false;
  bool joints = false;
};

po::options_description
describe(Options& o)
{
  po::options_description all("benchmark_tracking CLIP.bvh ...");
  auto add = all.add_options();
  const auto number = [](auto& value) {
    return po::value(&value)->default_value(value);
  };
  PoseParticleFilter filter;
  filter.setSkeleton(std::make_shared<Skeleton>(makeHumanSkeleton()));
  setBodyTracking(filter);
  o.layers = filter.getLayers();
  o.survival = filter.getSurvivalRate();
  o.decay = filter.getLayerDecay();
  o.velocity = filter.getMotionModel() == MotionModel::ConstantVelocity
                   ? filter.getVelocityDamping()
                   : 0.0f;
  o.sigma = filter.likelihood().getSigma();
  o.tau = filter.likelihood().getTruncationDistance();
  o.miss = filter.likelihood().getMissDistance();
  o.root_deviation = filter.getRootTranslationDeviation();
  o.turn_deviation = filter.getRootRotationDeviation();
  o.deviation_factor = 1.0f;
  o.wide_motion = filter.getWideMotion();
  o.wide_limb_motion = filter.getWideLimbMotion();
  o.islands = filter.getIslandCount();
  o.seeds = 1;
  add("help", "show this");
  add("clip", po::value(&o.clips)->multitoken(), "BVH files in CMU's unit of length");
  add("device", po::value(&o.device)->default_value("cuda"), "cuda or host");
  add("width", number(o.body.width), "columns of the camera's images");
  add("height", number(o.body.height), "rows");
  add("most-frames", number(o.body.most_frames), "of a clip");
  add("step", number(o.body.step), "every which recorded pose is a frame");
  add("seeds", number(o.seeds), "how often each clip is tracked");
  add("particles",
      po::value(&o.particles)->multitoken()->default_value({2000}, "2000"),
      "numbers of particles, one after the other");
  add("layers", number(o.layers), "annealing layers");
  add("survival", number(o.survival), "share of the particles that survives a layer");
  add("decay", number(o.decay), "of the noise from layer to layer");
  add("motion-noise", po::bool_switch(&o.motion_noise), "LayerNoise::Motion");
  add("no-partitions", po::bool_switch(&o.no_partitions), "move all joints at once");
  add("velocity", number(o.velocity), "share of the velocity kept; 0: random walk");
  add("sigma", number(o.sigma), "metres");
  add("tau", number(o.tau), "metres");
  add("each-capsule", po::bool_switch(&o.each_capsule), "limbs hide nothing");
  add("root-deviation", number(o.root_deviation), "metres over one second");
  add("turn-deviation", number(o.turn_deviation), "radians over one second");
  add("deviation-factor", number(o.deviation_factor), "times those of all angles");
  add("wide-motion", number(o.wide_motion), "times those of every fourth particle");
  add("wide-limb-motion", number(o.wide_limb_motion), "the same where the root stays");
  add("islands", number(o.islands), "filters that the particles are split into");
  add("miss", number(o.miss), "distance of points on no capsule, metres");
  add("wall", number(o.body.wall), "a wall behind the body");
  add("frames", po::bool_switch(&o.frames), "print the mean error of every frame");
  add("joints", po::bool_switch(&o.joints), "print the mean error of every joint");
  return all;
}

PoseParticleFilter
makeFilter(const Options& options, const RecordedBody& body)
{
  const auto skeleton = std::make_shared<Skeleton>(*body.skeleton());
  for (std::size_t i = 0; i < skeleton->getJoints().size(); ++i) {
    SkeletonJoint joint = skeleton->getJoints()[i];
    for (JointAngle& angle : joint.angles)
      angle.deviation *= options.deviation_factor;
    skeleton->setJoint(static_cast<int>(i), joint);
  }
  PoseParticleFilter filter;
  filter.setSkeleton(skeleton);
  setBodyTracking(filter);
  filter.setLayers(options.layers);
  filter.setSurvivalRate(options.survival);
  filter.setLayerDecay(options.decay);
  filter.setLayerNoise(options.motion_noise ? LayerNoise::Motion : LayerNoise::Spread);
  filter.setMotionModel(options.velocity > 0.0f ? MotionModel::ConstantVelocity
                                                : MotionModel::RandomWalk);
  filter.setVelocityDamping(options.velocity);
  if (options.no_partitions)
    filter.setPartitions({});
  filter.likelihood().setSigma(options.sigma);
  filter.likelihood().setMissDistance(options.miss);
  filter.likelihood().setTruncationDistance(options.tau);
  filter.likelihood().setVisibility(options.each_capsule
                                        ? CapsuleVisibility::EachCapsule
                                        : CapsuleVisibility::Occluding);
  filter.setRootDeviation(options.root_deviation, options.turn_deviation);
  filter.setWideMotion(options.wide_motion);
  filter.setWideLimbMotion(options.wide_limb_motion);
  filter.setIslands(options.islands, filter.getIslandMargin());
  return filter;
}

void
run(const Options& options, const std::string& clip)
{
  RecordedBody body(clip, options.body);
  const std::string name = clip.substr(clip.find_last_of('/') + 1);
  for (const int particles : options.particles)
    for (int seed = 0; seed < options.seeds; ++seed) {
      PoseParticleFilter filter = makeFilter(options, body);
      filter.setParticleCount(particles);
      const TrackingErrors errors = track(body, filter, seed);
      std::printf("| %s | %d | %d | %d | %.1f | %.1f | %.1f (%s) | %s | %.1f |\n",
                  name.c_str(),
                  body.frameCount(),
                  particles,
                  seed,
                  100.0 * errors.mean,
                  100.0 * errors.worst_frame,
                  100.0 * errors.worst_joint,
                  errors.worst_joint_name.c_str(),
                  errors.is_lost ? "yes" : "no",
                  errors.milliseconds);
      std::fflush(stdout);
      if (options.frames) {
        for (std::size_t i = 0; i < errors.frames.size(); ++i)
          std::printf("%s%.1f", i == 0 ? "" : " ", 100.0 * errors.frames[i]);
        std::printf("\n");
      }
      if (options.joints) {
        const std::vector<std::string> names = body.countedJoints();
        for (std::size_t i = 0; i < names.size(); ++i)
          std::printf("%s %.1f, ", names[i].c_str(), 100.0 * errors.joints[i]);
        std::printf("\n");
      }
    }
}

} // namespace

int
main(int argc, char** argv)
{
  try {
    Options options;
    const po::options_description all = describe(options);
    po::positional_options_description words;
    words.add("clip", -1);
    po::variables_map values;
    po::store(po::command_line_parser(argc, argv).options(all).positional(words).run(),
              values);
    po::notify(values);
    if (values.count("help") || options.clips.empty()) {
      std::cout << all;
      return 0;
    }
    const ScopedDevice scope(options.device == "host" ? Device::host()
                                                      : Device::cuda(0));
    std::printf("| clip | frames | particles | seed | mean error, cm | worst frame, cm "
                "| worst joint, cm | lost | ms a frame |\n"
                "|---|---|---|---|---|---|---|---|---|\n");
    for (const std::string& clip : options.clips)
      run(options, clip);
    return 0;
  }
  catch (const std::exception& exception) {
    std::fprintf(stderr, "benchmark_tracking: %s\n", exception.what());
    return 1;
  }
}
