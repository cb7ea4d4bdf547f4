// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "display.h"

#include <pcl/visualization/pcl_visualizer.h>
#include <vtkProp.h>
#include <vtkPropCollection.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkRendererCollection.h>
#include <vtkSmartPointer.h>

#include <stdexcept>
#include <vector>

namespace pcl::gpu::apps {

Display::Display(const std::string& title,
                 bool view,
                 const std::string& screenshot,
                 int width,
                 int height)
: width_(width)
, height_(height)
{
  // First: the window must not open on the server of the pictures, where nobody sees
  // it.
  if (view)
    openWindow(title);
  if (!screenshot.empty())
    server_ = std::make_unique<XServer>("--screenshot");
}

Display::~Display() = default;

void
Display::openWindow(const std::string& title)
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
  visualizer_->setSize(width_, height_);
  vtkPropCollection* props = main_->GetViewProps();
  props->InitTraversal();
  while (vtkProp* prop = props->GetNextProp())
    own_props_.insert(prop);
}

void
Display::clearWindow()
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
Display::save(const FillWindow& fill, const std::string& path) const
{
  writePicture(fill, width_, height_, path);
}

void
Display::show(const FillWindow& fill)
{
  if (!visualizer_)
    return;
  clearWindow();
  fill(*window_, *main_);
  visualizer_->spinOnce(1, true);
}

bool
Display::hasWindow() const
{
  return visualizer_ != nullptr;
}

bool
Display::isClosed() const
{
  return visualizer_ && visualizer_->wasStopped();
}

void
Display::waitUntilClosed()
{
  while (visualizer_ && !visualizer_->wasStopped())
    visualizer_->spinOnce(50);
}

} // namespace pcl::gpu::apps
