// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/array.h"
#include "common/path.h"

#include <pcl/gpu/scenespace/gathering/scene_space_average.h>
#include <pcl/gpu/scenespace/scene_frame_store.h>
#include <pcl/gpu/scenespace/video/rgbd_video.h>

#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace pcl_gpu_python {

/** \brief A video that Python holds. */
using VideoPointer = std::shared_ptr<pcl::gpu::RGBDVideo>;

/** \brief Frames on a device that Python holds. */
using FramePointers = std::vector<pcl::gpu::SceneFrame::ConstPtr>;

/** \brief Is told the number of things that are done, and that of all of them. */
using Progress = std::function<void(int done, int total)>;

/** \brief Masks of the frames of a video, without Python. */
struct Masks {
  std::function<pcl::gpu::Image<std::uint8_t>(int number)> function;

  pcl::gpu::Image<std::uint8_t>
  operator()(int number) const
  {
    return function(number);
  }
};

/** \brief Masks that a function of Python's returns. */
struct MasksOfPython {
  std::function<ArrayArgument(int number)> function;

  pcl::gpu::Image<std::uint8_t>
  operator()(int number) const;
};

/** \brief Takes Masks, a function or None. */
std::function<pcl::gpu::Image<std::uint8_t>(int number)>
masksOf(nb::handle source);

/** \brief An object whose end waits for threads, which may call Python. Python owns it,
 * and its end lets go of the interpreter. */
template <typename T>
class Waiting {
public:
  template <typename... Arguments>
  explicit Waiting(Arguments&&... arguments)
  {
    const nb::gil_scoped_release release;
    object_ = std::make_unique<T>(std::forward<Arguments>(arguments)...);
  }

  Waiting(const Waiting&) = delete;
  Waiting(Waiting&&) = delete;
  Waiting&
  operator=(const Waiting&) = delete;
  Waiting&
  operator=(Waiting&&) = delete;

  ~Waiting()
  {
    const nb::gil_scoped_release release;
    object_.reset();
  }

  T&
  operator*() const
  {
    return *object_;
  }

  T*
  operator->() const
  {
    return object_.get();
  }

private:
  std::unique_ptr<T> object_;
};

/** \brief A store of frames, and the device that it belongs to. */
struct Store : Waiting<pcl::gpu::SceneFrameStore> {
  using Waiting::Waiting;

  pcl::gpu::Device device = pcl::gpu::currentDevice();
};

/** \brief An object that is filled again and again, and that Python may still hold:
 * then a new one is filled. */
template <typename T>
class Reused {
public:
  const std::shared_ptr<T>&
  next()
  {
    if (!object_ || object_.use_count() > 1)
      object_ = std::make_shared<T>();
    return object_;
  }

private:
  std::shared_ptr<T> object_;
};

/** \brief Returns an owner of memory that keeps an object of Python's alive. Any thread
 * may release it. */
std::shared_ptr<void>
ownerOf(nb::object object);

/** \brief Returns the owners of arrays, of which some were not given. */
template <typename... Inputs>
nb::object
ownersOf(const Inputs&... inputs)
{
  nb::list owners;
  const auto append = [&](const nb::object& owner) {
    if (owner.is_valid())
      owners.append(owner);
  };
  (append(inputs.owner), ...);
  return owners;
}

/** \brief Work of the caller that another thread does, as the caller sees it. */
class Watch {
public:
  /** \brief Tells how much is done: first of a former run, then each more. */
  void
  report(int done)
  {
    int none = -1;
    first_.compare_exchange_strong(none, done);
    done_ = done;
  }

  /** \return whether the work is to stop */
  bool
  isStopped() const
  {
    return stopped_;
  }

  /** \brief Throws if the work is to stop. */
  void
  check() const;

private:
  friend void
  runWatched(const Progress& progress,
             int total,
             const std::function<void(Watch& watch)>& work);

  std::atomic<int> first_ = -1, done_ = -1;
  std::atomic<bool> stopped_ = false;
};

/** \brief Does work on a thread of its own, while this one tells the progress to Python
 * and looks for signals such as that of Ctrl-C. After one, or an error in \a progress,
 * the work is to stop; then the error is thrown.
 * \param[in] progress may be empty
 * \param[in] total handed to \a progress
 * \param[in] work runs on the device that is current now, without the interpreter
 */
void
runWatched(const Progress& progress,
           int total,
           const std::function<void(Watch& watch)>& work);

void
bindViews(nb::module_& module);

void
bindFrames(nb::module_& module);

void
bindVideos(nb::module_& module);

void
bindFolders(nb::module_& module);

void
bindMasks(nb::module_& module);

void
bindCalibration(nb::module_& module);

void
bindStores(nb::module_& module);

void
bindVolumes(nb::module_& module);

void
bindSampleSets(nb::module_& module);

void
bindGathering(nb::module_& module);

void
bindAverages(nb::module_& module);

void
bindImageFilters(nb::module_& module);

void
bindEffects(nb::module_& module);

void
bindViewEffects(nb::module_& module);

void
bindSceneSpaceVideo(nb::module_& module);

} // namespace pcl_gpu_python
