// SPDX-License-Identifier: Apache-2.0
// Sums of squares over nodes, and over samples: what is read of a state.
#include <lumarch/sdk/reads.hpp>

#include "device.hpp"
#include "plain.hpp"

namespace lumarch::reference {

using sdk::Call;
using sdk::RowIndex;

namespace {

long double square(Complex x, std::uint32_t flags) {
  const long double re = x.real(), im = flags & LM_READ_REAL ? 0.0 : x.imag();
  return re * re + im * im;
}

// The larger one; a value that is no number stays.
long double larger(long double a, long double b) { return a != a || a >= b ? a : b; }

}  // namespace

lm_status read_samples(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [](const Call& call) {
    const lm_p_read& p = sdk::check_read_samples(call);
    const auto out = call.rows<double>(0);
    const auto x = call.rows<Complex>(1, out.samples);
    const auto weight = call.rows<double>(2, out.samples, true), map = call.rows<double>(3, -1, true);
    const lm_view& nodes = call.raw().views[1];
    call.for_each_member([&](const RowIndex& member) {
      for (std::int64_t s = 0; s < out.samples; ++s) {
        long double sum = 0;
        RowIndex at = member;
        for (at.component = 0; at.component < nodes.extent[LM_AXIS_COMPONENT]; ++at.component)
          for (at.outer = 0; at.outer < nodes.extent[LM_AXIS_OUTER]; ++at.outer)
            for (at.inner = 0; at.inner < nodes.extent[LM_AXIS_INNER]; ++at.inner) {
              long double value = square(x(at)[s], p.flags);
              if (weight.given()) value *= weight(at)[s];
              if (map.given()) value *= map(sdk::map_row(at))[at.inner];
              sum += value;
            }
        double& to = out(member)[s];
        to = static_cast<double>((p.flags & LM_READ_ACCUMULATE ? to : 0.0L) + p.c * sum);
      }
    });
  });
}

lm_status read_nodes(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [](const Call& call) {
    const lm_p_read& p = sdk::check_read_nodes(call);
    const auto out = call.rows<double>(0);
    const auto x = call.rows<Complex>(1);
    const auto weight = call.rows<double>(2, x.samples, true);
    const lm_view& nodes = call.raw().views[1];
    sdk::for_each_node(call, 1, [&](const RowIndex& node) {
      long double sum = 0, peak = 0;
      for (std::int64_t s = 0; s < x.samples; ++s) {
        long double all = 0;
        RowIndex at = node;
        for (at.component = 0; at.component < nodes.extent[LM_AXIS_COMPONENT]; ++at.component) {
          const long double value = square(x(at)[s], p.flags);
          all += weight.given() ? value * weight(at)[s] : value;
        }
        sum += all;
        peak = larger(peak, all);
      }
      double& to = out(sdk::map_row(node))[node.inner];
      const bool accumulate = p.flags & LM_READ_ACCUMULATE;
      if (p.flags & LM_READ_PEAK)
        to = static_cast<double>(accumulate ? larger(to, p.c * peak) : p.c * peak);
      else
        to = static_cast<double>((accumulate ? to : 0.0L) + p.c * sum);
    });
  });
}

}  // namespace lumarch::reference
