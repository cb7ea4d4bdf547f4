// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "mesh_formats.h"
#include "number_source.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace pcl::gpu::apps {

namespace {

/** \brief An array's type. */
struct VtkType {
  NumberType type;
  bool is_bit = false; ///< eight values a byte
};

std::optional<VtkType>
typeNamed(const std::string& name)
{
  constexpr std::pair<const char*, NumberType> types[] = {
      {"char", NumberType::Int8},
      {"signed_char", NumberType::Int8},
      {"unsigned_char", NumberType::UInt8},
      {"short", NumberType::Int16},
      {"unsigned_short", NumberType::UInt16},
      {"int", NumberType::Int32},
      {"unsigned_int", NumberType::UInt32},
      {"vtkidtype", NumberType::Int32},
      {"long", NumberType::Int64},
      {"unsigned_long", NumberType::UInt64},
      {"vtktypeint64", NumberType::Int64},
      {"vtktypeuint64", NumberType::UInt64},
      {"float", NumberType::Float32},
      {"double", NumberType::Float64}};
  if (name == "bit")
    return VtkType{NumberType::UInt8, true};
  for (const auto& [known, type] : types)
    if (name == known)
      return VtkType{type};
  return std::nullopt;
}

/** \brief Reads a legacy VTK file of polygonal data, versions 1 to 5. Its polygons and
 * strips of triangles become polygons, vertices and lines are skipped. */
class VtkReader {
public:
  explicit VtkReader(std::string_view bytes) : numbers_(bytes), text_(numbers_.text())
  {}

  MeshData
  read()
  {
    readHeader();
    for (std::string section = text_.keyword(); !section.empty();
         section = text_.keyword())
      if (!readCells(section) && !readGeometry(section) && !readAttributes(section))
        text_.fail(TextReader::quoted(section), "a section of VTK's polygonal data");
    return std::move(mesh_);
  }

private:
  void
  readHeader()
  {
    const std::string_view first = text_.restOfLine();
    if (first.find("vtk DataFile") == first.npos)
      text_.fail("does not begin with # vtk DataFile Version", "a legacy VTK file");
    text_.restOfLine(); // the title
    const std::string encoding = text_.keyword();
    if (encoding == "binary")
      numbers_.setEncoding(NumberEncoding::BigEndian);
    else if (encoding != "ascii")
      text_.fail(TextReader::quoted(encoding), "ASCII or BINARY");
    text_.restOfLine();
  }

  std::size_t
  readCount(const char* meaning)
  {
    return static_cast<std::size_t>(text_.integerIn<int>(text_.wordOfLine(), meaning));
  }

  VtkType
  readType()
  {
    const std::string name = text_.keyword();
    const auto type = typeNamed(name);
    if (!type)
      text_.fail(TextReader::quoted(name), "a type of numbers");
    return *type;
  }

  /** \brief Skips the rest of the line, then reads numbers.
   * \return empty if they are bits, which nobody needs
   */
  std::vector<double>
  readArray(std::size_t tuples, std::size_t components, const VtkType& type)
  {
    text_.restOfLine();
    const bool is_packed = type.is_bit && numbers_.isBinary();
    // Both factors are below 2^31.
    const std::size_t count =
        is_packed ? (tuples * components + 7) / 8 : tuples * components;
    std::vector<double> numbers;
    if (is_packed) {
      numbers_.checkLeft(count, type.type);
      text_.skip(count);
    }
    else
      numbers_.read(count, type.type, numbers);
    return numbers;
  }

  bool
  readGeometry(const std::string& section)
  {
    if (section == "dataset") {
      const std::string kind = text_.keyword();
      if (kind != "polydata")
        text_.fail(TextReader::quoted(kind), "DATASET POLYDATA");
      text_.restOfLine();
      return true;
    }
    if (section == "points") {
      const std::size_t count = readCount("a number of points");
      const std::vector<double> numbers = readArray(count, 3, readType());
      mesh_.positions = vectors(numbers);
      return true;
    }
    if (section == "metadata") { // up to an empty line
      text_.restOfLine();
      while (!text_.atEnd() && !text_.wordOfLine().empty())
        text_.restOfLine();
      return true;
    }
    return false;
  }

  bool
  readCells(const std::string& section)
  {
    const bool is_strip = section == "triangle_strips";
    const bool is_read = is_strip || section == "polygons";
    if (!is_read && section != "vertices" && section != "lines")
      return false;
    const std::size_t count = readCount("a number of cells");
    const std::size_t size = readCount("a number of indices");
    text_.restOfLine();
    constexpr std::string_view offsets = "OFFSETS";
    if (text_.rest().substr(0, offsets.size()) == offsets)
      readOffsets(count, size, is_read, is_strip);
    else
      readCountedCells(count, size, is_read, is_strip);
    return true;
  }

  /** \brief Reads cells as of version 5: where each begins, then all indices. */
  void
  readOffsets(std::size_t count, std::size_t size, bool is_read, bool is_strip)
  {
    text_.keyword();
    const std::vector<double> offsets = readArray(count, 1, readType());
    if (text_.keyword() != "connectivity")
      text_.fail("no CONNECTIVITY behind OFFSETS", "both");
    const std::vector<double> indices = readArray(size, 1, readType());
    if (!is_read || offsets.empty())
      return;
    std::size_t begin = toIndex(offsets[0]);
    if (begin != 0 || offsets.back() != static_cast<double>(size))
      failAtCells();
    for (std::size_t i = 1; i < offsets.size(); ++i) {
      const std::size_t end = toIndex(offsets[i]);
      if (end < begin || end > size)
        failAtCells();
      addCell(indices.data() + begin, indices.data() + end, is_strip);
      begin = end;
    }
  }

  /** \brief Reads cells as of older versions: the number of indices before each. */
  void
  readCountedCells(std::size_t count, std::size_t size, bool is_read, bool is_strip)
  {
    std::vector<double> numbers;
    numbers_.read(size, NumberType::Int32, numbers);
    std::size_t place = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t length = place < size ? toIndex(numbers[place]) : size;
      if (length >= size - place)
        failAtCells();
      const double* const begin = numbers.data() + place + 1;
      if (is_read)
        addCell(begin, begin + length, is_strip);
      place += 1 + length;
    }
    if (place != size)
      failAtCells();
  }

  [[noreturn]] void
  failAtCells() const
  {
    text_.fail("numbers of cells and of their indices do not agree", "a complete file");
  }

  void
  addCell(const double* begin, const double* end, bool is_strip)
  {
    Indices cell;
    for (; begin != end; ++begin)
      cell.push_back(toIndex(*begin));
    if (is_strip)
      mesh_.addStrip(cell);
    else
      mesh_.addPolygon(std::move(cell));
  }

  /** \brief Reads normals and colours of points, and skips all other attributes. */
  bool
  readAttributes(const std::string& section)
  {
    if (section == "point_data" || section == "cell_data") {
      tuples_ = readCount("a number of points or cells");
      is_of_points_ = section == "point_data";
      if (is_of_points_ && tuples_ != mesh_.positions.size())
        text_.fail("POINT_DATA of " + std::to_string(tuples_),
                   "one tuple for each point");
      text_.restOfLine();
      return true;
    }
    if (section == "field") {
      readField();
      return true;
    }
    const std::string_view name = text_.wordOfLine();
    if (section == "lookup_table")
      readArray(readCount("a number of colours"), 4, scaledColors());
    else if (section == "color_scalars") {
      const std::size_t components = readCount("a number of channels");
      setColors(readArray(tuples_, components, scaledColors()),
                components,
                numbers_.isBinary() ? 255.0 : 1.0);
    }
    else if (section == "scalars")
      readScalars();
    else if (section == "normals") {
      const std::vector<double> normals = readArray(tuples_, 3, readType());
      if (is_of_points_)
        mesh_.normals = vectors(normals);
    }
    else if (section == "vectors")
      readArray(tuples_, 3, readType());
    else if (section == "tensors")
      readArray(tuples_, 9, readType());
    else if (section == "tensors6")
      readArray(tuples_, 6, readType());
    else if (section == "global_ids" || section == "pedigree_ids")
      readArray(tuples_, 1, readType());
    else if (section == "texture_coordinates") {
      const std::size_t components = readCount("a number of coordinates");
      readArray(tuples_, components, readType());
    }
    else
      text_.fail(TextReader::quoted(section + " " + std::string(name)),
                 "a section of VTK's polygonal data");
    return true;
  }

  /** \brief Returns the type of colours: bytes, or in text 0 to 1. */
  VtkType
  scaledColors() const
  {
    return {numbers_.isBinary() ? NumberType::UInt8 : NumberType::Float32};
  }

  void
  readField()
  {
    text_.wordOfLine(); // the name
    const std::size_t arrays = readCount("a number of arrays");
    text_.restOfLine();
    for (std::size_t i = 0; i < arrays; ++i) {
      std::string name = text_.keyword();
      while (name == "metadata") {
        readGeometry(name);
        name = text_.keyword();
      }
      const std::size_t components = readCount("a number of components");
      const std::size_t tuples = readCount("a number of tuples");
      readArray(tuples, components, readType());
    }
  }

  void
  readScalars()
  {
    const VtkType type = readType();
    const std::string_view word = text_.wordOfLine();
    const std::size_t components =
        word.empty()
            ? 1
            : static_cast<std::size_t>(text_.integerIn<int>(word, "a number", 1));
    if (text_.keyword() != "lookup_table")
      text_.fail("no LOOKUP_TABLE behind SCALARS", "both");
    const std::vector<double> numbers = readArray(tuples_, components, type);
    if (type.type == NumberType::UInt8 && !type.is_bit)
      setColors(numbers, components, 255.0);
  }

  void
  setColors(const std::vector<double>& channels, std::size_t components, double most)
  {
    if (!is_of_points_ || (components != 3 && components != 4))
      return;
    mesh_.colors.clear();
    for (std::size_t i = 0; i < channels.size(); i += components) {
      std::array<float, 4> color = {0.0f, 0.0f, 0.0f, 1.0f};
      for (std::size_t c = 0; c < components; ++c)
        color[c] = toFloat(channels[i + c] / most);
      mesh_.colors.push_back(color);
    }
  }

  static std::vector<std::array<float, 3>>
  vectors(const std::vector<double>& numbers)
  {
    std::vector<std::array<float, 3>> result;
    result.reserve(numbers.size() / 3);
    for (std::size_t i = 0; i + 3 <= numbers.size(); i += 3)
      result.push_back(
          {toFloat(numbers[i]), toFloat(numbers[i + 1]), toFloat(numbers[i + 2])});
    return result;
  }

  NumberSource numbers_;
  TextReader& text_;
  MeshData mesh_;
  std::size_t tuples_ = 0;
  bool is_of_points_ = false;
};

} // namespace

MeshData
readVtk(std::string_view bytes)
{
  return VtkReader(bytes).read();
}

} // namespace pcl::gpu::apps
