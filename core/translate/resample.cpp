// SPDX-License-Identifier: Apache-2.0
#include "translate/resample.hpp"

#include <algorithm>
#include <boost/math/special_functions/bessel.hpp>
#include <cmath>

#include "media/constants.hpp"

namespace lumarch {

namespace {

using Values = std::vector<double>;
using Complex = std::complex<double>;

constexpr double pi = constants::pi;
constexpr double alike = 1e-9;  // of a step: no more than rounding lies between two points

double step_of(const Values& axis) {
  return axis.size() < 2 ? 1 : (axis.back() - axis.front()) / static_cast<double>(axis.size() - 1);
}

bool equal(const Values& a, const Values& b) {
  const double within = alike * std::abs(step_of(a));
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [&](double x, double y) { return std::abs(x - y) <= within; });
}

// The series of the old window, integrated over what the two have in common: a sinc. 0 beyond the old points' band.
class EvenRows {
public:
  EvenRows(const Values& from, const Values& to)
      : from_(from), to_(to), half_(pi / std::max(step_of(from), step_of(to))), scale_(step_of(from) * half_ / pi) {
    for (const double w : from_) {
      sines_.push_back(std::sin((w - from_.front()) * half_));
      cosines_.push_back(std::cos((w - from_.front()) * half_));
    }
  }
  void operator()(std::size_t point, Values& weights) const {
    const double w = to_[point], reach = step_of(from_) / 2, s = std::sin((w - from_.front()) * half_),
                 t = std::cos((w - from_.front()) * half_);
    const bool inside = w > from_.front() - reach && w < from_.back() + reach;
    for (std::size_t i = 0; i < from_.size(); ++i) {
      const double angle = (w - from_[i]) * half_;
      const double sine = std::abs(angle) < 1 ? std::sin(angle) : s * cosines_[i] - t * sines_[i];
      weights[i] = !inside ? 0 : angle == 0 ? scale_ : scale_ * sine / angle;
    }
  }

private:
  Values from_, to_;
  double half_, scale_;  // half of the common window; its share of the old one
  Values sines_, cosines_;
};

double aperture_of(const Values& k) { return boost::math::cyl_bessel_j_zero(0.0, 1) / k.front(); }

Values bessels(int order, const Values& k, double r) {
  Values all;
  for (const double one : k) all.push_back(boost::math::cyl_bessel_j(order, one * r));
  return all;
}

// Integral of abs(E)^2 over the plane = sum of weight abs(E(k_m))^2.
Values radial_weights(const Values& k) {
  const double aperture = aperture_of(k);
  Values weights;
  for (const double slope : bessels(1, k, aperture)) weights.push_back(1 / (pi * aperture * aperture * slope * slope));
  return weights;
}

// The Fourier-Bessel series of the old aperture, integrated over what the two have in common (Lommel's integral).
class RadialRows {
public:
  RadialRows(const Values& from, const Values& to)
      : from_(from),
        to_(to),
        common_(std::min(aperture_of(from), aperture_of(to))),
        weights_(radial_weights(from)),
        from0_(bessels(0, from, common_)),
        from1_(bessels(1, from, common_)),
        to0_(bessels(0, to, common_)),
        to1_(bessels(1, to, common_)) {}
  void operator()(std::size_t point, Values& weights) const {
    const double q = to_[point];
    const bool inside = q < from_.back() + (from_.size() > 1 ? step_of(from_) / 2 : from_.back());
    for (std::size_t m = 0; m < from_.size(); ++m) {
      const double k = from_[m];
      const double integral =
          std::abs(k - q) * common_ < 1e-7
              ? common_ * common_ / 2 * (from0_[m] * from0_[m] + from1_[m] * from1_[m])
              : common_ * (k * from1_[m] * to0_[point] - q * from0_[m] * to1_[point]) / ((k - q) * (k + q));
      weights[m] = inside ? 2 * pi * weights_[m] * integral : 0;
    }
  }

private:
  Values from_, to_;
  double common_;
  Values weights_, from0_, from1_, to0_, to1_;
};

}  // namespace

Resample Resample::even(const Values& from, const Values& to) {
  Resample map;
  const double step = step_of(from), other = step_of(to);
  map.weight_from_.assign(from.size(), step / (2 * pi));
  map.weight_to_.assign(to.size(), other / (2 * pi));
  map.same_ = equal(from, to);
  const double apart = (to.front() - from.front()) / step, whole = std::round(apart);
  const double drift = std::abs(other - step) * static_cast<double>(std::max(from.size(), to.size()));
  if (drift <= alike * step && std::abs(apart - whole) <= 1e-6) {  // the same points, more or fewer of them
    Places places(to.size());
    for (std::size_t k = 0; k < to.size(); ++k) {
      const auto at = static_cast<std::int64_t>(k) + static_cast<std::int64_t>(whole);
      if (at >= 0 && at < static_cast<std::int64_t>(from.size())) places[k] = static_cast<std::size_t>(at);
    }
    map.places_ = std::move(places);
    return map;
  }
  map.forward_ = EvenRows(from, to);
  map.back_ = EvenRows(to, from);
  return map;
}

Resample Resample::radial(const Values& from, const Values& to) {
  Resample map;
  map.weight_from_ = radial_weights(from);
  map.weight_to_ = radial_weights(to);
  map.same_ = equal(from, to);
  map.forward_ = RadialRows(from, to);
  map.back_ = RadialRows(to, from);
  return map;
}

Resample Resample::named(std::size_t from, Places to) {
  Resample map;
  map.weight_from_.assign(from, 1);
  map.weight_to_.assign(to.size(), 1);
  map.same_ = from == to.size();
  for (std::size_t i = 0; i < to.size(); ++i) map.same_ = map.same_ && to[i] == i;
  map.places_ = std::move(to);
  return map;
}

std::vector<Complex> Resample::operator()(const std::vector<Complex>& values, std::size_t outer, std::size_t inner,
                                          double& error2) const {
  std::vector<Complex> made(outer * to() * inner);
  if (places_) {
    for (std::size_t o = 0; o < outer; ++o)
      for (std::size_t k = 0; k < to(); ++k)
        if (const auto at = (*places_)[k])
          std::copy_n(values.begin() + static_cast<std::ptrdiff_t>((o * from() + *at) * inner), inner,
                      made.begin() + static_cast<std::ptrdiff_t>((o * to() + k) * inner));
    return made;
  }
  const auto add = [&](const std::vector<Complex>& in, std::size_t o, std::size_t points, const Values& row,
                       Complex* out) {
    for (std::size_t s = 0; s < points; ++s) {
      const Complex* from_here = in.data() + (o * points + s) * inner;
      for (std::size_t i = 0; i < inner; ++i) out[i] += row[s] * from_here[i];
    }
  };
  Values row(from());
  double held = 0, all = 0, apart = 0;
  for (std::size_t k = 0; k < to(); ++k) {
    forward_(k, row);
    for (std::size_t o = 0; o < outer; ++o) {
      Complex* out = made.data() + (o * to() + k) * inner;
      add(values, o, from(), row, out);
      for (std::size_t i = 0; i < inner; ++i) held += weight_to_[k] * std::norm(out[i]);
    }
  }
  row.resize(to());
  std::vector<Complex> again(inner);
  for (std::size_t s = 0; s < from(); ++s) {
    back_(s, row);
    for (std::size_t o = 0; o < outer; ++o) {
      std::fill(again.begin(), again.end(), 0.0);
      add(made, o, to(), row, again.data());
      const Complex* was = values.data() + (o * from() + s) * inner;
      for (std::size_t i = 0; i < inner; ++i) {
        all += weight_from_[s] * std::norm(was[i]);
        apart += weight_from_[s] * std::norm(again[i] - was[i]);
      }
    }
  }
  if (all > 0) error2 += std::abs(apart - (all - held)) / all;
  return made;
}

}  // namespace lumarch
