// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/exceptions.h>
#include <pcl/gpu/utils/internal/number_text.h>
#include <pcl/gpu/utils/internal/text_file.h>

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>

namespace pcl::gpu {

/** \brief Reads the lines, words and numbers of a text, the same in every locale.
 *
 * Lines end in "\n", "\r\n" or "\r"; the last one may lack its end. Blanks, tabs and
 * line ends separate words. A byte order mark of UTF-8 at the start is skipped.
 */
class TextReader {
public:
  /** \param[in] text outlives the object and all words */
  explicit TextReader(std::string_view text) : text_(withoutByteOrderMark(text)) {}

  /** \brief Returns whether all is read. */
  bool
  atEnd() const
  {
    return place_ == text_.size();
  }

  /** \brief Returns all that is not read yet. */
  std::string_view
  rest() const
  {
    return text_.substr(place_);
  }

  /** \brief Skips bytes.
   * \param[in] bytes at most the size of rest()
   */
  void
  skip(std::size_t bytes)
  {
    place_ += bytes;
  }

  /** \brief Reads the rest of the line with its end. */
  std::string_view
  restOfLine()
  {
    const std::size_t begin = place_;
    place_ = std::min(text_.find_first_of("\r\n", place_), text_.size());
    const std::string_view line = text_.substr(begin, place_ - begin);
    if (text_.substr(place_, 2) == "\r\n")
      ++place_;
    if (place_ < text_.size())
      ++place_;
    return line;
  }

  /** \brief Reads the next word of the line; it is empty at the end of the line, which
   * is not read. */
  std::string_view
  wordOfLine()
  {
    return wordAfter(" \t\v\f");
  }

  /** \brief Reads the next word of this line or a later one; it is empty at the end of
   * the text. */
  std::string_view
  word()
  {
    return wordAfter(" \t\v\f\r\n");
  }

  /** \brief Reads the word() that comes next and returns it in small letters. */
  std::string
  keyword()
  {
    std::string lower(word());
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) {
      return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    });
    return lower;
  }

  /** \brief Returns the number that a word is.
   * \param[in] word the last word that was read
   * \param[in] meaning of the number, for the message
   * \throws pcl::IOException if it is none
   */
  double
  numberIn(std::string_view word, const char* meaning) const
  {
    const auto number = numberOf<double>(word);
    if (!number)
      fail(quoted(word), meaning);
    return *number;
  }

  /** \brief Returns the whole number that a word is, from least to most.
   * \param[in] word the last word that was read
   * \param[in] meaning of the number, for the message
   * \throws pcl::IOException if it is none
   */
  template <typename Integer>
  Integer
  integerIn(std::string_view word,
            const char* meaning,
            Integer least = 0,
            Integer most = std::numeric_limits<Integer>::max()) const
  {
    const auto number = numberOf<Integer>(word);
    if (!number || *number < least || *number > most)
      fail(quoted(word), meaning);
    return *number;
  }

  /** \brief Throws pcl::IOException "line <number>: <problem>: expected <expectation>"
   * about the line of the last word. */
  [[noreturn]] void
  fail(const std::string& problem, const std::string& expectation) const
  {
    int line = 1;
    for (std::size_t i = 0; i < word_place_; ++i)
      line += text_[i] == '\n' ||
              (text_[i] == '\r' && !(i + 1 < text_.size() && text_[i + 1] == '\n'));
    PCL_THROW_EXCEPTION(IOException,
                        "line " << line << ": " << problem << ": expected "
                                << expectation);
  }

  /** \brief Returns a word for a message: quoted, short, and printable. */
  static std::string
  quoted(std::string_view word)
  {
    if (word.empty())
      return "ends early";
    constexpr std::size_t longest = 40;
    std::string text = "\"" + std::string(word.substr(0, longest)) + "\"";
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return text;
  }

private:
  std::string_view
  wordAfter(std::string_view separators)
  {
    place_ = std::min(text_.find_first_not_of(separators, place_), text_.size());
    word_place_ = place_;
    place_ = std::min(text_.find_first_of(" \t\v\f\r\n", place_), text_.size());
    return text_.substr(word_place_, place_ - word_place_);
  }

  std::string_view text_;
  std::size_t place_ = 0;
  std::size_t word_place_ = 0; ///< begin of the last word
};

/** \brief Returns whether bytes are blanks, line ends and zeros, which may follow the
 * data of a file. */
inline bool
isPadding(std::string_view bytes)
{
  constexpr std::string_view padding("\0 \t\r\n", 5);
  return bytes.find_first_not_of(padding) == bytes.npos;
}

/** \brief Rounds to single precision; numbers beyond its range become infinite. */
inline float
toFloat(double number)
{
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float most = std::numeric_limits<float>::max();
  if (number > most)
    return infinity;
  return number < -most ? -infinity : static_cast<float>(number);
}

} // namespace pcl::gpu
