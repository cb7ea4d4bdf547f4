// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "reference.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace pcl::gpu::test {

namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

bool
inside(int v, int u, int rows, int columns)
{
  return v >= 0 && v < rows && u >= 0 && u < columns;
}

Eigen::Vector3d
vectorOf(const PointXYZ& p)
{
  return {p.x, p.y, p.z};
}

} // namespace

double
referenceDisparityDepth(int disparity,
                        double baseline,
                        double focal_length,
                        double offset)
{
  if (disparity == 2047 || disparity >= offset)
    return no_value;
  return baseline * focal_length / ((offset - disparity) / 8.0);
}

Image<double>
referenceFilter(const Image<double>& depth, const ReferenceFilter& filter)
{
  const auto measured = [](double z) { return std::isfinite(z) && z > 0.0; };
  Image<double> filtered(depth.rows, depth.columns, no_value);
  for (int v = 0; v < depth.rows; ++v)
    for (int u = 0; u < depth.columns; ++u) {
      const double center = depth.at(v, u);
      if (!measured(center))
        continue;
      const double sigma_r = filter.sigma_r + filter.sigma_r_growth * center * center;
      double sum = 0.0;
      double weights = 0.0;
      for (int y = v - filter.radius; y <= v + filter.radius; ++y)
        for (int x = u - filter.radius; x <= u + filter.radius; ++x) {
          if (!inside(y, x, depth.rows, depth.columns) || !measured(depth.at(y, x)))
            continue;
          const double s = std::hypot(y - v, x - u) / filter.sigma_s;
          const double r = (depth.at(y, x) - center) / sigma_r;
          const double weight = std::exp(-0.5 * s * s) * std::exp(-0.5 * r * r);
          sum += weight * depth.at(y, x);
          weights += weight;
        }
      filtered.at(v, u) = sum / weights;
    }
  return filtered;
}

Eigen::Vector3d
referencePoint(double z, int v, int u, const PinholeCamera& camera)
{
  return {z * (u - static_cast<double>(camera.cx)) / camera.fx,
          z * (v - static_cast<double>(camera.cy)) / camera.fy,
          z};
}

double
angleBetween(const Eigen::Vector3d& a, const Eigen::Vector3d& b)
{
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

ReferencePlane
referencePlane(const Image<PointXYZ>& cloud,
               int v,
               int u,
               const ReferenceWindow& window)
{
  ReferencePlane plane;
  const Eigen::Vector3d center = vectorOf(cloud.at(v, u));
  if (!center.allFinite())
    return plane;

  std::vector<Eigen::Vector3d> points;
  for (int y = v - window.radius; y <= v + window.radius; ++y)
    for (int x = u - window.radius; x <= u + window.radius; ++x) {
      if (!inside(y, x, cloud.rows, cloud.columns))
        continue;
      const Eigen::Vector3d q = vectorOf(cloud.at(y, x));
      if (!q.allFinite())
        continue;
      if (std::isfinite(window.max_depth_change_factor)) {
        const double change = std::abs(q.z() - center.z());
        const double limit = window.max_depth_change_factor * std::abs(center.z());
        if (std::abs(change - limit) <= 2e-7 * std::abs(center.z()))
          plane.unsure = true;
        if (change > limit)
          continue;
      }
      points.push_back(q);
    }
  if (points.size() < 3)
    return plane;

  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const auto& q : points)
    mean += (q - center) / static_cast<double>(points.size());
  mean += center;
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
  for (const auto& q : points)
    covariance += (q - mean) * (q - mean).transpose();
  covariance /= static_cast<double>(points.size());

  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(covariance);
  const Eigen::Vector3d values = solver.eigenvalues();
  const double noise = std::pow(std::ldexp(1.0, -22) * center.norm(), 2);
  // On lines there is no normal.
  plane.exists = values(1) > noise;
  plane.unsure |= values(1) > noise / 4.0 && values(1) < noise * 4.0;
  if (!plane.exists)
    return plane;
  // With two least eigenvalues alike every direction between theirs is the normal; the
  // closer they are, the more digits a solution in double precision loses.
  plane.unsure |= values(1) - values(0) < 1e-7 * values(2);

  const Eigen::Vector3d to_viewpoint = window.viewpoint - center;
  plane.normal = solver.eigenvectors().col(0);
  const double towards = plane.normal.dot(to_viewpoint);
  plane.sign_unsure = std::abs(towards) <= 1e-6 * to_viewpoint.norm();
  if (towards < 0.0)
    plane.normal = -plane.normal;
  plane.curvature = std::max(values(0), 0.0) / values.sum();
  return plane;
}

namespace {

/** \brief Mean and population deviation. */
struct Spread {
  double mean = no_value;
  double deviation = no_value;

  explicit Spread(const std::vector<double>& values)
  {
    if (values.empty())
      return;
    mean = 0.0;
    for (double value : values)
      mean += value / static_cast<double>(values.size());
    double variance = 0.0;
    for (double value : values)
      variance += (value - mean) * (value - mean) / static_cast<double>(values.size());
    deviation = std::sqrt(variance);
  }
};

} // namespace

ReferenceStatistics
referenceStatistics(const Image<PointXYZ>& cloud,
                    const Image<PointXYZ>& normals,
                    int neighbors)
{
  struct OverNeighbors {
    std::vector<double> spacings, nearest, angles;
  } over;
  const int lines[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
  const auto at = [&](const Image<PointXYZ>& image, int v, int u) -> Eigen::Vector3d {
    return inside(v, u, image.rows, image.columns)
               ? vectorOf(image.at(v, u))
               : Eigen::Vector3d::Constant(no_value);
  };
  const auto mean = [](const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / values.size();
  };
  for (int v = 0; v < cloud.rows; ++v)
    for (int u = 0; u < cloud.columns; ++u) {
      const Eigen::Vector3d p = at(cloud, v, u);
      std::vector<double> nearer, angles;
      for (int line = 0; line < neighbors / 2; ++line) {
        std::vector<double> ends;
        for (int side : {-1, 1}) {
          const int y = v + side * lines[line][1];
          const int x = u + side * lines[line][0];
          const Eigen::Vector3d q = at(cloud, y, x);
          if (p.allFinite() && q.allFinite())
            ends.push_back((p - q).norm());
          if (normals.data.empty())
            continue;
          const Eigen::Vector3d n = at(normals, v, u), m = at(normals, y, x);
          if (n.allFinite() && m.allFinite())
            angles.push_back(angleBetween(n, m));
        }
        if (!ends.empty())
          nearer.push_back(*std::min_element(ends.begin(), ends.end()));
      }
      if (!nearer.empty()) {
        over.spacings.push_back(mean(nearer) / p.norm());
        over.nearest.push_back(*std::min_element(nearer.begin(), nearer.end()));
      }
      if (!angles.empty())
        over.angles.push_back(mean(angles));
    }
  const Spread spacing(over.spacings);
  const Spread angle(over.angles);
  return {spacing.mean,
          spacing.deviation,
          Spread(over.nearest).mean,
          angle.mean,
          angle.deviation,
          static_cast<unsigned int>(over.spacings.size()),
          static_cast<unsigned int>(over.angles.size())};
}

namespace {

enum class Verdict { No, Unsure, Yes };

Verdict
both(Verdict a, Verdict b)
{
  return std::min(a, b);
}

Verdict
either(Verdict a, Verdict b)
{
  return std::max(a, b);
}

/** \brief value <= limit, unless they are too close to decide. */
Verdict
atMost(double value, double limit)
{
  if (std::isnan(value))
    return Verdict::No;
  if (std::isinf(limit))
    return Verdict::Yes;
  if (std::abs(value - limit) <= 1e-6 * std::abs(limit))
    return Verdict::Unsure;
  return value < limit ? Verdict::Yes : Verdict::No;
}

class EdgeJudge {
public:
  EdgeJudge(const Image<PointXYZ>& cloud,
            const Image<PointXYZ>& normals,
            const ReferenceMesh& mesh)
  : cloud_(cloud)
  , normals_(normals)
  , mesh_(mesh)
  {}

  Verdict
  judge(int i, int j) const
  {
    const Eigen::Vector3d p = vectorOf(cloud_.data[std::min(i, j)]);
    const Eigen::Vector3d q = vectorOf(cloud_.data[std::max(i, j)]);
    if (!p.allFinite() || !q.allFinite())
      return Verdict::No;
    const Eigen::Vector3d ray = p - mesh_.viewpoint;
    const double distance =
        mesh_.depth_is_distance ? std::max(p.z(), q.z()) : ray.norm();
    const double longest = mesh_.max_edge_length +
                           mesh_.max_edge_length_linear * distance +
                           mesh_.max_edge_length_squared * distance * distance;
    Verdict verdict = atMost((q - p).norm(), longest);
    if (mesh_.follows_surface)
      verdict =
          either(verdict, continuesSurface(std::min(i, j), std::max(i, j), longest));
    if (mesh_.angle_tolerance > 0.0) {
      const double cosine = std::abs(ray.dot(q - p)) / (ray.norm() * (q - p).norm());
      Verdict angle = atMost(cosine, std::cos(mesh_.angle_tolerance));
      if (mesh_.distance_tolerance > 0.0) {
        const double growth =
            mesh_.tolerance_is_depth_dependent ? distance * distance : 1.0;
        angle =
            either(angle, atMost((q - p).norm(), mesh_.distance_tolerance * growth));
      }
      verdict = both(verdict, angle);
    }
    if (!normals_.data.empty()) {
      const Eigen::Vector3d n = vectorOf(normals_.data[std::min(i, j)]);
      const Eigen::Vector3d m = vectorOf(normals_.data[std::max(i, j)]);
      if (!n.allFinite() || !m.allFinite())
        return Verdict::No;
      verdict = both(verdict, atMost(angleBetween(n, m), mesh_.max_normal_angle));
    }
    return verdict;
  }

  double
  length(int i, int j) const
  {
    return (vectorOf(cloud_.data[i]) - vectorOf(cloud_.data[j])).norm();
  }

  /** \brief Adds the polygon to the quad if all its edges are valid. */
  void
  add(const Polygon& polygon, ReferenceQuad& quad) const
  {
    const int vertices = polygon[3] < 0 ? 3 : 4;
    Verdict verdict = Verdict::Yes;
    for (int i = 0; i < vertices; ++i)
      verdict = both(verdict, judge(polygon[i], polygon[(i + 1) % vertices]));
    if (verdict == Verdict::Unsure)
      quad.unsure = true;
    if (verdict == Verdict::Yes)
      quad.polygons.push_back(polygon);
  }

private:
  /** \brief Whether the surface through the points beyond either end, up to four, comes
   * within \a tolerance of the other end. */
  Verdict
  continuesSurface(int i, int j, double tolerance) const
  {
    const int columns = cloud_.columns;
    const int rows_on = j / columns - i / columns;
    const int columns_on = j % columns - i % columns;
    // Inverse distance at the pixel so many edges from i.
    const auto inverse = [&](int edges) {
      const int v = i / columns + edges * rows_on;
      const int u = i % columns + edges * columns_on;
      return inside(v, u, cloud_.rows, columns)
                 ? 1.0 / (vectorOf(cloud_.at(v, u)) - mesh_.viewpoint).norm()
                 : no_value;
    };
    // At the pixel before the first, on the line through that and the next ones.
    const auto foretold = [&](int first, int step) {
      std::vector<double> values;
      while (values.size() < 5 &&
             std::isfinite(inverse(first + int(values.size()) * step)))
        values.push_back(inverse(first + int(values.size()) * step));
      if (values.size() < 3)
        return no_value;
      Eigen::MatrixX2d line(values.size(), 2);
      line.col(0).setOnes();
      line.col(1).setLinSpaced(0.0, values.size() - 1.0);
      const Eigen::Vector2d fit = line.colPivHouseholderQr().solve(
          Eigen::Map<const Eigen::VectorXd>(values.data(), values.size()));
      return fit[0] - fit[1];
    };
    const double p = inverse(0), q = inverse(1);
    const auto verdict = [&](double predicted, double actual) {
      const double error = std::abs(predicted - actual) / (p * q);
      return std::abs(error - tolerance) <= 1e-5 / actual ? Verdict::Unsure
                                                          : atMost(error, tolerance);
    };
    const double from_p = foretold(0, -1);
    const double from_q = foretold(1, 1);
    if (rows_on != 0 && columns_on != 0 && std::isnan(from_p) && std::isnan(from_q))
      return Verdict::Yes;
    return either(verdict(from_p, q), verdict(from_q, p));
  }

  const Image<PointXYZ>& cloud_;
  const Image<PointXYZ>& normals_;
  const ReferenceMesh& mesh_;
};

} // namespace

void
ReferenceMesh::setDynamicThresholds(const ReferenceStatistics& statistics,
                                    double length_factor,
                                    double angle_factor,
                                    double least_ratio,
                                    double least_angle)
{
  max_edge_length = 0.0;
  max_edge_length_linear =
      std::max(statistics.mean_spacing + length_factor * statistics.spacing_deviation,
               least_ratio * statistics.mean_spacing);
  follows_surface = true;
  max_normal_angle = std::max(
      statistics.mean_angle + angle_factor * statistics.angle_deviation, least_angle);
}

std::vector<ReferenceQuad>
referenceMesh(const Image<PointXYZ>& cloud,
              const Image<PointXYZ>& normals,
              const ReferenceMesh& mesh)
{
  const EdgeJudge judge(cloud, normals, mesh);
  std::vector<ReferenceQuad> quads;
  for (int v = 0; v + mesh.row_step < cloud.rows; v += mesh.row_step)
    for (int u = 0; u + mesh.column_step < cloud.columns; u += mesh.column_step) {
      const int own = v * cloud.columns + u;
      const int right = own + mesh.column_step;
      const int down = own + mesh.row_step * cloud.columns;
      const int far = down + mesh.column_step;

      ReferenceQuad left_cut{v, u, false, {}};
      judge.add({own, down, right, -1}, left_cut);
      judge.add({right, down, far, -1}, left_cut);
      ReferenceQuad right_cut{v, u, false, {}};
      judge.add({own, far, right, -1}, right_cut);
      judge.add({own, down, far, -1}, right_cut);
      ReferenceQuad whole{v, u, false, {}};
      judge.add({own, down, far, right}, whole);

      if (mesh.cut == Cut::Left)
        quads.push_back(left_cut);
      else if (mesh.cut == Cut::Right)
        quads.push_back(right_cut);
      else if (mesh.cut == Cut::Quad)
        quads.push_back(whole);
      else {
        const double left_length = judge.length(right, down);
        const double right_length = judge.length(own, far);
        const auto in_left = left_cut.polygons.size();
        const auto in_right = right_cut.polygons.size();
        const bool prefer_right =
            in_right > in_left || (in_right == in_left && right_length < left_length);
        ReferenceQuad chosen = prefer_right ? right_cut : left_cut;
        chosen.unsure = left_cut.unsure || right_cut.unsure ||
                        (in_left == in_right && in_left > 0 &&
                         std::abs(left_length - right_length) <= 1e-6 * left_length);
        quads.push_back(chosen);
      }
    }
  return quads;
}

} // namespace pcl::gpu::test
