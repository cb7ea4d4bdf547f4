// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/array.h"
#include "common/parameters.h"

#include <cstddef>
#include <memory>
#include <tuple>
#include <utility>

namespace pcl_gpu_python {

/** \brief An algorithm, and the arrays that it fills. */
template <typename Algorithm, typename... Results>
struct WithOutputs : Algorithm {
  std::tuple<Output<Results>...> outputs;

  /** \brief Returns the array to be filled. */
  template <std::size_t number = 0>
  auto&
  next()
  {
    return std::get<number>(outputs).next();
  }

  /** \brief Returns the array as it was filled, to Python. */
  template <std::size_t number = 0>
  auto
  result() const
  {
    return std::get<number>(outputs).result();
  }
};

/** \brief An algorithm that keeps its results, which Python may still hold: then the
 * next run is that of a copy. */
template <typename Algorithm>
class Shared {
public:
  Shared() = default;

  /** \brief Takes an algorithm that ran, such as a stage of another one. */
  explicit Shared(std::shared_ptr<Algorithm> algorithm)
  : algorithm_(std::move(algorithm))
  {}

  /** \brief Returns the algorithm for the next run. */
  Algorithm&
  next()
  {
    if (algorithm_.use_count() > 1)
      algorithm_ = std::make_shared<Algorithm>(*algorithm_);
    return *algorithm_;
  }

  /** \brief Returns the algorithm with its results, which it keeps alive. */
  const std::shared_ptr<Algorithm>&
  last() const
  {
    return algorithm_;
  }

  template <typename Parameters>
  void
  setParameters(const Parameters& parameters)
  {
    algorithm_->setParameters(parameters);
  }

  const auto&
  getParameters() const
  {
    return algorithm_->getParameters();
  }

private:
  std::shared_ptr<Algorithm> algorithm_ = std::make_shared<Algorithm>();
};

} // namespace pcl_gpu_python
