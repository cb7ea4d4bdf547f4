// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../command_line/progress_bar.h"
#include "shard.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Shares the units of a run among processes, on any number of machines, and
 * remembers those that are done.
 *
 * The folder's file manifest.txt has the settings, an empty line, and a line for each
 * unit that is done: its number, the sizes and names of its files, and a sum of its
 * inputs. A unit whose files or inputs have changed is made again. A line without its
 * end, from a process that died, does not count. When all units are done, the lines
 * are in order, and "complete" follows: the file is the same however many processes
 * there were.
 *
 * A process claims a unit by a lock on a byte far behind the end of this file. The lock
 * ends with the process, however that ends. Each process begins with its shard, a block
 * of consecutive units; then it takes what others have not begun, from the ends of
 * their blocks.
 *
 * begin() and end() may be called by several threads at once.
 */
class SharedWork {
public:
  /** \brief Opens or begins a run.
   * \param[in] folder folder of the results; made if it is missing
   * \param[in] units number of units, such as frames
   * \param[in] sharing part that this process takes first, and whether results that are
   * there are kept; else all units are made again
   * \param[in] inputs files and folders that all results depend on; empty names are
   * ignored
   * \param[in] files returns the files that a unit leaves in the folder
   * \param[in] inputs_of returns those that only this unit's results depend on, in the
   * same way; null: none
   * \throws InputError if the folder cannot be used, if results are kept that are those
   * of other settings, or if its file system has no locks
   */
  SharedWork(std::string folder,
             int units,
             const SharingOptions& sharing,
             const std::vector<std::string>& inputs,
             std::function<std::vector<std::string>(int unit)> files,
             const std::function<std::vector<std::string>(int unit)>& inputs_of = {});

  /** \brief Returns the units that were not done, in the order to begin them in. */
  const std::vector<int>&
  missing() const;

  /** \brief Claims a unit.
   * \return false if it is done, or another process makes it
   * \throws InputError if the manifest cannot be read or locked
   */
  bool
  begin(int unit);

  /** \brief Records a unit as done, when all its files are complete.
   * \param[in] unit one that begin() returned true for
   * \throws InputError if the manifest cannot be written, std::runtime_error if a file
   * is missing
   */
  void
  end(int unit);

  /** \brief Calls an action that no two processes may do at once.
   * \throws as the action, and InputError if the manifest cannot be locked
   */
  void
  exclusively(const std::function<void()>& action);

  /** \brief Returns whether all units are done, by this process or others. If they are,
   * brings the manifest's lines in order, and removes what processes that were killed
   * have not finished. */
  bool
  finish();

private:
  enum class State : char { Missing, Lost, Begun, Done };

  /** \brief Open file, whose locks end with it. */
  class File {
  public:
    File() = default;

    ~File();

    File(const File&) = delete;
    File&
    operator=(const File&) = delete;

    int descriptor = -1;
  };

  bool
  lock(std::int64_t byte, bool waits);

  void
  unlock(std::int64_t byte);

  /** \brief Begins a new manifest, or compares the settings; call it exclusively. */
  void
  openManifest();

  /** \brief Records units as lost whose files are not those of their lines. Looks at
   * files without the lock, so that processes do not wait for each other. */
  void
  forgetLostUnits();

  /** \brief Returns whether a unit's files are not those of its line. */
  bool
  isLost(int unit) const;

  /** \brief Reads the lines that were added since the last call. */
  void
  readLines();

  /** \brief Returns whether all files of a unit are there.
   * \param[out] sizes of the files
   */
  bool
  hasFiles(int unit, std::vector<std::uint64_t>& sizes) const;

  std::string
  lineOf(int unit, const std::vector<std::uint64_t>& sizes) const;

  std::string
  pathOf(const std::string& file) const;

  /** \brief Adds a unit's line. */
  void
  record(int unit, const std::vector<std::uint64_t>& sizes);

  /** \brief Adds lines; call it exclusively. */
  void
  append(const std::string& lines);

  void
  writeAt(std::int64_t place, const std::string& text);

  /** \brief Throws, with the reason in errno. */
  [[noreturn]] void
  fail(const std::string& problem) const;

  std::string folder_;
  std::vector<std::string> settings_;
  std::function<std::vector<std::string>(int unit)> files_;
  std::vector<std::string> inputs_; ///< columns of the units' own inputs
  bool goes_on_;
  std::string manifest_;
  File file_;
  std::int64_t header_ = 0; ///< bytes of settings
  std::int64_t read_ = 0;   ///< bytes that were read
  std::vector<State> states_;
  std::vector<std::string> lines_; ///< of the units that are done; else empty
  std::vector<int> missing_;
  std::mutex mutex_;
};

/** \brief Makes units one after the other: all of them, or those that no process has
 * made.
 * \param[in] units number of units
 * \param[in,out] work hands them out; null: this process is alone
 * \param[in,out] progress counts them
 * \param[in] make makes a unit and returns a label; none ends the run. If it throws a
 * UnitError, and there are other units, the error is printed and the run goes on. No
 * process tries this unit again before this one ends.
 * \param[in] steps returns the number of steps by which \a make itself counts a unit;
 * null: each unit is one step, and is counted here
 * \return the number of units that were made here
 * \throws InputError in the end, if there were UnitErrors; UnitError at once without
 * \a work or other units
 */
int
makeUnits(int units,
          SharedWork* work,
          ProgressBar& progress,
          const std::function<std::optional<std::string>(int unit)>& make,
          const std::function<std::size_t(int unit)>& steps = nullptr);

} // namespace pcl::gpu::apps
