// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// The contents of the program's files.

#include "apps/program.h"
#include "apps/track/track_motion.h"
#include "common/devices.h"

#include <pcl/gpu/articulated/bvh.h>
#include <pcl/gpu/articulated/hand_skeleton.h>
#include <pcl/io/png_io.h>

#include <boost/property_tree/json_parser.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <sstream>
#include <vector>

using namespace pcl::gpu::test;

namespace {

/** \brief Columns of a table by their names. */
using Table = std::map<std::string, std::vector<std::string>>;

Table
readTable(const std::string& path)
{
  std::istringstream lines(readFile(path));
  std::vector<std::string> names;
  Table table;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream parts(line + ",");
    std::size_t column = 0;
    for (std::string part; std::getline(parts, part, ','); ++column)
      if (names.size() <= column && table.size() == names.size() && table[part].empty())
        names.push_back(part);
      else
        table[names.at(column)].push_back(part);
  }
  return table;
}

using Json = boost::property_tree::ptree;

/** \brief Returns the first person of a frame in a JSON file. */
const Json&
personIn(const Json& json, int frame)
{
  const Json& frames = json.get_child("frames");
  return std::next(frames.begin(), frame)->second.get_child("people").front().second;
}

class TrackResults : public ::testing::Test {
protected:
  void
  SetUp() override
  {
    writeFile(folder_.path("arms.bvh"), armsMotion(20));
  }

  ProgramResult
  run(const std::string& arguments)
  {
    return runProgram(PCL_GPU_TRACK " --device host " + arguments, folder_.path());
  }

  ProgramResult
  expectSuccess(const std::string& arguments)
  {
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(result.errors, "") << arguments;
    return result;
  }

  Json
  readJson(const std::string& name) const
  {
    Json json;
    boost::property_tree::read_json(folder_.path(name), json);
    return json;
  }

  /** \brief Writes folders of depth maps, each of another plane, with another number of
   * frames: in0, in1 ... */
  void
  writeRecordings(int count)
  {
    for (int i = 0; i < count; ++i) {
      const std::string folder = folder_.path("in" + std::to_string(i));
      std::filesystem::create_directory(folder);
      for (int frame = 0; frame <= i % 3; ++frame)
        writePlanePng(
            folder + "/" + std::to_string(frame) + ".png", 32 + 4 * i, 24 + frame);
    }
  }

  /** \brief Tracks a simulated body, and writes p.csv and p.bvh.
   * \return the table without names of joints
   */
  std::vector<std::vector<std::string>>
  tableWithoutNames(const std::string& file)
  {
    expectSuccess("--simulate " + file +
                  " --size 48x36 --particles 50 --frames 0:0 --csv p.csv -o p.bvh");
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(readFile(folder_.path("p.csv")));
    std::string line;
    std::getline(lines, line); // names
    while (std::getline(lines, line)) {
      rows.emplace_back();
      std::istringstream parts(line);
      for (std::string part; std::getline(parts, part, ',');)
        rows.back().push_back(part);
    }
    EXPECT_EQ(rows.size(), 1u);
    return rows;
  }

  TemporaryFolder folder_;
};

const std::string simulated = "--simulate arms.bvh --size 96x72 --particles 100 ";

TEST_F(TrackResults, HelpAndVersion)
{
  const ProgramResult help = expectSuccess("--help");
  for (const char* part : {"NAME", "SYNOPSIS", "--simulate", "EXAMPLES", "EXIT STATUS"})
    EXPECT_NE(help.output.find(part), std::string::npos) << part;
  const ProgramResult version = expectSuccess("--version");
  EXPECT_EQ(version.output.rfind("pcl_gpu_track ", 0), 0u);
}

TEST_F(TrackResults, SimulatedBodyIsFollowed)
{
  const ProgramResult result =
      expectSuccess(simulated + "--output p.bvh --csv p.csv --timings t.json");
  EXPECT_NE(result.output.find("10 frames, 100 particles"), std::string::npos)
      << result.output;
  EXPECT_NE(result.output.find("mean joint error"), std::string::npos);
  EXPECT_EQ(folder_.files(),
            (std::vector<std::string>{"arms.bvh", "p.bvh", "p.csv", "t.json"}));

  const Json timings = readJson("t.json");
  const double error = timings.get<double>("mean_joint_error_m");
  EXPECT_LT(error, 0.1);
  EXPECT_GE(timings.get<double>("largest_frame_error_m"), error);
  EXPECT_EQ(timings.get<int>("frames"), 10);

  const Table table = readTable(folder_.path("p.csv"));
  ASSERT_EQ(table.at("frame").size(), 10u);
  EXPECT_EQ(table.at("frame")[9], "9");
  EXPECT_NEAR(std::stod(table.at("time_s")[9]), 0.3, 1e-6);
  double sum = 0.0;
  for (const std::string& frame : table.at("mean_error_m"))
    sum += std::stod(frame);
  EXPECT_NEAR(sum / 10, error, 1e-4);
  EXPECT_NEAR(std::stod(table.at("Hips_y")[0]), 1.0, 0.1);
  EXPECT_GT(std::stod(table.at("LeftForeArm_deviation_m")[5]), 0.0);
  EXPECT_NE(table.at("LeftForeArm_error_m")[0], "");
  EXPECT_EQ(table.at("LeftForeArm_end_error_m")[0], "") << "ends are not counted";

  const std::string poses = readFile(folder_.path("p.bvh"));
  EXPECT_EQ(poses.rfind("HIERARCHY", 0), 0u);
  EXPECT_NE(poses.find("Frames: 10"), std::string::npos);
}

TEST_F(TrackResults, JsonHasTheNumbersOfTheTable)
{
  expectSuccess(simulated + "--frames 2:5 --csv p.csv --json p.json --joints skeleton");
  const Table table = readTable(folder_.path("p.csv"));
  const Json json = readJson("p.json");
  EXPECT_EQ(json.get<std::string>("joint_names"), "skeleton");
  ASSERT_EQ(json.get_child("frames").size(), 4u);
  std::size_t i = 0;
  for (const auto& [unnamed, frame] : json.get_child("frames")) {
    EXPECT_EQ(frame.get<std::string>("frame"), table.at("frame")[i]);
    EXPECT_EQ(frame.get<std::string>("time_s"), table.at("time_s")[i]);
    ASSERT_EQ(frame.get_child("people").size(), 1u);
    const Json& person = personIn(json, static_cast<int>(i));
    EXPECT_EQ(person.get<std::string>("person"), "0");
    EXPECT_EQ(person.get<std::string>("confidence"), "null");
    std::size_t joints = 0;
    for (const auto& [name, joint] : person.get_child("joints")) {
      ++joints;
      EXPECT_EQ(joint.get<std::string>("deviation_m"),
                table.at(name + "_deviation_m")[i]);
      std::vector<std::string> position;
      for (const auto& number : joint.get_child("position_m"))
        position.push_back(number.second.data());
      EXPECT_EQ(position,
                (std::vector<std::string>{table.at(name + "_x")[i],
                                          table.at(name + "_y")[i],
                                          table.at(name + "_z")[i]}))
          << name;
    }
    EXPECT_EQ(joints, (table.size() - 7) / 5);
    ++i;
  }
}

TEST_F(TrackResults, JsonHasTheNamesOfAConvention)
{
  const auto track = [this](const std::string& options) {
    expectSuccess(simulated + "--frames 0:0 --csv p.csv --json p.json" + options);
    return readJson("p.json");
  };
  const Json itop = track("");
  EXPECT_EQ(itop.get<std::string>("joint_names"), "itop");
  const Json& itop_joints = personIn(itop, 0).get_child("joints");
  EXPECT_EQ(itop_joints.size(), 15u);
  EXPECT_EQ(itop_joints.front().first, "Head");
  const Json coco = track(" --joints coco");
  EXPECT_EQ(coco.get<std::string>("joint_names"), "coco");
  const Json& coco_joints = personIn(coco, 0).get_child("joints");
  EXPECT_EQ(coco_joints.size(), 17u);
  EXPECT_EQ(coco_joints.front().first, "nose");

  const Table table = readTable(folder_.path("p.csv"));
  for (const Json& elbow :
       {itop_joints.get_child("L Elbow"), coco_joints.get_child("left_elbow")}) {
    EXPECT_EQ(elbow.get_child("position_m").front().second.data(),
              table.at("LeftForeArm_x")[0]);
    EXPECT_EQ(elbow.get<std::string>("deviation_m"),
              table.at("LeftForeArm_deviation_m")[0]);
  }
  // This body has neither hands nor feet.
  for (const char* name : {"L Hand", "R Foot"})
    EXPECT_EQ(itop_joints.get<std::string>(name), "null") << name;
  EXPECT_EQ(coco_joints.get<std::string>("right_wrist"), "null");
}

TEST_F(TrackResults, ABodyThatIsNoPersonKeepsItsNamesInJson)
{
  writePlanePng(folder_.path("a.png"), 32, 24);
  writeFile(folder_.path("crane.yaml"),
            "joints:\n  - name: base\n  - name: jib \"2\"\n    parent: base\n"
            "    offset: [0, 0.5, 0]\n    angles: [{axis: [0, 1, 0]}]\ncapsules:\n"
            "  - {name: mast, joint: base, a: [0, 0, 0], b: [0, 1, 0], radius: 0.1}\n");
  expectSuccess("a.png --skeleton crane.yaml --particles 20 --json p.json");
  const Json json = readJson("p.json");
  EXPECT_EQ(json.get<std::string>("joint_names"), "skeleton");
  const Json& joints = personIn(json, 0).get_child("joints");
  ASSERT_EQ(joints.size(), 2u);
  EXPECT_EQ(joints.back().first, "jib \"2\"");
}

TEST_F(TrackResults, AHandIsFollowed)
{
  using namespace pcl::gpu;
  const Skeleton hand = makeHandSkeleton(0.19f, HandSide::Left);
  const int bent = hand.angleIndex(hand.findJoint("LeftHandIndex2"));
  MotionClip motion;
  motion.frame_time = 1.0 / 30.0;
  for (int frame = 0; frame < 4; ++frame) {
    motion.poses.push_back(hand.restPose());
    motion.poses.back()[bent] = 0.1f * frame;
  }
  saveBvh(folder_.path("hand.bvh"), hand, motion);
  expectSuccess("--simulate hand.bvh --hand left --size 96x72 --particles 100 "
                "--csv h.csv --timings t.json");
  EXPECT_LT(readJson("t.json").get<double>("mean_joint_error_m"), 0.03);
  const Table table = readTable(folder_.path("h.csv"));
  EXPECT_EQ(table.count("LeftHandPinky3_x"), 1u);
  // The other hand is not in the file.
  const ProgramResult other = run("--simulate hand.bvh --hand right --csv r.csv");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.errors.find("no joint RightHand"), std::string::npos) << other.errors;
}

TEST_F(TrackResults, AnOccluderHidesPartOfTheBody)
{
  expectSuccess(simulated + "--frames 0:0 --csv seen.csv");
  expectSuccess(simulated + "--frames 0:0 --csv hidden.csv --occluder");
  EXPECT_NE(readTable(folder_.path("seen.csv")).at("log_evidence"),
            readTable(folder_.path("hidden.csv")).at("log_evidence"));
}

TEST_F(TrackResults, SameSeedSameTable)
{
  const auto track = [this](const std::string& seed) {
    expectSuccess(simulated + "--frames 0:2 --csv p.csv --seed " + seed);
    return readTable(folder_.path("p.csv"));
  };
  const Table first = track("1");
  EXPECT_EQ(track("1"), first);
  EXPECT_NE(track("2"), first);
}

TEST_F(TrackResults, ARateThatIsKeptChangesNothing)
{
  expectSuccess(simulated + "--frames 0:4 --csv p.csv");
  const Table expected = readTable(folder_.path("p.csv"));
  const ProgramResult result =
      expectSuccess(simulated + "--frames 0:4 --csv p.csv --rate 0.01");
  EXPECT_EQ(readTable(folder_.path("p.csv")), expected);
  EXPECT_NE(result.output.find("rate: 0.01 frames a second, 100 particles, 4 layers\n"),
            std::string::npos)
      << result.output;
}

TEST_F(TrackResults, ARateThatIsTooHighLeavesOutFrames)
{
  writeFile(folder_.path("long.bvh"), armsMotion(2400));
  const ProgramResult result =
      expectSuccess("--simulate long.bvh --size 96x72 --particles 400 --csv p.csv "
                    "--json p.json --output p.bvh --timings t.json --rate 300");
  for (const char* const part : {"rate: ",
                                 " of 300 frames a second: ",
                                 " of 1199 frames left out, ",
                                 " to 400 particles, ",
                                 "; --particles ",
                                 " leaves out none\n"})
    EXPECT_NE(result.output.find(part), std::string::npos) << part << result.output;
  const Table table = readTable(folder_.path("p.csv"));
  const std::vector<std::string>& numbers = table.at("frame");
  ASSERT_GT(numbers.size(), 2u);
  ASSERT_LT(numbers.size(), 1200u);
  EXPECT_EQ(readJson("t.json").get<std::size_t>("frames"), numbers.size());
  EXPECT_EQ(numbers[0], "0");
  // The clock starts behind the first frame.
  EXPECT_EQ(numbers[1], "1");
  for (std::size_t i = 1; i < numbers.size(); ++i)
    EXPECT_GT(std::stoi(numbers[i]), std::stoi(numbers[i - 1]));
  const Json json = readJson("p.json");
  std::vector<std::string> json_numbers;
  for (const auto& [unnamed, frame] : json.get_child("frames"))
    json_numbers.push_back(frame.get<std::string>("frame"));
  EXPECT_EQ(json_numbers, numbers);
  // A motion has a pose for every frame up to the last one that was tracked.
  EXPECT_NE(readFile(folder_.path("p.bvh"))
                .find("Frames: " + std::to_string(std::stoi(numbers.back()) + 1)),
            std::string::npos);
}

TEST_F(TrackResults, SeveralDevicesSameTable)
{
  const auto track = [this](const std::string& device) {
    const ProgramResult result =
        runProgram(PCL_GPU_TRACK " " + simulated + "--frames 0:2 --csv p.csv " + device,
                   folder_.path());
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    return readTable(folder_.path("p.csv"));
  };
  EXPECT_EQ(track("--devices host,host,host"), track("--device host"));
}

TEST_F(TrackResults, FramesAreChosen)
{
  expectSuccess(simulated + "--frames 3:4 --csv p.csv");
  EXPECT_EQ(readTable(folder_.path("p.csv")).at("frame"),
            (std::vector<std::string>{"3", "4"}));
  expectSuccess(simulated + "--fps 60 --frames 18: --csv p.csv");
  EXPECT_EQ(readTable(folder_.path("p.csv")).at("frame"),
            (std::vector<std::string>{"18", "19"}));
}

TEST_F(TrackResults, RecordedDepthMapsAndClouds)
{
  writePlanePng(folder_.path("a.png"), 32, 24);
  writeFile(
      folder_.path("b.pcd"),
      "VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 2\n"
      "HEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 2\nDATA ascii\n0 0 1\n0 nan 1\n");
  const ProgramResult result =
      expectSuccess("a.png b.pcd --turn 0 --particles 20 --first-layers 2 --csv p.csv");
  EXPECT_EQ(result.output.rfind("2 frames, 20 particles", 0), 0u) << result.output;
  const Table table = readTable(folder_.path("p.csv"));
  EXPECT_EQ(table.at("Hips_x").size(), 2u);
  EXPECT_EQ(table.at("mean_error_m")[1], "");
}

TEST_F(TrackResults, PicturesAreFittedEachByItself)
{
  writePlanePng(folder_.path("a.png"), 32, 24);
  const std::string options = " --fit --upper-body --particles 20 --first-layers 2 ";
  expectSuccess("a.png a.png" + options + "--csv p.csv");
  const Table table = readTable(folder_.path("p.csv"));
  EXPECT_EQ(table.at("Hips_x").size(), 2u);
  EXPECT_EQ(table.at("Hips_x")[0], table.at("Hips_x")[1]);
  EXPECT_EQ(table.count("LeftFoot_x"), 0u);
  EXPECT_EQ(table.count("LeftHand_x"), 1u);
  // Points outside the box do not matter; here it holds none.
  const ProgramResult none = run("a.png --box 5,5,5,6,6,6 --csv p.csv" + options);
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.errors.find("no points"), std::string::npos) << none.errors;
}

TEST_F(TrackResults, NobodyIsInAPictureOfAPlane)
{
  writePlanePng(folder_.path("a.png"), 32, 24);
  const ProgramResult result = expectSuccess("a.png --fit --csv p.csv --json p.json");
  EXPECT_EQ(result.output.rfind("1 frame, 0 people, ", 0), 0u) << result.output;
  const Json json = readJson("p.json");
  ASSERT_EQ(json.get_child("frames").size(), 1u);
  EXPECT_TRUE(json.get_child("frames").front().second.get_child("people").empty());
}

TEST_F(TrackResults, PeopleAreFoundEachWithARow)
{
  const ProgramResult result =
      expectSuccess(dataPath("people/skeltrack_kinect/depth-data-1051883281.png") +
                    " --intrinsics 585,585,320,240 --fit --csv p.csv --json p.json");
  EXPECT_EQ(result.output.rfind("1 frame, 1 person, ", 0), 0u) << result.output;
  const Table table = readTable(folder_.path("p.csv"));
  EXPECT_EQ(table.at("person"), std::vector<std::string>{"0"});
  EXPECT_GT(std::stod(table.at("confidence")[0]), 0.5);
  EXPECT_EQ(table.at("effective_sample_size")[0], "");
  // Both hands are above the head, and y is down.
  EXPECT_LT(std::stod(table.at("LeftHand_y")[0]), std::stod(table.at("Head_y")[0]));
  EXPECT_LT(std::stod(table.at("RightHand_y")[0]), std::stod(table.at("Head_y")[0]));
  const Json json = readJson("p.json");
  EXPECT_EQ(personIn(json, 0).get<std::string>("confidence"),
            table.at("confidence")[0]);
  const Json& elbow = personIn(json, 0).get_child("joints").get_child("R Elbow");
  EXPECT_EQ(elbow.get_child("position_m").front().second.data(),
            table.at("RightForeArm_x")[0]);
  // A single picture has no particles.
  EXPECT_EQ(elbow.get<std::string>("deviation_m"), "null");
  EXPECT_EQ(table.at("RightForeArm_deviation_m")[0], "");
  // Frames of other shapes have no rows of pixels.
  writeFile(folder_.path("b.pcd"),
            "VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 2\n"
            "HEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 2\nDATA ascii\n0 0 1\n0 1 1\n");
  const ProgramResult refused = run("b.pcd --fit --csv p.csv");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.errors.find("is not organized"), std::string::npos)
      << refused.errors;
}

const std::string quick = " --particles 20 --first-layers 2 --turn 0 ";

TEST_F(TrackResults, RecordingsAreTrackedAsIfAlone)
{
  writeRecordings(3);
  std::filesystem::create_directories(folder_.path("other/in1"));
  writePlanePng(folder_.path("other/in1/0.png"), 64, 48);
  const ProgramResult result = expectSuccess(
      "in0 in1 ./in2/ other/in1/ --output-directory out --output .bvh --csv .csv "
      "--json .json" +
      quick);
  EXPECT_EQ(result.output.rfind("4 recordings, 7 frames, 20 particles", 0), 0u)
      << result.output;
  EXPECT_EQ(contentsOf(folder_.path("out")).size(), 13u);
  for (const auto& [folder, name] : {std::pair("in0", "in0"),
                                     std::pair("in1", "in1"),
                                     std::pair("in2", "in2"),
                                     std::pair("other/in1", "in1-2")}) {
    expectSuccess(folder + quick + "--output p.bvh --csv p.csv --json p.json");
    for (const std::string extension : {".bvh", ".csv", ".json"}) {
      const std::string alone = readFile(folder_.path("p" + extension));
      EXPECT_GT(alone.size(), 100u);
      EXPECT_EQ(readFile(folder_.path("out/" + (name + extension))), alone) << folder;
    }
  }
}

TEST_F(TrackResults, RecordingsAreSharedByProcesses)
{
  writeRecordings(7);
  // Threads of several processes would wait for each other.
  expectSharedWorkIsThatOfOne("env OMP_NUM_THREADS=1 " PCL_GPU_TRACK
                              " --device host in? --output .bvh --csv .csv" +
                                  quick + "--output-directory",
                              folder_.path());
}

TEST_F(TrackResults, AnUnreadableRecordingIsLeftOutUntilItIsMended)
{
  writeRecordings(3);
  const std::string command =
      "in0 in1 in2 --output .bvh --csv .csv" + quick + "--output-directory ";
  const std::string good = readFile(folder_.path("in1/1.png"));
  pcl::gpu::test::writeFile(folder_.path("in1/1.png"), good.substr(0, 50));
  for (const std::string shard : {"--shard 1/2", "--shard 2/2"}) {
    const ProgramResult result = run(command + "out " + shard);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 2);
    EXPECT_NE(result.errors.find("in1/1.png"), std::string::npos) << result.errors;
    EXPECT_NE(result.errors.find("1 of 3 inputs"), std::string::npos) << result.errors;
  }
  const auto files = contentsOf(folder_.path("out"));
  EXPECT_EQ(files.count("in0.bvh") + files.count("in2.bvh"), 2u);
  EXPECT_EQ(files.count("in1.bvh"), 0u);
  pcl::gpu::test::writeFile(folder_.path("in1/1.png"), good);
  const ProgramResult result = expectSuccess(command + "out --resume");
  EXPECT_EQ(result.output.rfind("1 recording, ", 0), 0u) << result.output;
  expectSuccess(command + "expected");
  EXPECT_EQ(contentsOf(folder_.path("out")), contentsOf(folder_.path("expected")));
}

TEST_F(TrackResults, StartsWhereTheUserSays)
{
  writePlanePng(folder_.path("a.png"), 32, 24);
  expectSuccess(
      "a.png --particles 2000 --no-partitions --first-layers 1 --survival 0.99 "
      "--position 1,2,3 --csv p.csv");
  const Table table = readTable(folder_.path("p.csv"));
  EXPECT_NEAR(std::stod(table.at("Hips_x")[0]), 1.0, 0.05);
  EXPECT_NEAR(std::stod(table.at("Hips_y")[0]), 2.0, 0.05);
  EXPECT_NEAR(std::stod(table.at("Hips_z")[0]), 3.0, 0.05);
  // Upright in a camera's frame: the head is above the hips, where y is less.
  EXPECT_LT(std::stod(table.at("Head_y")[0]), 1.7);
}

TEST_F(TrackResults, OtherBodies)
{
  writeFile(folder_.path("arms.yaml"), "skeleton: arms.bvh\n");
  expectSuccess(simulated + "--frames 0:1 --skeleton arms.yaml --csv p.csv");
  EXPECT_LT(std::stod(readTable(folder_.path("p.csv")).at("mean_error_m")[1]), 0.1);
  expectSuccess(simulated + "--frames 0:0 --skeleton arms.bvh --csv p.csv");
  EXPECT_LT(std::stod(readTable(folder_.path("p.csv")).at("mean_error_m")[0]), 0.1);
}

TEST_F(TrackResults, WordsOfNamesMayBeSeparatedByAnything)
{
  std::string text = armsMotion(3);
  for (const std::string word : {"Left", "Right", "Up", "Fore"})
    for (std::size_t i = 0; (i = text.find(word, i)) != std::string::npos; ++i)
      text.insert(i += word.size(), " ");
  writeFile(folder_.path("blank.bvh"), "\xef\xbb\xbf" + text);
  const auto expected = tableWithoutNames("arms.bvh");
  EXPECT_EQ(tableWithoutNames("blank.bvh"), expected);
  EXPECT_NE(readFile(folder_.path("p.bvh")).find("JOINT Left Up Leg\n"),
            std::string::npos);
}

TEST_F(TrackResults, ReportedNamesOfJoints)
{
  const std::string reported = "reported/bvh-joint-names/";
  EXPECT_EQ(tableWithoutNames(dataPath(reported + "blank.bvh")),
            tableWithoutNames(dataPath(reported + "plain.bvh")));
}

TEST_F(TrackResults, NamesThatSayNothingGiveANote)
{
  std::string text = armsMotion(3);
  text.replace(text.find("LeftArm"), 7, "tentacle");
  writeFile(folder_.path("odd.bvh"), text);
  const ProgramResult result =
      run("--simulate odd.bvh --size 32x24 --particles 10 --frames 0:0");
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.errors.rfind("note: odd.bvh: 1 of ", 0), 0u) << result.errors;
  EXPECT_NE(result.errors.find("tentacle"), std::string::npos) << result.errors;
}

TEST_F(TrackResults, WhatIsMissingIsNoPoint)
{
  const std::string header =
      "VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 4\n"
      "HEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 4\nDATA ascii\n0 0 1\n0.1 0 1\n";
  writeFile(folder_.path("zeros.pcd"), header + "0 0 0\n0 0 0\n");
  writeFile(folder_.path("nan.pcd"), header + "nan nan nan\nnan nan nan\n");
  std::vector<unsigned short> depth(32 * 24, 1000);
  for (const int missing : {0, 65535}) {
    std::fill(depth.begin(), depth.begin() + 500, static_cast<unsigned short>(missing));
    pcl::io::saveShortPNGFile(
        folder_.path(std::to_string(missing) + ".png"), depth.data(), 32, 24, 1);
  }
  const auto track = [this](const std::string& file) {
    const ProgramResult result =
        run(file + " --turn 0 --particles 20 --first-layers 2 --csv p.csv");
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(result.errors.rfind("note: ", 0) == 0, file == "65535.png");
    return readTable(folder_.path("p.csv"));
  };
  EXPECT_EQ(track("zeros.pcd"), track("nan.pcd"));
  EXPECT_EQ(track("65535.png"), track("0.png"));
}

TEST_F(TrackResults, PictureOfEveryFrame)
{
  const ProgramResult result =
      run(simulated + "--frames 0:1 --screenshot p.png --output-directory pictures");
  if (result.errors.find("the package xvfb") != std::string::npos) {
    EXPECT_EQ(result.exit_code, 1);
    GTEST_SKIP() << "neither a display nor Xvfb";
  }
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
  for (const char* name : {"pictures/p-0000.png", "pictures/p-0001.png"})
    EXPECT_GT(readFile(folder_.path(name)).size(), 20000u) << name;

  writeRecordings(2);
  const std::string command =
      "in0 in1 --screenshot .png --output-directory out --resume" + quick;
  expectSuccess(command);
  const auto files = contentsOf(folder_.path("out"));
  EXPECT_EQ(files.size(), 4u);
  for (const char* name : {"in0-0000.png", "in1-0000.png", "in1-0001.png"})
    EXPECT_EQ(files.count(name), 1u) << name;
  // A picture that is lost is made again, the same.
  std::filesystem::remove(folder_.path("out/in1-0001.png"));
  expectSuccess(command);
  EXPECT_EQ(contentsOf(folder_.path("out")), files);
}

} // namespace
