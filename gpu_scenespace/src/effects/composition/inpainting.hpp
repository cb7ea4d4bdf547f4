// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "effects/composition/picture_pyramid.hpp"
#include "frames/frame_preparation.hpp"

namespace pcl::device {

/** \brief Input of the inpainting of a picture: images of one size. */
struct InpaintingInput {
  Picture own;
  PtrStep<const std::uint8_t> mask;
  Picture seen; ///< by other frames; alpha is 0 where they see nothing

  PCL_GPU_HOST_DEVICE bool
  isKept(int column, int row) const
  {
    return mask.ptr(row)[column] == mask_background;
  }

  PCL_GPU_HOST_DEVICE bool
  isSeen(int column, int row) const
  {
    return seen.color.ptr(row)[column] >> 24 != 0;
  }
};

/** \brief Pixels that are seen too differently show something else, levels. */
constexpr float largest_difference = 40.0f;

/** \brief Marks the difference of a kept pixel from the colour that others see: they
 * see the background of the mask in another light, too. */
struct MarkDifference {
  InpaintingInput input;
  PyramidLevel differences;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    HolePixel pixel{};
    pixel.depth_weight = 1.0f; // depth has no differences
    if (input.isKept(column, row) && input.isSeen(column, row)) {
      const PackedColor own = input.own.color.ptr(row)[column];
      const PackedColor seen = input.seen.color.ptr(row)[column];
      pixel.red = static_cast<float>(redOf(own) - redOf(seen));
      pixel.green = static_cast<float>(greenOf(own) - greenOf(seen));
      pixel.blue = static_cast<float>(blueOf(own) - blueOf(seen));
      const bool is_same = fabsf(pixel.red) <= largest_difference &&
                           fabsf(pixel.green) <= largest_difference &&
                           fabsf(pixel.blue) <= largest_difference;
      pixel.color_weight = is_same ? 1.0f : 0.0f;
    }
    differences.at(column, row) = pixel;
  }
};

/** \brief Puts the known colour and depth of a pixel in the place of its difference. */
struct PlaceKnown {
  InpaintingInput input;
  PyramidLevel picture;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    HolePixel& pixel = picture.at(column, row);
    const bool is_kept = input.isKept(column, row);
    const PackedColor color =
        is_kept ? input.own.color.ptr(row)[column] : input.seen.color.ptr(row)[column];
    const float depth =
        is_kept ? input.own.depth.ptr(row)[column] : input.seen.depth.ptr(row)[column];
    const float share = is_kept ? 0.0f : 1.0f;
    HolePixel known{};
    if (is_kept || input.isSeen(column, row)) {
      known.red = static_cast<float>(redOf(color)) + share * pixel.red;
      known.green = static_cast<float>(greenOf(color)) + share * pixel.green;
      known.blue = static_cast<float>(blueOf(color)) + share * pixel.blue;
      known.color_weight = 1.0f;
    }
    if (gpu::isMeasuredDepth(depth)) {
      known.inverse_depth = 1.0f / depth;
      known.depth_weight = 1.0f;
    }
    pixel = known;
  }
};

/** \brief Writes a pixel of a picture whose holes are filled. */
struct WriteInpainted {
  InpaintingInput input;
  PyramidLevel picture;
  float opacity;        ///< of pixels inside the mask
  float noise_variance; ///< of the input, levels^2
  PictureOutput output;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const PackedColor own = input.own.color.ptr(row)[column];
    PackedColor written = own;
    float written_depth = input.own.depth.ptr(row)[column];
    float written_variance = noise_variance;
    if (!input.isKept(column, row)) {
      const HolePixel& pixel = picture.at(column, row);
      written = blended(pixel.blue, blueOf(own)) |
                blended(pixel.green, greenOf(own)) << 8 |
                blended(pixel.red, redOf(own)) << 16;
      if (opacity < 0.5f) {
        const bool has_depth = pixel.depth_weight > 0.0f && pixel.inverse_depth > 0.0f;
        written_depth = has_depth ? 1.0f / pixel.inverse_depth : NAN;
      }
      const float rest = 1.0f - opacity;
      written_variance = opacity * opacity * noise_variance +
                         rest * rest * input.seen.variance.ptr(row)[column];
    }
    output.write(column, row, written | ~color_bits, written_depth, written_variance);
  }

private:
  PCL_GPU_HOST_DEVICE PackedColor
  blended(float filled, int own) const
  {
    const float level = filled < 0.0f ? 0.0f : filled < 255.0f ? filled : 255.0f;
    return roundedLevel(level + opacity * (static_cast<float>(own) - level));
  }
};

/** \brief Copies a pixel of a picture that has no mask. */
struct CopyPicture {
  Picture picture;
  float noise_variance; ///< levels^2
  PictureOutput output;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    output.write(column,
                 row,
                 picture.color.ptr(row)[column] | ~color_bits,
                 picture.depth.ptr(row)[column],
                 noise_variance);
  }
};

} // namespace pcl::device
