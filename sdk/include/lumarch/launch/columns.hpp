// SPDX-License-Identifier: Apache-2.0
// The right-hand side of columns as one kernel: some nodes of some members at a time go to time, get their responses,
// and come back, so that their rows stay in the device's cache.
#pragma once

#include <lumarch/launch/rhs.hpp>
#include <lumarch/launch/spatial.hpp>

namespace lumarch::launch {

// The rows that one of field, polarisation, current and what is in between has in the work area: a row for each
// component of each node, node by node, complex or real.
struct ColumnRows {
  NodeStrip<c128> strip;
  std::uint64_t offset = 0;  // bytes from the beginning of a worker's work area
  std::int64_t components = 1;
  bool complex = true;

  [[nodiscard]] NodeStrip<double> reals() const {
    return {reinterpret_cast<double*>(strip.base), 2 * strip.distance, 2 * strip.row};
  }
  [[nodiscard]] Rows<c128> rows() const { return shaped(strip.rows()); }
  [[nodiscard]] Rows<const c128> read() const { return shaped(strip.read()); }
  [[nodiscard]] Rows<double> real_rows() const { return shaped(reals().rows()); }
  [[nodiscard]] Rows<const double> read_reals() const { return shaped(reals().read()); }

  // As a response gets them; `area`: the work area's view.
  [[nodiscard]] lm_view view(const lm_view& area, std::int64_t nodes, std::int64_t samples) const {
    const std::int64_t size = complex ? 16 : 8, row = complex ? strip.row : 2 * strip.row;
    lm_view v{};
    v.buffer = area.buffer;
    v.offset = (area.offset + offset) / static_cast<std::uint64_t>(size);
    const std::int64_t extent[LM_AXES] = {area.extent[LM_AXIS_MEMBER], components, 1, nodes, samples};
    const std::int64_t pitch[LM_AXES] = {area.pitch[LM_AXIS_MEMBER] / size, row, row * components, row * components, 1};
    std::copy_n(extent, LM_AXES, v.extent);
    std::copy_n(pitch, LM_AXES, v.pitch);
    v.dtype = complex ? LM_C128 : LM_F64;
    v.flags = LM_VIEW_SCRATCH;
    return v;
  }

private:
  template <class T>
  [[nodiscard]] Rows<T> shaped(Rows<T> rows) const {
    rows.pitch[LM_AXIS_COMPONENT] = rows.pitch[LM_AXIS_INNER];
    rows.pitch[LM_AXIS_INNER] *= components;
    return rows;
  }
};

// What rhs.columns checks, and its rows.
class Columns {
public:
  explicit Columns(const Call& call) : p(call.params<lm_p_columns>()), call_(call) {
    sdk::check_views(call, 5, 6);
    if (p.n < 1 || p.together < 1) throw Fault(LM_E_ARG, "rhs.columns takes one sample and one node at least");
    sdk::check_output(call, 1);
    sdk::check_same(call, 0, 1, true);
    const lm_view& out = call.raw().views[1];
    band = out.extent[LM_AXIS_SAMPLE];
    components = out.extent[LM_AXIS_COMPONENT];
    longer = p.kind == LM_BAND_HALF ? p.n / 2 + 1 : p.n;
    longer_back = p.kind == LM_BAND_ENVELOPE ? p.n : p.n / 2 + 1;
    kind_back = p.kind == LM_BAND_ENVELOPE ? LM_BAND_ENVELOPE : LM_BAND_HALF;
    sdk::check_band(p.kind, band, longer);
    sdk::check_band(kind_back, band, longer_back);
    call.check_scales(p.pre_scale);
    call.check_scales(p.post_scale);
    for (std::uint32_t i = 2; i < call.n_views(); ++i)
      if (i != 3 && sdk::is_given(call, i)) sdk::check_shape(call, i, 1);
    if (sdk::is_given(call, 3)) sdk::check_one_row(call, 3);
    check_responses();
    if (has[LM_CURRENT] && !sdk::is_given(call, 5)) throw Fault(LM_E_ARG, "there is a current, and view 5 is missing");
    bytes_a_node = (has[LM_CURRENT] ? 4u : 3u) * static_cast<std::uint64_t>(components) *
                   sdk::round_up(16 * static_cast<std::uint64_t>(p.n));
    rows_bytes_ = bytes_a_node * p.together;
  }

  // Cuts the work area, which also has room for `plans` bytes of the plans' work.
  void cut(std::uint64_t plans) {
    Work work(call_, rows_bytes_ + std::max(plans, largest_));
    const lm_view& area = *call_.raw().work;
    if (area.offset % 64 || area.pitch[LM_AXIS_MEMBER] % 64) throw Fault(LM_E_ARG, "the work area is not aligned");
    std::uint64_t offset = 0;
    const auto next = [&](bool complex) {
      const ColumnRows out = {cut_rows<c128>(work, p.together * components, p.n), offset, components, complex};
      offset += static_cast<std::uint64_t>(p.together * components * out.strip.row) * sizeof(c128);
      return out;
    };
    field = next(p.kind != LM_BAND_HALF);
    part[LM_POLARISATION] = next(p.kind == LM_BAND_ENVELOPE);
    if (has[LM_CURRENT]) part[LM_CURRENT] = next(p.kind == LM_BAND_ENVELOPE);
    between = next(true);
  }

  // Calls all responses for the first `nodes` nodes of the work area, for the members of a piece.
  template <class Words>
  void respond(const Grid& piece, std::int64_t nodes, Words words) const {
    lm_members members = sdk::copy_of(*call_.raw().members);
    members.first = piece.first;
    members.n_active = piece.n_active;
    const lm_view& area = *call_.raw().work;
    lm_view rest = area;  // all that is left: a response may take more nodes at a time where it has more room
    rest.offset += rows_bytes_;
    rest.extent[LM_AXIS_SAMPLE] -= static_cast<std::int64_t>(rows_bytes_);
    sdk::ResponseViews views = {field.view(area, nodes, p.n)};
    for (std::uint32_t r = 0; r < p.n_responses; ++r) {
      const lm_response& response = p.responses[r];
      views[1] = part[response.output].view(area, nodes, p.n);
      sdk::call_response(call_, response, r, views, members, *call_.raw().exec, rest, words);
    }
  }

  const lm_p_columns& p;
  std::int64_t band = 0, components = 1;     // samples that are propagated
  std::int64_t longer = 0, longer_back = 0;  // of a row that goes to time, and of one that came back
  std::uint32_t kind_back = 0;
  bool has[2] = {};
  std::uint64_t bytes_a_node = 0;
  ColumnRows field, part[2], between;

private:
  void check_responses() {
    sdk::check_responses(p.responses, p.n_responses);
    for (std::uint32_t r = 0; r < p.n_responses; ++r) {
      const lm_response& response = p.responses[r];
      if (response.output > LM_CURRENT)
        throw Fault(LM_E_ARG, "response " + std::to_string(r) + " has an unknown output");
      has[response.output] = true;
      largest_ = std::max(largest_, response.work_bytes);
    }
  }

  const Call& call_;
  std::uint64_t largest_ = 0, rows_bytes_ = 0;
};

template <class P>
lm_status rhs_columns(lm_device* device, const lm_call* raw) noexcept {
  return shell<P>(device, raw, [](const Call& call) {
    Columns columns(call);
    const lm_p_columns& p = columns.p;
    const bool half = p.kind == LM_BAND_HALF, envelope = p.kind == LM_BAND_ENVELOPE;
    const auto in = rows<const c128>(call, 0);
    const auto out = rows<c128>(call, 1, columns.band);
    const auto pre = rows<const double>(call, 2, columns.band, true);
    const auto window = rows<const double>(call, 3, p.n, true);
    const Rows<const c128> weight[2] = {rows<const c128>(call, 4, columns.band),
                                        rows<const c128>(call, 5, columns.band, !columns.has[LM_CURRENT])};
    need_plan<P>(call, 0, half ? LM_FFT_C2R : LM_FFT_C2C, half ? LM_FFT_BACKWARD : LM_FFT_FORWARD, p.n);
    need_plan<P>(call, 1, envelope ? LM_FFT_C2C : LM_FFT_R2C, envelope ? LM_FFT_BACKWARD : LM_FFT_FORWARD, p.n);
    columns.cut(std::max(fft_work(fft_of<P>(call, 0)), fft_work(fft_of<P>(call, 1))));
    lm_device& here = *call.device();

    // As many members as fit the cache, one node of each at least, and then as many nodes. Where a view is SCRATCH, its
    // rows say which entries go together.
    const std::uint32_t fit = has_scratch_views(call) ? scratch_rows(call) : P::chunk(here, columns.bytes_a_node);
    const std::uint32_t members = std::max(1u, std::min(members_together(call), fit));
    const std::uint32_t most = has_scratch_views(call) ? scratch_rows(call) : members;
    const std::int64_t together = parts_in_cache<P>(call, p.together, columns.bytes_a_node, members);
    in_pieces(grid_of(call, 1), most, [&](const Grid& piece) {
      const auto on = [&](std::int64_t nodes, std::int64_t samples, const auto& body) {
        Grid grid = nodes_of(piece, nodes, samples);
        grid.components = columns.components;
        P::elements(here, grid, body);
      };
      for (std::int64_t y = 0; y < piece.outer; ++y)
        for (std::int64_t x = 0; x < piece.inner; x += together) {
          const std::int64_t nodes = std::min(together, piece.inner - x), count = nodes * columns.components;
          on(nodes, columns.longer,
             kernels::Pad{columns.between.rows(), from_node(in, y, x), from_node(pre, y, x), columns.band, p.kind,
                          p.pre_scale});
          if (half)
            transform_nodes<P>(here, *call.plan(0), piece, columns.between.strip, columns.field.reals(), count);
          else
            transform_nodes<P>(here, *call.plan(0), piece, columns.between.strip, columns.field.strip, count);
          columns.respond(piece, nodes, Words<P>{here});
          bool any = false;
          for (const std::uint32_t output : {LM_POLARISATION, LM_CURRENT}) {
            if (!columns.has[output]) continue;
            const ColumnRows& part = columns.part[output];
            if (window.given() && envelope)
              on(nodes, p.n, kernels::MultiplyReal{part.rows(), part.read(), window});
            else if (window.given())
              on(nodes, p.n, kernels::MultiplyReals{part.real_rows(), part.read_reals(), window});
            if (envelope)
              transform_nodes<P>(here, *call.plan(1), piece, part.strip, columns.between.strip, count);
            else
              transform_nodes<P>(here, *call.plan(1), piece, part.reals(), columns.between.strip, count);
            on(nodes, columns.band,
               kernels::Crop{from_node(out, y, x), columns.between.read(), from_node(weight[output], y, x),
                             columns.longer_back, columns.kind_back, p.post_scale, any});
            any = true;
          }
          if (!any) on(nodes, columns.band, kernels::Fill{from_node(out, y, x), {0.0, 0.0}});
        }
    });
  });
}

}  // namespace lumarch::launch
