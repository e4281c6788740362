// SPDX-License-Identifier: Apache-2.0
// The kernels that work element by element, the transforms, and the register of all of them.
#include <algorithm>
#include <string>

#include <lumarch/sdk/scaled.hpp>

#include "device.hpp"
#include "kernels.hpp"
#include "parallel.hpp"

namespace lumarch::cpu {

using sdk::Call;
using sdk::Complex;
using sdk::Fault;
using sdk::RowIndex;

const Fft& fft_of(const Call& call, std::uint32_t i) {
  const lm_plan* plan = call.plan(i);
  const Fft* fft = plan->device == call.device() ? std::get_if<Fft>(&plan->what) : nullptr;
  if (!fft) throw Fault(LM_E_ARG, "plan " + std::to_string(i) + " is no transform of this device");
  return *fft;
}

const lm_propagator_desc& propagator_of(const Call& call, std::uint32_t i) {
  const lm_plan* plan = call.plan(i);
  const auto* desc = plan->device == call.device() ? std::get_if<lm_propagator_desc>(&plan->what) : nullptr;
  if (!desc) throw Fault(LM_E_ARG, "plan " + std::to_string(i) + " is no propagator of this device");
  return *desc;
}

namespace {

std::size_t size(std::int64_t samples) { return static_cast<std::size_t>(samples); }

lm_status core_fill(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    check_views(call, 1, 1);
    const auto& p = call.params<lm_p_fill>();
    const bool real = call.raw().views[0].dtype == LM_F64;
    check_output(call, 0);
    if (real) {
      const auto out = call.rows<double>(0);
      call.for_each_row(0, [&](const RowIndex& at) { std::fill_n(out(at), out.samples, p.re); });
    } else {
      const auto out = call.rows<Complex>(0);
      call.for_each_row(
          0, [&](const RowIndex& at) { device->rows.fill(numbers(out(at)), p.re, p.im, size(out.samples)); });
    }
  });
}

lm_status core_lincomb(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    const lm_p_combine& p = plain_combination(call);
    check_views(call, 1 + p.n, 1 + p.n);
    const auto out = call.rows<Complex>(0);
    check_output(call, 0);
    sdk::Rows<Complex> x[LM_MAX_TERMS];
    for (std::uint32_t j = 0; j < p.n; ++j) {
      x[j] = call.rows<Complex>(1 + j, out.samples);
      check_shape(call, 1 + j, 0);
    }
    for_rows(call, 0, [&](const RowIndex& at, unsigned) {
      const double* row[LM_MAX_TERMS];
      double c[LM_MAX_TERMS];
      for (std::uint32_t j = 0; j < p.n; ++j) {
        row[j] = numbers(x[j](at));
        c[j] = coefficient(p.term[j], call.h(at.member));
      }
      device->rows.lincomb(numbers(out(at)), row, c, p.n, 2 * size(out.samples));
    });
  });
}

lm_status core_mul(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    check_views(call, 3, 3);
    const auto out = call.rows<Complex>(0);
    const auto x = call.rows<Complex>(1, out.samples);
    check_output(call, 0);
    check_shape(call, 1, 0);
    check_shape(call, 2, 0);
    if (call.raw().views[2].dtype == LM_F64) {
      const auto table = call.rows<double>(2, out.samples);
      for_rows(call, 0, [&](const RowIndex& at, unsigned) {
        device->rows.multiply_real(numbers(out(at)), numbers(x(at)), table(at), size(out.samples));
      });
    } else {
      const auto table = call.rows<Complex>(2, out.samples);
      for_rows(call, 0, [&](const RowIndex& at, unsigned) {
        device->rows.multiply(numbers(out(at)), numbers(x(at)), numbers(table(at)), size(out.samples));
      });
    }
  });
}

template <class In, class Out>
void transform(const Call& call, const Fft& fft) {
  const auto out = call.rows<Out>(0, fft.out_samples());
  const auto in = call.rows<In>(1, fft.in_samples());
  check_output(call, 0);
  check_shape(call, 1, 0);
  for_rows(call, 0, [&](const RowIndex& at, unsigned worker) {
    fft.run(reinterpret_cast<double*>(in(at)), reinterpret_cast<double*>(out(at)), worker);
  });
}

lm_status fft_exec(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    check_views(call, 2, 2);
    const Fft& fft = fft_of(call, 0);
    switch (fft.desc().kind) {
      case LM_FFT_R2C:
        return transform<double, Complex>(call, fft);
      case LM_FFT_C2R:
        return transform<Complex, double>(call, fft);
      default:
        return transform<Complex, Complex>(call, fft);
    }
  });
}

lm_status lin_prepare(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    check_views(call, 1, 1);
    const lm_propagator_desc& desc = propagator_of(call, 0);
    const auto E = call.rows<Complex>(0);
    const auto D = call.rows_of<Complex>(desc.D, "the operator", E.samples);
    check_output(call, 0);
    for (int axis = LM_AXIS_COMPONENT; axis < LM_AXIS_SAMPLE; ++axis)
      if (desc.D.extent[axis] != call.raw().views[0].extent[axis] && desc.D.extent[axis] != 1)
        throw Fault(LM_E_ARG, "the operator has other components or nodes than view 0");
    for_rows(call, 0, [&](const RowIndex& at, unsigned) {
      device->rows.propagator(numbers(E(at)), numbers(D(at)), desc.node * call.h(at.member), desc.lossless != 0,
                              size(E.samples));
    });
  });
}

lm_status lin_apply(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    check_views(call, 3, 3);
    const auto& p = call.params<lm_p_apply>();
    if (p.flags & ~std::uint32_t{LM_APPLY_INVERSE}) throw Fault(LM_E_UNSUPPORTED, "unknown flags");
    const auto out = call.rows<Complex>(0);
    const auto x = call.rows<Complex>(1, out.samples);
    const auto E = call.rows<Complex>(2, out.samples);
    check_output(call, 0);
    check_shape(call, 1, 0);
    check_shape(call, 2, 0);
    const auto row = p.flags & LM_APPLY_INVERSE ? device->rows.divide : device->rows.multiply;
    for_rows(call, 0, [&](const RowIndex& at, unsigned) {
      row(numbers(out(at)), numbers(x(at)), numbers(E(at)), size(out.samples));
    });
  });
}

lm_status core_lincomb_2(lm_device* device, const lm_call* raw) noexcept {
  return sdk::scaled_sum(device, raw, &core_lincomb);
}

lm_status reduce_error_2(lm_device* device, const lm_call* raw) noexcept {
  return sdk::scaled_sum(device, raw, &reduce_error);
}

}  // namespace

lm_status register_kernels(const lm_registrar& registrar) {
  const struct {
    const char* name;
    lm_kernel_fn fn;
    std::uint32_t version = 1;
  } kernels[] = {{"core.fill", &core_fill},
                 {"core.lincomb", &core_lincomb},
                 {"core.mul", &core_mul},
                 {"fft.exec", &fft_exec},
                 {"lin.prepare", &lin_prepare},
                 {"lin.apply", &lin_apply},
                 {"response.kerr", &response_kerr},
                 {"response.raman", &response_raman},
                 {"reduce.error", &reduce_error},
                 {"step.combine", &step_combine},
                 {"response.kerr_raman", &response_kerr_raman},
                 {"rhs.fibre", &rhs_fibre},
                 {"core.mul", &core_mul_2, 2},
                 {"spatial.fft", &spatial_fft},
                 {"spatial.matrix", &spatial_matrix},
                 {"fft.pad", &fft_pad},
                 {"fft.crop", &fft_crop},
                 {"lin.prepare", &lin_prepare_2, 2},
                 {"response.kerr", &response_kerr_2, 2},
                 {"response.convolution", &response_convolution},
                 {"response.plasma", &response_plasma},
                 {"response.chi2", &response_chi2},
                 {"rhs.columns", &rhs_columns},
                 {"read.samples", &read_samples},
                 {"read.nodes", &read_nodes},
                 {"core.lincomb", &core_lincomb_2, 2},
                 {"reduce.error", &reduce_error_2, 2}};
  for (const auto& kernel : kernels) {
    const lm_status status = registrar.kernel(registrar.ctx, nullptr, kernel.name, kernel.version, kernel.fn);
    if (status != LM_OK) return status;
  }
  return LM_OK;
}

}  // namespace lumarch::cpu
