// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "testing/rank_processes.h"

#include <pcl/gpu/containers/initialization.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pcl::gpu::test {

namespace {

namespace files = std::filesystem;

constexpr const char* rank_variable = "PCL_GPU_TEST_RANK";
constexpr const char* size_variable = "PCL_GPU_TEST_RANKS";
constexpr const char* folder_variable = "PCL_GPU_TEST_FOLDER";
constexpr const char* task_variable = "PCL_GPU_TEST_TASK";

pid_t
start(int rank)
{
  setenv(rank_variable, std::to_string(rank).c_str(), 1);
  char program[] = "/proc/self/exe";
  char* arguments[] = {program, nullptr};
  pid_t process = 0;
  if (posix_spawn(&process, program, nullptr, nullptr, arguments, environ) != 0)
    throw std::runtime_error("cannot start a rank");
  return process;
}

} // namespace

std::shared_ptr<NcclCommunicator>
RankProcess::join(int devices, float timeout) const
{
  setDevice(rank % devices);
  NcclGroupId id{};
  const files::path file = files::path(folder) / "group";
  if (rank == 0) {
    id = NcclCommunicator::makeGroupId();
    const files::path part = file.string() + ".part";
    std::ofstream(part, std::ios::binary).write(id.data(), id.size());
    files::rename(part, file);
  }
  while (!files::exists(file))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::ifstream(file, std::ios::binary).read(id.data(), id.size());
  return std::make_shared<NcclCommunicator>(rank, size, id, timeout);
}

std::optional<RankProcess>
rankOfThisProcess()
{
  const char* const rank = std::getenv(rank_variable);
  if (!rank)
    return std::nullopt;
  return RankProcess{std::atoi(rank),
                     std::atoi(std::getenv(size_variable)),
                     std::getenv(folder_variable),
                     std::getenv(task_variable)};
}

std::vector<int>
runRankProcesses(int size, const std::string& task)
{
  std::string folder = (files::temp_directory_path() / "ranks_XXXXXX").string();
  if (!mkdtemp(folder.data()))
    throw std::runtime_error("cannot make a folder " + folder);
  setenv(size_variable, std::to_string(size).c_str(), 1);
  setenv(folder_variable, folder.c_str(), 1);
  setenv(task_variable, task.c_str(), 1);
  std::vector<pid_t> processes;
  for (int rank = 0; rank < size; ++rank)
    processes.push_back(start(rank));
  std::vector<int> results;
  for (const pid_t process : processes) {
    int status = 0;
    waitpid(process, &status, 0);
    results.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  }
  files::remove_all(folder);
  return results;
}

} // namespace pcl::gpu::test
