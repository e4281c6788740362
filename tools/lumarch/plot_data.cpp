// SPDX-License-Identifier: Apache-2.0
#include "lumarch/plot_data.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

namespace lumarch::tools {

namespace {

using Complex = std::complex<double>;

constexpr double light = 299792458.0;  // m/s
constexpr double two_pi = 2 * std::numbers::pi;
constexpr std::size_t most_planes = 600;

double finite(double value) { return std::isfinite(value) ? value : 0; }
double square(Complex value) { return finite(value.real() * value.real() + value.imag() * value.imag()); }

// Per rad/s to per metre of wavelength.
double to_wavelength(double density, double wavelength) { return density * two_pi * light / (wavelength * wavelength); }

std::vector<std::int64_t> planes_of(const ResultFile& file, bool profiles) {
  if (!profiles) return file.field_planes();
  std::vector<std::int64_t> planes(static_cast<std::size_t>(std::max<std::int64_t>(file.info().planes_written, 0)));
  std::iota(planes.begin(), planes.end(), 0);
  return planes;
}

}  // namespace

Signals::Signals(const ResultFile& file)
    : file_(file),
      stored_(!file.info().spectrum_units.empty() && !file.info().power_units.empty()),
      fourier_(std::max<std::size_t>(file.info().time.size(), 1)) {
  // More planes than a picture has rows are left out evenly; the first and the last stay.
  const std::vector<std::int64_t> stored = planes_of(file, stored_);
  const std::size_t step = stored.size() / most_planes + 1;
  for (std::size_t i = 0; i < stored.size(); i += step) planes_.push_back(stored[i]);
  if (!stored.empty() && planes_.back() != stored.back()) planes_.push_back(stored.back());

  const auto& omega = file.info().omega;
  first_ = static_cast<std::size_t>(std::upper_bound(omega.begin(), omega.end(), 0.0) - omega.begin());
  for (std::size_t i = omega.size(); i-- > first_;) wavelengths_.push_back(two_pi * light / omega[i]);
}

double Signals::z(std::int64_t plane) const { return file_.info().z.at(static_cast<std::size_t>(plane)); }

std::vector<double> Signals::per_wavelength(std::int64_t plane) const {
  std::vector<double> density;  // J s, omega rising
  if (stored_) {
    density = file_.spectrum(plane);
    std::transform(density.begin(), density.end(), density.begin(), finite);
  } else {
    for (const Complex value : file_.field(plane)) density.push_back(square(value) / two_pi);
  }
  std::vector<double> reversed;
  reversed.reserve(wavelengths_.size());
  for (std::size_t i = density.size(); i-- > first_;)
    reversed.push_back(to_wavelength(density[i], wavelengths_[reversed.size()]));
  return reversed;
}

// E(t_j) = (domega/2 pi) sum_k E_k exp(-i (omega_k - omega0) t_j) with omega_k = omega_0' + k domega, t_j = t_0 + j dt
// and domega dt = 2 pi/n: whatever the parity of n, a transform between two factors of modulus 1. A real field has
// frequencies above 0 only, so fewer than times: the rest are 0.
std::vector<Complex> Signals::envelope(std::int64_t plane) const {
  const ResultInfo& info = file_.info();
  std::vector<Complex> field = file_.field(plane);
  const std::size_t n = field.size();
  if (n < 2) return field;
  const double step = (info.omega.back() - info.omega.front()) / static_cast<double>(n - 1);
  const double start = info.time.front(), offset = info.omega.front() - info.omega0;
  for (std::size_t k = 0; k < n; ++k) {
    const bool known = std::isfinite(field[k].real()) && std::isfinite(field[k].imag());
    field[k] = known ? field[k] * std::polar(step / two_pi, -static_cast<double>(k) * step * start) : Complex{};
  }
  field.resize(info.time.size());
  fourier_(field);
  for (std::size_t j = 0; j < field.size(); ++j) field[j] *= std::polar(1.0, -offset * info.time[j]);
  return field;
}

std::vector<double> Signals::power(std::int64_t plane) const {
  if (stored_) {
    std::vector<double> power = file_.power(plane);
    std::transform(power.begin(), power.end(), power.begin(), finite);
    return power;
  }
  const std::vector<Complex> field = envelope(plane);
  std::vector<double> power(field.size());
  std::transform(field.begin(), field.end(), power.begin(), square);
  return power;
}

Range visible(const std::vector<double>& x, const std::vector<double>& most) {
  if (x.empty()) return {};
  const double threshold = 1e-4 * *std::max_element(most.begin(), most.end());
  std::size_t first = 0, last = x.size() - 1;
  if (threshold > 0) {
    while (first < last && most[first] < threshold) ++first;
    while (last > first && most[last] < threshold) --last;
  }
  const double margin = 0.05 * (x[last] - x[first]);
  // A lone line still gets some room on both sides.
  const std::size_t least = 8, from = first > least ? first - least : 0, to = std::min(last + least, x.size() - 1);
  Range range{std::max(std::min(x[first] - margin, x[from]), x.front()),
              std::min(std::max(x[last] + margin, x[to]), x.back())};
  if (range.high <= range.low) range = {x.front() - 0.5 * std::abs(x.front()), x.front() + 0.5 * std::abs(x.front())};
  if (range.high <= range.low) range = {-1, 1};
  return range;
}

std::vector<double> in_pixels(const std::vector<double>& x, const std::vector<double>& y, Range range,
                              std::size_t columns) {
  std::vector<double> pixels(columns, 0.0);
  if (x.empty()) return pixels;
  const double width = (range.high - range.low) / static_cast<double>(columns);
  std::size_t i = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), range.low) - x.begin());
  for (std::size_t column = 0; column < columns; ++column) {
    const double low = range.low + width * static_cast<double>(column), middle = low + width / 2, high = low + width;
    double largest = -1;
    for (; i < x.size() && x[i] < high; ++i) largest = std::max(largest, y[i]);
    if (largest < 0 && i > 0 && i < x.size()) {  // no sample in it: between its neighbours
      const double part = std::clamp((middle - x[i - 1]) / (x[i] - x[i - 1]), 0.0, 1.0);
      largest = y[i - 1] + part * (y[i] - y[i - 1]);
    }
    pixels[column] = std::max(largest, 0.0);
  }
  return pixels;
}

double decibel(double value, double reference, double floor) {
  if (!(value > 0) || !(reference > 0)) return floor;
  return std::max(10 * std::log10(value / reference), floor);
}

Gated spectrogram(const Signals& signals, std::int64_t plane, double omega0, Range delays, std::size_t columns,
                  Range wavelengths, std::size_t rows) {
  const std::vector<Complex> field = signals.envelope(plane);
  const std::vector<double>& time = signals.times();
  Gated result;
  if (time.size() < 2) return result;
  // The gate that is as fine in time as in frequency, measured by what is shown of either.
  const double dt = time[1] - time[0], band = light / wavelengths.low - light / wavelengths.high;
  const double span = delays.high - delays.low;
  result.gate = std::clamp(0.7 * std::sqrt(span / band), 4 * dt, std::max(span / 10, 4 * dt));
  const auto reach = static_cast<std::ptrdiff_t>(std::ceil(2.2 * result.gate / dt));  // there the power is at -58 dB
  const std::size_t size = std::bit_ceil(static_cast<std::size_t>(4 * reach));
  const Fourier fourier(size);

  // Frequencies fall with the index of a forward transform, so the wavelengths rise from a negative index up.
  std::vector<double> lengths;
  std::vector<std::size_t> bins;
  const auto half = static_cast<std::ptrdiff_t>(size / 2);
  for (std::ptrdiff_t m = half - 1; m >= -half; --m) {
    const double omega = omega0 + two_pi * static_cast<double>(m) / (static_cast<double>(size) * dt);
    if (omega <= 0) break;
    lengths.push_back(two_pi * light / omega);
    bins.push_back(static_cast<std::size_t>(m > 0 ? static_cast<std::ptrdiff_t>(size) - m : -m));
  }
  std::vector<Complex> window(size);
  std::vector<double> density(lengths.size());
  for (std::size_t column = 0; column < columns; ++column) {
    const double delay = delays.low + span * (static_cast<double>(column) + 0.5) / static_cast<double>(columns);
    const auto centre = static_cast<std::ptrdiff_t>(std::lround((delay - time.front()) / dt));
    std::fill(window.begin(), window.end(), Complex{});
    for (std::ptrdiff_t k = -reach; k <= reach; ++k) {
      const std::ptrdiff_t at = centre + k;
      if (at < 0 || at >= static_cast<std::ptrdiff_t>(field.size())) continue;
      const double u = (time[static_cast<std::size_t>(at)] - delay) / result.gate;
      window[static_cast<std::size_t>(k + reach)] =
          field[static_cast<std::size_t>(at)] * std::exp(-2 * std::numbers::ln2 * u * u);
    }
    fourier(window);
    for (std::size_t i = 0; i < lengths.size(); ++i) density[i] = to_wavelength(square(window[bins[i]]), lengths[i]);
    result.rows.push_back(in_pixels(lengths, density, wavelengths, rows));
  }
  return result;
}

}  // namespace lumarch::tools
