// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/internal/text_reader.h>
#include <pcl/types.h>

#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Types of the numbers in binary files. */
enum class NumberType {
  Int8,
  UInt8,
  Int16,
  UInt16,
  Int32,
  UInt32,
  Int64,
  UInt64,
  Float32,
  Float64
};

/** \brief Returns the size of a number, bytes. */
std::size_t
sizeOf(NumberType type);

bool
isFloat(NumberType type);

/** \brief Ways to write numbers. */
enum class NumberEncoding { Text, LittleEndian, BigEndian };

/** \brief Returns the index that a number is.
 * \throws pcl::IOException if it is none
 */
index_t
toIndex(double number);

/** \brief Reads the numbers of files that are text or binary. */
class NumberSource {
public:
  /** \param[in] bytes of the file, which outlive the object */
  explicit NumberSource(std::string_view bytes) : text_(bytes) {}

  /** \brief The words between the numbers. */
  TextReader&
  text()
  {
    return text_;
  }

  const TextReader&
  text() const
  {
    return text_;
  }

  void
  setEncoding(NumberEncoding encoding)
  {
    encoding_ = encoding;
  }

  bool
  isBinary() const
  {
    return encoding_ != NumberEncoding::Text;
  }

  /** \brief Reads a number. Integers of 64 bits above 2^53 are rounded.
   * \throws pcl::IOException if there is none
   */
  double
  next(NumberType type);

  /** \brief Reads some numbers. Allocates no memory for more than the file can have.
   * \param[in] count any number
   * \param[out] numbers receives them
   * \throws pcl::IOException if there are fewer
   */
  void
  read(std::size_t count, NumberType type, std::vector<double>& numbers);

  /** \brief Reads a whole number.
   * \param[in] meaning for the message
   * \throws pcl::IOException if it is beyond the range of the integer
   */
  template <typename Integer>
  Integer
  nextInteger(NumberType type, const char* meaning)
  {
    const double number = next(type);
    if (!(number >= static_cast<double>(std::numeric_limits<Integer>::min()) &&
          number <= static_cast<double>(std::numeric_limits<Integer>::max())) ||
        number != static_cast<double>(static_cast<Integer>(number)))
      PCL_THROW_EXCEPTION(IOException,
                          meaning << " is " << number << ": expected another number");
    return static_cast<Integer>(number);
  }

  /** \brief Checks that the file is large enough for some numbers, before memory is
   * allocated for them.
   * \throws pcl::IOException if it is not
   */
  void
  checkLeft(std::size_t count, NumberType type) const;

  /** \brief Checks that all is read but for blanks, line ends and zeros.
   * \throws pcl::IOException otherwise
   */
  void
  checkEnd() const;

private:
  TextReader text_;
  NumberEncoding encoding_ = NumberEncoding::Text;
};

} // namespace pcl::gpu::apps
