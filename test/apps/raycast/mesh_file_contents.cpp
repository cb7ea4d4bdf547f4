// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "apps/raycast/mesh_file_contents.h"

#include "apps/raycast/raycast_meshes.h"

#include <pcl/conversions.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace pcl::gpu::test {

namespace {

std::string
text(float number)
{
  return number < 0.0f ? "-0.5" : "0.5";
}

/** \brief Writes numbers as PLY and VTK files have them. */
class NumberWriter {
public:
  explicit NumberWriter(Encoding encoding) : encoding_(encoding) {}

  void
  add(const std::string& type, double number)
  {
    if (encoding_ == Encoding::Text)
      bytes += (number == std::floor(number) ? std::to_string(std::int64_t(number))
                                             : text(static_cast<float>(number))) +
               " ";
    else if (type == "char" || type == "int8")
      addBytes(static_cast<std::int8_t>(number));
    else if (type == "uchar" || type == "uint8")
      addBytes(static_cast<std::uint8_t>(number));
    else if (type == "short" || type == "int16")
      addBytes(static_cast<std::int16_t>(number));
    else if (type == "ushort" || type == "uint16")
      addBytes(static_cast<std::uint16_t>(number));
    else if (type == "int" || type == "int32")
      addBytes(static_cast<std::int32_t>(number));
    else if (type == "uint" || type == "uint32")
      addBytes(static_cast<std::uint32_t>(number));
    else if (type == "vtktypeint64")
      addBytes(static_cast<std::int64_t>(number));
    else if (type == "float" || type == "float32")
      addBytes(static_cast<float>(number));
    else
      addBytes(number);
  }

  void
  endLine()
  {
    if (encoding_ == Encoding::Text)
      bytes += "\n";
  }

  std::string bytes;

private:
  template <typename Number>
  void
  addBytes(Number number)
  {
    std::array<char, sizeof number> raw;
    std::memcpy(raw.data(), &number, sizeof number);
    if (encoding_ == Encoding::Big)
      std::reverse(raw.begin(), raw.end());
    bytes.append(raw.data(), raw.size());
  }

  Encoding encoding_;
};

} // namespace

PointCloud<PointXYZ>
pointsOf(const PolygonMesh& mesh)
{
  PointCloud<PointXYZ> points;
  fromPCLPointCloud2(mesh.cloud, points);
  return points;
}

std::vector<std::array<float, 3>>
cornersOf(const PolygonMesh& mesh)
{
  const auto points = pointsOf(mesh);
  std::vector<std::array<float, 3>> corners;
  for (const Vertices& polygon : mesh.polygons)
    for (std::size_t i = 2; i < polygon.vertices.size(); ++i)
      for (const int vertex :
           {polygon.vertices[0], polygon.vertices[i - 1], polygon.vertices[i]})
        corners.push_back({points[vertex].x, points[vertex].y, points[vertex].z});
  return corners;
}

std::string
replacedAll(const std::string& text, const std::string& from, const std::string& to)
{
  std::string result;
  std::size_t begin = 0;
  for (std::size_t end = text.find(from); end != text.npos;
       end = text.find(from, begin)) {
    result += text.substr(begin, end - begin) + to;
    begin = end + from.size();
  }
  return result + text.substr(begin);
}

std::string
vertexLines(const std::string& before, const std::string& behind)
{
  std::string lines;
  for (const auto& point : pointsOf(cubeMesh(1.0f)))
    lines += before + text(point.x) + " " + text(point.y) + " " + text(point.z) +
             behind + "\n";
  return lines;
}

std::string
faceLines(const std::string& before,
          const std::function<std::string(int vertex)>& corner,
          const std::string& behind)
{
  std::string lines;
  for (const Vertices& polygon : cubeMesh(1.0f).polygons) {
    lines += before;
    for (const int vertex : polygon.vertices)
      lines += " " + corner(vertex);
    lines += behind + "\n";
  }
  return lines;
}

std::string
fromZero(int vertex)
{
  return std::to_string(vertex);
}

std::string
objWith(const std::string& before, const std::string& behind)
{
  return faceLines("f", [&](int v) { return before + std::to_string(v + 1) + behind; });
}

std::string
plyFile(Encoding encoding,
        const std::string& number,
        const std::string& count,
        const std::string& index,
        const std::string& list_name)
{
  const char* const formats[] = {"ascii", "binary_little_endian", "binary_big_endian"};
  NumberWriter out(encoding);
  out.bytes =
      "ply\nformat " + std::string(formats[static_cast<int>(encoding)]) +
      " 1.0\ncomment made by hand\nobj_info more of it\n"
      "element camera 1\nproperty float view_px\nproperty list uchar short bits\n"
      "element vertex 8\nproperty " +
      number + " x\nproperty uchar red\nproperty uchar greeb\nproperty " + number +
      " y\nproperty list char int neighbours\nproperty " + number +
      " z\nelement nothing 5\nelement face 6\nproperty uchar flags\nproperty list " +
      count + " " + index + " " + list_name +
      "\nproperty list uchar float texcoord\nelement edge 1\n"
      "property int vertex1\nend_header\n";
  out.add("float", 0.5);
  out.add("uchar", 2);
  out.add("short", 7);
  out.add("short", 8);
  out.endLine();
  for (const auto& point : pointsOf(cubeMesh(1.0f))) {
    out.add(number, point.x);
    out.add("uchar", 200);
    out.add("uchar", 100);
    out.add(number, point.y);
    out.add("char", 2);
    out.add("int", 10);
    out.add("int", 13);
    out.add(number, point.z);
    out.endLine();
  }
  for (const Vertices& polygon : cubeMesh(1.0f).polygons) {
    out.add("uchar", 3);
    out.add(count, 4);
    for (const int vertex : polygon.vertices)
      out.add(index, vertex);
    out.add("uchar", 2);
    out.add("float", 0.5);
    out.add("float", -0.5);
    out.endLine();
  }
  out.add("int", 1);
  out.endLine();
  return out.bytes;
}

std::string
stlText()
{
  const auto corners = cornersOf(cubeMesh(1.0f));
  std::string out = "solid\n";
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (i % 3 == 0)
      out += "facet normal 0 0 1\n outer loop\n";
    out += "  vertex " + text(corners[i][0]) + " " + text(corners[i][1]) + " " +
           text(corners[i][2]) + "\n";
    if (i % 3 == 2)
      out += " endloop\nendfacet\n";
  }
  return out + "endsolid\n";
}

std::string
stlBinary(const std::string& header)
{
  const auto corners = cornersOf(cubeMesh(1.0f));
  NumberWriter out(Encoding::Little);
  out.bytes = header;
  out.bytes.resize(80, ' ');
  out.add("uint", static_cast<double>(corners.size() / 3));
  for (std::size_t i = 0; i < corners.size(); ++i) {
    for (int n = 0; i % 3 == 0 && n < 3; ++n)
      out.add("float", 0);
    for (const float number : corners[i])
      out.add("float", number);
    if (i % 3 == 2)
      out.add("ushort", 0x8123);
  }
  return out.bytes;
}

std::string
vtkFile(Encoding encoding, bool is_new, const std::string& number)
{
  NumberWriter out(encoding);
  out.bytes = std::string("# vtk DataFile Version ") + (is_new ? "5.1" : "3.0") +
              "\na title\n" + (encoding == Encoding::Text ? "ASCII" : "BINARY") +
              "\nDATASET POLYDATA\nFIELD FieldData 1\ntime 1 1 double\n";
  out.add("double", 0.5);
  out.bytes += "\nPOINTS 8 " + number + "\n";
  for (const auto& point : pointsOf(cubeMesh(1.0f)))
    for (const float coordinate : {point.x, point.y, point.z})
      out.add(number, coordinate);
  const std::string type = is_new ? "vtktypeint64" : "int";
  if (is_new) {
    out.bytes += "\nMETADATA\nINFORMATION 0\n\nVERTICES 2 1\nOFFSETS vtktypeint64\n";
    for (const double number_of : {0.0, 1.0})
      out.add(type, number_of);
    out.bytes += "\nCONNECTIVITY vtktypeint64\n";
    out.add(type, 0);
    out.bytes += "\nPOLYGONS 7 24\nOFFSETS vtktypeint64\n";
    for (int i = 0; i <= 24; i += 4)
      out.add(type, i);
    out.bytes += "\nCONNECTIVITY vtktypeint64\n";
  }
  else {
    out.bytes += "\nLINES 1 3\n";
    for (const double index : {2.0, 0.0, 1.0})
      out.add(type, index);
    out.bytes += "\nPOLYGONS 6 30\n";
  }
  for (const Vertices& polygon : cubeMesh(1.0f).polygons) {
    if (!is_new)
      out.add(type, 4);
    for (const int vertex : polygon.vertices)
      out.add(type, vertex);
  }
  out.bytes += "\nCELL_DATA 6\nSCALARS a float 1\nLOOKUP_TABLE default\n";
  for (int i = 0; i < 6; ++i)
    out.add("float", i);
  out.bytes += "\nPOINT_DATA 8\nNORMALS n double\n";
  for (int i = 0; i < 24; ++i)
    out.add("double", i);
  out.bytes += "\nCOLOR_SCALARS c 3\n";
  for (int i = 0; i < 24; ++i)
    out.add("uchar", encoding == Encoding::Text ? i % 3 == 1 : i % 3 == 1 ? 255 : 0);
  return out.bytes + "\n";
}

} // namespace pcl::gpu::test
