// SPDX-License-Identifier: Apache-2.0
// Bodies of the responses of media in SI (docs/kernels.md, since 1.2), around the arithmetic of media.hpp. A launch has
// one row for all components of a node, but for those of second order.
#pragma once

#include <lumarch/kernels/elementwise.hpp>
#include <lumarch/kernels/media.hpp>

namespace lumarch::kernels {

template <class T>
struct Pair;
template <>
struct Pair<double> {
  using type = real2;
};
template <>
struct Pair<c128> {
  using type = complex2;
};

// The field of a node with two components.
template <class T>
LM_BODY typename Pair<T>::type both(const Rows<const T>& rows, const Place& at, int64_t s) {
  Place y = at;
  y.component = 1;
  return {rows(at)[s], rows(y)[s]};
}

// One component of a response, put into its place or added to what is there.
template <class T>
LM_BODY void give(const Rows<T>& rows, const Place& at, int64_t s, T value, bool accumulate) {
  T* const to = rows(at) + s;
  *to = accumulate ? plus(*to, value) : value;
}
LM_BODY void give(const Rows<double>& rows, const Place& at, int64_t s, real2 value, bool accumulate) {
  Place y = at;
  y.component = 1;
  give(rows, at, s, value.x, accumulate);
  give(rows, y, s, value.y, accumulate);
}
LM_BODY void give(const Rows<c128>& rows, const Place& at, int64_t s, complex2 value, bool accumulate) {
  Place y = at;
  y.component = 1;
  give(rows, at, s, value.x, accumulate);
  give(rows, y, s, value.y, accumulate);
}

// exp(-i multiple omega0 t) at sample s.
LM_BODY c128 carrier(double multiple, double omega0, double t0, double dt, int64_t s) {
  const double angle = multiple * omega0 * (t0 + static_cast<double>(s) * dt);
  return {cos(angle), -sin(angle)};
}

struct KerrReal {
  Rows<const double> E;
  Rows<double> P;
  double c;
  uint32_t scale;
  bool two, accumulate;
  LM_MEMBER void operator()(const Grid& grid, const Place& at, int64_t s) const {
    const double here = c * grid.scale_of(at, scale);
    if (two)
      give(P, at, s, kerr_real(both(E, at, s), here), accumulate);
    else
      give(P, at, s, kerr_real(E(at)[s], here), accumulate);
  }
};

struct KerrEnvelope {
  Rows<const c128> A;
  Rows<c128> P;
  double c, saturation;
  uint32_t scale;
  bool two, accumulate;
  LM_MEMBER void operator()(const Grid& grid, const Place& at, int64_t s) const {
    const double here = c * grid.scale_of(at, scale);
    if (two)
      give(P, at, s, kerr_envelope(both(A, at, s), here, saturation), accumulate);
    else
      give(P, at, s, kerr_envelope(A(at)[s], here, saturation), accumulate);
  }
};

struct KerrThirdHarmonic {
  KerrEnvelope envelope;  // its saturation is 0
  double omega0, t0, dt;
  LM_MEMBER void operator()(const Grid& grid, const Place& at, int64_t s) const {
    const double here = envelope.c * grid.scale_of(at, envelope.scale);
    const c128 e = carrier(2.0, omega0, t0, dt, s);
    if (envelope.two) {
      const complex2 A = both(envelope.A, at, s);
      give(envelope.P, at, s, plus(kerr_envelope(A, here, 0.0), third_harmonic(A, here, e)), envelope.accumulate);
    } else {
      const c128 A = envelope.A(at)[s];
      give(envelope.P, at, s, plus(kerr_envelope(A, here, 0.0), third_harmonic(A, here, e)), envelope.accumulate);
    }
  }
};

struct KerrAnalytic {
  Rows<const c128> A;
  Rows<double> P;
  double c, saturation;
  uint32_t scale;
  bool two, accumulate;
  LM_MEMBER void operator()(const Grid& grid, const Place& at, int64_t s) const {
    const double here = c * grid.scale_of(at, scale);
    if (two)
      give(P, at, s, real_part(kerr_envelope(both(A, at, s), here, saturation)), accumulate);
    else
      give(P, at, s, real_part(kerr_envelope(A(at)[s], here, saturation)), accumulate);
  }
};

struct SecondOrderReal {
  Rows<const double> E;
  Rows<double> P;
  double c;
  uint32_t scale;
  bool accumulate;
  LM_MEMBER void operator()(const Grid& grid, const Place& at, int64_t s) const {
    give(P, at, s, chi2_real(E(at)[s], c * grid.scale_of(at, scale)), accumulate);
  }
};

struct SecondOrderEnvelope {
  Rows<const c128> A;
  Rows<c128> P;
  double c, omega0, t0, dt;
  uint32_t scale;
  bool accumulate;
  LM_MEMBER void operator()(const Grid& grid, const Place& at, int64_t s) const {
    const c128 e = carrier(1.0, omega0, t0, dt, s);
    give(P, at, s, chi2_envelope(A(at)[s], c * grid.scale_of(at, scale), e), accumulate);
  }
};

// What goes into a convolution, with zeros behind the n samples of the field: E.E, or with `tensor` the part of
// components i and j.
template <class T>
struct DelayedSource {
  Rows<const T> E;
  Rows<double> q;
  int64_t n;
  uint32_t i, j;
  bool two, tensor;
  LM_MEMBER void operator()(const Grid&, const Place& at, int64_t s) const {
    double value = 0.0;
    if (s < n) {
      const double trace = two ? field_trace(both(E, at, s)) : field_trace(E(at)[s]);
      value = tensor ? tensor_source(field_product(component(at, i, s), component(at, j, s)), trace, i == j) : trace;
    }
    q(at)[s] = value;
  }
  [[nodiscard]] LM_MEMBER T component(Place at, uint32_t which, int64_t s) const {
    at.component = which;
    return E(at)[s];
  }
};

LM_BODY void give_part(double& to, double value) { to = value; }
LM_BODY void give_part(double& to, c128 value) { to = value.re; }
LM_BODY void give_part(c128& to, c128 value) { to = value; }

// P_i (+)= c R E_j.
template <class T, class Out>
struct DelayedResponse {
  Rows<const T> E;
  Rows<const double> R;
  Rows<Out> P;
  double c;
  uint32_t scale, i, j;
  bool accumulate;
  LM_MEMBER void operator()(const Grid& grid, const Place& at, int64_t s) const {
    Place from = at, to = at;
    from.component = j;
    to.component = i;
    Out value;
    give_part(value, scaled(E(from)[s], c * grid.scale_of(at, scale) * R(at)[s]));
    give(P, to, s, value, accumulate);
  }
};

}  // namespace lumarch::kernels
