// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Input that cannot be used: one line, exit code 2, no file.

#include "apps/program.h"
#include "apps/raycast/raycast_meshes.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace pcl::gpu::test;

namespace {

class RaycastErrors : public ::testing::Test {
protected:
  void
  SetUp() override
  {
    writeCube(folder_.path("cube.ply"), 1.0f);
    writeFile(folder_.path("here.txt"), "0 0 0 0 0 0 1\n");
  }

  // Runs the program, which must fail with a line that holds these words.
  void
  expectError(const std::string& arguments, const std::vector<std::string>& words)
  {
    const std::vector<std::string> before = folder_.files();
    const ProgramResult result =
        runProgram(PCL_GPU_RAYCAST " " + arguments, folder_.path());
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_EQ(result.output, "") << arguments;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1)
        << result.errors;
    EXPECT_EQ(result.errors.rfind("pcl_gpu_raycast: error: ", 0), 0u) << result.errors;
    for (const std::string& word : words)
      EXPECT_NE(result.errors.find(word), std::string::npos)
          << word << " is missing in: " << result.errors;
    EXPECT_EQ(folder_.files(), before) << arguments;
  }

  TemporaryFolder folder_;
};

const std::string outputs =
    " --image i.png --depth d.png --cloud c.pcd --timings t.json";

TEST_F(RaycastErrors, MissingAndUnknownFiles)
{
  expectError("absent.ply" + outputs, {"absent.ply", "no such file", "expected"});
  expectError(". " + outputs, {"is a folder", "expected"});
  writeFile(folder_.path("mesh.fbx"), "?");
  expectError("mesh.fbx" + outputs, {"mesh.fbx", "unknown kind", ".ply, .obj"});
}

TEST_F(RaycastErrors, DamagedMeshes)
{
  writeCube(folder_.path("cube.stl"), 1.0f);
  writeCube(folder_.path("cube.vtk"), 1.0f);
  for (const std::string extension : {".ply", ".stl", ".vtk"}) {
    const std::string bytes = readFile(folder_.path("cube" + extension));
    for (const double part : {0.0, 0.1, 0.4, 0.9}) {
      const auto length = static_cast<std::size_t>(part * bytes.size());
      writeFile(folder_.path("short" + extension), bytes.substr(0, length));
      expectError("short" + extension + outputs, {"short" + extension, "expected"});
    }
  }
  for (const std::string extension : {".ply", ".obj", ".stl", ".vtk"}) {
    writeFile(folder_.path("noise" + extension), "this is no mesh\n\1\2\3\n");
    expectError("noise" + extension + outputs, {"noise" + extension, "expected"});
  }
}

TEST_F(RaycastErrors, MeshesWithoutUse)
{
  writeFile(folder_.path("points.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
  expectError("points.obj" + outputs, {"points.obj", "no polygons"});
  writeFile(folder_.path("beyond.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
  expectError("beyond.obj" + outputs, {"beyond.obj", "index in polygon 0 is 8"});
  writeFile(folder_.path("nan.ply"),
            "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
            "property float y\nproperty float z\nelement face 1\n"
            "property list uchar int vertex_indices\nend_header\n"
            "nan 0 0\nnan 0 0\nnan 0 0\n3 0 1 2\n");
  expectError("nan.ply" + outputs, {"nan.ply", "finite"});
}

TEST_F(RaycastErrors, Poses)
{
  expectError("cube.ply@absent.txt" + outputs, {"absent.txt", "expected"});
  expectError("cube.ply --pose absent.txt" + outputs, {"absent.txt", "expected"});
  writeFile(folder_.path("few.txt"), "1 2 3");
  expectError("cube.ply@few.txt" + outputs, {"few.txt", "3 numbers", "tx ty tz"});
  writeFile(folder_.path("words.txt"), "1 0 0 0 0 1 0 zero");
  expectError("cube.ply@words.txt" + outputs, {"words.txt", "is no pose"});
  writeFile(folder_.path("scaled.txt"), "2 0 0 0 0 2 0 0 0 0 2 0");
  expectError("cube.ply@scaled.txt" + outputs, {"scaled.txt", "not rigid"});
  writeFile(folder_.path("short.txt"), "0 0 0 0 0 0 0.5");
  expectError("cube.ply@short.txt" + outputs, {"short.txt", "quaternion"});
  writeFile(folder_.path("last.txt"), "1 0 0 0 0 1 0 0 0 0 1 0 0 0 1 1");
  expectError("cube.ply@last.txt" + outputs, {"last.txt", "is no pose"});
}

TEST_F(RaycastErrors, CameraOptions)
{
  expectError("", {"no input", "--help"});
  expectError("cube.ply --unheard-of", {"--unheard-of", "--help"});
  expectError("cube.ply --imag i.png", {"--imag"});
  for (const std::string size : {"0x10", "10", "10x", "x10", "20000x10", "axb", "-1x4"})
    expectError("cube.ply --size " + size, {"--size " + size, "WIDTHxHEIGHT"});
  expectError("cube.ply --fov 0", {"--fov", "above 0"});
  expectError("cube.ply --fov 180", {"--fov", "below 180"});
  expectError("cube.ply --fov wide", {"--fov", "wide"});
  expectError("cube.ply --intrinsics 1,2,3", {"--intrinsics", "fx,fy,cx,cy"});
  expectError("cube.ply --orthographic -1", {"--orthographic", "0 or more"});
  expectError("cube.ply --fov 30 --orthographic 0", {"--fov", "expected one"});
  expectError("cube.ply --eye 1,2", {"--eye 1,2", "x,y,z"});
  expectError("cube.ply --target 1,2,nan", {"--target", "x,y,z"});
  expectError("cube.ply --up 0,0,0", {"--up", "direction"});
  expectError("cube.ply --eye 0,0,0" + outputs, {"--eye", "target"});
  expectError("cube.ply --pose here.txt --eye 1,1,1", {"--pose", "--eye", "one way"});
  expectError("cube.ply --pose here.txt --orbit 3 --output-directory o",
              {"--pose", "--orbit", "one way"});
  expectError("cube.ply --culling left", {"--culling left", "none, back or front"});
}

TEST_F(RaycastErrors, LightOptions)
{
  expectError("cube.ply --light 1,2", {"--light 1,2", "x,y,z"});
  expectError("cube.ply --light sun", {"--light", "sun", "camera"});
  expectError("cube.ply --light 1,2,3,-1", {"--light 1,2,3,-1", "intensity"});
  expectError("cube.ply --soft-shadows 0", {"--soft-shadows", "above 0"});
  expectError("cube.ply --soft-shadows nan", {"--soft-shadows"});
  expectError("cube.ply --ambient-occlusion -1", {"--ambient-occlusion", "0 or more"});
  expectError("cube.ply --reflect 1.5", {"--reflect", "0 to 1"});
  expectError("cube.ply --ground --ground-reflect -1", {"--ground-reflect", "0 to 1"});
  expectError("cube.ply --ground-reflect 0.5", {"--ground-reflect", "--ground"});
}

TEST_F(RaycastErrors, OtherOptions)
{
  expectError("cube.ply --method magic", {"--method magic", "automatic"});
  expectError("cube.ply --deform melt",
              {"--deform melt", "wave, twist, bend or noise"});
  expectError("cube.ply --deform wave --frames 0", {"--frames 0", "1 to 1000000"});
  expectError("cube.ply --eye 1e38,0,0", {"--eye 1e38,0,0", "below 1e19"});
  expectError("cube.ply --orbit 0", {"--orbit 0", "1 to 1000000"});
  expectError("cube.ply --frames 3", {"--frames", "--deform"});
  expectError("cube.ply --deform wave --frames 3 --orbit 3", {"--frames", "--orbit"});
  expectError("cube.ply --deform wave --strength 11", {"--strength", "0 to 10"});
  expectError("cube.ply --views 6", {"--views 6", "0 to 5"});
  expectError("cube.ply --views 0 --orbit 3", {"--views", "one of them"});
  for (const char* other : {"--image i.png", "--view", "--eye 0,0,1", "--shadows"})
    expectError("cube.ply --views 0 --output-directory o " + std::string(other),
                {"--views with --", "one of them"});
  expectError("cube.ply --orbit 2000000 --output-directory o",
              {"--orbit 2000000", "1 to 1000000"});
  expectError("cube.ply cube.ply --views 0 --output-directory o",
              {"--views", "2 meshes"});
  expectError("cube.ply --depth-scale 0", {"--depth-scale", "above 0"});
  expectError("cube.ply --crease-angle 200", {"--crease-angle", "0 to 180"});
  expectError("cube.ply --repeat 0", {"--repeat", "at least 1"});
  expectError("cube.ply --device gpu", {"--device gpu", "expected host, cuda"});
}

TEST_F(RaycastErrors, OutputNames)
{
  expectError("cube.ply --image i.jpg", {"i.jpg", "expected .png"});
  expectError("cube.ply --depth d.pgm", {"d.pgm", "expected .png"});
  expectError("cube.ply --ids ids.txt", {"ids.txt", "expected .png"});
  expectError("cube.ply --cloud c.ply", {"c.ply", "expected .pcd"});
  expectError("cube.ply --screenshot s.bmp", {"s.bmp", "expected .png"});
  expectError("cube.ply --image .png", {".png", "has no name"});
  expectError("cube.ply --image absent/i.png", {"absent/i.png", "a folder"});
  expectError("cube.ply --timings absent/t.json", {"absent/t.json", "a folder"});
  expectError("cube.ply --orbit 3 --image i.png", {"--output-directory"});
  expectError("cube.ply --views 0", {"--output-directory"});
  expectError("cube.ply --image i.png --output-directory o", {"--output-directory"});
}

TEST_F(RaycastErrors, DepthsBeyondSixteenBits)
{
  writeCube(folder_.path("large.ply"), 100.0f);
  expectError("large.ply --size 20x20 --depth d.png", {"d.png", "--depth-scale"});
}

} // namespace
