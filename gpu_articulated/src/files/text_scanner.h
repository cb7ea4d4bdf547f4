// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <string>

namespace pcl::gpu {

/** \brief Reads words and numbers of a text file, and knows the line it is at. */
class TextScanner {
public:
  /** \throws pcl::IOException if the file cannot be read */
  explicit TextScanner(const std::string& file);

  /** \brief Whether nothing but white space is left. */
  bool
  atEnd();

  /** \brief Line of the word read last, from 1. */
  int
  line() const;

  /** \brief The next word, without going on; empty at the end. Braces are words. */
  std::string
  peek();

  /** \brief Reads the next word.
   * \param[in] expected what the word should be, for the message
   * \throws pcl::IOException at the end of the file
   */
  std::string
  word(const std::string& expected);

  /** \brief Reads the next word, which must be this one; letters may be small or capital.
   * \throws pcl::IOException if it is another
   */
  void
  keyword(const std::string& expected);

  /** \brief Reads the next word if it is this one; letters may be small or capital. */
  bool
  skipKeyword(const std::string& wanted);

  /** \brief Reads what is left of the line, up to a brace, without white space around it.
   */
  std::string
  restOfLine();

  /** \brief Reads a finite number.
   * \param[in] expected what it means, for the message
   * \throws pcl::IOException if it is none
   */
  double
  number(const char* expected);

  /** \brief Reads a whole number from 0 to most.
   * \throws pcl::IOException if it is none
   */
  int
  count(const char* expected, int most);

  /** \brief Throws pcl::IOException "<file>, line <line>: <problem>: expected <expected>".
   */
  [[noreturn]] void
  fail(const std::string& problem, const std::string& expected) const;

  /** \brief The same for another line. */
  [[noreturn]] void
  failAt(int line, const std::string& problem, const std::string& expected) const;

  /** \brief The same: "there is '<next word>'", or that the file ends. */
  [[noreturn]] void
  failAtNext(const std::string& expected);

private:
  void
  skipSpace();

  std::string file_;
  std::string text_;
  std::size_t place_ = 0;
  int line_ = 1;      ///< where place_ is
  int word_line_ = 1; ///< of the word read last
};

/** \brief Whether two words are the same but for small and capital letters (of ASCII). */
bool
sameWord(const std::string& a, const std::string& b);

} // namespace pcl::gpu
