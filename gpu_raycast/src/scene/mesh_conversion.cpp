// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scene/polygon_cutting.h"

#include <pcl/common/io.h>
#include <pcl/gpu/raycast/mesh_conversion.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

namespace pcl::gpu {

namespace {

using TextureCoordinates =
    std::vector<Eigen::Vector2f, Eigen::aligned_allocator<Eigen::Vector2f>>;

const PCLPointField*
findField(const PCLPointCloud2& cloud, const char* name)
{
  const int index = getFieldIndex(cloud, name);
  return index < 0 ? nullptr : &cloud.fields[index];
}

std::size_t
pointCount(const PCLPointCloud2& cloud)
{
  const std::size_t points = static_cast<std::size_t>(cloud.width) * cloud.height;
  constexpr std::size_t most = std::numeric_limits<int>::max();
  checkArgument(points <= most, "number of points", points, "fewer than 2^31");
  checkArgument(cloud.data.size() >= points * cloud.point_step,
                "size of the cloud's data",
                cloud.data.size(),
                "width * height * point_step bytes");
  return points;
}

/** \brief Checks that a field lies within its point. */
void
checkInside(const PCLPointCloud2& cloud, const PCLPointField& field, std::size_t bytes)
{
  checkArgument(field.offset + bytes <= cloud.point_step,
                ("offset of field " + field.name).c_str(),
                field.offset,
                "a place within point_step");
}

/** \brief Returns what is at an offset of a point. */
template <typename T>
T
valueAt(const PCLPointCloud2& cloud, std::size_t point, std::size_t offset)
{
  T value;
  std::memcpy(&value, &cloud.data[point * cloud.point_step + offset], sizeof value);
  return value;
}

/** \brief The numbers of one field, single or double precision. */
class NumberField {
public:
  NumberField(const PCLPointCloud2& cloud, const PCLPointField& field)
  : cloud_(cloud)
  , offset_(field.offset)
  , is_double_(field.datatype == PCLPointField::FLOAT64)
  {
    checkArgument(is_double_ || field.datatype == PCLPointField::FLOAT32,
                  ("data type of field " + field.name).c_str(),
                  static_cast<int>(field.datatype),
                  "7 (FLOAT32) or 8 (FLOAT64)");
    checkInside(cloud, field, is_double_ ? sizeof(double) : sizeof(float));
  }

  float
  at(std::size_t point) const
  {
    return is_double_ ? static_cast<float>(valueAt<double>(cloud_, point, offset_))
                      : valueAt<float>(cloud_, point, offset_);
  }

private:
  const PCLPointCloud2& cloud_;
  std::size_t offset_;
  bool is_double_;
};

/** \brief Three fields of all points; empty if one of them is missing. */
std::vector<PointXYZ>
readVectors(const PCLPointCloud2& cloud, const char* const (&names)[3])
{
  std::vector<NumberField> fields;
  for (const char* name : names)
    if (const PCLPointField* field = findField(cloud, name))
      fields.emplace_back(cloud, *field);
  if (fields.size() < 3)
    return {};
  std::vector<PointXYZ> vectors;
  vectors.reserve(pointCount(cloud));
  for (std::size_t i = 0; i < pointCount(cloud); ++i)
    vectors.emplace_back(fields[0].at(i), fields[1].at(i), fields[2].at(i));
  return vectors;
}

std::vector<PointXYZ>
readPositions(const PCLPointCloud2& cloud)
{
  for (const char* name : {"x", "y", "z"})
    checkArgument(findField(cloud, name) != nullptr,
                  (std::string("field ") + name).c_str(),
                  "missing",
                  "a cloud with x, y and z");
  return readVectors(cloud, {"x", "y", "z"});
}

std::vector<RGB>
readColors(const PCLPointCloud2& cloud)
{
  const PCLPointField* const rgba = findField(cloud, "rgba");
  const PCLPointField* const field = rgba ? rgba : findField(cloud, "rgb");
  if (!field)
    return {};
  checkInside(cloud, *field, sizeof(std::uint32_t));
  std::vector<RGB> colors(pointCount(cloud));
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const auto bytes = valueAt<std::uint32_t>(cloud, i, field->offset);
    colors[i].rgba = rgba ? bytes : bytes | 0xff000000u;
  }
  return colors;
}

/** \brief Throws about an argument; its name is put together only where it is
 * needed. */
template <typename T>
void
refuse(const std::string& name, const T& value, const char* expectation)
{
  checkArgument(false, name.c_str(), value, expectation);
}

std::string
polygonName(int sub_mesh, std::size_t polygon)
{
  return (sub_mesh < 0 ? "" : "sub-mesh " + std::to_string(sub_mesh) + ", ") +
         "polygon " + std::to_string(polygon);
}

/** \brief A mesh in host memory, on its way to the device. */
class MeshBuilder {
public:
  explicit MeshBuilder(const PCLPointCloud2& cloud)
  : point_count_(pointCount(cloud))
  , vertices_(readPositions(cloud))
  , normals_(readVectors(cloud, {"normal_x", "normal_y", "normal_z"}))
  , colors_(readColors(cloud))
  {
    for (std::size_t i = 0; i < vertices_.size(); ++i)
      origin_.points.push_back(static_cast<int>(i));
  }

  /** \brief Gives all vertices texture coordinates: none of their own yet. */
  void
  useTexture()
  {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    coordinates_.assign(vertices_.size(), {nan, nan});
    next_copy_.assign(vertices_.size(), unused);
  }

  /** \brief Checks a polygon.
   * \param[in] sub_mesh -1 where there are none
   */
  void
  checkPolygon(const Indices& polygon, int sub_mesh, std::size_t number) const
  {
    if (polygon.size() < 3)
      refuse("number of vertices of " + polygonName(sub_mesh, number),
             polygon.size(),
             "3 or more");
    for (const index_t index : polygon)
      if (index < 0 || static_cast<std::size_t>(index) >= point_count_)
        refuse("index in " + polygonName(sub_mesh, number),
               index,
               "a point of the mesh's cloud");
  }

  /** \brief The vertex that is a point with given texture coordinates, maybe a new
   * one. */
  index_t
  vertexWith(index_t point, TextureCoordinate wanted)
  {
    int vertex = point;
    if (next_copy_[vertex] == unused) {
      next_copy_[vertex] = last;
      coordinates_[vertex] = wanted;
      return vertex;
    }
    // A point has few copies: they are a chain that starts at itself.
    while (std::memcmp(&coordinates_[vertex], &wanted, sizeof wanted) != 0) {
      if (next_copy_[vertex] == last) {
        next_copy_[vertex] = copyOf(point, wanted);
        return next_copy_[vertex];
      }
      vertex = next_copy_[vertex];
    }
    return vertex;
  }

  void
  addPolygon(const Indices& polygon, int sub_mesh, std::size_t number)
  {
    if (polygon.size() == 3)
      addTriangle(polygon[0], polygon[1], polygon[2], sub_mesh, number);
    else {
      corners_.clear();
      for (const index_t vertex : polygon)
        corners_.push_back(vertices_[vertex].getVector3fMap().cast<double>());
      for (const auto& [a, b, c] : cutPolygon(corners_))
        addTriangle(polygon[a], polygon[b], polygon[c], sub_mesh, number);
    }
  }

  TriangleMesh
  upload(TriangleMeshOrigin* origin)
  {
    TriangleMesh mesh;
    mesh.vertices.upload(vertices_);
    mesh.triangles.upload(indices_);
    mesh.normals.upload(normals_);
    mesh.colors.upload(colors_);
    mesh.texture_coordinates.upload(coordinates_);
    if (origin)
      *origin = std::move(origin_);
    return mesh;
  }

private:
  /** \brief In place of the next copy of a vertex: it has no coordinates yet. */
  static constexpr int unused = -2;
  /** \brief In place of the next copy of a vertex: there is none. */
  static constexpr int last = -1;

  void
  addTriangle(index_t a, index_t b, index_t c, int sub_mesh, std::size_t number)
  {
    for (const index_t vertex : {a, b, c})
      indices_.push_back(static_cast<int>(vertex));
    origin_.sub_meshes.push_back(std::max(sub_mesh, 0));
    origin_.polygons.push_back(static_cast<int>(number));
  }

  int
  copyOf(index_t point, TextureCoordinate coordinate)
  {
    vertices_.push_back(vertices_[point]);
    if (!normals_.empty())
      normals_.push_back(normals_[point]);
    if (!colors_.empty())
      colors_.push_back(colors_[point]);
    coordinates_.push_back(coordinate);
    next_copy_.push_back(last);
    origin_.points.push_back(static_cast<int>(point));
    return static_cast<int>(vertices_.size() - 1);
  }

  std::size_t point_count_;
  std::vector<PointXYZ> vertices_;
  std::vector<PointXYZ> normals_;
  std::vector<RGB> colors_;
  std::vector<TextureCoordinate> coordinates_;
  std::vector<int> next_copy_;
  std::vector<int> indices_;
  std::vector<Eigen::Vector3d> corners_; ///< of a polygon
  TriangleMeshOrigin origin_;
};

/** \brief Returns the texture coordinates of the corners of a sub-mesh's polygons;
 * empty for polygons without any.
 * \param[in] all coordinates of the mesh
 */
std::vector<std::vector<TextureCoordinate>>
cornersOf(const TextureMesh& mesh,
          std::size_t sub_mesh,
          const std::vector<TextureCoordinate>& all)
{
  const std::string name = "sub-mesh " + std::to_string(sub_mesh);
  const std::vector<Vertices>& polygons = mesh.tex_polygons[sub_mesh];
  std::vector<std::vector<TextureCoordinate>> corners(polygons.size());
  if (sub_mesh < mesh.tex_coord_indices.size() &&
      !mesh.tex_coord_indices[sub_mesh].empty()) {
    const std::vector<Vertices>& indices = mesh.tex_coord_indices[sub_mesh];
    if (indices.size() != polygons.size())
      refuse("number of tex_coord_indices of " + name,
             indices.size(),
             "one for each polygon");
    for (std::size_t i = 0; i < polygons.size(); ++i) {
      const Indices& own = indices[i].vertices;
      const auto polygon = [&] { return polygonName(static_cast<int>(sub_mesh), i); };
      if (!own.empty() && own.size() != polygons[i].vertices.size())
        refuse("number of texture coordinates of " + polygon(),
               own.size(),
               "one for each corner, or none");
      for (const index_t index : own) {
        if (index < 0 || static_cast<std::size_t>(index) >= all.size())
          refuse("texture coordinate's index in " + polygon(),
                 index,
                 "one of the mesh's tex_coordinates");
        corners[i].push_back(all[index]);
      }
    }
    return corners;
  }
  if (sub_mesh >= mesh.tex_coordinates.size() || mesh.tex_coordinates[sub_mesh].empty())
    return corners;
  const TextureCoordinates& own = mesh.tex_coordinates[sub_mesh];
  std::size_t count = 0;
  for (const Vertices& polygon : polygons)
    count += polygon.vertices.size();
  if (own.size() != count)
    refuse("number of tex_coordinates of " + name,
           own.size(),
           "one for each corner of its polygons, or none");
  auto next = own.begin();
  for (std::size_t i = 0; i < polygons.size(); ++i)
    for (std::size_t c = 0; c < polygons[i].vertices.size(); ++c, ++next)
      corners[i].push_back({next->x(), next->y()});
  return corners;
}

} // namespace

TriangleMesh
toTriangleMesh(const PolygonMesh& mesh, TriangleMeshOrigin* origin)
{
  MeshBuilder builder(mesh.cloud);
  for (std::size_t i = 0; i < mesh.polygons.size(); ++i) {
    builder.checkPolygon(mesh.polygons[i].vertices, -1, i);
    builder.addPolygon(mesh.polygons[i].vertices, -1, i);
  }
  return builder.upload(origin);
}

TriangleMesh
toTriangleMesh(const TextureMesh& mesh, TriangleMeshOrigin* origin)
{
  const float nan = std::numeric_limits<float>::quiet_NaN();
  MeshBuilder builder(mesh.cloud);
  std::vector<TextureCoordinate> coordinates;
  for (const TextureCoordinates& of_sub_mesh : mesh.tex_coordinates)
    for (const Eigen::Vector2f& coordinate : of_sub_mesh)
      coordinates.push_back({coordinate.x(), coordinate.y()});
  if (!coordinates.empty())
    builder.useTexture();
  for (std::size_t s = 0; s < mesh.tex_polygons.size(); ++s) {
    const int sub_mesh = static_cast<int>(s);
    const auto corners = cornersOf(mesh, s, coordinates);
    for (std::size_t i = 0; i < mesh.tex_polygons[s].size(); ++i) {
      Indices polygon = mesh.tex_polygons[s][i].vertices;
      builder.checkPolygon(polygon, sub_mesh, i);
      if (!coordinates.empty())
        for (std::size_t c = 0; c < polygon.size(); ++c)
          polygon[c] = builder.vertexWith(
              polygon[c],
              corners[i].empty() ? TextureCoordinate{nan, nan} : corners[i][c]);
      builder.addPolygon(polygon, sub_mesh, i);
    }
  }
  return builder.upload(origin);
}

} // namespace pcl::gpu
