// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "mesh_formats.h"

#include <pcl/gpu/utils/internal/text_reader.h>

#include <boost/functional/hash.hpp>

#include <cstdint>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace pcl::gpu::apps {

namespace {

constexpr std::size_t header_size = 84; // with the number of triangles
constexpr std::size_t triangle_size = 50;

/** \brief Collects triangles whose corners are points. Equal points become one vertex,
 * in the order of their first occurrence. */
class PointMerger {
public:
  index_t
  vertexAt(const std::array<float, 3>& point)
  {
    Bits bits;
    for (std::size_t i = 0; i < bits.size(); ++i) {
      const float number = point[i] + 0.0f; // -0 becomes 0
      std::memcpy(&bits[i], &number, sizeof number);
    }
    const auto [found, is_new] =
        vertices_.emplace(bits, static_cast<index_t>(mesh.positions.size()));
    if (is_new)
      mesh.positions.push_back(point);
    return found->second;
  }

  MeshData mesh;

private:
  using Bits = std::array<std::uint32_t, 3>; // unlike NaN, they equal themselves

  std::unordered_map<Bits, index_t, boost::hash<Bits>> vertices_;
};

/** \brief Returns the number of triangles that a binary file states in its header. */
std::size_t
statedTriangles(std::string_view bytes)
{
  std::uint32_t count;
  std::memcpy(&count, bytes.data() + header_size - sizeof count, sizeof count);
  return count;
}

/** \brief Returns whether a file is binary: it is as long as its header says. The
 * header may begin with "solid". Read as a header, a text states billions of
 * triangles. */
bool
isBinary(std::string_view bytes)
{
  return bytes.size() >= header_size &&
         statedTriangles(bytes) <= (bytes.size() - header_size) / triangle_size;
}

MeshData
readBinary(std::string_view bytes)
{
  const std::size_t count = statedTriangles(bytes);
  if (!isPadding(bytes.substr(header_size + triangle_size * count)))
    PCL_THROW_EXCEPTION(IOException,
                        "states " << count << " triangles, but is longer than that");
  PointMerger merger;
  for (std::size_t i = 0; i < count; ++i) {
    const char* const triangle = &bytes[header_size + triangle_size * i];
    std::array<std::array<float, 3>, 3> corners;
    std::memcpy(&corners, triangle + sizeof corners[0], sizeof corners);
    Indices vertices;
    for (const auto& corner : corners)
      vertices.push_back(merger.vertexAt(corner));
    merger.mesh.addPolygon(std::move(vertices));
  }
  return std::move(merger.mesh);
}

/** \brief Reads STL in words, in small or capital letters. */
class TextStlReader {
public:
  explicit TextStlReader(std::string_view bytes) : text_(bytes) {}

  MeshData
  read()
  {
    if (text_.keyword() != "solid")
      PCL_THROW_EXCEPTION(IOException,
                          "is damaged or truncated: expected a binary STL file as long "
                          "as its header says, or one that begins with solid");
    // One solid may follow another.
    for (std::string word = "solid"; !word.empty(); word = text_.keyword()) {
      expect(word, "solid");
      text_.restOfLine(); // the name
      readSolid();
    }
    return std::move(merger_.mesh);
  }

private:
  void
  readSolid()
  {
    for (;;) {
      const std::string word = nextKeyword();
      if (word == "endsolid") {
        text_.restOfLine();
        return;
      }
      if (word == "color")
        text_.restOfLine();
      else {
        expect(word, "facet or endsolid", word == "facet");
        readFacet();
      }
    }
  }

  void
  readFacet()
  {
    // Nothing depends on the normal, which some programs leave out or write as "-nan".
    std::string word = nextKeyword();
    for (int i = 0; i < 4 && word != "outer"; ++i)
      word = nextKeyword();
    expect(word, "outer");
    expect(nextKeyword(), "loop");
    Indices vertices;
    for (int i = 0; i < 3; ++i) {
      expect(nextKeyword(), "vertex");
      std::array<float, 3> point;
      for (float& number : point)
        number = toFloat(text_.numberIn(text_.word(), "a coordinate"));
      vertices.push_back(merger_.vertexAt(point));
    }
    merger_.mesh.addPolygon(std::move(vertices));
    expect(nextKeyword(), "endloop");
    expect(nextKeyword(), "endfacet");
  }

  /** \brief Reads a keyword. Its end may be a word of its own: "end solid". */
  std::string
  nextKeyword()
  {
    const std::string word = text_.keyword();
    return word == "end" ? word + text_.keyword() : word;
  }

  void
  expect(const std::string& word, const char* expectation) const
  {
    expect(word, expectation, word == expectation);
  }

  void
  expect(const std::string& word, const char* expectation, bool is_right) const
  {
    if (!is_right)
      text_.fail(TextReader::quoted(word), expectation);
  }

  TextReader text_;
  PointMerger merger_;
};

} // namespace

MeshData
readStl(std::string_view bytes)
{
  return isBinary(bytes) ? readBinary(bytes) : TextStlReader(bytes).read();
}

} // namespace pcl::gpu::apps
