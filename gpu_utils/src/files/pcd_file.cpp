// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/utils/internal/exception_message.h>
#include <pcl/gpu/utils/internal/pcd_file.h>
#include <pcl/gpu/utils/internal/text_file.h>
#include <pcl/gpu/utils/internal/text_reader.h>

#include <pcl/common/io.h>
#include <pcl/exceptions.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace pcl::gpu {

namespace {

const char* const expectation = "a PCD file";

enum class PcdData { Text, Binary, Compressed };

[[noreturn]] void
fail(const std::string& problem)
{
  PCL_THROW_EXCEPTION(IOException, problem);
}

/** \brief Returns the size of one number of a field, bytes. */
std::size_t
sizeOf(const PCLPointField& field)
{
  return static_cast<std::size_t>(getFieldSize(field.datatype));
}

/** \brief Reads a header, up to and with the line DATA. */
class HeaderReader {
public:
  /** \param[in] bytes of the file from its start, at least the header */
  explicit HeaderReader(std::string_view bytes) : text_(bytes) {}

  void
  read()
  {
    while (!text_.atEnd()) {
      const std::string_view name = text_.wordOfLine();
      readLine(name);
      text_.restOfLine();
      if (name == "DATA") {
        finish();
        return;
      }
    }
    fail("has no line DATA");
  }

  PcdFile file;
  PcdData data = PcdData::Text;

  /** \brief The file, of which the header is read. */
  const TextReader&
  text() const
  {
    return text_;
  }

private:
  void
  readLine(std::string_view name)
  {
    if (name == "FIELDS" || name == "COLUMNS")
      for (std::string_view word = next(); !word.empty(); word = next()) {
        file.cloud.fields.emplace_back();
        file.cloud.fields.back().name = word;
      }
    else if (name == "SIZE")
      readIntegers(sizes_, 8);
    else if (name == "TYPE")
      for (std::string_view word = next(); !word.empty(); word = next())
        types_.push_back(word.size() == 1 ? word[0] : '?');
    else if (name == "COUNT")
      readIntegers(counts_, std::numeric_limits<std::int32_t>::max());
    else if (name == "WIDTH")
      width_ = readInteger<std::uint32_t>("a number of columns");
    else if (name == "HEIGHT")
      height_ = readInteger<std::uint32_t>("a number of rows");
    else if (name == "POINTS")
      points_ = readInteger<std::uint32_t>("a number of points");
    else if (name == "VIEWPOINT")
      readViewpoint();
    else if (name == "DATA")
      readKind();
  }

  std::string_view
  next()
  {
    return text_.wordOfLine();
  }

  template <typename Integer>
  std::int64_t
  readInteger(const char* meaning)
  {
    return text_.integerIn<Integer>(next(), meaning);
  }

  void
  readIntegers(std::vector<int>& values, int most)
  {
    for (std::string_view word = next(); !word.empty(); word = next())
      values.push_back(text_.integerIn<int>(word, "a whole number above 0", 1, most));
  }

  void
  readViewpoint()
  {
    float numbers[7];
    for (float& number : numbers)
      number = toFloat(text_.numberIn(next(), "tx ty tz qw qx qy qz"));
    file.origin << numbers[0], numbers[1], numbers[2], 0.0f;
    file.orientation =
        Eigen::Quaternionf(numbers[3], numbers[4], numbers[5], numbers[6]);
  }

  void
  readKind()
  {
    const std::string_view word = next();
    if (word == "ascii")
      data = PcdData::Text;
    else if (word == "binary")
      data = PcdData::Binary;
    else if (word == "binary_compressed")
      data = PcdData::Compressed;
    else
      text_.fail(TextReader::quoted(word), "ascii, binary or binary_compressed");
  }

  /** \brief Checks that lines agree, and fills in those that are missing. */
  void
  finish()
  {
    PCLPointCloud2& cloud = file.cloud;
    const std::size_t fields = cloud.fields.size();
    if (fields == 0)
      fail("has no FIELDS: expected the names of a point's values");
    // Old files have fields of one float each.
    if (sizes_.empty() && types_.empty()) {
      sizes_.assign(fields, 4);
      types_.assign(fields, 'F');
    }
    if (counts_.empty())
      counts_.assign(fields, 1);
    if (sizes_.size() != fields || types_.size() != fields || counts_.size() != fields)
      fail("SIZE, TYPE or COUNT do not have one value for each of the " +
           std::to_string(fields) + " FIELDS");
    std::uint64_t step = 0;
    constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();
    for (std::size_t i = 0; i < fields; ++i) {
      PCLPointField& field = cloud.fields[i];
      const int type = getFieldType(sizes_[i], types_[i]);
      if (type < 0)
        fail("field " + TextReader::quoted(field.name) +
             " has no valid TYPE and SIZE: expected I, U or F of 1, 2, 4 or 8 bytes");
      field.datatype = static_cast<std::uint8_t>(type);
      field.count = counts_[i];
      field.offset = static_cast<std::uint32_t>(step);
      step += std::uint64_t(counts_[i]) * sizes_[i];
      if (step > most)
        fail("COUNT is too large: expected points of fewer than 2^31 bytes");
    }
    setSize(static_cast<std::uint32_t>(step));
  }

  void
  setSize(std::uint32_t step)
  {
    if (points_ < 0 && width_ < 0)
      fail("has neither POINTS nor WIDTH");
    if (width_ < 0 && height_ >= 0)
      fail("has HEIGHT but no WIDTH");
    const bool is_row = width_ < 0 || (width_ == 0 && height_ <= 0);
    const std::uint64_t width = is_row && points_ >= 0 ? points_ : width_;
    const std::uint64_t height = is_row || height_ <= 0 ? 1 : height_;
    const std::uint64_t points = width * height;
    if (points_ >= 0 && points != std::uint64_t(points_))
      fail("WIDTH x HEIGHT is " + std::to_string(points) + " and POINTS " +
           std::to_string(points_) + ": expected the same number");
    // PCL counts points and bytes in 32 bits.
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    if (points > most || points * step > most)
      fail("has " + std::to_string(points) + " points of " + std::to_string(step) +
           " bytes: expected less than 4 GiB");
    PCLPointCloud2& cloud = file.cloud;
    cloud.width = static_cast<std::uint32_t>(width);
    cloud.height = static_cast<std::uint32_t>(height);
    cloud.point_step = step;
    cloud.row_step = step * cloud.width;
  }

  TextReader text_;
  std::vector<int> sizes_, counts_;
  std::vector<char> types_;
  std::int64_t width_ = -1, height_ = -1, points_ = -1; ///< -1: not in the file
};

std::size_t
pointCount(const PCLPointCloud2& cloud)
{
  return static_cast<std::size_t>(cloud.width) * cloud.height;
}

void
failShort(std::size_t bytes, std::uint64_t wanted)
{
  fail("is truncated, or its header damaged: has " + std::to_string(bytes) +
       " bytes of points: expected " + std::to_string(wanted));
}

/** \brief Checks that nothing but padding follows the points. */
void
checkPadding(std::string_view rest)
{
  if (!isPadding(rest))
    fail("has more points than its header says");
}

template <typename Number>
void
store(Number number, std::uint8_t* place)
{
  std::memcpy(place, &number, sizeof number);
}

/** \brief Stores a number in words as an integer of up to 32 bits; it may be written
 * as 3.0. */
template <typename Integer>
void
storeInteger(const TextReader& text, std::string_view word, std::uint8_t* place)
{
  const double number = text.numberIn(word, "a number");
  if (!(number >= std::numeric_limits<Integer>::min() &&
        number <= std::numeric_limits<Integer>::max()))
    text.fail(TextReader::quoted(word), "a number within the range of its type");
  store(static_cast<Integer>(number), place);
}

void
storeWord(const TextReader& text,
          std::string_view word,
          std::uint8_t type,
          std::uint8_t* place)
{
  switch (type) {
  case PCLPointField::INT8:
    return storeInteger<std::int8_t>(text, word, place);
  case PCLPointField::BOOL:
  case PCLPointField::UINT8:
    return storeInteger<std::uint8_t>(text, word, place);
  case PCLPointField::INT16:
    return storeInteger<std::int16_t>(text, word, place);
  case PCLPointField::UINT16:
    return storeInteger<std::uint16_t>(text, word, place);
  case PCLPointField::INT32:
    return storeInteger<std::int32_t>(text, word, place);
  case PCLPointField::UINT32:
    return storeInteger<std::uint32_t>(text, word, place);
  case PCLPointField::INT64:
    return store(text.integerIn<std::int64_t>(
                     word, "a whole number", std::numeric_limits<std::int64_t>::min()),
                 place);
  case PCLPointField::UINT64:
    return store(text.integerIn<std::uint64_t>(word, "a whole number"), place);
  case PCLPointField::FLOAT32:
    return store(toFloat(text.numberIn(word, "a number")), place);
  default:
    return store(text.numberIn(word, "a number"), place);
  }
}

/** \brief Reads points that are lines of numbers. */
void
readText(HeaderReader& header)
{
  PCLPointCloud2& cloud = header.file.cloud;
  TextReader text = header.text();
  const std::size_t size = text.rest().size();
  const std::uint64_t points = pointCount(cloud);
  std::uint64_t words = 0;
  for (const PCLPointField& field : cloud.fields)
    words += field.count;
  // Each number has two bytes or more with its blank, but the last may have one.
  if (points > 0 && (words > size || 2 * points * words > size + 1))
    failShort(size, 2 * points * words);
  cloud.data.resize(points * cloud.point_step);
  std::uint8_t* place = cloud.data.data();
  for (std::uint64_t point = 0; point < points; ++point) {
    // The first word may lie behind empty lines, all others are on its line.
    std::string_view word = text.word();
    for (const PCLPointField& field : cloud.fields) {
      for (std::uint32_t i = 0; i < field.count; ++i, place += sizeOf(field)) {
        // The values of padding mean nothing.
        if (field.name != "_" || word.empty())
          storeWord(text, word, field.datatype, place);
        word = text.wordOfLine();
      }
    }
    if (!word.empty())
      text.fail(TextReader::quoted(word), "a point's values only");
  }
  checkPadding(text.rest());
}

/** \brief Decompresses data of LZF, as LibLZF and PCL write them.
 * \param[in] packed the data
 * \param[in] size expected of the result
 */
std::vector<std::uint8_t>
unpackLzf(std::string_view packed, std::size_t size)
{
  std::vector<std::uint8_t> result;
  // Three bytes become at most 264.
  if (size / 88 > packed.size())
    fail("has damaged compressed points");
  result.reserve(size);
  const auto* const in = reinterpret_cast<const std::uint8_t*>(packed.data());
  for (std::size_t i = 0; i < packed.size();) {
    const unsigned int control = in[i++];
    if (control < 32) {
      const std::size_t length = control + 1;
      if (length > packed.size() - i || length > size - result.size())
        fail("has damaged compressed points");
      result.insert(result.end(), in + i, in + i + length);
      i += length;
      continue;
    }
    std::size_t length = (control >> 5) + 2;
    std::size_t distance = ((control & 31) << 8) + 1;
    const bool is_long = length == 9;
    if (packed.size() - i < 1u + is_long)
      fail("has damaged compressed points");
    if (is_long)
      length += in[i++];
    distance += in[i++];
    if (distance > result.size() || length > size - result.size())
      fail("has damaged compressed points");
    for (; length > 0; --length)
      result.push_back(result[result.size() - distance]);
  }
  if (result.size() != size)
    fail("has damaged compressed points");
  return result;
}

/** \brief Reads points that were compressed, field by field. */
void
readCompressed(HeaderReader& header)
{
  PCLPointCloud2& cloud = header.file.cloud;
  const std::string_view rest = header.text().rest();
  std::uint32_t sizes[2];
  if (rest.size() < sizeof sizes)
    failShort(rest.size(), sizeof sizes);
  std::memcpy(sizes, rest.data(), sizeof sizes);
  const std::string_view packed = rest.substr(sizeof sizes, sizes[0]);
  if (packed.size() < sizes[0])
    failShort(rest.size(), sizeof sizes + std::uint64_t(sizes[0]));
  const std::uint64_t points = pointCount(cloud);
  // PCL leaves out padding, other programs write it.
  std::uint64_t padding = 0;
  for (const PCLPointField& field : cloud.fields)
    if (field.name == "_")
      padding += std::uint64_t(field.count) * sizeOf(field);
  const bool is_padded = sizes[1] == points * cloud.point_step;
  if (!is_padded && sizes[1] != points * (cloud.point_step - padding))
    fail("has " + std::to_string(sizes[1]) + " bytes of points: expected " +
         std::to_string(points * cloud.point_step));
  checkPadding(rest.substr(sizeof sizes + sizes[0]));
  const std::vector<std::uint8_t> columns = unpackLzf(packed, sizes[1]);
  cloud.data.resize(points * cloud.point_step);
  const std::uint8_t* from = columns.data();
  for (const PCLPointField& field : cloud.fields) {
    if (!is_padded && field.name == "_")
      continue;
    const std::size_t size = field.count * sizeOf(field);
    for (std::uint64_t i = 0; i < points; ++i, from += size)
      std::memcpy(&cloud.data[i * cloud.point_step + field.offset], from, size);
  }
}

void
readBinary(HeaderReader& header)
{
  PCLPointCloud2& cloud = header.file.cloud;
  const std::string_view rest = header.text().rest();
  const std::uint64_t size = std::uint64_t(pointCount(cloud)) * cloud.point_step;
  if (rest.size() < size)
    failShort(rest.size(), size);
  checkPadding(rest.substr(size));
  cloud.data.assign(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(size));
}

template <typename Number>
bool
isFinite(const std::uint8_t* place)
{
  Number number;
  std::memcpy(&number, place, sizeof number);
  return std::isfinite(number);
}

/** \brief Returns whether all numbers of a cloud are finite. */
bool
isDense(const PCLPointCloud2& cloud)
{
  for (const PCLPointField& field : cloud.fields) {
    const bool is_float = field.datatype == PCLPointField::FLOAT32;
    if ((!is_float && field.datatype != PCLPointField::FLOAT64) || field.name == "_")
      continue;
    for (std::size_t i = 0; i < pointCount(cloud); ++i) {
      const std::uint8_t* const place =
          &cloud.data[i * cloud.point_step + field.offset];
      for (std::uint32_t c = 0; c < field.count; ++c)
        if (!(is_float ? isFinite<float>(place + c * sizeof(float))
                       : isFinite<double>(place + c * sizeof(double))))
          return false;
    }
  }
  return true;
}

/** \brief Names the file in the errors of a function. */
template <typename Read>
PcdFile
namingFile(const std::string& file, const Read& read)
{
  try {
    return read();
  }
  catch (const IOException& error) {
    PCL_THROW_EXCEPTION(IOException,
                        file << ": cannot be read as PCD: " << messageOf(error));
  }
}

} // namespace

PcdFile
parsePcd(std::string_view bytes)
{
  HeaderReader header(bytes);
  header.read();
  if (header.data == PcdData::Text)
    readText(header);
  else if (header.data == PcdData::Binary)
    readBinary(header);
  else
    readCompressed(header);
  header.file.cloud.is_dense = isDense(header.file.cloud);
  return std::move(header.file);
}

PcdFile
readPcdFile(const std::string& file)
{
  const std::string bytes = readFileBytes(file, expectation);
  return namingFile(file, [&] { return parsePcd(bytes); });
}

PcdFile
readPcdHeader(const std::string& file)
{
  constexpr std::size_t longest_header = 65536;
  const std::string bytes = readFileBytes(file, expectation, longest_header);
  return namingFile(file, [&] {
    HeaderReader header(bytes);
    header.read();
    return std::move(header.file);
  });
}

} // namespace pcl::gpu
