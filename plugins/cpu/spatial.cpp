// SPDX-License-Identifier: Apache-2.0
// What goes across nodes: transforms along an axis in panels of neighbouring samples, products with a matrix in panels
// of columns; and the product with a table of version 2.
#include <lumarch/sdk/routes.hpp>

#include <algorithm>
#include <string>

#include "device.hpp"
#include "kernels.hpp"
#include "parallel.hpp"
#include "rows/media.hpp"

namespace lumarch::cpu {

using sdk::Call;
using sdk::Complex;
using sdk::Fault;
using sdk::RowIndex;
using sdk::Rows;

namespace {

template <class T, class Table, class Row>
void multiply(const Call& call, const Row& row) {
  const auto out = call.rows<T>(0);
  const auto x = call.rows<T>(1, out.samples);
  const auto table = call.rows<Table>(2, out.samples);
  check_output(call, 0);
  check_shape(call, 1, 0);
  check_shape(call, 2, 0);
  for_rows(call, 0, [&](const RowIndex& at, unsigned) {
    row(reinterpret_cast<double*>(out(at)), reinterpret_cast<const double*>(x(at)),
        reinterpret_cast<const double*>(table(at)), static_cast<std::size_t>(out.samples));
  });
}

// The nodes along an axis for one index of all else but samples: where its rows begin and how far apart, in numbers.
struct Line {
  const double* in;
  std::size_t in_pitch;
  double* out;
  std::size_t out_pitch;
};

// Samples [first, first + width) of n nodes between a line and rows of `pitch` complex numbers.
void gather(double* to, std::size_t pitch, const double* line, std::size_t line_pitch, std::size_t n, std::size_t first,
            std::size_t width) {
  for (std::size_t t = 0; t < n; ++t) std::copy_n(line + 2 * (t * line_pitch + first), 2 * width, to + 2 * t * pitch);
}
void scatter(double* line, std::size_t line_pitch, const double* from, std::size_t pitch, std::size_t n,
             std::size_t first, std::size_t width) {
  for (std::size_t t = 0; t < n; ++t) std::copy_n(from + 2 * t * pitch, 2 * width, line + 2 * (t * line_pitch + first));
}

constexpr std::size_t panel_width = 32, panel_pitch = 36;  // an odd number of cache lines apart: no two in one set

// Own lengths: a panel at a time, all of it in a cache.
void panel(const OwnFft& fft, const Line& line, std::size_t first, std::size_t width, bool backward, double* work) {
  const std::size_t n = fft.size();
  gather(work, panel_pitch, line.in, line.in_pitch, n, first, width);
  fft.panel({work, panel_pitch, work, panel_pitch, width}, backward, work + 2 * n * panel_pitch);
  scatter(line.out, line.out_pitch, work, panel_pitch, n, first, width);
}
std::size_t panel_bytes(const OwnFft& fft) { return 16 * fft.size() * panel_pitch + fft.panel_bytes(panel_width); }

// Any length: a sample's nodes as a row, as many of them as the work area holds.
void columns(const Fft& fft, const Line& line, std::size_t samples, std::byte* work, std::uint64_t slab,
             unsigned worker) {
  const auto n = static_cast<std::size_t>(fft.desc().n);
  const std::size_t row = round_up(16 * n),
                    many = std::max<std::size_t>(1, std::min<std::size_t>(slab / row, panel_width));
  for (std::size_t first = 0; first < samples; first += many) {
    const std::size_t width = std::min(many, samples - first);
    const auto at = [&](std::byte* area, std::size_t i) { return reinterpret_cast<double*>(area + i * row); };
    for (std::size_t t = 0; t < n; ++t)
      for (std::size_t i = 0; i < width; ++i)
        std::copy_n(line.in + 2 * (t * line.in_pitch + first + i), 2, at(work, i) + 2 * t);
    for (std::size_t i = 0; i < width; ++i) fft.run(at(work, i), at(work + slab, i), worker);
    for (std::size_t t = 0; t < n; ++t)
      for (std::size_t i = 0; i < width; ++i)
        std::copy_n(at(work + slab, i) + 2 * t, 2, line.out + 2 * (t * line.out_pitch + first + i));
  }
}

// A worker's part of the work area; the call has checked it.
std::byte* work_of(const Call& call, std::byte* mine, unsigned worker) {
  return mine + (static_cast<std::int64_t>(worker) - static_cast<std::int64_t>(call.raw().exec->worker)) *
                    call.raw().work->pitch[LM_AXIS_MEMBER];
}

}  // namespace

lm_status core_mul_2(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    check_views(call, 3, 3);
    if (call.raw().views[0].dtype == LM_F64)
      multiply<double, double>(call, device->rows.media->multiply_doubles);
    else if (call.raw().views[2].dtype == LM_F64)
      multiply<Complex, double>(call, device->rows.multiply_real);
    else
      multiply<Complex, Complex>(call, device->rows.multiply);
  });
}

lm_status spatial_fft(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    check_views(call, 2, 2);
    const int axis = sdk::axis_parameter(call);
    const auto out = call.rows<Complex>(0);
    const auto in = call.rows<Complex>(1, out.samples);
    check_output(call, 0);
    sdk::check_same(call, 1, 0, true);
    const lm_view &to = call.raw().views[0], &from = call.raw().views[1];
    const Fft& fft = fft_of(call, 0);
    if (!fft.is(LM_FFT_C2C, fft.desc().direction, false, to.extent[axis]))
      throw Fault(LM_E_ARG, "the plan is no c2c transform out of place of as many points as the axis has nodes");
    const auto n = static_cast<std::size_t>(to.extent[axis]), samples = static_cast<std::size_t>(out.samples);
    const std::uint64_t slab = round_up(16 * std::uint64_t{n} * samples);
    std::byte* const mine = call.work(2 * slab);
    if (reinterpret_cast<std::uintptr_t>(mine) % 64 || call.raw().work->pitch[LM_AXIS_MEMBER] % 64)
      throw Fault(LM_E_ARG, "the work area does not begin at a multiple of 64 bytes");
    const OwnFft* const own = fft.own();
    const bool in_panels = own && own->has_panels() && samples >= panel_width && panel_bytes(*own) <= 2 * slab;
    const std::size_t panels = in_panels ? (samples + panel_width - 1) / panel_width : 1;
    const int across = axis == LM_AXIS_OUTER ? LM_AXIS_INNER : LM_AXIS_OUTER;
    const auto lines = static_cast<std::size_t>(to.extent[LM_AXIS_COMPONENT] * to.extent[across]);
    const bool backward = fft.desc().direction == LM_FFT_BACKWARD;
    call.for_each_member([&](const RowIndex& member) {
      split(static_cast<std::uint32_t>(lines * panels), call.raw().exec->worker, [&](std::uint32_t part, unsigned by) {
        const auto which = static_cast<std::int64_t>(part / panels);
        const std::size_t first = part % panels * panel_width;
        RowIndex at = member;
        at.component = which / to.extent[across];
        (across == LM_AXIS_INNER ? at.inner : at.outer) = which % to.extent[across];
        const Line line = {numbers(in(at)), static_cast<std::size_t>(from.pitch[axis]), numbers(out(at)),
                           static_cast<std::size_t>(to.pitch[axis])};
        std::byte* const work = work_of(call, mine, by);
        if (in_panels)
          panel(*own, line, first, std::min(panel_width, samples - first), backward, reinterpret_cast<double*>(work));
        else
          columns(fft, line, samples, work, slab, by);
      });
    });
  });
}

lm_status spatial_matrix(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    check_views(call, 3, 3);
    const auto out = call.rows<Complex>(0);
    const auto in = call.rows<Complex>(1, out.samples);
    const auto matrix = call.rows<double>(2);
    check_output(call, 0);
    const std::int64_t K = sdk::check_matrix(call);
    const lm_view &to = call.raw().views[0], &from = call.raw().views[1];
    const std::int64_t sums = K > 1 ? from.extent[LM_AXIS_COMPONENT] : 1, outer = to.extent[LM_AXIS_OUTER];
    const std::size_t doubles = 2 * static_cast<std::size_t>(out.samples), width = device->rows.media->matrix_columns;
    const std::size_t panels = (doubles + width - 1) / width;
    const auto lines = static_cast<std::size_t>(to.extent[LM_AXIS_COMPONENT] * outer);
    call.for_each_member([&](const RowIndex& member) {
      split(static_cast<std::uint32_t>(lines * panels), call.raw().exec->worker, [&](std::uint32_t part, unsigned) {
        const auto which = static_cast<std::int64_t>(part / panels);
        const std::size_t first = part % panels * width;
        RowIndex result = member, source = member, row = member;
        result.component = which / outer;
        result.outer = source.outer = which % outer;
        for (std::int64_t c = 0; c < sums; ++c) {
          source.component = sums > 1 ? c : K > 1 ? 0 : result.component;
          row.component = sums > 1 ? c : K > 1 ? result.component : 0;
          const auto pitch = [](const lm_view& v, std::int64_t width_of) {
            return static_cast<std::size_t>(v.pitch[LM_AXIS_INNER] * width_of);
          };
          device->rows.media->matrix(
              {numbers(out(result)) + first, pitch(to, 2), numbers(in(source)) + first, pitch(from, 2), matrix(row),
               pitch(call.raw().views[2], 1), static_cast<std::size_t>(to.extent[LM_AXIS_INNER]),
               static_cast<std::size_t>(from.extent[LM_AXIS_INNER]), std::min(width, doubles - first), c > 0});
        }
      });
    });
  });
}

}  // namespace lumarch::cpu
