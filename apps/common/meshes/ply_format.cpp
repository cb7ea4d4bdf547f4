// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "mesh_formats.h"
#include "number_source.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace pcl::gpu::apps {

namespace {

std::optional<NumberType>
typeNamed(std::string_view name)
{
  constexpr std::pair<const char*, NumberType> types[] = {
      {"char", NumberType::Int8},
      {"int8", NumberType::Int8},
      {"uchar", NumberType::UInt8},
      {"uint8", NumberType::UInt8},
      {"short", NumberType::Int16},
      {"int16", NumberType::Int16},
      {"ushort", NumberType::UInt16},
      {"uint16", NumberType::UInt16},
      {"int", NumberType::Int32},
      {"int32", NumberType::Int32},
      {"uint", NumberType::UInt32},
      {"uint32", NumberType::UInt32},
      {"float", NumberType::Float32},
      {"float32", NumberType::Float32},
      {"double", NumberType::Float64},
      {"float64", NumberType::Float64}};
  for (const auto& [known, type] : types)
    if (name == known)
      return type;
  return std::nullopt;
}

/** \brief A value, or a list of values, of each vertex or face. */
struct Property {
  std::string name;
  NumberType type = NumberType::Float32;
  std::optional<NumberType> count_type; ///< of a list
};

/** \brief Vertices, faces or anything else. */
struct Element {
  std::string name;
  std::size_t count = 0;
  std::vector<Property> properties;

  /** \brief Returns the place of the first property of one of these names. */
  std::optional<std::size_t>
  find(std::initializer_list<const char*> names) const
  {
    for (const char* name : names)
      for (std::size_t i = 0; i < properties.size(); ++i)
        if (properties[i].name == name)
          return i;
    return std::nullopt;
  }
};

/** \brief Places of the properties that a vertex's three numbers are.
 * \return none if one is missing or a list
 */
std::optional<std::array<std::size_t, 3>>
findThree(const Element& element,
          const std::array<std::initializer_list<const char*>, 3>& names)
{
  std::array<std::size_t, 3> places{};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto place = element.find(names[i]);
    if (!place || element.properties[*place].count_type)
      return std::nullopt;
    places[i] = *place;
  }
  return places;
}

/** \brief Reads a PLY file, text or binary, with any elements and properties. */
class PlyReader {
public:
  explicit PlyReader(std::string_view bytes) : numbers_(bytes) {}

  MeshData
  read()
  {
    readHeader();
    bool has_vertices = false;
    for (const Element& element : elements_) {
      if (element.properties.empty())
        continue;
      if (element.name == "vertex") {
        readVertices(element);
        has_vertices = true;
      }
      else
        readFaces(element);
    }
    if (!has_vertices)
      PCL_THROW_EXCEPTION(IOException, "has no element vertex: expected a mesh");
    numbers_.checkEnd();
    return std::move(mesh_);
  }

private:
  void
  readHeader()
  {
    TextReader& text = numbers_.text();
    if (text.wordOfLine() != "ply")
      text.fail("does not begin with ply", "a PLY file");
    text.restOfLine();
    bool has_format = false;
    while (!text.atEnd()) {
      const std::string_view line = text.wordOfLine();
      if (line == "format") {
        readFormat();
        has_format = true;
      }
      else if (line == "element") {
        elements_.emplace_back();
        elements_.back().name = text.wordOfLine();
        elements_.back().count =
            text.integerIn<std::uint32_t>(text.wordOfLine(), "a number of elements");
      }
      else if (line == "property")
        readProperty();
      else if (line == "end_header") {
        text.restOfLine();
        if (!has_format)
          text.fail("no line format", "a PLY file");
        return;
      }
      else if (!line.empty() && line != "comment" && line != "obj_info")
        text.fail(TextReader::quoted(line), "a line of a PLY header");
      text.restOfLine();
    }
    text.fail("header without end_header", "a PLY file");
  }

  void
  readFormat()
  {
    const std::string_view word = numbers_.text().wordOfLine();
    if (word == "ascii")
      numbers_.setEncoding(NumberEncoding::Text);
    else if (word == "binary_little_endian")
      numbers_.setEncoding(NumberEncoding::LittleEndian);
    else if (word == "binary_big_endian")
      numbers_.setEncoding(NumberEncoding::BigEndian);
    else
      numbers_.text().fail(TextReader::quoted(word),
                           "ascii, binary_little_endian or binary_big_endian");
  }

  NumberType
  readType(std::string_view word) const
  {
    const auto type = typeNamed(word);
    if (!type)
      numbers_.text().fail(TextReader::quoted(word), "a type of PLY");
    return *type;
  }

  void
  readProperty()
  {
    TextReader& text = numbers_.text();
    if (elements_.empty())
      text.fail("property before the first element", "a PLY header");
    Property property;
    std::string_view word = text.wordOfLine();
    if (word == "list") {
      property.count_type = readType(text.wordOfLine());
      if (isFloat(*property.count_type))
        text.fail("list with a count that is no integer", "char to uint");
      word = text.wordOfLine();
    }
    property.type = readType(word);
    property.name = text.wordOfLine();
    if (property.name.empty())
      text.fail("property without a name", "a PLY header");
    elements_.back().properties.push_back(std::move(property));
  }

  /** \brief Reads the values of a property. */
  void
  readList(const Property& property, std::vector<double>& values)
  {
    const std::size_t count =
        property.count_type
            ? numbers_.nextInteger<std::uint32_t>(*property.count_type, "a count")
            : 1;
    numbers_.read(count, property.type, values);
  }

  void
  readVertices(const Element& element)
  {
    if (!mesh_.positions.empty())
      PCL_THROW_EXCEPTION(IOException, "has two elements vertex: expected one");
    const auto position = findThree(element, {{{"x"}, {"y"}, {"z"}}});
    const auto normal = findThree(
        element, {{{"nx", "normal_x"}, {"ny", "normal_y"}, {"nz", "normal_z"}}});
    const auto color = findThree(element,
                                 {{{"red", "diffuse_red"},
                                   {"green", "diffuse_green"},
                                   {"blue", "diffuse_blue"}}});
    const auto alpha = element.find({"alpha"});
    if (!position)
      PCL_THROW_EXCEPTION(IOException,
                          "has no x, y and z: expected vertices with them");
    numbers_.checkLeft(element.count, NumberType::UInt8);
    std::vector<double> values(element.properties.size()), list;
    const auto vector = [&](const std::array<std::size_t, 3>& places) {
      return std::array<float, 3>{toFloat(values[places[0]]),
                                  toFloat(values[places[1]]),
                                  toFloat(values[places[2]])};
    };
    const auto channel = [&](std::size_t place) {
      return toFloat(values[place] / largestColor(element.properties[place].type));
    };
    for (std::size_t i = 0; i < element.count; ++i) {
      for (std::size_t p = 0; p < values.size(); ++p) {
        const Property& property = element.properties[p];
        if (property.count_type)
          readList(property, list);
        else
          values[p] = numbers_.next(property.type);
      }
      mesh_.positions.push_back(vector(*position));
      if (normal)
        mesh_.normals.push_back(vector(*normal));
      if (color)
        mesh_.colors.push_back({channel((*color)[0]),
                                channel((*color)[1]),
                                channel((*color)[2]),
                                alpha ? channel(*alpha) : 1.0f});
    }
  }

  static double
  largestColor(NumberType type)
  {
    return isFloat(type) ? 1.0 : type == NumberType::UInt16 ? 65535.0 : 255.0;
  }

  /** \brief Reads faces and strips of triangles, and skips all other elements. */
  void
  readFaces(const Element& element)
  {
    const bool is_strip = element.name == "tristrips";
    const auto indices = element.find({"vertex_indices", "vertex_index"});
    const bool is_read = element.name == "face" || is_strip;
    if (is_read && element.count > 0 &&
        !(indices && element.properties[*indices].count_type))
      PCL_THROW_EXCEPTION(IOException,
                          "element " << element.name
                                     << " has no list vertex_indices or vertex_index: "
                                        "expected one");
    std::vector<double> list;
    for (std::size_t i = 0; i < element.count; ++i)
      for (std::size_t p = 0; p < element.properties.size(); ++p) {
        readList(element.properties[p], list);
        if (is_read && p == *indices)
          addPolygon(list, is_strip);
      }
  }

  void
  addPolygon(const std::vector<double>& list, bool is_strip)
  {
    Indices polygon;
    for (const double number : list)
      if (is_strip && number == -1.0) { // the next strip begins
        mesh_.addStrip(polygon);
        polygon.clear();
      }
      else
        polygon.push_back(toIndex(number));
    if (is_strip)
      mesh_.addStrip(polygon);
    else
      mesh_.addPolygon(std::move(polygon));
  }

  NumberSource numbers_;
  std::vector<Element> elements_;
  MeshData mesh_;
};

} // namespace

MeshData
readPly(std::string_view bytes)
{
  return PlyReader(bytes).read();
}

} // namespace pcl::gpu::apps
