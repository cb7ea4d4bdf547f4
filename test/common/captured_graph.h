// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/stream.h>

#include <gtest/gtest.h>

#include <cuda_runtime.h>

#include <functional>

namespace pcl::gpu::test {

/** \brief Work of a stream as a CUDA graph. If it allocates or waits, the capture
 * fails, and with it the test. */
class CapturedGraph {
public:
  /** \param[in] stream that the work joins
   * \param[in] work has run once on it before
   */
  CapturedGraph(const Stream& stream, const std::function<void()>& work)
  : stream_(stream)
  {
    stream.synchronize();
    EXPECT_EQ(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal),
              cudaSuccess);
    work();
    EXPECT_EQ(cudaStreamEndCapture(stream.get(), &graph_), cudaSuccess);
    EXPECT_EQ(cudaGraphInstantiate(&executable_, graph_, 0), cudaSuccess);
  }

  CapturedGraph(const CapturedGraph&) = delete;
  CapturedGraph&
  operator=(const CapturedGraph&) = delete;

  ~CapturedGraph()
  {
    EXPECT_EQ(cudaGraphExecDestroy(executable_), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph_), cudaSuccess);
  }

  /** \brief Runs the work, and waits for it. */
  void
  launch(int times = 1) const
  {
    for (int run = 0; run < times; ++run)
      EXPECT_EQ(cudaGraphLaunch(executable_, stream_.get()), cudaSuccess);
    stream_.synchronize();
  }

private:
  const Stream& stream_;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

/** \brief Expects that work takes no more device memory in 10 runs.
 * \param[in] stream that the work joins
 * \param[in] work is given the number of the run; has run before
 */
inline void
expectNoAllocation(const Stream& stream, const std::function<void(int)>& work)
{
  stream.synchronize();
  std::size_t before = 0, after = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  for (int run = 0; run < 10; ++run)
    work(run);
  ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(after, before);
  stream.synchronize();
}

/** \brief Runs work once, captures it, and launches it twice. */
inline void
captureAndLaunch(const Stream& stream, const std::function<void()>& work)
{
  work();
  CapturedGraph(stream, work).launch(2);
}

} // namespace pcl::gpu::test
