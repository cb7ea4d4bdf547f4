// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "fragment_folder.h"

#include "testing/host_mesh.h"
#include "testing/packed_file.h"

#include <pcl/gpu/utils/atomic_file.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <locale>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace benchmarks {

using pcl::gpu::Pose;
using pcl::gpu::test::plainOrPacked;

namespace {

template <int side>
struct PairMatrix {
  int count; ///< of the scene's fragments
  Eigen::Matrix<double, side, side> matrix;
};

/** \brief Reads matrices by their target and source. */
template <int side>
std::map<std::pair<int, int>, PairMatrix<side>>
readMatrices(const std::string& path)
{
  const std::string file = plainOrPacked(path);
  std::istringstream text(pcl::gpu::test::contentsOf(file));
  text.imbue(std::locale::classic());
  std::map<std::pair<int, int>, PairMatrix<side>> matrices;
  int target = 0, source = 0, count = 0;
  while (text >> target >> source >> count) {
    PairMatrix<side>& read = matrices[{target, source}];
    read.count = count;
    for (int row = 0; row < side; ++row)
      for (int column = 0; column < side; ++column)
        text >> read.matrix(row, column);
    if (!text)
      throw std::runtime_error(file + ": no matrix of pair " + std::to_string(target) +
                               ' ' + std::to_string(source));
  }
  if (!text.eof() || matrices.empty())
    throw std::runtime_error(file + ": expected pairs \"i j n\" and their matrices");
  return matrices;
}

} // namespace

FragmentCloud
readFragment(const std::string& folder, int number)
{
  const auto vertices =
      pcl::gpu::test::readMesh(
          plainOrPacked(folder + "/cloud_bin_" + std::to_string(number) + ".ply"))
          .vertices;
  FragmentCloud cloud;
  cloud.assign(vertices.begin(), vertices.end());
  return cloud;
}

std::vector<FragmentPair>
readFragmentPairs(const std::string& log)
{
  const std::string info =
      std::filesystem::path(log).replace_extension("info").string();
  const auto matrices = readMatrices<6>(info);
  std::vector<FragmentPair> pairs;
  for (const auto& [numbers, truth] : readMatrices<4>(log)) {
    const auto [target, source] = numbers;
    if (source - target <= 1)
      continue;
    const auto found = matrices.find(numbers);
    if (found == matrices.end())
      throw std::runtime_error(info + " has no pair " + std::to_string(target) + ' ' +
                               std::to_string(source));
    pairs.push_back({target, source, truth.count, truth.matrix, found->second.matrix});
  }
  return pairs;
}

double
fragmentError(const FragmentPair& pair, const Pose& pose)
{
  const Eigen::Isometry3d rest(pair.truth.inverse() * pose.matrix().cast<double>());
  Eigen::Quaterniond rotation(rest.linear());
  if (rotation.w() < 0.0)
    rotation.coeffs() *= -1.0;
  Eigen::Matrix<double, 6, 1> motion;
  motion << rest.translation(), -rotation.vec();
  const double sum = motion.dot(pair.information * motion);
  return std::sqrt(std::max(0.0, sum / pair.information(0, 0)));
}

void
writeFoundPairs(const std::string& path, const std::vector<FoundPair>& pairs)
{
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.precision(9);
  for (const FoundPair& found : pairs) {
    text << found.pair.target << '\t' << found.pair.source << '\t' << found.pair.count
         << '\n';
    for (int row = 0; row < 4; ++row)
      for (int column = 0; column < 4; ++column)
        text << found.pose.matrix()(row, column) << (column < 3 ? '\t' : '\n');
  }
  pcl::gpu::writeFile(path, text.str());
}

} // namespace benchmarks
