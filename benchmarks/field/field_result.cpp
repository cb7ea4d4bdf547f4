// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "field_result.h"

#include "common/report.h"

#include <pcl/gpu/utils/atomic_file.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <locale>
#include <set>
#include <sstream>
#include <string>
#include <utility>

namespace benchmarks {

namespace {

/** \brief Stands for all objects; less than any number of one. */
constexpr int any_object = -1;

/** \brief Shares from which on an instance is well visible, and visible at all. */
constexpr float well_visible = 0.5f, visible = 0.1f;
constexpr float above_all = std::numeric_limits<float>::infinity();

double
percent(int part, int all)
{
  return 100.0 * part / std::max(all, 1);
}

} // namespace

FieldResult::FieldResult(const std::vector<BopMesh>& meshes,
                         const std::map<int, BopObjectInfo>& infos)
{
  for (const BopMesh& mesh : meshes)
    judges_.emplace(std::piecewise_construct,
                    std::forward_as_tuple(mesh.object),
                    std::forward_as_tuple(mesh.mesh, infos.at(mesh.object)));
}

void
FieldResult::add(const BopImage& image, std::vector<Estimate> estimates, double seconds)
{
  last_image_ = instances_.size();
  for (const BopInstance& instance : image.instances)
    instances_.push_back({instance, -1});
  std::stable_sort(
      estimates.begin(), estimates.end(), [](const Estimate& a, const Estimate& b) {
        return a.confidence > b.confidence;
      });
  std::map<int, int> left; // estimates of an object that still count
  for (const BopInstance& instance : image.instances)
    ++left[instance.object];
  std::vector<std::size_t> wrong;
  for (const Estimate& estimate : estimates) {
    const auto fits = [&](const BopInstance& instance) {
      constexpr float most_apart = 0.1f; // metres; their errors need not be computed
      const PoseJudge& judge = judges_.at(instance.object);
      return instance.object == estimate.object &&
             (estimate.pose.translation() - instance.pose.translation()).norm() <
                 most_apart &&
             judge.isRight(judge.error(estimate.pose, instance.pose));
    };
    const bool fits_any =
        std::any_of(image.instances.begin(), image.instances.end(), fits);
    estimates_.push_back({estimate, image.number, seconds, fits_any, 0.0, false});
    if (left[estimate.object]-- <= 0)
      continue;
    Judged& judged = estimates_.back();
    Instance* const instance = closestFree(judged);
    judged.is_right =
        instance != nullptr && judges_.at(estimate.object).isRight(judged.error);
    if (judged.is_right)
      instance->estimate = static_cast<int>(estimates_.size()) - 1;
    else
      wrong.push_back(estimates_.size() - 1);
  }
  for (const std::size_t i : wrong)
    if (Instance* const instance = closestFree(estimates_[i]))
      instance->estimate = static_cast<int>(i);
}

FieldResult::Instance*
FieldResult::closestFree(Judged& judged)
{
  Instance* closest = nullptr;
  for (std::size_t i = last_image_; i < instances_.size(); ++i) {
    Instance& instance = instances_[i];
    if (instance.truth.object != judged.estimate.object || instance.estimate >= 0)
      continue;
    const double error = judges_.at(instance.truth.object)
                             .error(judged.estimate.pose, instance.truth.pose);
    if (closest == nullptr || error < judged.error) {
      closest = &instance;
      judged.error = error;
    }
  }
  return closest;
}

void
FieldResult::printLast() const
{
  for (std::size_t i = last_image_; i < instances_.size(); ++i) {
    const Instance& instance = instances_[i];
    std::printf("object %d, %.0f %% visible: ",
                instance.truth.object,
                100.0f * instance.truth.visible);
    if (instance.estimate < 0) {
      std::printf("not found\n");
      continue;
    }
    const Judged& judged = estimates_[instance.estimate];
    std::printf("%s, %.1f mm, confidence %.2f\n",
                judged.is_right ? "right" : "wrong",
                1e3 * judged.error,
                judged.estimate.confidence);
  }
}

FieldResult::Share
FieldResult::share(float from, float below, float confidence, int object) const
{
  Share share;
  for (const Instance& instance : instances_) {
    if (!(instance.truth.visible >= from && instance.truth.visible < below) ||
        (object != any_object && instance.truth.object != object))
      continue;
    ++share.all;
    if (instance.estimate < 0)
      continue;
    const Judged& judged = estimates_[instance.estimate];
    share.right += judged.is_right && judged.estimate.confidence >= confidence;
  }
  return share;
}

int
FieldResult::countFalse(float confidence, int object) const
{
  return static_cast<int>(
      std::count_if(estimates_.begin(), estimates_.end(), [&](const Judged& judged) {
        return !judged.is_right && judged.estimate.confidence >= confidence &&
               (object == any_object || judged.estimate.object == object);
      }));
}

void
FieldResult::print(float least) const
{
  printHeading("| confidence | 50 % visible or more: right | share | 10 to 50 %: right "
               "| share | found | false | share |");
  std::set<float> thresholds = {least};
  for (const float threshold : {0.3f, 0.4f, 0.5f, 0.6f, 0.7f, 0.8f, 0.9f})
    if (threshold > least)
      thresholds.insert(threshold);
  for (const float threshold : thresholds) {
    const Share well = share(well_visible, above_all, threshold, any_object);
    const Share partly = share(visible, well_visible, threshold, any_object);
    const auto found = static_cast<int>(
        std::count_if(estimates_.begin(), estimates_.end(), [&](const Judged& judged) {
          return judged.estimate.confidence >= threshold;
        }));
    const int wrong = countFalse(threshold, any_object);
    std::printf("| %.2f | %d of %d | %.1f %% | %d of %d | %.1f %% | %d | %d | %.1f %% "
                "|\n",
                threshold,
                well.right,
                well.all,
                percent(well.right, well.all),
                partly.right,
                partly.all,
                percent(partly.right, partly.all),
                found,
                wrong,
                percent(wrong, found));
  }

  printHeading("| object | 50 % visible or more: right | 10 to 50 %: right | false | "
               "mean error of right ones |");
  std::set<int> objects = {any_object};
  for (const Instance& instance : instances_)
    objects.insert(instance.truth.object);
  for (const Judged& judged : estimates_)
    objects.insert(judged.estimate.object);
  for (const int object : objects) {
    const Share well = share(well_visible, above_all, least, object);
    const Share partly = share(visible, well_visible, least, object);
    double error = 0.0;
    int right = 0;
    for (const Judged& judged : estimates_)
      if (judged.is_right &&
          (object == any_object || judged.estimate.object == object)) {
        error += judged.error;
        ++right;
      }
    std::printf("| %s | %d of %d | %d of %d | %d | %s |\n",
                object == any_object ? "all" : std::to_string(object).c_str(),
                well.right,
                well.all,
                partly.right,
                partly.all,
                countFalse(least, object),
                right > 0 ? (fixed(1e3 * error / right, 1) + " mm").c_str() : "");
  }
}

void
FieldResult::write(const std::string& path, int scene) const
{
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.precision(8);
  text << "scene_id,im_id,obj_id,score,R,t,time\n";
  for (const Judged& judged : estimates_) {
    const Estimate& estimate = judged.estimate;
    text << scene << ',' << judged.image << ',' << estimate.object << ','
         << estimate.confidence << ',';
    for (int i = 0; i < 9; ++i)
      text << (i > 0 ? " " : "") << estimate.pose.linear()(i / 3, i % 3);
    text << ',';
    for (int i = 0; i < 3; ++i)
      text << (i > 0 ? " " : "") << 1e3f * estimate.pose.translation()[i];
    text << ',' << judged.seconds << '\n';
  }
  pcl::gpu::writeFile(path, text.str());
}

void
FieldResult::writeEvidence(const std::string& path) const
{
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << "image,object,right,x,y,z,support,fit,near,aligned,free,hidden,unseen,"
          "larger,filled\n";
  for (const Judged& judged : estimates_) {
    const pcl::gpu::RecognitionEvidence& e = judged.estimate.evidence;
    text << judged.image << ',' << judged.estimate.object << ',' << judged.fits;
    for (const float place : judged.estimate.pose.translation())
      text << ',' << place;
    for (const float value : {e.support,
                              e.fit,
                              e.near,
                              e.aligned,
                              e.free,
                              e.hidden,
                              e.unseen,
                              e.larger,
                              e.filled})
      text << ',' << value;
    text << '\n';
  }
  pcl::gpu::writeFile(path, text.str());
}

} // namespace benchmarks
