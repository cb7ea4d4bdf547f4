// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "mesh_formats.h"

#include <pcl/gpu/utils/internal/text_reader.h>

#include <array>
#include <cstdint>
#include <limits>
#include <utility>

namespace pcl::gpu::apps {

namespace {

/** \brief Reads a Wavefront OBJ file: its vertices, with colours, and its faces. All
 * other statements are skipped. */
class ObjReader {
public:
  explicit ObjReader(std::string_view bytes) : text_(bytes) {}

  MeshData
  read()
  {
    while (!text_.atEnd()) {
      is_at_comment_ = false;
      const std::string_view statement = word();
      if (statement == "v")
        readVertex();
      else if (statement == "f" || statement == "fo")
        readFace();
      text_.restOfLine();
    }
    scaleColors(mesh_);
    return std::move(mesh_);
  }

private:
  /** \brief Reads the next word of a statement. A backslash continues the statement on
   * the next line, a comment ends it. */
  std::string_view
  word()
  {
    while (!is_at_comment_) {
      std::string_view word = text_.wordOfLine();
      const std::size_t comment = word.find('#');
      is_at_comment_ = comment != word.npos;
      word = word.substr(0, comment);
      if (word.empty() || word.back() != '\\')
        return word;
      word.remove_suffix(1);
      if (const auto behind = text_.wordOfLine(); !behind.empty())
        text_.fail(TextReader::quoted(behind), "a line end behind a backslash");
      text_.restOfLine();
      if (!word.empty())
        return word;
    }
    return {};
  }

  void
  readVertex()
  {
    // x y z, x y z w, or x y z red green blue and maybe alpha.
    std::array<float, 7> numbers{};
    std::size_t count = 0;
    for (std::string_view next = word(); !next.empty(); next = word()) {
      if (count == numbers.size())
        text_.fail("vertex of 8 numbers or more", "x y z");
      numbers[count++] = toFloat(text_.numberIn(next, "a coordinate"));
    }
    if (count < 3)
      text_.fail("vertex of " + std::to_string(count) + " numbers", "x y z");
    mesh_.positions.push_back({numbers[0], numbers[1], numbers[2]});
    const bool has_color = count >= 6;
    if (has_color && mesh_.colors.empty())
      mesh_.colors.resize(mesh_.positions.size() - 1, white);
    if (has_color)
      mesh_.colors.push_back({numbers[3], numbers[4], numbers[5], 1.0f});
    else if (!mesh_.colors.empty())
      mesh_.colors.push_back(white);
  }

  void
  readFace()
  {
    Indices face;
    for (std::string_view next = word(); !next.empty(); next = word())
      face.push_back(vertexOf(next));
    if (face.size() < 3)
      text_.fail("face of " + std::to_string(face.size()) + " corners", "3 or more");
    mesh_.addPolygon(std::move(face));
  }

  /** \brief Returns the vertex of a corner: v, v/vt, v//vn or v/vt/vn, where vt and vn
   * may be missing. */
  index_t
  vertexOf(std::string_view corner) const
  {
    constexpr int most = std::numeric_limits<int>::max();
    const char* const meaning = "a corner v, v/vt, v//vn or v/vt/vn";
    const std::size_t slash = corner.find('/');
    const int number =
        text_.integerIn<int>(corner.substr(0, slash), meaning, -most, most);
    if (slash != corner.npos) {
      const std::string_view others = corner.substr(slash + 1);
      const std::size_t next = others.find('/');
      const std::string_view normal =
          next == others.npos ? std::string_view() : others.substr(next + 1);
      for (const std::string_view other : {others.substr(0, next), normal})
        if (!other.empty())
          text_.integerIn<int>(other, meaning, -most, most);
    }
    // From 1, or backwards from -1, which is the last vertex so far.
    const auto vertices = static_cast<std::int64_t>(mesh_.positions.size());
    const std::int64_t index = number < 0 ? vertices + number : number - 1;
    if (index < 0)
      text_.fail(TextReader::quoted(corner),
                 "the number of a vertex, from 1, or from -1");
    return static_cast<index_t>(index);
  }

  static constexpr std::array<float, 4> white = {1.0f, 1.0f, 1.0f, 1.0f};

  TextReader text_;
  MeshData mesh_;
  bool is_at_comment_ = false;
};

} // namespace

MeshData
readObj(std::string_view bytes)
{
  return ObjReader(bytes).read();
}

} // namespace pcl::gpu::apps
