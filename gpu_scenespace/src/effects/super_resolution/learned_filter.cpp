// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/super_resolution/learned_filter.h"

#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/internal/workspace_pieces.h>

#include <Eigen/Cholesky>

namespace pcl::gpu {

namespace {

using device::filter_reach;
using device::filter_side;
using device::filter_taps;

/** \brief Groups of rows that products are summed in at the same time. */
constexpr int groups = 64;

/** \brief Squares that a filter is learned from, about: more do not make it better. */
constexpr int enough_squares = 131072;

/** \brief Attraction of weights to those that they begin with, parts of the mean square
 * of levels. */
constexpr double ridge = 1e-3;

using Weights = Eigen::Matrix<double, filter_taps, Eigen::Dynamic>;

int
productsOf(int scale)
{
  return device::tap_pairs + scale * scale * filter_taps;
}

/** \brief An enlargement's weights, a column for each of the pixels that one
 * becomes. */
Weights
weightsOf(const device::Enlargement& enlargement)
{
  const int scale = enlargement.scale;
  Weights weights = Weights::Zero(filter_taps, scale * scale);
  for (int y = 0; y < scale; ++y)
    for (int x = 0; x < scale; ++x)
      for (int j = 0; j < device::lanczos_taps; ++j)
        for (int i = 0; i < device::lanczos_taps; ++i) {
          const int row = enlargement.first[y] + j + filter_reach;
          const int column = enlargement.first[x] + i + filter_reach;
          weights(row * filter_side + column, y * scale + x) =
              double(enlargement.weights[y][j]) * enlargement.weights[x][i];
        }
  return weights;
}

} // namespace

void
LearnedFilter::learn(const DeviceArray2D<RGB>& picture,
                     const device::Enlargement& beginning,
                     const Stream& stream)
{
  scale_ = beginning.scale;
  const int columns = picture.cols() / scale_, rows = picture.rows() / scale_;
  const int products = productsOf(scale_);
  const std::size_t squares = std::size_t(columns) * rows;
  device::LevelSums* sums;
  std::uint64_t *group_sums, *totals;
  takePieces(memory_,
             Piece{sums, squares},
             Piece{group_sums, std::size_t(groups) * products},
             Piece{totals, std::size_t(products)});
  const auto color = inputView<device::PackedColor>(picture);
  const Device device = deviceOf(picture);
  const auto run = [&](int width, int height, const auto& step) {
    parallelFor2D(device, width, height, step, stream);
  };
  run(columns, rows, device::ReducePicture{color, scale_, columns, sums});
  const int row_step =
      static_cast<int>((squares + enough_squares - 1) / enough_squares);
  run(products,
      groups,
      device::SumTapProducts{
          sums, columns, rows, row_step, color, scale_, groups, group_sums});
  run(products, 1, device::SumGroups{group_sums, products, groups, totals});
  totals_.resize(products);
  copyAsync(totals, totals_.data(), products * sizeof(std::uint64_t), stream);
  stream.synchronize();

  // Of means, not of sums.
  const double part = 1.0 / (scale_ * scale_);
  Eigen::Matrix<double, filter_taps, filter_taps> tap_products;
  for (int i = 0; i < device::tap_pairs; ++i) {
    const device::TapPair pair = device::tapPair(i);
    tap_products(pair.first, pair.second) = tap_products(pair.second, pair.first) =
        totals_[i] * part * part;
  }
  Weights pixel_products(filter_taps, scale_ * scale_);
  for (int i = 0; i < pixel_products.size(); ++i)
    pixel_products(i) = totals_[device::tap_pairs + i] * part;
  const Weights begin = weightsOf(beginning);
  // With 1 there is a solution for black pictures, too.
  const double draw = 1.0 + ridge * tap_products.trace() / filter_taps;
  tap_products.diagonal().array() += draw;
  const Weights weights = tap_products.ldlt().solve(pixel_products + draw * begin);
  weights_.resize(weights.size());
  for (int i = 0; i < weights.size(); ++i)
    weights_[i] = static_cast<float>(weights(i));
}

void
LearnedFilter::enlarge(const DeviceArray2D<RGB>& picture,
                       device::Float4* enlarged,
                       const Stream& stream)
{
  const Device device = deviceOf(picture);
  const device::EnlargeByFilter step{inputView<device::PackedColor>(picture),
                                     scale_,
                                     weights_table_.upload(device, weights_, stream),
                                     enlarged};
  parallelFor2D(device, picture.cols() * scale_, picture.rows() * scale_, step, stream);
}

std::size_t
LearnedFilter::estimateMemory(int width, int height, int scale)
{
  const std::size_t squares = std::size_t(width / scale) * (height / scale);
  const std::size_t products = productsOf(scale);
  return squares * sizeof(device::LevelSums) +
         (groups + 1) * products * sizeof(std::uint64_t) +
         filter_taps * scale * scale * sizeof(float) + 4 * Workspace::alignment;
}

} // namespace pcl::gpu
