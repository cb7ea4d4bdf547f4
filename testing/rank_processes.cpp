// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "testing/rank_processes.h"

#include <pcl/gpu/containers/initialization.h>

#include <cerrno>
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

/** \brief Starts the running program with variables beside those of this process. */
pid_t
start(std::vector<std::string> variables)
{
  std::vector<char*> environment;
  for (std::string& variable : variables)
    environment.push_back(variable.data());
  for (char** variable = environ; *variable; ++variable)
    environment.push_back(*variable);
  environment.push_back(nullptr);
  char program[] = "/proc/self/exe";
  char* arguments[] = {program, nullptr};
  pid_t process = 0;
  if (posix_spawn(&process, program, nullptr, nullptr, arguments, environment.data()) !=
      0)
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
  const auto start = std::chrono::steady_clock::now();
  while (!files::exists(file)) {
    if (std::chrono::steady_clock::now() - start >
        std::chrono::duration<float>(timeout))
      throw std::runtime_error("rank 0 named no group");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
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
  const auto variable = [](const char* name, const std::string& value) {
    return std::string(name) + "=" + value;
  };
  std::vector<pid_t> processes;
  for (int rank = 0; rank < size; ++rank)
    processes.push_back(start({variable(rank_variable, std::to_string(rank)),
                               variable(size_variable, std::to_string(size)),
                               variable(folder_variable, folder),
                               variable(task_variable, task)}));
  std::vector<int> results;
  for (const pid_t process : processes) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    results.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  }
  files::remove_all(folder);
  return results;
}

} // namespace pcl::gpu::test
