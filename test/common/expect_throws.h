// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/exceptions.h>

#include <gtest/gtest.h>

#include <string>

namespace pcl::gpu::test {

/** \brief Expects an exception with a word in its message. */
template <typename Exception, typename Call>
void
expectThrows(const std::string& word, const Call& call)
{
  try {
    call();
    ADD_FAILURE() << "nothing was thrown; expected a message that names " << word;
  }
  catch (const Exception& exception) {
    EXPECT_NE(std::string(exception.what()).find(word), std::string::npos)
        << exception.what() << "\ndoes not name " << word;
  }
}

/** \brief Expects pcl::BadArgumentException with a word in its message. */
template <typename Call>
void
expectBadArgument(const std::string& word, const Call& call)
{
  expectThrows<pcl::BadArgumentException>(word, call);
}

} // namespace pcl::gpu::test
