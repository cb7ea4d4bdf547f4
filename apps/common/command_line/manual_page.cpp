// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "manual_page.h"

#include "errors.h"

#include <iostream>
#include <sstream>

namespace pcl::gpu::apps {

namespace po = boost::program_options;

ManualPage&
operator<<(ManualPage& page, const std::string& text)
{
  page.text += text;
  return page;
}

ManualPage&
operator<<(ManualPage& page, const po::options_description& options)
{
  std::ostringstream text;
  text << options << "\n";
  page.options.add(options);
  return page << text.str();
}

std::string
exitStatusText()
{
  return R"(EXIT STATUS
  0 success, 1 failure while running, 2 input or options that cannot be used.
  Files appear under their names only when they are complete.

)";
}

std::optional<po::variables_map>
readCommandLine(int argc,
                const char* const* argv,
                const char* version,
                const ManualPage& page,
                std::vector<std::string>& words,
                const char* words_name)
{
  po::variables_map values;
  try {
    po::options_description options, hidden;
    hidden.add_options()(words_name, po::value(&words));
    options.add(page.options).add(hidden);
    po::positional_options_description positional;
    positional.add(words_name, -1);
    const int style =
        po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(argc, argv)
                  .options(options)
                  .positional(positional)
                  .style(style)
                  .run(),
              values);
    po::notify(values);
  }
  catch (const po::error& error) {
    throw InputError(std::string(error.what()) + ": see --help");
  }
  const bool is_help = values.count("help") > 0;
  if (!is_help && !values.count("version"))
    return values;
  std::cout << (is_help ? page.text : std::string(version) + "\n");
  return std::nullopt;
}

bool
isGiven(const po::variables_map& values, const std::string& name)
{
  return values.count(name) && !values[name].defaulted();
}

std::optional<Eigen::Vector3f>
optionalPoint(const po::variables_map& values, const char* name)
{
  if (!values.count(name))
    return std::nullopt;
  return parsePoint(std::string("--") + name, values[name].as<std::string>());
}

po::options_description
optionGroup(const std::string& title)
{
  constexpr unsigned line_length = 88;
  return po::options_description(title, line_length, line_length / 2 + 10);
}

void
addGeneralOptions(po::options_description& group, std::string& device)
{
  auto add = group.add_options();
  add("device",
      po::value(&device)->value_name("NAME"),
      "host, cuda or cuda:N; default: the GPU if there is one");
  add("help,h", "print this page");
  add("version", "print the version");
}

void
addGeneralOptions(po::options_description& group, std::string& device, int& repeat)
{
  addGeneralOptions(group, device);
  group.add_options()("repeat",
                      numberOption(repeat),
                      "compute each frame this many times, for --timings");
}

po::typed_value<std::string>*
textOption(const char* value_name)
{
  return po::value<std::string>()->value_name(value_name);
}

po::typed_value<std::string>*
textOption(const char* value_name, const std::string& value)
{
  return textOption(value_name)->default_value(value);
}

po::typed_value<std::string>*
sizeOption(const std::string& name, ImageSize& target, int least, int most)
{
  const std::string usual =
      std::to_string(target.width) + "x" + std::to_string(target.height);
  return textOption("WxH", usual)->notifier([=, &target](const std::string& text) {
    target = parseSize("--" + name, text, least, most);
  });
}

po::typed_value<std::string>*
intrinsicsOption(const std::string& name, std::optional<PinholeCamera>& target)
{
  return textOption("FX,FY,CX,CY")->notifier([=, &target](const std::string& text) {
    target = parseIntrinsics("--" + name, text);
  });
}

void
addMissingDepthOption(po::options_description& group,
                      std::optional<std::uint16_t>& target)
{
  const auto set = [&target](const std::string& text) {
    target = numberOf<std::uint16_t>(text);
    checkOption(target.has_value(), "--missing-depth " + text, "0 to 65535");
  };
  group.add_options()("missing-depth",
                      textOption("N")->notifier(set),
                      "value in depth maps of pixels that were not measured, in "
                      "addition to 0; 0: no other; default: 65535, unless as many "
                      "pixels hold one of the 255 values below it");
}

void
addSharingOptions(po::options_description& group,
                  SharingOptions& target,
                  const std::string& units)
{
  const auto set = [&target](const std::string& text) {
    target.shard = parseShard("--shard", text);
  };
  const std::string resume =
      "continue an interrupted run: " + units +
      " that are there stay as they are, unless they have an input of their own that "
      "has changed. Other inputs and options must be those of that run; manifest.txt "
      "in the folder of the results lists them";
  const std::string shard =
      "share the " + units +
      " among processes, on this machine or others, that are given the same options "
      "and folder: this one begins with part K of N, and then helps the others. auto: "
      "the numbers of mpirun, srun or a Slurm array. Continues as --resume does";
  auto add = group.add_options();
  add("resume", po::bool_switch(&target.resume), resume.c_str());
  add("shard", textOption("K/N")->notifier(set), shard.c_str());
}

po::typed_value<std::string>*
fileOption(std::string& target)
{
  return po::value(&target)->value_name("FILE");
}

} // namespace pcl::gpu::apps
