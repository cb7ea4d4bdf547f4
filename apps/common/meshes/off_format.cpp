// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "mesh_formats.h"

#include <pcl/gpu/utils/internal/text_reader.h>

#include <algorithm>
#include <array>
#include <utility>

namespace pcl::gpu::apps {

namespace {

/** \brief Reads an Object File Format file: text with three coordinates a vertex. */
class OffReader {
public:
  explicit OffReader(std::string_view bytes) : text_(bytes) {}

  MeshData
  read()
  {
    readHeader();
    const auto vertices = readInteger(firstWord(), "a number of vertices");
    const auto faces = readInteger(word(), "a number of faces");
    // The number of edges, which nobody uses, may be missing.
    text_.restOfLine();
    // Each vertex and each face takes several bytes.
    mesh_.positions.reserve(std::min(vertices, text_.rest().size()));
    for (std::size_t i = 0; i < vertices; ++i)
      readVertex();
    for (std::size_t i = 0; i < faces; ++i)
      readFace();
    if (const auto next = firstWord(); !next.empty())
      text_.fail(TextReader::quoted(next), "the end of the file behind the last face");
    scaleColors(mesh_);
    return std::move(mesh_);
  }

private:
  /** \brief Reads the keyword, which may be missing: OFF with letters for normals (N),
   * colours (C) and texture coordinates (ST). */
  void
  readHeader()
  {
    const TextReader start = text_;
    std::string_view keyword = firstWord();
    if (!keyword.empty() && keyword[0] >= '0' && keyword[0] <= '9') {
      text_ = start;
      return;
    }
    const std::string_view name = keyword;
    const auto skip = [&](std::string_view letters) {
      const bool found = keyword.substr(0, letters.size()) == letters;
      keyword.remove_prefix(found ? letters.size() : 0);
      return found;
    };
    skip("ST");
    has_colors_ = skip("C");
    has_normals_ = skip("N");
    if (keyword != "OFF")
      text_.fail(TextReader::quoted(name), "OFF, COFF, NOFF, CNOFF or with ST");
  }

  /** \brief Reads the next word of a line; empty at its end or a comment. */
  std::string_view
  word()
  {
    const std::string_view word =
        is_at_comment_ ? std::string_view() : text_.wordOfLine();
    is_at_comment_ = is_at_comment_ || (!word.empty() && word[0] == '#');
    return is_at_comment_ ? std::string_view() : word;
  }

  /** \brief Reads the first word of the next line that has any; empty at the end. */
  std::string_view
  firstWord()
  {
    for (;;) {
      is_at_comment_ = false;
      const std::string_view first = word();
      if (!first.empty() || text_.atEnd())
        return first;
      text_.restOfLine();
    }
  }

  std::size_t
  readInteger(std::string_view word, const char* meaning) const
  {
    return static_cast<std::size_t>(text_.integerIn<int>(word, meaning));
  }

  float
  readNumber(std::string_view word) const
  {
    return toFloat(text_.numberIn(word, "a number"));
  }

  std::array<float, 3>
  readVector(std::string_view first)
  {
    std::array<float, 3> vector{};
    vector[0] = readNumber(first);
    vector[1] = readNumber(word());
    vector[2] = readNumber(word());
    return vector;
  }

  void
  readVertex()
  {
    mesh_.positions.push_back(readVector(firstWord()));
    if (has_normals_)
      mesh_.normals.push_back(readVector(word()));
    if (has_colors_) {
      const std::array<float, 3> color = readVector(word());
      const std::string_view alpha = word();
      mesh_.colors.push_back(
          {color[0], color[1], color[2], alpha.empty() ? 1.0f : readNumber(alpha)});
    }
    text_.restOfLine();
  }

  void
  readFace()
  {
    const std::size_t corners = readInteger(firstWord(), "a number of corners");
    Indices face;
    face.reserve(std::min(corners, text_.rest().size()));
    for (std::size_t i = 0; i < corners; ++i)
      face.push_back(text_.integerIn<index_t>(word(), "the number of a vertex"));
    mesh_.addPolygon(std::move(face));
    text_.restOfLine(); // may have a colour
  }

  TextReader text_;
  MeshData mesh_;
  bool has_colors_ = false;
  bool has_normals_ = false;
  bool is_at_comment_ = false;
};

} // namespace

MeshData
readOff(std::string_view bytes)
{
  return OffReader(bytes).read();
}

} // namespace pcl::gpu::apps
