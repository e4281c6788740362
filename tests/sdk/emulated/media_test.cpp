// The responses of media in SI on the emulated device, against the formulas of docs/kernels.md written out here.
#include "nodes.hpp"

using namespace lumarch::test;

namespace {

constexpr double close = 2e-14;
constexpr std::int64_t n = 45;

// One field of every type, with a response to it that other responses have been added to before.
struct Scene {
  Scene(const driver::Device& on, std::int64_t components)
      : members(on, 3),
        real(on, {3, components, 2, 3, n}, {.banked = true}),
        real_P(on, {3, components, 2, 3, n}),
        complex(on, {3, components, 2, 3, n}),
        complex_P(on, {3, components, 2, 3, n}, {.banked = true}) {
    real.random(1), real_P.random(2), complex.random(3), complex_P.random(4);
  }
  // The value at all components; axes as Field's.
  template <class T>
  std::vector<T> at(Field<T>& field, std::int64_t m, std::int64_t y, std::int64_t x, std::int64_t s) const {
    std::vector<T> out;
    for (std::int64_t c = 0; c < field.view.extent[LM_AXIS_COMPONENT]; ++c)
      out.push_back(field(m, c, y, x, s, members.parity[static_cast<std::size_t>(m)]));
    return out;
  }
  // P before the call, for those that add.
  template <class T>
  T was(Field<T> P, const std::vector<T>& before, std::int64_t m, std::int64_t c, std::int64_t y, std::int64_t x,
        std::int64_t s) const {
    P.values = before;
    return P(m, c, y, x, s, members.parity[static_cast<std::size_t>(m)]);
  }

  Members members;
  Field<double> real, real_P;
  Field<Complex> complex, complex_P;
};

Complex squares(const std::vector<Complex>& A) {
  Complex sum;
  for (const Complex a : A) sum += a * a;
  return sum;
}
double squares(const std::vector<double>& E) {
  double sum = 0;
  for (const double e : E) sum += e * e;
  return sum;
}
double intensity(const std::vector<Complex>& A) {
  double sum = 0;
  for (const Complex a : A) sum += std::norm(a);
  return sum;
}

// Calls, and compares P with `want(m, all components of E, component, sample)`, added to what was there or not.
template <class P, class T, class Out, class Want>
void check_response(const driver::Device& device, Scene& scene, const Wish& wish, lm_kernel_fn fn, P p, Field<T>& E,
                    Field<Out>& polarisation, Want&& want, double tolerance = close) {
  const auto start = polarisation.values;
  for (const bool add : {false, true}) {
    const auto before = polarisation.values;
    p.flags = (p.flags & ~std::uint32_t{LM_RESPONSE_ACCUMULATE}) | (add ? std::uint32_t{LM_RESPONSE_ACCUMULATE} : 0u);
    Wish all = wish;
    all.views.insert(all.views.begin(), {E.view, polarisation.view});
    device.check(call(device, fn, scene.members.get, all, p));
    Field<Out> first = polarisation;
    first.values = before;
    CHECK(apart(polarisation, scene.members, before, [&](auto m, auto c, auto y, auto x, auto s) {
            const Out value = want(m, y, x, c, s);
            return add ? value + first(m, c, y, x, s, scene.members.parity[static_cast<std::size_t>(m)]) : value;
          }) < tolerance);
  }
  polarisation.values = start;
  polarisation.put();
}

}  // namespace

TEST_CASE("media: Kerr's response of real fields, envelopes and analytic signals") {
  in_all_orders([](const driver::Device& device) {
    const lm_kernel_fn kerr = kernel("response.kerr", 2);
    for (const std::int64_t components : {1, 2}) {
      CAPTURE(components);
      Scene scene(device, components);
      lm_p_kerr p = {sizeof p, 0, 2, 0, 0.7, 0, 2.5, -3.0, 0.31};
      check_response(device, scene, {}, kerr, p, scene.real, scene.real_P, [&](auto m, auto y, auto x, auto c, auto s) {
        const auto E = scene.at(scene.real, m, y, x, s);
        return 0.7 * scene.members.scale(m, 2) * squares(E) * E[static_cast<std::size_t>(c)];
      });
      for (const double saturation : {0.0, 0.4})
        for (const bool third : {false, true}) {
          if (third && saturation != 0) continue;
          p.saturation = saturation;
          p.flags = third ? std::uint32_t{LM_RESPONSE_THIRD_HARMONIC} : 0u;
          const auto envelope = [&](auto m, auto y, auto x, auto c, auto s) {
            const auto A = scene.at(scene.complex, m, y, x, s);
            const Complex a = A[static_cast<std::size_t>(c)];
            const double t = p.t0 + static_cast<double>(s) * p.dt;
            Complex value = 2 * intensity(A) * a + squares(A) * std::conj(a);
            if (third) {  // all of the real field's response
              const Complex carrier = std::exp(Complex(0, -p.omega0 * t));
              double square = 0;
              for (const Complex& each : A) square += std::pow((each * carrier).real(), 2);
              value = 8 * square * (a * carrier).real() * std::conj(carrier);
            }
            return 0.7 * scene.members.scale(m, 2) / (1 + saturation * intensity(A)) / 4 * value;
          };
          check_response(device, scene, {}, kerr, p, scene.complex, scene.complex_P, envelope);
          if (!third)
            check_response(device, scene, {}, kerr, p, scene.complex, scene.real_P,
                           [&](auto... at) { return envelope(at...).real(); });
        }
      const auto answer = [&](const lm_view& E, const lm_view& P, std::uint32_t flags, double saturation) {
        p.flags = flags;
        p.saturation = saturation;
        return call(device, kerr, scene.members.get, {{E, P}, {}}, p);
      };
      CHECK(answer(scene.real.view, scene.real_P.view, LM_RESPONSE_THIRD_HARMONIC, 0) == LM_E_UNSUPPORTED);
      CHECK(answer(scene.complex.view, scene.real_P.view, LM_RESPONSE_THIRD_HARMONIC, 0) == LM_E_UNSUPPORTED);
      CHECK(answer(scene.complex.view, scene.complex_P.view, LM_RESPONSE_THIRD_HARMONIC, 1) == LM_E_UNSUPPORTED);
      CHECK(answer(scene.real.view, scene.real_P.view, 0, 1) == LM_E_UNSUPPORTED);
      CHECK(answer(scene.real.view, scene.real_P.view, LM_RESPONSE_TENSOR, 0) == LM_E_UNSUPPORTED);
      CHECK(answer(scene.real.view, scene.complex_P.view, 0, 0) == LM_E_ARG);
    }
  });
}

TEST_CASE("media: a monochromatic wave has three quarters of Kerr's response at its own frequency, one at the third") {
  const driver::Host host;
  const driver::Device device(emulated(), host);
  constexpr std::int64_t points = 64;
  const Members members(device, 1);
  Field<double> E(device, {1, 1, 1, 1, points}), P(device, {1, 1, 1, 1, points});
  const auto wave = [&](int k, std::int64_t s) { return std::cos(2 * M_PI * k * static_cast<double>(s) / points); };
  for (std::int64_t s = 0; s < points; ++s) E(0, 0, 0, 0, s) = 3 * wave(4, s);
  E.put();
  const lm_p_kerr p = {sizeof p, 0, 0, 0, 2.0, 0, 0, 0, 0};
  device.check(call(device, kernel("response.kerr", 2), members.get, {{E.view, P.view}, {}}, p));
  P.get();
  for (std::int64_t s = 0; s < points; ++s)
    CHECK(P(0, 0, 0, 0, s) == doctest::Approx(2.0 * 27 * (0.75 * wave(4, s) + 0.25 * wave(12, s))).epsilon(1e-12));
}

TEST_CASE("media: the response of second order") {
  in_all_orders([](const driver::Device& device) {
    Scene scene(device, 2);
    const lm_kernel_fn chi2 = kernel("response.chi2");
    lm_p_kerr p = {sizeof p, 0, 1, 0, 0.7, 0, 2.5, -3.0, 0.31};
    check_response(device, scene, {}, chi2, p, scene.real, scene.real_P, [&](auto m, auto y, auto x, auto c, auto s) {
      const double E = scene.at(scene.real, m, y, x, s)[static_cast<std::size_t>(c)];
      return 0.7 * scene.members.scale(m, 1) * E * E;
    });
    check_response(device, scene, {}, chi2, p, scene.complex, scene.complex_P,
                   [&](auto m, auto y, auto x, auto c, auto s) {
                     const Complex a = scene.at(scene.complex, m, y, x, s)[static_cast<std::size_t>(c)];
                     const Complex e = std::exp(Complex(0, -p.omega0 * (p.t0 + static_cast<double>(s) * p.dt)));
                     return 0.35 * scene.members.scale(m, 1) * (a * a * e + 2 * std::norm(a) * std::conj(e));
                   });
    CHECK(call(device, chi2, scene.members.get, {{scene.complex.view, scene.real_P.view}, {}}, p) == LM_E_ARG);
  });
}

TEST_CASE("media: a convolution is the sum that it stands for, with the tensor of two components too") {
  in_all_orders([](const driver::Device& device) {
    const lm_kernel_fn convolution = kernel("response.convolution");
    for (const std::int64_t components : {1, 2})
      for (const std::int64_t N : {2 * n, 2 * n + 3}) {
        CAPTURE(components);
        CAPTURE(N);
        Scene scene(device, components);
        const std::int64_t half = N / 2 + 1;
        std::vector<Complex> h(static_cast<std::size_t>(N));
        std::mt19937 source(7);
        for (std::int64_t t = 0; t < n; ++t)
          h[static_cast<std::size_t>(t)] = static_cast<double>(source() % 1000) / 1e4;
        const auto spectrum = dft(h, -1);
        Field<Complex> H(device, {1, 1, 1, 1, half}, {.shared = true});
        for (std::int64_t k = 0; k < half; ++k)
          H(0, 0, 0, 0, k) = spectrum[static_cast<std::size_t>(k)] / static_cast<double>(N);
        H.put();
        std::uint64_t to_work = 0, back_work = 0;
        const std::vector<lm_plan*> plans = {device.fft(LM_FFT_R2C, N, LM_FFT_FORWARD, false, true, &to_work),
                                             device.fft(LM_FFT_C2R, N, LM_FFT_BACKWARD, false, true, &back_work)};
        const std::uint64_t least = std::max(to_work, back_work) + row_bytes(N, 8) + 2 * row_bytes(half);
        const WorkArea work(device, least), large(device, 3 * least), small(device, least - 64);
        for (const bool tensor : {false, true})
          for (const WorkArea* area : {&work, &large}) {
            lm_p_convolution p = {sizeof p, tensor ? std::uint32_t{LM_RESPONSE_TENSOR} : 0u, 2, 0, 0.7};
            const auto part = [&](auto& field, std::int64_t m, std::int64_t y, std::int64_t x, std::size_t i,
                                  std::size_t j, std::int64_t s) {
              double sum = 0;
              for (std::int64_t t = 0; t <= s; ++t) {
                const auto E = scene.at(field, m, y, x, t);
                double q = 0, trace = 0;
                const auto product = [](const auto& a, const auto& b) {
                  if constexpr (std::is_same_v<std::decay_t<decltype(a)>, double>)
                    return a * b;
                  else
                    return (a * std::conj(b)).real() / 2;
                };
                for (const auto& e : E) trace += product(e, e);
                q = tensor ? 1.5 * product(E[i], E[j]) - (i == j ? 0.5 * trace : 0.0) : trace;
                sum += h[static_cast<std::size_t>(s - t)].real() * q;
              }
              return sum;
            };
            const auto want = [&](auto& field, auto m, auto y, auto x, auto c, auto s) {
              const auto E = scene.at(field, m, y, x, s);
              const auto i = static_cast<std::size_t>(c);
              auto value = 0.0 * E[0];
              for (std::size_t j = 0; j < E.size(); ++j)
                if (tensor || j == i) value += part(field, m, y, x, i, j, s) * E[j];
              return 0.7 * scene.members.scale(m, 2) * value;
            };
            const Wish wish = {{H.view}, plans, &area->view};
            check_response(device, scene, wish, convolution, p, scene.real, scene.real_P,
                           [&](auto... at) { return want(scene.real, at...); });
            check_response(device, scene, wish, convolution, p, scene.complex, scene.complex_P,
                           [&](auto... at) { return want(scene.complex, at...); });
            check_response(device, scene, wish, convolution, p, scene.complex, scene.real_P,
                           [&](auto... at) { return want(scene.complex, at...).real(); });
          }
        const lm_p_convolution p = {sizeof p, 0, 0, 0, 1};
        const std::vector<lm_view> views = {scene.real.view, scene.real_P.view, H.view};
        CHECK(call(device, convolution, scene.members.get, {views, plans, &small.view}, p) == LM_E_ARG);
        CHECK(call(device, convolution, scene.members.get, {views, {plans[1], plans[0]}, &work.view}, p) == LM_E_ARG);
      }
  });
}

namespace {

struct Plasma {
  lm_p_plasma p = {sizeof(lm_p_plasma), 0, 1, 0, 1.5, 0.8, 2.0, 0.05, 0.11, 0.2, 0.07};
  std::vector<double> y, bend;  // of the table
  explicit Plasma(std::size_t m) : y(m), bend(m) {
    for (std::size_t k = 0; k < m; ++k) {
      const double field = p.field_min + p.field_step * static_cast<double>(k);
      y[k] = 1 - 1 / field;  // tunnelling: the logarithm goes as -1/field
      bend[k] = 0.3 * std::sin(static_cast<double>(k));
    }
  }
  [[nodiscard]] double rate(double field) const {
    if (field < p.field_min) return 0;
    const double position = (field - p.field_min) / p.field_step;
    const std::size_t last = y.size() - 1;
    if (position >= static_cast<double>(last)) return std::exp(y[last]);
    const auto k = static_cast<std::size_t>(std::floor(position));
    const double f = position - std::floor(position);
    return std::exp((1 - f) * y[k] + f * y[k + 1] + (std::pow(1 - f, 3) - (1 - f)) * bend[k] / 6 +
                    (std::pow(f, 3) - f) * bend[k + 1] / 6);
  }
  // J of all components at all samples, of E in the same order.
  [[nodiscard]] std::vector<std::vector<double>> current(const std::vector<std::vector<double>>& E,
                                                         double scale) const {
    const std::size_t samples = E[0].size();
    std::vector<std::vector<double>> J(E.size(), std::vector<double>(samples));
    std::vector<double> V(E.size(), 0.0);
    double R = 0, W_before = 0, f_before = 0;
    for (std::size_t s = 0; s < samples; ++s) {
      double EE = 0;
      for (const auto& row : E) EE += row[s] * row[s];
      const double W = rate(std::sqrt(EE));
      if (s > 0) R += p.dt * (W + W_before) / 2;
      const double f = p.fraction + (1 - p.fraction) * (1 - std::exp(-R));
      for (std::size_t i = 0; i < E.size(); ++i) {
        if (s > 0) V[i] += p.dt * p.acceleration * (f_before * E[i][s - 1] + f * E[i][s]) / 2;
        J[i][s] = scale * p.density * (V[i] + (EE == 0 ? 0 : p.ionisation_energy * W * (1 - f) * E[i][s] / EE));
      }
      W_before = W;
      f_before = f;
    }
    return J;
  }
};

}  // namespace

TEST_CASE("media: the current of a plasma is its sum along the samples") {
  in_all_orders([](const driver::Device& device) {
    const Plasma plasma(17);
    Field<double> table(device, {1, 1, 1, 2, 17}, {.shared = true});
    for (std::int64_t k = 0; k < 17; ++k) {
      table(0, 0, 0, 0, k) = plasma.y[static_cast<std::size_t>(k)];
      table(0, 0, 0, 1, k) = plasma.bend[static_cast<std::size_t>(k)];
    }
    table.put();
    const lm_kernel_fn fn = kernel("response.plasma");
    for (const std::int64_t components : {1, 2})
      for (const std::int64_t samples : {1, 2, 45, 256, 700}) {
        CAPTURE(components);
        CAPTURE(samples);
        const Extents shape = {2, components, 1, 2, samples};
        const Members members(device, 2);
        Field<double> real(device, shape, {.banked = true}), J(device, shape);
        Field<Complex> analytic(device, shape, {.banked = true});
        real.random(1), analytic.random(2), J.random(3);
        for (std::int64_t c = 0; c < components; ++c) real(1, c, 0, 0, samples / 2, 1) = 0;  // E.E = 0 once
        real.put();
        for (const bool is_analytic : {false, true})
          for (const bool add : {false, true}) {
            const auto before = J.values;
            auto first = J;
            lm_p_plasma p = plasma.p;
            p.flags = add ? std::uint32_t{LM_RESPONSE_ACCUMULATE} : 0u;
            const lm_view& view = is_analytic ? analytic.view : real.view;
            device.check(call(device, fn, members.get, {{view, J.view, table.view}, {}}, p));
            std::map<std::array<std::int64_t, 2>, std::vector<std::vector<double>>> nodes;
            CHECK(apart(J, members, before, [&](auto m, auto c, auto y, auto x, auto s) {
                    auto& node = nodes[{m, x}];
                    if (node.empty()) {
                      std::vector<std::vector<double>> E(static_cast<std::size_t>(components));
                      const unsigned parity = members.parity[static_cast<std::size_t>(m)];
                      for (std::int64_t i = 0; i < components; ++i)
                        for (std::int64_t t = 0; t < samples; ++t)
                          E[static_cast<std::size_t>(i)].push_back(is_analytic ? analytic(m, i, y, x, t, parity).real()
                                                                               : real(m, i, y, x, t, parity));
                      node = plasma.current(E, members.scale(m, 1));
                    }
                    const double value = node[static_cast<std::size_t>(c)][static_cast<std::size_t>(s)];
                    return add ? value + first(m, c, y, x, s) : value;
                  }) < 1e-13);
          }
      }
  });
}

TEST_CASE("media: a constant field ionises as its rate says, and what is not finite passes on") {
  const driver::Host host;
  const driver::Device device(emulated(), host, {{"order", "shuffled"}});
  constexpr std::int64_t samples = 600;
  const Members members(device, 1);
  Field<double> E(device, {1, 1, 1, 1, samples}), J(device, {1, 1, 1, 1, samples}), table(device, {1, 1, 1, 2, 2});
  for (std::int64_t s = 0; s < samples; ++s) E(0, 0, 0, 0, s) = 2.0;
  E.put();
  for (std::int64_t k = 0; k < 2; ++k) table(0, 0, 0, 0, k) = std::log(0.05), table(0, 0, 0, 1, k) = 0;
  table.put();
  // Without the drift, the current is what ionisation takes: density I_p W exp(-W t)/E.
  lm_p_plasma p = {sizeof p, 0, 0, 0, 3.0, 0.0, 1.5, 0.0, 0.1, 1.0, 0.5};
  const Wish wish = {{E.view, J.view, table.view}, {}};
  device.check(call(device, kernel("response.plasma"), members.get, wish, p));
  J.get();
  for (std::int64_t s = 0; s < samples; ++s)
    CHECK(J(0, 0, 0, 0, s) ==
          doctest::Approx(3.0 * 1.5 * 0.05 * std::exp(-0.05 * 0.1 * static_cast<double>(s)) / 2).epsilon(1e-12));
  E(0, 0, 0, 0, 301) = std::nan("");
  E.put();
  p.acceleration = 1;
  device.check(call(device, kernel("response.plasma"), members.get, wish, p));
  J.get();
  for (std::int64_t s = 0; s < samples; ++s) CHECK(std::isnan(J(0, 0, 0, 0, s)) == (s >= 301));
}
