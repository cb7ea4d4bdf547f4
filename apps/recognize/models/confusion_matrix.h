// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Counts of the models that tensors of objects were matched with (Orts-Escolano
 * et al. 2014, figure 15). */
class ConfusionMatrix {
public:
  /** \brief Makes an empty matrix.
   * \param[in] objects names of the rows
   * \param[in] models names of the columns but the last one, for tensors without a
   * match
   */
  ConfusionMatrix(const std::vector<std::string>& objects,
                  const std::vector<std::string>& models);

  /** \brief Adds the tensors of a view.
   * \param[in] object object of the view
   * \param[in] matches matched model of each tensor; -1 for none
   */
  void
  addView(int object, const std::vector<int>& matches);

  /** \brief Prints matrix and rates for people. */
  void
  print() const;

  /** \brief Returns both as members of a JSON object, without its braces. */
  std::string
  json() const;

private:
  /** \brief Shares that are right; NaN of none. */
  struct Rates {
    double of_all, of_matched, of_views;
  };

  /** \brief Returns the rates of an object; -1: of all objects. */
  Rates
  rates(int object) const;

  /** \brief Returns the per cent of an object's tensors in a column. */
  double
  percent(int object, std::size_t column) const;

  struct Row {
    std::string name;
    int right = -1;          ///< column of its own
    std::vector<int> counts; ///< of tensors by column
    int tensors = 0, views = 0, right_views = 0;
  };

  std::vector<Row> rows_;
  std::vector<std::string> columns_; ///< models
};

} // namespace pcl::gpu::apps
