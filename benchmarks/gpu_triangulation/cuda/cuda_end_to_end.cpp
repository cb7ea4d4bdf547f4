// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_end_to_end.h"

#include <pcl/gpu/utils/async_copy.h>

#include <algorithm>
#include <memory>

namespace benchmarks {

namespace {

/** \brief Page-locked host memory. */
template <typename T>
class PinnedArray {
public:
  explicit PinnedArray(std::size_t count)
  {
    void* memory = nullptr;
    checkCuda(cudaMallocHost(&memory, count * sizeof(T)), "allocating host memory");
    memory_.reset(static_cast<T*>(memory), [](T* old) { cudaFreeHost(old); });
  }

  T*
  get() const
  {
    return memory_.get();
  }

private:
  std::shared_ptr<T> memory_;
};

/** \brief The copies between host and device. */
class Transfers {
public:
  Transfers(TriangulationStages& stages,
            const RawDepth& depth,
            const pcl::gpu::Stream& stream)
  : stages_(stages)
  , stream_(stream)
  , depth_(depth.millimetres.size())
  , count_(1)
  , triangles_(3 * static_cast<std::size_t>(stages.polygons()))
  , cloud_(depth.millimetres.size())
  {
    std::copy(depth.millimetres.begin(), depth.millimetres.end(), depth_.get());
  }

  void
  upload() const
  {
    auto& target = stages_.depth();
    const std::size_t row_bytes = target.cols() * sizeof(std::uint16_t);
    pcl::gpu::copyAsync2D(depth_.get(),
                          row_bytes,
                          target.ptr(),
                          target.step(),
                          row_bytes,
                          target.rows(),
                          stream_);
  }

  void
  downloadCount() const
  {
    const auto& mesh = stages_.chain().mesh();
    pcl::gpu::copyAsync(mesh.polygon_count.ptr(), count_.get(), sizeof(int), stream_);
  }

  /** \brief Needs the count: call it when the stream is idle. */
  void
  downloadTriangles() const
  {
    const auto& mesh = stages_.chain().mesh();
    const int polygons = std::min(*count_.get(), stages_.polygons());
    pcl::gpu::copyAsync(
        mesh.indices.ptr(), triangles_.get(), 3 * sizeof(int) * polygons, stream_);
  }

  void
  downloadCloud() const
  {
    const auto& cloud = stages_.chain().cloud();
    const std::size_t row_bytes = cloud.cols() * sizeof(pcl::PointXYZ);
    pcl::gpu::copyAsync2D(cloud.ptr(),
                          cloud.step(),
                          cloud_.get(),
                          row_bytes,
                          row_bytes,
                          cloud.rows(),
                          stream_);
  }

private:
  TriangulationStages& stages_;
  pcl::gpu::Stream stream_;
  PinnedArray<std::uint16_t> depth_;
  PinnedArray<int> count_;
  PinnedArray<int> triangles_;
  PinnedArray<pcl::PointXYZ> cloud_;
};

} // namespace

std::vector<NamedTime>
timeEndToEnd(TriangulationStages& stages,
             const RawDepth& depth,
             const pcl::gpu::Stream& stream,
             const CudaTimer& timer)
{
  const Transfers transfers(stages, depth, stream);
  const QueueWork upload = [&] { transfers.upload(); };
  const QueueWork download_count = [&] { transfers.downloadCount(); };
  const QueueWork chain = [&] { stages.queueChain(); };
  const QueueWork frame = [&] {
    transfers.upload();
    stages.queueChain();
    transfers.downloadCount();
  };
  const QueueWork results = [&] {
    stream.synchronize(); // the host must know the count
    transfers.downloadTriangles();
    transfers.downloadCloud();
  };
  const CapturedGraph graph(stream, frame);
  const QueueWork replay = [&] { graph.launch(); };

  std::vector<NamedTime> times = {
      {"upload of the depth map, between events", timer.singleGraph(upload)},
      {"chain as one graph, between events", timer.singleGraph(chain)},
      {"download of the polygon count, between events",
       timer.singleGraph(download_count)},
      {"upload + chain + count as one graph, between events", timer.singleGraph(frame)},
      {"the same by the host's clock, launch to idle", timer.wall(replay)},
      {"the same without a graph, by the host's clock", timer.wall(frame)},
      {"graph, then triangles + cloud downloaded, by the host's clock", timer.wall([&] {
         replay();
         results();
       })},
  };
  const Sample& parts = times[3].time;
  const double sum = times[0].time.median + times[1].time.median + times[2].time.median;
  times.push_back({"bubble inside the graph: whole less its three parts",
                   {parts.median - sum, 0.0, 0.0}});
  times.push_back({"bubble outside: host's clock less events",
                   {times[4].time.median - parts.median, 0.0, 0.0}});
  return times;
}

} // namespace benchmarks
