// SPDX-License-Identifier: Apache-2.0
// What is read of a state: sums of squares over its nodes, by blocks of samples, and over the samples of a node.
#include <lumarch/sdk/reads.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include "device.hpp"
#include "kernels.hpp"
#include "parallel.hpp"
#include "rows/media.hpp"

namespace lumarch::cpu {

using sdk::Call;
using sdk::Complex;
using sdk::Fault;
using sdk::RowIndex;

namespace {

// Constants of the variant: they decide in which order numbers are added. A block of samples is one thread's, over all
// nodes; so many rows are summed before they are added to those before them, which keeps the rounding of large grids.
constexpr std::int64_t samples_a_block = 256, rows_a_sum = 256;

}  // namespace

lm_status read_samples(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    const lm_p_read& p = sdk::check_read_samples(call);
    const auto out = call.rows<double>(0);
    const auto x = call.rows<Complex>(1, out.samples);
    const auto weight = call.rows<double>(2, out.samples, true), map = call.rows<double>(3, -1, true);
    const lm_view& nodes = call.raw().views[1];
    const std::int64_t inner = nodes.extent[LM_AXIS_INNER], outer = nodes.extent[LM_AXIS_OUTER],
                       rows = nodes.extent[LM_AXIS_COMPONENT] * outer * inner;
    call.for_each_member([&](const RowIndex& member) {
      const auto block = [&](std::uint32_t part, unsigned) {
        const std::int64_t first = part * samples_a_block, n = std::min(samples_a_block, out.samples - first);
        std::array<double, samples_a_block> all{}, some{};
        SquaresRow row{{}, {}, 1, (p.flags & LM_READ_REAL) != 0, static_cast<std::size_t>(n)};
        RowIndex at = member;
        for (std::int64_t r = 0; r < rows; ++r) {
          at.inner = r % inner;
          at.outer = r / inner % outer;
          at.component = r / (inner * outer);
          row.x[0] = numbers(x(at) + first);
          if (weight.given()) row.weight[0] = weight(at) + first;
          const double c = map.given() ? map(sdk::map_row(at))[at.inner] : 1.0;
          device->rows.media->add_squares(some.data(), row, c);
          if ((r + 1) % rows_a_sum != 0 && r + 1 != rows) continue;
          for (std::size_t s = 0; s < all.size(); ++s) all[s] += std::exchange(some[s], 0.0);
        }
        double* const to = out(member) + first;
        for (std::int64_t s = 0; s < n; ++s)
          to[s] = (p.flags & LM_READ_ACCUMULATE ? to[s] : 0.0) + p.c * all[static_cast<std::size_t>(s)];
      };
      split(static_cast<std::uint32_t>((out.samples + samples_a_block - 1) / samples_a_block), call.raw().exec->worker,
            block);
    });
  });
}

lm_status read_nodes(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    const lm_p_read& p = sdk::check_read_nodes(call);
    const auto out = call.rows<double>(0);
    const auto x = call.rows<Complex>(1);
    const auto weight = call.rows<double>(2, x.samples, true);
    const lm_view& nodes = call.raw().views[1];
    const std::int64_t inner = nodes.extent[LM_AXIS_INNER], count = nodes.extent[LM_AXIS_OUTER] * inner,
                       components = nodes.extent[LM_AXIS_COMPONENT];
    if (components > most_read_components) throw Fault(LM_E_UNSUPPORTED, "up to 8 components are read together");
    const bool peak = p.flags & LM_READ_PEAK, accumulate = p.flags & LM_READ_ACCUMULATE;
    const std::int64_t many = std::max<std::int64_t>(1, samples_a_part / std::max<std::int64_t>(1, x.samples));
    call.for_each_member([&](const RowIndex& member) {
      const auto some = [&](std::uint32_t part, unsigned) {
        SquaresRow row{{},
                       {},
                       static_cast<unsigned>(components),
                       (p.flags & LM_READ_REAL) != 0,
                       static_cast<std::size_t>(x.samples)};
        RowIndex at = member;
        for (std::int64_t i = part * many; i < std::min(count, (part + 1) * many); ++i) {
          at.inner = i % inner;
          at.outer = i / inner;
          for (at.component = 0; at.component < components; ++at.component) {
            row.x[at.component] = numbers(x(at));
            row.weight[at.component] = weight.given() ? weight(at) : nullptr;
          }
          at.component = 0;
          double& to = out(sdk::map_row(at))[at.inner];
          const double value =
              p.c * (peak ? device->rows.media->peak_squares(row) : device->rows.media->sum_squares(row));
          if (!accumulate)
            to = value;
          else if (!peak)
            to += value;
          else if (to == to && !(value <= to))
            to = value;
        }
      };
      split(static_cast<std::uint32_t>((count + many - 1) / many), call.raw().exec->worker, some);
    });
  });
}

}  // namespace lumarch::cpu
