// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "mesh_file.h"

#include "../command_line/errors.h"
#include "../files/output_file.h"
#include "mesh_formats.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/utils/internal/text_file.h>

namespace pcl::gpu::apps {

const char* const mesh_file_expectation =
    "a .ply, .obj, .stl, .off or .vtk file with polygons";

namespace {

struct MeshFormat {
  const char* extension;
  MeshData (*read)(std::string_view);
};

constexpr MeshFormat formats[] = {{".ply", readPly},
                                  {".obj", readObj},
                                  {".stl", readStl},
                                  {".off", readOff},
                                  {".vtk", readVtk}};

const MeshFormat*
findFormat(const std::string& extension)
{
  for (const MeshFormat& format : formats)
    if (extension == format.extension)
      return &format;
  return nullptr;
}

/** \brief Reads a mesh file by a function of its bytes. */
template <typename Parse>
auto
readFrom(const std::string& path, const Parse& parse)
{
  checkInputFile(path, mesh_file_expectation);
  if (!isMeshFile(path))
    throw fileError(path, "unknown kind of file", mesh_file_expectation);
  const std::string bytes =
      asInput([&] { return readFileBytes(path, mesh_file_expectation); });
  try {
    return parse(bytes);
  }
  catch (const IOException& error) {
    throw InputError(path + ": " + plainMessage(error));
  }
}

} // namespace

bool
isMeshFile(const std::string& path)
{
  return findFormat(extensionOf(path)) != nullptr;
}

PolygonMesh
readMeshFile(const std::string& path)
{
  return readFrom(path, [&](std::string_view bytes) {
    return parseMesh(bytes, extensionOf(path));
  });
}

PCLPointCloud2
readVertices(const std::string& path)
{
  return readFrom(path, [&](std::string_view bytes) {
    return toPointCloud(findFormat(extensionOf(path))->read(bytes));
  });
}

PolygonMesh
parseMesh(std::string_view bytes, const std::string& extension)
{
  const MeshFormat* const format = findFormat(extension);
  if (!format)
    PCL_THROW_EXCEPTION(IOException,
                        "unknown kind of file: expected " << mesh_file_expectation);
  return toPolygonMesh(format->read(bytes));
}

} // namespace pcl::gpu::apps
