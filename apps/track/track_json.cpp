// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "track_json.h"

#include "../common/command_line/json_text.h"
#include "../common/files/output_file.h"

#include <algorithm>

namespace pcl::gpu::apps {

namespace {

/** \brief Returns the joints of a body under the names of its skeleton. */
std::vector<NamedJoint>
ownJoints(const TrackedFrame& body)
{
  std::vector<NamedJoint> joints;
  for (const TrackedJoint& joint : body.joints)
    joints.push_back({joint.name, joint.position, joint.deviation});
  return joints;
}

/** \brief Returns the joints of a body under the names of a convention; none if it
 * lacks most of them, as a robot or a hand does. */
std::vector<NamedJoint>
jointsOf(const TrackedFrame& body, JointConvention convention)
{
  std::vector<JointEstimate> estimates;
  for (const TrackedJoint& joint : body.joints)
    estimates.push_back({joint.position, joint.deviation});
  std::vector<NamedJoint> joints =
      nameJoints(convention, *body.skeleton, body.estimate.mean, estimates);
  const auto is_missing = [](const NamedJoint& joint) {
    return joint.position.hasNaN();
  };
  const auto missing = std::count_if(joints.begin(), joints.end(), is_missing);
  if (2 * static_cast<std::size_t>(missing) > joints.size())
    joints.clear();
  return joints;
}

std::string
textOf(const NamedJoint& joint)
{
  const std::string name = jsonText(joint.name) + ": ";
  if (joint.position.hasNaN())
    return name + "null";
  std::string text = name + "{\"position_m\": [";
  for (int axis = 0; axis < 3; ++axis)
    text += (axis ? ", " : "") + jsonNumber(joint.position[axis]);
  return text + "], \"deviation_m\": " + jsonNumber(joint.deviation) + "}";
}

} // namespace

TrackJson::TrackJson(const std::string& path, float frame_rate, JointNames names)
: path_(path)
, frame_rate_(frame_rate)
, names_(names)
{
  checkWritable(path);
}

std::string
TrackJson::textOf(const TrackedFrame& body)
{
  std::vector<NamedJoint> joints;
  if (names_)
    joints = jointsOf(body, *names_);
  if (joints.empty()) {
    names_.reset();
    joints = ownJoints(body);
  }
  std::string text = "{\"person\": " + std::to_string(body.person) +
                     ", \"confidence\": " + jsonNumber(body.confidence) +
                     ", \"joints\": {";
  for (std::size_t i = 0; i < joints.size(); ++i)
    text += (i ? ",\n        " : "\n        ") + apps::textOf(joints[i]);
  return text + "}}";
}

void
TrackJson::add(int number, const std::vector<TrackedFrame>& bodies)
{
  frames_ += frames_.empty() ? "\n" : ",\n";
  frames_ += "    {\"frame\": " + std::to_string(number) +
             ", \"time_s\": " + jsonNumber(number / static_cast<double>(frame_rate_)) +
             ", \"people\": [";
  for (std::size_t i = 0; i < bodies.size(); ++i)
    frames_ += (i ? ",\n      " : "\n      ") + textOf(bodies[i]);
  frames_ += "]}";
}

void
TrackJson::commit()
{
  writeText(path_,
            "{\n  \"program\": \"pcl_gpu_track\",\n  \"version\": "
            "\"" PCL_GPU_VERSION "\",\n  \"joint_names\": " +
                jsonText(wordFor(names_, jointNameWords())) + ",\n  \"frames\": [" +
                frames_ + "\n  ]\n}\n");
}

} // namespace pcl::gpu::apps
