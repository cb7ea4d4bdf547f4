// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "confusion_matrix.h"

#include "../../common/command_line/json_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <sstream>

namespace pcl::gpu::apps {

namespace {

double
share(int part, int whole)
{
  return whole > 0 ? static_cast<double>(part) / whole
                   : std::numeric_limits<double>::quiet_NaN();
}

void
printPercent(double share)
{
  if (std::isfinite(share))
    std::printf(" %7.1f", 100.0 * share);
  else
    std::printf(" %7s", "-");
}

} // namespace

ConfusionMatrix::ConfusionMatrix(const std::vector<std::string>& objects,
                                 const std::vector<std::string>& models)
: columns_(models)
{
  for (const std::string& object : objects) {
    Row row;
    row.name = object;
    const auto found = std::find(models.begin(), models.end(), object);
    if (found != models.end())
      row.right = static_cast<int>(found - models.begin());
    row.counts.resize(models.size() + 1);
    rows_.push_back(row);
  }
}

void
ConfusionMatrix::addView(int object, const std::vector<int>& matches)
{
  Row& row = rows_[object];
  std::vector<int> votes(columns_.size());
  for (const int model : matches) {
    ++row.counts[model < 0 ? columns_.size() : static_cast<std::size_t>(model)];
    if (model >= 0)
      ++votes[model];
  }
  row.tensors += static_cast<int>(matches.size());
  ++row.views;
  // Right is a model with more votes than any other one.
  const int own = row.right < 0 ? 0 : votes[row.right];
  if (own > 0 && *std::max_element(votes.begin(), votes.end()) == own &&
      std::count(votes.begin(), votes.end(), own) == 1)
    ++row.right_views;
}

ConfusionMatrix::Rates
ConfusionMatrix::rates(int object) const
{
  int right = 0, matched = 0, tensors = 0, views = 0, right_views = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    if (object >= 0 && static_cast<int>(i) != object)
      continue;
    right += row.right < 0 ? 0 : row.counts[row.right];
    matched += row.tensors - row.counts.back();
    tensors += row.tensors;
    views += row.views;
    right_views += row.right_views;
  }
  return {share(right, tensors), share(right, matched), share(right_views, views)};
}

double
ConfusionMatrix::percent(int object, std::size_t column) const
{
  const Row& row = rows_[object];
  return 100.0 * share(row.counts[column], row.tensors);
}

void
ConfusionMatrix::print() const
{
  std::size_t letters = 6;
  for (const std::string& name : columns_)
    letters = std::max(letters, name.size());
  for (const Row& row : rows_)
    letters = std::max(letters, row.name.size());
  const int width = static_cast<int>(letters);
  std::printf("Per cent of the tensors of each object, by the model they were matched "
              "with:\n\n   %-*s",
              width,
              "");
  for (std::size_t i = 0; i < columns_.size(); ++i)
    std::printf(" %5zu", i + 1);
  std::printf("  none\n");
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    // Rows have the numbers of their own columns.
    std::printf("%2d %-*s", rows_[i].right + 1, width, rows_[i].name.c_str());
    for (std::size_t k = 0; k <= columns_.size(); ++k)
      std::printf(" %5.1f", percent(static_cast<int>(i), k));
    std::printf("\n");
  }
  for (std::size_t k = 0; k < columns_.size(); ++k)
    if (std::none_of(rows_.begin(), rows_.end(), [&](const Row& row) {
          return row.right == static_cast<int>(k);
        }))
      std::printf("%2zu %s is not looked at\n", k + 1, columns_[k].c_str());

  std::printf(
      "\nPer cent that are right:\n\n   %-*s %7s %7s %7s\n   %-*s %7s %7s %7s\n",
      width,
      "",
      "of all",
      "of",
      "of",
      width,
      "",
      "tensors",
      "matched",
      "views");
  for (std::size_t i = 0; i <= rows_.size(); ++i) {
    const int object = i < rows_.size() ? static_cast<int>(i) : -1; // all at last
    const Rates r = rates(object);
    std::printf("   %-*s", width, object < 0 ? "all" : rows_[object].name.c_str());
    printPercent(r.of_all);
    printPercent(r.of_matched);
    printPercent(r.of_views);
    std::printf("\n");
  }
}

std::string
ConfusionMatrix::json() const
{
  std::ostringstream out;
  const auto write_rates = [&](int object) {
    const Rates r = rates(object);
    out << "\"tensor_rate\": " << jsonNumber(r.of_all)
        << ", \"matched_tensor_rate\": " << jsonNumber(r.of_matched)
        << ", \"view_rate\": " << jsonNumber(r.of_views);
  };
  out << "  \"models\": [";
  for (std::size_t i = 0; i < columns_.size(); ++i)
    out << (i ? ", " : "") << jsonText(columns_[i]);
  out << "],\n  \"objects\": [";
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto object = static_cast<int>(i);
    out << (i ? "," : "") << "\n    {\"name\": " << jsonText(rows_[i].name)
        << ", \"views\": " << rows_[i].views << ", \"tensors\": " << rows_[i].tensors
        << ",\n     ";
    write_rates(object);
    out << ",\n     \"percent\": [";
    for (std::size_t k = 0; k < columns_.size(); ++k)
      out << (k ? ", " : "") << jsonNumber(percent(object, k), 9);
    out << "], \"percent_without_match\": "
        << jsonNumber(percent(object, columns_.size()), 9) << "}";
  }
  out << "\n  ],\n  ";
  write_rates(-1);
  out << "\n";
  return out.str();
}

} // namespace pcl::gpu::apps
