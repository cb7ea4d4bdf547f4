// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/capsule_likelihood.h>
#include <pcl/gpu/articulated/pose_estimate.h>
#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_types.h>

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace pcl::gpu {

/** \brief How particles are drawn by their weights.
 * \ingroup gpu_articulated
 */
enum class Resampling {
  Systematic, ///< even steps through the weights from one random start
  Stratified, ///< even steps, each with a random number of its own
  Residual    ///< whole copies first, then the rest at random
};

/** \brief What is known of a particle's next pose.
 * \ingroup gpu_articulated
 */
enum class MotionModel {
  RandomWalk,      ///< the pose, with noise
  ConstantVelocity ///< the pose moved on as in the frame before, with noise
};

/** \brief How particles move in annealing layers behind the first.
 * \ingroup gpu_articulated
 */
enum class LayerNoise {
  /** \brief By the deviations of the motion, times the decay for every layer before. */
  Motion,
  /** \brief As they are spread, by their mean m and two others, a and b, chosen at random:
   * x' = m + sqrt(1 - f^2) (x - m) + f / sqrt(2) (a - b), where f is the decay.
   *
   * So layers change neither mean nor covariance (the shrinkage of Liu and West 2001), and
   * noise has their correlations (differential evolution, ter Braak 2006): joints that only
   * fit the points together move together. Only weights bring the particles closer. */
  Spread
};

/** \brief Follows a skeleton's pose through frames of points, by a particle filter that
 * lives on the device (Friborg et al. 2010, section 2).
 *
 * Every frame, each of J particles moves by the motion model, its skin is compared with the
 * observed points by a CapsuleLikelihood, and the weighted particles are the new knowledge
 * of the pose; where few of them matter any more, the next frame starts from particles drawn
 * by weight. Only the points come from outside, only the estimate goes there:
 * \code
 * PoseParticleFilter filter;
 * filter.setSkeleton(skeleton);
 * filter.initialize(skeleton->restPose());
 * for (...) {
 *   filter.processFrame(points, viewpoint, 1.0f / 30.0f);
 *   filter.getEstimate(estimate);
 * }
 * \endcode
 *
 * \b Motion. In a frame of dt seconds every degree of freedom moves by a normal deviate times
 * its deviation times sqrt(dt): the deviation over one second. With
 * MotionModel::ConstantVelocity it also moves by dt times the velocity of the frame before,
 * damped; a particle's velocity is its change of pose in the frame. Angles are thrown back by
 * their limits. The root turns in its own frame; so do ball joints, which are joints of three
 * angles about perpendicular axes, without limits, of the same deviation: where the second
 * angle is near a quarter turn, single angles say nothing about the turn.
 *
 * \b Annealing (Deutscher, Blake and Reid 2000). With several layers, a frame moves and
 * weighs the particles as often, and draws them in between. Likelihoods are raised to an
 * exponent that grows from layer to layer, and noise shrinks. Exponents are given, or sought
 * on the device so that a share of the particles survives (setSurvivalRate()): with many
 * points, which the likelihood takes for independent, that also keeps a filter of one layer
 * from resting on a single particle.
 *
 * \b Partitioned sampling (MacCormick and Isard 2000). Joints may be moved in groups, such as
 * the torso first, then each limb: setPartitions().
 *
 * \b Islands (Verge, Dubarry, Del Moral and Moulines 2015). The particles may be split into
 * filters that do not know of one another: setIslands(). What one loses, others keep.
 *
 * \b Random numbers come from Philox, counted by particle, degree of freedom, frame and
 * layer. Weights are summed as integers, other sums are made in a fixed order: the same seed
 * and input give the same bits on one device, with any launch shape; poses are the same bits
 * on the host and on CUDA for the same log-likelihoods.
 *
 * A frame costs O(layers * J * (joints + log J)) and the likelihood. Steady state does not
 * allocate. With one island it does not wait either, and can be captured into a CUDA graph
 * after one frame: each launch is a frame of its own (the frame's number is on the device)
 * with the captured arrays, viewpoint and time step. One object serves one call at a time.
 * \ingroup gpu_articulated
 */
class PCL_EXPORTS PoseParticleFilter {
public:
  /** \brief Computes the log-likelihood of many poses.
   *
   * Takes rows of Skeleton::poseSize() floats, and writes one number a pose, up to a common
   * constant; the array has its size. What is not finite makes a pose impossible. Works on
   * the given stream, on the device of the poses. Where several devices share the particles,
   * it is called for each of them, in the order of its particles.
   */
  using LikelihoodFunction = std::function<void(const DeviceArray<float>& poses,
                                                DeviceArray<double>& log_likelihoods,
                                                const Stream& stream)>;

  /** \brief Moves poses on by what is known of the motion.
   *
   * Takes rows of Skeleton::poseSize() floats, to be changed in place, and the time since the
   * frame before, seconds. Works on the given stream, on the device of the poses; called for
   * each device that shares the particles.
   */
  using MotionFunction =
      std::function<void(DeviceArray<float>& poses, float dt, const Stream& stream)>;

  /** \brief Most particles that there can be. */
  static constexpr std::size_t max_particle_count = std::size_t(1) << 24;

  /** \brief Makes a filter without a skeleton. */
  PoseParticleFilter();

  /** \brief Copies the settings; the copy has no particles and memory of its own.
   * \param[in] other stays as it is
   */
  PoseParticleFilter(const PoseParticleFilter& other);

  /** \brief Takes everything over.
   * \param[in,out] other can only be destroyed or assigned to afterwards
   */
  PoseParticleFilter(PoseParticleFilter&& other) noexcept;

  /** \brief Takes everything over; assigning a copy keeps the other as it is.
   * \param[in] other a filter
   * \return this filter
   */
  PoseParticleFilter&
  operator=(PoseParticleFilter other) noexcept;

  /** \brief Frees its memory. */
  ~PoseParticleFilter();

  /** \brief Sets whose pose is followed, with its limits and the deviations of its angles;
   * later changes of it need another call. Particles are dropped.
   * \param[in] skeleton one with a root
   * \throws pcl::BadArgumentException if null or without joints
   */
  void
  setSkeleton(const Skeleton::ConstPtr& skeleton);

  /** \return whose pose is followed; null if nothing was set */
  const Skeleton::ConstPtr&
  getSkeleton() const;

  /** \brief Sets the number of particles, J. Particles are dropped.
   * \param[in] count 2000 by default
   * \throws pcl::BadArgumentException unless from 1 to max_particle_count
   */
  void
  setParticleCount(std::size_t count);

  /** \return number of particles */
  std::size_t
  getParticleCount() const;

  /** \brief Sets what all random numbers come from.
   * \param[in] seed any number, 0 by default
   */
  void
  setSeed(std::uint64_t seed);

  /** \return what all random numbers come from */
  std::uint64_t
  getSeed() const;

  /** \brief Sets what is known of a particle's next pose. A change drops particles.
   * \param[in] model MotionModel::RandomWalk by default
   * \throws pcl::BadArgumentException if it is none of these
   */
  void
  setMotionModel(MotionModel model);

  /** \return what is known of a particle's next pose */
  MotionModel
  getMotionModel() const;

  /** \brief Sets how much of its velocity a particle keeps from one frame to the next, with
   * MotionModel::ConstantVelocity.
   * \param[in] damping 0.8 by default; 0 is a random walk, 1 keeps all
   * \throws pcl::BadArgumentException unless from 0 to 1
   */
  void
  setVelocityDamping(float damping);

  /** \return share of its velocity that a particle keeps */
  float
  getVelocityDamping() const;

  /** \brief Has every fourth particle move by a multiple of the noise, in the first layer of
   * every partition: most motion is slow, but what is sudden is not lost.
   * \param[in] factor of the deviations of these particles, 1 by default
   * \throws pcl::BadArgumentException if below 1 or not finite
   *
   * Also where the root stays: see setWideLimbMotion().
   */
  void
  setWideMotion(float factor);

  /** \return factor of the deviations of every fourth particle */
  float
  getWideMotion() const;

  /** \brief Sets another factor for partitions that do not move the root: a limb that got
   * lost is found again far from where it was, while the whole body would be drawn to what
   * looks like one.
   * \param[in] factor as above; setWideMotion() sets both
   * \throws pcl::BadArgumentException if below 1 or not finite
   */
  void
  setWideLimbMotion(float factor);

  /** \return factor of the deviations of every fourth particle where the root stays */
  float
  getWideLimbMotion() const;

  /** \brief Sets a motion of one's own, which moves the particles at the start of a frame,
   * before the model does; noise is the model's. Where it leaves limits, noise brings angles
   * back.
   * \param[in] function none by default; an empty one is none
   */
  void
  setMotionFunction(const MotionFunction& function);

  /** \brief Sets how much the root moves over one second. Angles have the deviations of the
   * skeleton.
   * \param[in] translation deviation along each axis, metres, 0.5 by default
   * \param[in] rotation deviation about each axis, radians, 1 by default
   * \throws pcl::BadArgumentException if one is below 0 or not finite
   */
  void
  setRootDeviation(float translation, float rotation);

  /** \return deviation of the root over one second along each axis, metres */
  float
  getRootTranslationDeviation() const;

  /** \return deviation of the root over one second about each axis, radians */
  float
  getRootRotationDeviation() const;

  /** \brief Sets how particles are drawn by their weights.
   * \param[in] resampling Resampling::Systematic by default
   * \throws pcl::BadArgumentException if it is none of these
   */
  void
  setResampling(Resampling resampling);

  /** \return how particles are drawn by their weights */
  Resampling
  getResampling() const;

  /** \brief Sets when particles are drawn anew. Else they keep their weights. With more than
   * one layer or partition they always are.
   * \param[in] share of J below which the effective sample size must be: 0.5 by default, 0
   * never, 1 always
   * \throws pcl::BadArgumentException unless from 0 to 1
   */
  void
  setResampleThreshold(float share);

  /** \return share of J below which particles are drawn anew */
  float
  getResampleThreshold() const;

  /** \brief Sets the number of annealing layers.
   * \param[in] layers 1 by default: none but the frame itself
   * \throws pcl::BadArgumentException unless 1 to 1000
   */
  void
  setLayers(int layers);

  /** \return number of annealing layers */
  int
  getLayers() const;

  /** \brief Sets how noise shrinks from one layer to the next, or what part of the spread
   * is drawn anew in each: see LayerNoise.
   * \param[in] factor 0.6 by default
   * \throws pcl::BadArgumentException unless above 0 and at most 1
   */
  void
  setLayerDecay(float factor);

  /** \return factor of the noise from one layer to the next, or part that is drawn anew */
  float
  getLayerDecay() const;

  /** \brief Sets how particles move in layers behind the first.
   * \param[in] noise LayerNoise::Motion by default
   * \throws pcl::BadArgumentException if it is none of these
   */
  void
  setLayerNoise(LayerNoise noise);

  /** \return how particles move in layers behind the first */
  LayerNoise
  getLayerNoise() const;

  /** \brief Sets the exponents of the likelihood, layer by layer, where there is no survival
   * rate.
   * \param[in] exponents one a layer, not below 0; empty, as by default: 1 in the last layer,
   * and in each other half of that in the next
   * \throws pcl::BadArgumentException if one is below 0 or not finite
   */
  void
  setLayerExponents(const std::vector<float>& exponents);

  /** \return exponents of the likelihood; empty where none were set */
  const std::vector<float>&
  getLayerExponents() const;

  /** \brief Has the exponent of every layer sought so that this share of the particles
   * survives: the effective sample size is at least that share of J (found by 4096 of them
   * if there are more), and exponents are at most 1.
   * \param[in] share 0 by default: exponents are given
   * \throws pcl::BadArgumentException unless at least 0 and below 1
   */
  void
  setSurvivalRate(float share);

  /** \return share of particles that survives; 0 where exponents are given */
  float
  getSurvivalRate() const;

  /** \brief Has joints moved group by group, in all layers of each. Joints of no group are
   * moved with the first. A group like the one before it goes on where that ended: its noise
   * is that of more layers.
   * \param[in] joints numbers of the joints of each group; 0 is the root's move and turn;
   * empty, as by default: all at once
   * \throws pcl::BadArgumentException if a number is below 0
   */
  void
  setPartitions(const std::vector<std::vector<int>>& joints);

  /** \return numbers of the joints of each group */
  const std::vector<std::vector<int>>&
  getPartitions() const;

  /** \brief Splits the particles into islands: filters of their own, which differ in their
   * random numbers alone, and are moved one after the other. Particles are dropped.
   *
   * Estimates and particles are those of the leading island, whose best particle had the
   * greatest log-likelihood lately (each frame counts half as much as the next). An island
   * that stays behind it by more than the margin starts anew as its copy: it has got stuck in
   * a wrong pose, which layers do not leave, since particles of one island soon look alike.
   * processFrame() waits for the stream where there are several.
   * \param[in] count 1 by default; each has J / count particles, rounded up
   * \param[in] margin of the log-likelihood
   * \param[in] patience frames in a row behind by more, after which it starts anew
   * \throws pcl::BadArgumentException if \a count or \a patience is below 1, or \a margin is
   * below 0 or not finite
   */
  void
  setIslands(int count, double margin = 300.0, int patience = 5);

  /** \return number of islands */
  int
  getIslandCount() const;

  /** \return by how much of the log-likelihood an island may stay behind the leading one */
  double
  getIslandMargin() const;

  /** \return frames in a row behind by more than the margin, after which an island starts
   * anew */
  int
  getIslandPatience() const;

  /** \brief Has several devices share the particles: each moves a part of them and compares
   * it with the points. Particles are dropped.
   *
   * All results have the same bits as on one device. The first device is the one that the
   * caller works on: points come from there, and estimates and particles go there. Poses are
   * copied from device to device, straight where the machine can, and beside the comparison;
   * weights, drawing and the estimate are computed on every device. With few particles one
   * device is as fast: see benchmark_devices_cuda.
   * \param[in] devices CUDA devices, or the host; one may be there more than once. By default
   * there is one, that of the input
   * \throws pcl::BadArgumentException if there are none, one is not of this machine, or the
   * host is among CUDA devices
   */
  void
  setDevices(const std::vector<Device>& devices);

  /** \return what shares the particles; empty where nothing was set: the device of the input
   */
  const std::vector<Device>&
  getDevices() const;

  /** \return the likelihood of the points, for its settings (sigma, truncation, ...) */
  CapsuleLikelihood&
  likelihood();

  /** \return the likelihood of the points */
  const CapsuleLikelihood&
  likelihood() const;

  /** \brief Draws all particles about a pose, on the current device or those of setDevices().
   * Waits for the stream.
   * \param[in] pose poseSize() floats; angles beyond their limits are thrown back
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there is no skeleton, or the pose has another size,
   * a number that is not finite, or a quaternion 0
   * \throws DeviceException if the device fails or runs out of memory
   *
   * Deviations are those of the motion in a tenth of a second.
   */
  void
  initialize(const std::vector<float>& pose, const Stream& stream = {});

  /** \brief Draws all particles about a pose, on the current device or those of setDevices().
   * Waits for the stream.
   * \param[in] pose as above
   * \param[in] deviations poseSize() - 1 numbers, one a degree of freedom (see PoseEstimate)
   * \param[in] stream as above
   * \throws pcl::BadArgumentException as above, or if there is not one deviation a degree of
   * freedom, or one is below 0 or not finite
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  initialize(const std::vector<float>& pose,
             const std::vector<float>& deviations,
             const Stream& stream = {});

  /** \brief Takes the particles from elsewhere, with equal weights. Waits for the stream.
   * \param[in] poses J rows of poseSize() floats, within their limits, quaternions of unit
   * length; on the device to work on, the first of setDevices(). Each island takes a run of
   * rows, some of them twice where J is no multiple of their number
   * \param[in] stream as above
   * \throws pcl::BadArgumentException if there is no skeleton, the size is another, or the
   * poses are not on the first device
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  initialize(const DeviceArray<float>& poses, const Stream& stream = {});

  /** \brief Drops all particles; settings and memory stay. */
  void
  reset();

  /** \brief Whether there are particles.
   * \return whether initialize() was called since they were last dropped
   */
  bool
  isInitialized() const;

  /** \brief Goes on by one frame.
   * \param[in] points what is seen, metres, on the device of the particles
   * \param[in] viewpoint where it is seen from, metres
   * \param[in] dt time since the frame before, seconds
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there are no particles, the skeleton has no
   * capsules, the points live elsewhere, the viewpoint is not finite, \a dt is not positive,
   * or settings do not fit (exponents and layers, partitions and skeleton)
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  processFrame(const DeviceArray<PointXYZ>& points,
               const Eigen::Vector3f& viewpoint,
               float dt,
               const Stream& stream = {});

  /** \brief Goes on by one frame, with a likelihood of one's own.
   * \param[in] likelihood called once a layer and partition
   * \param[in] dt as above
   * \param[in] stream as above
   * \throws pcl::BadArgumentException as above, or if \a likelihood is empty
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  processFrame(const LikelihoodFunction& likelihood,
               float dt,
               const Stream& stream = {});

  /** \brief Copies what the last frame brought to the host. Waits for the stream.
   * \param[out] estimate of the pose
   * \param[in] stream the queue that processFrame() joined
   * \throws pcl::BadArgumentException if there was no frame
   * \throws DeviceException if the device fails
   */
  void
  getEstimate(PoseEstimate& estimate, const Stream& stream = {}) const;

  /** \brief Computes the covariance of the particles about the mean. Waits for the stream.
   * \param[out] covariance square, one row a degree of freedom (see PoseEstimate)
   * \param[in] stream as above
   * \throws pcl::BadArgumentException if there was no frame
   * \throws DeviceException if the device fails or runs out of memory
   *
   * O(J * freedoms^2); allocates 8 bytes * J / 64 * freedoms^2 while it runs.
   */
  void
  getCovariance(Eigen::MatrixXf& covariance, const Stream& stream = {});

  /** \return the particles of the last frame: J rows of poseSize() floats, or those of the
   * leading island, on the device. They are weighted by getLogWeights(); drawing comes with the next frame. */
  const DeviceArray<float>&
  getParticles() const;

  /** \return logarithms of the weights of getParticles(), on the device; the greatest is 0 */
  const DeviceArray<double>&
  getLogWeights() const;

  /** \return which particle of the last frame each of the next one comes from, on the device;
   * of the leading island */
  const DeviceArray<std::uint32_t>&
  getAncestors() const;

  /** \brief Tells how much memory a frame takes on the current device, or on each of
   * setDevices().
   * \param[in] points number of points
   * \return bytes, to within some KiB
   * \throws pcl::BadArgumentException if there is no skeleton
   */
  std::size_t
  getRequiredMemory(std::size_t points) const;

private:
  struct Settings;
  struct Buffers;

  void
  create(const Device& device, const Stream& stream);

  template <typename Function>
  void
  start(const Stream& stream, const Function& function);

  void
  checkInitialized() const;

  void
  prepareFrame(float dt, const Stream& stream);

  template <typename Compare>
  void
  runFrame(int island, const Compare& compare, float dt);

  template <typename Compare>
  void
  runFrames(const Compare& compare, float dt);

  std::unique_ptr<Settings> settings_;
  std::unique_ptr<Buffers> buffers_;
};

} // namespace pcl::gpu
