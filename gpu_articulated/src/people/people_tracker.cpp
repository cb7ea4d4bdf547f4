// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "fitting/pose_set.h"
#include "people/person_evidence.h"
#include "people/person_search.h"
#include "people/room_model.h"

#include <pcl/gpu/articulated/forward_kinematics.h>
#include <pcl/gpu/articulated/people_tracker.h>
#include <pcl/gpu/articulated/pose_regression.h>
#include <pcl/gpu/articulated/skeleton_fit.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <list>
#include <memory>
#include <optional>
#include <string>

namespace pcl::gpu {

namespace {

using Eigen::Vector3f;

constexpr float endless = std::numeric_limits<float>::infinity();

/** \brief Most columns of a picture that people are followed in. */
constexpr std::uint32_t tracking_columns = 320;

/** \brief Farthest that a body reaches from its hips, metres. */
constexpr float hip_reach = 1.3f;

/** \brief Share of the way to a standing pose that hidden limbs go in a second. */
constexpr float rest_rate = 4.0f;

/** \brief Distance from a person's skin within which a point may be the person's,
 * metres. */
constexpr float near_skin = 0.25f;

/** \brief Most fits of a person's sizes. */
constexpr int most_fits = 6;

float
distanceFrom(const TaperedCapsule& capsule, const Vector3f& point)
{
  const Vector3f a = Vector3f::Map(capsule.a), along = Vector3f::Map(capsule.b) - a;
  const float square = along.squaredNorm();
  const float t =
      square > 0.0f ? std::clamp((point - a).dot(along) / square, 0.0f, 1.0f) : 0.0f;
  const float radius = capsule.radius_a + t * (capsule.radius_b - capsule.radius_a);
  return (point - a - t * along).norm() - radius;
}

/** \brief Poses that look much like another one, or are read off the points anew. */
enum class Lookalike { LegsExchanged, ArmsExchanged, TurnedAround, Regressed };

/** \brief The lookalikes that are tried in turn. */
constexpr Lookalike lookalikes[] = {Lookalike::Regressed,
                                    Lookalike::LegsExchanged,
                                    Lookalike::Regressed,
                                    Lookalike::ArmsExchanged,
                                    Lookalike::Regressed,
                                    Lookalike::TurnedAround};

/** \brief Exchanges the angles of joints on both sides, which are mirror images. */
void
exchange(const Skeleton& skeleton,
         std::initializer_list<const char*> names,
         std::vector<float>& pose)
{
  for (const char* const name : names) {
    const int left = skeleton.findJoint(std::string("Left") + name);
    const int right = skeleton.findJoint(std::string("Right") + name);
    const auto first = pose.begin() + skeleton.angleIndex(left);
    std::swap_ranges(first,
                     first + skeleton.getJoints()[left].angles.size(),
                     pose.begin() + skeleton.angleIndex(right));
  }
}

/** \brief Returns a pose that looks much like another one from some side. */
std::vector<float>
lookalikeOf(const Skeleton& skeleton, std::vector<float> pose, Lookalike kind)
{
  if (kind != Lookalike::ArmsExchanged)
    exchange(skeleton, {"UpLeg", "Leg", "Foot", "ToeBase"}, pose);
  if (kind != Lookalike::LegsExchanged)
    exchange(skeleton, {"Arm", "ForeArm", "Hand", "HandIndex1"}, pose);
  if (kind == Lookalike::TurnedAround) {
    setOrientation(orientationOf(pose.data()) *
                       Eigen::AngleAxisf(static_cast<float>(M_PI), Vector3f::UnitY()),
                   pose.data());
    // Legs go the other way.
    for (const char* const name : {"LeftUpLeg", "RightUpLeg"})
      pose[skeleton.angleIndex(skeleton.findJoint(name))] *= -1.0f;
  }
  return pose;
}

/** \brief Another filter that follows the same person for some frames, from a pose that
 * looks much like that of the first. */
struct Challenge {
  double margin = 0.0; ///< share of the log-likelihood that it needs
  PoseParticleFilter filter;
  int frames = 0;
  double gain = 0.0; ///< of log-likelihood in the last frames
};

/** \brief Points of a picture around a person. */
struct PersonView {
  /** \brief Returns some of the points: those that the room or others explain, or all
   * others. */
  DeviceArray<PointXYZ>
  someOf(bool explained) const
  {
    constexpr std::size_t enough = 4000;
    const std::size_t step = points.size() / enough + 1;
    std::vector<PointXYZ> chosen;
    for (std::size_t i = 0; i < points.size(); i += step)
      if (is_explained[i] == explained)
        chosen.push_back(points[i]);
    DeviceArray<PointXYZ> array;
    array.upload(chosen.data(), chosen.size());
    return array;
  }

  std::vector<PointXYZ> points;
  std::vector<bool> is_explained;
  DeviceArray<PointXYZ> device_points;
  DeviceArray<float> backgrounds;
};

/** \brief Number of a body that may be a person. */
constexpr int no_number = -1;

/** \brief A person who is followed, or a body that may be one. */
struct Follower {
  Follower(int own_number,
           const DetectedPerson& person,
           PoseParticleFilterParameters parameters)
  : number(own_number)
  , skeleton(person.skeleton)
  , confidence(person.confidence)
  , measured(*person.skeleton)
  {
    kinematics.setSkeleton(skeleton);
    filter.setSkeleton(skeleton);
    parameters.partitions = bodyTrackingParameters(*skeleton).partitions;
    parameters.rest_pose = standingPose(*skeleton);
    parameters.rest_rate = rest_rate;
    parameters.seed += static_cast<std::uint64_t>(number);
    filter.setParameters(parameters);
    filter.initialize(person.pose);
    estimate.mean = estimate.best = person.pose;
    placeSkin();
  }

  /** \brief Takes other parameters of filters. Those of the person stay. */
  void
  setParameters(PoseParticleFilterParameters parameters)
  {
    const PoseParticleFilterParameters& own = filter.getParameters();
    parameters.partitions = own.partitions;
    parameters.rest_pose = own.rest_pose;
    parameters.rest_rate = own.rest_rate;
    parameters.seed += static_cast<std::uint64_t>(number);
    filter.setParameters(parameters);
    if (!filter.isInitialized())
      filter.initialize(estimate.mean, estimate.deviations);
  }

  void
  placeSkin()
  {
    DeviceArray<float> pose;
    pose.upload(estimate.mean);
    DeviceArray<TaperedCapsule> capsules;
    kinematics.computeCapsules(pose, capsules);
    capsules.download(skin);
  }

  Vector3f
  hips() const
  {
    return Vector3f::Map(estimate.mean.data());
  }

  /** \brief Returns whether the person seems to walk backwards: then front and back
   * were taken for each other. */
  bool
  walksBackwards() const
  {
    constexpr float least_speed = 0.35f;
    const Vector3f forward = orientationOf(estimate.mean.data()) * Vector3f::UnitZ();
    return forward.dot(velocity) < -least_speed;
  }

  /** \brief Returns whether the head seems to be below the hips: then arms and legs
   * were taken for each other. */
  bool
  isUpsideDown() const
  {
    // y of the camera is down.
    return (orientationOf(estimate.mean.data()) * Vector3f::UnitY()).y() > 0.0f;
  }

  /** \brief Returns the pose of the person who stands where the hips are. */
  std::vector<float>
  standing() const
  {
    std::vector<float> pose = standingPose(*skeleton);
    Vector3f::Map(pose.data()) = hips();
    setOrientation(upright(), pose.data());
    return pose;
  }

  /** \brief Returns the distance from the skin; infinity beyond hip_reach. */
  float
  distanceOf(const Vector3f& point) const
  {
    if ((point - hips()).norm() > hip_reach)
      return endless;
    float distance = endless;
    for (const TaperedCapsule& capsule : skin)
      distance = std::min(distance, distanceFrom(capsule, point));
    return distance;
  }

  int number;
  Skeleton::ConstPtr skeleton;
  ForwardKinematics kinematics;
  PoseParticleFilter filter;
  PoseEstimate estimate;
  std::vector<JointEstimate> joints;
  std::vector<TaperedCapsule> skin; ///< of the mean pose
  float confidence;
  float unseen_time = 0.0f;  ///< seconds
  float doubted_time = 0.0f; ///< without a number, seconds
  int frames = 0;            ///< without a challenge since the person was found
  Skeleton measured;         ///< with the mean of the lengths in all frames
  int measurements = 0;      ///< of these
  float measured_weight = 0.0f;
  int fits = 1;                         ///< of sizes, whose mean the skeleton has
  int next_fit = 3;                     ///< frame of the next one
  Vector3f velocity = Vector3f::Zero(); ///< of the hips in the last frames
  std::optional<Challenge> challenge;
};

/** \brief Moves the sizes of a body a part of the way to those of another one. */
Skeleton::Ptr
betweenSizes(const Skeleton& from, const Skeleton& to, float share)
{
  auto result = std::make_shared<Skeleton>(from);
  for (std::size_t i = 0; i < from.getJoints().size(); ++i) {
    SkeletonJoint joint = from.getJoints()[i];
    joint.offset += share * (to.getJoints()[i].offset - joint.offset);
    result->setJoint(static_cast<int>(i), joint);
  }
  for (std::size_t i = 0; i < from.getCapsules().size(); ++i) {
    SkeletonCapsule capsule = from.getCapsules()[i];
    const SkeletonCapsule& other = to.getCapsules()[i];
    capsule.a += share * (other.a - capsule.a);
    capsule.b += share * (other.b - capsule.b);
    capsule.radius_a += share * (other.radius_a - capsule.radius_a);
    capsule.radius_b += share * (other.radius_b - capsule.radius_b);
    result->setCapsule(static_cast<int>(i), capsule);
  }
  return result;
}

/** \brief A person who was followed. */
struct LostPerson {
  int number;
  Vector3f place;
  float time; ///< since then, seconds
};

/** \brief A frame in the sizes in which people are followed and looked for. */
struct FramePictures {
  FramePictures(const PointCloud<PointXYZ>& cloud, float farthest)
  : whole(cloud, tracking_columns, endless)
  , small(*whole.cloud, search_columns, farthest)
  {}

  /** \brief Calls a function with the number of each pixel of the small picture, and
   * its value of those of the whole picture. */
  template <typename Values, typename Function>
  void
  forEachSmall(const Values& values, const Function& function) const
  {
    const std::size_t columns = small.cloud->width, step = small.step;
    for (std::size_t i = 0; i < small.cloud->size(); ++i)
      function(i, values[i / columns * step * whole.cloud->width + i % columns * step]);
  }

  /** \brief Returns the area of the small picture's points that are not known and for
   * which a function is true, square metres. */
  template <typename Counts>
  float
  areaBeside(const std::vector<bool>& is_known, const Counts& counts) const
  {
    float area = 0.0f;
    for (std::size_t i = 0; i < is_known.size(); ++i)
      if (const PointXYZ& point = (*small.cloud)[i];
          !is_known[i] && std::isfinite(point.z) && counts(point))
        area += areaOf(point, small.pixel_angle);
    return area;
  }

  DepthPicture whole, small;
};

/** \brief The person whom each point of a picture is near; null: nobody. */
using Owners = std::vector<const Follower*>;

} // namespace

/** \brief Memory that stays from one frame to the next. */
struct PeopleTracker::Buffers {
  std::list<Follower> people;
  std::vector<LostPerson> lost;
  RoomModel room;
  RoomPlane floor;
  bool is_room_known = false;
  std::uint32_t width = 0, height = 0; ///< of the clouds
  int next_number = 0;
  int frames_since_search = 0;
  float searched_area = 0.0f; ///< least that was new since the last search

  /** \brief Finds the nearest person of each point. */
  Owners
  ownersOf(const PointCloud<PointXYZ>& cloud) const
  {
    Owners owners(cloud.size(), nullptr);
#pragma omp parallel for schedule(dynamic, 1024)
    for (std::size_t i = 0; i < cloud.size(); ++i) {
      if (!std::isfinite(cloud[i].z))
        continue;
      float nearest = near_skin;
      for (const Follower& person : people) {
        const float distance = person.distanceOf(cloud[i].getVector3fMap());
        if (distance < nearest) {
          nearest = distance;
          owners[i] = &person;
        }
      }
    }
    return owners;
  }

  /** \brief From time to time, gives a lookalike of a person's pose some frames to show
   * that it agrees better with the points. Limbs that cross, and fronts and backs, are
   * easily taken for each other. */
  void
  challenge(Follower& person,
            const PersonView& view,
            const std::vector<float>& regressed,
            float dt) const
  {
    constexpr int interval = 6, counted = 2; // frames
    constexpr float doubtful = 0.3f;         // confidence
    // Shares of the log-likelihood; people rarely walk backwards or on their hands.
    constexpr double margin = 0.01, margin_of_new = 0.0, margin_of_unlikely = -0.1;
    if (!person.challenge && (++person.frames == 1 || person.frames % interval == 0)) {
      Challenge& challenge = person.challenge.emplace();
      const bool is_unlikely = person.walksBackwards() || person.isUpsideDown();
      // People who enter are often found the wrong way round.
      const bool is_new = person.frames <= interval;
      challenge.margin =
          is_unlikely ? margin_of_unlikely : (is_new ? margin_of_new : margin);
      Lookalike kind = lookalikes[person.frames / interval % std::size(lookalikes)];
      if (is_unlikely || is_new || person.confidence < doubtful)
        kind = Lookalike::Regressed;
      PoseParticleFilterParameters parameters = person.filter.getParameters();
      parameters.islands = 1;
      parameters.particle_count = (parameters.particle_count + 1) / 2;
      challenge.filter.setSkeleton(person.skeleton);
      challenge.filter.setParameters(parameters);
      std::vector<float> pose = person.estimate.mean;
      if (kind != Lookalike::Regressed)
        pose = lookalikeOf(*person.skeleton, pose, kind);
      else if (!regressed.empty())
        pose = regressed;
      constexpr float shift = 0.03f, turn = 0.1f;
      std::vector<float> deviations(3, shift);
      deviations.resize(pose.size() - 1, turn);
      challenge.filter.initialize(pose, deviations);
    }
    if (!person.challenge)
      return;
    Challenge& challenge = *person.challenge;
    const int duration = person.frames == 1 ? counted : 2 * counted;
    const auto processFrame = [&](PoseParticleFilter& filter, PoseEstimate& estimate) {
      filter.processFrame(view.device_points, view.backgrounds, Vector3f::Zero(), dt);
      filter.getEstimate(estimate);
    };
    PoseEstimate other;
    processFrame(challenge.filter, other);
    if (++challenge.frames > duration - counted)
      challenge.gain += other.best_log_likelihood - person.estimate.best_log_likelihood;
    if (challenge.frames < duration)
      return;
    if (challenge.gain >
        counted * challenge.margin * std::abs(person.estimate.best_log_likelihood)) {
      person.filter.initialize(other.mean);
      processFrame(person.filter, person.estimate);
    }
    person.challenge.reset();
  }

  /** \brief Reads a person's pose off the points, without the pose of the frame
   * before. */
  PoseRegression
  regress(const Follower& person,
          const Skeleton& skeleton,
          const DeviceArray<PointXYZ>& points,
          bool fit_lengths) const
  {
    PoseRegressionOptions options;
    options.floor = heightBelow(floor, person.hips());
    options.fit_lengths = fit_lengths;
    return regressPose(skeleton, person.standing(), points, Vector3f::Zero(), options);
  }

  /** \brief Adds the lengths of a person's bones in this frame to their mean, by their
   * expected errors. A single view hardly shows some of them. Each frame starts from
   * this mean, so that the usual lengths do not count in each frame anew. Later, not
   * every frame counts, to save time.
   * \return whether the frame shows enough of the person
   */
  bool
  measureLengths(Follower& person, const DeviceArray<PointXYZ>& points) const
  {
    constexpr float doubtful = 0.3f;    // confidence
    constexpr float most_error = 0.08f; // of joints, metres
    constexpr int first_fits = 2, interval = 4;
    const bool is_spared = person.fits > first_fits && person.frames % interval != 0;
    if (person.fits == most_fits || person.confidence < doubtful || points.empty() ||
        is_spared)
      return false;
    const PoseRegression found = regress(person, person.measured, points, true);
    float error = 0.0f;
    for (const NamedJoint& joint : found.joints)
      error += joint.deviation / static_cast<float>(found.joints.size());
    if (found.joints.empty() || error > most_error)
      return false;
    ++person.measurements;
    const float weight = 1.0f / (error * error);
    person.measured_weight += weight;
    person.measured =
        *betweenSizes(person.measured, found.skeleton, weight / person.measured_weight);
    return true;
  }

  /** \brief Fits the sizes of a person from time to time, beginning with the measured
   * lengths. The person gets the mean of all fits. The first one counts less: many
   * people are found while they enter, or behind things. */
  void
  fitSizes(Follower& person,
           const PersonView& view,
           const DeviceArray<PointXYZ>& points,
           float dt) const
  {
    constexpr int fewest_measurements = 3;
    constexpr float first_weight = 0.2f; // of the first fit
    if (!measureLengths(person, points) || person.frames < person.next_fit ||
        person.challenge || person.measurements < fewest_measurements)
      return;
    const Skeleton& measured = person.measured;
    const PoseRegression regressed = regress(person, measured, points, false);
    SkeletonFitOptions options;
    options.room = view.someOf(true);
    options.is_whole = false;
    options.floor = coefficientsOf(floor);
    options.largest_factor = 1.08f;
    options.most_rounds = 20;
    // The pose of other sizes is off; that of the regression may be another one.
    SkeletonFit fit =
        fitSkeleton(measured, regressed.pose, points, Vector3f::Zero(), options);
    SkeletonFit other =
        fitSkeleton(measured, person.estimate.mean, points, Vector3f::Zero(), options);
    if (other.log_likelihood > fit.log_likelihood)
      fit = std::move(other);
    ++person.fits;
    person.next_fit = 2 * person.frames;
    person.skeleton =
        betweenSizes(*person.skeleton,
                     fit.skeleton,
                     1.0f / (static_cast<float>(person.fits) - 1.0f + first_weight));
    person.kinematics.setSkeleton(person.skeleton);
    person.filter.setSkeleton(person.skeleton);
    person.filter.initialize(fit.pose);
    person.filter.processFrame(
        view.device_points, view.backgrounds, Vector3f::Zero(), dt);
    person.filter.getEstimate(person.estimate);
  }

  /** \brief Moves a person's particles to the points of a picture. */
  void
  follow(Follower& person,
         const PointCloud<PointXYZ>& cloud,
         const std::vector<bool>& is_room,
         const Owners& owners,
         float dt) const
  {
    const Vector3f hips = person.hips();
    PersonView view;
    std::vector<float> backgrounds;
    for (std::size_t i = 0; i < cloud.size(); ++i) {
      const PointXYZ& point = cloud[i];
      if (!std::isfinite(point.z))
        continue;
      const Vector3f place = point.getVector3fMap();
      // The place of the point's ray at the depth of the hips.
      if ((hips.z() / place.z() * place - hips).norm() > hip_reach)
        continue;
      const bool is_others = owners[i] && owners[i] != &person;
      const bool is_explained =
          is_room[i] || is_others || (place - hips).norm() > hip_reach;
      const float depth = is_explained ? point.z : room.depthAt(i);
      view.points.push_back(point);
      view.is_explained.push_back(is_explained);
      backgrounds.push_back(depth / point.z * place.norm());
    }
    view.device_points.upload(view.points.data(), view.points.size());
    view.backgrounds.upload(backgrounds);
    std::vector<float> regressed;
    const DeviceArray<PointXYZ> own = view.someOf(false);
    if (!own.empty()) {
      const PoseRegression regression = regress(person, *person.skeleton, own, false);
      if (!regression.joints.empty()) {
        regressed = regression.pose;
        person.filter.propose(regressed);
      }
    }
    person.filter.processFrame(
        view.device_points, view.backgrounds, Vector3f::Zero(), dt);
    person.filter.getEstimate(person.estimate);
    challenge(person, view, regressed, dt);
    fitSizes(person, view, own, dt);
    constexpr float newest = 0.2f; // share of the velocity
    person.velocity += newest * ((person.hips() - hips) / dt - person.velocity);
    person.joints = estimateJoints(person.filter, person.kinematics);
    person.placeSkin();
  }

  /** \brief Forgets people who were lost long ago. */
  void
  forget(float dt, float memory)
  {
    for (LostPerson& person : lost)
      person.time += dt;
    const auto is_old = [&](const LostPerson& person) { return person.time > memory; };
    lost.erase(std::remove_if(lost.begin(), lost.end(), is_old), lost.end());
  }

  /** \brief Looks how much of each person is seen.
   * \return whether each point of the small picture is of the room or of a person
   */
  std::vector<bool>
  judge(const FramePictures& pictures, const std::vector<bool>& is_room, float dt)
  {
    const DepthPicture& small = pictures.small;
    std::vector<bool> is_explained(small.cloud->size());
    pictures.forEachSmall(is_room,
                          [&](std::size_t i, bool is) { is_explained[i] = is; });
    // The surest people first: they explain points that others then do not.
    std::vector<Follower*> by_confidence;
    for (Follower& person : people)
      by_confidence.push_back(&person);
    std::stable_sort(by_confidence.begin(),
                     by_confidence.end(),
                     [](const Follower* a, const Follower* b) {
                       return a->confidence > b->confidence;
                     });
    for (Follower* const person : by_confidence) {
      PersonEvidence evidence;
      if (small.camera.width > 0)
        evidence = gatherPersonEvidence(person->skeleton,
                                        person->estimate.mean,
                                        *small.cloud,
                                        small.camera,
                                        is_explained);
      person->confidence = evidence.confidence();
      person->unseen_time = evidence.isStillSeen() ? 0.0f : person->unseen_time + dt;
      for (const int i : evidence.explained)
        is_explained[i] = true;
    }
    return is_explained;
  }

  /** \brief Gives numbers to bodies that turn out to be people. */
  void
  confirm(float min_confidence, float dt)
  {
    for (Follower& person : people)
      if (person.number == no_number) {
        person.doubted_time += dt;
        if (person.confidence >= min_confidence)
          person.number = numberAt(person.hips());
      }
  }

  /** \brief Gives up people who were not seen, and bodies that may be people, after
   * some time. */
  void
  lose(float patience)
  {
    constexpr float longest_doubt = 1.0f; // seconds
    people.remove_if([&](const Follower& person) {
      if (person.number == no_number)
        return person.doubted_time > longest_doubt;
      if (person.unseen_time < patience)
        return false;
      lost.push_back({person.number, person.hips(), person.unseen_time});
      return true;
    });
  }

  /** \brief Returns whether it is time to look for people: if enough is new after an
   * interval, and if that grows where no one is followed, as of those who enter.
   * \param[in] is_known whether each point of the small picture is of the room or of a
   * person
   */
  bool
  isSearchDue(const PeopleTrackerParameters& parameters,
              const FramePictures& pictures,
              const std::vector<bool>& is_known)
  {
    constexpr float growth = 0.5f; // of the least area
    const auto isAway = [&](const PointXYZ& point) {
      constexpr float away = 1.0f; // metres
      return std::all_of(people.begin(), people.end(), [&](const Follower& person) {
        return (point.getVector3fMap() - person.hips()).norm() > away;
      });
    };
    const float least = parameters.min_new_area;
    const float area = pictures.areaBeside(is_known, isAway);
    searched_area = std::min(searched_area, area);
    const bool has_grown = area > std::max(least, searched_area + growth * least);
    const auto counts = [](const PointXYZ&) { return true; };
    ++frames_since_search;
    const bool is_due =
        has_grown || (frames_since_search >= parameters.search_interval &&
                      pictures.areaBeside(is_known, counts) > least);
    if (is_due)
      searched_area = area;
    return is_due;
  }

  /** \brief Looks for people, and begins to follow them.
   * \return the number of new people, who are the last ones
   */
  int
  search(const PeopleTrackerParameters& parameters,
         const FramePictures& pictures,
         KnownRoom& known)
  {
    const DepthPicture& small = pictures.small;
    frames_since_search = 0;
    if (small.camera.width == 0)
      return 0;
    // Of a camera that moves, large parts of the room are new, too.
    const RoomPlanes planes = findRoomPlanes(small.cloud, small.pixel_angle);
    for (std::size_t i = 0; i < known.is_room.size(); ++i)
      known.is_room[i] = known.is_room[i] || planes.is_plane[i];
    const bool is_first = !is_room_known;
    if (is_first)
      floor = floorOf(planes.planes);
    is_room_known = true;
    known.floor = floor;
    PeopleDetectionParameters detection = parameters.detection;
    constexpr float moved = 0.6f;
    const float doubtful = moved * detection.min_confidence;
    if (!is_first) // things that were not there before are more likely people
      detection.min_confidence = doubtful;
    int count = 0;
    for (const DetectedPerson& person :
         searchPeople(detection, small, known, doubtful)) {
      const int number = person.confidence < detection.min_confidence
                             ? no_number
                             : numberAt(Vector3f::Map(person.pose.data()));
      people.emplace_back(number, person, parameters.filter);
      ++count;
    }
    return count;
  }

  /** \brief Returns the people by their numbers. */
  std::vector<TrackedPerson>
  results() const
  {
    std::vector<TrackedPerson> results;
    for (const Follower& person : people)
      if (person.number != no_number)
        results.push_back({person.number,
                           person.skeleton,
                           person.estimate,
                           person.joints,
                           person.confidence});
    std::sort(results.begin(),
              results.end(),
              [](const TrackedPerson& a, const TrackedPerson& b) {
                return a.number < b.number;
              });
    return results;
  }

  /** \brief Returns the number of a person who was found: that of a lost one near
   * there, or a new one. */
  int
  numberAt(const Vector3f& hips)
  {
    constexpr float near = 0.6f, speed = 1.5f; // metres, metres a second
    const auto excessOf = [&](const LostPerson& other) {
      return (hips - other.place).norm() - near - speed * other.time;
    };
    const auto best = std::min_element(
        lost.begin(), lost.end(), [&](const LostPerson& a, const LostPerson& b) {
          return excessOf(a) < excessOf(b);
        });
    if (best == lost.end() || excessOf(*best) > 0.0f)
      return next_number++;
    const int number = best->number;
    lost.erase(best);
    return number;
  }
};

void
PeopleTrackerParameters::validate() const
{
  detection.validate();
  filter.validate();
  checkAtLeast("search interval", search_interval, 1);
  checkPositive("min new area", min_new_area);
  checkPositive("patience", patience);
  checkNotNegative("memory", memory);
}

void
PeopleTracker::reset()
{
  buffers_.get() = Buffers();
}

std::vector<TrackedPerson>
PeopleTracker::processFrame(const PointCloud<PointXYZ>& cloud, float dt)
{
  checkArgument(cloud.isOrganized(),
                "height of the cloud",
                cloud.height,
                "an organized cloud, of 2 rows or more");
  checkPositive("time since the frame before", dt);
  Buffers& buffers = buffers_.get();
  const bool is_first = buffers.width == 0;
  if (!is_first)
    checkArgument(cloud.width == buffers.width && cloud.height == buffers.height,
                  "size of the cloud",
                  std::to_string(cloud.width) + "x" + std::to_string(cloud.height),
                  "that of the first frame");
  buffers.width = cloud.width;
  buffers.height = cloud.height;
  const FramePictures pictures(cloud, parameters_.detection.farthest);
  const PointCloud<PointXYZ>& points = *pictures.whole.cloud;
  buffers.forget(dt, parameters_.memory);
  if (buffers.room.hasMoved(points)) {
    buffers.room.reset();
    buffers.is_room_known = false;
  }
  const std::vector<bool> is_room = buffers.room.compare(points);
  Owners owners = buffers.ownersOf(points);
  for (Follower& person : buffers.people) {
    person.setParameters(parameters_.filter);
    buffers.follow(person, points, is_room, owners, dt);
  }
  KnownRoom known;
  known.is_room = buffers.judge(pictures, is_room, dt);
  buffers.confirm(parameters_.detection.min_confidence, dt);
  buffers.lose(parameters_.patience);

  owners = buffers.ownersOf(points);
  pictures.forEachSmall(owners, [&](std::size_t i, const Follower* owner) {
    known.is_room[i] = known.is_room[i] || owner != nullptr;
  });
  const bool is_due =
      buffers.isSearchDue(parameters_, pictures, known.is_room) || is_first;
  const int new_people = is_due ? buffers.search(parameters_, pictures, known) : 0;
  if (new_people > 0)
    owners = buffers.ownersOf(points);
  std::vector<bool> is_of_person;
  for (const Follower* const owner : owners)
    is_of_person.push_back(owner != nullptr);
  buffers.room.update(points, is_of_person, dt);
  if (new_people > 0) {
    const std::vector<bool> is_new_room = buffers.room.compare(points);
    for (auto person = std::prev(buffers.people.end(), new_people);
         person != buffers.people.end();
         ++person)
      buffers.follow(*person, points, is_new_room, owners, dt);
  }
  return buffers.results();
}

} // namespace pcl::gpu
