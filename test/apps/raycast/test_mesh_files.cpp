// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Mesh files in all formats and dialects: one mesh, written in each of them.

#include "apps/common/meshes/mesh_file.h"
#include "apps/raycast/mesh_file_contents.h"
#include "apps/raycast/raycast_meshes.h"

#include <pcl/common/io.h>
#include <pcl/conversions.h>
#include <pcl/exceptions.h>
#include <pcl/point_types.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

using namespace pcl::gpu::test;
using pcl::gpu::apps::parseMesh;

namespace {

/** \brief Expects the vertices and polygons of cubeMesh(1), in its order. */
void
expectCube(const std::string& bytes, const std::string& extension)
{
  try {
    const pcl::PolygonMesh mesh = parseMesh(bytes, extension), cube = cubeMesh(1.0f);
    const auto points = pointsOf(mesh), expected = pointsOf(cube);
    ASSERT_EQ(points.size(), expected.size()) << bytes;
    for (std::size_t i = 0; i < points.size(); ++i)
      EXPECT_EQ(points[i].getVector3fMap(), expected[i].getVector3fMap()) << bytes;
    ASSERT_EQ(mesh.polygons.size(), cube.polygons.size()) << bytes;
    for (std::size_t i = 0; i < cube.polygons.size(); ++i)
      EXPECT_EQ(mesh.polygons[i].vertices, cube.polygons[i].vertices) << bytes;
  }
  catch (const pcl::IOException& error) {
    ADD_FAILURE() << error.what() << "\n" << bytes;
  }
}

void
expectRefused(const std::string& bytes,
              const std::string& extension,
              const std::string& word)
{
  try {
    parseMesh(bytes, extension);
    ADD_FAILURE() << "was read; expected a message with " << word << "\n" << bytes;
  }
  catch (const pcl::IOException& error) {
    EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
  }
}

/** \brief Expects that some text is refused if its first occurrence of a word is
 * replaced. */
void
expectRefused(std::string text,
              const std::string& extension,
              const std::string& from,
              const std::string& to,
              const std::string& word)
{
  const std::size_t place = text.find(from);
  ASSERT_NE(place, std::string::npos) << from;
  expectRefused(text.replace(place, from.size(), to), extension, word);
}

TEST(MeshFiles, ObjDialects)
{
  const std::string vertices = vertexLines("v ", "");
  const std::string plain = vertices + objWith("", "");
  expectCube(plain, ".obj");
  for (const char* line_end : {"\r\n", "\r", " \n", "\t # comment\n", "#comment\n"})
    expectCube(replacedAll(plain, "\n", line_end), ".obj");
  expectCube(plain.substr(0, plain.size() - 1), ".obj");
  expectCube(replacedAll(plain, " ", "\t"), ".obj");
  expectCube("\xef\xbb\xbf" + plain, ".obj");
  expectCube(replacedAll(plain, "f", " \tf  "), ".obj");
  expectCube(replacedAll(plain, " 1", " \\\n1"), ".obj");
  expectCube(replacedAll(plain, " 1", "\\\r\n 1"), ".obj");
  const std::string others =
      "vt 0 0\nvt 1 0\n" + replacedAll(vertices, "v ", "vn ") + "vn 1 0 0\nvn 0 1 0\n";
  for (const char* behind : {"/", "/1", "//", "//1", "/2/10", "/-1/-2"})
    expectCube(vertices + others + objWith("", behind), ".obj");
  expectCube(vertices + faceLines("f", [](int v) { return std::to_string(v - 8); }),
             ".obj");
  // Statements between faces, which do not change their order.
  std::string groups = vertices + others + "mtllib a.mtl\no cube\ns off\nl 1 2\np 3\n";
  int face = 0;
  for (const char c : objWith("", "/1"))
    groups += c == 'f' ? (face++ % 2 ? "g a b\nusemtl red\nf" : "s 1\nusemtl blue\nf")
                       : std::string(1, c);
  expectCube(groups, ".obj");
  for (const char* behind : {" 1", " 1 0 0.5", " 255 128 0"})
    expectCube(vertexLines("v ", behind) + objWith("", ""), ".obj");
}

TEST(MeshFiles, ColorsOfObjVertices)
{
  for (const char* color : {" 1 0 0.5", " 255 0 127.5"}) {
    pcl::PointCloud<pcl::PointXYZRGBA> points;
    pcl::fromPCLPointCloud2(
        parseMesh(vertexLines("v ", color) + objWith("", ""), ".obj").cloud, points);
    for (const auto& point : points) {
      EXPECT_EQ(point.r, 255);
      EXPECT_EQ(point.g, 0);
      EXPECT_EQ(point.b, 128);
      EXPECT_EQ(point.a, 255);
    }
  }
}

TEST(MeshFiles, DamagedObj)
{
  const std::string plain = vertexLines("v ", "") + objWith("", "");
  expectRefused("", ".obj", "no polygons");
  expectRefused(vertexLines("v ", ""), ".obj", "no polygons");
  expectRefused(
      plain, ".obj", "v -0.5 -0.5 -0.5", "v -0.5 -0.5", "line 1: vertex of 2");
  expectRefused(plain, ".obj", "v -0.5", "v -0.5x", "line 1: \"-0.5x\"");
  expectRefused(plain, ".obj", "f 1 3 4 2", "f 1 3", "line 9: face of 2 corners");
  expectRefused(plain, ".obj", "f 1 3 4 2", "f 0 3 4 2", "\"0\"");
  expectRefused(plain, ".obj", "f 1 3 4 2", "f -9 3 4 2", "\"-9\"");
  expectRefused(plain, ".obj", "f 1 3 4 2", "f 9 3 4 2", "index in polygon 0 is 8");
  expectRefused(plain, ".obj", "f 1 3 4 2", "f 1/x 3 4 2", "corner");
  expectRefused(plain, ".obj", "f 1 3 4 2", "f 1 3 \\ 4 2", "backslash");
  expectRefused(plain, ".obj", "f 1", "f 99999999999", "99999999999");
}

TEST(MeshFiles, PlyDialects)
{
  const std::vector<std::string> integers = {
      "char", "uchar", "short", "ushort", "int", "uint", "int8", "uint8", "int16"};
  for (const Encoding encoding : {Encoding::Text, Encoding::Little, Encoding::Big})
    for (const std::string& count : integers)
      for (const std::string& index : integers)
        for (const char* number : {"float", "double"})
          expectCube(plyFile(encoding, number, count, index), ".ply");
  const std::string text = plyFile(Encoding::Text, "float32", "uint16", "int32");
  expectCube("\xef\xbb\xbf" + replacedAll(text, "\n", "\r\n"), ".ply");
  expectCube(replacedAll(text, " ", " \t"), ".ply");
  expectCube(plyFile(Encoding::Big, "float64", "uint32", "uint", "vertex_index"),
             ".ply");
}

TEST(MeshFiles, PlyStripsOfTriangles)
{
  const std::string strips =
      "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\n"
      "property float y\nproperty float z\nelement tristrips 1\n"
      "property list int int vertex_indices\nend_header\n"
      "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n"
      "9 0 1 2 3 4 -1 2 1 0\n";
  const pcl::PolygonMesh mesh = parseMesh(strips, ".ply");
  const std::vector<pcl::Indices> expected = {
      {0, 1, 2}, {1, 3, 2}, {2, 3, 4}, {2, 1, 0}};
  ASSERT_EQ(mesh.polygons.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    pcl::Indices turned = mesh.polygons[i].vertices;
    std::rotate(turned.begin(),
                std::find(turned.begin(), turned.end(), expected[i][0]),
                turned.end());
    EXPECT_EQ(turned, expected[i]) << i;
  }
}

TEST(MeshFiles, NormalsAndColorsOfPlyVertices)
{
  const std::string header =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
      "property float y\nproperty float z\nproperty float nx\n"
      "property float ny\nproperty float nz\n";
  const std::string faces =
      "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
  const std::string colors[] = {
      header +
          "property uchar red\nproperty uchar green\nproperty uchar blue\n"
          "property uchar alpha\n" +
          faces + "0 0 0 0 0 1 255 0 51 102\n",
      header +
          "property float red\nproperty float green\nproperty float blue\n"
          "property float alpha\n" +
          faces + "0 0 0 0 0 1 1 0 0.2 0.4\n"};
  for (const std::string& file : colors) {
    const std::string first = file.substr(file.find("end_header\n") + 11);
    const pcl::PCLPointCloud2 cloud =
        parseMesh(file + first + first + "3 0 1 2\n", ".ply").cloud;
    const auto last = [&](const char* name, auto value) {
      const int field = pcl::getFieldIndex(cloud, name);
      std::memcpy(&value,
                  &cloud.data[2 * cloud.point_step + cloud.fields.at(field).offset],
                  sizeof value);
      return value;
    };
    EXPECT_EQ(last("normal_z", 0.0f), 1.0f);
    EXPECT_EQ(last("rgba", 0u), 102u << 24 | 255u << 16 | 0u << 8 | 51u);
  }
}

TEST(MeshFiles, DamagedPly)
{
  const std::string text = plyFile(Encoding::Text, "float", "uchar", "int");
  const auto expect = [&](const char* from, const char* to, const char* word) {
    expectRefused(text, ".ply", from, to, word);
  };
  expect("ply", "plx", "ply");
  expect("ascii", "text", "\"text\"");
  expect("format ascii 1.0\n", "", "format");
  expect("end_header", "ende", "\"ende\"");
  expect("element vertex 8", "element vertex 7", "");
  expect("element vertex 8", "element vertex 4000000000", "truncated");
  expect("element vertex", "element point", "no element vertex");
  expect("element face 6", "element face 5", "");
  expect("element face 6", "element face 7", "");
  expect("property float z", "property float w", "no x, y and z");
  expect("property float z", "property quad z", "\"quad\": expected a type");
  expect("property list uchar int vertex", "property list float int vertex", "count");
  expect("vertex_indices", "vertices", "no list vertex_indices");
  expect(" 4 0 2 3 1 ", " 4 0 2 3 8 ", "index in polygon 0 is 8");
  expect(" 4 0 2 3 1 ", " 4 0 2 3 -1 ", "index of a vertex is -1");
  expect(" 4 0 2 3 1 ", " 4 0 2 3 0.5 ", "index of a vertex is 0.5");
  expect(" 4 0 2 3 1 ", " 4000000000 0 2 3 1 ", "truncated");
  for (const Encoding encoding : {Encoding::Text, Encoding::Little, Encoding::Big}) {
    const std::string bytes = plyFile(encoding, "float", "uchar", "int");
    for (std::size_t length = 0; length + 4 < bytes.size(); ++length)
      EXPECT_THROW(parseMesh(bytes.substr(0, length), ".ply"), pcl::IOException)
          << length;
    expectRefused(bytes + "1 2 3", ".ply", "more data");
  }
}

/** \brief Expects the triangles of the cube; STL has no vertices of its own. */
void
expectCubeOfTriangles(const std::string& bytes)
{
  try {
    const pcl::PolygonMesh mesh = parseMesh(bytes, ".stl");
    EXPECT_EQ(cornersOf(mesh), cornersOf(cubeMesh(1.0f))) << bytes;
    EXPECT_EQ(mesh.cloud.width, 8u) << "equal corners are one vertex";
  }
  catch (const pcl::IOException& error) {
    ADD_FAILURE() << error.what() << "\n" << bytes;
  }
}

TEST(MeshFiles, StlDialects)
{
  const std::string plain = stlText();
  expectCubeOfTriangles(plain);
  for (const std::string header :
       {"\n \tsolid\n", "\xef\xbb\xbfsolid\n", "solid a facet of vertex 1 2 3\n"})
    expectCubeOfTriangles(header + plain.substr(6));
  expectCubeOfTriangles("solid " + std::string(5000, 'x') + plain.substr(5));
  std::string capitals = plain;
  for (char& c : capitals)
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  expectCubeOfTriangles(capitals);
  expectCubeOfTriangles(replacedAll(plain, "\n", "\r\n"));
  expectCubeOfTriangles(replacedAll(plain, " ", "\t"));
  expectCubeOfTriangles(replacedAll(plain, "endsolid", "end solid name"));
  expectCubeOfTriangles(replacedAll(plain, "endfacet", "end facet"));
  expectCubeOfTriangles(
      replacedAll(plain, "normal 0 0 1", "normal -nan(ind) 0 1.#QNAN"));
  expectCubeOfTriangles(replacedAll(plain, "normal 0 0 1", ""));
  expectCubeOfTriangles("solid\n color 1 0 0\n" + plain.substr(6));
  // Two solids.
  const std::size_t middle = plain.find("\nfacet", 700) + 1;
  expectCubeOfTriangles(plain.substr(0, middle) + "endsolid a\nsolid b\n" +
                        plain.substr(middle));
  for (const char* header : {"", "solid binary", "SOLID facet normal 0 0 0"})
    expectCubeOfTriangles(stlBinary(header));
}

TEST(MeshFiles, DamagedStl)
{
  const std::string plain = stlText(), binary = stlBinary("solid");
  for (std::size_t length = 0; length + 2 < plain.size(); ++length)
    EXPECT_THROW(parseMesh(plain.substr(0, length), ".stl"), pcl::IOException)
        << length;
  for (std::size_t length = 0; length < binary.size(); ++length)
    EXPECT_THROW(parseMesh(binary.substr(0, length), ".stl"), pcl::IOException)
        << length;
  expectRefused(binary + "x", ".stl", "longer");
  expectRefused(plain + "facet", ".stl", "\"facet\": expected solid");
  expectRefused(
      plain, ".stl", "vertex", "vortex", "line 4: \"vortex\": expected vertex");
  expectRefused(plain, ".stl", "-0.5", "-0.5.", "line 4: \"-0.5.\"");
}

TEST(MeshFiles, OffDialects)
{
  const std::string vertices = vertexLines("", ""), faces = faceLines("4", fromZero);
  expectCube("OFF\n8 6 0\n" + vertices + faces, ".off");
  expectCube("OFF 8 6 0\n" + vertices + faces, ".off");
  expectCube("8 6\n" + vertices + faces, ".off");
  expectCube("\xef\xbb\xbfOFF # c\r\n\r\n# c\r\n8 6 12 # c\r\n" +
                 replacedAll(vertices + "\n" + faces, "\n", " # c\r\n"),
             ".off");
  expectCube("COFF\n8 6 0\n" + vertexLines("", " 255 0 0 255") +
                 faceLines("4", fromZero, " 0.5 0.5 0.5"),
             ".off");
  expectCube("CNOFF\n8 6 0\n" + vertexLines("", " 0 0 1 1 0 0") + faces, ".off");
  expectCube("STOFF\n8 6 0\n" + vertexLines("", " 0 1") + faces, ".off");
  const std::string plain = "OFF\n8 6 0\n" + vertices + faces;
  for (std::size_t length = 0; length + 3 < plain.size(); ++length)
    EXPECT_THROW(parseMesh(plain.substr(0, length), ".off"), pcl::IOException)
        << length;
  expectRefused(plain, ".off", "OFF", "4OFF", "\"4OFF\"");
  expectRefused(plain, ".off", "8 6 0", "8 5 0", "behind the last face");
  expectRefused(plain, ".off", "4 0 2 3 1", "4 0 2 3 8", "index in polygon 0 is 8");
}

TEST(MeshFiles, VtkDialects)
{
  for (const Encoding encoding : {Encoding::Text, Encoding::Big})
    for (const bool is_new : {false, true})
      for (const char* number : {"float", "double"}) {
        const std::string bytes = vtkFile(encoding, is_new, number);
        expectCube(bytes, ".vtk");
        pcl::PointCloud<pcl::PointXYZRGBA> points;
        pcl::fromPCLPointCloud2(parseMesh(bytes, ".vtk").cloud, points);
        EXPECT_EQ(points[7].rgba, 0xff00ff00u);
      }
  const std::string text = vtkFile(Encoding::Text, false, "float");
  expectCube(replacedAll(text, "\n", "\r\n"), ".vtk");
  const std::string strip = "# vtk DataFile Version 2.0\nt\nASCII\nDATASET "
                            "POLYDATA\nPOINTS 4 float\n0 0 0 1 0 0 "
                            "0 1 0 1 1 0\nTRIANGLE_STRIPS 1 5\n4 0 1 2 3\n";
  const pcl::PolygonMesh mesh = parseMesh(strip, ".vtk");
  ASSERT_EQ(mesh.polygons.size(), 2u);
  EXPECT_EQ(mesh.polygons[0].vertices, (pcl::Indices{0, 1, 2}));
  EXPECT_EQ(mesh.polygons[1].vertices, (pcl::Indices{2, 1, 3}));
}

TEST(MeshFiles, DamagedVtk)
{
  const std::string text = vtkFile(Encoding::Text, true, "float");
  const auto expect = [&](const char* from, const char* to, const char* word) {
    expectRefused(text, ".vtk", from, to, word);
  };
  expect("# vtk", "# vkt", "legacy VTK file");
  expect("ASCII", "OTHER", "\"other\"");
  expect("POLYDATA", "UNSTRUCTURED_GRID", "DATASET POLYDATA");
  expect("POINTS 8 float", "POINTS 8 floating", "\"floating\"");
  expect("POINTS 8", "POINTS 2000000000", "truncated");
  expect("POINTS 8", "POINTS 7", "");
  expect("POLYGONS 7 24", "POLYGONS 6 24", "");
  expect("0 4 8 12", "0 9 8 12", "do not agree");
  expect("0 4 8 12", "0 4 8 1200", "do not agree");
  expect("0 2 3 1", "0 2 3 8", "index in polygon 0 is 8");
  expect("POINT_DATA 8", "POINT_DATA 9", "POINT_DATA of 9");
  expect("NORMALS", "NARMOLS", "a section of VTK");
}

TEST(MeshFiles, AnyDamageIsReadOrRefused)
{
  const std::pair<std::string, std::string> files[] = {
      {".obj", vertexLines("v ", " 1 0 0") + objWith("", "/1/1")},
      {".ply", plyFile(Encoding::Text, "float", "uchar", "int")},
      {".ply", plyFile(Encoding::Big, "double", "ushort", "uint")},
      {".stl", stlText()},
      {".stl", stlBinary("solid")},
      {".off", "OFF\n8 6 0\n" + vertexLines("", "") + faceLines("4", fromZero)},
      {".vtk", vtkFile(Encoding::Text, true, "float")},
      {".vtk", vtkFile(Encoding::Big, false, "float")}};
  std::mt19937 random(34);
  int refused = 0;
  for (int i = 0; i < 8000; ++i) {
    auto [extension, bytes] = files[i % 8];
    const std::size_t reach = i % 3 ? bytes.size() : bytes.size() / 2;
    for (int change = 0; change < 2; ++change)
      bytes[random() % reach] = static_cast<char>(random());
    try {
      const pcl::PolygonMesh mesh = parseMesh(bytes, extension);
      for (const pcl::Vertices& polygon : mesh.polygons)
        for (const int vertex : polygon.vertices)
          ASSERT_LT(static_cast<unsigned>(vertex), mesh.cloud.width);
    }
    catch (const pcl::IOException&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 2000);
}

} // namespace
