// SPDX-License-Identifier: Apache-2.0
// From stored spectra and powers to what a picture shows: densities against wavelength, powers against time, in pixels.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include <lumarch/result_file.hpp>

#include "lumarch/fft.hpp"

namespace lumarch::tools {

struct Range {
  double low = 0, high = 1;
};

// Of the spectrum and the power of each plane where the file has them, else of its fields.
class Signals {
public:
  explicit Signals(const ResultFile& file);

  [[nodiscard]] const ResultFile& file() const { return file_; }
  [[nodiscard]] bool stored() const { return stored_; }  // spectrum and power are in the file, whatever its fields
  [[nodiscard]] const std::vector<std::int64_t>& planes() const { return planes_; }
  [[nodiscard]] double z(std::int64_t plane) const;
  [[nodiscard]] const std::vector<double>& wavelengths() const { return wavelengths_; }  // m, rising, of omega > 0
  [[nodiscard]] const std::vector<double>& times() const { return file_.info().time; }   // s, rising

  // J/m over wavelengths(); and W over times(); a line's per metre of y. Not-finite numbers become 0.
  [[nodiscard]] std::vector<double> per_wavelength(std::int64_t plane) const;
  [[nodiscard]] std::vector<double> power(std::int64_t plane) const;
  // Of a field with one node: sqrt(W) over times().
  [[nodiscard]] std::vector<std::complex<double>> envelope(std::int64_t plane) const;

private:
  const ResultFile& file_;
  bool stored_ = false;
  std::vector<std::int64_t> planes_;
  std::vector<double> wavelengths_;
  std::size_t first_ = 0;  // the first positive frequency
  Fourier fourier_;
};

// Where `most` (the largest over all planes) is above -40 dB of its own largest, with a margin, within the axis.
[[nodiscard]] Range visible(const std::vector<double>& x, const std::vector<double>& most);

// In `columns` equal pixels: the largest sample in each, so that no line falls between two pixels; between samples that
// lie further apart than pixels, linear.
[[nodiscard]] std::vector<double> in_pixels(const std::vector<double>& x, const std::vector<double>& y, Range range,
                                            std::size_t columns);

[[nodiscard]] double decibel(double value, double reference, double floor);

// A Gaussian-gated spectrum of every delay: what a cross-correlating spectrogram (XFROG) of the pulse would show.
struct Gated {
  double gate = 0;                        // s, full width at half maximum of the gate's power
  std::vector<std::vector<double>> rows;  // [delay][wavelength pixel]
};
[[nodiscard]] Gated spectrogram(const Signals& signals, std::int64_t plane, double omega0, Range delays,
                                std::size_t columns, Range wavelengths, std::size_t rows);

}  // namespace lumarch::tools
