// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "people/person_search.h"

#include "fitting/pose_set.h"
#include "people/depth_picture.h"
#include "people/person_evidence.h"
#include "skeleton/body_parts.h"

#include <pcl/gpu/articulated/capsule_likelihood.h>
#include <pcl/gpu/articulated/forward_kinematics.h>
#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/articulated/pose_regression.h>
#include <pcl/gpu/articulated/skeleton_fit.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace pcl::gpu {

namespace {

using Eigen::Vector3f;

constexpr float not_measured = std::numeric_limits<float>::quiet_NaN();

/** \brief Farthest that a body reaches from the middle of its trunk, metres. */
constexpr float trunk_reach = 1.15f;

/** \brief Distance of the trunk's middle from the head's top, share of the stature. */
constexpr float trunk_below_top = 0.35f;

/** \brief Side of the cells of the ground that bodies are placed in, metres. */
constexpr float cell_size = 0.15f;

template <typename T>
DeviceArray<T>
uploaded(const std::vector<T>& values)
{
  DeviceArray<T> array;
  array.upload(values);
  return array;
}

/** \brief An upright body: its place, the height of its head's top (y down), and its
 * turn from facing the camera. */
struct Placement {
  std::size_t body = 0;
  float x = 0.0f, z = 0.0f, top = 0.0f;
  float turn = 0.0f;
  double area = 0.0; ///< explained, less contradicted

  /** \brief Returns the distance of a point from the body's vertical axis. */
  float
  distanceOf(const PointXYZ& point) const
  {
    return Eigen::Vector2f(point.x - x, point.z - z).norm();
  }
};

void
setFirstAngle(const Skeleton& skeleton,
              const char* joint,
              float angle,
              std::vector<float>& pose)
{
  pose[skeleton.angleIndex(skeleton.findJoint(joint))] = angle;
}

/** \brief Returns a body without the skin of its arms, which are anywhere. */
Skeleton::Ptr
withoutArms(const Skeleton& skeleton)
{
  std::vector<bool> has_skin;
  for (const BodyPart part : Body(skeleton).parts)
    has_skin.push_back(part < BodyPart::UpperArm);
  return withSkinOf(skeleton, has_skin);
}

/** \brief A body of one stature and posture. */
struct TriedBody {
  /** \param[in] height of the body
   * \param[in] walks in the middle of a stride; if not, the body stands
   */
  TriedBody(float height, bool walks)
  : stature(height)
  , skeleton(std::make_shared<Skeleton>(makeHumanSkeleton(height)))
  {
    kinematics.setSkeleton(withoutArms(*skeleton));
    posture = standingPose(*skeleton);
    if (walks) {
      constexpr float forward = 0.4f, back = -0.3f;
      setFirstAngle(*skeleton, "LeftUpLeg", forward, posture);
      setFirstAngle(*skeleton, "RightUpLeg", back, posture);
    }
  }

  Vector3f
  hipsAt(const Placement& placement) const
  {
    constexpr float height = 0.53f; // of the stature
    return {placement.x, placement.top + (1.0f - height) * stature, placement.z};
  }

  std::vector<float>
  poseAt(const Placement& placement) const
  {
    std::vector<float> pose = posture;
    Vector3f::Map(pose.data()) = hipsAt(placement);
    setOrientation(upright() * Eigen::AngleAxisf(placement.turn, Vector3f::UnitY()),
                   pose.data());
    return pose;
  }

  float stature;
  Skeleton::Ptr skeleton;
  ForwardKinematics kinematics; ///< of the body without arms
  std::vector<float> posture;
};

/** \brief Pose that a fit begins with. */
enum class FitStart {
  RegressedPose, ///< by all points near the trunk
  /** \brief By those that are connected with it: furniture may be near. */
  RegressedPoseOfConnected,
  Placement ///< that of the upright body: the regression may err
};

/** \brief The search of one image. */
class Detection {
public:
  Detection(const PeopleDetectionParameters& parameters,
            const DepthPicture& picture,
            const KnownRoom& room,
            float doubtful_confidence)
  : parameters_(parameters)
  , doubtful_confidence_(doubtful_confidence)
  , cloud_(picture.cloud)
  , camera_(picture.camera)
  , pixel_angle_(picture.pixel_angle)
  , is_room_(room.is_room)
  , floor_(room.floor)
  {
    for (std::size_t i = 0; i < cloud_->size(); ++i)
      is_room_[i] = is_room_[i] || !std::isfinite((*cloud_)[i].z);
    for (const float stature : parameters.statures)
      for (const bool walks : {false, true})
        bodies_.emplace_back(stature, walks);
  }

  std::vector<DetectedPerson>
  run()
  {
    std::vector<DetectedPerson> people, doubtful;
    tryGuesses(findGuesses(),
               {FitStart::RegressedPose,
                FitStart::RegressedPoseOfConnected,
                FitStart::Placement},
               people,
               doubtful);
    tryGuesses(findSurfaces(), {FitStart::RegressedPoseOfConnected}, people, doubtful);
    // Points that people explain are no one else's.
    for (DetectedPerson& body : doubtful)
      if (!isFull(people) && judge(body, doubtful_confidence_))
        people.push_back(std::move(body));
    return people;
  }

private:
  /** \brief Returns whether a body stands on the floor; true if none is seen. */
  bool
  isStanding(const Vector3f& hips) const
  {
    constexpr float least = 0.6f, most = 1.2f;
    const float height = floor_.normal.dot(hips) + floor_.offset;
    return floor_.area == 0.0f || (height >= least && height <= most);
  }

  /** \brief Adds the people that fits find, each with the first start that does.
   * \param[in] guesses bodies that the fits begin with
   * \param[in] starts of the fits
   * \param[in,out] people who were found
   * \param[in,out] doubtful bodies that may be people
   */
  void
  tryGuesses(const std::vector<Placement>& guesses,
             const std::vector<FitStart>& starts,
             std::vector<DetectedPerson>& people,
             std::vector<DetectedPerson>& doubtful)
  {
    for (const Placement& guess : guesses) {
      if (isFull(people))
        return;
      DetectedPerson best;
      bool is_found = false;
      for (std::size_t i = 0; i < starts.size() && !is_found; ++i) {
        DetectedPerson person = fitted(guess, guesses, starts[i]);
        is_found = judge(person, parameters_.min_confidence);
        if (is_found || person.confidence > best.confidence)
          best = std::move(person);
      }
      if (is_found)
        people.push_back(std::move(best));
      else if (best.confidence >= doubtful_confidence_)
        doubtful.push_back(std::move(best));
    }
  }

  bool
  isFull(const std::vector<DetectedPerson>& people) const
  {
    return people.size() >= static_cast<std::size_t>(parameters_.max_people);
  }

  /** \brief Returns whether two bodies are too near to each other for two people. */
  static bool
  areNear(const Placement& a, const Placement& b)
  {
    return a.distanceOf({b.x, b.top, b.z}) < apart;
  }

  /** \brief Finds upright bodies that explain much, one after the other. */
  std::vector<Placement>
  findGuesses()
  {
    const std::vector<bool> is_room = is_room_;
    std::vector<Placement> placements = allPlacements();
    std::vector<Placement> guesses;
    constexpr int most_failures = 6;
    for (int failures = 0; failures < most_failures && !placements.empty();) {
      observe();
      compare(placements);
      const Placement best = moved(bestOf(placements));
      const auto is_near = [&](const Placement& other) { return areNear(best, other); };
      placements.erase(std::remove_if(placements.begin(), placements.end(), is_near),
                       placements.end());
      if (best.area < 0.5 * parameters_.min_area ||
          std::any_of(guesses.begin(), guesses.end(), is_near)) {
        ++failures;
        continue;
      }
      guesses.push_back(best);
      // Its trunk and head are no one else's.
      for (std::size_t i = 0; i < cloud_->size(); ++i)
        if (best.distanceOf((*cloud_)[i]) < 0.6f * apart)
          is_room_[i] = true;
    }
    is_room_ = is_room;
    return guesses;
  }

  /** \brief Returns upright bodies beneath the highest point of every place. */
  std::vector<Placement>
  allPlacements() const
  {
    struct Column {
      float top;
      int count;
    };
    std::map<std::pair<int, int>, Column> columns;
    const auto cellOf = [](float place) {
      return static_cast<int>(std::floor(place / cell_size));
    };
    for (std::size_t i = 0; i < cloud_->size(); ++i) {
      const PointXYZ& point = (*cloud_)[i];
      if (is_room_[i])
        continue;
      Column& column =
          columns.try_emplace({cellOf(point.x), cellOf(point.z)}, Column{point.y, 0})
              .first->second;
      column.top = std::min(column.top, point.y);
      ++column.count;
    }
    std::vector<Placement> placements;
    for (const auto& [cell, column] : columns) {
      if (column.count < 2)
        continue;
      Placement placement;
      placement.x = (static_cast<float>(cell.first) + 0.5f) * cell_size;
      // The surface is before the middle.
      placement.z = (static_cast<float>(cell.second) + 0.8f) * cell_size;
      placement.top = column.top;
      for (std::size_t body = 0; body < bodies_.size(); ++body)
        for (int turn = 0; turn < turns; ++turn) {
          placement.body = body;
          if (!isStanding(bodies_[body].hipsAt(placement)))
            continue;
          placement.turn = turnOf(turn);
          placements.push_back(placement);
        }
    }
    return placements;
  }

  static float
  turnOf(int number)
  {
    return static_cast<float>(number) * static_cast<float>(M_PI) / turns;
  }

  /** \brief Sets all points as the observation: those of no person so far might be of
   * one, the others are the room. */
  void
  observe()
  {
    std::vector<PointXYZ> points;
    std::vector<float> backgrounds;
    open_count_ = 0.0;
    for (std::size_t i = 0; i < cloud_->size(); ++i) {
      const PointXYZ& point = (*cloud_)[i];
      if (!std::isfinite(point.z))
        continue;
      points.push_back(point);
      backgrounds.push_back(is_room_[i] ? point.getVector3fMap().norm() : not_measured);
      open_count_ += is_room_[i] ? 0.0 : 1.0;
    }
    CapsuleLikelihoodParameters parameters;
    parameters.sigma = std::sqrt(0.5f); // the log-likelihood is minus the sum
    parameters.truncation_distance = 1.5f * explained_distance;
    // A point that nothing explains costs half of one that contradicts the body.
    miss_square_ =
        0.5f * parameters.truncation_distance * parameters.truncation_distance;
    parameters.miss_distance = std::sqrt(miss_square_);
    parameters.visibility = CapsuleVisibility::Occluding;
    likelihood_.setParameters(parameters);
    likelihood_.setPoints(
        uploaded(points), {}, uploaded(backgrounds), Vector3f::Zero());
  }

  /** \brief Computes the areas that bodies explain, less those that contradict them. */
  void
  compare(std::vector<Placement>& placements)
  {
    if (parameters_.check_interruption)
      parameters_.check_interruption();
    for (std::size_t body = 0; body < bodies_.size(); ++body) {
      TriedBody& tried = bodies_[body];
      std::vector<float> poses;
      std::vector<Placement*> compared;
      for (Placement& placement : placements)
        if (placement.body == body) {
          const std::vector<float> pose = tried.poseAt(placement);
          poses.insert(poses.end(), pose.begin(), pose.end());
          compared.push_back(&placement);
        }
      if (compared.empty())
        continue;
      DeviceArray<TaperedCapsule> capsules;
      tried.kinematics.computeCapsules(uploaded(poses), capsules);
      DeviceArray<double> sums;
      const auto count =
          static_cast<int>(tried.kinematics.getSkeleton()->getCapsules().size());
      likelihood_.compute(capsules, count, sums);
      std::vector<double> host_sums;
      sums.download(host_sums);
      for (std::size_t i = 0; i < compared.size(); ++i) {
        // Seen through a body, a wall far behind it counts no more than one near it.
        const float side = compared[i]->z * pixel_angle_;
        compared[i]->area = side * side * (open_count_ + host_sums[i] / miss_square_);
      }
    }
  }

  static Placement
  bestOf(const std::vector<Placement>& placements)
  {
    return *std::max_element(
        placements.begin(),
        placements.end(),
        [](const Placement& a, const Placement& b) { return a.area < b.area; });
  }

  /** \brief Moves, turns and resizes a body until it explains most. */
  Placement
  moved(Placement best)
  {
    constexpr int rounds = 10;
    float step = 0.5f * cell_size;
    for (int round = 0; round < rounds; ++round) {
      std::vector<Placement> tries;
      for (int move = -3; move <= 3; ++move)
        for (std::size_t body = 0; body < bodies_.size(); ++body)
          for (int turn = 0; turn < turns; ++turn) {
            Placement placement = best;
            const float by = move < 0 ? -step : step;
            float* const moved[] = {
                nullptr, &placement.x, &placement.z, &placement.top};
            if (move != 0)
              *moved[std::abs(move)] += by;
            placement.body = body;
            placement.turn = turnOf(turn);
            tries.push_back(placement);
          }
      compare(tries);
      const Placement better = bestOf(tries);
      if (better.area > best.area + 1e-6)
        best = better;
      else
        step *= 0.5f;
    }
    return best;
  }

  /** \brief Returns whether a point is nearer to another body that is about as sure. */
  static bool
  isOfAnother(const PointXYZ& point,
              const Placement& placement,
              const std::vector<Placement>& others)
  {
    const float distance = placement.distanceOf(point);
    return std::any_of(others.begin(), others.end(), [&](const Placement& other) {
      return other.area > 0.4 * placement.area && other.distanceOf(point) < distance;
    });
  }

  /** \brief Adds the pixels that are connected with some, without steps in depth.
   * \param[in,out] is_connected whether each pixel is one of them
   * \param[in,out] pixels their numbers
   */
  void
  addConnected(std::vector<bool>& is_connected, std::vector<int>& pixels) const
  {
    for (std::size_t next = 0; next < pixels.size(); ++next) {
      const float z = (*cloud_)[pixels[next]].z;
      const float step = 0.02f + 0.006f * z * z;
      forEachNeighbor(*cloud_, pixels[next], [&](int neighbor) {
        if (is_connected[neighbor] || is_room_[neighbor] ||
            std::abs((*cloud_)[neighbor].z - z) >= step)
          return;
        is_connected[neighbor] = true;
        pixels.push_back(neighbor);
      });
    }
  }

  /** \brief Returns whether pixels are connected with a body's axis. */
  std::vector<bool>
  connectedWith(const Placement& placement) const
  {
    constexpr float axis_reach = 0.2f;
    std::vector<bool> is_connected(cloud_->size(), false);
    std::vector<int> pixels;
    for (std::size_t i = 0; i < cloud_->size(); ++i)
      if (!is_room_[i] && placement.distanceOf((*cloud_)[i]) < axis_reach) {
        is_connected[i] = true;
        pixels.push_back(static_cast<int>(i));
      }
    addConnected(is_connected, pixels);
    return is_connected;
  }

  /** \brief Returns a body in the middle of each surface that is as large as a person
   * and is no one's yet. People who bend down, run or dance are far from any upright
   * body. */
  std::vector<Placement>
  findSurfaces() const
  {
    constexpr std::size_t most_surfaces = 4;
    constexpr float most_area = 1.0f, least_height = 0.5f;
    std::vector<Placement> surfaces;
    std::vector<bool> is_connected(cloud_->size(), false);
    for (std::size_t i = 0; i < cloud_->size(); ++i) {
      if (is_room_[i] || is_connected[i])
        continue;
      std::vector<int> pixels = {static_cast<int>(i)};
      is_connected[i] = true;
      addConnected(is_connected, pixels);
      Vector3f middle = Vector3f::Zero();
      float area = 0.0f;
      for (const int pixel : pixels) {
        const PointXYZ& point = (*cloud_)[pixel];
        const float own = areaOf(point, pixel_angle_);
        middle += own * point.getVector3fMap();
        area += own;
      }
      // Pixels are visited from the top downwards.
      const int last = *std::max_element(pixels.begin(), pixels.end());
      const float height = (*cloud_)[last].y - (*cloud_)[i].y;
      if (area < parameters_.min_area || area > most_area || height < least_height)
        continue;
      middle /= area;
      Placement placement;
      placement.body = bodies_.size() / 2;
      placement.x = middle.x();
      placement.z = middle.z();
      placement.top = middle.y() - trunk_below_top * bodies_[placement.body].stature;
      placement.area = area;
      surfaces.push_back(placement);
    }
    std::sort(surfaces.begin(),
              surfaces.end(),
              [](const Placement& a, const Placement& b) { return a.area > b.area; });
    surfaces.resize(std::min(surfaces.size(), most_surfaces));
    return surfaces;
  }

  /** \brief Finds limbs and sizes by the points within trunk_reach. Points that might
   * be those of other bodies say nothing.
   * \param[in] start of the fit
   */
  DetectedPerson
  fitted(const Placement& placement,
         const std::vector<Placement>& others,
         FitStart start) const
  {
    const TriedBody& tried = bodies_[placement.body];
    DetectedPerson person;
    person.skeleton = tried.skeleton;
    person.pose = tried.poseAt(placement);
    const Vector3f trunk(
        placement.x, placement.top + trunk_below_top * tried.stature, placement.z);
    std::vector<PointXYZ> points, room;
    std::vector<bool> may_be_own(cloud_->size(), true);
    if (start == FitStart::RegressedPoseOfConnected)
      may_be_own = connectedWith(placement);
    for (std::size_t i = 0; i < cloud_->size(); ++i) {
      const PointXYZ& point = (*cloud_)[i];
      if (!std::isfinite(point.z))
        continue;
      const Vector3f place = point.getVector3fMap();
      // The place of the point's ray at the trunk's depth.
      const Vector3f beside = trunk.z() / place.z() * place - trunk;
      if (beside.norm() > trunk_reach)
        continue;
      const bool is_near =
          !is_room_[i] && may_be_own[i] && (place - trunk).norm() < trunk_reach;
      if (!is_near)
        room.push_back(point);
      else if (!isOfAnother(point, placement, others))
        points.push_back(point);
    }
    if (points.empty())
      return person;
    const DeviceArray<PointXYZ> device_points = uploaded(points);
    SkeletonFitOptions fine;
    fine.room = uploaded(room);
    fine.is_whole = false;
    fine.floor = coefficientsOf(floor_);
    fine.largest_factor = 1.16f;
    fine.most_rounds = 30;
    fine.check_interruption = parameters_.check_interruption;
    if (start != FitStart::Placement) {
      PoseRegressionOptions options;
      options.floor = heightBelow(floor_, trunk);
      PoseRegression regressed = regressPose(
          *person.skeleton, person.pose, device_points, Vector3f::Zero(), options);
      person.skeleton = std::make_shared<Skeleton>(std::move(regressed.skeleton));
      person.pose = std::move(regressed.pose);
    }
    SkeletonFit fit = fitSkeleton(
        *person.skeleton, person.pose, device_points, Vector3f::Zero(), fine);
    person.skeleton = std::make_shared<Skeleton>(std::move(fit.skeleton));
    person.pose = std::move(fit.pose);
    return person;
  }

  /** \brief Gives limbs that the picture hardly shows the angles of a standing person.
   */
  PersonEvidence
  gatherEvidence(DetectedPerson& person, float min_confidence) const
  {
    constexpr float hardly = 0.004f; // square metres
    const auto gather = [&](const std::vector<float>& pose) {
      return gatherPersonEvidence(person.skeleton, pose, *cloud_, camera_, is_room_);
    };
    const std::vector<float> standing = standingPose(*person.skeleton);
    PersonEvidence evidence = gather(person.pose);
    // Of many poses, some agree better with anything.
    person.confidence = evidence.confidence();
    if (person.confidence < min_confidence)
      return evidence;
    for (const std::string side : {"Left", "Right"})
      for (const std::vector<std::string>& limb :
           {std::vector<std::string>{"Arm", "ForeArm", "Hand", "HandIndex1"},
            {"UpLeg", "Leg", "Foot", "ToeBase"}}) {
        std::vector<float> pose = person.pose;
        for (const std::string& name : limb) {
          const int joint = person.skeleton->findJoint(side + name);
          const int first = person.skeleton->angleIndex(joint);
          std::copy_n(standing.begin() + first,
                      person.skeleton->getJoints()[joint].angles.size(),
                      pose.begin() + first);
        }
        PersonEvidence other = gather(pose);
        if (other.area < evidence.area - hardly ||
            other.contradicted > evidence.contradicted + hardly ||
            other.confidence() < evidence.confidence())
          continue;
        evidence = std::move(other);
        person.pose = std::move(pose);
      }
    return evidence;
  }

  /** \brief Judges a body. Makes its points part of the room if it is a person. */
  bool
  judge(DetectedPerson& person, float min_confidence)
  {
    const PersonEvidence evidence = gatherEvidence(person, min_confidence);
    person.area = evidence.area;
    if (!isStanding(Vector3f::Map(person.pose.data())) ||
        person.area < parameters_.min_area || person.confidence < min_confidence)
      return false;
    for (const int i : evidence.explained)
      is_room_[i] = true;
    return true;
  }

  /** \brief Turns that are tried, over half a circle: from the front a standing body of
   * capsules is hardly different from the back. */
  static constexpr int turns = 4;

  /** \brief Least distance of two people, metres. */
  static constexpr float apart = 0.4f;

  const PeopleDetectionParameters& parameters_;
  float doubtful_confidence_;
  PointCloud<PointXYZ>::Ptr cloud_;
  PinholeCamera camera_;
  float pixel_angle_;
  std::vector<bool> is_room_; ///< or of a person, or not measured
  RoomPlane floor_;           ///< of area 0 if none is seen
  std::vector<TriedBody> bodies_;
  CapsuleLikelihood likelihood_;
  double open_count_ = 0.0; ///< points that nothing explains yet
  float miss_square_ = 0.0f;
};

} // namespace

std::vector<DetectedPerson>
searchPeople(const PeopleDetectionParameters& parameters,
             const DepthPicture& picture,
             const KnownRoom& room,
             float doubtful_confidence)
{
  if (picture.camera.width == 0)
    return {};
  return Detection(parameters, picture, room, doubtful_confidence).run();
}

Eigen::Quaternionf
upright()
{
  // y up becomes y down, z forward becomes back.
  return Eigen::Quaternionf(
      Eigen::AngleAxisf(static_cast<float>(M_PI), Vector3f::UnitX()));
}

std::vector<float>
standingPose(const Skeleton& skeleton)
{
  constexpr float down = -1.3f;
  std::vector<float> pose = skeleton.restPose();
  for (const char* const arm : {"LeftArm", "RightArm"})
    setFirstAngle(skeleton, arm, down, pose);
  return pose;
}

} // namespace pcl::gpu
