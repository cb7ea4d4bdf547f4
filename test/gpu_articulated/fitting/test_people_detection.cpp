// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// People in rendered rooms, whose poses are known, and in recorded images.

#include "common/depth_images.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "testing/people_room.h"

#include <pcl/gpu/articulated/capsule_ray_caster.h>
#include <pcl/gpu/articulated/forward_kinematics.h>
#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/articulated/people_detection.h>
#include <pcl/io/pcd_io.h>

#include <Eigen/Geometry>

#include <cmath>
#include <limits>
#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

namespace {

class PeopleInRooms : public DeviceTest {
protected:
  static std::vector<DetectedPerson>
  detect(const pcl::PointCloud<pcl::PointXYZ>& cloud)
  {
    return PeopleDetection().detect(cloud);
  }
};

PinholeCamera
smallKinect()
{
  return {131.0f, 131.0f, 79.5f, 59.5f, 160, 120};
}

/** \brief A standing person with arms that hang down, its hips at a place. Bent by an
 * angle, trunk and arms lean forward. */
std::vector<float>
standingAt(const Skeleton& body, const Vector3f& hips, float turn, float bend = 0.0f)
{
  std::vector<float> pose = body.restPose();
  Vector3f::Map(pose.data()) = hips;
  const Eigen::Quaternionf orientation(
      Eigen::AngleAxisf(static_cast<float>(M_PI), Vector3f::UnitX()) *
      Eigen::AngleAxisf(turn, Vector3f::UnitY()) *
      Eigen::AngleAxisf(bend, Vector3f::UnitX()));
  pose[3] = orientation.w();
  pose[4] = orientation.x();
  pose[5] = orientation.y();
  pose[6] = orientation.z();
  pose[body.angleIndex(body.findJoint("LeftArm"))] = -1.1f;
  pose[body.angleIndex(body.findJoint("RightArm"))] = -1.1f;
  for (const char* const leg : {"LeftUpLeg", "RightUpLeg"})
    pose[body.angleIndex(body.findJoint(leg))] = bend;
  return pose;
}

/** \brief A room with a floor 1.1 m beneath the camera, a back wall 4 m away, and a
 * wall 1.5 m to the left. */
float
depthOfRoom(const Vector3f& ray)
{
  float depth = 4.0f / ray.z();
  if (ray.y() > 0.0f)
    depth = std::min(depth, 1.1f / ray.y());
  if (ray.x() < 0.0f)
    depth = std::min(depth, -1.5f / ray.x());
  return depth;
}

/** \brief Renders bodies in the room, with a depth camera's noise. */
pcl::PointCloud<pcl::PointXYZ>
renderRoom(const Skeleton::ConstPtr& body, const std::vector<std::vector<float>>& poses)
{
  const PinholeCamera camera = smallKinect();
  std::vector<float> depths(camera.width * camera.height,
                            std::numeric_limits<float>::quiet_NaN());
  for (const std::vector<float>& pose : poses) {
    ForwardKinematics kinematics;
    kinematics.setSkeleton(body);
    pcl::gpu::DeviceArray<TaperedCapsule> capsules;
    kinematics.computeCapsules(uploaded(pose), capsules);
    CapsuleRayCaster caster;
    CapsuleRayCasterParameters parameters;
    parameters.camera = camera;
    caster.setParameters(parameters);
    pcl::gpu::DeviceArray2D<float> depth_map;
    caster.cast(capsules, depth_map);
    std::vector<float> seen;
    int columns = 0;
    depth_map.download(seen, columns);
    for (std::size_t i = 0; i < seen.size(); ++i)
      depths[i] = std::fmin(depths[i], seen[i]);
  }
  std::mt19937 random(1);
  std::normal_distribution<float> noise;
  pcl::PointCloud<pcl::PointXYZ> cloud(camera.width, camera.height);
  for (int row = 0; row < camera.height; ++row)
    for (int column = 0; column < camera.width; ++column) {
      const Vector3f ray(
          (column - camera.cx) / camera.fx, (row - camera.cy) / camera.fy, 1.0f);
      float z = std::fmin(depths[row * camera.width + column], depthOfRoom(ray));
      z += 0.0015f * z * z * noise(random);
      cloud(column, row).getVector3fMap() = z * ray;
    }
  return cloud;
}

std::vector<Vector3f>
jointsOf(const Skeleton::ConstPtr& body, const std::vector<float>& pose)
{
  ForwardKinematics kinematics;
  kinematics.setSkeleton(body);
  pcl::gpu::DeviceArray<pcl::PointXYZ> joints;
  kinematics.computeJoints(uploaded(pose), joints);
  std::vector<Vector3f> positions;
  for (const pcl::PointXYZ& joint : downloaded(joints))
    positions.push_back(joint.getVector3fMap());
  return positions;
}

/** \brief Mean distance of the joints of trunk and limbs of a person from the truth.
 * The front of a body of capsules is like its back, so sides may be exchanged. */
float
meanError(const DetectedPerson& person,
          const Skeleton::ConstPtr& body,
          const std::vector<float>& truth)
{
  const std::vector<Vector3f> found = jointsOf(person.skeleton, person.pose);
  const std::vector<Vector3f> expected = jointsOf(body, truth);
  const auto errorBy = [&](bool exchanged) {
    float sum = 0.0f;
    int count = 0;
    for (const std::string side : {"Left", "Right"})
      for (const char* name : {"Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot"}) {
        const std::string other = side == "Left" ? "Right" : "Left";
        sum += (found[body->findJoint((exchanged ? other : side) + name)] -
                expected[body->findJoint(side + name)])
                   .norm();
        ++count;
      }
    return sum / count;
  };
  return std::min(errorBy(false), errorBy(true));
}

const PinholeCamera kinect = {525.0f, 525.0f, 319.5f, 239.5f, 640, 480};

} // namespace

TEST_P(PeopleInRooms, AreFoundWithTheirPoses)
{
  const auto body = std::make_shared<const Skeleton>(makeHumanSkeleton(1.75f));
  // Their feet are on the floor.
  const std::vector<std::vector<float>> truth = {
      standingAt(*body, {-0.5f, 0.17f, 2.2f}, 0.3f),
      standingAt(*body, {0.7f, 0.17f, 2.9f}, -0.5f)};
  const std::vector<DetectedPerson> people = detect(renderRoom(body, truth));
  ASSERT_EQ(people.size(), 2u);
  for (const std::vector<float>& pose : truth) {
    const auto errorOf = [&](const DetectedPerson& person) {
      return meanError(person, body, pose);
    };
    EXPECT_LT(std::min(errorOf(people[0]), errorOf(people[1])), 0.08f);
  }
  for (const DetectedPerson& person : people)
    EXPECT_GT(person.confidence, 0.8f);
}

TEST_P(PeopleInRooms, AreFoundWhenTheyBendDown)
{
  const auto body = std::make_shared<const Skeleton>(makeHumanSkeleton(1.75f));
  for (const float turn : {0.3f, 1.3f, -1.2f}) {
    SCOPED_TRACE(turn);
    const std::vector<float> pose = standingAt(*body, {-0.2f, 0.19f, 2.4f}, turn, 1.1f);
    const std::vector<DetectedPerson> people = detect(renderRoom(body, {pose}));
    ASSERT_EQ(people.size(), 1u);
    const std::vector<Vector3f> truth = jointsOf(body, pose);
    const std::vector<Vector3f> found = jointsOf(people[0].skeleton, people[0].pose);
    for (const char* const name : {"Hips", "Neck", "Head"}) {
      const int joint = body->findJoint(name);
      EXPECT_LT((found[joint] - truth[joint]).norm(), 0.1f) << name;
    }
  }
}

TEST_P(PeopleInRooms, NobodyIsInAnEmptyRoom)
{
  const auto body = std::make_shared<const Skeleton>(makeHumanSkeleton(1.75f));
  EXPECT_TRUE(detect(renderRoom(body, {})).empty());
}

TEST_P(PeopleInRooms, NobodyIsWhereNothingIsMeasured)
{
  constexpr float missing = std::numeric_limits<float>::quiet_NaN();
  pcl::PointCloud<pcl::PointXYZ> cloud(40, 30);
  EXPECT_TRUE(detect(cloud).empty());
  for (pcl::PointXYZ& point : cloud)
    point.x = point.y = point.z = missing;
  EXPECT_TRUE(detect(cloud).empty());
  cloud(20, 15) = {0.0f, 0.0f, 1.0f};
  EXPECT_TRUE(detect(cloud).empty());
}

TEST_P(PeopleInRooms, CloudsThatAreNotOrganizedAreRefused)
{
  const pcl::PointCloud<pcl::PointXYZ> cloud(100, 1);
  expectBadArgument("height of the cloud", [&] { PeopleDetection().detect(cloud); });
}

TEST_P(PeopleInRooms, ParametersOutOfRangeAreNamed)
{
  const auto expectBad = [](const char* name, const auto& change) {
    PeopleDetectionParameters parameters;
    change(parameters);
    expectBadArgument(name, [&] { PeopleDetection().setParameters(parameters); });
  };
  expectBad("farthest", [](auto& p) { p.farthest = 0.0f; });
  expectBad("statures", [](auto& p) { p.statures.clear(); });
  expectBad("stature", [](auto& p) { p.statures = {1.7f, -1.0f}; });
  expectBad("min area", [](auto& p) { p.min_area = NAN; });
  expectBad("min confidence", [](auto& p) { p.min_confidence = 1.1f; });
  expectBad("max people", [](auto& p) { p.max_people = 0; });
}

// Counted by eye.
TEST_P(PeopleInRooms, AreFoundBesideFurniture)
{
  // A dancer with bent knees and raised arms before a cupboard, in the plane of its
  // side.
  for (const int seed : {17, 19}) {
    SCOPED_TRACE(seed);
    PeopleRoom room({dataPath("mocap/cmu_02_01.bvh"), dataPath("mocap/cmu_05_06.bvh")},
                    seed);
    const PeopleFrame frame = room.next();
    const Vector3f hips = frame.people[1].joints.at("Hips");
    bool is_found = false;
    for (const DetectedPerson& person : detect(frame.cloud))
      is_found = is_found || (Vector3f::Map(person.pose.data()) - hips).norm() < 0.25f;
    EXPECT_TRUE(is_found);
  }
}

TEST_P(PeopleInRooms, OfRecordedImagesAreCounted)
{
  pcl::PointCloud<pcl::PointXYZ> five;
  ASSERT_EQ(pcl::io::loadPCDFile(dataPath("people/five_people.pcd"), five), 0);
  EXPECT_EQ(detect(five).size(), 5u);
  EXPECT_EQ(detect(recordedCloud("people/open3d_person_depth_mm.png", kinect)).size(),
            1u);
  const std::string upper_bodies = "people/skeltrack_kinect/depth-data-";
  EXPECT_EQ(detect(recordedCloud(upper_bodies + "1051883281.png", kinect)).size(), 1u);
  EXPECT_EQ(detect(recordedCloud("depth/tum_desk.depth_mm.png", kinect)).size(), 0u);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(PeopleInRooms);
