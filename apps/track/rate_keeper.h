// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Work that a frame takes. */
struct Effort {
  int particles = 0;
  int layers = 0;
};

/** \brief Keeps the rate of frames: lowers the work if frames take too long, raises it
 * again if there is time, and leaves out frames that are too late.
 *
 * Frames come at their rate, as from a camera. Work on the newest one begins as soon as
 * that on another one ends, so frames are never later than the time between two of them
 * and the time of their own work. First particles become fewer, down to a quarter, then
 * layers. There is no clock in here.
 */
class RateKeeper {
public:
  /** \brief Begins with all of the work.
   * \param[in] rate frames a second
   * \param[in] frames number of frames that come
   * \param[in] full work of a frame if there is time
   */
  RateKeeper(double rate, std::size_t frames, const Effort& full);

  /** \brief Returns the work that the next frame may take. */
  const Effort&
  effort() const
  {
    return levels_[level_].effort;
  }

  /** \brief Adds a frame that was worked on.
   * \param[in] seconds time of all of its work
   * \return number of frames to leave out: those that came meanwhile, except the newest
   */
  int
  add(double seconds);

  /** \brief Returns the rate that was reached, and the option that changes it. */
  std::string
  summary() const;

private:
  /** \brief A step of the ladder, and its frames. */
  struct Level {
    Effort effort;
    double seconds = 0.0; ///< of all its frames
    int frames = 0;

    double
    work() const
    {
      return static_cast<double>(effort.particles) * effort.layers;
    }
  };

  void
  chooseLevel();

  void
  moveTo(std::size_t level);

  double rate_;
  std::size_t frames_;
  std::vector<Level> levels_; ///< less work from one to the next
  std::size_t level_ = 0;
  std::vector<double> recent_; ///< seconds of the frames since the level was chosen
  double seconds_ = 0.0;       ///< since the first frame came, if frames came at rate
  std::size_t next_ = 0;       ///< number of the next frame
  std::size_t left_out_ = 0;
};

} // namespace pcl::gpu::apps
