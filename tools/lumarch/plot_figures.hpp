// SPDX-License-Identifier: Apache-2.0
// One function a kind of picture.
#pragma once

#include <lumarch/result_file.hpp>

#include "lumarch/gnuplot.hpp"
#include "lumarch/plot_data.hpp"

namespace lumarch::tools {

// What pictures of spectra and powers share: found in one pass over the planes.
struct Extent {
  Range wavelengths, times;                  // m, s: where there is something to see
  double spectrum_peak = 0, power_peak = 0;  // J/m, W: largest over all planes
};
[[nodiscard]] Extent extent_of(const Signals& signals);

[[nodiscard]] Figure evolution(const ResultInfo& info, const Signals& signals, const Extent& extent);
[[nodiscard]] Figure spectrum(const ResultInfo& info, const Signals& signals, const Extent& extent);
[[nodiscard]] Figure time_profile(const ResultInfo& info, const Signals& signals, const Extent& extent);
[[nodiscard]] Figure spectrogram_figure(const ResultInfo& info, const Signals& signals, const Extent& extent);
// Of files with a fluence; empty where it is zero or not finite everywhere.
[[nodiscard]] Figure fluence_figure(const ResultInfo& info, const Signals& signals);
// Empty where no statistic is finite anywhere.
[[nodiscard]] Figure statistics(const ResultInfo& info);

}  // namespace lumarch::tools
