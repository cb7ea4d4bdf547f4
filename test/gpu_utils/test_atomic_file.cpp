// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/temporary_folder.h"

#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/atomic_file.h>
#include <pcl/gpu/utils/internal/exception_message.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

TEST(AtomicFile, AppearsWhenItIsComplete)
{
  const TemporaryFolder folder;
  const std::string path = folder.write("file", "old");
  {
    AtomicFile file(path);
    file.write("new", 3);
    file.write("", 0);
    file.write("est", 3);
    EXPECT_EQ(bytesOfFile(path), "old");
    EXPECT_LE(folder.count(), 2);
    file.commit();
    EXPECT_EQ(bytesOfFile(path), "newest");
    EXPECT_EQ(folder.count(), 1);
  }
  EXPECT_EQ(bytesOfFile(path), "newest");
}

TEST(AtomicFile, LeavesNothingIfItIsNotCommitted)
{
  const TemporaryFolder folder;
  const std::string path = folder.write("file", "old");
  {
    AtomicFile file(path);
    file.write("new", 3);
  }
  EXPECT_EQ(bytesOfFile(path), "old");
  EXPECT_EQ(folder.count(), 1);
}

TEST(AtomicFile, IsGoneWithAProgramThatIsKilled)
{
  const TemporaryFolder folder;
  const std::string path = folder.write("file", "old");
  const pid_t program = fork();
  ASSERT_GE(program, 0);
  if (program == 0) {
    AtomicFile file(path);
    file.write("new", 3);
    const bool has_name = folder.count() > 1;
    std::raise(has_name ? SIGTERM : SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(program, &status, 0), program);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(bytesOfFile(path), "old");
  if (WTERMSIG(status) == SIGTERM)
    GTEST_SKIP() << "the file system has no files without names";
  EXPECT_EQ(folder.count(), 1);
}

TEST(AtomicFile, OfOneNameCanBeWrittenTwiceAtATime)
{
  const TemporaryFolder folder;
  AtomicFile first(folder / "file");
  AtomicFile second(folder / "file");
  first.write("first", 5);
  second.write("second", 6);
  second.commit();
  first.commit();
  EXPECT_EQ(bytesOfFile(folder / "file"), "first");
  EXPECT_EQ(folder.count(), 1);
}

TEST(AtomicFile, ThatCannotBeIsNamed)
{
  const TemporaryFolder folder;
  expectBadFile({folder / "absent/file", "No such file"},
                [&] { AtomicFile file(folder / "absent/file"); });
  std::filesystem::create_directory(folder / "taken");
  expectBadFile({folder / "taken", "cannot be written"}, [&] {
    AtomicFile file(folder / "taken");
    file.commit();
  });
  EXPECT_EQ(folder.count(), 1);
}

TEST(ExceptionMessage, HasNoPlaceInTheSource)
{
  try {
    checkPositive("size : of all", -1.0f);
    FAIL() << "nothing was thrown";
  }
  catch (const pcl::BadArgumentException& exception) {
    EXPECT_EQ(messageOf(exception), "size : of all is -1: expected a positive number");
  }
  EXPECT_EQ(messageOf(std::runtime_error("no place")), "no place");
}

} // namespace
