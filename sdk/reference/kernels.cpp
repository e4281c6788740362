// SPDX-License-Identifier: Apache-2.0
// The required kernels, as docs/kernels.md says them, a row at a time.
#include <algorithm>
#include <array>
#include <cmath>

#include <lumarch/sdk/scaled.hpp>

#include "device.hpp"
#include "plain.hpp"

namespace lumarch::reference {

using sdk::Call;
using sdk::Fault;
using sdk::RowIndex;
using sdk::Rows;

namespace {

// The sum over j of c_j h^p_j x_j of views 1 ... n.
class Combination {
public:
  Combination(const Call& call, const lm_p_combine& p, std::int64_t samples) : p_(p), call_(call) {
    if (p.n < 1 || p.n > LM_MAX_TERMS || call.n_views() < p.n + 1) throw Fault(LM_E_ARG, "1 to 8 terms, a view each");
    for (std::uint32_t j = 0; j < p.n; ++j) {
      if (p.term[j].level != 0) throw Fault(LM_E_UNSUPPORTED, "a level other than 0");
      if (p.term[j].hpow != 0 && p.term[j].hpow != 1) throw Fault(LM_E_UNSUPPORTED, "a power of h other than 0 and 1");
      x_[j] = call.rows<Complex>(j + 1, samples);
    }
  }
  void start(const RowIndex& at) {
    for (std::uint32_t j = 0; j < p_.n; ++j) {
      c_[j] = p_.term[j].hpow ? p_.term[j].c * call_.h(at.member) : p_.term[j].c;
      row_[j] = x_[j](at);
    }
  }
  [[nodiscard]] Complex operator()(std::int64_t s) const {
    Complex sum = c_[0] * row_[0][s];
    for (std::uint32_t j = 1; j < p_.n; ++j) sum += c_[j] * row_[j][s];
    return sum;
  }

private:
  const lm_p_combine& p_;
  const Call& call_;
  std::array<Rows<Complex>, LM_MAX_TERMS> x_;
  std::array<const Complex*, LM_MAX_TERMS> row_{};
  std::array<double, LM_MAX_TERMS> c_{};
};

}  // namespace

lm_status fill(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [](const Call& call) {
    const auto& p = call.params<lm_p_fill>();
    if (call.n_views() < 1) throw Fault(LM_E_ARG, "no view");
    if (call.raw().views[0].dtype == LM_F64) {
      const auto out = call.rows<double>(0);
      call.for_each_row(0, [&](const RowIndex& at) { std::fill_n(out(at), out.samples, p.re); });
    } else {
      const auto out = call.rows<Complex>(0);
      call.for_each_row(0, [&](const RowIndex& at) { std::fill_n(out(at), out.samples, Complex(p.re, p.im)); });
    }
  });
}

lm_status lincomb(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [](const Call& call) {
    const auto out = call.rows<Complex>(0);
    Combination sum(call, call.params<lm_p_combine>(), out.samples);
    call.for_each_row(0, [&](const RowIndex& at) {
      sum.start(at);
      Complex* y = out(at);
      for (std::int64_t s = 0; s < out.samples; ++s) y[s] = sum(s);
    });
  });
}

lm_status lincomb_2(lm_device* device, const lm_call* raw) noexcept { return sdk::scaled_sum(device, raw, &lincomb); }

lm_status mul(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [](const Call& call) {
    const auto out = call.rows<Complex>(0);
    const auto x = call.rows<Complex>(1, out.samples);
    if (call.n_views() > 2 && call.raw().views[2].dtype == LM_F64) {
      const auto table = call.rows<double>(2, out.samples);
      call.for_each_row(0, [&](const RowIndex& at) {
        for (std::int64_t s = 0; s < out.samples; ++s) out(at)[s] = table(at)[s] * x(at)[s];
      });
    } else {
      const auto table = call.rows<Complex>(2, out.samples);
      call.for_each_row(0, [&](const RowIndex& at) {
        for (std::int64_t s = 0; s < out.samples; ++s) out(at)[s] = times(x(at)[s], table(at)[s]);
      });
    }
  });
}

lm_status fft_exec(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [](const Call& call) {
    const auto* plan = std::get_if<FftPlan>(&call.plan(0)->what);
    if (!plan) throw Fault(LM_E_ARG, "the plan is no FFT");
    const std::int64_t n = plan->desc.n, half = n / 2 + 1;
    if (plan->desc.kind == LM_FFT_C2C) {
      const auto out = call.rows<Complex>(0, n), in = call.rows<Complex>(1, n);
      call.for_each_row(0, [&](const RowIndex& at) {
        if ((out(at) == in(at)) != (plan->desc.in_place != 0)) throw Fault(LM_E_ARG, "not the placement of the plan");
        plan->fft.transform(in(at), out(at));
      });
    } else if (plan->desc.kind == LM_FFT_R2C) {
      const auto out = call.rows<Complex>(0, half);
      const auto in = call.rows<double>(1, n);
      call.for_each_row(0, [&](const RowIndex& at) { r2c(*plan, in(at), out(at)); });
    } else {
      const auto out = call.rows<double>(0, n);
      const auto in = call.rows<Complex>(1, half);
      call.for_each_row(0, [&](const RowIndex& at) { c2r(*plan, in(at), out(at)); });
    }
  });
}

lm_status lin_prepare(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [](const Call& call) {
    const auto* plan = std::get_if<PropagatorPlan>(&call.plan(0)->what);
    if (!plan) throw Fault(LM_E_ARG, "the plan is no propagator");
    if (call.n_views() < 1) throw Fault(LM_E_ARG, "no view");
    lm_call inner = call.raw();
    const std::array<lm_view, 2> views = {call.raw().views[0], plan->desc.D};
    inner.views = views.data();
    inner.n_views = 2;
    const Call both(call.device(), &inner);
    const auto E = both.rows<Complex>(0), D = both.rows<Complex>(1, E.samples);
    both.for_each_row(0, [&](const RowIndex& at) {
      const double length = plan->desc.node * call.h(at.member);
      for (std::int64_t s = 0; s < E.samples; ++s) {
        const Complex exponent = length * D(at)[s];
        const double size = plan->desc.lossless ? 1.0 : std::exp(exponent.real());
        E(at)[s] = {size * std::cos(exponent.imag()), size * std::sin(exponent.imag())};
      }
    });
  });
}

lm_status lin_apply(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [](const Call& call) {
    const auto& p = call.params<lm_p_apply>();
    if (p.flags & ~LM_APPLY_INVERSE) throw Fault(LM_E_UNSUPPORTED, "unknown flags");
    const auto out = call.rows<Complex>(0), x = call.rows<Complex>(1, out.samples),
               E = call.rows<Complex>(2, out.samples);
    call.for_each_row(0, [&](const RowIndex& at) {
      for (std::int64_t s = 0; s < out.samples; ++s) {
        const Complex e = E(at)[s];
        out(at)[s] = p.flags & LM_APPLY_INVERSE ? times(x(at)[s], std::conj(e)) / norm2(e) : times(x(at)[s], e);
      }
    });
  });
}

lm_status reduce_error(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [](const Call& call) {
    const auto& p = call.params<lm_p_combine>();
    const auto y = call.rows<Complex>(0);
    Combination sum(call, p, y.samples);
    if (call.raw().members->n_numbers < 2 || p.slot > call.raw().members->n_numbers - 2)
      throw Fault(LM_E_ARG, "the slot lies outside the numbers of a member");
    call.for_each_member(
        [&](const RowIndex& at) { call.numbers(at.member)[p.slot] = call.numbers(at.member)[p.slot + 1] = 0; });
    call.for_each_row(0, [&](const RowIndex& at) {
      sum.start(at);
      double error = 0, field = 0;
      for (std::int64_t s = 0; s < y.samples; ++s) {
        error += norm2(sum(s));
        field += norm2(y(at)[s]);
      }
      call.numbers(at.member)[p.slot] += error;
      call.numbers(at.member)[p.slot + 1] += field;
    });
  });
}

lm_status reduce_error_2(lm_device* device, const lm_call* raw) noexcept {
  return sdk::scaled_sum(device, raw, &reduce_error);
}

}  // namespace lumarch::reference
