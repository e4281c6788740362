// The right-hand side of columns on the emulated device: against sums written out here, and bit for bit against what it
// is composed of.
#include "nodes.hpp"

using namespace lumarch::test;

namespace {

// Two components, a grid of nodes, a Kerr response, and where asked for a convolution and a plasma.
struct Scene {
  static constexpr std::int64_t band = 9, N = 20, outer = 2, inner = 5;
  static constexpr std::int64_t components = 2;

  Scene(const driver::Device& on, std::uint32_t of_kind, bool with_all)
      : device(on),
        kind(of_kind),
        envelope(of_kind == LM_BAND_ENVELOPE),
        half(of_kind == LM_BAND_HALF),
        members(on, 3),
        in(on, {3, components, outer, inner, band}, {.banked = true}),
        out(on, {3, components, outer, inner, band}),
        post(on, {1, 1, outer, inner, band}, {.shared = true}),
        current(on, {3, 1, 1, 1, band}),
        pre(on, {1, components, 1, inner, band}, {.shared = true}),
        window(on, {1, 1, 1, 1, N}, {.shared = true}),
        H(on, {1, 1, 1, 1, N + 1}, {.shared = true}),
        table(on, {1, 1, 1, 2, 8}, {.shared = true}) {
    in.random(1, 0.3), out.random(2), post.random(3), current.random(4), pre.random(5), window.random(6);
    H.random(7), table.random(8);
    plans = {
        device.fft(half ? LM_FFT_C2R : LM_FFT_C2C, N, half ? LM_FFT_BACKWARD : LM_FFT_FORWARD, false, true, &work_),
        device.fft(envelope ? LM_FFT_C2C : LM_FFT_R2C, N, envelope ? LM_FFT_BACKWARD : LM_FFT_FORWARD, false, true,
                   &back_work_)};
    const lm_p_kerr kerr = {sizeof kerr, envelope ? std::uint32_t{LM_RESPONSE_THIRD_HARMONIC} : 0u, 2, 0, 0.7, 0, 3, -1,
                            0.2};
    kerr_ = kerr;
    add(kernel("response.kerr", 2), &kerr_, sizeof kerr_, nullptr, LM_POLARISATION, 0);
    if (!with_all) return;
    std::uint64_t first = 0, second = 0;
    delay_plans_ = {device.fft(LM_FFT_R2C, 2 * N, LM_FFT_FORWARD, false, true, &first),
                    device.fft(LM_FFT_C2R, 2 * N, LM_FFT_BACKWARD, false, true, &second)};
    convolution_ = {sizeof convolution_, std::uint32_t{LM_RESPONSE_ACCUMULATE} | LM_RESPONSE_TENSOR, 0, 0, 0.3};
    add(kernel("response.convolution"), &convolution_, sizeof convolution_, &H.view, LM_POLARISATION,
        std::max(first, second) + row_bytes(2 * N, 8) + 2 * row_bytes(N + 1));
    responses.back().plans = delay_plans_.data();
    responses.back().n_plans = 2;
    if (envelope) return;  // a plasma's current is real
    plasma_ = {sizeof plasma_, 0, 1, 0, 1.5, 0.8, 2.0, 0.05, 0.11, 0.2, 0.07};
    add(kernel("response.plasma"), &plasma_, sizeof plasma_, &table.view, LM_CURRENT, 0);
  }

  [[nodiscard]] bool has_current() const { return responses.back().output == LM_CURRENT; }
  [[nodiscard]] std::uint64_t work_bytes(std::uint32_t together) const {
    std::uint64_t largest = std::max(work_, back_work_);
    for (const lm_response& response : responses) largest = std::max(largest, response.work_bytes);
    return (has_current() ? 4u : 3u) * together * components * row_bytes(N) + largest;
  }
  // The kernel, `together` nodes at a time, into `target`.
  lm_status fused(std::uint32_t together, const lm_view& target, const lm_view& work) const {
    const lm_p_columns p = {
        sizeof p, static_cast<std::uint32_t>(responses.size()), responses.data(), N, kind, together, 1, 2};
    Wish wish = {{in.view, target, pre.view, window.view, post.view}, plans, &work};
    if (has_current()) wish.views.push_back(current.view);
    return call(device, kernel("rhs.columns"), members.get, wish, p);
  }
  // The kernels that it is composed of, as docs/kernels.md lists them.
  void composed(Field<Complex>& target) const {
    const Extents rows = {3, components, outer, inner, N}, halves = {3, components, outer, inner, N / 2 + 1};
    const WorkArea work(device, work_bytes(1));
    Field<Complex> padded(device, half ? halves : rows), A(device, rows), complex_P(device, rows),
        back(device, envelope ? rows : halves);
    Field<double> E(device, rows), P(device, rows), J(device, rows);
    lm_p_band band_of = {sizeof band_of, 0, kind, 1};
    check(call(device, kernel("fft.pad"), members.get, {{padded.view, in.view, pre.view}, {}}, band_of));
    const lm_view &field = half ? E.view : A.view, &polarisation = envelope ? complex_P.view : P.view;
    check(call(device, kernel("fft.exec"), members.get, {{field, padded.view}, {plans[0]}, &work.view}, nullptr));
    for (const lm_response& response : responses) {
      lm_view views[3] = {field, response.output == LM_CURRENT ? J.view : polarisation};
      if (response.n_tables) views[2] = *response.tables;
      const lm_call raw = {sizeof raw,
                           2 + response.n_tables,
                           views,
                           &members.get,
                           device.api.exec(device.handle),
                           response.params,
                           response.params_size,
                           response.n_plans,
                           response.plans,
                           &work.view};
      check(response.fn(device.handle, &raw));
    }
    band_of = {sizeof band_of, 0, envelope ? std::uint32_t{LM_BAND_ENVELOPE} : std::uint32_t{LM_BAND_HALF}, 2};
    for (const bool is_current : {false, true}) {
      if (is_current && !has_current()) continue;
      const lm_view& part = is_current ? J.view : polarisation;
      check(call(device, kernel("core.mul", 2), members.get, {{part, part, window.view}, {}}, nullptr));
      check(call(device, kernel("fft.exec"), members.get, {{back.view, part}, {plans[1]}, &work.view}, nullptr));
      band_of.flags = is_current ? std::uint32_t{LM_CROP_ACCUMULATE} : 0u;
      const lm_view& weight = is_current ? current.view : post.view;
      check(call(device, kernel("fft.crop"), members.get, {{target.view, back.view, weight}, {}}, band_of));
    }
  }
  void check(lm_status status) const { device.check(status); }

  const driver::Device& device;
  std::uint32_t kind;
  bool envelope, half;
  Members members;
  Field<Complex> in, out, post, current;
  Field<double> pre, window;
  Field<Complex> H;
  Field<double> table;
  std::vector<lm_plan*> plans;
  std::vector<lm_response> responses;

private:
  void add(lm_kernel_fn fn, const void* params, std::size_t bytes, const lm_view* tables, std::uint32_t output,
           std::uint64_t work) {
    lm_response response{};
    response.fn = fn;
    response.params = params;
    response.params_size = static_cast<std::uint32_t>(bytes);
    response.tables = tables;
    response.n_tables = tables ? 1 : 0;
    response.output = output;
    response.work_bytes = work;
    responses.push_back(response);
  }
  std::uint64_t work_ = 0, back_work_ = 0;
  std::vector<lm_plan*> delay_plans_;
  lm_p_kerr kerr_{};
  lm_p_convolution convolution_{};
  lm_p_plasma plasma_{};
};

}  // namespace

TEST_CASE("columns: the right-hand side is what it is composed of, bit for bit, for any number of nodes together") {
  in_all_orders([](const driver::Device& device) {
    for (const std::uint32_t kind : {LM_BAND_ENVELOPE, LM_BAND_HALF, LM_BAND_ANALYTIC})
      for (const bool with_all : {false, true}) {
        CAPTURE(kind);
        CAPTURE(with_all);
        Scene scene(device, kind, with_all);
        Field<Complex> want = scene.out;
        want.view.buffer = device.alloc(want.values.size() * sizeof(Complex));
        want.put();
        scene.composed(want);
        want.get();
        const auto before = scene.out.values;
        for (const std::uint32_t together : {1u, 2u, 5u}) {
          CAPTURE(together);
          scene.out.values = before;
          scene.out.put();
          const WorkArea work(device, scene.work_bytes(together)), small(device, scene.work_bytes(together) - 64);
          CHECK(scene.fused(together, scene.out.view, small.view) == LM_E_ARG);
          device.check(scene.fused(together, scene.out.view, work.view));
          scene.out.get();
          CHECK(std::memcmp(scene.out.values.data(), want.values.data(), want.values.size() * sizeof(Complex)) == 0);
          CHECK(scene.out.values != before);
        }
        // In place.
        const auto source = scene.in;
        const WorkArea work(device, scene.work_bytes(2));
        device.check(scene.fused(2, scene.in.view, work.view));
        CHECK(apart(scene.in, scene.members, source.values, [&](auto... at) { return want(at...); }) == 0);
      }
  });
}

TEST_CASE("columns: of a Kerr medium the right-hand side is the sums that it stands for") {
  in_all_orders([](const driver::Device& device) {
    for (const std::uint32_t kind : {LM_BAND_ENVELOPE, LM_BAND_HALF, LM_BAND_ANALYTIC}) {
      CAPTURE(kind);
      Scene scene(device, kind, false);
      constexpr std::int64_t N = Scene::N, band = Scene::band;
      const WorkArea work(device, scene.work_bytes(3));
      const auto before = scene.out.values;
      device.check(scene.fused(3, scene.out.view, work.view));
      const auto signed_index = [](std::int64_t k) { return 2 * k >= band ? k - band : k; };
      std::map<std::array<std::int64_t, 4>, std::vector<Complex>> spectra;
      CHECK(apart(scene.out, scene.members, before, [&](auto m, auto c, auto y, auto x, auto s) {
              auto& spectrum = spectra[{m, c, y, x}];
              if (spectrum.empty()) {
                // The fields at the samples in time: of a real field E(t) = Re sum over omega >= 0, twice but at 0.
                std::vector<std::vector<Complex>> A;
                for (std::int64_t i = 0; i < Scene::components; ++i) {
                  A.emplace_back(static_cast<std::size_t>(N));
                  for (std::int64_t t = 0; t < N; ++t)
                    for (std::int64_t k = 0; k < band; ++k) {
                      const auto at = static_cast<double>(scene.envelope ? signed_index(k) : k);
                      const double twice = !scene.envelope && k > 0 ? 2 : 1;
                      A.back()[static_cast<std::size_t>(t)] +=
                          twice * scene.members.scale(m, 1) * scene.pre(m, i, y, x, k) *
                          scene.in(m, i, y, x, k, scene.members.parity[static_cast<std::size_t>(m)]) *
                          std::polar(1.0, -2 * M_PI * at * static_cast<double>(t) / N);
                    }
                }
                std::vector<Complex> P(static_cast<std::size_t>(N));
                for (std::size_t t = 0; t < static_cast<std::size_t>(N); ++t) {
                  double I = 0, EE = 0, carried = 0;
                  Complex AA;
                  const Complex carrier = std::exp(Complex(0, -3 * (-1 + 0.2 * static_cast<double>(t))));
                  for (const auto& one : A) {
                    carried += std::pow((one[t] * carrier).real(), 2);
                    I += std::norm(one[t]);
                    AA += one[t] * one[t];
                    EE += one[t].real() * one[t].real();
                  }
                  const Complex a = A[static_cast<std::size_t>(c)][t];
                  const double chi = 0.7 * scene.members.scale(m, 2);
                  const Complex slow = chi / 4 * (2 * I * a + AA * std::conj(a));
                  P[t] = scene.envelope ? 2 * chi * carried * (a * carrier).real() * std::conj(carrier)
                         : scene.half   ? Complex(chi * EE * a.real())
                                        : Complex(slow.real());
                  P[t] *= scene.window(0, 0, 0, 0, static_cast<std::int64_t>(t));
                }
                spectrum = dft(P, 1);
              }
              const std::int64_t k = scene.envelope && signed_index(s) < 0 ? signed_index(s) + N : s;
              return scene.members.scale(m, 2) * scene.post(m, c, y, x, s) * spectrum[static_cast<std::size_t>(k)];
            }) < 2e-14);
    }
  });
}

TEST_CASE("columns: without a response the right-hand side is zero, and faults are told") {
  const driver::Host host;
  const driver::Device device(emulated(), host);
  Scene scene(device, LM_BAND_HALF, true);
  const WorkArea work(device, scene.work_bytes(1));
  scene.responses.back().output = 2;
  CHECK(scene.fused(1, scene.out.view, work.view) == LM_E_ARG);
  scene.responses.back().output = LM_CURRENT;
  scene.current.view.buffer = 0;
  CHECK(scene.fused(1, scene.out.view, work.view) == LM_E_ARG);
  CHECK_MESSAGE(device.error().find("view 5 is missing") != std::string::npos, device.error());
  CHECK(scene.fused(0, scene.out.view, work.view) == LM_E_ARG);
  std::swap(scene.plans[0], scene.plans[1]);
  scene.responses.pop_back();
  CHECK(scene.fused(1, scene.out.view, work.view) == LM_E_ARG);
  std::swap(scene.plans[0], scene.plans[1]);
  const lm_p_columns p = {sizeof p, 0, nullptr, Scene::N, LM_BAND_HALF, 1, 0, 0};
  const auto before = scene.out.values;
  const Wish wish = {{scene.in.view, scene.out.view, {}, {}, scene.post.view}, scene.plans, &work.view};
  device.check(call(device, kernel("rhs.columns"), scene.members.get, wish, p));
  CHECK(apart(scene.out, scene.members, before, [](auto...) { return Complex(); }) == 0);
}
