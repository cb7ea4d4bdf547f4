// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "program.h"

#include <pcl/io/png_io.h>

#include <gtest/gtest.h>

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace pcl::gpu::test {

namespace fs = std::filesystem;

ProgramResult
runProgram(const std::string& command, const std::string& folder)
{
  const std::string output = folder + "/.stdout", errors = folder + "/.stderr";
  const std::string line =
      "cd '" + folder + "' && " + command + " >.stdout 2>.stderr </dev/null";
  const int status = std::system(line.c_str());
  ProgramResult result;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.output = readFile(output);
  result.errors = readFile(errors);
  fs::remove(output);
  fs::remove(errors);
  return result;
}

TemporaryFolder::TemporaryFolder()
{
  std::string name = (fs::temp_directory_path() / "pcl_gpu_test.XXXXXX").string();
  if (!mkdtemp(name.data()))
    throw std::runtime_error("cannot create " + name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() { fs::remove_all(path_); }

std::string
TemporaryFolder::path(const std::string& name) const
{
  return (fs::path(path_) / name).string();
}

std::vector<std::string>
TemporaryFolder::files() const
{
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::map<std::string, std::string>
contentsOf(const std::string& folder)
{
  namespace fs = std::filesystem;
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(folder).string()] =
          readFile(entry.path().string());
  return files;
}

void
expectSuccessAtOnce(const std::vector<std::string>& commands, const std::string& folder)
{
  // The shell's own status would be that of the last process.
  std::string all = "(", waits;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const std::string number = std::to_string(i);
    all += commands[i] + " & p" + number + "=$!; ";
    waits += (i > 0 ? " && wait $p" : "wait $p") + number;
  }
  const ProgramResult result = runProgram(all + waits + ")", folder);
  EXPECT_EQ(result.exit_code, 0) << all << "\n" << result.errors;
  EXPECT_EQ(result.errors, "") << all;
}

std::string
onThreeRanks(const std::string& command)
{
  if (*PCL_GPU_MPIEXEC)
    return "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
           "OMPI_MCA_rmaps_base_oversubscribe=1 " PCL_GPU_MPIEXEC " 3 " +
           command;
  return "(ranks=; for rank in 0 1 2; do OMPI_COMM_WORLD_RANK=$rank "
         "OMPI_COMM_WORLD_SIZE=3 " +
         command +
         " & ranks=\"$ranks $!\"; done; for rank in $ranks; do wait $rank || exit 1; "
         "done)";
}

void
expectSharedWorkIsThatOfOne(const std::string& command, const std::string& folder)
{
  expectSuccessAtOnce({command + " one"}, folder);
  const auto expected = contentsOf(folder + "/one");
  EXPECT_GT(expected.size(), 3u);
  EXPECT_EQ(expected.count("manifest.txt"), 1u);
  expectSuccessAtOnce({command + " three --shard 1/3",
                       command + " three --shard 2/3",
                       command + " three --shard 3/3"},
                      folder);
  EXPECT_EQ(contentsOf(folder + "/three"), expected);
  expectSuccessAtOnce({onThreeRanks(command + " ranks --shard auto")}, folder);
  EXPECT_EQ(contentsOf(folder + "/ranks"), expected);
  for (const char* seconds : {"0.03", "0.05", "0.07", "0.1"})
    runProgram(command + " killed --shard 2/3 & sleep " + seconds +
                   "; kill -9 $!; wait",
               folder);
  expectSuccessAtOnce({command + " killed --resume", command + " killed --resume"},
                      folder);
  EXPECT_EQ(contentsOf(folder + "/killed"), expected);
}

std::vector<std::uint16_t>
planeDepth(int width, int height)
{
  std::vector<std::uint16_t> depth;
  for (int v = 0; v < height; ++v)
    for (int u = 0; u < width; ++u)
      depth.push_back(static_cast<std::uint16_t>(1000 + 2 * u + v));
  return depth;
}

void
writePlanePng(const std::string& path, int width, int height)
{
  io::saveShortPNGFile(path, planeDepth(width, height).data(), width, height, 1);
}

std::vector<std::string>
damagedClouds()
{
  const std::string sizes = "WIDTH 2\nHEIGHT 1\nPOINTS 2\nDATA binary\n";
  const std::string fields = "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\n";
  return {"VERSION .7\n" + fields,
          fields + "COUNT 1 1 1000000000\n" + sizes,
          fields + "COUNT 1 1 -1\n" + sizes,
          "\xef\xbb\xbf" + fields + sizes + "short",
          "FIELDS x y z\nSIZE 4 4 0\nTYPE F F F\n" + sizes,
          fields + "WIDTH 4000000000\nHEIGHT 4000000000\nDATA ascii\n1 2 3\n"};
}

std::string
readFile(const std::string& path)
{
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void
writeFile(const std::string& path, const std::string& bytes)
{
  std::ofstream(path, std::ios::binary) << bytes;
}

} // namespace pcl::gpu::test
