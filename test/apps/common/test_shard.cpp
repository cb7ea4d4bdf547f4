// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "apps/common/command_line/errors.h"
#include "apps/common/work/shard.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

using namespace pcl::gpu::apps;

namespace {

/** \brief Variables of launchers, and no others of theirs, while it lives. */
class LauncherVariables {
public:
  explicit LauncherVariables(const std::map<std::string, std::string>& values)
  {
    clear();
    for (const auto& [name, value] : values)
      setenv(name.c_str(), value.c_str(), 1);
  }

  ~LauncherVariables() { clear(); }

private:
  static void
  clear()
  {
    for (const char* name : {"OMPI_COMM_WORLD_RANK",
                             "OMPI_COMM_WORLD_SIZE",
                             "PMIX_RANK",
                             "PMIX_SIZE",
                             "PMI_RANK",
                             "PMI_SIZE",
                             "SLURM_PROCID",
                             "SLURM_NTASKS",
                             "SLURM_ARRAY_TASK_ID",
                             "SLURM_ARRAY_TASK_COUNT",
                             "SLURM_ARRAY_TASK_MIN",
                             "SLURM_ARRAY_TASK_STEP"})
      unsetenv(name);
  }
};

void
expectShard(const std::string& text, int number, int count)
{
  const Shard shard = parseShard("--shard", text);
  EXPECT_EQ(shard.number, number) << text;
  EXPECT_EQ(shard.count, count) << text;
}

void
expectError(const std::string& text, const std::string& part)
{
  try {
    parseShard("--shard", text);
    FAIL() << text << " was taken";
  }
  catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

} // namespace

TEST(Shard, CountsFromZeroOrFromOne)
{
  expectShard("0/3", 0, 3);
  expectShard("1/3", 1, 3);
  expectShard("2/3", 2, 3);
  expectShard("3/3", 0, 3);
  expectShard("1/1", 0, 1);
}

TEST(Shard, IsRefusedByItsText)
{
  for (const char* text :
       {"", "1", "/", "1/", "/3", "4/3", "-1/3", "1/0", "1/3/2", "a/3", "1 /3", "Auto"})
    expectError(text, "--shard " + std::string(text));
}

TEST(Shard, IsThatOfTheLauncher)
{
  {
    const LauncherVariables none({});
    expectShard("auto", 0, 1);
  }
  {
    const LauncherVariables open_mpi({{"OMPI_COMM_WORLD_RANK", "2"},
                                      {"OMPI_COMM_WORLD_SIZE", "5"},
                                      {"PMIX_RANK", "2"},
                                      {"SLURM_PROCID", "0"},
                                      {"SLURM_NTASKS", "1"}});
    expectShard("auto", 2, 5);
  }
  {
    const LauncherVariables slurm({{"SLURM_PROCID", "3"}, {"SLURM_NTASKS", "4"}});
    expectShard("auto", 3, 4);
  }
}

TEST(Shard, OfASlurmArrayCountsItsJobsAndTheirTasks)
{
  {
    const LauncherVariables array({{"SLURM_ARRAY_TASK_ID", "7"},
                                   {"SLURM_ARRAY_TASK_COUNT", "4"},
                                   {"SLURM_ARRAY_TASK_MIN", "1"},
                                   {"SLURM_ARRAY_TASK_STEP", "2"}});
    expectShard("auto", 3, 4);
  }
  {
    const LauncherVariables tasks({{"SLURM_ARRAY_TASK_ID", "1"},
                                   {"SLURM_ARRAY_TASK_COUNT", "3"},
                                   {"SLURM_ARRAY_TASK_MIN", "0"},
                                   {"SLURM_PROCID", "1"},
                                   {"SLURM_NTASKS", "2"}});
    expectShard("auto", 3, 6);
  }
}

TEST(Shard, OfVariablesThatMakeNoSenseIsRefusedByTheirNames)
{
  {
    const LauncherVariables bad({{"PMI_RANK", "4"}, {"PMI_SIZE", "4"}});
    expectError("auto", "PMI_RANK=4");
  }
  {
    const LauncherVariables bad({{"SLURM_PROCID", "x"}, {"SLURM_NTASKS", "4"}});
    expectError("auto", "SLURM_PROCID=x");
  }
  {
    const LauncherVariables gaps({{"SLURM_ARRAY_TASK_ID", "9"},
                                  {"SLURM_ARRAY_TASK_COUNT", "3"},
                                  {"SLURM_ARRAY_TASK_MIN", "1"}});
    expectError("auto", "SLURM_ARRAY_TASK_ID=9");
  }
}
