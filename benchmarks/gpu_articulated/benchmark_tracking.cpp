// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Measures errors and time of a PoseParticleFilter that follows recorded motions
 * that a simulated depth camera sees, or a hand that signs. Prints a Markdown table.
 */

#include "common/device_name.h"
#include "common/options.h"
#include "common/report.h"
#include "testing/recorded_body.h"
#include "testing/signing_hand.h"

#include <pcl/gpu/articulated/body_tracking.h>
#include <pcl/gpu/articulated/human_skeleton.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;
using namespace pcl::gpu::test;

struct Settings {
  std::vector<std::string> clips;
  std::string device = "cuda";
  RecordedBodyOptions body;
  int seeds = 0;
  std::vector<int> particles = {2000};
  int points = 0;
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
  bool proposals = false;
  bool frames = false;
  bool joints = false;
  bool hand = false;
};

void
addOptions(Options& all, Settings& o)
{
  const PoseParticleFilterParameters defaults = bodyTrackingParameters();
  o.layers = defaults.layers;
  o.survival = defaults.survival_rate;
  o.decay = defaults.layer_decay;
  o.velocity = defaults.motion_model == MotionModel::ConstantVelocity
                   ? defaults.velocity_damping
                   : 0.0f;
  o.sigma = defaults.likelihood.sigma;
  o.tau = defaults.likelihood.truncation_distance;
  o.miss = defaults.likelihood.miss_distance;
  o.root_deviation = defaults.root_translation_deviation;
  o.turn_deviation = defaults.root_rotation_deviation;
  o.deviation_factor = 1.0f;
  o.wide_motion = defaults.wide_motion;
  o.wide_limb_motion = defaults.wide_limb_motion;
  o.islands = defaults.islands;
  o.points = static_cast<int>(defaults.max_points);
  o.seeds = 1;
  all.addWord("clip", o.clips, "BVH files in CMU's unit of length");
  all.add("device", o.device, "cuda or host");
  all.add("width", o.body.width, "columns of the camera's images");
  all.add("height", o.body.height, "rows");
  all.add("most-frames", o.body.most_frames, "of a clip");
  all.add("step", o.body.step, "recorded poses from one frame to the next");
  all.add("seeds", o.seeds, "number of runs of each clip");
  all.add("particles", o.particles, "numbers of particles, one after the other");
  all.add("points", o.points, "most points that are compared; 0: all");
  all.add("layers", o.layers, "annealing layers");
  all.add("survival", o.survival, "share of the particles that survives a layer");
  all.add("decay", o.decay, "of the noise from layer to layer");
  all.addSwitch("motion-noise", o.motion_noise, "LayerNoise::Motion");
  all.addSwitch("no-partitions", o.no_partitions, "move all joints at once");
  all.add("velocity", o.velocity, "share of the velocity kept; 0: random walk");
  all.add("sigma", o.sigma, "metres");
  all.add("tau", o.tau, "metres");
  all.addSwitch("each-capsule", o.each_capsule, "limbs hide nothing");
  all.add("root-deviation", o.root_deviation, "metres over one second");
  all.add("turn-deviation", o.turn_deviation, "radians over one second");
  all.add("deviation-factor", o.deviation_factor, "times those of all angles");
  all.add("wide-motion", o.wide_motion, "times those of every fourth particle");
  all.add("wide-limb-motion",
          o.wide_limb_motion,
          "the same for partitions without the root");
  all.add("islands", o.islands, "filters that the particles are split into");
  all.add("miss", o.miss, "distance of points on no capsule, metres");
  all.add("wall", o.body.wall, "a wall behind the body");
  all.addSwitch(
      "proposals",
      o.proposals,
      "give the filter poses of regressPose(); for "
      "guidedBodyTrackingParameters() add --particles 1000 --islands 1 --layers 3");
  all.addSwitch("frames", o.frames, "print the mean error of every frame");
  all.addSwitch("joints", o.joints, "print the mean error of every joint");
  all.addSwitch(
      "hand",
      o.hand,
      "in place of clips, a hand that signs; of the options above only those of "
      "device, width, height, seeds and particles matter");
}

PoseParticleFilter
makeFilter(const Settings& options, const RecordedBody& body)
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
  PoseParticleFilterParameters parameters = bodyTrackingParameters(*skeleton);
  parameters.layers = options.layers;
  parameters.survival_rate = options.survival;
  parameters.layer_decay = options.decay;
  parameters.layer_noise =
      options.motion_noise ? LayerNoise::Motion : LayerNoise::Spread;
  parameters.motion_model =
      options.velocity > 0.0f ? MotionModel::ConstantVelocity : MotionModel::RandomWalk;
  parameters.velocity_damping = options.velocity;
  if (options.no_partitions)
    parameters.partitions.clear();
  parameters.likelihood.sigma = options.sigma;
  parameters.likelihood.miss_distance = options.miss;
  parameters.likelihood.truncation_distance = options.tau;
  parameters.likelihood.visibility = options.each_capsule
                                         ? CapsuleVisibility::EachCapsule
                                         : CapsuleVisibility::Occluding;
  parameters.root_translation_deviation = options.root_deviation;
  parameters.root_rotation_deviation = options.turn_deviation;
  parameters.wide_motion = options.wide_motion;
  parameters.wide_limb_motion = options.wide_limb_motion;
  parameters.islands = options.islands;
  parameters.max_points = options.points;
  filter.setParameters(parameters);
  return filter;
}

void
run(const Settings& options, const std::string& clip)
{
  RecordedBody body(clip, options.body);
  const std::string name = clip.substr(clip.find_last_of('/') + 1);
  for (const int particles : options.particles)
    for (int seed = 0; seed < options.seeds; ++seed) {
      PoseParticleFilter filter = makeFilter(options, body);
      setParameter(filter, &PoseParticleFilterParameters::particle_count, particles);
      const TrackingErrors errors = track(body, filter, seed, options.proposals);
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

/** \brief Tracks a hand with the usual parameters. */
void
runHand(const Settings& settings)
{
  printHeading("| frames | particles | seed | mean error, mm | finger tips, mm | worst "
               "frame, mm | worst sign, mm | ms a frame |");
  for (const int particles : settings.particles)
    for (int seed = 0; seed < settings.seeds; ++seed) {
      SigningHandOptions options;
      options.width = settings.body.width;
      options.height = settings.body.height;
      options.seed = seed;
      SigningHand hand(options);
      PoseParticleFilter filter;
      filter.setSkeleton(hand.skeleton());
      filter.setParameters(handTrackingParameters(*hand.skeleton()));
      setParameter(filter, &PoseParticleFilterParameters::particle_count, particles);
      const SigningErrors errors = track(hand, filter, seed);
      const auto worst = std::max_element(errors.signs.begin(), errors.signs.end());
      std::printf("| %d | %d | %d | %.1f | %.1f | %.1f | %.1f (%s) | %.1f |\n",
                  hand.frameCount(),
                  particles,
                  seed,
                  1e3 * errors.mean,
                  1e3 * errors.tips,
                  1e3 * errors.worst_frame,
                  1e3 * *worst,
                  SigningHand::signs()[worst - errors.signs.begin()].c_str(),
                  errors.milliseconds);
    }
}

} // namespace

int
main(int argc, char** argv)
{
  Settings settings;
  Options options("benchmark_tracking CLIP.bvh ...");
  addOptions(options, settings);
  return options.run(argc, argv, [&] {
    const ScopedDevice scope(deviceNamed(settings.device));
    printContext();
    if (settings.hand) {
      runHand(settings);
      return true;
    }
    printHeading(
        "| clip | frames | particles | seed | mean error, cm | worst frame, cm | "
        "worst joint, cm | lost | ms a frame |");
    for (const std::string& clip : settings.clips)
      run(settings, clip);
    return true;
  });
}
