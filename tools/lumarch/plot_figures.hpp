// SPDX-License-Identifier: Apache-2.0
// One function a kind of picture.
#pragma once

#include <lumarch/result_file.hpp>
#include <lumarch/scan_file.hpp>
#include <string>

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
// Empty where no statistic is finite anywhere. `along`: what z is, where it is no distance.
[[nodiscard]] Figure statistics(const ResultInfo& info, const std::string& along = "");

// Of a scan: each statistic at the last plane against its axis, or as a map against two; the spectra at the last plane
// against one axis. Empty where there is nothing to draw.
[[nodiscard]] Figure scan_statistics(const ScanFile& file);
[[nodiscard]] Figure scan_spectra(const ScanFile& file);

}  // namespace lumarch::tools
