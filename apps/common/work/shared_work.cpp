// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "shared_work.h"

#include "../command_line/errors.h"
#include "../files/output_file.h"

#include <boost/crc.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace pcl::gpu::apps {

namespace {

/** \brief Byte that is locked while the manifest changes; those of the units follow. */
constexpr std::int64_t exclusive_byte = std::int64_t(1) << 40;

/** \brief End of a line that is complete. */
const std::string line_end = "\t.\n";

/** \brief Behind the number of a unit whose files are gone, of another size, or those
 * of a former run. */
const std::string lost = "\tlost" + line_end;

/** \brief Line behind those of all units. */
const std::string complete = "complete\n";

/** \brief Returns a name on one line and in one column. */
std::string
printable(std::string name)
{
  for (char& c : name)
    if (static_cast<unsigned char>(c) < ' ')
      c = '?';
  return name;
}

/** \brief Returns a text for input files: their number, and a sum of their
 * names and sizes. The folder that they lie in may be another in the next run.
 * \param[in] inputs paths of files, and of folders with all that is below them; empty
 * ones are ignored
 * \param[in] output folder of the results, which is left out
 */
std::string
describeInputs(const std::vector<std::string>& inputs, const std::string& output)
{
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  const auto add = [&](const fs::path& path, const std::string& name) {
    std::error_code ignored;
    files.push_back(name + "\t" + std::to_string(fs::file_size(path, ignored)) + "\n");
  };
  std::error_code ignored;
  for (const std::string& input : inputs) {
    if (input.empty())
      continue;
    if (!fs::is_directory(input, ignored)) {
      add(input, fs::path(input).filename().string());
      continue;
    }
    fs::recursive_directory_iterator entry(
        input, fs::directory_options::follow_directory_symlink);
    for (; entry != fs::recursive_directory_iterator(); ++entry) {
      if (entry->is_directory(ignored) &&
          fs::equivalent(entry->path(), output, ignored))
        entry.disable_recursion_pending();
      else if (entry->is_regular_file(ignored))
        add(entry->path(), entry->path().lexically_relative(input).string());
    }
  }
  std::sort(files.begin(), files.end());
  boost::crc_32_type sum;
  for (const std::string& file : files)
    sum.process_bytes(file.data(), file.size());
  char digits[16];
  std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(sum.checksum()));
  return "input of " + std::to_string(files.size()) + " files, sum " + digits;
}

} // namespace

SharedWork::SharedWork(std::string folder,
                       int units,
                       const SharingOptions& sharing,
                       const std::vector<std::string>& inputs,
                       std::function<std::vector<std::string>(int unit)> files,
                       const std::function<std::vector<std::string>(int)>& inputs_of)
: folder_(std::move(folder))
, settings_(sharing.settings)
, files_(std::move(files))
, inputs_(units)
, goes_on_(sharing.goesOn())
, manifest_(pathOf("manifest.txt"))
, states_(units, State::Missing)
, lines_(units)
{
  settings_.push_back(std::to_string(units) + " units");
  settings_.push_back(describeInputs(inputs, folder_));
  for (int unit = 0; inputs_of && unit < units; ++unit)
    inputs_[unit] = "\t" + describeInputs(inputs_of(unit), folder_);
  prepareFolder(folder_);
  file_.descriptor = open(manifest_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_.descriptor < 0)
    fail("cannot be opened");
  exclusively([this] { openManifest(); });
  forgetLostUnits();

  const Shard shard = sharing.shard.value_or(Shard());
  const auto begin_of = [&](int number) {
    return static_cast<int>(std::int64_t(units) * number / shard.count);
  };
  const auto add = [&](int unit) {
    if (states_[unit] != State::Done)
      missing_.push_back(unit);
  };
  for (int unit = begin_of(shard.number); unit < begin_of(shard.number + 1); ++unit)
    add(unit);
  for (int i = 1; i < shard.count; ++i) {
    const int other = (shard.number + i) % shard.count;
    for (int unit = begin_of(other + 1) - 1; unit >= begin_of(other); --unit)
      add(unit);
  }
}

SharedWork::File::~File()
{
  if (descriptor >= 0)
    close(descriptor);
}

const std::vector<int>&
SharedWork::missing() const
{
  return missing_;
}

bool
SharedWork::begin(int unit)
{
  const std::lock_guard<std::mutex> guard(mutex_);
  const bool is_open = states_[unit] == State::Missing || states_[unit] == State::Lost;
  if (!is_open || !lock(exclusive_byte + 1 + unit, false))
    return false;
  if (goes_on_) {
    readLines();
    std::vector<std::uint64_t> sizes;
    // A process may have died between the files and their line. Files get their names
    // when they are complete.
    if (states_[unit] == State::Missing && hasFiles(unit, sizes))
      record(unit, sizes);
  }
  if (states_[unit] != State::Done) {
    states_[unit] = State::Begun;
    return true;
  }
  unlock(exclusive_byte + 1 + unit);
  return false;
}

void
SharedWork::end(int unit)
{
  const std::lock_guard<std::mutex> guard(mutex_);
  std::vector<std::uint64_t> sizes;
  if (!hasFiles(unit, sizes))
    throw std::runtime_error(pathOf(files_(unit).front()) +
                             ": is gone: expected no other program to change " +
                             folder_);
  record(unit, sizes);
  unlock(exclusive_byte + 1 + unit);
}

void
SharedWork::exclusively(const std::function<void()>& action)
{
  const std::lock_guard<std::mutex> guard(mutex_);
  lock(exclusive_byte, true);
  try {
    action();
  }
  catch (...) {
    unlock(exclusive_byte);
    throw;
  }
  unlock(exclusive_byte);
}

bool
SharedWork::finish()
{
  bool all = false;
  exclusively([&] {
    readLines();
    all = std::all_of(states_.begin(), states_.end(), [](State state) {
      return state == State::Done;
    });
    if (!all)
      return;
    std::string text;
    for (const std::string& line : lines_)
      text += line;
    text += complete;
    writeAt(header_, text);
    if (ftruncate(file_.descriptor, header_ + static_cast<std::int64_t>(text.size())) !=
        0)
      fail("cannot be written");
    read_ = header_ + static_cast<std::int64_t>(text.size());
    std::set<std::string> folders;
    for (const std::string& file : files_(0))
      folders.insert(std::filesystem::path(pathOf(file)).parent_path().string());
    for (const std::string& folder : folders)
      removeUnfinished(folder);
  });
  return all;
}

bool
SharedWork::lock(std::int64_t byte, bool waits)
{
  // Locks of the open file: threads share them, and closing another descriptor of the
  // same file does not end them.
  struct flock request {};
  request.l_type = F_WRLCK;
  request.l_whence = SEEK_SET;
  request.l_start = byte;
  request.l_len = 1;
  while (fcntl(file_.descriptor, waits ? F_OFD_SETLKW : F_OFD_SETLK, &request) != 0) {
    if (!waits && (errno == EAGAIN || errno == EACCES))
      return false;
    if (errno != EINTR)
      fail("cannot be locked");
  }
  return true;
}

void
SharedWork::unlock(std::int64_t byte)
{
  struct flock request {};
  request.l_type = F_UNLCK;
  request.l_whence = SEEK_SET;
  request.l_start = byte;
  request.l_len = 1;
  fcntl(file_.descriptor, F_OFD_SETLK, &request);
}

void
SharedWork::openManifest()
{
  std::string header;
  for (const std::string& setting : settings_)
    header += printable(setting) + "\n";
  header += "\n";
  struct stat status {};
  if (fstat(file_.descriptor, &status) != 0)
    fail("cannot be read");
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  if (pread(file_.descriptor, text.data(), text.size(), 0) !=
      static_cast<ssize_t>(text.size()))
    fail("cannot be read");
  const std::size_t end = text.find("\n\n");
  // Without their end, the settings are those of a process that died.
  if (!goes_on_ || end == std::string::npos) {
    if (ftruncate(file_.descriptor, 0) != 0)
      fail("cannot be written");
    // Files that are older than the manifest are those of other settings. The header,
    // which makes the manifest valid, comes last.
    std::string lines;
    std::vector<std::uint64_t> sizes;
    for (int unit = 0; unit < static_cast<int>(states_.size()); ++unit)
      if (hasFiles(unit, sizes))
        lines += std::to_string(unit) + lost;
    writeAt(static_cast<std::int64_t>(header.size()), lines);
    writeAt(0, header);
  }
  else {
    std::istringstream stream(text.substr(0, end + 1));
    std::set<std::string> kept;
    for (std::string line; std::getline(stream, line);)
      kept.insert(line);
    const std::string expectation = ": expected the options and inputs of the run that "
                                    "goes on";
    for (const std::string& setting : settings_)
      if (kept.erase(printable(setting)) == 0)
        throw InputError(setting + ": is not in " + manifest_ + expectation);
    if (!kept.empty())
      throw InputError("no " + *kept.begin() + ", which is in " + manifest_ +
                       expectation);
    header = text.substr(0, end + 2);
  }
  header_ = read_ = static_cast<std::int64_t>(header.size());
  readLines();
}

void
SharedWork::forgetLostUnits()
{
  std::vector<int> units;
  for (int unit = 0; unit < static_cast<int>(states_.size()); ++unit)
    if (isLost(unit))
      units.push_back(unit);
  if (units.empty())
    return;
  exclusively([&] {
    // Another process may have made them again.
    readLines();
    std::string lines;
    for (const int unit : units)
      if (isLost(unit))
        lines += std::to_string(unit) + lost;
    append(lines);
    readLines();
  });
}

bool
SharedWork::isLost(int unit) const
{
  std::vector<std::uint64_t> sizes;
  return states_[unit] == State::Done &&
         !(hasFiles(unit, sizes) && lines_[unit] == lineOf(unit, sizes));
}

void
SharedWork::readLines()
{
  struct stat status {};
  if (fstat(file_.descriptor, &status) != 0)
    fail("cannot be read");
  // Another process may have brought the lines in order.
  std::string last(complete.size(), '\0');
  if (pread(file_.descriptor,
            last.data(),
            last.size(),
            status.st_size - static_cast<std::int64_t>(last.size())) > 0 &&
      last == complete)
    read_ = header_;
  if (status.st_size <= read_)
    return;
  std::string text(static_cast<std::size_t>(status.st_size - read_), '\0');
  const ssize_t count = pread(file_.descriptor, text.data(), text.size(), read_);
  if (count < 0)
    fail("cannot be read");
  text.resize(static_cast<std::size_t>(count));
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    const std::string line = text.substr(begin, end + 1 - begin);
    int unit = -1;
    if (std::sscanf(line.c_str(), "%d\t", &unit) != 1 || unit < 0 ||
        unit >= static_cast<int>(states_.size()) || line.size() < line_end.size() ||
        line.compare(line.size() - line_end.size(), line_end.size(), line_end) != 0)
      continue;
    const bool is_lost = line == std::to_string(unit) + lost;
    lines_[unit] = is_lost ? "" : line;
    states_[unit] = is_lost ? State::Lost : State::Done;
  }
  read_ += static_cast<std::int64_t>(begin);
}

bool
SharedWork::hasFiles(int unit, std::vector<std::uint64_t>& sizes) const
{
  sizes.clear();
  for (const std::string& file : files_(unit)) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(pathOf(file), error);
    if (error || size == 0)
      return false;
    sizes.push_back(size);
  }
  return true;
}

std::string
SharedWork::lineOf(int unit, const std::vector<std::uint64_t>& sizes) const
{
  const std::vector<std::string> files = files_(unit);
  std::string line = std::to_string(unit);
  for (std::size_t i = 0; i < files.size(); ++i)
    line += "\t" + std::to_string(sizes[i]) + "\t" + printable(files[i]);
  return line + inputs_[unit] + line_end;
}

std::string
SharedWork::pathOf(const std::string& file) const
{
  return (std::filesystem::path(folder_) / file).string();
}

void
SharedWork::record(int unit, const std::vector<std::uint64_t>& sizes)
{
  lock(exclusive_byte, true);
  lines_[unit] = lineOf(unit, sizes);
  append(lines_[unit]);
  states_[unit] = State::Done;
  unlock(exclusive_byte);
}

void
SharedWork::append(const std::string& lines)
{
  struct stat status {};
  if (fstat(file_.descriptor, &status) != 0)
    fail("cannot be read");
  // A process may have died within its line.
  char last = '\n';
  if (status.st_size > 0 && pread(file_.descriptor, &last, 1, status.st_size - 1) != 1)
    fail("cannot be read");
  writeAt(status.st_size, last == '\n' ? lines : "\n" + lines);
}

void
SharedWork::writeAt(std::int64_t place, const std::string& text)
{
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = pwrite(file_.descriptor,
                                 text.data() + done,
                                 text.size() - done,
                                 place + static_cast<std::int64_t>(done));
    if (count < 0 && errno != EINTR)
      fail("cannot be written");
    done += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
}

void
SharedWork::fail(const std::string& problem) const
{
  throw InputError(manifest_ + ": " + problem + ": " + std::strerror(errno));
}

int
makeUnits(int units,
          SharedWork* work,
          ProgressBar& progress,
          const std::function<std::optional<std::string>(int unit)>& make,
          const std::function<std::size_t(int unit)>& steps)
{
  std::vector<int> order(units);
  std::iota(order.begin(), order.end(), 0);
  const auto skip = [&](int unit) { progress.skip(steps ? steps(unit) : 1); };
  if (work) {
    std::vector<bool> is_missing(units, false);
    for (const int unit : work->missing())
      is_missing[unit] = true;
    for (const int unit : order)
      if (!is_missing[unit])
        skip(unit);
    order = work->missing();
  }
  int made = 0, unusable = 0;
  for (const int unit : order) {
    if (work && !work->begin(unit)) {
      skip(unit);
      continue;
    }
    std::optional<std::string> label;
    try {
      label = make(unit);
    }
    catch (const UnitError& error) {
      if (!work || units == 1)
        throw;
      progress.note(std::string(error.what()) + "; left out");
      ++unusable;
      continue;
    }
    if (!label)
      break;
    if (work)
      work->end(unit);
    if (!steps)
      progress.step(*label);
    ++made;
  }
  if (unusable > 0)
    throw InputError(std::to_string(unusable) + " of " + std::to_string(units) +
                     " inputs cannot be used: expected --resume when they are mended");
  return made;
}

} // namespace pcl::gpu::apps
