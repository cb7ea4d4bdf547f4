// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "text_file.h"

#include <pcl/gpu/articulated/skeleton_file.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <yaml-cpp/yaml.h>

#include <cmath>
#include <limits>

namespace pcl::gpu {

namespace {

constexpr double degrees = 180.0 / M_PI;

void
write(YAML::Emitter& yaml, const char* key, const Eigen::Vector3f& vector)
{
  yaml << YAML::Key << key << YAML::Value << YAML::Flow << YAML::BeginSeq << vector.x()
       << vector.y() << vector.z() << YAML::EndSeq;
}

/** \brief Writes two numbers in a list. */
template <typename T>
void
writePair(YAML::Emitter& yaml, const char* key, T first, T second)
{
  yaml << YAML::Key << key << YAML::Value << YAML::Flow << YAML::BeginSeq << first
       << second << YAML::EndSeq;
}

void
write(YAML::Emitter& yaml, const JointAngle& angle)
{
  constexpr float infinity = std::numeric_limits<float>::infinity();
  yaml << YAML::BeginMap;
  write(yaml, "axis", angle.axis);
  if (angle.lower > -infinity || angle.upper < infinity)
    writePair(yaml, "limits", angle.lower * degrees, angle.upper * degrees);
  yaml << YAML::Key << "deviation" << YAML::Value << angle.deviation * degrees
       << YAML::EndMap;
}

void
writeJoints(YAML::Emitter& yaml, const std::vector<SkeletonJoint>& joints)
{
  yaml << YAML::Key << "joints" << YAML::Value << YAML::BeginSeq;
  for (const SkeletonJoint& joint : joints) {
    yaml << YAML::BeginMap << YAML::Key << "name" << YAML::Value << joint.name;
    if (joint.parent >= 0) {
      yaml << YAML::Key << "parent" << YAML::Value << joints[joint.parent].name;
      write(yaml, "offset", joint.offset);
    }
    if (!joint.angles.empty()) {
      yaml << YAML::Key << "angles" << YAML::Value << YAML::BeginSeq;
      for (const JointAngle& angle : joint.angles)
        write(yaml, angle);
      yaml << YAML::EndSeq;
    }
    yaml << YAML::EndMap;
  }
  yaml << YAML::EndSeq;
}

void
writeCapsules(YAML::Emitter& yaml, const Skeleton& skeleton)
{
  yaml << YAML::Key << "capsules" << YAML::Value << YAML::BeginSeq;
  for (const SkeletonCapsule& capsule : skeleton.getCapsules()) {
    yaml << YAML::BeginMap;
    if (!capsule.name.empty())
      yaml << YAML::Key << "name" << YAML::Value << capsule.name;
    yaml << YAML::Key << "joint" << YAML::Value
         << skeleton.getJoints()[capsule.joint].name;
    write(yaml, "a", capsule.a);
    write(yaml, "b", capsule.b);
    if (capsule.radius_a == capsule.radius_b)
      yaml << YAML::Key << "radius" << YAML::Value << capsule.radius_a;
    else
      writePair(yaml, "radii", capsule.radius_a, capsule.radius_b);
    yaml << YAML::EndMap;
  }
  yaml << YAML::EndSeq;
}

} // namespace

void
saveSkeleton(const std::string& file, const Skeleton& skeleton)
{
  const std::string extension = extensionOf(file);
  checkArgument(extension == ".yaml" || extension == ".yml",
                "name of the file",
                file,
                "one that ends in .yaml or .yml");
  checkArgument(!skeleton.getJoints().empty(), "skeleton", "empty", "a root joint");
  YAML::Emitter yaml;
  yaml.SetFloatPrecision(9);
  // Limits are read as the floats that they were before they became degrees.
  yaml.SetDoublePrecision(12);
  yaml << YAML::BeginMap;
  writeJoints(yaml, skeleton.getJoints());
  writeCapsules(yaml, skeleton);
  yaml << YAML::EndMap;
  writeTextFile(file, std::string(yaml.c_str()) + "\n");
}

} // namespace pcl::gpu
