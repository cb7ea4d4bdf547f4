// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "option_parsing.h"

#include "errors.h"

#include <cmath>
#include <cstdlib>
#include <sstream>

namespace pcl {
namespace gpu {
namespace apps {

namespace po = boost::program_options;

po::variables_map
parseCommandLine(int argc,
                 const char* const* argv,
                 const po::options_description& options,
                 const std::string& positional)
{
  po::variables_map values;
  try {
    po::positional_options_description words;
    words.add(positional.c_str(), -1);
    const int style =
        po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(argc, argv)
                  .options(options)
                  .positional(words)
                  .style(style)
                  .run(),
              values);
    po::notify(values);
  }
  catch (const po::error& error) {
    throw InputError(std::string(error.what()) + ": see --help");
  }
  return values;
}

std::vector<float>
parseNumbers(const std::string& option,
             const std::string& text,
             const std::string& expectation)
{
  std::vector<float> numbers;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    char* end = nullptr;
    const float number = std::strtof(part.c_str(), &end);
    if (part.empty() || *end != '\0' || !std::isfinite(number))
      throw InputError(option + " " + text + ": expected " + expectation);
    numbers.push_back(number);
  }
  return numbers;
}

} // namespace apps
} // namespace gpu
} // namespace pcl
