// SPDX-License-Identifier: Apache-2.0
// The responses of media in SI, as docs/kernels.md says them, for any number of components.
#include <lumarch/sdk/routes.hpp>

#include <cmath>
#include <vector>

#include "device.hpp"
#include "plain.hpp"

namespace lumarch::reference {

using sdk::Call;
using sdk::Fault;
using sdk::FieldKind;
using sdk::RowIndex;
using sdk::Rows;

namespace {

double real_part(double x) { return x; }
double real_part(Complex x) { return x.real(); }

// E_i E_j, of complex rows its mean over a cycle.
double product(double a, double b) { return a * b; }
double product(Complex a, Complex b) { return 0.5 * (a.real() * b.real() + a.imag() * b.imag()); }

template <class Out>
Out as(Complex value) {
  if constexpr (std::is_same_v<Out, double>)
    return value.real();
  else
    return value;
}

template <class Out, class Value>
void put(Out& to, Value value, bool add) {
  to = add ? to + value : value;
}

// The field of one node: a row a component.
template <class T>
std::vector<T*> rows_at(const Rows<T>& rows, RowIndex at, std::int64_t components) {
  std::vector<T*> out;
  for (at.component = 0; at.component < components; ++at.component) out.push_back(rows(at));
  return out;
}

// exp(-i factor omega0 t) at sample s.
Complex carrier(const lm_p_kerr& p, double factor, std::int64_t s) {
  const double angle = factor * p.omega0 * (p.t0 + static_cast<double>(s) * p.dt);
  return {std::cos(angle), -std::sin(angle)};
}

template <class T, class Out, class Node>
void nodes(const Call& call, Node&& node) {
  const auto E = call.rows<T>(0);
  const auto P = call.rows<Out>(1, E.samples);
  sdk::check_output(call, 1);
  sdk::check_same(call, 0, 1);
  const std::int64_t components = call.raw().views[1].extent[LM_AXIS_COMPONENT];
  sdk::for_each_node(call, 1, [&](const RowIndex& at) {
    node(at, rows_at(E, at, components), rows_at(P, at, components), E.samples);
  });
}

void kerr_real(const Call& call, const lm_p_kerr& p) {
  nodes<double, double>(call, [&](const RowIndex& at, const auto& E, const auto& P, std::int64_t n) {
    const double c = p.c * call.scale_of(at.member, p.scale);
    for (std::int64_t s = 0; s < n; ++s) {
      double EE = 0;
      for (const double* row : E) EE += row[s] * row[s];
      for (std::size_t i = 0; i < E.size(); ++i) put(P[i][s], c * EE * E[i][s], p.flags & LM_RESPONSE_ACCUMULATE);
    }
  });
}

template <class Out>
void kerr_complex(const Call& call, const lm_p_kerr& p) {
  nodes<Complex, Out>(call, [&](const RowIndex& at, const auto& A, const auto& P, std::int64_t n) {
    for (std::int64_t s = 0; s < n; ++s) {
      double I = 0;
      Complex AA = 0;
      for (const Complex* row : A) {
        I += norm2(row[s]);
        AA += times(row[s], row[s]);
      }
      double c = p.c * call.scale_of(at.member, p.scale) / 4;
      if (p.saturation != 0) c /= 1 + p.saturation * I;
      for (std::size_t i = 0; i < A.size(); ++i) {
        const Complex a = A[i][s];
        Complex value = 2 * I * a + times(AA, std::conj(a));
        if (p.flags & LM_RESPONSE_THIRD_HARMONIC) {
          const Complex e = carrier(p, 2, s), harmonic = times(e, times(AA, a));
          value += harmonic + std::conj(times(e, value + harmonic));
        }
        put(P[i][s], as<Out>(c * value), p.flags & LM_RESPONSE_ACCUMULATE);
      }
    }
  });
}

template <class T, class Out>
void convolution(const Call& call) {
  const lm_p_convolution& p = sdk::convolution_parameters(call);
  const auto* plan = std::get_if<FftPlan>(&call.plan(0)->what);
  if (!plan) throw Fault(LM_E_ARG, "plan 0 is no transform");
  const std::int64_t N = plan->desc.n, half = N / 2 + 1;
  const FftPlan &forward = plan_of(call, 0, LM_FFT_R2C, LM_FFT_FORWARD, N),
                &backward = plan_of(call, 1, LM_FFT_C2R, LM_FFT_BACKWARD, N);
  if (N < 2 * call.raw().views[0].extent[LM_AXIS_SAMPLE])
    throw Fault(LM_E_ARG, "the plans are of fewer than twice the samples of a row");
  const auto H = call.rows<Complex>(2, half);
  sdk::check_one_row(call, 2);
  std::vector<double> q(static_cast<std::size_t>(N)), R(q.size());
  std::vector<Complex> spectrum(static_cast<std::size_t>(half));
  nodes<T, Out>(call, [&](const RowIndex& at, const auto& E, const auto& P, std::int64_t n) {
    const double c = p.c * call.scale_of(at.member, p.scale);
    const auto convolve = [&](const auto& source) {
      std::fill(q.begin(), q.end(), 0.0);
      for (std::int64_t s = 0; s < n; ++s) q[static_cast<std::size_t>(s)] = source(s);
      r2c(forward, q.data(), spectrum.data());
      for (std::int64_t k = 0; k < half; ++k)
        spectrum[static_cast<std::size_t>(k)] = times(H(at)[k], spectrum[static_cast<std::size_t>(k)]);
      c2r(backward, spectrum.data(), R.data());
    };
    const auto trace = [&](std::int64_t s) {
      double sum = 0;
      for (const T* row : E) sum += product(row[s], row[s]);
      return sum;
    };
    const auto add = [&](std::size_t i, std::size_t j, bool accumulate) {
      for (std::int64_t s = 0; s < n; ++s)
        put(P[i][s], as<Out>(Complex(c * R[static_cast<std::size_t>(s)] * E[j][s])), accumulate);
    };
    const bool accumulate = p.flags & LM_RESPONSE_ACCUMULATE;
    if (!(p.flags & LM_RESPONSE_TENSOR)) {
      convolve(trace);
      for (std::size_t i = 0; i < E.size(); ++i) add(i, i, accumulate);
      return;
    }
    for (std::size_t i = 0; i < E.size(); ++i)
      for (std::size_t j = 0; j < E.size(); ++j) {
        convolve([&](std::int64_t s) { return 1.5 * product(E[i][s], E[j][s]) - (i == j ? 0.5 * trace(s) : 0.0); });
        add(i, j, accumulate || j > 0);
      }
  });
}

// W at the field's absolute value.
double rate(const lm_p_plasma& p, const double* y, const double* second, std::int64_t m, double field) {
  if (field < p.field_min) return 0;
  const double x = (field - p.field_min) / p.field_step;
  if (std::isnan(x)) return x;
  if (x >= static_cast<double>(m - 1)) return std::exp(y[m - 1]);
  const auto k = static_cast<std::int64_t>(x);
  const double f = x - static_cast<double>(k), g = 1 - f;
  return std::exp(g * y[k] + f * y[k + 1] + ((g * g * g - g) * second[k] + (f * f * f - f) * second[k + 1]) / 6);
}

template <class T>
void plasma(const Call& call) {
  const lm_p_plasma& p = sdk::plasma_parameters(call);
  const std::int64_t m = sdk::check_rate_table(call, 2);
  const auto table = call.rows<double>(2);
  nodes<T, double>(call, [&](RowIndex at, const auto& E, const auto& J, std::int64_t n) {
    const double density = p.density * call.scale_of(at.member, p.scale);
    at.component = at.outer = 0;
    at.inner = 0;
    const double* const y = table(at);
    at.inner = 1;
    const double* const second = table(at);
    const std::size_t components = E.size();
    std::vector<double> V(components, 0.0), g(components), last(components);
    double R = 0, W_last = 0;
    for (std::int64_t s = 0; s < n; ++s) {
      double EE = 0;
      for (const T* row : E) EE += real_part(row[s]) * real_part(row[s]);
      const double W = rate(p, y, second, m, std::sqrt(EE));
      if (s > 0) R += p.dt * (W_last + W) / 2;
      const double lost = -std::expm1(-R), share = p.fraction + (1 - p.fraction) * lost;
      for (std::size_t i = 0; i < components; ++i) {
        const double field = real_part(E[i][s]);
        g[i] = share * p.acceleration * field;
        if (s > 0) V[i] += p.dt * (last[i] + g[i]) / 2;
        const double loss = EE == 0 ? 0 : p.ionisation_energy * W * (1 - p.fraction) * (1 - lost) / EE * field;
        put(J[i][s], density * (V[i] + loss), p.flags & LM_RESPONSE_ACCUMULATE);
      }
      last = g;
      W_last = W;
    }
  });
}

}  // namespace

lm_status response_kerr_2(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [](const Call& call) {
    sdk::check_views(call, 2, 2);
    const FieldKind kind = sdk::field_kind(call);
    const lm_p_kerr& p = sdk::kerr_parameters(call, kind);
    if (kind == FieldKind::real) return kerr_real(call, p);
    kind == FieldKind::envelope ? kerr_complex<Complex>(call, p) : kerr_complex<double>(call, p);
  });
}

lm_status response_chi2(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [](const Call& call) {
    sdk::check_views(call, 2, 2);
    const FieldKind kind = sdk::field_kind(call);
    const lm_p_kerr& p = sdk::chi2_parameters(call, kind);
    const bool add = p.flags & LM_RESPONSE_ACCUMULATE;
    if (kind == FieldKind::real)
      return nodes<double, double>(call, [&](const RowIndex& at, const auto& E, const auto& P, std::int64_t n) {
        const double c = p.c * call.scale_of(at.member, p.scale);
        for (std::size_t i = 0; i < E.size(); ++i)
          for (std::int64_t s = 0; s < n; ++s) put(P[i][s], c * (E[i][s] * E[i][s]), add);
      });
    nodes<Complex, Complex>(call, [&](const RowIndex& at, const auto& A, const auto& P, std::int64_t n) {
      const double c = p.c * call.scale_of(at.member, p.scale);
      for (std::int64_t s = 0; s < n; ++s) {
        const Complex e = carrier(p, 1, s);
        for (std::size_t i = 0; i < A.size(); ++i) {
          const Complex a = A[i][s];
          put(P[i][s], c / 2 * (times(e, times(a, a)) + 2 * norm2(a) * std::conj(e)), add);
        }
      }
    });
  });
}

lm_status response_convolution(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [](const Call& call) {
    sdk::check_views(call, 3, 3);
    switch (sdk::field_kind(call)) {
      case FieldKind::real:
        return convolution<double, double>(call);
      case FieldKind::analytic:
        return convolution<Complex, double>(call);
      default:
        return convolution<Complex, Complex>(call);
    }
  });
}

lm_status response_plasma(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [](const Call& call) {
    sdk::check_views(call, 3, 3);
    call.raw().views[0].dtype == LM_C128 ? plasma<Complex>(call) : plasma<double>(call);
  });
}

}  // namespace lumarch::reference
