// SPDX-License-Identifier: Apache-2.0
// By the ends of a pulse's power in time and in frequency.
#include "translate/pulse_warnings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

#include "media/constants.hpp"
#include "translate/pulse.hpp"

namespace lumarch {

namespace {

constexpr double end_level = 1e-3;  // of the peak's power: where a pulse ends, in time and in frequency
constexpr double most_cut = 1e-4;   // of its energy, that nobody needs to hear of

std::string format(const char* pattern, ...) {
  char text[400];
  va_list values;
  va_start(values, pattern);
  std::vsnprintf(text, sizeof text, pattern, values);
  va_end(values);
  return text;
}

// Half of a shape's width in time and, without phases, in frequency; T0 is its natural width.
struct Ends {
  double time = 0, frequency = 0;
};

Ends ends_of(const Pulse& pulse, double t0) {
  const double gauss = std::sqrt(-std::log(end_level)), sech = std::acosh(std::sqrt(1 / end_level));
  switch (pulse.shape) {
    case Shape::gauss:
      return {gauss * t0, gauss / t0};
    case Shape::sech:
      return {sech * t0, 2 * sech / (constants::pi * t0)};
    case Shape::supergauss:  // its flanks are steeper by the order
      return {std::pow(-std::log(end_level), 0.5 / pulse.order) * t0, gauss * pulse.order / t0};
    default:
      return {};
  }
}

// The share of the energy that lies outside of a window.
double cut_share(const Pulse& pulse, const Ends& ends, double window) {
  double all = 0, cut = 0;
  const auto add = [&](double t, double energy) {
    all += energy;
    if (std::abs(t) > window / 2) cut += energy;
  };
  if (pulse.samples) {
    const auto& s = *pulse.samples;
    for (std::size_t i = 1; i < s.t.size(); ++i)
      add(pulse.delay + (s.t[i] + s.t[i - 1]) / 2, (s.power[i] + s.power[i - 1]) / 2 * (s.t[i] - s.t[i - 1]));
  } else {
    constexpr int half = 4000;
    for (int i = -half; i <= half; ++i) {
      const double t = 2 * ends.time * i / half;
      add(pulse.delay + t, std::pow(shape_amplitude(pulse, t), 2));
    }
  }
  return all > 0 ? cut / all : 0;
}

class Warnings {
public:
  Warnings(const Problem& problem, std::size_t index, double window, double low, double high)
      : pulse_(problem.launch[index]), index_(index), window_(window), low_(low), high_(high) {
    wavelength_ = pulse_.wavelength.value_or(problem.wavelength);
    t0_ = natural_width(pulse_);
  }

  void find(std::vector<std::string>& found) {
    const Ends ends = t0_ > 0 ? ends_of(pulse_, t0_) : Ends{};
    if (ends.time > 0 || pulse_.samples) find_cut(ends, found);
    if (!(ends.time > 0)) return;
    // with a chirp the frequencies at the pulse's ends
    const double swept = pulse_.chirp * ends.time / (t0_ * t0_), spread = std::hypot(ends.frequency, swept);
    find_alias(spread, found);
    find_wrap(ends, spread, found);
  }

private:
  [[nodiscard]] std::string name() const { return "pulse " + std::to_string(index_) + ": "; }

  void find_cut(const Ends& ends, std::vector<std::string>& found) const {
    const double share = cut_share(pulse_, ends, window_);
    if (!(share > most_cut)) return;
    const std::string key = pulse_.delay != 0 ? "/delay" : pulse_.samples ? "/file" : pulse_.fwhm ? "/fwhm" : "/t0";
    found.push_back(name() +
                    format("%.2g of its energy lies outside of the window, +- %.4g fs, and is cut off: enlarge "
                           "/time/window, or lower /launch/%zu%s",
                           share, window_ / 2 * 1e15, index_, key.c_str()));
  }

  void find_alias(double spread, std::vector<std::string>& found) const {
    const double own = 2 * constants::pi * constants::c / wavelength_;
    if (pulse_.chirp == 0 || (own + spread <= high_ && own - spread >= low_)) return;
    found.push_back(name() +
                    format("its chirp spreads its spectrum to +- %.4g THz, and the grid reaches from %.4g to "
                           "%.4g THz about it: what lies beyond is folded back or lost; take more /time/points "
                           "(or a wider /time/band), or lower /launch/%zu/chirp",
                           spread / (2 * constants::pi) * 1e-12, (low_ - own) / (2 * constants::pi) * 1e-12,
                           (high_ - own) / (2 * constants::pi) * 1e-12, index_));
  }

  // The delay of each frequency by the phases, and by the chirp, which orders them in time already.
  void find_wrap(const Ends& ends, double spread, std::vector<std::string>& found) const {
    const auto phase = spectral_phase(pulse_, wavelength_);
    if (!phase) return;
    const double square = 1 + pulse_.chirp * pulse_.chirp, rest = ends.time / std::sqrt(square);
    constexpr int half = 32;
    const double step = spread / half;
    const auto delay = [&](double w) {
      return (phase(w + step / 2) - phase(w - step / 2)) / step + w * t0_ * t0_ * pulse_.chirp / square;
    };
    const double centre = delay(0);
    double early = 0, late = 0;
    for (int i = -half; i <= half; ++i) {
      const double from_centre = delay(i * step) - centre;
      if (!std::isfinite(from_centre)) continue;
      early = std::min(early, from_centre);
      late = std::max(late, from_centre);
    }
    const double first = pulse_.delay + centre - std::hypot(rest, early);
    const double last = pulse_.delay + centre + std::hypot(rest, late);
    if (first >= -window_ / 2 && last <= window_ / 2) return;
    const char* key = pulse_.gdd != 0         ? "gdd"
                      : pulse_.tod != 0       ? "tod"
                      : pulse_.plates.empty() ? "spectral_phase"
                                              : "plates";
    found.push_back(name() +
                    format("its spectral phase spreads it from %.4g to %.4g fs, and the window ends at +- %.4g "
                           "fs: it wraps around; enlarge /time/window, or lower /launch/%zu/%s",
                           first * 1e15, last * 1e15, window_ / 2 * 1e15, index_, key));
  }

  const Pulse& pulse_;
  std::size_t index_;
  double window_, low_, high_, wavelength_ = 0, t0_ = 0;
};

}  // namespace

std::vector<std::string> pulse_warnings(const Problem& problem, double window, double low, double high) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < problem.launch.size(); ++i) Warnings(problem, i, window, low, high).find(found);
  return found;
}

}  // namespace lumarch
