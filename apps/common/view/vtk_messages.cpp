// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "vtk_messages.h"

#include <vtkLogger.h>
#include <vtkObjectFactory.h>
#include <vtkOutputWindow.h>
#include <vtkSmartPointer.h>

#include <algorithm>

namespace pcl::gpu::apps {

namespace {

std::string first_message;

class Collector : public vtkOutputWindow {
public:
  vtkTypeMacro(Collector, vtkOutputWindow);
  static Collector*
  New();

  void
  DisplayText(const char* text) override
  {
    if (!first_message.empty() || !text)
      return;
    // "ERROR: In file.cxx, line 1\nvtkClass (0x5600): the message": keep the last part.
    const std::string all = text;
    const std::size_t address = all.find("): ");
    first_message = address == std::string::npos ? all : all.substr(address + 3);
    first_message.erase(first_message.find_last_not_of("\n ") + 1);
    std::replace(first_message.begin(), first_message.end(), '\n', ' ');
  }
};

vtkStandardNewMacro(Collector);

} // namespace

void
VtkMessages::install()
{
  // VTK reports twice: to its logger, and to its output window.
  vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
  vtkOutputWindow::SetInstance(vtkSmartPointer<Collector>::New());
}

void
VtkMessages::clear()
{
  first_message.clear();
}

std::string
VtkMessages::first()
{
  return first_message;
}

} // namespace pcl::gpu::apps
