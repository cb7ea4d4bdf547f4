// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "joint_name.h"

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

namespace pcl::gpu {

namespace {

/** \brief A part of the body and the words for it. */
struct PartWords {
  BodyPart part;
  std::vector<const char*> words; ///< two in one text: a name has both
};

/** \brief Words of CMU's and MotionBuilder's bodies, 3ds Max's Biped, Mixamo, Unity,
 * Unreal, Blender's Rigify, MakeHuman, Daz, OptiTrack, Xsens, Kinects and Acclaim's
 * files. */
const PartWords part_words[] = {
    // In this order: "LeftHandIndex1" is a finger, "LeftForeArm" no upper arm.
    {BodyPart::End, {"end", "nub", "site", "leaf", "tip", "ik", "pole", "target"}},
    {BodyPart::Trunk,
     {"spine",
      "chest",
      "back",
      "torso",
      "abdomen",
      "ab",
      "belly",
      "waist",
      "thorax",
      "ribcage"}},
    {BodyPart::Toe, {"toe", "toes", "ball", "metatarsal", "metatarsals"}},
    {BodyPart::Foot, {"foot", "ankle"}},
    {BodyPart::Thumb, {"thumb"}},
    {BodyPart::Finger,
     {"finger",
      "fingers",
      "index",
      "middle",
      "mid",
      "ring",
      "pinky",
      "pinkie",
      "little",
      "carpal",
      "metacarpal",
      "palm"}},
    {BodyPart::Hand, {"hand", "wrist"}},
    {BodyPart::Forearm,
     {"fore arm", "lower arm", "low arm", "farm", "elbow", "radius", "ulna"}},
    {BodyPart::Clavicle, {"clavicle", "clav", "collar", "shoulder", "shldr"}},
    {BodyPart::UpperArm, {"arm", "uarm", "bicep", "humerus"}},
    {BodyPart::Thigh, {"thigh", "femur", "up leg", "upper leg", "uleg"}},
    {BodyPart::Calf, {"knee", "shin", "calf", "tibia", "leg"}},
    {BodyPart::Pelvis, {"hip", "hips", "pelvis"}},
    {BodyPart::Neck, {"neck"}},
    {BodyPart::Head, {"head", "skull"}}};

const char* const left_words[] = {"left", "l"};
const char* const right_words[] = {"right", "r"};

/** \brief Other words that are found without a separator. A forehead is no head. */
const char* const other_words[] = {"joint", "bone", "base", "top", "forehead"};

std::vector<std::string>
wordsIn(const std::string& text)
{
  std::vector<std::string> words;
  return boost::algorithm::split(words, text, boost::algorithm::is_any_of(" "));
}

/** \brief The words of one text for a part. */
struct SplitWords {
  BodyPart part;
  std::vector<std::string> words;
};

/** \brief Returns all texts of part_words, in their order. */
const std::vector<SplitWords>&
splitPartWords()
{
  static const std::vector<SplitWords> split = [] {
    std::vector<SplitWords> result;
    for (const PartWords& part : part_words)
      for (const char* text : part.words)
        result.push_back({part.part, wordsIn(text)});
    return result;
  }();
  return split;
}

/** \brief The known words by their first letters. */
using WordsByLetter = std::array<std::vector<std::string>, 'z' - 'a' + 1>;

WordsByLetter
makeKnownWords()
{
  std::set<std::string> known(std::begin(left_words), std::end(left_words));
  known.insert(std::begin(right_words), std::end(right_words));
  known.insert(std::begin(other_words), std::end(other_words));
  for (const SplitWords& text : splitPartWords())
    known.insert(text.words.begin(), text.words.end());
  WordsByLetter words;
  for (const std::string& word : known)
    words[word.front() - 'a'].push_back(word);
  return words;
}

/** \brief Splits small letters into the fewest known words.
 * \return nothing if they are no such words
 */
std::vector<std::string>
knownWordsOf(const std::string& letters)
{
  static const WordsByLetter known = makeKnownWords();
  constexpr std::size_t none = std::string::npos;
  const std::size_t size = letters.size();
  std::vector<std::size_t> counts(size + 1, none), lengths(size + 1, 0);
  counts[size] = 0;
  for (std::size_t i = size; i-- > 0;)
    for (const std::string& word : known[letters[i] - 'a'])
      if (letters.compare(i, word.size(), word) == 0) {
        const std::size_t rest = counts[i + word.size()];
        if (rest != none && (counts[i] == none || rest + 1 < counts[i])) {
          counts[i] = rest + 1;
          lengths[i] = word.size();
        }
      }
  std::vector<std::string> words;
  for (std::size_t i = 0; counts[0] != none && i < size; i += lengths[i])
    words.push_back(letters.substr(i, lengths[i]));
  return words;
}

bool
isSmall(char c)
{
  return c >= 'a' && c <= 'z';
}

bool
isCapital(char c)
{
  return c >= 'A' && c <= 'Z';
}

std::string
inSmallLetters(std::string letters)
{
  for (char& letter : letters)
    if (isCapital(letter))
      letter = static_cast<char>(letter - 'A' + 'a');
  return letters;
}

/** \brief Returns whether a word begins at a letter that follows another: the U and L
 * of LeftUpLeg, and the H of LHip. */
bool
isBegin(const std::string& letters, std::size_t i)
{
  return isCapital(letters[i]) && (isSmall(letters[i - 1]) ||
                                   (i + 1 < letters.size() && isSmall(letters[i + 1])));
}

} // namespace

JointName::JointName(const std::string& name)
{
  const auto isLetter = [](char c) { return isSmall(c) || isCapital(c); };
  auto end = name.begin() + static_cast<std::ptrdiff_t>(name.rfind(':') + 1);
  while (end != name.end()) {
    const auto begin = std::find_if(end, name.end(), isLetter);
    end = std::find_if_not(begin, name.end(), isLetter);
    addLetters({begin, end});
  }
}

void
JointName::addLetters(const std::string& letters)
{
  const std::vector<std::string> known = knownWordsOf(inSmallLetters(letters));
  words_.insert(words_.end(), known.begin(), known.end());
  if (!known.empty())
    return;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= letters.size(); ++i)
    if (i == letters.size() || isBegin(letters, i)) {
      const std::string word = inSmallLetters(letters.substr(begin, i - begin));
      const std::vector<std::string> parts = knownWordsOf(word);
      words_.insert(words_.end(), parts.begin(), parts.end());
      begin = i;
    }
}

bool
JointName::hasWord(const std::string& word) const
{
  return std::find(words_.begin(), words_.end(), word) != words_.end();
}

BodyPart
JointName::part() const
{
  for (const SplitWords& text : splitPartWords())
    if (std::all_of(text.words.begin(), text.words.end(), [&](const std::string& word) {
          return hasWord(word);
        }))
      return text.part;
  return BodyPart::Unknown;
}

int
JointName::side() const
{
  const auto isThere = [&](const char* word) { return hasWord(word); };
  if (std::any_of(std::begin(left_words), std::end(left_words), isThere))
    return 1;
  return std::any_of(std::begin(right_words), std::end(right_words), isThere) ? -1 : 0;
}

} // namespace pcl::gpu
