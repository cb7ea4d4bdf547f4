// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/array.h"
#include "common/matrices.h"

#include <pcl/gpu/tensor/tensor_matching.h>
#include <pcl/gpu/tensor/tensor_model.h>
#include <pcl/gpu/tensor/tensor_table.h>
#include <pcl/gpu/tensor/types.h>
#include <pcl/gpu/triangulation/statistics.h>
#include <pcl/gpu/utils/pose.h>

#include <functional>
#include <memory>
#include <optional>

namespace pcl_gpu_python {

template <>
struct Element<pcl::gpu::PointPair> {
  using Number = int;
  static constexpr std::int64_t count = 2;
};

template <>
struct Element<pcl::gpu::TensorFrame> {
  using Number = float;
  static constexpr std::int64_t count = 16;
};

/** \brief Pairs of points that Python holds. */
struct HeldPairs {
  pcl::gpu::PointPairs pairs;
  pcl::gpu::Stream stream = {};          ///< on which they are found
  std::shared_ptr<void> algorithm = {};  ///< that must not reuse their memory
  nb::object source = {};                ///< of the memory, if it is Python's
  std::optional<std::int64_t> size = {}; ///< if it is known

  /** \brief Returns the number of pairs. Waits for it. */
  std::int64_t
  count();

  /** \brief Forgets what is known about former ones. */
  void
  renew()
  {
    size.reset();
  }
};

/** \brief Tensors that Python holds. */
struct HeldTensors {
  pcl::gpu::TensorSet tensors;
  pcl::gpu::Stream stream = {};             ///< on which they are computed
  std::shared_ptr<void> algorithm = {};     ///< that must not reuse their memory
  std::vector<nb::object> sources = {};     ///< of the memory, if it is Python's
  std::optional<std::int64_t> size = {};    ///< if it is known
  std::optional<std::int64_t> entries = {}; ///< if it is known

  /** \brief Returns the number of tensors. Waits for it. */
  std::int64_t
  count();

  /** \brief Returns the number of entries. Waits for it. */
  std::int64_t
  entryCount();

  /** \brief Forgets what is known about former ones. */
  void
  renew()
  {
    size.reset();
    entries.reset();
  }
};

/** \brief Matches that Python holds. */
struct HeldMatches {
  pcl::gpu::DeviceArray<pcl::gpu::TensorMatch> matches;
  pcl::gpu::Stream stream = {};
  std::int64_t tensors = 0;     ///< that were matched
  std::int64_t match_count = 0; ///< of each tensor

  void
  renew()
  {}
};

/** \brief A model that Python holds. Arrays of it stay when it changes. */
struct HeldModel {
  std::shared_ptr<pcl::gpu::TensorModel> model =
      std::make_shared<pcl::gpu::TensorModel>();

  /** \brief Returns the model for a change. */
  pcl::gpu::TensorModel&
  change()
  {
    if (model.use_count() > 1)
      model = std::make_shared<pcl::gpu::TensorModel>(*model);
    return *model;
  }
};

/** \brief Results of an algorithm, of which Python may still hold the last one: then
 * the next one has memory of its own. */
template <typename Held>
class HeldOutput {
public:
  /** \brief Returns the result to be filled on the current stream. */
  Held&
  next()
  {
    if (!held_ || held_.use_count() > 1)
      held_ = std::make_shared<Held>();
    held_->renew();
    held_->stream = currentStream();
    return *held_;
  }

  /** \brief Returns the result as it was filled. */
  const std::shared_ptr<Held>&
  last() const
  {
    return held_;
  }

private:
  std::shared_ptr<Held> held_;
};

/** \brief Resolution that Python measured, on a device. */
pcl::gpu::DeviceArray<pcl::gpu::ResolutionStatistics>
statisticsOn(const pcl::gpu::Device& device,
             const pcl::gpu::ResolutionStatistics* statistics);

/** \brief Reports progress to Python, and throws if Ctrl-C was pressed. The calling
 * thread does not hold the interpreter's lock.
 * \param[in] progress function of the number of steps done, and of all; or none
 */
void
report(const nb::object& progress, int done, int all);

void
bindParameters(nb::module_& module);

void
bindTensors(nb::module_& module);

void
bindExtraction(nb::module_& module);

void
bindModels(nb::module_& module);

void
bindLibrary(nb::module_& module);

void
bindRecognition(nb::module_& module);

void
bindRegistration(nb::module_& module);

void
bindEstimation(nb::module_& module);

} // namespace pcl_gpu_python
