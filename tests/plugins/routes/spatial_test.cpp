// SPDX-License-Identifier: Apache-2.0
// core.mul 2, spatial.fft and spatial.matrix.
#include "support.hpp"

using namespace routes;

namespace {

template <class T, class Table>
void check_product(Nodes table_nodes, bool in_place) {
  const Nodes nodes{2, 3, 4};
  const std::int64_t n = 37;
  Field<T> x(n, nodes), own(n, nodes);
  Field<Table> table(n, table_nodes, true);
  x.random(1).upload();
  table.random(2).upload();
  Field<T>& out = in_place ? x : own;
  const Field<T> before = x;
  call("core.mul 2", {out.view(), x.view(), table.view()}, no_params);
  out.download();
  Off off;
  for (std::uint32_t m = 0; m < 2; ++m)
    for (std::int64_t c = 0; c < 2; ++c)
      for (std::int64_t y = 0; y < 3; ++y)
        for (std::int64_t i = 0; i < 4; ++i)
          for (std::int64_t s = 0; s < n; ++s) {
            const auto t = table.at(0, c % table_nodes.components, y % table_nodes.outer, i % table_nodes.inner, s);
            off.add(LongComplex(out.at(m, c, y, i, s)), LongComplex(before.at(m, c, y, i, s)) * LongComplex(t));
          }
  CHECK(off() < 4e-16);
}

}  // namespace

TEST_CASE("core.mul 2 multiplies real and complex rows by tables of some or of all nodes") {
  for (const Nodes table : {Nodes{1, 1, 1}, Nodes{1, 3, 4}, Nodes{2, 1, 4}, Nodes{2, 3, 4}})
    for (const bool in_place : {false, true}) {
      check_product<double, double>(table, in_place);
      check_product<Complex, double>(table, in_place);
      check_product<Complex, Complex>(table, in_place);
    }
}

TEST_CASE("spatial.fft is a plain sum over the nodes of an axis") {
  for (const std::int64_t n : {1, 2, 3, 8, 11, 12, 40})
    for (const int axis : {LM_AXIS_OUTER, LM_AXIS_INNER})
      for (const int direction : {LM_FFT_FORWARD, LM_FFT_BACKWARD})
        for (const bool in_place : {false, true}) {
          CAPTURE(n);
          CAPTURE(axis);
          const bool outer = axis == LM_AXIS_OUTER;
          const Nodes nodes{2, outer ? n : 3, outer ? 5 : n};
          const std::int64_t samples = 70;  // two whole panels and a part of one
          Field<Complex> in(samples, nodes), own(samples, nodes);
          in.random(3).upload();
          std::uint64_t plan_work = 0;
          lm_plan* const plan = device().fft(LM_FFT_C2C, n, direction, false, false, &plan_work);
          const lm_p_axis p = {sizeof p, axis};
          Field<Complex>& out = in_place ? in : own;
          const Field<Complex> before = in;
          const std::uint64_t slab = round_up(static_cast<std::uint64_t>(n) * 16 * static_cast<std::uint64_t>(samples));
          call("spatial.fft", {out.view(), in.view()}, &p, {plan}, plan_work + 2 * slab);
          out.download();
          Off off;
          for (std::uint32_t m = 0; m < 2; ++m)
            for (std::int64_t c = 0; c < 2; ++c)
              for (std::int64_t other = 0; other < (outer ? 5 : 3); ++other)
                for (std::int64_t s = 0; s < samples; ++s) {
                  std::vector<LongComplex> column;
                  for (std::int64_t i = 0; i < n; ++i)
                    column.emplace_back(outer ? before.at(m, c, i, other, s) : before.at(m, c, other, i, s));
                  const auto right = sums(column, direction);
                  for (std::int64_t i = 0; i < n; ++i)
                    off.add(LongComplex(outer ? out.at(m, c, i, other, s) : out.at(m, c, other, i, s)),
                            right[static_cast<std::size_t>(i)]);
                }
          CHECK(off() < 2e-15);
          device().check(device().api.plan_free(device().handle, plan));
        }
}

TEST_CASE("spatial.matrix: between nodes, from one component to K, and from K to one") {
  struct Way {
    std::int64_t K, from, to;
  };
  for (const auto& [K, from, to] : {Way{1, 1, 1}, Way{1, 2, 2}, Way{2, 1, 2}, Way{2, 2, 1}, Way{3, 1, 3}})
    for (const auto& [q, j] : {std::pair<std::int64_t, std::int64_t>{1, 1}, {4, 4}, {3, 7}, {29, 11}, {5, 300}}) {
      CAPTURE(K);
      CAPTURE(from);
      CAPTURE(j);
      const std::int64_t n = 53;
      Field<Complex> in(n, {from, 2, j}), out(n, {to, 2, q});
      Field<double> matrix(j, {K, 1, q}, true);
      in.random(4).upload();
      matrix.random(5).upload();
      call("spatial.matrix", {out.view(), in.view(), matrix.view()}, no_params);
      out.download();
      Off off;
      for (std::uint32_t m = 0; m < 2; ++m)
        for (std::int64_t c = 0; c < to; ++c)
          for (std::int64_t y = 0; y < 2; ++y)
            for (std::int64_t row = 0; row < q; ++row)
              for (std::int64_t s = 0; s < n; ++s) {
                LongComplex sum = 0;
                for (std::int64_t k = 0; k < (K > 1 ? from : 1); ++k)
                  for (std::int64_t i = 0; i < j; ++i)
                    sum += static_cast<Long>(matrix.at(0,
                                                       K == 1     ? 0
                                                       : from > 1 ? k
                                                                  : c,
                                                       0, row, i)) *
                           LongComplex(in.at(m, K == 1 ? c : k, y, i, s));
                off.add(LongComplex(out.at(m, c, y, row, s)), sum);
              }
      CHECK(off() < 2e-15);
    }
}

TEST_CASE("a symmetric matrix that is its own inverse, as Hankel's is, brings a field back") {
  const std::int64_t nodes = 64, n = 33;
  Field<Complex> in(n, {2, 1, nodes}), there(n, {2, 1, nodes}), back(n, {2, 1, nodes});
  Field<double> matrix(nodes, {1, 1, nodes}, true);
  in.random(6).upload();
  matrix.set([&](auto, auto, std::int64_t q, std::int64_t j) {
    return static_cast<double>(std::sqrt(2.0L / (nodes + 1)) *
                               std::sin(pi * static_cast<Long>((q + 1) * (j + 1)) / (nodes + 1)));
  });
  matrix.upload();
  call("spatial.matrix", {there.view(), in.view(), matrix.view()}, no_params);
  call("spatial.matrix", {back.view(), there.view(), matrix.view()}, no_params);
  back.download();
  Off off;
  for (std::int64_t i = 0; i < nodes; ++i)
    for (std::int64_t s = 0; s < n; ++s)
      off.add(LongComplex(back.at(1, 1, 0, i, s)), LongComplex(in.at(1, 1, 0, i, s)));
  CHECK(off() < 3e-15);
}
