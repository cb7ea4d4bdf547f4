// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>

namespace benchmarks {

/** \brief Columns and rows of an image, from 2 to 16384, given as in 640x480. */
struct ImageSize {
  int width = 0;
  int height = 0;
};

std::istream&
operator>>(std::istream& stream, ImageSize& size);

/** \brief Options of a benchmark program, and its main function.
 *
 * The initial value of a variable is the default of its option. A vector takes several
 * values.
 */
class Options {
public:
  /** \param[in] usage first lines of the page that --help prints */
  explicit Options(const std::string& usage);

  ~Options();

  /** \brief Adds "--name VALUE". */
  template <typename T>
  void
  add(const std::string& name, T& value, const std::string& help);

  /** \brief Adds "--name N", where N is at least 1. */
  void
  addCount(const std::string& name, int& value, const std::string& help);

  /** \brief Adds "--name". */
  void
  addSwitch(const std::string& name, bool& value, const std::string& help);

  /** \brief Adds "--name VALUE", which may be given without "--name". A vector takes
   * all words that remain. */
  template <typename T>
  void
  addWord(const std::string& name, T& value, const std::string& help);

  /** \brief Reads the options and runs the program; prints exceptions.
   * \param[in] work returns whether its results are right
   * \return the exit status: 0, 1 after a failure, 2 if an option is wrong
   */
  int
  run(int argc, char** argv, const std::function<bool()>& work);

private:
  struct Description;
  std::unique_ptr<Description> description_;
};

/** \brief Returns the folder of test data: the environment variable PCL_GPU_TEST_DATA,
 * else the CMake option of that name. */
std::string
dataFolder();

} // namespace benchmarks
