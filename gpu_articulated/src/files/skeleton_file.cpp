// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "angle_units.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/articulated/skeleton_file.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/atomic_file.h>
#include <pcl/gpu/utils/internal/exception_message.h>
#include <pcl/gpu/utils/internal/text_file.h>

#include <boost/algorithm/string/case_conv.hpp>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <locale>

namespace pcl::gpu {

namespace {

using Pair = std::array<float, 2>;
using Triple = std::array<float, 3>;

// Names of the types of values.
template <typename T>
constexpr const char* form_of = "text";
template <>
constexpr const char* form_of<float> = "number";
template <>
constexpr const char* form_of<Pair> = "list of [2 numbers]";
template <>
constexpr const char* form_of<Triple> = "list of [3 numbers]";

/** \brief Returns the extension of a file name in small letters, with its dot. */
std::string
extensionOf(const std::string& file)
{
  return boost::algorithm::to_lower_copy(
      std::filesystem::path(file).extension().string(), std::locale::classic());
}

/** \brief Returns the body of a BVH file with capsules and limits by its joints'
 * names. */
Skeleton
loadBvhBody(const std::string& file, const BvhOptions& options)
{
  Skeleton skeleton;
  MotionClip motion;
  loadBvh(file, skeleton, motion, options);
  // The time to find the parts of a body grows with the square of its joints.
  constexpr std::size_t most_joints = 5000;
  const std::size_t joints = skeleton.getJoints().size();
  if (joints > most_joints)
    PCL_THROW_EXCEPTION(IOException,
                        file << ": has " << joints << " joints: expected a body of "
                             << most_joints << " at most");
  try {
    addBodyCapsules(skeleton);
    setBodyLimits(skeleton);
  }
  catch (const BadArgumentException& exception) {
    PCL_THROW_EXCEPTION(IOException,
                        file << ": " << messageOf(exception)
                             << ": no body has these bones");
  }
  return skeleton;
}

class SkeletonReader {
public:
  explicit SkeletonReader(const std::string& file) : file_(file) {}

  Skeleton
  read()
  {
    const YAML::Node root = load();
    checkKeys(root, "the file", {"skeleton", "scale", "joints", "capsules"});
    const bool has_bvh = static_cast<bool>(root["skeleton"]);
    if (has_bvh)
      atLine(root[root["scale"] ? "scale" : "skeleton"], [&] { readBvh(root); });
    else if (root["scale"])
      fail(root["scale"].Mark(), "scale is without skeleton", "skeleton: FILE.bvh");
    forEach(root, "joints", [&](const YAML::Node& node) {
      has_bvh ? changeJoint(node) : addJoint(node);
    });
    if (skeleton_.getJoints().empty())
      fail(root.Mark(), "there are no joints", "joints, or skeleton: FILE.bvh");
    forEach(root, "capsules", [&](const YAML::Node& node) { addCapsule(node); });
    return skeleton_;
  }

private:
  YAML::Node
  load() const
  {
    const std::string text = readTextFile(file_);
    try {
      return YAML::Load(text);
    }
    catch (const YAML::Exception& exception) {
      fail(exception.mark, exception.msg, "YAML or JSON");
    }
  }

  [[noreturn]] void
  fail(const YAML::Mark& mark,
       const std::string& problem,
       const std::string& expected) const
  {
    // Marks count from 0. A node that is not in the file has none.
    const int line = mark.is_null() ? 1 : mark.line + 1;
    PCL_THROW_EXCEPTION(IOException,
                        file_ << ", line " << line << ": " << problem << ": expected "
                              << expected);
  }

  /** \brief Checks that a node is a map with no other keys than these. */
  void
  checkKeys(const YAML::Node& node,
            const std::string& name,
            std::initializer_list<const char*> keys) const
  {
    if (!node.IsMap())
      fail(node.Mark(), name + " has no keys", "keys and values");
    std::string all;
    for (const char* key : keys)
      all += (all.empty() ? "" : ", ") + std::string(key);
    for (const auto& entry : node) {
      const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "[...]";
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        fail(entry.first.Mark(), name + " has the key '" + key + "'", all);
    }
  }

  /** \brief Calls a function. An argument that the skeleton refuses gets the node's
   * line. */
  template <typename Function>
  void
  atLine(const YAML::Node& node, const Function& function) const
  {
    try {
      function();
    }
    catch (const BadArgumentException& exception) {
      fail(node.Mark(), messageOf(exception), "a body that can be");
    }
  }

  /** \brief Calls a function for every entry of a list, which may be absent. */
  template <typename Function>
  void
  forEach(const YAML::Node& node, const char* key, const Function& function) const
  {
    const YAML::Node list = node[key];
    if (list && !list.IsSequence())
      fail(list.Mark(), std::string(key) + " is no list", "a list");
    if (list)
      for (const auto& entry : list)
        atLine(entry, [&] { function(entry); });
  }

  /** \brief Returns the value of a key: a text, a number or an array of numbers. */
  template <typename T>
  T
  value(const YAML::Node& node, const char* key) const
  {
    const std::string form = form_of<T>;
    const YAML::Node found = node[key];
    T value{};
    try {
      if (found && !(found.IsScalar() && found.Scalar().empty()) &&
          YAML::convert<T>::decode(found, value))
        return value;
    }
    catch (const YAML::Exception&) {
      // An entry of the array is no number.
    }
    fail(found ? found.Mark() : node.Mark(),
         std::string(key) + (found ? " is no " + form : " is missing"),
         std::string(key) + ": " + form);
  }

  Eigen::Vector3f
  vector(const YAML::Node& node, const char* key) const
  {
    return Eigen::Vector3f(value<Triple>(node, key).data());
  }

  int
  jointNamed(const YAML::Node& node, const char* key) const
  {
    const auto name = value<std::string>(node, key);
    const int joint = skeleton_.findJoint(name);
    if (joint < 0)
      fail(node[key].Mark(),
           std::string(key) + " is '" + name + "'",
           "the name of a joint before");
    return joint;
  }

  void
  readBvh(const YAML::Node& root)
  {
    BvhOptions options;
    if (root["scale"])
      options.scale = value<float>(root, "scale");
    const auto folder = std::filesystem::path(file_).parent_path();
    const Skeleton body =
        loadBvhBody((folder / value<std::string>(root, "skeleton")).string(), options);
    if (!root["capsules"])
      skeleton_ = body;
    else
      for (const SkeletonJoint& joint : body.getJoints())
        skeleton_.addJoint(joint);
  }

  void
  addJoint(const YAML::Node& node)
  {
    checkKeys(node, "a joint", {"name", "parent", "offset", "angles"});
    SkeletonJoint joint;
    joint.name = value<std::string>(node, "name");
    if (node["parent"] || !skeleton_.getJoints().empty())
      joint.parent = jointNamed(node, "parent");
    if (node["offset"])
      joint.offset = vector(node, "offset");
    forEach(node, "angles", [&](const YAML::Node& angle) {
      checkKeys(angle, "an angle", {"axis", "limits", "deviation"});
      joint.angles.emplace_back();
      joint.angles.back().axis = vector(angle, "axis");
      readRange(angle, joint.angles.back());
    });
    skeleton_.addJoint(joint);
  }

  void
  changeJoint(const YAML::Node& node)
  {
    checkKeys(node, "a joint of a BVH file", {"name", "angles"});
    const int number = jointNamed(node, "name");
    SkeletonJoint joint = skeleton_.getJoints()[number];
    std::vector<YAML::Node> angles;
    forEach(node, "angles", [&](const YAML::Node& angle) { angles.push_back(angle); });
    if (!angles.empty() && angles.size() != joint.angles.size())
      fail(node["angles"].Mark(),
           "there are " + std::to_string(angles.size()) + " angles",
           std::to_string(joint.angles.size()) + ", as in the BVH file");
    for (std::size_t i = 0; i < angles.size(); ++i) {
      checkKeys(angles[i], "an angle of a BVH file", {"limits", "deviation"});
      readRange(angles[i], joint.angles[i]);
    }
    skeleton_.setJoint(number, joint);
  }

  void
  readRange(const YAML::Node& node, JointAngle& angle) const
  {
    if (node["limits"]) {
      const auto limits = value<Pair>(node, "limits");
      angle.lower = static_cast<float>(limits[0] * radians);
      angle.upper = static_cast<float>(limits[1] * radians);
    }
    if (node["deviation"])
      angle.deviation = static_cast<float>(value<float>(node, "deviation") * radians);
  }

  void
  addCapsule(const YAML::Node& node)
  {
    checkKeys(node, "a capsule", {"name", "joint", "a", "b", "radius", "radii"});
    SkeletonCapsule capsule;
    if (node["name"])
      capsule.name = value<std::string>(node, "name");
    capsule.joint = jointNamed(node, "joint");
    capsule.a = vector(node, "a");
    capsule.b = vector(node, "b");
    if (node["radii"] && node["radius"])
      fail(node["radius"].Mark(), "there are radius and radii", "one of them");
    if (node["radii"]) {
      const auto radii = value<Pair>(node, "radii");
      capsule.radius_a = radii[0];
      capsule.radius_b = radii[1];
    }
    else {
      capsule.radius_a = capsule.radius_b = value<float>(node, "radius");
    }
    skeleton_.addCapsule(capsule);
  }

  const std::string file_;
  Skeleton skeleton_;
};

/** \brief Writes a key and its value, which is a name, a number or a list of
 * numbers. */
template <typename T>
void
write(YAML::Emitter& yaml, const char* key, const T& value)
{
  yaml << YAML::Key << key << YAML::Value << YAML::Flow << value;
}

void
write(YAML::Emitter& yaml, const char* key, const Eigen::Vector3f& vector)
{
  write(yaml, key, std::vector<float>(vector.data(), vector.data() + 3));
}

/** \brief Writes a key and a list of maps. */
template <typename T, typename Function>
void
writeList(YAML::Emitter& yaml,
          const char* key,
          const std::vector<T>& entries,
          const Function& writeEntry)
{
  yaml << YAML::Key << key << YAML::Value << YAML::BeginSeq;
  for (const T& entry : entries) {
    yaml << YAML::BeginMap;
    writeEntry(entry);
    yaml << YAML::EndMap;
  }
  yaml << YAML::EndSeq;
}

} // namespace

Skeleton
loadSkeleton(const std::string& file, const BvhOptions& options)
{
  const std::string extension = extensionOf(file);
  if (extension == ".bvh")
    return loadBvhBody(file, options);
  if (extension != ".yaml" && extension != ".yml" && extension != ".json")
    PCL_THROW_EXCEPTION(IOException,
                        file << " ends in '" << extension
                             << "': expected .yaml, .yml, .json or .bvh");
  return SkeletonReader(file).read();
}

void
saveSkeleton(const std::string& file, const Skeleton& skeleton)
{
  const std::string extension = extensionOf(file);
  checkArgument(extension == ".yaml" || extension == ".yml",
                "name of the file",
                file,
                "one that ends in .yaml or .yml");
  const std::vector<SkeletonJoint>& joints = skeleton.getJoints();
  checkArgument(!joints.empty(), "skeleton", "empty", "a root joint");
  YAML::Emitter yaml;
  yaml.SetFloatPrecision(9);
  // With these digits, limits become the same floats again.
  yaml.SetDoublePrecision(12);
  yaml << YAML::BeginMap;
  writeList(yaml, "joints", joints, [&](const SkeletonJoint& joint) {
    write(yaml, "name", joint.name);
    if (joint.parent >= 0) {
      write(yaml, "parent", joints[joint.parent].name);
      write(yaml, "offset", joint.offset);
    }
    if (joint.angles.empty())
      return;
    writeList(yaml, "angles", joint.angles, [&](const JointAngle& angle) {
      constexpr float infinity = std::numeric_limits<float>::infinity();
      write(yaml, "axis", angle.axis);
      if (angle.lower > -infinity || angle.upper < infinity)
        write(yaml,
              "limits",
              std::vector<double>{angle.lower * degrees, angle.upper * degrees});
      write(yaml, "deviation", angle.deviation * degrees);
    });
  });
  writeList(
      yaml, "capsules", skeleton.getCapsules(), [&](const SkeletonCapsule& capsule) {
        if (!capsule.name.empty())
          write(yaml, "name", capsule.name);
        write(yaml, "joint", joints[capsule.joint].name);
        write(yaml, "a", capsule.a);
        write(yaml, "b", capsule.b);
        if (capsule.radius_a == capsule.radius_b)
          write(yaml, "radius", capsule.radius_a);
        else
          write(yaml, "radii", std::vector<float>{capsule.radius_a, capsule.radius_b});
      });
  yaml << YAML::EndMap;
  writeFile(file, std::string(yaml.c_str()) + "\n");
}

} // namespace pcl::gpu
