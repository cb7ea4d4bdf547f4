// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "track_table.h"

#include <cmath>

namespace pcl::gpu::apps {

namespace {

/** \brief Returns a name without separators and quotes. */
std::string
columnName(std::string name)
{
  for (char& c : name)
    if (c == ',' || c == '"' || c == '\n')
      c = '_';
  return name;
}

} // namespace

TrackTable::TrackTable(const std::string& path, float frame_rate)
: path_(path)
, frame_rate_(frame_rate)
{
  checkWritable(path);
}

void
TrackTable::writeHead(const TrackedFrame& frame)
{
  out_ << "frame,person,time_s,confidence,effective_sample_size,log_evidence,"
          "mean_error_m";
  for (const TrackedJoint& joint : frame.joints)
    for (const char* column : {"_x", "_y", "_z", "_deviation_m", "_error_m"})
      out_ << "," << columnName(joint.name) << column;
  out_ << "\n";
  has_head_ = true;
}

void
TrackTable::add(const TrackedFrame& frame)
{
  if (!has_head_)
    writeHead(frame);
  // Unknown values are left empty.
  const auto write = [this](double number) {
    out_ << ",";
    if (std::isfinite(number))
      out_ << number;
  };
  const bool is_filtered = frame.estimate.effective_sample_size > 0.0;
  out_ << frame.number << "," << frame.person;
  write(frame.number / static_cast<double>(frame_rate_));
  write(frame.confidence);
  write(is_filtered ? frame.estimate.effective_sample_size : NAN);
  write(is_filtered ? frame.estimate.log_evidence : NAN);
  write(frame.mean_error);
  for (const TrackedJoint& joint : frame.joints) {
    for (int axis = 0; axis < 3; ++axis)
      write(joint.position[axis]);
    write(joint.deviation);
    write(joint.error);
  }
  out_ << "\n";
}

void
TrackTable::commit()
{
  writeText(path_, out_.str());
}

} // namespace pcl::gpu::apps
