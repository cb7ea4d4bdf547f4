// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "mesh_file.h"

#include "../command_line/errors.h"
#include "../files/output_file.h"
#include "mesh_formats.h"

#include <pcl/exceptions.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

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

std::string
readBytes(const std::string& path)
{
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw fileError(path, std::strerror(errno), mesh_file_expectation);
  std::string bytes{std::istreambuf_iterator<char>(file),
                    std::istreambuf_iterator<char>()};
  if (file.bad())
    throw fileError(path, "cannot be read", mesh_file_expectation);
  return bytes;
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
  checkInputFile(path, mesh_file_expectation);
  if (!isMeshFile(path))
    throw fileError(path, "unknown kind of file", mesh_file_expectation);
  try {
    return parseMesh(readBytes(path), extensionOf(path));
  }
  catch (const IOException& error) {
    throw InputError(path + ": " + plainMessage(error));
  }
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
