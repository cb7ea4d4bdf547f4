// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/tensor/tensor_signature.h>
#include <pcl/impl/pcl_base.hpp>
#include <pcl/kdtree/impl/kdtree_flann.hpp>
#include <pcl/search/impl/kdtree.hpp>
#include <pcl/search/impl/search.hpp>

#include <cstddef>
#include <ostream>

namespace pcl::gpu {

namespace {

template <std::size_t Size>
void
print(std::ostream& stream, const float (&values)[Size])
{
  for (std::size_t i = 0; i < Size; ++i)
    stream << (i == 0 ? "(" : ", ") << values[i];
  stream << ")";
}

} // namespace

std::ostream&
operator<<(std::ostream& stream, const TensorSignature1000& signature)
{
  print(stream, signature.rf);
  print(stream, signature.origin);
  stream << "(" << signature.angle << ")";
  print(stream, signature.descriptor);
  return stream;
}

} // namespace pcl::gpu

// PCL precompiles these for its own signatures; its registration needs them.
template class PCL_EXPORTS pcl::PCLBase<pcl::gpu::TensorSignature1000>;
template class PCL_EXPORTS pcl::KdTreeFLANN<pcl::gpu::TensorSignature1000>;
template class PCL_EXPORTS pcl::search::Search<pcl::gpu::TensorSignature1000>;
template class PCL_EXPORTS pcl::search::KdTree<pcl::gpu::TensorSignature1000>;
