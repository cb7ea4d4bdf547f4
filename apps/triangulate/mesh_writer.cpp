// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "mesh_writer.h"

#include "../common/command_line/errors.h"
#include "../common/files/output_file.h"
#include "../common/view/poly_data.h"
#include "../common/view/vtk_messages.h"

#include <pcl/common/io.h>
#include <pcl/conversions.h>
#include <pcl/io/obj_io.h>
#include <pcl/io/pcd_io.h>
#include <pcl/io/ply_io.h>
#include <vtkNew.h>
#include <vtkPolyDataWriter.h>

#include <algorithm>
#include <fstream>

namespace pcl::gpu::apps {

namespace {

PolygonMesh
polygonMesh(const CompactMesh& mesh)
{
  PolygonMesh result;
  if (mesh.has_color)
    toPCLPointCloud2(mesh.vertices, result.cloud);
  else {
    PointCloud<PointNormal> vertices;
    copyPointCloud(mesh.vertices, vertices);
    toPCLPointCloud2(vertices, result.cloud);
  }
  const std::size_t step = mesh.vertices_per_polygon;
  result.polygons.resize(mesh.indices.size() / step);
  for (std::size_t i = 0; i < result.polygons.size(); ++i)
    result.polygons[i].vertices.assign(mesh.indices.begin() + i * step,
                                       mesh.indices.begin() + (i + 1) * step);
  return result;
}

bool
writeVtk(const CompactMesh& mesh, const std::string& path)
{
  VtkMessages::clear();
  vtkNew<vtkPolyDataWriter> writer;
  writer->SetInputData(polyData(mesh));
  writer->SetFileTypeToBinary();
  writer->SetFileName(path.c_str());
  return writer->Write() == 1 && writer->GetErrorCode() == 0;
}

// PCL writes no mesh without vertices, but one frame of a sequence may well show
// nothing.
bool
writeEmpty(const std::string& path, const std::string& extension)
{
  std::ofstream file(path, std::ios::binary);
  if (extension == ".ply")
    file << "ply\nformat binary_little_endian 1.0\nelement vertex 0\n"
            "property float x\nproperty float y\nproperty float z\n"
            "element face 0\nproperty list uchar int vertex_indices\nend_header\n";
  else
    file << "# no vertices\n";
  file.close();
  return static_cast<bool>(file);
}

} // namespace

CompactMesh
compactMesh(const TriangulatedFrame& frame)
{
  const int width = frame.cloud.width, height = frame.cloud.height;
  return compactMesh(frame, {0, 0, width, height});
}

CompactMesh
compactMesh(const TriangulatedFrame& frame, const PixelWindow& window)
{
  const int width = frame.cloud.width;
  const auto is_inside = [&](int pixel) {
    const int u = pixel % width, v = pixel / width;
    return u >= window.left && u < window.right && v >= window.top && v < window.bottom;
  };
  CompactMesh mesh;
  mesh.vertices_per_polygon = frame.vertices_per_polygon;
  mesh.has_color = frame.has_color;
  std::vector<int> vertex_of(frame.cloud.size(), -1);
  const int step = frame.vertices_per_polygon;
  for (auto corner = frame.indices.begin(); corner != frame.indices.end();
       corner += step) {
    if (!std::all_of(corner, corner + step, is_inside))
      continue;
    for (int i = 0; i < step; ++i) {
      int& vertex = vertex_of[corner[i]];
      if (vertex < 0) {
        vertex = static_cast<int>(mesh.vertices.size());
        mesh.vertices.push_back(frame.cloud[corner[i]]);
      }
      mesh.indices.push_back(vertex);
    }
  }
  // Hidden from the colour camera: grey stands out less than black.
  if (mesh.has_color)
    for (PointXYZRGBNormal& vertex : mesh.vertices)
      if (vertex.a == 0)
        vertex.r = vertex.g = vertex.b = 128;
  return mesh;
}

vtkSmartPointer<vtkPolyData>
polyData(const CompactMesh& mesh)
{
  PolyDataBuilder builder;
  for (const PointXYZRGBNormal& vertex : mesh.vertices) {
    builder.addPoint(vertex.getVector3fMap());
    builder.addNormal(vertex.getNormalVector3fMap());
    if (mesh.has_color)
      builder.addColor(vertex.r, vertex.g, vertex.b);
  }
  const std::size_t step = mesh.vertices_per_polygon;
  for (auto i = mesh.indices.begin(); i != mesh.indices.end(); i += step)
    if (step == 3)
      builder.addCell({i[0], i[1], i[2]});
    else
      builder.addCell({i[0], i[1], i[2], i[3]});
  return builder.data();
}

void
checkMeshExtension(const std::string& path)
{
  const std::string extension = extensionOf(path);
  if (extension != ".ply" && extension != ".vtk" && extension != ".obj")
    throw fileError(path, "unknown kind of mesh file", ".ply, .vtk or .obj");
}

void
writeMesh(const CompactMesh& mesh, const std::string& path)
{
  checkMeshExtension(path);
  const std::string extension = extensionOf(path);
  writeFile(path, [&](const std::string& temporary) {
    if (extension == ".vtk")
      return writeVtk(mesh, temporary);
    if (mesh.vertices.empty())
      return writeEmpty(temporary, extension);
    if (extension == ".obj")
      return io::saveOBJFile(temporary, polygonMesh(mesh), 7) == 0;
    return io::savePLYFileBinary(temporary, polygonMesh(mesh)) == 0;
  });
}

void
writeCloud(const TriangulatedFrame& frame, const std::string& path)
{
  writeFile(path, [&](const std::string& temporary) {
    if (frame.has_color)
      return PCDWriter().writeBinaryCompressed(temporary, frame.cloud) == 0;
    PointCloud<PointNormal> cloud;
    copyPointCloud(frame.cloud, cloud);
    return PCDWriter().writeBinaryCompressed(temporary, cloud) == 0;
  });
}

} // namespace pcl::gpu::apps
