// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "text_scanner.h"

#include "text_file.h"

#include <pcl/gpu/utils/internal/number_text.h>

#include <pcl/exceptions.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

namespace {

bool
isSpace(char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool
isBrace(char c)
{
  return c == '{' || c == '}';
}

char
small(char c)
{
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/** \brief A word of the file for a message: garbage may be long. */
std::string
quoted(const std::string& word)
{
  if (word.empty())
    return "the file ends";
  constexpr std::size_t longest = 40;
  return "there is '" +
         (word.size() > longest ? word.substr(0, longest) + "...'" : word + "'");
}

} // namespace

TextScanner::TextScanner(const std::string& file)
: file_(file)
, text_(readTextFile(file))
{}

void
TextScanner::skipSpace()
{
  for (; place_ < text_.size() && isSpace(text_[place_]); ++place_)
    if (text_[place_] == '\n')
      ++line_;
}

bool
TextScanner::atEnd()
{
  skipSpace();
  return place_ == text_.size();
}

int
TextScanner::line() const
{
  return word_line_;
}

std::string
TextScanner::peek()
{
  skipSpace();
  word_line_ = line_;
  std::size_t end = place_;
  if (end < text_.size() && isBrace(text_[end]))
    return std::string(1, text_[end]);
  while (end < text_.size() && !isSpace(text_[end]) && !isBrace(text_[end]))
    ++end;
  return text_.substr(place_, end - place_);
}

std::string
TextScanner::word(const std::string& expected)
{
  const std::string result = peek();
  if (result.empty())
    fail(quoted(result), expected);
  place_ += result.size();
  return result;
}

void
TextScanner::keyword(const std::string& expected)
{
  if (!skipKeyword(expected))
    failAtNext(expected);
}

bool
TextScanner::skipKeyword(const std::string& wanted)
{
  const std::string found = peek();
  if (!sameWord(found, wanted))
    return false;
  place_ += found.size();
  return true;
}

std::string
TextScanner::restOfLine()
{
  word_line_ = line_;
  const auto begin = text_.begin() + static_cast<std::ptrdiff_t>(place_);
  const auto end = std::find_if(
      begin, text_.end(), [](char c) { return c == '\n' || c == '\r' || isBrace(c); });
  place_ += static_cast<std::size_t>(end - begin);
  std::string rest(begin, end);
  while (!rest.empty() && isSpace(rest.back()))
    rest.pop_back();
  rest.erase(rest.begin(), std::find_if_not(rest.begin(), rest.end(), isSpace));
  return rest;
}

double
TextScanner::number(const char* expected)
{
  const std::string found = word(expected);
  const auto value = numberOf<double>(found);
  if (!value || !std::isfinite(*value))
    fail(quoted(found), expected);
  return *value;
}

int
TextScanner::count(const char* expected, int most)
{
  const std::string found = word(expected);
  const auto value = numberOf<int>(found);
  if (!value || *value < 0 || *value > most || found[0] == '+')
    fail(quoted(found), expected);
  return *value;
}

void
TextScanner::fail(const std::string& problem, const std::string& expected) const
{
  failAt(word_line_, problem, expected);
}

void
TextScanner::failAt(int line,
                    const std::string& problem,
                    const std::string& expected) const
{
  PCL_THROW_EXCEPTION(IOException,
                      file_ << ", line " << line << ": " << problem << ": expected "
                            << expected);
}

void
TextScanner::failAtNext(const std::string& expected)
{
  fail(quoted(peek()), expected);
}

bool
sameWord(const std::string& a, const std::string& b)
{
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return small(x) == small(y);
  });
}

} // namespace pcl::gpu
