// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/options.h"

#include <boost/program_options.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace benchmarks {

namespace po = boost::program_options;

namespace {

template <typename T>
std::string
textOf(const T& value)
{
  std::ostringstream text;
  text << value;
  return text.str();
}

template <typename T>
std::string
textOf(const std::vector<T>& values)
{
  std::string text;
  for (const T& value : values)
    text += (text.empty() ? "" : " ") + textOf(value);
  return text;
}

template <typename T>
void
takeSeveral(const T&, po::typed_value<T>*)
{}

template <typename T>
void
takeSeveral(const std::vector<T>&, po::typed_value<std::vector<T>>* option)
{
  option->multitoken();
}

template <typename T>
constexpr int words_of = 1;

template <typename T>
constexpr int words_of<std::vector<T>> = -1;

} // namespace

std::ostream&
operator<<(std::ostream& stream, const ImageSize& size)
{
  return stream << size.width << 'x' << size.height;
}

std::istream&
operator>>(std::istream& stream, ImageSize& size)
{
  char x = '\0';
  stream >> size.width >> x >> size.height;
  const auto isRight = [](int side) { return side >= 2 && side <= 16384; };
  if (x != 'x' || !isRight(size.width) || !isRight(size.height))
    stream.setstate(std::ios::failbit);
  return stream;
}

struct Options::Description {
  po::options_description options;
  po::positional_options_description words;
  std::vector<std::function<void()>> checks;
};

Options::Options(const std::string& usage)
: description_(new Description{po::options_description(usage), {}, {}})
{
  description_->options.add_options()("help", "print this page");
}

Options::~Options() = default;

template <typename T>
void
Options::add(const std::string& name, T& value, const std::string& help)
{
  auto* const option = po::value(&value);
  takeSeveral(value, option);
  const std::string text = textOf(value);
  if (!text.empty())
    option->default_value(value, text);
  description_->options.add_options()(name.c_str(), option, help.c_str());
}

void
Options::addCount(const std::string& name, int& value, const std::string& help)
{
  add(name, value, help);
  description_->checks.push_back([name, &value] {
    if (value < 1)
      throw std::invalid_argument("--" + name + " " + std::to_string(value) +
                                  ": expected 1 or more");
  });
}

void
Options::addSwitch(const std::string& name, bool& value, const std::string& help)
{
  description_->options.add_options()(
      name.c_str(), po::bool_switch(&value), help.c_str());
}

template <typename T>
void
Options::addWord(const std::string& name, T& value, const std::string& help)
{
  add(name, value, help);
  description_->words.add(name.c_str(), words_of<T>);
}

template void
Options::add(const std::string&, bool&, const std::string&);
template void
Options::add(const std::string&, int&, const std::string&);
template void
Options::add(const std::string&, std::uint64_t&, const std::string&);
template void
Options::add(const std::string&, float&, const std::string&);
template void
Options::add(const std::string&, std::string&, const std::string&);
template void
Options::add(const std::string&, std::vector<int>&, const std::string&);
template void
Options::add(const std::string&, std::vector<std::uint64_t>&, const std::string&);
template void
Options::add(const std::string&, std::vector<double>&, const std::string&);
template void
Options::add(const std::string&, std::vector<std::string>&, const std::string&);
template void
Options::add(const std::string&, std::vector<ImageSize>&, const std::string&);
template void
Options::addWord(const std::string&, int&, const std::string&);
template void
Options::addWord(const std::string&, std::string&, const std::string&);
template void
Options::addWord(const std::string&, std::vector<std::string>&, const std::string&);

int
Options::run(int argc, char** argv, const std::function<bool()>& work)
{
  // Rows are seen as soon as they are complete, also in a pipe.
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  const std::string path = argv[0];
  const auto report = [&](const std::exception& error) {
    std::fprintf(stderr,
                 "%s: error: %s\n",
                 path.substr(path.rfind('/') + 1).c_str(),
                 error.what());
  };
  try {
    po::variables_map values;
    po::store(po::command_line_parser(argc, argv)
                  .options(description_->options)
                  .positional(description_->words)
                  .run(),
              values);
    if (values.count("help") > 0) {
      std::cout << description_->options;
      return 0;
    }
    po::notify(values);
    for (const auto& check : description_->checks)
      check();
  }
  catch (const std::exception& error) {
    report(error);
    return 2;
  }
  try {
    return work() ? 0 : 1;
  }
  catch (const std::exception& error) {
    report(error);
    return 1;
  }
}

std::string
dataFolder()
{
  const char* const folder = std::getenv("PCL_GPU_TEST_DATA");
  return folder ? folder : PCL_GPU_TEST_DATA;
}

} // namespace benchmarks
