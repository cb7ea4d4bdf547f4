// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/capsule_likelihood.h>
#include <pcl/gpu/articulated/pose_estimate.h>
#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/communicator.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/private_buffers.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_types.h>

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace pcl::gpu {

/** \brief Drawing of particles by their weights.
 * \ingroup gpu_articulated
 */
enum class Resampling {
  Systematic, ///< even steps through the weights from one random start
  Stratified, ///< even steps, each with its own random number
  Residual    ///< whole copies first, then the rest at random
};

/** \brief Expectation of a particle's next pose.
 * \ingroup gpu_articulated
 */
enum class MotionModel {
  RandomWalk,      ///< the pose, with noise
  ConstantVelocity ///< the pose moved on as in the frame before, with noise
};

/** \brief Motion of particles in annealing layers behind the first.
 * \ingroup gpu_articulated
 */
enum class LayerNoise {
  /** \brief Noise of the motion's deviations, times the decay for each layer before. */
  Motion,
  /** \brief Noise of the particles' own spread. With their mean m, two random
   * particles a and b, and the decay f, a particle x moves to
   * x' = m + sqrt(1 - f^2) (x - m) + f / sqrt(2) (a - b).
   *
   * Layers then change neither mean nor covariance (the shrinkage of Liu and West
   * 2001). The noise has the particles' correlations (differential evolution, ter Braak
   * 2006): joints that only fit the points together move together. Only weights bring
   * the particles closer. */
  Spread
};

/** \brief Parameters of PoseParticleFilter.
 *
 * A change of the number of particles, of the motion model or of the number of islands
 * drops the particles.
 * \ingroup gpu_articulated
 */
struct PCL_EXPORTS PoseParticleFilterParameters {
  /** \brief Largest number of particles. */
  static constexpr std::size_t max_particle_count = std::size_t(1) << 24;

  std::size_t particle_count = 2000;                  ///< J, 1 to max_particle_count
  std::uint64_t seed = 0;                             ///< of all random numbers
  MotionModel motion_model = MotionModel::RandomWalk; ///< expected next pose
  /** \brief Share of its velocity that a particle keeps from one frame to the next,
   * with MotionModel::ConstantVelocity, 0 to 1: 0 is a random walk, 1 keeps all. */
  float velocity_damping = 0.8f;
  /** \brief Deviation of the root along each axis over one second, metres, 0 or more.
   * Angles have the deviations of the skeleton. */
  float root_translation_deviation = 0.5f;
  /** \brief Deviation of the root about each axis over one second, radians, 0 or
   * more. */
  float root_rotation_deviation = 1.0f;
  /** \brief Factor of the noise of every fourth particle, 1 or more, in the first layer
   * of partitions that move the root: most motion is slow, but the filter also follows
   * sudden motion. */
  float wide_motion = 1.0f;
  /** \brief The same for partitions that do not move the root, 1 or more: it finds lost
   * limbs far from their last place. With the root, it would draw the whole body to
   * anything that looks like one. */
  float wide_limb_motion = 1.0f;
  Resampling resampling = Resampling::Systematic; ///< drawing by weight
  /** \brief Share of J, 0 to 1. With an effective sample size below it particles are
   * drawn again, else they keep their weights: 0 never, 1 always. With more than one
   * layer or partition they are always drawn. */
  float resample_threshold = 0.5f;
  int layers = 1; ///< annealing layers, 1 to 1000; 1 is the frame itself
  /** \brief Factor of the noise from one layer to the next, or the part of the spread
   * that each layer draws again (see LayerNoise), above 0 and at most 1. */
  float layer_decay = 0.6f;
  LayerNoise layer_noise = LayerNoise::Motion; ///< motion in layers behind the first
  /** \brief Exponents of the likelihood, one a layer, 0 or more, for a survival rate of
   * 0. If empty: 1 in the last layer, and half of the next layer's in every other. */
  std::vector<float> layer_exponents;
  /** \brief Share of the particles that survives each layer, at least 0 and below 1.
   *
   * The filter then finds each layer's exponent, at most 1, so that the effective
   * sample size is at least that share of J (by 4096 of them if there are more). 0:
   * exponents are given. */
  float survival_rate = 0.0f;
  /** \brief Groups of joints, by their numbers, which are moved one after the other, in
   * all layers of each; 0 is the root's move and turn. None: all are moved at once.
   *
   * Joints of no group are moved with the first. A group like the one before it
   * continues it: its noise is that of more layers. */
  std::vector<std::vector<int>> partitions;
  /** \brief Pose that angles return to, Skeleton::poseSize() numbers, of which those of
   * the root do not matter; empty: none. Limbs that the points do not show are near it
   * then. */
  std::vector<float> rest_pose;
  /** \brief Share of the way to the rest pose that angles go in a second, 0 or more. */
  float rest_rate = 1.0f;
  /** \brief Share of the particles that start from a proposed pose, 1e-6 to 1. The
   * filter rounds it down to every n-th particle. */
  float proposal_share = 0.1f;
  /** \brief Number of islands, 1 or more: separate filters of J / islands particles
   * each, rounded up. They differ in their random numbers only. On a single device they
   * are moved side by side, unless there is a communicator, a motion function or a
   * likelihood of the caller, which keep their order.
   *
   * Estimates and particles are those of the leading island: the one with the greatest
   * log-likelihood of its best particle in recent frames (each frame counts half as
   * much as the next). An island that stays behind it by more than the margin becomes
   * its copy: it is stuck in a wrong pose, which layers do not leave, since particles
   * of one island soon look alike. With several islands processFrame() waits for the
   * stream. */
  int islands = 1;
  double island_margin = 300.0; ///< of the log-likelihood, 0 or more
  /** \brief Frames in a row behind by more than the margin, 1 or more, after which an
   * island becomes a copy. */
  int island_patience = 5;
  /** \brief Most points that are compared; 0: all.
   *
   * Of more points, the filter joins neighbours of about one depth: their mean, with
   * their number as its weight, says as much of the surface. Then it chooses some by
   * priority sampling (Duffield, Lund and Thorup 2007): most of those near the rays to
   * the pose of the frame before, and few of the others. Each gets a weight by which
   * it stands for those that are left out. Log-likelihoods then differ by about as
   * much as those of all points. */
  std::size_t max_points = 0;
  CapsuleLikelihoodParameters likelihood; ///< likelihood of the points

  /** \brief Rejects values out of range.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Follows a skeleton's pose through frames of points, by a particle filter that
 * lives on the device (Friborg et al. 2010, section 2).
 *
 * Every frame, each of J particles moves by the motion model, its skin is compared with
 * the observed points by a CapsuleLikelihood, and the weighted particles describe the
 * pose. If only few of them matter, the next frame starts from particles drawn by
 * weight. Only points are copied to the device, and only estimates from it:
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
 * \b Motion. In a frame of dt seconds every degree of freedom moves by a normal deviate
 * times its deviation times sqrt(dt): the deviation over one second. With
 * MotionModel::ConstantVelocity it also moves by dt times the velocity of the frame
 * before, damped; a particle's velocity is its change of pose in the frame. Angles
 * bounce off their limits. The root turns in its own frame; so do ball joints, which
 * are joints of three angles about perpendicular axes, without limits, of the same
 * deviation: near a quarter turn of the second angle, single angles say nothing about
 * the turn.
 *
 * \b Annealing (Deutscher, Blake and Reid 2000). With several layers, a frame moves and
 * weighs the particles as often, and draws them in between. Likelihoods are raised to
 * an exponent that grows from layer to layer, and noise shrinks. Exponents are given,
 * or found on the device so that a share of the particles survives (survival_rate):
 * with many points, which the likelihood takes for independent, that also keeps a
 * filter of one layer from resting on a single particle.
 *
 * \b Partitioned sampling (MacCormick and Isard 2000). Joints may be moved in groups,
 * such as the torso first, then each limb: partitions.
 *
 * \b Islands (Verge, Dubarry, Del Moral and Moulines 2015). The particles may be split
 * into independent filters: islands. If one loses a limb, the others keep it.
 *
 * \b Random numbers come from Philox, counted by particle, degree of freedom, frame and
 * layer. Weights are summed as integers, other sums are made in a fixed order: the same
 * seed and input give the same bits on one device, with any launch shape; poses are the
 * same bits on the host and on CUDA for the same log-likelihoods.
 *
 * A frame costs O(layers * J * (joints + log J)) and the likelihood. Steady state does
 * not allocate. With one island and without a communicator it does not wait either, and
 * can be captured into a CUDA graph after one frame: each launch is another frame (the
 * frame's number is on the device) with the captured arrays, viewpoint and time step.
 * One object serves one call at a time.
 * \ingroup gpu_articulated
 */
class PCL_EXPORTS PoseParticleFilter
: public Parameterized<PoseParticleFilterParameters> {
public:
  /** \brief Computes the log-likelihood of many poses.
   *
   * Takes rows of Skeleton::poseSize() floats, and writes one number a pose, up to a
   * common constant; the array has its size. A number that is not finite makes its pose
   * impossible. Works on the given stream, on the device of the poses. If several
   * devices share the particles, it is called for each of them, in the order of the
   * particles. With a communicator it gets the poses that its rank compares, and is not
   * called if there are none.
   */
  using LikelihoodFunction = std::function<void(const DeviceArray<float>& poses,
                                                DeviceArray<double>& log_likelihoods,
                                                const Stream& stream)>;

  /** \brief Moves poses by a known motion.
   *
   * Takes rows of Skeleton::poseSize() floats, to be changed in place, and the time
   * since the frame before, seconds. Works on the given stream, on the device of the
   * poses; called for each device that shares the particles. With a communicator it
   * gets all particles of each island that its rank runs, and must move them alike on
   * all ranks.
   */
  using MotionFunction =
      std::function<void(DeviceArray<float>& poses, float dt, const Stream& stream)>;

  /** \brief Sets the skeleton, with its limits and the deviations of its angles. Later
   * changes of it need another call. Particles are dropped.
   * \param[in] skeleton one with a root
   * \throws pcl::BadArgumentException if null or without joints
   */
  void
  setSkeleton(const Skeleton::ConstPtr& skeleton);

  /** \return the skeleton; null if none was set */
  const Skeleton::ConstPtr&
  getSkeleton() const
  {
    return skeleton_;
  }

  /** \brief Sets a function that moves the particles at the start of a frame, before
   * the model does. Noise is the model's, and brings angles beyond limits back.
   * \param[in] function none by default; an empty one is none
   */
  void
  setMotionFunction(const MotionFunction& function)
  {
    motion_function_ = function;
  }

  /** \brief Proposes a pose for the next frame, such as that of regressPose().
   *
   * Some of the particles start from it in place of a pose of the frame before, and
   * move by the model as all do. The points decide: a limb that was lost is found
   * again, and a wrong proposal does little harm. So fewer particles are enough.
   * Weights do not correct for the proposal. With a communicator all ranks propose the
   * same.
   * \param[in] pose poseSize() floats; angles beyond their limits bounce off. Later
   * calls before the frame replace it; initialize() drops it
   * \throws pcl::BadArgumentException if there is no skeleton, or the pose has another
   * size, a number that is not finite, or a quaternion 0
   */
  void
  propose(const std::vector<float>& pose);

  /** \brief Shares the particles between several devices: each moves a part of them and
   * compares it with the points. Particles are dropped.
   *
   * All results have the same bits as on one device. The caller works on the first
   * device: points come from there, and estimates and particles go there. Poses are
   * copied from device to device, directly if the machine can, during the comparison.
   * Every device computes weights, drawing and the estimate. With few particles one
   * device is as fast: see benchmark_devices_cuda.
   * \param[in] devices CUDA devices, or the host, also several times. None, the
   * default: the device of initialize()
   * \throws pcl::BadArgumentException if one is not of this machine, or the host is
   * among CUDA devices
   */
  void
  setDevices(const std::vector<Device>& devices);

  /** \return the devices that share the particles; empty: the device of initialize() */
  const std::vector<Device>&
  getDevices() const
  {
    return devices_;
  }

  /** \brief Shares the particles between processes, each with a device. Particles are
   * dropped.
   *
   * All ranks get the same results, with the bits of one process. They call the same
   * methods in the same order, with the same parameters, skeleton, poses, points and
   * time steps. Each rank has the points on its own device.
   *
   * With fewer islands than ranks, each rank moves, weighs and draws all particles,
   * which have the same random numbers everywhere, and compares its part of each island
   * with the points. In each layer and partition, ranks exchange the log-likelihoods: 8
   * bytes a particle. A rank may have no particles to compare.
   *
   * With at least as many islands as ranks, each rank runs whole islands. After a frame
   * ranks exchange the estimates of all islands, some hundred bytes each, and the
   * particles of the leading island: their poses and 20 bytes more, and with
   * MotionModel::ConstantVelocity their velocities.
   *
   * With R ranks the likelihood takes 1 / R of the time of one process. All other steps
   * take as long as in one process, unless ranks run whole islands. Each rank has
   * memory for all particles. A frame cannot be captured into a CUDA graph.
   *
   * If a rank fails, the others throw, in processFrame() or where they wait for the
   * stream. Their particles then have no meaning: set another communicator and
   * initialize() to go on.
   * \param[in] communicator used until another one is set, also by copies of this
   * object; null, the default: this process alone
   */
  void
  setCommunicator(const Communicator::Ptr& communicator);

  /** \return the processes that share the particles; null: this one alone */
  const Communicator::Ptr&
  getCommunicator() const
  {
    return communicator_;
  }

  /** \brief Draws all particles about a pose, on the current device or those of
   * setDevices(). Waits for the stream.
   * \param[in] pose poseSize() floats; angles beyond their limits bounce off
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there is no skeleton, the pose has another
   * size, a number that is not finite, or a quaternion 0, or there is a communicator
   * and several devices, or another device than the communicator's
   * \throws CommunicationException if another rank failed
   * \throws DeviceException if the device fails or runs out of memory
   *
   * Deviations are those of the motion in a tenth of a second.
   */
  void
  initialize(const std::vector<float>& pose, const Stream& stream = {});

  /** \brief Draws all particles about a pose, on the current device or those of
   * setDevices(). Waits for the stream.
   * \param[in] pose as above
   * \param[in] deviations poseSize() - 1 numbers, one a degree of freedom (see
   * PoseEstimate)
   * \param[in] stream as above
   * \throws pcl::BadArgumentException as above, or if there is not one deviation a
   * degree of freedom, or one is below 0 or not finite
   * \throws CommunicationException as above
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  initialize(const std::vector<float>& pose,
             const std::vector<float>& deviations,
             const Stream& stream = {});

  /** \brief Takes particles of the caller, with equal weights. Waits for the stream.
   * \param[in] poses J rows of poseSize() floats, within their limits, quaternions of
   * unit length. The filter works on their device, or on setDevices() with them on the
   * first. Each island takes a run of rows, some of them twice if J is no multiple of
   * their number
   * \param[in] stream as above
   * \throws pcl::BadArgumentException if there is no skeleton, the size is another, the
   * poses are not on the first device, or devices and communicator do not fit as above
   * \throws CommunicationException as above
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  initialize(const DeviceArray<float>& poses, const Stream& stream = {});

  /** \brief Drops all particles; parameters and memory stay. */
  void
  reset();

  /** \return true if particles exist: since initialize(), until they are dropped */
  bool
  isInitialized() const;

  /** \brief Processes one frame.
   * \param[in] points the observation, metres, on the device of the particles
   * \param[in] viewpoint position of the camera, metres
   * \param[in] dt time since the frame before, seconds
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there are no particles, the skeleton has no
   * capsules, the points live elsewhere, the viewpoint is not finite, \a dt is not
   * positive, or parameters do not fit (exponents and layers, partitions and skeleton)
   * \throws CommunicationException if another rank failed
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  processFrame(const DeviceArray<PointXYZ>& points,
               const Eigen::Vector3f& viewpoint,
               float dt,
               const Stream& stream = {});

  /** \brief Processes one frame, with the background on the ray of every point.
   * \param[in] points as above
   * \param[in] backgrounds as in CapsuleLikelihood::setPoints(); empty: not known
   * \param[in] viewpoint as above
   * \param[in] dt as above
   * \param[in] stream as above
   * \throws pcl::BadArgumentException as above, or if there is not one background a
   * point, or points and backgrounds live on different devices
   * \throws CommunicationException as above
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  processFrame(const DeviceArray<PointXYZ>& points,
               const DeviceArray<float>& backgrounds,
               const Eigen::Vector3f& viewpoint,
               float dt,
               const Stream& stream = {});

  /** \brief Processes one frame with a likelihood of the caller.
   * \param[in] likelihood called once a layer and partition
   * \param[in] dt as above
   * \param[in] stream as above
   * \throws pcl::BadArgumentException as above, or if \a likelihood is empty
   * \throws CommunicationException as above
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  processFrame(const LikelihoodFunction& likelihood,
               float dt,
               const Stream& stream = {});

  /** \brief Copies the estimate of the last frame to the host. Waits for the stream.
   * \param[out] estimate of the pose
   * \param[in] stream the queue that processFrame() joined
   * \throws pcl::BadArgumentException if there was no frame
   * \throws CommunicationException if another rank failed
   * \throws DeviceException if the device fails
   */
  void
  getEstimate(PoseEstimate& estimate, const Stream& stream = {}) const;

  /** \brief Computes the covariance of the particles about the mean. Waits for the
   * stream.
   * \param[out] covariance square, one row a degree of freedom (see PoseEstimate)
   * \param[in] stream as above
   * \throws pcl::BadArgumentException if there was no frame
   * \throws CommunicationException if another rank failed
   * \throws DeviceException if the device fails or runs out of memory
   *
   * O(J * freedoms^2); allocates 8 bytes * J / 64 * freedoms^2 while it runs.
   */
  void
  getCovariance(Eigen::MatrixXf& covariance, const Stream& stream = {});

  /** \return the particles of the last frame: J rows of poseSize() floats, or those of
   * the leading island, on the device. They are weighted by getLogWeights(); drawing
   * happens in the next frame.
   * \throws pcl::BadArgumentException if there was no frame
   */
  const DeviceArray<float>&
  getParticles() const;

  /** \return logarithms of the weights of getParticles(), on the device; the greatest
   * is 0
   * \throws pcl::BadArgumentException if there was no frame
   */
  const DeviceArray<double>&
  getLogWeights() const;

  /** \return the particle of the last frame that each of the next one comes from, on
   * the device; of the leading island
   * \throws pcl::BadArgumentException if there was no frame
   */
  const DeviceArray<std::uint32_t>&
  getAncestors() const;

  /** \brief Returns the memory that a frame takes on the current device, or on each of
   * setDevices(), on this rank.
   * \param[in] points number of points
   * \return bytes, to within some KiB
   * \throws pcl::BadArgumentException if there is no skeleton
   */
  std::size_t
  estimateMemory(std::size_t points) const;

private:
  struct Buffers;

  template <typename Fill>
  void
  create(const Device& device, const Stream& stream, const Fill& fill);

  void
  prepareFrame(float dt, const Stream& stream);

  void
  runStep(int island, int number, const LikelihoodFunction* likelihood, float dt);

  void
  runFrame(const LikelihoodFunction* likelihood, float dt);

  Skeleton::ConstPtr skeleton_;
  MotionFunction motion_function_;
  std::vector<float> proposal_;    ///< for the next frame; may be empty
  std::vector<Device> devices_;    ///< empty: that of initialize()
  Communicator::Ptr communicator_; ///< null: this process alone
  mutable PrivateBuffers<Buffers> buffers_;
};

} // namespace pcl::gpu
