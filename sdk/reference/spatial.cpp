// SPDX-License-Identifier: Apache-2.0
// What goes across nodes: transforms along an axis, products with a matrix; and the product with a table of version 2.
#include <lumarch/sdk/routes.hpp>

#include <vector>

#include "device.hpp"
#include "plain.hpp"

namespace lumarch::reference {

using sdk::Call;
using sdk::Fault;
using sdk::RowIndex;

namespace {

template <class T, class Table>
void multiply(const Call& call) {
  const auto out = call.rows<T>(0), x = call.rows<T>(1, out.samples);
  const auto table = call.rows<Table>(2, out.samples);
  sdk::check_output(call, 0);
  sdk::check_shape(call, 1, 0);
  sdk::check_shape(call, 2, 0);
  call.for_each_row(0, [&](const RowIndex& at) {
    for (std::int64_t s = 0; s < out.samples; ++s) {
      if constexpr (std::is_same_v<Table, Complex>)
        out(at)[s] = times(x(at)[s], table(at)[s]);
      else
        out(at)[s] = table(at)[s] * x(at)[s];
    }
  });
}

}  // namespace

lm_status mul_2(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [](const Call& call) {
    sdk::check_views(call, 3, 3);
    if (call.raw().views[0].dtype == LM_F64)
      multiply<double, double>(call);
    else if (call.raw().views[2].dtype == LM_F64)
      multiply<Complex, double>(call);
    else
      multiply<Complex, Complex>(call);
  });
}

lm_status spatial_fft(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [](const Call& call) {
    sdk::check_views(call, 2, 2);
    const int axis = sdk::axis_parameter(call);
    const auto out = call.rows<Complex>(0), in = call.rows<Complex>(1, out.samples);
    sdk::check_output(call, 0);
    sdk::check_same(call, 1, 0, true);
    const auto* plan = std::get_if<FftPlan>(&call.plan(0)->what);
    const std::int64_t n = call.raw().views[0].extent[axis];
    if (!plan || plan->desc.kind != LM_FFT_C2C || plan->desc.in_place || plan->desc.n != n)
      throw Fault(LM_E_ARG, "the plan is no c2c transform out of place of as many points as the axis has nodes");
    std::vector<Complex> column(static_cast<std::size_t>(n));
    call.for_each_row(0, [&](RowIndex at) {
      std::int64_t& node = axis == LM_AXIS_OUTER ? at.outer : at.inner;
      if (node != 0) return;  // the column of the first node is that of all of them
      for (std::int64_t s = 0; s < out.samples; ++s) {
        for (node = 0; node < n; ++node) column[static_cast<std::size_t>(node)] = in(at)[s];
        plan->fft.transform(column.data(), column.data());
        for (node = 0; node < n; ++node) out(at)[s] = column[static_cast<std::size_t>(node)];
      }
    });
  });
}

lm_status spatial_matrix(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [](const Call& call) {
    sdk::check_views(call, 3, 3);
    const auto out = call.rows<Complex>(0), in = call.rows<Complex>(1, out.samples);
    const auto matrix = call.rows<double>(2);
    sdk::check_output(call, 0);
    const std::int64_t K = sdk::check_matrix(call);
    const std::int64_t from = K > 1 ? call.raw().views[1].extent[LM_AXIS_COMPONENT] : 1;
    const std::int64_t nodes = call.raw().views[1].extent[LM_AXIS_INNER];
    call.for_each_row(0, [&](const RowIndex& at) {
      for (std::int64_t s = 0; s < out.samples; ++s) {
        Complex sum = 0;
        for (std::int64_t c = 0; c < from; ++c)
          for (std::int64_t j = 0; j < nodes; ++j) {
            RowIndex source = at, row = at;
            source.component = from > 1 ? c : K > 1 ? 0 : at.component;
            source.inner = j;
            row.component = from > 1 ? c : K > 1 ? at.component : 0;
            row.outer = 0;
            sum += matrix(row)[j] * in(source)[s];
          }
        out(at)[s] = sum;
      }
    });
  });
}

}  // namespace lumarch::reference
