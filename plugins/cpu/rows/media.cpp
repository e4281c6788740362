// SPDX-License-Identifier: Apache-2.0
// Kerr's, second-order and delayed responses of media in SI; bands in longer rows; the table of a variant.
#include "media.hpp"

#include <lumarch/kernels/media.hpp>

#include "exponential.hpp"
#include "matrix.hpp"

namespace lumarch::cpu::LUMARCH_ROWS {

void plasma(double* const* J, const double* const* E, const PlasmaRow& p, std::size_t n);
void matrix(const MatrixPanel& panel);
void add_squares(double* out, const SquaresRow& row, double c);
double sum_squares(const SquaresRow& row);
double peak_squares(const SquaresRow& row);

namespace {

void multiply_doubles(double* out, const double* x, const double* y, std::size_t n) {
  LUMARCH_LANES
  for (std::size_t i = 0; i < n; ++i) out[i] = x[i] * y[i];
}

template <bool conjugate>
void pad_row(double* out, const double* in, const double* weight, double factor, std::size_t n) {
  const auto turned = [](c128 a) { return conjugate ? c128{a.re, -a.im} : a; };
  if (weight) {
    LUMARCH_LANES
    for (std::size_t i = 0; i < n; ++i) store(out, i, scaled(turned(load(in, i)), factor * weight[i]));
  } else {
    LUMARCH_LANES
    for (std::size_t i = 0; i < n; ++i) store(out, i, scaled(turned(load(in, i)), factor));
  }
}
void pad(double* out, const double* in, const double* weight, double factor, bool conjugate, std::size_t n) {
  conjugate ? pad_row<true>(out, in, weight, factor, n) : pad_row<false>(out, in, weight, factor, n);
}

template <bool conjugate, bool add>
void crop_row(double* out, const double* in, const double* weight, double factor, std::size_t n) {
  LUMARCH_LANES
  for (std::size_t i = 0; i < n; ++i) {
    const c128 a = load(in, i), value = times(conjugate ? c128{a.re, -a.im} : a, scaled(load(weight, i), factor));
    store(out, i, add ? plus(load(out, i), value) : value);
  }
}
void crop(double* out, const double* in, const double* weight, double factor, bool conjugate, bool add, std::size_t n) {
  if (conjugate)
    add ? crop_row<true, true>(out, in, weight, factor, n) : crop_row<true, false>(out, in, weight, factor, n);
  else
    add ? crop_row<false, true>(out, in, weight, factor, n) : crop_row<false, false>(out, in, weight, factor, n);
}

// exp(-i factor omega0 t) of `size` samples from `first` on.
constexpr std::size_t piece = 128;
void carriers(double* e, const KerrRow& k, double factor, std::size_t first, std::size_t size) {
  const double omega = factor * k.omega0;
  std::uint64_t outside = 0;
  double angle[piece];
  for (std::size_t i = 0; i < size; ++i) {
    angle[i] = omega * (k.t0 + static_cast<double>(first + i) * k.dt);
    outside |= magnitude(angle[i]) <= largest_angle ? 0u : 1u;
  }
  if (outside) {
    for (std::size_t i = 0; i < size; ++i) store(e, i, {__builtin_cos(angle[i]), -__builtin_sin(angle[i])});
    return;
  }
  LUMARCH_LANES
  for (std::size_t i = 0; i < size; ++i) {
    double s, c;
    sine_cosine(angle[i], s, c);
    store(e, i, {c, -s});
  }
}

// One component or two, of real or of complex rows: how a sample is read and written.
template <bool complex, unsigned components>
struct Samples;
template <>
struct Samples<false, 1> {
  using Value = double;
  LM_MEMBER static Value get(const double* const* E, std::size_t i) { return E[0][i]; }
  LM_MEMBER static void put(double* const* P, std::size_t i, Value v) { P[0][i] = v; }
};
template <>
struct Samples<false, 2> {
  using Value = real2;
  LM_MEMBER static Value get(const double* const* E, std::size_t i) { return {E[0][i], E[1][i]}; }
  LM_MEMBER static void put(double* const* P, std::size_t i, Value v) {
    P[0][i] = v.x;
    P[1][i] = v.y;
  }
};
template <>
struct Samples<true, 1> {
  using Value = c128;
  LM_MEMBER static Value get(const double* const* E, std::size_t i) { return load(E[0], i); }
  LM_MEMBER static void put(double* const* P, std::size_t i, Value v) { store(P[0], i, v); }
};
template <>
struct Samples<true, 2> {
  using Value = complex2;
  LM_MEMBER static Value get(const double* const* E, std::size_t i) { return {load(E[0], i), load(E[1], i)}; }
  LM_MEMBER static void put(double* const* P, std::size_t i, Value v) {
    store(P[0], i, v.x);
    store(P[1], i, v.y);
  }
};

enum class Extra { none, third_harmonic, saturation };

template <Field field, unsigned components, bool add, Extra extra>
void kerr_row(double* const* out, const double* const* in, const KerrRow& k, std::size_t n) {
  using From = Samples<field != Field::real, components>;
  using To = Samples<field == Field::envelope, components>;
  double* P[components];
  const double* E[components];
  for (unsigned j = 0; j < components; ++j) {
    P[j] = out[j];
    E[j] = in[j];
  }
  const double c = k.c, saturation = extra == Extra::saturation ? k.saturation : 0.0;
  const auto one = [&](std::size_t i, [[maybe_unused]] const double* e, [[maybe_unused]] std::size_t at)
      __attribute__((always_inline)) {
    const auto a = From::get(E, i);
    typename To::Value value;
    if constexpr (field == Field::real) {
      value = kerr_real(a, c);
    } else {
      auto response = kerr_envelope(a, c, saturation);
      if constexpr (extra == Extra::third_harmonic) response = plus(response, third_harmonic(a, c, load(e, at)));
      if constexpr (field == Field::envelope)
        value = response;
      else
        value = real_part(response);
    }
    if constexpr (add) value = plus(To::get(P, i), value);
    To::put(P, i, value);
  };
  if constexpr (extra == Extra::third_harmonic) {
    double e[2 * piece];
    for (std::size_t first = 0; first < n; first += piece) {
      const std::size_t size = n - first < piece ? n - first : piece;
      carriers(e, k, 2.0, first, size);
      LUMARCH_LANES
      for (std::size_t i = 0; i < size; ++i) one(first + i, e, i);
    }
  } else {
    LUMARCH_LANES
    for (std::size_t i = 0; i < n; ++i) one(i, nullptr, 0);
  }
}

template <Field field, unsigned components, bool add>
void kerr_extra(double* const* P, const double* const* E, const KerrRow& k, std::size_t n) {
  if constexpr (field == Field::envelope) {
    if (k.third_harmonic) return kerr_row<field, components, add, Extra::third_harmonic>(P, E, k, n);
  }
  if constexpr (field != Field::real) {
    if (k.saturation != 0.0) return kerr_row<field, components, add, Extra::saturation>(P, E, k, n);
  }
  kerr_row<field, components, add, Extra::none>(P, E, k, n);
}
template <Field field>
void kerr_of(double* const* P, const double* const* E, const KerrRow& k, std::size_t n) {
  if (k.components == 1)
    k.add ? kerr_extra<field, 1, true>(P, E, k, n) : kerr_extra<field, 1, false>(P, E, k, n);
  else
    k.add ? kerr_extra<field, 2, true>(P, E, k, n) : kerr_extra<field, 2, false>(P, E, k, n);
}
void kerr(double* const* P, const double* const* E, const KerrRow& k, std::size_t n) {
  if (k.field == Field::envelope) return kerr_of<Field::envelope>(P, E, k, n);
  k.field == Field::real ? kerr_of<Field::real>(P, E, k, n) : kerr_of<Field::analytic>(P, E, k, n);
}

void chi2(double* P, const double* E, const KerrRow& k, std::size_t n) {
  const double c = k.c;
  if (k.field == Field::real) {
    if (k.add) {
      LUMARCH_LANES
      for (std::size_t i = 0; i < n; ++i) P[i] = P[i] + chi2_real(E[i], c);
    } else {
      LUMARCH_LANES
      for (std::size_t i = 0; i < n; ++i) P[i] = chi2_real(E[i], c);
    }
    return;
  }
  double e[2 * piece];
  for (std::size_t first = 0; first < n; first += piece) {
    const std::size_t size = n - first < piece ? n - first : piece;
    carriers(e, k, 1.0, first, size);
    double* const to = P + 2 * first;
    const double* const from = E + 2 * first;
    if (k.add) {
      LUMARCH_LANES
      for (std::size_t i = 0; i < size; ++i)
        store(to, i, plus(load(to, i), chi2_envelope(load(from, i), c, load(e, i))));
    } else {
      LUMARCH_LANES
      for (std::size_t i = 0; i < size; ++i) store(to, i, chi2_envelope(load(from, i), c, load(e, i)));
    }
  }
}

template <bool complex, unsigned components>
void trace_row(double* q, const double* const* in, std::size_t n) {
  const double* E[components];
  for (unsigned j = 0; j < components; ++j) E[j] = in[j];
  LUMARCH_LANES
  for (std::size_t i = 0; i < n; ++i) q[i] = field_trace(Samples<complex, components>::get(E, i));
}
void trace(double* q, const double* const* E, bool complex, unsigned components, std::size_t n) {
  if (complex)
    components == 1 ? trace_row<true, 1>(q, E, n) : trace_row<true, 2>(q, E, n);
  else
    components == 1 ? trace_row<false, 1>(q, E, n) : trace_row<false, 2>(q, E, n);
}

template <bool complex, unsigned components>
void tensor_row(double* q, const double* const* in, unsigned first, unsigned second, std::size_t n) {
  const double* E[components];
  for (unsigned j = 0; j < components; ++j) E[j] = in[j];
  const double *a = in[first], *b = in[second];
  const bool diagonal = first == second;
  LUMARCH_LANES
  for (std::size_t i = 0; i < n; ++i)
    q[i] = tensor_source(field_product(Samples<complex, 1>::get(&a, i), Samples<complex, 1>::get(&b, i)),
                         field_trace(Samples<complex, components>::get(E, i)), diagonal);
}
void tensor(double* q, const double* const* E, bool complex, unsigned components, unsigned i, unsigned j,
            std::size_t n) {
  if (complex)
    components == 1 ? tensor_row<true, 1>(q, E, i, j, n) : tensor_row<true, 2>(q, E, i, j, n);
  else
    components == 1 ? tensor_row<false, 1>(q, E, i, j, n) : tensor_row<false, 2>(q, E, i, j, n);
}

template <Field field, bool add>
void respond_row(double* P, const double* E, const double* R, double c, std::size_t n) {
  LUMARCH_LANES
  for (std::size_t i = 0; i < n; ++i) {
    const double factor = c * R[i];
    if constexpr (field == Field::envelope) {
      const c128 value = scaled(load(E, i), factor);
      store(P, i, add ? plus(load(P, i), value) : value);
    } else {
      const double value = factor * (field == Field::real ? E[i] : E[2 * i]);
      P[i] = add ? P[i] + value : value;
    }
  }
}
template <Field field>
void respond_of(double* P, const double* E, const double* R, double c, bool add, std::size_t n) {
  add ? respond_row<field, true>(P, E, R, c, n) : respond_row<field, false>(P, E, R, c, n);
}
void respond(double* P, const double* E, const double* R, Field field, double c, bool add, std::size_t n) {
  if (field == Field::envelope) return respond_of<Field::envelope>(P, E, R, c, add, n);
  field == Field::real ? respond_of<Field::real>(P, E, R, c, add, n) : respond_of<Field::analytic>(P, E, R, c, add, n);
}

}  // namespace

extern const MediaRows media_rows;
const MediaRows media_rows = {&multiply_doubles, &pad,          &crop,   &kerr,   &chi2,        &trace,
                              &tensor,           &respond,      &plasma, &matrix, &add_squares, &sum_squares,
                              &peak_squares,     matrix_columns};

}  // namespace lumarch::cpu::LUMARCH_ROWS
