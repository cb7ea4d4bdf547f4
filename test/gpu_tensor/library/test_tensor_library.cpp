// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "common/numbers.h"
#include "gpu_tensor/tensors/host_tensors.h"
#include "library_scenes.h"

#include <pcl/gpu/tensor/point_pair_estimation.h>
#include <pcl/gpu/tensor/tensor_matching.h>

#include <algorithm>
#include <cstring>
#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

TEST(TensorParameters, AreChecked)
{
  const auto expectRejected = [](const std::string& word, const auto& change) {
    TensorParameters parameters = libraryParameters();
    change(parameters);
    TensorLibrary library;
    expectBadArgument(word, [&] { library.setParameters(parameters); });
    EXPECT_EQ(library.getParameters().resolution, 0.0f);
  };
  for (const float value : {0.0f, -1.0f, nan, infinity}) {
    expectRejected("resolution", [value](auto& p) { p.resolution = value; });
    expectRejected("voxel size", [value](auto& p) { p.voxel_size = value; });
    expectRejected("distance", [value](auto& p) { p.min_distance = value; });
    expectRejected("distance", [value](auto& p) { p.max_distance = value; });
    expectRejected("angle", [value](auto& p) { p.min_angle = value; });
  }
  expectRejected("distance", [](auto& p) { p.max_distance = 4.0f; });
  expectRejected("angle", [](auto& p) { p.min_angle = 3.2f; });
  expectRejected("pairs", [](auto& p) { p.pairs_per_point = 0; });
  expectRejected("pairs", [](auto& p) { p.pairs_per_point = 4; });
  expectRejected("grid size", [](auto& p) { p.grid_size = 1; });
  expectRejected("grid size", [](auto& p) { p.grid_size = 33; });
  expectRejected("area", [](auto& p) { p.min_area = -0.1f; });
  expectRejected("area", [](auto& p) { p.min_area = nan; });
}

TEST(TensorParameters, AreApplied)
{
  PointPairEstimation estimation;
  change(estimation, [&](auto& p) { applyParameters(libraryParameters(), p); });
  EXPECT_EQ(estimation.getParameters().resolution, libraryParameters().resolution);
  TensorExtraction extraction;
  change(extraction, [&](auto& p) { applyParameters(libraryParameters(), p); });
  EXPECT_EQ(extraction.getParameters().grid_size, libraryParameters().grid_size);
}

TEST(TensorParameters, StayWhileThereAreModels)
{
  TensorLibrary library;
  expectBadArgument("resolution", [&] { library.addModel(randomModel("a", 1, 2, 2)); });
  EXPECT_EQ(library.size(), 0);
  library.setParameters(libraryParameters());
  library.addModel(randomModel("a", 1, 2, 2));
  library.setParameters(libraryParameters());
  TensorParameters others = libraryParameters();
  others.min_angle = 0.31f;
  EXPECT_TRUE(others != library.getParameters());
  expectBadArgument("models with other parameters is 1",
                    [&] { library.setParameters(others); });
  EXPECT_TRUE(library.getParameters() == libraryParameters());
  library.clear();
  library.setParameters(others);
  EXPECT_TRUE(library.getParameters() == others);
}

TEST(TensorLibrary, AddsFindsAndRemoves)
{
  TensorLibrary library;
  library.setParameters(libraryParameters());
  EXPECT_EQ(library.findModel("a"), -1);
  const TensorModel a = randomModel("a", 1, 3, 4);
  const TensorModel b = randomModel("b", 2, 5, 6);
  const TensorModel c = randomModel("c", 3, 7, 8);
  EXPECT_EQ(library.addModel(a), 0);
  EXPECT_EQ(library.addModel(b), 1);
  EXPECT_EQ(library.addModel(c), 2);
  EXPECT_EQ(library.size(), 3);
  EXPECT_EQ(library.getTensorCount(), 18);
  EXPECT_EQ(library.findModel("b"), 1);
  expectSameModel(b, library.getModel(1));
  expectBadArgument("name of the model is 'b'", [&] { library.addModel(b); });
  EXPECT_EQ(library.size(), 3);

  library.removeModel(1);
  EXPECT_EQ(library.size(), 2);
  EXPECT_EQ(library.getTensorCount(), 12);
  EXPECT_EQ(library.findModel("a"), 0);
  EXPECT_EQ(library.findModel("b"), -1);
  EXPECT_EQ(library.findModel("c"), 1);
  expectSameModel(c, library.getModel(1));
  EXPECT_EQ(library.addModel(b), 2);
  for (const int number : {-1, 3}) {
    expectBadArgument("model is " + std::to_string(number),
                      [&] { library.getModel(number); });
    expectBadArgument("model is " + std::to_string(number),
                      [&] { library.removeModel(number); });
  }
  library.clear();
  EXPECT_EQ(library.size(), 0);
  EXPECT_EQ(library.getTensorCount(), 0);
  EXPECT_EQ(library.findModel("a"), -1);
  EXPECT_EQ(library.addModel(c), 0);
}

TEST(TensorLibrary, ChecksModels)
{
  TensorLibrary library;
  library.setParameters(libraryParameters());
  library.addModel(randomModel("a", 1, 3, 4));
  const auto expectRejected = [&](const std::string& word, const auto& change) {
    TensorModel model = randomModel("cup", 2, 3, 4);
    change(model);
    expectBadArgument(word, [&] { library.addModel(model); });
    EXPECT_EQ(library.size(), 1);
    EXPECT_EQ(library.findModel("cup"), -1);
  };
  expectRejected("name of the model is empty", [](auto& m) { m.name = ""; });
  expectRejected("name of the model is 'a'", [](auto& m) { m.name = "a"; });
  expectRejected("number of views of model 'cup' is -1",
                 [](auto& m) { m.view_count = -1; });
  expectRejected("view of tensor 1 of model 'cup' is 1",
                 [](auto& m) { m.view_count = 1; });
  expectRejected("view of tensor 2", [](auto& m) { m.views[2] = -1; });
  expectRejected("number of view numbers", [](auto& m) { m.views.pop_back(); });
  expectRejected("point 1 of model 'cup'", [](auto& m) { m.points[1].y = nan; });
  expectRejected("point 2", [](auto& m) { m.points[2].z = infinity; });
  expectRejected("normal 1", [](auto& m) { m.points[1].normal_x = nan; });
  expectRejected("normal 0", [](auto& m) { m.points[0].normal_x = 0.0f; });
  expectRejected("normal 2",
                 [](auto& m) { m.points[2].getNormalVector3fMap() *= 1.01f; });
  expectRejected("origin of tensor 2", [](auto& m) { m.frames[2].origin[1] = nan; });
  expectRejected("axes of tensor 1", [](auto& m) { m.frames[1].x_axis[2] += 0.01f; });
  expectRejected("axes of tensor 1", [](auto& m) { m.frames[1].z_axis[0] = nan; });
  expectRejected("axes of tensor 3", [](auto& m) {
    for (float& coordinate : m.frames[3].x_axis)
      coordinate = -coordinate;
  });
  expectRejected("angle of tensor 0 of model 'cup' is -0.1",
                 [](auto& m) { m.frames[0].angle = -0.1f; });
  expectRejected("angle of tensor 0 of model 'cup' is 3.15",
                 [](auto& m) { m.frames[0].angle = 3.15f; });
  expectRejected("angle of tensor 0", [](auto& m) { m.frames[0].angle = nan; });
  expectRejected("voxel size of tensor 2",
                 [](auto& m) { m.frames[2].voxel_size *= 1.01f; });
  expectRejected("number of first entries", [](auto& m) { m.starts.pop_back(); });
  expectRejected("number of first entries", [](auto& m) { m.starts.clear(); });
  expectRejected("first entry of tensor 0", [](auto& m) { m.starts[0] = 1; });
  expectRejected("end of entries of tensor 2",
                 [](auto& m) { m.starts[3] = m.starts[2] - 1; });
  expectRejected("end of all entries", [](auto& m) { ++m.starts.back(); });
  expectRejected("number of voxels", [](auto& m) { m.voxels.pop_back(); });
  expectRejected("voxel of entry 3", [](auto& m) { m.voxels[3] = m.voxels[2]; });
  expectRejected("voxel of entry", [](auto& m) { m.voxels.back() = 512; });
  for (const float area : {0.0f, -1.0f, nan, infinity})
    expectRejected("area of entry 5", [area](auto& m) { m.areas[5] = area; });
  library.addModel(randomModel("cup", 2, 3, 4));
}

TEST(TensorLibrary, ChecksBinsAndPlaces)
{
  TensorLibrary library = smallLibrary();
  expectBadArgument("width of a bin", [&] { library.setTableParameters({0.0f}); });
  library.setTableParameters({0.2f});
  EXPECT_EQ(library.getTableParameters().bin_width, 0.2f);
  expectBadArgument("entry of the table is 0", [&] { library.getPlace(0); });
}

class TensorLibraryTable : public DeviceTest {};

TEST_P(TensorLibraryTable, HasAllTensors)
{
  TensorLibrary library = smallLibrary();
  const TensorTable& table = library.table();
  EXPECT_EQ(table.size(), library.getTensorCount());
  EXPECT_EQ(deviceOf(table.tensors().frames), device());
  const HostTensorSet tensors = downloadTensors(table.tensors());
  const std::vector<int> labels = downloaded(table.labels());
  std::vector<bool> found(table.size(), false);
  for (int i = 0; i < table.size(); ++i) {
    const TensorPlace place = library.getPlace(i);
    EXPECT_EQ(labels[i], place.model);
    const TensorModel& model = library.getModel(place.model);
    found.at((place.model == 0 ? 0 : 5) + place.tensor) = true;
    EXPECT_EQ(std::memcmp(&tensors.frames[i],
                          &model.frames.at(place.tensor),
                          sizeof(TensorFrame)),
              0);
    const std::uint32_t first = model.starts[place.tensor];
    const std::uint32_t count = model.starts[place.tensor + 1] - first;
    ASSERT_EQ(tensors.starts[i + 1] - tensors.starts[i], count);
    for (std::uint32_t j = 0; j < count; ++j) {
      EXPECT_EQ(tensors.voxels[tensors.starts[i] + j], model.voxels[first + j]);
      EXPECT_EQ(tensors.areas[tensors.starts[i] + j], model.areas[first + j]);
    }
  }
  EXPECT_EQ(std::count(found.begin(), found.end(), true), table.size());
  for (const int entry : {-1, table.size()})
    expectBadArgument("entry of the table", [&] { library.getPlace(entry); });
}

TEST_P(TensorLibraryTable, FindsEachTensorAgain)
{
  TensorLibrary library = smallLibrary();
  const TensorTable& table = library.table();
  TensorMatching matching;
  DeviceArray<TensorMatch> found;
  matching.compute(table.tensors(), table, found);
  const std::vector<TensorMatch> matches = downloaded(found);
  ASSERT_EQ(matches.size(), static_cast<std::size_t>(table.size()));
  for (int i = 0; i < table.size(); ++i) {
    // The first tensor of each model has no entries.
    const bool has_entries = library.getPlace(i).tensor > 0;
    EXPECT_EQ(matches[i].tensor, has_entries ? i : -1);
  }
}

TEST_P(TensorLibraryTable, IsKeptUntilSomethingChanges)
{
  TensorLibrary library = smallLibrary();
  const TensorFrame* frames = library.table().tensors().frames.ptr();
  EXPECT_EQ(library.table().tensors().frames.ptr(), frames);
  library.setTableParameters({library.getTableParameters().bin_width});
  EXPECT_EQ(library.getPlace(0).model, downloaded(library.table().labels())[0]);

  library.setTableParameters({0.5f});
  expectBadArgument("entry of the table", [&] { library.getPlace(0); });
  EXPECT_EQ(library.table().binStarts().size(), 8u);
  library.addModel(randomModel("new", 9, 0, 3));
  expectBadArgument("entry of the table", [&] { library.getPlace(0); });
  EXPECT_EQ(library.table().size(), 12);
  library.removeModel(0);
  EXPECT_EQ(library.table().size(), 7);
  EXPECT_LE(library.getPlace(0).model, 2);
  library.clear();
  EXPECT_EQ(library.table().size(), 0);
}

TEST_P(TensorLibraryTable, OfACopyIsItsOwn)
{
  TensorLibrary library = smallLibrary();
  library.table();
  TensorLibrary copy = library;
  copy.removeModel(0);
  copy.addModel(randomModel("other", 5, 0, 5));
  EXPECT_EQ(copy.table().size(), library.table().size());
  const HostTensorSet tensors = downloadTensors(library.table().tensors());
  const TensorPlace place = library.getPlace(3);
  EXPECT_EQ(tensors.frames[3].first,
            library.getModel(place.model).frames[place.tensor].first);
}

TEST_P(TensorLibraryTable, FollowsTheCurrentDevice)
{
  TensorLibrary library = smallLibrary();
  EXPECT_EQ(deviceOf(library.table().tensors().frames), device());
  {
    const auto other = useDevice(device().isHost() ? "cuda" : "host");
    EXPECT_EQ(deviceOf(library.table().tensors().frames), currentDevice());
    EXPECT_EQ(library.table().size(), 9);
  }
  EXPECT_EQ(deviceOf(library.table().tensors().frames), device());
}

TEST_P(TensorLibraryTable, TakesTensorsOfViews)
{
  // A mesh, and the same one seen from elsewhere.
  const VertexMesh mesh = randomMesh(60, 4.0, 8, 3);
  Pose pose = Pose::Identity();
  pose.linear() = randomRotation(4).cast<float>();
  pose.translation() << 0.5f, -0.25f, 0.75f;
  VertexMesh seen = mesh;
  seen.vertices =
      moved(mesh.vertices,
            randomRotation(4).transpose(),
            -randomRotation(4).transpose() * pose.translation().cast<double>());
  // Two points with opposite normals have no frame.
  seen.vertices.normals.data[1] = seen.vertices.normals.data[0];
  seen.vertices.normals.data[1].getVector3fMap() *= -1.0f;
  TensorExtraction extraction;
  TensorParameters parameters = libraryParameters();
  parameters.voxel_size = mesh_voxel_size;
  change(extraction, [&](auto& p) { applyParameters(parameters, p); });
  const auto compute = [&](const VertexMesh& vertices) {
    std::vector<int> numbers;
    for (const auto& triangle : vertices.triangles)
      numbers.insert(numbers.end(), triangle.begin(), triangle.end());
    TensorSet tensors;
    extraction.compute(uploaded(vertices.vertices.points.data),
                       uploaded(vertices.vertices.normals.data),
                       uploaded(numbers),
                       uploadedPairs(vertices.pairs),
                       tensors);
    return tensors;
  };
  TensorModel model;
  model.name = "mesh";
  ASSERT_EQ(mesh.pairs.size(), 2u);
  EXPECT_EQ(appendTensors(compute(mesh), Pose::Identity(), 0, model), 2);
  EXPECT_EQ(appendTensors(compute(seen), pose, 4, model), 1);
  EXPECT_EQ(model.view_count, 5);
  EXPECT_EQ(model.views, (std::vector<std::int32_t>{0, 0, 4}));
  EXPECT_EQ(model.frames[2].first, model.frames[1].first);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(model.frames[2].x_axis[i], model.frames[1].x_axis[i], 1e-4f);
    EXPECT_NEAR(model.frames[2].y_axis[i], model.frames[1].y_axis[i], 1e-4f);
    EXPECT_NEAR(model.frames[2].z_axis[i], model.frames[1].z_axis[i], 1e-4f);
    EXPECT_NEAR(model.frames[2].origin[i], model.frames[1].origin[i], 1e-5f);
  }
  TensorLibrary library;
  library.setParameters(parameters);
  library.addModel(model);
  EXPECT_EQ(library.table().size(), 3);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(TensorLibraryTable);

TEST(TensorModel, IsAsItWasIfTensorsCannotBeAppended)
{
  TensorModel model = randomModel("a", 1, 2, 3);
  const TensorModel former = model;
  HostTensorSet tensors;
  tensors.frames = model.frames;
  tensors.starts = model.starts;
  tensors.voxels = model.voxels;
  tensors.areas = model.areas;
  Pose pose = Pose::Identity();
  expectBadArgument("view", [&] { appendTensors(tensors, pose, -1, model); });
  pose.linear() *= 1.1f;
  expectBadArgument("pose", [&] { appendTensors(tensors, pose, 0, model); });
  pose = Pose::Identity();
  HostTensorSet wrong = tensors;
  wrong.areas.pop_back();
  expectBadArgument("number of voxels", [&] { appendTensors(wrong, pose, 0, model); });
  wrong = tensors;
  wrong.starts.pop_back();
  expectBadArgument("first entries of tensors of the view",
                    [&] { appendTensors(wrong, pose, 0, model); });
  model.views.pop_back();
  expectBadArgument("view numbers", [&] { appendTensors(tensors, pose, 0, model); });
  model.views = former.views;
  expectSameModel(former, model);
  EXPECT_EQ(appendTensors(tensors, pose, 0, model), 3);
  EXPECT_EQ(model.frames.size(), 6u);
}

} // namespace
