// The kernels of routes with transverse nodes on the emulated device, against formulas that are written out here.
#include "nodes.hpp"

using namespace lumarch::test;

namespace {

constexpr double close = 2e-14;

}  // namespace

TEST_CASE("routes: core.mul 2 multiplies real and complex rows, by tables of all nodes or of one") {
  in_all_orders([](const driver::Device& device) {
    const Extents shape = {3, 2, 3, 4, 37};
    const Members members(device, 3);
    Field<double> real_out(device, shape), real_x(device, shape), table(device, {1, 2, 1, 4, 37}, {.shared = true});
    Field<Complex> out(device, shape, {.banked = true}), x(device, shape), own(device, {3, 1, 3, 1, 37});
    real_out.random(1), real_x.random(2), table.random(3), out.random(4), x.random(5), own.random(6);
    const auto real_before = real_out.values;
    const auto before = out.values;
    const lm_kernel_fn mul = kernel("core.mul", 2);
    device.check(call(device, mul, members.get, {{real_out.view, real_x.view, table.view}, {}}, nullptr));
    CHECK(apart(real_out, members, real_before, [&](auto m, auto c, auto y, auto n, auto s) {
            return real_x(m, c, y, n, s) * table(m, c, y, n, s);
          }) < close);
    device.check(call(device, mul, members.get, {{out.view, x.view, table.view}, {}}, nullptr));
    CHECK(apart(out, members, before, [&](auto m, auto c, auto y, auto n, auto s) {
            return x(m, c, y, n, s) * table(m, c, y, n, s);
          }) < close);
    device.check(call(device, mul, members.get, {{out.view, x.view, own.view}, {}}, nullptr));
    CHECK(apart(out, members, before,
                [&](auto m, auto c, auto y, auto n, auto s) { return x(m, c, y, n, s) * own(m, c, y, n, s); }) < close);
    Field<double> in_place(device, shape);
    in_place.random(7);
    const auto first = in_place;
    auto was = first;
    device.check(call(device, mul, members.get, {{in_place.view, in_place.view, table.view}, {}}, nullptr));
    CHECK(apart(in_place, members, first.values, [&](auto m, auto c, auto y, auto n, auto s) {
            return was(m, c, y, n, s) * table(m, c, y, n, s);
          }) < close);
    CHECK(call(device, mul, members.get, {{real_out.view, real_x.view, own.view}, {}}, nullptr) == LM_E_ARG);
  });
}

TEST_CASE("routes: fft.pad puts a band at its place, fft.crop takes it from there") {
  in_all_orders([](const driver::Device& device) {
    const Members members(device, 2);
    for (const std::uint32_t kind : {LM_BAND_ENVELOPE, LM_BAND_HALF, LM_BAND_ANALYTIC})
      for (const std::int64_t n : {1, 2, 5, 6})
        for (const std::int64_t longer : {n, n + 1, n + 2, 2 * n + 3}) {
          CAPTURE(kind);
          CAPTURE(n);
          CAPTURE(longer);
          // The index with its sign of place s, in a row of any length.
          const auto index = [&](std::int64_t s, std::int64_t length) {
            return kind == LM_BAND_ENVELOPE && 2 * s >= length ? s - length : s;
          };
          Field<Complex> band(device, {2, 2, 1, 3, n}), row(device, {2, 2, 1, 3, longer});
          Field<double> weight(device, {1, 1, 1, 3, n}, {.shared = true});
          band.random(1), row.random(2), weight.random(3);
          auto before = row.values;
          const auto padded = [&](bool weighted) {
            return [&, weighted](auto m, auto c, auto y, auto x, auto s) {
              for (std::int64_t k = 0; k < n; ++k) {
                // In a longer row the middle sample of an even n is the negative one.
                const std::int64_t signed_index = index(k, n);
                if (signed_index != s && signed_index + longer != s) continue;
                Complex value = members.scale(m, 2) * band(m, c, y, x, k) * (weighted ? weight(m, c, y, x, k) : 1.0);
                if (kind == LM_BAND_ANALYTIC && k > 0) value *= 2.0;
                return kind == LM_BAND_HALF ? std::conj(value) : value;
              }
              return Complex();
            };
          };
          lm_p_band p = {sizeof p, 0, kind, 2};
          const lm_kernel_fn pad = kernel("fft.pad"), crop = kernel("fft.crop");
          device.check(call(device, pad, members.get, {{row.view, band.view, weight.view}, {}}, p));
          CHECK(apart(row, members, before, padded(true)) < close);
          device.check(call(device, pad, members.get, {{row.view, band.view}, {}}, p));
          CHECK(apart(row, members, before, padded(false)) < close);
          p.scale = 3;
          CHECK(call(device, pad, members.get, {{row.view, band.view}, {}}, p) == LM_E_ARG);
          p.scale = 1;
          Field<Complex> factor(device, {2, 2, 1, 1, n});
          factor.random(4);
          if (kind == LM_BAND_ANALYTIC) {
            CHECK(call(device, crop, members.get, {{band.view, row.view, factor.view}, {}}, p) == LM_E_ARG);
            continue;
          }
          row.random(5);
          before = band.values;
          auto first = band;
          for (const bool add : {false, true}) {
            p.flags = add ? std::uint32_t{LM_CROP_ACCUMULATE} : 0u;
            if (add) band.get(), first.values = band.values;
            device.check(call(device, crop, members.get, {{band.view, row.view, factor.view}, {}}, p));
            CHECK(apart(band, members, before, [&](auto m, auto c, auto y, auto x, auto k) {
                    Complex value = row(m, c, y, x, index(k, n) < 0 ? index(k, n) + longer : k);
                    if (kind == LM_BAND_HALF) value = std::conj(value);
                    value *= members.scale(m, 1) * factor(m, c, y, x, k);
                    return add ? value + first(m, c, y, x, k) : value;
                  }) < close);
          }
        }
  });
}

TEST_CASE("routes: lin.prepare 2 sums operators with the factors of the member") {
  in_all_orders([](const driver::Device& device) {
    const Members members(device, 3);
    Field<Complex> E(device, {3, 2, 2, 3, 21}), shared(device, {1, 2, 2, 3, 21}, {.shared = true}),
        own(device, {3, 1, 1, 3, 21});
    E.random(1), shared.random(2), own.random(3);
    const auto before = E.values;
    const lm_kernel_fn prepare = kernel("lin.prepare", 2);
    const auto want = [&](bool scaled) {
      return [&, scaled](auto m, auto c, auto y, auto x, auto s) {
        return std::exp((scaled ? members.scale(m, 1) : 1.0) * shared(0, c, y, x, s) +
                        (scaled ? members.scale(m, 2) : 1.0) * own(m, c, y, x, s));
      };
    };
    const Wish both = {{E.view, shared.view, own.view}, {}};
    device.check(call(device, prepare, members.get, both, lm_p_scaled{sizeof(lm_p_scaled), 2, 1, 0}));
    CHECK(apart(E, members, before, want(true)) < close);
    device.check(call(device, prepare, members.get, both, lm_p_scaled{sizeof(lm_p_scaled), 2, 0, 0}));
    CHECK(apart(E, members, before, want(false)) < close);
    CHECK(call(device, prepare, members.get, both, lm_p_scaled{sizeof(lm_p_scaled), 2, 2, 0}) == LM_E_ARG);
    // A core that is older has members without factors.
    lm_members old = members.get;
    old.struct_size = LM_MEMBERS_1_0;
    CHECK(call(device, prepare, old, both, lm_p_scaled{sizeof(lm_p_scaled), 2, 1, 0}) == LM_E_ARG);
    device.check(call(device, prepare, old, both, lm_p_scaled{sizeof(lm_p_scaled), 2, 0, 0}));
    CHECK(apart(E, members, before, want(false)) < close);
  });
}

TEST_CASE("routes: spatial.fft transforms along both axes of nodes, in place too, in any work area") {
  in_all_orders([](const driver::Device& device) {
    const Members members(device, 2);
    for (const auto& [outer, inner, samples] : {std::array<std::int64_t, 3>{5, 3, 7}, {18, 20, 33}, {1, 4, 1}})
      for (const int axis : {LM_AXIS_OUTER, LM_AXIS_INNER})
        for (const bool in_place : {false, true})
          for (const int direction : {LM_FFT_FORWARD, LM_FFT_BACKWARD}) {
            CAPTURE(outer);
            CAPTURE(axis);
            CAPTURE(in_place);
            const Extents shape = {2, 2, outer, inner, samples};
            const std::int64_t n = axis == LM_AXIS_OUTER ? outer : inner;
            Field<Complex> in(device, shape, {.banked = true}), out(device, shape);
            in.random(1), out.random(2);
            auto source = in;
            const auto before = in_place ? in.values : out.values;
            std::uint64_t plan_work = 0;
            lm_plan* const plan = device.fft(LM_FFT_C2C, n, direction, false, true, &plan_work);
            const std::uint64_t least = plan_work + 2 * row_bytes(n * samples);
            const WorkArea work(device, in_place ? 3 * least : least), small(device, least - 64);
            const lm_p_axis p = {sizeof p, axis};
            Field<Complex>& target = in_place ? in : out;
            const std::vector<lm_view> views = {target.view, in.view};
            const lm_kernel_fn transform = kernel("spatial.fft");
            CHECK(call(device, transform, members.get, {views, {plan}, &small.view}, p) == LM_E_ARG);
            device.check(call(device, transform, members.get, {views, {plan}, &work.view}, p));
            std::vector<Complex> column(static_cast<std::size_t>(n));
            CHECK(apart(target, members, before, [&](auto m, auto c, auto y, auto x, auto s) {
                    for (std::int64_t j = 0; j < n; ++j)
                      column[static_cast<std::size_t>(j)] =
                          source(m, c, axis == LM_AXIS_OUTER ? j : y, axis == LM_AXIS_INNER ? j : x, s,
                                 members.parity[static_cast<std::size_t>(m)]);
                    Complex sum;
                    const auto k = static_cast<double>(axis == LM_AXIS_OUTER ? y : x);
                    for (std::int64_t j = 0; j < n; ++j)
                      sum +=
                          std::polar(1.0, direction * 2 * M_PI * k * static_cast<double>(j) / static_cast<double>(n)) *
                          column[static_cast<std::size_t>(j)];
                    return sum;
                  }) < close);
          }
    Field<Complex> field(device, {2, 1, 4, 3, 8});
    const WorkArea work(device, 65536);
    const Wish wish = {{field.view, field.view}, {device.fft(LM_FFT_C2C, 5, LM_FFT_FORWARD)}, &work.view};
    CHECK(call(device, kernel("spatial.fft"), members.get, wish, lm_p_axis{sizeof(lm_p_axis), LM_AXIS_OUTER}) ==
          LM_E_ARG);
    CHECK(call(device, kernel("spatial.fft"), members.get, wish, lm_p_axis{sizeof(lm_p_axis), LM_AXIS_SAMPLE}) ==
          LM_E_ARG);
  });
}

TEST_CASE("routes: spatial.matrix leads from nodes to nodes, and from one component to many and back") {
  in_all_orders([](const driver::Device& device) {
    const Members members(device, 2);
    struct Case {
      std::int64_t K, from, to;
    };
    for (const auto& [K, from, to] : {Case{1, 2, 2}, {3, 1, 3}, {3, 3, 1}, {1, 1, 1}})
      for (const auto& [outputs, inputs] : {std::array<std::int64_t, 2>{11, 5}, {8, 16}, {1, 3}, {7, 1}}) {
        CAPTURE(K);
        CAPTURE(outputs);
        Field<Complex> in(device, {2, from, 3, inputs, 19}), out(device, {2, to, 3, outputs, 19});
        Field<double> matrix(device, {1, K, 1, outputs, inputs}, {.shared = true});
        in.random(1), out.random(2), matrix.random(3);
        const auto before = out.values;
        const lm_kernel_fn product = kernel("spatial.matrix");
        device.check(call(device, product, members.get, {{out.view, in.view, matrix.view}, {}}, nullptr));
        CHECK(apart(out, members, before,
                    [&, K = K, from = from, inputs = inputs](auto m, auto c, auto y, auto q, auto s) {
                      Complex sum;
                      for (std::int64_t k = 0; k < (K > 1 ? from : 1); ++k)
                        for (std::int64_t j = 0; j < inputs; ++j)
                          sum += matrix(0, from > 1 ? k : c, 0, q, j) * in(m, K > 1 ? k : c, y, j, s);
                      return sum;
                    }) < close);
      }
    Field<Complex> in(device, {2, 2, 1, 4, 8}), out(device, {2, 3, 1, 4, 8});
    Field<double> matrix(device, {1, 3, 1, 4, 4}, {.shared = true});
    CHECK(call(device, kernel("spatial.matrix"), members.get, {{out.view, in.view, matrix.view}, {}}, nullptr) ==
          LM_E_ARG);
  });
}
