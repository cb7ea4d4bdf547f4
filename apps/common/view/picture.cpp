// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "picture.h"

#include "../files/output_file.h"
#include "vtk_messages.h"

#include <vtkCamera.h>
#include <vtkCoordinate.h>
#include <vtkImageActor.h>
#include <vtkImageData.h>
#include <vtkImageMapper3D.h>
#include <vtkImageProperty.h>
#include <vtkImageShrink3D.h>
#include <vtkLight.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkSmartPointer.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>
#include <vtkWindowToImageFilter.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace pcl::gpu::apps {

namespace {

// Positions are in the camera's frame: x right, y up, the camera at z = 1, the scene at
// 0.
void
addLight(vtkRenderer& renderer,
         double x,
         double y,
         double z,
         double intensity,
         double red,
         double green,
         double blue)
{
  vtkNew<vtkLight> light;
  light->SetLightTypeToCameraLight();
  light->SetPosition(x, y, z);
  light->SetFocalPoint(0.0, 0.0, 0.0);
  light->SetIntensity(intensity);
  light->SetColor(red, green, blue);
  renderer.AddLight(light);
}

// VTK counts rows from the bottom.
vtkSmartPointer<vtkImageData>
imageData(const ColorImage& image)
{
  auto data = vtkSmartPointer<vtkImageData>::New();
  data->SetDimensions(image.width, image.height, 1);
  data->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
  const RGB* pixel = image.pixels.data();
  for (int row = image.height - 1; row >= 0; --row) {
    auto* target = static_cast<unsigned char*>(data->GetScalarPointer(0, row, 0));
    for (int column = 0; column < image.width; ++column, ++pixel) {
      *target++ = pixel->r;
      *target++ = pixel->g;
      *target++ = pixel->b;
    }
  }
  return data;
}

} // namespace

void
lightScene(vtkRenderer& renderer)
{
  renderer.SetBackground(0.34, 0.35, 0.37);
  renderer.SetBackground2(0.60, 0.62, 0.64);
  renderer.GradientBackgroundOn();
  renderer.AutomaticLightCreationOff();
  renderer.RemoveAllLights();
  addLight(renderer, -0.8, 0.9, 1.0, 0.78, 1.00, 0.98, 0.94); // key
  addLight(renderer, 1.0, 0.2, 0.8, 0.30, 0.88, 0.94, 1.00);  // fill
  addLight(renderer, 0.0, 0.0, 1.0, 0.20, 1.00, 1.00, 1.00);  // from the camera
}

vtkRenderer&
addImagePanel(vtkRenderWindow& window, const Panel& panel, const ColorImage& image)
{
  vtkNew<vtkRenderer> renderer;
  renderer->SetViewport(panel.left, panel.bottom, panel.right, panel.top);
  renderer->InteractiveOff();
  renderer->SetBackground(0.23, 0.24, 0.26);
  vtkNew<vtkImageActor> actor;
  actor->GetMapper()->SetInputData(imageData(image));
  actor->GetProperty()->SetInterpolationTypeToLinear();
  renderer->AddActor(actor);

  const int* size = window.GetSize();
  const double aspect =
      (panel.right - panel.left) * size[0] / ((panel.top - panel.bottom) * size[1]);
  vtkCamera* camera = renderer->GetActiveCamera();
  const double x = 0.5 * (image.width - 1), y = 0.5 * (image.height - 1);
  camera->ParallelProjectionOn();
  camera->SetFocalPoint(x, y, 0.0);
  camera->SetPosition(x, y, 1000.0);
  camera->SetParallelScale(0.5 * std::max<double>(image.height, image.width / aspect));
  renderer->ResetCameraClippingRange();
  window.AddRenderer(renderer);
  return *renderer;
}

void
addCaption(vtkRenderer& renderer, const std::string& text, int pixels)
{
  vtkNew<vtkTextActor> actor;
  actor->SetInput(text.c_str());
  actor->GetPositionCoordinate()->SetCoordinateSystemToViewport();
  actor->SetPosition(0.8 * pixels, 0.8 * pixels);
  vtkTextProperty* property = actor->GetTextProperty();
  property->SetFontFamilyToArial();
  property->SetFontSize(pixels);
  property->SetColor(1.0, 1.0, 1.0);
  property->SetBackgroundColor(0.1, 0.11, 0.13);
  property->SetBackgroundOpacity(0.55);
  renderer.AddActor2D(actor);
}

void
writePicture(const FillWindow& fill, int width, int height, const std::string& path)
{
  // Drawn at twice the size and averaged: smooth edges on any graphics driver.
  constexpr int oversampling = 2;
  VtkMessages::clear();
  vtkNew<vtkRenderWindow> window;
  window->SetOffScreenRendering(1);
  window->SetMultiSamples(0);
  window->SetSize(oversampling * width, oversampling * height);
  vtkNew<vtkRenderer> main;
  window->AddRenderer(main);
  fill(*window, *main);
  window->Render();

  vtkNew<vtkWindowToImageFilter> capture;
  capture->SetInput(window);
  capture->ReadFrontBufferOff();
  vtkNew<vtkImageShrink3D> shrink;
  shrink->SetInputConnection(capture->GetOutputPort());
  shrink->SetShrinkFactors(oversampling, oversampling, 1);
  shrink->AveragingOn();
  writeFile(path, [&](const std::string& temporary) {
    vtkNew<vtkPNGWriter> writer;
    writer->SetInputConnection(shrink->GetOutputPort());
    writer->SetFileName(temporary.c_str());
    writer->SetCompressionLevel(6);
    writer->Write();
    if (writer->GetErrorCode() != 0 || !VtkMessages::first().empty())
      throw std::runtime_error(path + ": cannot be drawn: " + VtkMessages::first());
    return true;
  });
}

} // namespace pcl::gpu::apps
