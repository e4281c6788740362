// SPDX-License-Identifier: Apache-2.0
#include "march/readings.hpp"

#include <algorithm>

namespace lumarch {

namespace {

std::int64_t padded(std::int64_t n) { return (n + 7) / 8 * 8; }

// A map's inner nodes are samples, its outer ones inner nodes.
lm_view place(const lm_view& block, std::int64_t& used, std::int64_t outer, std::int64_t n) {
  lm_view v = block;
  v.offset += static_cast<std::uint64_t>(used);
  v.extent[LM_AXIS_INNER] = outer;
  v.pitch[LM_AXIS_INNER] = outer > 1 ? padded(n) : 0;
  v.extent[LM_AXIS_SAMPLE] = n;
  used += outer * padded(n);
  return v;
}

template <class Row, class Map>
void lay_out(const ReadShape& shape, const ReadWants& wants, ReadViews& views, const Row& row, const Map& map) {
  const auto put = [&](bool wanted, lm_view& view, const auto& made) {
    if (wanted) view = made();
  };
  const auto omega = [&] { return row(shape.state.samples); };
  const auto time = [&] { return row(shape.times); };
  put(true, views.spectrum, omega);
  put(wants.power, views.power, time);
  put(wants.nodes, views.nodes, map);
  put(wants.fluence, views.fluence, map);
  put(wants.peak, views.peak, map);
  put(wants.axis, views.axis_power, time);
  put(wants.axis, views.axis_real, time);
  put(wants.axis, views.axis_spectrum, omega);
  views.far.resize(wants.far.size());
  views.near.resize(wants.near.size());
  for (auto* all : {&views.far, &views.near})
    for (ReadViews::Through& through : *all) {
      through.spectrum = omega();
      through.power = time();
    }
}

}  // namespace

ReadRows::ReadRows(Device& device, std::uint32_t members, const ReadShape& shape, const ReadWants& wants) {
  std::int64_t total = 0;
  const lm_view none{};
  const auto row = [&](std::int64_t n) { return place(none, total, 1, n); };
  const auto map = [&] { return place(none, total, shape.state.outer, shape.state.inner); };
  lay_out(shape, wants, views_, row, map);
  block_ = RowBlock(device, RowBlock::Kind::own, members, total, LM_F64, 1, "numbers read");
  std::int64_t used = 0;
  const lm_view block = block_.view();
  lay_out(
      shape, wants, views_, [&](std::int64_t n) { return place(block, used, 1, n); },
      [&] { return place(block, used, shape.state.outer, shape.state.inner); });
}

std::vector<double> ReadRows::unpacked(const lm_view& view, const std::vector<double>& all) const {
  std::vector<double> out;
  if (view.buffer == 0) return out;
  const auto n = static_cast<std::size_t>(view.extent[LM_AXIS_SAMPLE]);
  for (std::int64_t y = 0; y < view.extent[LM_AXIS_INNER]; ++y) {
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(view.offset) + y * view.pitch[LM_AXIS_INNER];
    out.insert(out.end(), from, from + static_cast<std::ptrdiff_t>(n));
  }
  return out;
}

PlaneRows ReadRows::download(Device& device, std::uint32_t member) const {
  std::vector<double> all;
  block_.download(device, member, 0, all, "read plane");
  const auto rows = [&](const lm_view& view) { return unpacked(view, all); };
  const auto through = [&](const std::vector<ReadViews::Through>& from) {
    std::vector<PlaneRows::Through> out;
    for (const ReadViews::Through& one : from) out.push_back({rows(one.spectrum), rows(one.power)});
    return out;
  };
  return {rows(views_.spectrum), rows(views_.power),      rows(views_.nodes),     rows(views_.fluence),
          rows(views_.peak),     rows(views_.axis_power), rows(views_.axis_real), rows(views_.axis_spectrum),
          through(views_.far),   through(views_.near)};
}

lm_view part_of(lm_view view, int axis, std::int64_t first, std::int64_t n) {
  view.offset += static_cast<std::uint64_t>(first * view.pitch[axis]);
  view.extent[axis] = n;
  return view;
}

std::int64_t read_together(const Device& device, std::int64_t most, std::uint64_t bytes) {
  const bool wide = !(device.info().caps & LM_CAP_HOST_MEMORY);
  const std::uint64_t budget = wide ? std::uint64_t{128} << 20 : std::uint64_t{1} << 19;
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(budget / std::max<std::uint64_t>(1, bytes)), 1, most);
}

}  // namespace lumarch
