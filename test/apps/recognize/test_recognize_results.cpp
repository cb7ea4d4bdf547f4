// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// The contents of the program's files.

#include "apps/program.h"
#include "apps/recognize/recognize_scenes.h"

#include <pcl/gpu/utils/image_file.h>
#include <pcl/io/pcd_io.h>
#include <pcl/io/ply_io.h>
#include <pcl/point_types.h>

#include <boost/property_tree/json_parser.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

using Json = boost::property_tree::ptree;

const std::string camera = " --camera 525,525,159.5,119.5,320,240 ";

class RecognizeResults : public ::testing::Test {
protected:
  // A library that all tests read takes some time to learn.
  static void
  SetUpTestSuite()
  {
    folder_ = new TemporaryFolder;
    pcl::io::savePLYFileBinary(folder_->path("angle.ply"), angleMesh());
    pcl::io::savePLYFileBinary(folder_->path("ring.ply"), ringMesh());
    scene_ = renderScene();
    writeDepthPng(folder_->path("scene.png"), scene_);
    const ProgramResult result = expectSuccess(
        "learn a.library angle.ply ring.ply --views 16 --tensors 100 --timings l.json" +
        camera);
    EXPECT_NE(result.output.find("angle: 16 views, "), std::string::npos);
    EXPECT_NE(result.output.find("a.library: 2 models, "), std::string::npos);
    EXPECT_EQ(readJson("l.json").get<std::string>("device").rfind("host (", 0), 0u);
  }

  static void
  TearDownTestSuite()
  {
    delete folder_;
    folder_ = nullptr;
  }

  static ProgramResult
  expectSuccess(const std::string& arguments)
  {
    const ProgramResult result = runProgram(
        PCL_GPU_RECOGNIZE " " + arguments + " --device host", folder_->path());
    EXPECT_EQ(result.exit_code, 0) << arguments << ": " << result.errors;
    EXPECT_EQ(result.errors, "") << arguments;
    return result;
  }

  static Json
  readJson(const std::string& name)
  {
    Json json;
    boost::property_tree::read_json(folder_->path(name), json);
    return json;
  }

  static Pose
  poseOf(const Json& object)
  {
    Eigen::Matrix4f matrix = Eigen::Matrix4f::Zero();
    int row = 0;
    for (const auto& numbers : object.get_child("pose")) {
      int column = 0;
      for (const auto& number : numbers.second)
        matrix(row, column++) = number.second.get_value<float>();
      EXPECT_EQ(column, 4);
      ++row;
    }
    EXPECT_EQ(row, 4);
    EXPECT_EQ(matrix.row(3), Eigen::RowVector4f(0, 0, 0, 1));
    return Pose(matrix);
  }

  /** \brief Checks that the block alone is found, at its place. */
  static void
  expectAngle(const Json& scene)
  {
    const Json& objects = scene.get_child("objects");
    ASSERT_EQ(objects.size(), 1u);
    const Json& object = objects.front().second;
    EXPECT_EQ(object.get<std::string>("model"), "angle");
    const Pose error = angleInScene().inverse() * poseOf(object);
    EXPECT_LT(error.translation().norm(), 0.005f);
    EXPECT_LT(Eigen::AngleAxisf(error.linear()).angle(), 2.0f * M_PI / 180.0f);
    EXPECT_EQ(object.get<int>("label"), 1);
    EXPECT_GT(object.get<double>("support"), 0.0);
    EXPECT_GE(object.get<double>("confidence"), 0.4);
    EXPECT_GT(object.get<double>("fit"), 0.55);
    EXPECT_GT(object.get<double>("visible"), 0.4);
    EXPECT_GT(object.get<int>("inliers"), 40);
  }

  static TemporaryFolder* folder_;
  static std::vector<float> scene_;
};

TemporaryFolder* RecognizeResults::folder_ = nullptr;
std::vector<float> RecognizeResults::scene_;

TEST_F(RecognizeResults, HelpAndVersion)
{
  const ProgramResult all = runProgram(PCL_GPU_RECOGNIZE " --help", folder_->path());
  EXPECT_EQ(all.exit_code, 0);
  EXPECT_NE(all.output.find("SUBCOMMAND"), std::string::npos);
  for (const std::string subcommand :
       {"learn", "recognize", "info", "confusion", "register"}) {
    const ProgramResult help = expectSuccess(subcommand + " --help");
    for (const std::string& part : {std::string("NAME"),
                                    "pcl_gpu_recognize " + subcommand + " ",
                                    std::string("EXAMPLES"),
                                    std::string("EXIT STATUS"),
                                    std::string("--device")})
      EXPECT_NE(help.output.find(part), std::string::npos) << part;
    EXPECT_EQ(help.output.find("--input"), std::string::npos);
    EXPECT_EQ(
        expectSuccess(subcommand + " --version").output.rfind("pcl_gpu_recognize ", 0),
        0u);
  }
}

TEST_F(RecognizeResults, ObjectInADepthMap)
{
  const ProgramResult result = expectSuccess(
      "recognize a.library scene.png -o r.json --labels l- --timings t.json" + camera);
  EXPECT_NE(result.output.find("1 object"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("angle"), std::string::npos);
  const Json json = readJson("r.json");
  ASSERT_EQ(json.get_child("scenes").size(), 1u);
  const Json& scene = json.get_child("scenes").front().second;
  EXPECT_EQ(scene.get<std::string>("file"), "scene.png");
  EXPECT_GT(scene.get<int>("tensors"), 100);
  EXPECT_LE(scene.get<int>("tensors"), 6000);
  expectAngle(scene);
  EXPECT_EQ(readJson("t.json").get<std::string>("program"), "pcl_gpu_recognize");

  pcl::PointCloud<pcl::PointXYZL> cloud;
  ASSERT_EQ(pcl::io::loadPCDFile(folder_->path("l-scene.pcd"), cloud), 0);
  ASSERT_EQ(cloud.width, 320u);
  ASSERT_EQ(cloud.height, 240u);
  int right = 0, wrong = 0, missed = 0;
  for (int v = 0; v < 240; ++v)
    for (int u = 0; u < 320; ++u) {
      const auto& point = cloud(u, v);
      const float depth = scene_[v * 320 + u];
      ASSERT_LE(point.label, 1u);
      const bool is_object = depth < 1.3f;
      right += is_object && point.label == 1;
      missed += is_object && point.label == 0;
      wrong += !is_object && point.label == 1;
      if (is_object && std::isfinite(point.z)) {
        EXPECT_NEAR(point.z, depth, 0.02f) << u << " " << v;
      }
    }
  EXPECT_GT(right, 8 * missed);
  EXPECT_EQ(wrong, 0);
}

TEST_F(RecognizeResults, CloudsAndGraymapsAreTheSameScene)
{
  writeDepthPcd(folder_->path("sensor.pcd"), scene_, angleInScene());
  writeDepthPcd(folder_->path("moved.pcd"), scene_, angleInScene(), true);
  const std::vector<std::uint16_t> depth = toMillimetres(scene_);
  std::string pgm = "P5\n# a comment\n320 240\n65535\n";
  for (const std::uint16_t z : depth) {
    pgm += static_cast<char>(z >> 8);
    pgm += static_cast<char>(z & 255);
  }
  writeFile(folder_->path("scene.pgm"), pgm);
  expectSuccess("recognize a.library scene.pgm scene.png -o r.json" + camera);
  const Json json = readJson("r.json");
  ASSERT_EQ(json.get_child("scenes").size(), 2u);
  const Json& first = json.get_child("scenes").front().second;
  const Json& second = json.get_child("scenes").back().second;
  EXPECT_EQ(first.get_child("objects"), second.get_child("objects"));
  expectAngle(first);

  // The camera is what the points say, in either frame.
  expectSuccess("recognize a.library sensor.pcd moved.pcd -o s.json --labels l-");
  const Json clouds = readJson("s.json");
  for (const auto& cloud : clouds.get_child("scenes")) {
    EXPECT_NEAR(
        cloud.second.get_child("camera").front().second.get_value<float>(), 525.0, 0.1);
    expectAngle(cloud.second);
  }
  EXPECT_EQ(readFile(folder_->path("l-sensor.pcd")).substr(0, 20),
            "# .PCD v0.7 - Point ");
  // Labelled clouds are seen from the same place.
  pcl::PointCloud<pcl::PointXYZ> moved, labelled;
  ASSERT_EQ(pcl::io::loadPCDFile(folder_->path("moved.pcd"), moved), 0);
  ASSERT_EQ(pcl::io::loadPCDFile(folder_->path("l-moved.pcd"), labelled), 0);
  EXPECT_LT((labelled.sensor_origin_ - moved.sensor_origin_).norm(), 1e-5f);
  EXPECT_LT(labelled.sensor_orientation_.angularDistance(moved.sensor_orientation_),
            1e-3f);

  // Zeros are missing in any frame.
  for (const float missing : {NAN, 0.0f}) {
    for (std::uint32_t i = 0; i < 40 * moved.width; ++i)
      moved[i].x = moved[i].y = moved[i].z = missing;
    pcl::io::savePCDFileBinary(folder_->path(missing == 0.0f ? "zeros.pcd" : "nan.pcd"),
                               moved);
  }
  expectSuccess("recognize a.library nan.pcd zeros.pcd -o z.json");
  const Json holes = readJson("z.json");
  EXPECT_EQ(holes.get_child("scenes").front().second.get_child("objects"),
            holes.get_child("scenes").back().second.get_child("objects"));
}

TEST_F(RecognizeResults, SameSeedSameObjects)
{
  const auto recognize = [](const std::string& seed) {
    expectSuccess("recognize a.library scene.png -o r.json --repeat 2 --tensors 200 "
                  "--seed " +
                  seed + camera);
    return readJson("r.json").get_child("scenes").front().second.get_child("objects");
  };
  const Json first = recognize("1");
  EXPECT_EQ(recognize("1"), first);
  EXPECT_NE(recognize("2"), first);
}

TEST_F(RecognizeResults, AMaskHidesObjects)
{
  const PinholeCamera seen = smallCamera();
  pcl::gpu::ColorImage all, none;
  all.width = none.width = seen.width;
  all.height = none.height = seen.height;
  all.pixels.resize(static_cast<std::size_t>(seen.width) * seen.height);
  none.pixels = all.pixels;
  for (pcl::RGB& pixel : all.pixels)
    pixel.g = 1;
  // The object's middle, and all around it.
  const Eigen::Vector3f at = angleInScene().translation();
  const float u = seen.fx * at.x() / at.z() + seen.cx;
  const float v = seen.fy * at.y() / at.z() + seen.cy;
  none.pixels = all.pixels;
  for (int y = 0; y < seen.height; ++y)
    for (int x = 0; x < seen.width; ++x)
      if (std::hypot(x - u, y - v) < 0.25f * seen.fx / at.z())
        none.pixels[static_cast<std::size_t>(y) * seen.width + x].g = 0;
  pcl::gpu::writeColorImage(folder_->path("all.png"), all);
  pcl::gpu::writeColorImage(folder_->path("none.png"), none);
  const auto objects = [](const std::string& mask) {
    expectSuccess("recognize a.library scene.png -o m.json" + mask + camera);
    return readJson("m.json").get_child("scenes").front().second.get_child("objects");
  };
  const auto count = [](const Json& found) {
    return std::count_if(found.begin(), found.end(), [](const auto& object) {
      return object.second.template get<std::string>("model") == "angle";
    });
  };
  const Json without = objects("");
  EXPECT_EQ(objects(" --mask all.png"), without);
  EXPECT_EQ(count(without), 1);
  EXPECT_EQ(count(objects(" --mask none.png")), 0);
}

TEST_F(RecognizeResults, Screenshot)
{
  expectSuccess("recognize a.library scene.png --screenshot s.png" + camera);
  const std::string png = readFile(folder_->path("s.png"));
  ASSERT_GT(png.size(), 10000u);
  // Width and height are in the first chunk.
  EXPECT_EQ(png.substr(16, 8), std::string("\0\0\x05\0\0\0\x03\xc0", 8));
  expectSuccess("recognize a.library scene.png --screenshot again.png -o s.json "
                "--shard 1/1" +
                camera);
  EXPECT_EQ(readFile(folder_->path("again.png")), png);
}

TEST_F(RecognizeResults, ModelsFromClouds)
{
  std::string files;
  for (int i = 0; i < 6; ++i) {
    const Eigen::Vector3f direction =
        Eigen::AngleAxisf(1.05f * i, Eigen::Vector3f::UnitY()) *
        Eigen::Vector3f(0.0f, i % 2 ? 0.5f : -0.5f, 0.8f);
    const Pose pose = lookAt(0.9f * direction.normalized(), Eigen::Vector3f::Zero());
    const std::string file = "view" + std::to_string(i) + ".pcd";
    writeDepthPcd(folder_->path(file), renderObject(angleMesh(), pose), pose);
    files += (i ? "," : "") + file;
  }
  expectSuccess("learn c.library angle=" + files);
  const std::string info = expectSuccess("info c.library").output;
  EXPECT_NE(info.find("1 models"), std::string::npos) << info;
  expectSuccess("recognize c.library scene.png -o r.json" + camera);
  expectAngle(readJson("r.json").get_child("scenes").front().second);
}

TEST_F(RecognizeResults, CloudsThatAreNotOrganized)
{
  // In the frame of the model, with the place of the sensor.
  const Pose pose = lookAt({0.3f, -0.5f, 0.7f}, Eigen::Vector3f::Zero());
  writeDepthPcd(folder_->path("organized.pcd"), renderObject(angleMesh(), pose));
  pcl::PointCloud<pcl::PointXYZ> cloud, points;
  pcl::io::loadPCDFile(folder_->path("organized.pcd"), cloud);
  for (const pcl::PointXYZ& point : cloud)
    if (std::isfinite(point.z)) {
      points.push_back(point);
      points.back().getVector3fMap() = pose * point.getVector3fMap();
    }
  points.sensor_origin_.head<3>() = pose.translation();
  pcl::io::savePCDFileBinary(folder_->path("points.pcd"), points);
  const ProgramResult result = expectSuccess("learn d.library points.pcd" + camera);
  EXPECT_NE(result.output.find("points: 1 views, "), std::string::npos);
  // The same object, seen from there.
  const Pose from_there = pose.inverse();
  writeDepthPng(folder_->path("there.png"), renderObject(angleMesh(), pose));
  expectSuccess("recognize d.library there.png -o r.json" + camera);
  const Json json = readJson("r.json");
  const Json& objects = json.get_child("scenes").front().second.get_child("objects");
  ASSERT_EQ(objects.size(), 1u);
  const Pose error = from_there.inverse() * poseOf(objects.front().second);
  EXPECT_LT(error.translation().norm(), 0.005f);
  EXPECT_LT(Eigen::AngleAxisf(error.linear()).angle(), 2.0f * M_PI / 180.0f);
}

TEST_F(RecognizeResults, LibrariesGrow)
{
  const std::string quick = " --views 3 --tensors 20" + camera;
  expectSuccess("learn g.library angle.ply" + quick);
  expectSuccess("learn g.library round=ring.ply" + quick);
  const std::string info = expectSuccess("info g.library").output;
  for (const char* part : {"2 models", "resolution", "0.0025", "angle", "round", "all"})
    EXPECT_NE(info.find(part), std::string::npos) << part << "\n" << info;
  expectSuccess("learn g.library angle=ring.ply --replace" + quick);
  EXPECT_NE(expectSuccess("info g.library").output.find("2 models"), std::string::npos);
}

TEST_F(RecognizeResults, ModelsAreSharedByProcesses)
{
  const std::string learn = PCL_GPU_RECOGNIZE
                            " learn shared.library angle.ply ring.ply --views 16 "
                            "--tensors 100 --device host" +
                            camera;
  expectSuccessAtOnce({learn + "--shard 1/2", learn + "--shard 2/2"}, folder_->path());
  EXPECT_EQ(readFile(folder_->path("shared.library")),
            readFile(folder_->path("a.library")));
  expectSuccessAtOnce(
      {onThreeRanks(PCL_GPU_RECOGNIZE " learn ranks.library angle.ply ring.ply --views "
                                      "16 --tensors 100 --device host --shard auto" +
                    camera)},
      folder_->path());
  EXPECT_EQ(readFile(folder_->path("ranks.library")),
            readFile(folder_->path("a.library")));
  expectSuccess("merge joint.library shared.library.parts/angle.tensors "
                "shared.library.parts/ring.tensors");
  EXPECT_EQ(readFile(folder_->path("joint.library")),
            readFile(folder_->path("a.library")));
}

TEST_F(RecognizeResults, ScenesAreSharedByProcesses)
{
  std::string scenes;
  for (const char* name : {"t1.png", "t2.png", "t3.png"}) {
    writeDepthPng(folder_->path(name), scene_);
    scenes += std::string(" ") + name;
  }
  const std::string arguments = "recognize a.library" + scenes + camera;
  expectSuccess(arguments + "-o one.json");
  const std::string command =
      PCL_GPU_RECOGNIZE " " + arguments + "-o three.json --device host --shard ";
  expectSuccessAtOnce({command + "0/3", command + "1/3", command + "2/3"},
                      folder_->path());
  EXPECT_EQ(readFile(folder_->path("three.json")), readFile(folder_->path("one.json")));
  expectSuccessAtOnce({onThreeRanks(PCL_GPU_RECOGNIZE " " + arguments +
                                    "-o ranks.json --device host --shard auto")},
                      folder_->path());
  EXPECT_EQ(readFile(folder_->path("ranks.json")), readFile(folder_->path("one.json")));
  EXPECT_EQ(readJson("three.json").get_child("scenes").size(), 3u);
  expectSuccess("merge two.json three.json.parts/t3.json three.json.parts/t1.json");
  const Json json = readJson("two.json");
  EXPECT_EQ(json.get_child("scenes").front().second.get<std::string>("file"), "t3.png");
  EXPECT_EQ(json.get_child("scenes").back().second.get<std::string>("file"), "t1.png");
}

TEST_F(RecognizeResults, AnUnreadableSceneIsLeftOutUntilItIsMended)
{
  for (const char* name : {"m1.png", "m2.png", "m3.png"})
    writeDepthPng(folder_->path(name), scene_);
  const std::string command = "recognize a.library m1.png m2.png m3.png" + camera;
  expectSuccess(command + "-o whole.json");
  const std::string good = readFile(folder_->path("m2.png"));
  pcl::gpu::test::writeFile(folder_->path("m2.png"), good.substr(0, 50));
  for (const std::string sharing : {"--resume", ""}) {
    const ProgramResult result = runProgram(
        PCL_GPU_RECOGNIZE " " + command + "-o mended.json --device host " + sharing,
        folder_->path());
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.errors.find("m2.png"), std::string::npos) << result.errors;
    EXPECT_EQ(readFile(folder_->path("mended.json")), "");
  }
  pcl::gpu::test::writeFile(folder_->path("m2.png"), good);
  const ProgramResult result = expectSuccess(command + "-o mended.json --resume");
  EXPECT_EQ(result.output.rfind("m2.png", 0), 0u) << result.output;
  EXPECT_EQ(readFile(folder_->path("mended.json")),
            readFile(folder_->path("whole.json")));
}

TEST_F(RecognizeResults, AModelThatCannotBeLearnedIsLeftOutUntilItIsMended)
{
  const std::string learn = "learn mended.library angle.ply mended.ply ring.ply "
                            "--views 3 --tensors 20 --resume" +
                            camera;
  pcl::gpu::test::writeFile(folder_->path("mended.ply"), "no mesh");
  const ProgramResult result =
      runProgram(PCL_GPU_RECOGNIZE " " + learn + "--device host", folder_->path());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.errors.find("mended.ply"), std::string::npos) << result.errors;
  pcl::gpu::test::writeFile(folder_->path("mended.ply"),
                            readFile(folder_->path("ring.ply")));
  const std::string report = expectSuccess(learn).output;
  EXPECT_EQ(report.rfind("mended: ", 0), 0u) << report;
  EXPECT_EQ(report.find("\nring: "), std::string::npos) << report;
  EXPECT_NE(report.find("3 models"), std::string::npos) << report;
}

TEST_F(RecognizeResults, OfDifferentLibrariesAreNotMerged)
{
  expectSuccess("recognize a.library scene.png -o first.json" + camera);
  pcl::gpu::test::writeFile(folder_->path("b.library"),
                            readFile(folder_->path("a.library")));
  expectSuccess("recognize b.library scene.png -o second.json" + camera);
  for (const std::string arguments : {"merge both.json first.json second.json",
                                      "merge both.library a.library b.library",
                                      "merge both.json a.library"}) {
    const ProgramResult result =
        runProgram(PCL_GPU_RECOGNIZE " " + arguments, folder_->path());
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1)
        << result.errors;
  }
}

TEST_F(RecognizeResults, MeshesAreScaled)
{
  const std::string quick = " --views 3 --tensors 20" + camera;
  expectSuccess("learn s.library angle.ply --size 0.1" + quick);
  const std::string info = expectSuccess("info s.library").output;
  const double size =
      std::stod(info.substr(info.find_last_of(' ', info.find("\nall") - 1)));
  EXPECT_NEAR(size, 0.1, 0.015) << info;
}

TEST_F(RecognizeResults, MeshesInMillimetresAreThoseInMetres)
{
  const pcl::PolygonMesh millimetres = scaledMesh(angleMesh(), 1000.0f);
  pcl::io::savePLYFileBinary(folder_->path("mm.ply"), millimetres);
  pcl::io::savePLYFileBinary(folder_->path("m.ply"), scaledMesh(millimetres, 0.001f));
  const std::string quick = " --views 3 --tensors 20" + camera;
  expectSuccess("learn mm.library angle=mm.ply --scale 0.001" + quick);
  expectSuccess("learn m.library angle=m.ply" + quick);
  EXPECT_EQ(readFile(folder_->path("mm.library")),
            readFile(folder_->path("m.library")));

  expectSuccess("confusion a.library angle=mm.ply --scale 0.001 -o mm.json" + quick);
  expectSuccess("confusion a.library angle=m.ply -o m.json" + quick);
  EXPECT_EQ(readJson("mm.json"), readJson("m.json"));
}

TEST_F(RecognizeResults, TheUnitOfMeshesLeavesClouds)
{
  const Pose pose = lookAt({0.3f, -0.5f, 0.7f}, Eigen::Vector3f::Zero());
  writeDepthPcd(folder_->path("view.pcd"), renderObject(angleMesh(), pose));
  expectSuccess("learn cloud.library view.pcd");
  expectSuccess("learn scaled.library view.pcd --scale 0.001");
  EXPECT_EQ(readFile(folder_->path("scaled.library")),
            readFile(folder_->path("cloud.library")));
}

TEST_F(RecognizeResults, MeshesInAnotherUnitAreNotResumed)
{
  pcl::io::savePLYFileBinary(folder_->path("inches.ply"),
                             scaledMesh(angleMesh(), 1.0f / 0.0254f));
  const std::string learn =
      "learn inches.library inches.ply --views 2 --tensors 20 --resume" + camera;
  expectSuccess(learn + "--scale 0.0254");
  const ProgramResult result = runProgram(
      PCL_GPU_RECOGNIZE " " + learn + "--scale 0.01 --device host", folder_->path());
  EXPECT_EQ(result.exit_code, 2);
  for (const char* part : {"--scale 0.01", "manifest.txt"})
    EXPECT_NE(result.errors.find(part), std::string::npos) << result.errors;
}

TEST_F(RecognizeResults, Confusion)
{
  const std::string command =
      "confusion a.library angle.ply ring.ply --views 2 --tensors 60 -o c.json" +
      camera;
  const ProgramResult result = expectSuccess(command);
  EXPECT_NE(result.output.find("none"), std::string::npos) << result.output;
  const Json json = readJson("c.json");
  ASSERT_EQ(json.get_child("objects").size(), 2u);
  ASSERT_EQ(json.get_child("models").size(), 2u);
  std::size_t row = 0;
  for (const auto& object : json.get_child("objects")) {
    double sum = object.second.get<double>("percent_without_match"), own = 0.0;
    std::size_t column = 0;
    for (const auto& percent : object.second.get_child("percent")) {
      sum += percent.second.get_value<double>();
      if (column++ == row)
        own = percent.second.get_value<double>();
    }
    EXPECT_EQ(column, 2u);
    EXPECT_NEAR(sum, 100.0, 1e-6);
    EXPECT_NEAR(object.second.get<double>("tensor_rate"), 0.01 * own, 1e-5);
    EXPECT_GE(object.second.get<double>("matched_tensor_rate"),
              object.second.get<double>("tensor_rate"));
    EXPECT_EQ(object.second.get<double>("view_rate"), 1.0);
    EXPECT_EQ(object.second.get<int>("views"), 2);
    ++row;
  }
  EXPECT_GT(json.get<double>("matched_tensor_rate"), 0.6);
  expectSuccess(command);
  EXPECT_EQ(readJson("c.json"), json) << "the same seed";
  expectSuccess(command + " --seed 5");
  EXPECT_NE(readJson("c.json"), json);
}

TEST_F(RecognizeResults, CloudsAreRegistered)
{
  const Pose first = lookAt({0.3f, -0.5f, 0.7f}, Eigen::Vector3f::Zero());
  const Pose second = lookAt({0.5f, -0.4f, 0.65f}, Eigen::Vector3f::Zero());
  writeDepthPcd(folder_->path("first.pcd"), renderObject(angleMesh(), first));
  writeDepthPcd(folder_->path("second.pcd"), renderObject(angleMesh(), second));
  const ProgramResult result =
      expectSuccess("register first.pcd second.pcd -o p.json --timings t.json");
  EXPECT_NE(result.output.find("inliers"), std::string::npos) << result.output;
  const Json json = readJson("p.json");
  EXPECT_EQ(json.get<std::string>("source"), "first.pcd");
  EXPECT_GT(json.get<int>("inliers"), 40);
  EXPECT_GT(json.get<double>("fit"), 0.5);
  const Pose error = (second.inverse() * first).inverse() * poseOf(json);
  const Eigen::Vector3f middle = first.inverse() * Eigen::Vector3f::Zero();
  EXPECT_LT((error * middle - middle).norm(), 0.005f);
  EXPECT_LT(Eigen::AngleAxisf(error.linear()).angle(), 2.0f * M_PI / 180.0f);

  // A cloud of another object is not found.
  writeDepthPcd(folder_->path("ring.pcd"), renderObject(ringMesh(), first));
  const ProgramResult none = runProgram(
      PCL_GPU_RECOGNIZE " register ring.pcd first.pcd -o n.json --device host",
      folder_->path());
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_NE(none.errors.find("ring.pcd: is not found in first.pcd"), std::string::npos)
      << none.errors;
  const std::vector<std::string> files = folder_->files();
  EXPECT_EQ(std::count(files.begin(), files.end(), "n.json"), 0);
}

TEST_F(RecognizeResults, CloudsArePutIntoOneFrame)
{
  std::vector<Pose> cameras;
  for (const float x : {0.3f, 0.4f, 0.5f})
    cameras.push_back(lookAt({x, -0.45f, 0.7f}, Eigen::Vector3f::Zero()));
  writeDepthPcd(folder_->path("c0.pcd"), renderObject(angleMesh(), cameras[0]));
  writeDepthPcd(folder_->path("c1.pcd"), renderObject(ringMesh(), cameras[0]));
  // A cloud that was seen from two places, as a mesh without polygons in a frame of its
  // own.
  const Pose own = lookAt({1.0f, 2.0f, 0.5f}, Eigen::Vector3f::UnitX());
  pcl::PointCloud<pcl::PointXYZ> joined;
  for (const int i : {1, 2}) {
    const Pose to_cloud = own * cameras[i];
    pcl::PointCloud<pcl::PointXYZ> view;
    writeDepthPcd(folder_->path("view.pcd"), renderObject(angleMesh(), cameras[i]));
    ASSERT_EQ(pcl::io::loadPCDFile(folder_->path("view.pcd"), view), 0);
    for (const pcl::PointXYZ& point : view)
      if (point.z > 0.0f) {
        const Eigen::Vector3f at = to_cloud * Eigen::Vector3f(point.getVector3fMap());
        joined.emplace_back(at.x(), at.y(), at.z());
      }
  }
  pcl::io::savePLYFileBinary(folder_->path("c2.ply"), joined);
  const ProgramResult result =
      expectSuccess("register c0.pcd c1.pcd c2.ply --resolution 0.005 "
                    "--poses poses.json --model model.pcd");
  EXPECT_NE(result.output.find("c1.pcd: nothing connects it with c0.pcd"),
            std::string::npos)
      << result.output;
  EXPECT_NE(result.output.find("3 clouds, 2 in one frame"), std::string::npos);
  const Json json = readJson("poses.json");
  std::vector<Json> clouds;
  for (const auto& cloud : json.get_child("clouds"))
    clouds.push_back(cloud.second);
  ASSERT_EQ(clouds.size(), 3u);
  EXPECT_TRUE(poseOf(clouds[0]).isApprox(Pose::Identity()));
  EXPECT_EQ(clouds[1].get<std::string>("pose"), "null");
  EXPECT_EQ(clouds[2].get<std::string>("file"), "c2.ply");
  const Pose error = cameras[0] * poseOf(clouds[2]) * own;
  EXPECT_LT(error.translation().norm(), 0.005f);
  EXPECT_LT(Eigen::AngleAxisf(error.linear()).angle(), 2.0f * M_PI / 180.0f);
  pcl::PointCloud<pcl::PointXYZL> model;
  ASSERT_EQ(pcl::io::loadPCDFile(folder_->path("model.pcd"), model), 0);
  std::size_t third = 0;
  for (const pcl::PointXYZL& point : model) {
    EXPECT_TRUE(point.label == 1 || point.label == 3);
    third += point.label == 3 ? 1 : 0;
  }
  EXPECT_EQ(third, joined.size());
}

TEST_F(RecognizeResults, PairsOfSeveralCloudsAreSharedByProcesses)
{
  const Pose first = lookAt({0.3f, -0.5f, 0.7f}, Eigen::Vector3f::Zero());
  const Pose third = lookAt({0.5f, -0.4f, 0.65f}, Eigen::Vector3f::Zero());
  writeDepthPcd(folder_->path("p1.pcd"), renderObject(angleMesh(), first));
  writeDepthPcd(folder_->path("p2.pcd"), renderObject(ringMesh(), first));
  writeDepthPcd(folder_->path("p3.pcd"), renderObject(angleMesh(), third));
  const std::string options = " --resolution 0.005 ";
  const std::string arguments = "register p1.pcd p2.pcd p3.pcd" + options;
  const ProgramResult result = expectSuccess(arguments + "-o pairs.json");
  EXPECT_NE(result.output.find("3 pairs, 1 found"), std::string::npos) << result.output;

  expectSuccess("register p1.pcd p3.pcd -o alone.json" + options);
  Json alone = readJson("alone.json");
  alone.erase("program");
  alone.erase("version");
  const Json json = readJson("pairs.json");
  std::vector<Json> pairs;
  for (const auto& pair : json.get_child("pairs"))
    pairs.push_back(pair.second);
  ASSERT_EQ(pairs.size(), 3u);
  EXPECT_EQ(pairs[1], alone);
  for (const auto& [pair, source, target] :
       {std::tuple(0, "p1.pcd", "p2.pcd"), std::tuple(2, "p2.pcd", "p3.pcd")}) {
    EXPECT_EQ(pairs[pair].get<std::string>("source"), source);
    EXPECT_EQ(pairs[pair].get<std::string>("target"), target);
    EXPECT_EQ(pairs[pair].get<std::string>("pose"), "null");
  }

  const std::string command =
      PCL_GPU_RECOGNIZE " " + arguments + "-o pairs-shared.json --device host --shard ";
  expectSuccessAtOnce({command + "1/2", command + "2/2"}, folder_->path());
  EXPECT_EQ(readFile(folder_->path("pairs-shared.json")),
            readFile(folder_->path("pairs.json")));
  expectSuccessAtOnce({onThreeRanks(PCL_GPU_RECOGNIZE " " + arguments +
                                    "-o pairs-ranks.json --device host --shard auto")},
                      folder_->path());
  EXPECT_EQ(readFile(folder_->path("pairs-ranks.json")),
            readFile(folder_->path("pairs.json")));
  expectSuccess("merge some.json pairs-shared.json.parts/000001.json "
                "pairs-shared.json.parts/000000.json");
  const Json some = readJson("some.json").get_child("pairs");
  ASSERT_EQ(some.size(), 2u);
  EXPECT_EQ(some.front().second.get<std::string>("target"), "p3.pcd");
  EXPECT_EQ(some.back().second.get<std::string>("target"), "p2.pcd");
}

} // namespace
