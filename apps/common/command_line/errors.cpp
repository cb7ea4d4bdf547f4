// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "errors.h"

#include "../view/vtk_messages.h"

#include <pcl/console/print.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <new>

namespace pcl::gpu::apps {

namespace {

void
report(const std::string& program, std::string message)
{
  std::replace(message.begin(), message.end(), '\n', ' ');
  message.erase(message.find_last_not_of(' ') + 1);
  std::cerr << program << ": error: " << message << std::endl;
}

} // namespace

InputError
fileError(const std::string& file,
          const std::string& problem,
          const std::string& expectation)
{
  return InputError(file + ": " + problem +
                    (expectation.empty() ? "" : ": expected " + expectation));
}

void
checkInputFile(const std::string& file, const std::string& expectation)
{
  if (!std::filesystem::exists(file))
    throw fileError(file, "no such file", expectation);
  if (std::filesystem::is_directory(file))
    throw fileError(file, "is a folder", expectation);
}

void
checkOption(bool valid, const std::string& option, const std::string& expectation)
{
  if (!valid)
    throw InputError(option + ": expected " + expectation);
}

void
printNote(const std::string& text)
{
  std::cerr << "note: " << text << std::endl;
}

int
runProgram(const std::string& program, const std::function<int()>& body)
{
  console::setVerbosityLevel(console::L_ALWAYS);
  VtkMessages::install();
  try {
    return body();
  }
  catch (const InputError& error) {
    report(program, error.what());
    return BadInput;
  }
  catch (const BadArgumentException& error) {
    report(program, plainMessage(error));
    return BadInput;
  }
  catch (const PCLException& error) {
    report(program, plainMessage(error));
  }
  catch (const std::bad_alloc&) {
    report(program, "out of memory");
  }
  catch (const std::exception& error) {
    report(program, error.what());
  }
  return RuntimeFailure;
}

} // namespace pcl::gpu::apps
