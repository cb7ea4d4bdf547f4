// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// libFuzzer's program for the readers of files:
//   fuzz_readers --format=NAME [--all-cuts] [LIBFUZZER_OPTION...] [FOLDER...]
// A file is read wholly, or refused by an exception that names it. What is read depends
// on the file alone. The reader also gets the beginning of each accepted file, up to a
// byte. With --all-cuts all files must be accepted, and are cut off at each byte.

#include "formats.h"

#include "apps/common/command_line/errors.h"
#include "apps/common/view/vtk_messages.h"

#include <pcl/console/print.h>
#include <pcl/exceptions.h>
#include <pcl/gpu/utils/internal/exception_message.h>
#include <pcl/gpu/utils/internal/text_file.h>

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

using namespace pcl::gpu;
using fuzz::EarlyEnd;

extern "C" std::size_t
LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size, std::size_t max_size);

namespace {

namespace files = std::filesystem;

/** \brief The tested format, and its folder. */
struct Setup {
  fuzz::Format format{};
  bool all_cuts = false;
  files::path folder =
      files::temp_directory_path() / ("pcl_gpu_fuzz." + std::to_string(getpid()));
};

Setup&
setup()
{
  static Setup instance;
  return instance;
}

[[noreturn]] void
report(const std::string& finding)
{
  std::fprintf(stderr, "%s: %s\n", setup().format.name, finding.c_str());
  std::abort();
}

/** \brief Lets the reader read some bytes.
 * \return the digest of the contents; none if the file is refused
 */
std::optional<std::uint64_t>
readBytes(std::string_view bytes)
{
  const std::string path = (setup().folder / setup().format.file).string();
  std::ofstream(path, std::ios::binary).write(bytes.data(), bytes.size());
  std::string message;
  try {
    fuzz::Digest digest;
    setup().format.read(path, digest);
    return digest.value();
  }
  catch (const pcl::PCLException& error) {
    message = messageOf(error);
  }
  catch (const apps::InputError& error) {
    message = error.what();
  }
  // Lists name other files.
  if (message.find('/') == std::string::npos)
    report("the message names no file: " + message);
  return std::nullopt;
}

bool
isOfWord(char c)
{
  return c > ' ' && c <= '~';
}

/** \brief Counts the words of a text's first line that is no comment. The text may
 * begin with a byte order mark, as readTextFile() allows.
 */
std::size_t
wordsOfFirstLine(std::string_view text)
{
  std::istringstream lines{std::string(withoutByteOrderMark(text))};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream stream(line);
    const std::vector<std::string> words{std::istream_iterator<std::string>(stream),
                                         {}};
    if (!words.empty() && words[0][0] != '#')
      return words.size();
  }
  return 0;
}

std::string_view
lastLine(std::string_view text)
{
  return text.substr(text.find_last_of('\n') + 1);
}

/** \brief Returns whether a file that ends early may be accepted, see EarlyEnd.
 * \param[in] whole digest of the contents of all bytes
 */
bool
mayEnd(std::string_view bytes, std::size_t end, std::uint64_t whole)
{
  switch (setup().format.early_end) {
  case EarlyEnd::InLastWord: {
    const bool is_in_word = end > 0 && isOfWord(bytes[end - 1]) && isOfWord(bytes[end]);
    const auto rest = bytes.begin() + end;
    const auto word_end = std::find_if_not(rest, bytes.end(), isOfWord);
    return is_in_word && readBytes(bytes.substr(0, word_end - bytes.begin())) == whole;
  }
  case EarlyEnd::InLastLine: {
    const std::string_view part = bytes.substr(0, end);
    const std::size_t words = wordsOfFirstLine(lastLine(part));
    return words == 0 || words >= wordsOfFirstLine(part);
  }
  case EarlyEnd::AfterSolid: {
    const std::string_view part = bytes.substr(0, end);
    const std::size_t last = part.find_last_not_of(" \t\r\n");
    std::string line(lastLine(part.substr(0, last == part.npos ? 0 : last + 1)));
    std::transform(line.begin(), line.end(), line.begin(), [](unsigned char c) {
      return static_cast<char>(std::tolower(c));
    });
    return line.find("endsolid") != line.npos;
  }
  case EarlyEnd::Anywhere:
    return true;
  default:
    return false;
  }
}

void
checkCut(std::string_view bytes, std::size_t end, std::uint64_t whole)
{
  const auto part = readBytes(bytes.substr(0, end));
  if (part && *part != whole && !mayEnd(bytes, end, whole))
    report("the first " + std::to_string(end) + " of " + std::to_string(bytes.size()) +
           " bytes are accepted");
}

void
removeFolder()
{
  std::error_code ignored;
  files::remove_all(setup().folder, ignored);
}

} // namespace

extern "C" int
LLVMFuzzerInitialize(int* argc, char*** argv)
{
  std::string name;
  for (int i = 1; i < *argc; ++i) {
    const std::string argument = (*argv)[i];
    if (argument.rfind("--format=", 0) == 0)
      name = argument.substr(9);
    setup().all_cuts = setup().all_cuts || argument == "--all-cuts";
  }
  for (const fuzz::Format& format : fuzz::formats())
    if (format.name == name)
      setup().format = format;
  if (!setup().format.read) {
    std::fprintf(stderr, "--format=%s: expected one of", name.c_str());
    for (const fuzz::Format& format : fuzz::formats())
      std::fprintf(stderr, " %s", format.name);
    std::fprintf(stderr, "\n");
    std::exit(2);
  }
  files::create_directories(setup().folder);
  std::atexit(removeFolder);
  if (*setup().format.folder)
    files::copy(files::path(PCL_GPU_FUZZ_FOLDERS) / setup().format.folder,
                setup().folder,
                files::copy_options::recursive);
  pcl::console::setVerbosityLevel(pcl::console::L_ALWAYS);
  apps::VtkMessages::install();
  return 0;
}

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto whole = readBytes(bytes);
  if (!whole) {
    if (setup().all_cuts && size > 0) // libFuzzer begins with no bytes
      report("a file of " + std::to_string(size) + " bytes is refused");
    return 0;
  }
  if (readBytes(bytes) != whole)
    report("the same file is read in two ways");
  if (setup().all_cuts)
    for (std::size_t end = 0; end < size; ++end)
      checkCut(bytes, end, *whole);
  else if (size > 0)
    checkCut(bytes, std::hash<std::string_view>()(bytes) % size, *whole);
  return 0;
}

extern "C" std::size_t
LLVMFuzzerCustomMutator(std::uint8_t* data,
                        std::size_t size,
                        std::size_t max_size,
                        unsigned int seed)
{
  size = LLVMFuzzerMutate(data, size, max_size);
  // Without right checksums only few files would be read beyond their beginning.
  if (setup().format.repair && seed % 4 != 0)
    setup().format.repair(reinterpret_cast<char*>(data), size);
  return size;
}
