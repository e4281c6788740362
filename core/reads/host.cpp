// SPDX-License-Identifier: Apache-2.0
// The numbers of a reading from rows that were downloaded: the definitions of core/march/route_reads.cpp once more, in
// plain sums.
#include <algorithm>
#include <cmath>

#include "media/constants.hpp"
#include "reads/plane.hpp"

namespace lumarch {

namespace {

class HostRows {
public:
  HostRows(const UppeTables& tables, std::span<const Complex> state, std::span<const Complex> time)
      : t_(tables), state_(state), time_(time) {}

  // body(node's index, squared sample, omega's index) for all samples of all components.
  template <class Body>
  void for_state(const Body& body) const {
    const std::size_t n = samples(), plane = t_.energy.size() / static_cast<std::size_t>(t_.own_components);
    for (std::size_t c = 0; c < components(); ++c)
      for (std::size_t i = 0; i < plane; ++i) {
        const double counts = t_.energy[t_.own_components == 1 ? i : c * plane + i];
        body(i / n, counts * std::norm(state_[c * plane + i]), i % n);
      }
  }

  // body(y, x, time row, W/m^2 of a square) for each node in space and component; x = -1 is a radial reading's axis.
  template <class Body>
  void for_time(const Body& body) const {
    const std::int64_t skipped = t_.reading_inner - t_.inner;
    for (std::int64_t c = 0; c < t_.components; ++c)
      for (std::int64_t y = 0; y < t_.outer; ++y)
        for (std::int64_t x = -skipped; x < t_.inner; ++x)
          body(y, x, row(c, y, x + skipped), t_.component_intensity[static_cast<std::size_t>(c)]);
  }

  [[nodiscard]] std::span<const Complex> row(std::int64_t c, std::int64_t y, std::int64_t x) const {
    const std::int64_t at = ((c * t_.outer + y) * t_.reading_inner + x) * t_.grid.times;
    return time_.subspan(static_cast<std::size_t>(at), times());
  }

  // The field on the axis at sample j, component c of the field in space.
  [[nodiscard]] Complex axis(std::int64_t c, std::size_t j) const {
    switch (t_.route) {
      case Route::line:
      case Route::cartesian:
        return row(c, t_.outer / 2, t_.inner / 2)[j];
      case Route::modal:
        break;
      default:
        return row(c, 0, 0)[j];
    }
    Complex sum = 0;
    const std::size_t which = t_.space_components == 2 ? static_cast<std::size_t>(c) : 1;
    for (std::int64_t x = 0; x < t_.inner; ++x)
      sum += t_.axis_field[static_cast<std::size_t>(x)][which] * row(0, 0, x)[j];
    return sum;
  }

  // What a node of the state counts in the field on the axis, for component c of the field in space.
  [[nodiscard]] Complex axis_weight(std::int64_t c, std::int64_t y, std::int64_t x) const {
    switch (t_.route) {
      case Route::mode_averaged:
        return 1;
      case Route::modal:
        return t_.axis_field[static_cast<std::size_t>(x)]
                            [t_.space_components == 2 ? static_cast<std::size_t>(c) : std::size_t{1}];
      case Route::radial:
        return t_.to_reading[static_cast<std::size_t>(x)];
      default:
        break;
    }
    const auto turns = [](std::int64_t k, std::int64_t n) {
      return static_cast<double>(k * (n / 2) % n) / static_cast<double>(n);
    };
    return std::polar(1.0, 2 * constants::pi * (turns(x, t_.inner) + turns(y, t_.outer)));
  }

  // Sample k of the state's field on the axis.
  [[nodiscard]] Complex axis_sample(std::int64_t c, std::size_t k) const {
    Complex sum = 0;
    for (std::int64_t y = 0; y < t_.outer; ++y)
      for (std::int64_t x = 0; x < t_.inner; ++x) {
        const std::int64_t node = ((t_.transverse ? c : 0) * t_.outer + y) * t_.inner + x;
        sum += axis_weight(c, y, x) * state_[static_cast<std::size_t>(node) * samples() + k];
      }
    return sum;
  }

  [[nodiscard]] std::size_t samples() const { return static_cast<std::size_t>(t_.grid.samples); }
  [[nodiscard]] std::size_t times() const { return static_cast<std::size_t>(t_.grid.times); }
  [[nodiscard]] std::size_t components() const { return static_cast<std::size_t>(t_.components); }
  [[nodiscard]] std::size_t node(std::int64_t y, std::int64_t x) const {
    return static_cast<std::size_t>(y * t_.inner + x);
  }

private:
  const UppeTables& t_;
  std::span<const Complex> state_, time_;
};

}  // namespace

PlaneRows rows_on_host(const UppeTables& t, const ReadWants& wants, std::span<const Complex> state,
                       std::span<const Complex> time) {
  if (!wants.far.empty() || !wants.near.empty())
    throw Error(
        Fault::refused,
        "statistics through apertures need the kernels read.samples and read.nodes, which this backend has not");
  const HostRows host(t, state, time);
  const auto nodes = static_cast<std::size_t>(t.outer * t.inner);
  PlaneRows rows;
  rows.spectrum.assign(host.samples(), 0);
  if (wants.nodes) rows.nodes.assign(nodes, 0);
  host.for_state([&](std::size_t node, double energy, std::size_t k) {
    rows.spectrum[k] += energy;
    if (wants.nodes) rows.nodes[node] += energy;
  });
  rows.power.assign(host.times(), 0);
  if (wants.fluence) rows.fluence.assign(nodes, 0);
  std::vector<std::vector<double>> intensity;  // of each node in space
  if (wants.peak) intensity.assign(nodes, std::vector<double>(host.times(), 0));
  host.for_time([&](std::int64_t y, std::int64_t x, std::span<const Complex> field, double of_square) {
    if (x < 0) return;
    const double weight = t.transverse ? of_square * t.transverse->area(y, x) : 1;
    double sum = 0;
    for (std::size_t j = 0; j < field.size(); ++j) {
      const double square = std::norm(field[j]);
      rows.power[j] += weight * square;
      sum += square;
      if (wants.peak) intensity[host.node(y, x)][j] += of_square * square;
    }
    if (wants.fluence) rows.fluence[host.node(y, x)] += of_square * sum * t.grid.dt();
  });
  for (const std::vector<double>& at : intensity) rows.peak.push_back(*std::max_element(at.begin(), at.end()));
  if (!wants.axis) return rows;
  rows.axis_power.assign(host.times(), 0);
  rows.axis_real.assign(host.times(), 0);
  const std::int64_t components = t.route == Route::modal ? t.space_components : t.components;
  for (std::int64_t c = 0; c < components; ++c)
    for (std::size_t j = 0; j < host.times(); ++j) {
      const Complex field = host.axis(c, j);
      rows.axis_power[j] +=
          (t.transverse ? t.component_intensity[static_cast<std::size_t>(c)] / t.intensity : 1) * std::norm(field);
      rows.axis_real[j] += field.real() * field.real();
    }
  rows.axis_spectrum.assign(host.samples(), 0);
  for (std::int64_t c = 0; c < components; ++c)
    for (std::size_t k = 0; k < host.samples(); ++k) {
      const double share = t.component_intensity[static_cast<std::size_t>(c)] / t.intensity;
      rows.axis_spectrum[k] +=
          (t.transverse ? share : 1) * (t.grid.half() && k > 0 ? 4 : 1) * std::norm(host.axis_sample(c, k));
    }
  return rows;
}

}  // namespace lumarch
