// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "text_file.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/articulated/skeleton_file.h>
#include <pcl/gpu/utils/internal/exception_message.h>

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>

namespace pcl::gpu {

namespace {

constexpr double radians = M_PI / 180.0;

/** \brief Reads the values of a YAML file, and tells where one is wrong. */
class YamlFile {
public:
  explicit YamlFile(const std::string& file) : file_(file)
  {
    const std::string text = readTextFile(file);
    try {
      root_ = YAML::Load(text);
    }
    catch (const YAML::Exception& exception) {
      fail(exception.mark, exception.msg, "YAML or JSON");
    }
  }

  const YAML::Node&
  root() const
  {
    return root_;
  }

  [[noreturn]] void
  fail(const YAML::Mark& mark,
       const std::string& problem,
       const std::string& expected) const
  {
    // Marks count from 0; what is not in the file has none.
    const int line = mark.is_null() ? 1 : mark.line + 1;
    PCL_THROW_EXCEPTION(IOException,
                        file_ << ", line " << line << ": " << problem << ": expected "
                              << expected);
  }

  /** \brief Checks that a node is a map with no other keys than these. */
  void
  checkKeys(const YAML::Node& node,
            const std::string& what,
            std::initializer_list<const char*> keys) const
  {
    if (!node.IsMap())
      fail(node.Mark(), what + " has no keys", "keys and values");
    std::string all;
    for (const char* key : keys)
      all += (all.empty() ? "" : ", ") + std::string(key);
    for (const auto& entry : node) {
      const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "[...]";
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        fail(entry.first.Mark(), what + " has the key '" + key + "'", all);
    }
  }

  /** \brief The entries of a list; none if it is absent. */
  std::vector<YAML::Node>
  list(const YAML::Node& node, const char* key) const
  {
    const YAML::Node found = node[key];
    if (found && !found.IsSequence())
      fail(found.Mark(), std::string(key) + " is no list", "a list");
    std::vector<YAML::Node> entries;
    if (found)
      for (const auto& entry : found)
        entries.push_back(entry);
    return entries;
  }

  std::string
  text(const YAML::Node& node, const char* key) const
  {
    const YAML::Node found = node[key];
    if (!found || !found.IsScalar() || found.Scalar().empty())
      fail(found ? found.Mark() : node.Mark(),
           std::string(key) + (found ? " is no text" : " is missing"),
           std::string(key) + ": NAME");
    return found.Scalar();
  }

  float
  number(const YAML::Node& node, const char* key) const
  {
    const YAML::Node found = node[key];
    if (!found)
      fail(
          node.Mark(), std::string(key) + " is missing", std::string(key) + ": NUMBER");
    return asNumber(found, key);
  }

  /** \brief A list of numbers. */
  template <int size>
  Eigen::Matrix<float, size, 1>
  numbers(const YAML::Node& node, const char* key) const
  {
    const YAML::Node found = node[key];
    if (!found || !found.IsSequence() || found.size() != size)
      fail(found ? found.Mark() : node.Mark(),
           std::string(key) + (found ? " is no such list" : " is missing"),
           std::string(key) + ": [" + std::to_string(size) + " numbers]");
    Eigen::Matrix<float, size, 1> values;
    for (int i = 0; i < size; ++i)
      values[i] = asNumber(found[i], key);
    return values;
  }

private:
  float
  asNumber(const YAML::Node& node, const char* key) const
  {
    float value = 0.0f;
    if (!node.IsScalar() || !YAML::convert<float>::decode(node, value))
      fail(node.Mark(), std::string(key) + " has what is no number", "a number");
    return value;
  }

  std::string file_;
  YAML::Node root_;
};

class SkeletonReader {
public:
  explicit SkeletonReader(const std::string& file)
  : yaml_(file)
  , folder_(std::filesystem::path(file).parent_path())
  {}

  Skeleton
  read()
  {
    const YAML::Node& root = yaml_.root();
    yaml_.checkKeys(root, "the file", {"skeleton", "scale", "joints", "capsules"});
    const bool has_bvh = static_cast<bool>(root["skeleton"]);
    if (has_bvh)
      readBvh(root);
    else if (root["scale"])
      yaml_.fail(
          root["scale"].Mark(), "scale is without skeleton", "skeleton: FILE.bvh");
    for (const YAML::Node& node : yaml_.list(root, "joints"))
      atLine(node, [&] { has_bvh ? changeJoint(node) : addJoint(node); });
    if (skeleton_.getJoints().empty())
      yaml_.fail(root.Mark(), "there are no joints", "joints, or skeleton: FILE.bvh");
    for (const YAML::Node& node : yaml_.list(root, "capsules"))
      atLine(node, [&] { addCapsule(node); });
    return skeleton_;
  }

private:
  /** \brief Calls a function; what the skeleton refuses is told with the line. */
  template <typename Function>
  void
  atLine(const YAML::Node& node, const Function& function) const
  {
    try {
      function();
    }
    catch (const BadArgumentException& exception) {
      yaml_.fail(node.Mark(), messageOf(exception), "a body that can be");
    }
  }

  void
  readBvh(const YAML::Node& root)
  {
    BvhOptions options;
    if (root["scale"])
      options.scale = yaml_.number(root, "scale");
    const std::string file = (folder_ / yaml_.text(root, "skeleton")).string();
    atLine(root["scale"] ? root["scale"] : root["skeleton"], [&] {
      MotionClip motion;
      loadBvh(file, skeleton_, motion, options);
      addBodyCapsules(skeleton_);
      setBodyLimits(skeleton_);
    });
    if (root["capsules"])
      removeCapsules();
  }

  void
  removeCapsules()
  {
    Skeleton bare;
    for (const SkeletonJoint& joint : skeleton_.getJoints())
      bare.addJoint(joint);
    skeleton_ = std::move(bare);
  }

  int
  jointNamed(const YAML::Node& node, const char* key) const
  {
    const std::string name = yaml_.text(node, key);
    const int number = skeleton_.findJoint(name);
    if (number < 0)
      yaml_.fail(node[key].Mark(),
                 std::string(key) + " is '" + name + "'",
                 "the name of a joint before");
    return number;
  }

  void
  addJoint(const YAML::Node& node)
  {
    yaml_.checkKeys(node, "a joint", {"name", "parent", "offset", "angles"});
    SkeletonJoint joint;
    joint.name = yaml_.text(node, "name");
    if (node["parent"] || !skeleton_.getJoints().empty())
      joint.parent = jointNamed(node, "parent");
    if (node["offset"])
      joint.offset = yaml_.numbers<3>(node, "offset");
    for (const YAML::Node& angle : yaml_.list(node, "angles")) {
      yaml_.checkKeys(angle, "an angle", {"axis", "limits", "deviation"});
      joint.angles.emplace_back();
      joint.angles.back().axis = yaml_.numbers<3>(angle, "axis");
      readRange(angle, joint.angles.back());
    }
    skeleton_.addJoint(joint);
  }

  void
  changeJoint(const YAML::Node& node)
  {
    yaml_.checkKeys(node, "a joint of a BVH file", {"name", "angles"});
    const int number = jointNamed(node, "name");
    SkeletonJoint joint = skeleton_.getJoints()[number];
    const std::vector<YAML::Node> angles = yaml_.list(node, "angles");
    if (!angles.empty() && angles.size() != joint.angles.size())
      yaml_.fail(node["angles"].Mark(),
                 "there are " + std::to_string(angles.size()) + " angles",
                 std::to_string(joint.angles.size()) + ", as in the BVH file");
    for (std::size_t i = 0; i < angles.size(); ++i) {
      yaml_.checkKeys(angles[i], "an angle of a BVH file", {"limits", "deviation"});
      readRange(angles[i], joint.angles[i]);
    }
    skeleton_.setJoint(number, joint);
  }

  void
  readRange(const YAML::Node& node, JointAngle& angle) const
  {
    if (node["limits"]) {
      const Eigen::Vector2f limits = yaml_.numbers<2>(node, "limits");
      angle.lower = static_cast<float>(limits[0] * radians);
      angle.upper = static_cast<float>(limits[1] * radians);
    }
    if (node["deviation"])
      angle.deviation = static_cast<float>(yaml_.number(node, "deviation") * radians);
  }

  void
  addCapsule(const YAML::Node& node)
  {
    yaml_.checkKeys(node, "a capsule", {"name", "joint", "a", "b", "radius", "radii"});
    SkeletonCapsule capsule;
    if (node["name"])
      capsule.name = yaml_.text(node, "name");
    capsule.joint = jointNamed(node, "joint");
    capsule.a = yaml_.numbers<3>(node, "a");
    capsule.b = yaml_.numbers<3>(node, "b");
    if (node["radii"]) {
      if (node["radius"])
        yaml_.fail(node["radius"].Mark(), "there are radius and radii", "one of them");
      const Eigen::Vector2f radii = yaml_.numbers<2>(node, "radii");
      capsule.radius_a = radii[0];
      capsule.radius_b = radii[1];
    }
    else {
      capsule.radius_a = capsule.radius_b = yaml_.number(node, "radius");
    }
    skeleton_.addCapsule(capsule);
  }

  const YamlFile yaml_;
  const std::filesystem::path folder_;
  Skeleton skeleton_;
};

} // namespace

Skeleton
loadSkeleton(const std::string& file, const BvhOptions& options)
{
  const std::string extension = extensionOf(file);
  if (extension == ".bvh") {
    Skeleton skeleton;
    MotionClip motion;
    loadBvh(file, skeleton, motion, options);
    addBodyCapsules(skeleton);
    setBodyLimits(skeleton);
    return skeleton;
  }
  if (extension != ".yaml" && extension != ".yml" && extension != ".json")
    PCL_THROW_EXCEPTION(IOException,
                        file << " ends in '" << extension
                             << "': expected .yaml, .yml, .json or .bvh");
  return SkeletonReader(file).read();
}

} // namespace pcl::gpu
