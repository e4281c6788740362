// SPDX-License-Identifier: Apache-2.0
// Sums of stages with the propagator, and the error of a step.
#include <vector>

#include "device.hpp"
#include "kernels.hpp"
#include "parallel.hpp"

namespace lumarch::cpu {

using sdk::Call;
using sdk::Complex;
using sdk::Fault;
using sdk::RowIndex;

lm_status step_combine(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    const lm_p_combine& p = combination(call);
    check_views(call, 2 + p.n, 2 + p.n);
    const auto out = call.rows<Complex>(0);
    const auto E = call.rows<Complex>(1 + p.n, out.samples);
    check_output(call, 0);
    check_shape(call, 1 + p.n, 0);
    // The row function wants the terms by level; within one they keep their order.
    sdk::Rows<Complex> x[LM_MAX_TERMS];
    const lm_term* term[LM_MAX_TERMS] = {};
    unsigned count[3] = {}, n = 0;
    for (int level = 0; level < 3; ++level)
      for (std::uint32_t j = 0; j < p.n; ++j) {
        if (p.term[j].level != level) continue;
        x[n] = call.rows<Complex>(1 + j, out.samples);
        check_shape(call, 1 + j, 0);
        term[n++] = &p.term[j];
        ++count[level];
      }
    for_rows(call, 0, [&](const RowIndex& at, unsigned) {
      const double* row[LM_MAX_TERMS];
      double c[LM_MAX_TERMS];
      for (unsigned j = 0; j < n; ++j) {
        row[j] = numbers(x[j](at));
        c[j] = coefficient(*term[j], call.h(at.member));
      }
      device->rows.combine(numbers(out(at)), row, c, count, numbers(E(at)), static_cast<std::size_t>(out.samples));
    });
  });
}

lm_status reduce_error(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    const lm_p_combine& p = plain_combination(call);
    check_views(call, 1 + p.n, 1 + p.n);
    sdk::check_slot(call, p.slot);
    const auto y = call.rows<Complex>(0);
    sdk::Rows<Complex> x[LM_MAX_TERMS];
    for (std::uint32_t j = 0; j < p.n; ++j) {
      x[j] = call.rows<Complex>(1 + j, y.samples);
      check_shape(call, 1 + j, 0);
    }
    const auto doubles = 2 * static_cast<std::size_t>(y.samples);
    const lm_view& shape = call.raw().views[0];
    // The sums of each row, then those of the rows in their order: the same whoever made which.
    struct Sums {
      double error, field;
    };
    std::vector<Sums> sums(static_cast<std::size_t>(shape.extent[LM_AXIS_COMPONENT] * shape.extent[LM_AXIS_OUTER] *
                                                    shape.extent[LM_AXIS_INNER]));
    call.for_each_member([&](const RowIndex& member) {
      for_member_rows(call, member, 0, [&](const RowIndex& at, std::int64_t number, unsigned) {
        const double* row[LM_MAX_TERMS];
        double c[LM_MAX_TERMS];
        for (std::uint32_t j = 0; j < p.n; ++j) {
          row[j] = numbers(x[j](at));
          c[j] = coefficient(p.term[j], call.h(at.member));
        }
        const double* const all = numbers(y(at));
        const double one = 1.0;
        sums[static_cast<std::size_t>(number)] = {device->rows.squares(row, c, p.n, doubles),
                                                  device->rows.squares(&all, &one, 1, doubles)};
      });
      double* const out = call.numbers(member.member) + p.slot;
      out[0] = out[1] = 0.0;
      for (const Sums& row : sums) {
        out[0] += row.error;
        out[1] += row.field;
      }
    });
  });
}

}  // namespace lumarch::cpu
