// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "viewer.h"

#include "x_server.h"

#include <pcl/visualization/pcl_visualizer.h>
#include <vtkProp.h>
#include <vtkPropCollection.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkRendererCollection.h>

#include <stdexcept>
#include <vector>

namespace pcl::gpu::apps {

Viewer::Viewer(const std::string& title, int width, int height)
{
  // VTK would end the program.
  if (!XServer::isRunning())
    throw std::runtime_error("--view: there is no display: expected one that DISPLAY "
                             "names; --screenshot needs none");
  main_ = vtkSmartPointer<vtkRenderer>::New();
  window_ = vtkSmartPointer<vtkRenderWindow>::New();
  window_->AddRenderer(main_);
  window_->SetMultiSamples(8);
  visualizer_ = std::make_unique<visualization::PCLVisualizer>(main_, window_, title);
  visualizer_->setShowFPS(false);
  visualizer_->setSize(width, height);
  vtkPropCollection* props = main_->GetViewProps();
  props->InitTraversal();
  while (vtkProp* prop = props->GetNextProp())
    own_props_.insert(prop);
}

Viewer::~Viewer() = default;

void
Viewer::clear()
{
  std::vector<vtkRenderer*> others;
  vtkRendererCollection* renderers = window_->GetRenderers();
  renderers->InitTraversal();
  while (vtkRenderer* renderer = renderers->GetNextItem())
    if (renderer != main_)
      others.push_back(renderer);
  for (vtkRenderer* renderer : others)
    window_->RemoveRenderer(renderer);

  // PCL's visualizer has props of its own among them, and crashes without those.
  std::vector<vtkProp*> shown;
  vtkPropCollection* props = main_->GetViewProps();
  props->InitTraversal();
  while (vtkProp* prop = props->GetNextProp())
    if (own_props_.count(prop) == 0)
      shown.push_back(prop);
  for (vtkProp* prop : shown)
    main_->RemoveViewProp(prop);
}

void
Viewer::show(const std::function<void(vtkRenderWindow&, vtkRenderer&)>& fill)
{
  clear();
  fill(*window_, *main_);
  visualizer_->spinOnce(1, true);
}

bool
Viewer::isClosed() const
{
  return visualizer_->wasStopped();
}

void
Viewer::waitUntilClosed()
{
  while (!visualizer_->wasStopped())
    visualizer_->spinOnce(50);
}

} // namespace pcl::gpu::apps
