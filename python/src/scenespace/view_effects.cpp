// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scenespace/effects.h"

#include "scenespace_doc.h"

#include <pcl/gpu/scenespace/effects/action_shot_effect.h>
#include <pcl/gpu/scenespace/effects/stabilized_views.h>
#include <pcl/gpu/scenespace/effects/virtual_aperture_effect.h>
#include <pcl/gpu/scenespace/effects/virtual_view_effect.h>
#include <pcl/gpu/scenespace/scene_space_video.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

using ViewFunction = VirtualViewEffectParameters::ViewFunction;

/** \brief Views that a function of Python's returns. */
struct ViewsOfPython {
  std::function<SceneView(RGBDVideo*, int)> function;

  SceneView
  operator()(const RGBDVideo& video, int number) const
  {
    return function(const_cast<RGBDVideo*>(&video), number);
  }
};

/** \brief Views of a list. */
struct ViewsOfList {
  std::vector<SceneView> list;
  ViewFunction function;

  SceneView
  operator()(const RGBDVideo& video, int number) const
  {
    return function(video, number);
  }
};

nb::object
viewsToPython(const VirtualViewEffectParameters& parameters)
{
  if (const auto* views = parameters.views.target<ViewsOfPython>())
    return nb::cast(views->function);
  if (const auto* views = parameters.views.target<ViewsOfList>())
    return nb::cast(views->list);
  return nb::none();
}

void
setViews(VirtualViewEffectParameters& parameters, nb::handle value)
{
  std::vector<SceneView> list;
  if (value.is_none())
    parameters.views = {};
  else if (PyCallable_Check(value.ptr()))
    parameters.views =
        ViewsOfPython{nb::cast<std::function<SceneView(RGBDVideo*, int)>>(value)};
  else if (nb::try_cast(value, list, false))
    parameters.views = ViewsOfList{list, VirtualViewEffectParameters::viewsOf(list)};
  else
    throw nb::type_error("views: expected a list of SceneView, a function or None");
}

void
bindVirtualView(nb::module_& module)
{
  ParametersBinding<VirtualViewEffectParameters>(
      module, "VirtualViewEffectParameters", DOC(pcl, gpu, VirtualViewEffectParameters))
      .field("views",
             "collections.abc.Sequence[SceneView] | "
             "collections.abc.Callable[[RGBDVideo, int], SceneView] | None",
             &viewsToPython,
             &setViews,
             "Cameras of the output, one for each frame, or a function that returns "
             "that of an output frame, given the input and the frame's number. None: "
             "those of the input. Their times choose the frames that are used.")
      .PCL_GPU_FIELD(VirtualViewEffectParameters, reach)
      .PCL_GPU_FIELD(VirtualViewEffectParameters, step)
      .PCL_GPU_FIELD(VirtualViewEffectParameters, hole_reach)
      .PCL_GPU_FIELD(VirtualViewEffectParameters, sigma_frame)
      .PCL_GPU_FIELD(VirtualViewEffectParameters, sigma_xyz)
      .PCL_GPU_FIELD(VirtualViewEffectParameters, sigma_rgb)
      .finish()
      .def("validate",
           &VirtualViewEffectParameters::validate,
           DOC(pcl, gpu, VirtualViewEffectParameters, validate));
  bindEffect<VirtualViewEffect, VirtualViewEffectParameters>(
      module, "VirtualViewEffect", DOC(pcl, gpu, VirtualViewEffect));
  module.def("stabilized_views",
             &stabilizedViews,
             nb::arg("video"),
             nb::arg("sigma"),
             nb::arg("zoom") = 1.0f,
             DOC(pcl, gpu, stabilizedViews));
}

void
bindAperture(nb::module_& module)
{
  using Parameters = VirtualApertureEffectParameters;
  ParametersBinding<Parameters>(module,
                                "VirtualApertureEffectParameters",
                                DOC(pcl, gpu, VirtualApertureEffectParameters))
      .PCL_GPU_FIELD(VirtualApertureEffectParameters, aperture)
      .PCL_GPU_FIELD(VirtualApertureEffectParameters, focus_distance)
      .PCL_GPU_FIELD(VirtualApertureEffectParameters, focus_column)
      .PCL_GPU_FIELD(VirtualApertureEffectParameters, focus_row)
      .PCL_GPU_FIELD(VirtualApertureEffectParameters, blades)
      .PCL_GPU_FIELD(VirtualApertureEffectParameters, turn)
      .PCL_GPU_FIELD(VirtualApertureEffectParameters, lens_samples)
      .PCL_GPU_FIELD(VirtualApertureEffectParameters, reach)
      .PCL_GPU_FIELD(VirtualApertureEffectParameters, step)
      .PCL_GPU_FIELD(VirtualApertureEffectParameters, sigma_xyz)
      .finish()
      .def("validate",
           &Parameters::validate,
           DOC(pcl, gpu, VirtualApertureEffectParameters, validate));
  bindEffect<VirtualApertureEffect, Parameters>(
      module, "VirtualApertureEffect", DOC(pcl, gpu, VirtualApertureEffect));
}

void
bindActionShot(nb::module_& module)
{
  using Parameters = ActionShotEffectParameters;
  ParametersBinding<Parameters>(
      module, "ActionShotEffectParameters", DOC(pcl, gpu, ActionShotEffectParameters))
      .PCL_GPU_FIELD(ActionShotEffectParameters, frames)
      .PCL_GPU_FIELD(ActionShotEffectParameters, interval)
      .PCL_GPU_FIELD(ActionShotEffectParameters, reach_before)
      .PCL_GPU_FIELD(ActionShotEffectParameters, reach_after)
      .PCL_GPU_FIELD(ActionShotEffectParameters, own_movers_shown)
      .PCL_GPU_FIELD(ActionShotEffectParameters, half_life)
      .PCL_GPU_FIELD(ActionShotEffectParameters, tolerance)
      .field(
          "background",
          "SceneSpaceEffect | None",
          [](const Parameters& self) {
            return nb::cast(std::const_pointer_cast<SceneSpaceEffect>(self.background));
          },
          [](Parameters& self, nb::handle value) {
            std::shared_ptr<SceneSpaceEffect> effect;
            if (!value.is_none() && !nb::try_cast(value, effect, false))
              throwWrongType("background", value, "SceneSpaceEffect | None");
            self.background = effect;
          },
          DOC(pcl, gpu, ActionShotEffectParameters, background))
      .finish()
      .def("validate",
           &Parameters::validate,
           DOC(pcl, gpu, ActionShotEffectParameters, validate));
  bindEffect<ActionShotEffect, Parameters>(
      module, "ActionShotEffect", DOC(pcl, gpu, ActionShotEffect));
}

/** \brief A video of an effect, whose end waits for threads. */
class Video : public RGBDVideo {
public:
  template <typename... Arguments>
  explicit Video(const VideoPointer& video, const Arguments&... arguments)
  : video_(video, arguments...)
  {}

  int
  size() const override
  {
    return video_->size();
  }

  RGBDView
  view(int number) const override
  {
    return video_->view(number);
  }

  RGBDFrame
  read(int number) const override
  {
    return video_->read(number);
  }

private:
  Waiting<SceneSpaceVideo> video_;
};

} // namespace

void
bindViewEffects(nb::module_& module)
{
  bindVirtualView(module);
  bindAperture(module);
  bindActionShot(module);
}

void
bindSceneSpaceVideo(nb::module_& module)
{
  nb::class_<Video, RGBDVideo>(
      module, "SceneSpaceVideo", DOC(pcl, gpu, SceneSpaceVideo))
      .def(
          "__init__",
          [](Video* self,
             const VideoPointer& video,
             const std::shared_ptr<SceneSpaceEffect>& effect,
             const ScenePreparation* preparation,
             const SceneSpaceResources* resources) {
            new (self) Video(
                video, effect, parametersOf(preparation), parametersOf(resources));
          },
          nb::arg("video"),
          nb::arg("effect"),
          nb::arg("preparation").none() = nb::none(),
          nb::arg("resources").none() = nb::none(),
          DOC(pcl, gpu, SceneSpaceVideo, SceneSpaceVideo));
}

} // namespace pcl_gpu_python
