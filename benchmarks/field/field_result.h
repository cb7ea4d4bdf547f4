// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "field_recognizer.h"
#include "pose_judge.h"

#include <map>
#include <string>
#include <vector>

namespace benchmarks {

/** \brief Estimates of many images, judged by the truth.
 *
 * As in BOP, only so many estimates of an object count as there are instances of it in
 * the image, those of the largest confidence. In the order of their confidence, each
 * takes the closest instance that is free, if its pose is right. All other estimates
 * are false.
 */
class FieldResult {
public:
  /** \brief Sets the objects that may be in images.
   * \param[in] meshes of the models
   * \param[in] infos of the same objects
   */
  FieldResult(const std::vector<BopMesh>& meshes,
              const std::map<int, BopObjectInfo>& infos);

  /** \brief Judges the estimates of an image.
   * \param[in] image the truth; all objects must have meshes
   * \param[in] estimates in any order
   * \param[in] seconds time of the image, for the file
   */
  void
  add(const BopImage& image, std::vector<Estimate> estimates, double seconds);

  /** \brief Prints a line for each instance of the image added last: right, wrong, or
   * not found. */
  void
  printLast() const;

  /** \brief Prints the rates by threshold of the confidence, and the table of objects.
   * \param[in] least confidence that was asked for
   */
  void
  print(float least) const;

  /** \brief Writes all estimates as a result of BOP.
   *
   * Lines are "scene_id,im_id,obj_id,score,R,t,time": R row by row, t in millimetres,
   * the time of the image in seconds. The file appears when it is complete.
   */
  void
  write(const std::string& path, int scene) const;

  /** \brief Writes the evidence of all estimates, and whether any instance of the
   * object has the pose, as CSV with a header. */
  void
  writeEvidence(const std::string& path) const;

private:
  struct Judged {
    Estimate estimate;
    int image;
    double seconds;
    bool fits;    ///< any instance
    double error; ///< metres, of the instance that it is compared with
    bool is_right;
  };

  struct Instance {
    BopInstance truth;
    int estimate; ///< place among estimates_ of its own; -1 for none
  };

  struct Share {
    int right = 0, all = 0;
  };

  /** \brief Finds the instance of the last image that is closest to an estimate and
   * that no estimate has taken; sets the error.
   * \return null if there is none
   */
  Instance*
  closestFree(Judged& judged);

  /** \brief Counts instances whose visible share is in a range, and among them those
   * that were found with a confidence. */
  Share
  share(float from, float below, float confidence, int object) const;

  int
  countFalse(float confidence, int object) const;

  std::map<int, PoseJudge> judges_;
  std::vector<Judged> estimates_;
  std::vector<Instance> instances_;
  std::size_t last_image_ = 0; ///< its first place among instances_
};

} // namespace benchmarks
