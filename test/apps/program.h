// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pcl::gpu::test {

/** \brief Result of a program. */
struct ProgramResult {
  int exit_code;      ///< or 128 + the signal that ended it
  std::string output; ///< standard output
  std::string errors; ///< standard error
};

/** \brief Runs a shell command and waits for it.
 * \param[in] command the command
 * \param[in] folder working directory; receives two files with what was printed
 */
ProgramResult
runProgram(const std::string& command, const std::string& folder);

/** \brief Temporary folder, which goes with all its files. */
class TemporaryFolder {
public:
  TemporaryFolder();

  ~TemporaryFolder();

  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder&
  operator=(const TemporaryFolder&) = delete;

  /** \brief Returns the path of the folder, or of a file in it. */
  std::string
  path(const std::string& name = "") const;

  /** \brief Returns the names of all files in it, sorted, hidden ones included. */
  std::vector<std::string>
  files() const;

private:
  std::string path_;
};

/** \brief Returns all files below a folder, by their names, with their bytes. */
std::map<std::string, std::string>
contentsOf(const std::string& folder);

/** \brief Expects that shell commands, run at the same time, all succeed.
 * \param[in] commands the commands
 * \param[in] folder working directory
 */
void
expectSuccessAtOnce(const std::vector<std::string>& commands,
                    const std::string& folder);

/** \brief Returns the shell command that starts three ranks of a program by MPI's
 * launcher; where there is none, that starts three processes with Open MPI's variables.
 */
std::string
onThreeRanks(const std::string& command);

/** \brief Expects that processes that share a program's work make the files that one
 * makes: three at once, three ranks, and two at once after one was killed.
 * \param[in] command shell command, whose last word is the option for the folder of the
 * results
 * \param[in] folder working directory
 */
void
expectSharedWorkIsThatOfOne(const std::string& command, const std::string& folder);

/** \brief Returns a depth map of a tilted plane, millimetres. */
std::vector<std::uint16_t>
planeDepth(int width, int height);

/** \brief Writes planeDepth() as 16-bit PNG. */
void
writePlanePng(const std::string& path, int width, int height);

/** \brief Returns headers of PCD files, each damaged in another way. */
std::vector<std::string>
damagedClouds();

/** \brief Returns all bytes of a file. */
std::string
readFile(const std::string& path);

/** \brief Writes bytes to a file. */
void
writeFile(const std::string& path, const std::string& bytes);

} // namespace pcl::gpu::test
