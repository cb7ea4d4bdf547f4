// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/parameters.h"

#include "tensor/module.h"

#include "tensor_doc.h"

#include <pcl/gpu/tensor/depth_stream_recognition.h>
#include <pcl/gpu/tensor/tensor_model_learning.h>
#include <pcl/gpu/tensor/tensor_view_registration.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

/** \brief Adds the check of the parameters. */
template <typename Parameters>
nb::class_<Parameters>&
checked(nb::class_<Parameters>& parameters)
{
  return parameters.def("validate",
                        &Parameters::validate,
                        "Raises ValueError, naming the first parameter that is wrong.");
}

void
bindEnumerations(nb::module_& module)
{
  nb::enum_<PairSelection>(module, "PairSelection", DOC(pcl, gpu, PairSelection))
      .value("ALL", PairSelection::All, DOC(pcl, gpu, PairSelection, All))
      .value("EVEN", PairSelection::Even, DOC(pcl, gpu, PairSelection, Even))
      .value("RANDOM", PairSelection::Random, DOC(pcl, gpu, PairSelection, Random));
  nb::enum_<TensorTriangles>(module, "TensorTriangles", DOC(pcl, gpu, TensorTriangles))
      .value("ALL", TensorTriangles::All, DOC(pcl, gpu, TensorTriangles, All))
      .value("CONNECTED",
             TensorTriangles::Connected,
             DOC(pcl, gpu, TensorTriangles, Connected));
  nb::enum_<LengthUnit>(module, "LengthUnit", DOC(pcl, gpu, LengthUnit))
      .value("RESOLUTIONS",
             LengthUnit::Resolutions,
             DOC(pcl, gpu, LengthUnit, Resolutions))
      .value("METRES", LengthUnit::Metres, DOC(pcl, gpu, LengthUnit, Metres));
  nb::enum_<MatchRanking>(module, "MatchRanking", DOC(pcl, gpu, MatchRanking))
      .value("CORRELATION",
             MatchRanking::Correlation,
             DOC(pcl, gpu, MatchRanking, Correlation))
      .value("CORRELATION_TIMES_OVERLAP",
             MatchRanking::CorrelationTimesOverlap,
             DOC(pcl, gpu, MatchRanking, CorrelationTimesOverlap));
}

void
bindTensorParameters(nb::module_& module)
{
  checked(ParametersBinding<PointPairEstimationParameters>(
              module,
              "PointPairEstimationParameters",
              DOC(pcl, gpu, PointPairEstimationParameters))
              .PCL_GPU_FIELD(PointPairEstimationParameters, min_distance)
              .PCL_GPU_FIELD(PointPairEstimationParameters, max_distance)
              .PCL_GPU_FIELD(PointPairEstimationParameters, min_angle)
              .PCL_GPU_FIELD(PointPairEstimationParameters, window_radius)
              .PCL_GPU_FIELD(PointPairEstimationParameters, pairs_per_point)
              .PCL_GPU_FIELD(PointPairEstimationParameters, resolution)
              .PCL_GPU_FIELD(PointPairEstimationParameters, selection)
              .PCL_GPU_FIELD(PointPairEstimationParameters, selected_count)
              .PCL_GPU_FIELD(PointPairEstimationParameters, seed)
              .finish());
  checked(ParametersBinding<TensorExtractionParameters>(
              module,
              "TensorExtractionParameters",
              DOC(pcl, gpu, TensorExtractionParameters))
              .PCL_GPU_FIELD(TensorExtractionParameters, grid_size)
              .PCL_GPU_FIELD(TensorExtractionParameters, voxel_size)
              .PCL_GPU_FIELD(TensorExtractionParameters, voxel_unit)
              .PCL_GPU_FIELD(TensorExtractionParameters, triangles)
              .PCL_GPU_FIELD(TensorExtractionParameters, min_area)
              .PCL_GPU_FIELD(TensorExtractionParameters, max_entries)
              .finish());
  checked(ParametersBinding<TensorParameters>(
              module, "TensorParameters", DOC(pcl, gpu, TensorParameters))
              .PCL_GPU_FIELD(TensorParameters, resolution)
              .PCL_GPU_FIELD(TensorParameters, min_distance)
              .PCL_GPU_FIELD(TensorParameters, max_distance)
              .PCL_GPU_FIELD(TensorParameters, min_angle)
              .PCL_GPU_FIELD(TensorParameters, pairs_per_point)
              .PCL_GPU_FIELD(TensorParameters, grid_size)
              .PCL_GPU_FIELD(TensorParameters, voxel_size)
              .PCL_GPU_FIELD(TensorParameters, min_area)
              .finish());
  module.def("recognition_parameters",
             &recognitionParameters,
             nb::arg("resolution") = 0.0035f,
             DOC(pcl, gpu, recognitionParameters));
  module.def(
      "apply_parameters",
      [](const TensorParameters& source, PointPairEstimationParameters parameters) {
        applyParameters(source, parameters);
        return parameters;
      },
      nb::arg("source"),
      nb::arg("parameters"),
      "Returns a copy of parameters with the resolution, distances, angle and pairs "
      "per "
      "point of a library.");
  module.def(
      "apply_parameters",
      [](const TensorParameters& source, TensorExtractionParameters parameters) {
        applyParameters(source, parameters);
        return parameters;
      },
      nb::arg("source"),
      nb::arg("parameters"),
      "Returns a copy of parameters with the grid size, voxel size and least area of a "
      "library.");
}

void
bindChainParameters(nb::module_& module)
{
  checked(ParametersBinding<DepthMapTensorExtractionParameters>(
              module,
              "DepthMapTensorExtractionParameters",
              DOC(pcl, gpu, DepthMapTensorExtractionParameters))
              .PCL_GPU_FIELD(DepthMapTensorExtractionParameters, surface)
              .PCL_GPU_FIELD(DepthMapTensorExtractionParameters, tensors)
              .PCL_GPU_FIELD(DepthMapTensorExtractionParameters, nearest_depth)
              .PCL_GPU_FIELD(DepthMapTensorExtractionParameters, tensor_count)
              .PCL_GPU_FIELD(DepthMapTensorExtractionParameters, seed)
              .finish())
      .def("set_tensors",
           &DepthMapTensorExtractionParameters::setTensors,
           nb::arg("parameters"),
           DOC(pcl, gpu, DepthMapTensorExtractionParameters, setTensors))
      .def("used_surface",
           &DepthMapTensorExtractionParameters::usedSurface,
           DOC(pcl, gpu, DepthMapTensorExtractionParameters, usedSurface))
      .def("used_pairs",
           &DepthMapTensorExtractionParameters::usedPairs,
           DOC(pcl, gpu, DepthMapTensorExtractionParameters, usedPairs))
      .def("used_tensors",
           &DepthMapTensorExtractionParameters::usedTensors,
           DOC(pcl, gpu, DepthMapTensorExtractionParameters, usedTensors));
  checked(ParametersBinding<TensorTableParameters>(
              module, "TensorTableParameters", DOC(pcl, gpu, TensorTableParameters))
              .PCL_GPU_FIELD(TensorTableParameters, bin_width)
              .finish());
  checked(
      ParametersBinding<TensorMatchingParameters>(
          module, "TensorMatchingParameters", DOC(pcl, gpu, TensorMatchingParameters))
          .PCL_GPU_FIELD(TensorMatchingParameters, match_count)
          .PCL_GPU_FIELD(TensorMatchingParameters, min_correlation)
          .PCL_GPU_FIELD(TensorMatchingParameters, min_overlap)
          .PCL_GPU_FIELD(TensorMatchingParameters, min_overlap_voxels)
          .PCL_GPU_FIELD(TensorMatchingParameters, neighbor_bins)
          .PCL_GPU_FIELD(TensorMatchingParameters, ranking)
          .finish());
  checked(
      ParametersBinding<PoseRefinementParameters>(
          module, "PoseRefinementParameters", DOC(pcl, gpu, PoseRefinementParameters))
          .PCL_GPU_FIELD(PoseRefinementParameters, rounds)
          .PCL_GPU_FIELD(PoseRefinementParameters, points)
          .PCL_GPU_FIELD(PoseRefinementParameters, first_distance)
          .PCL_GPU_FIELD(PoseRefinementParameters, last_distance)
          .finish());
}

void
bindUseParameters(nb::module_& module)
{
  checked(ParametersBinding<TensorModelLearningParameters>(
              module,
              "TensorModelLearningParameters",
              DOC(pcl, gpu, TensorModelLearningParameters))
              .PCL_GPU_FIELD(TensorModelLearningParameters, extraction)
              .PCL_GPU_FIELD(TensorModelLearningParameters, point_count)
              .PCL_GPU_FIELD(TensorModelLearningParameters, min_voxels)
              .finish());
  checked(ParametersBinding<TensorRecognitionParameters>(
              module,
              "TensorRecognitionParameters",
              DOC(pcl, gpu, TensorRecognitionParameters))
              .PCL_GPU_FIELD(TensorRecognitionParameters, matching)
              .PCL_GPU_FIELD(TensorRecognitionParameters, max_hypotheses)
              .PCL_GPU_FIELD(TensorRecognitionParameters, capture_distance)
              .PCL_GPU_FIELD(TensorRecognitionParameters, max_candidates)
              .PCL_GPU_FIELD(TensorRecognitionParameters, refinement)
              .PCL_GPU_FIELD(TensorRecognitionParameters, grouping_distance)
              .PCL_GPU_FIELD(TensorRecognitionParameters, grouping_angle)
              .PCL_GPU_FIELD(TensorRecognitionParameters, depth_deviation)
              .PCL_GPU_FIELD(TensorRecognitionParameters, depth_deviation_growth)
              .PCL_GPU_FIELD(TensorRecognitionParameters, min_visible)
              .PCL_GPU_FIELD(TensorRecognitionParameters, min_fit)
              .PCL_GPU_FIELD(TensorRecognitionParameters, min_confidence)
              .PCL_GPU_FIELD(TensorRecognitionParameters, max_shared)
              .PCL_GPU_FIELD(TensorRecognitionParameters, segmentation)
              .finish());
  checked(ParametersBinding<DepthStreamRecognitionParameters>(
              module,
              "DepthStreamRecognitionParameters",
              DOC(pcl, gpu, DepthStreamRecognitionParameters))
              .PCL_GPU_FIELD(DepthStreamRecognitionParameters, extraction)
              .PCL_GPU_FIELD(DepthStreamRecognitionParameters, recognition)
              .finish());
  checked(ParametersBinding<TensorViewRegistrationParameters>(
              module,
              "TensorViewRegistrationParameters",
              DOC(pcl, gpu, TensorViewRegistrationParameters))
              .PCL_GPU_FIELD(TensorViewRegistrationParameters, matching)
              .PCL_GPU_FIELD(TensorViewRegistrationParameters, resolution)
              .PCL_GPU_FIELD(TensorViewRegistrationParameters, max_tensors)
              .PCL_GPU_FIELD(TensorViewRegistrationParameters, max_hypotheses)
              .PCL_GPU_FIELD(TensorViewRegistrationParameters, max_candidates)
              .PCL_GPU_FIELD(TensorViewRegistrationParameters, min_overlap)
              .PCL_GPU_FIELD(TensorViewRegistrationParameters, min_fit)
              .finish());
}

} // namespace

void
bindParameters(nb::module_& module)
{
  bindEnumerations(module);
  bindTensorParameters(module);
  bindChainParameters(module);
  bindUseParameters(module);
}

} // namespace pcl_gpu_python
