// SPDX-License-Identifier: Apache-2.0
// read.samples and read.nodes against plain sums.
#include <limits>

#include "support.hpp"

using namespace routes;

namespace {

lm_p_read reading(std::uint32_t flags) { return {sizeof(lm_p_read), flags, 0.75}; }

Long square(Complex x, std::uint32_t flags) {
  const Long re = x.real(), im = flags & LM_READ_REAL ? 0.0 : x.imag();
  return re * re + im * im;
}

}  // namespace

TEST_CASE("read.samples sums squares over components and nodes") {
  for (const Nodes nodes : {Nodes{1, 1, 1}, Nodes{2, 3, 5}, Nodes{1, 40, 20}, Nodes{2, 1, 300}})
    for (const std::int64_t n : {1, 7, 64, 300})
      for (const std::uint32_t flags : {0u, std::uint32_t{LM_READ_ACCUMULATE}, std::uint32_t{LM_READ_REAL}})
        for (const int tables : {0, 1, 2, 3}) {
          CAPTURE(nodes.inner);
          CAPTURE(n);
          CAPTURE(flags);
          CAPTURE(tables);
          Field<Complex> x(n, nodes);
          Field<double> out(n, {1, 1, 1}), before(n, {1, 1, 1});
          Field<double> weight(n, {nodes.components, nodes.outer, nodes.inner}, true),
              map(nodes.inner, {1, 1, nodes.outer}, true);
          x.random(1).upload();
          out.random(2).upload();
          before.random(2);
          weight.random(3).upload();
          map.random(4).upload();
          const lm_p_read p = reading(flags);
          call("read.samples",
               {out.view(), x.view(), tables & 1 ? weight.view() : lm_view{}, tables & 2 ? map.view() : lm_view{}}, &p);
          out.download();
          Off off;
          for (std::uint32_t m = 0; m < 2; ++m)
            for (std::int64_t s = 0; s < n; ++s) {
              Long sum = 0;
              for (std::int64_t c = 0; c < nodes.components; ++c)
                for (std::int64_t y = 0; y < nodes.outer; ++y)
                  for (std::int64_t i = 0; i < nodes.inner; ++i)
                    sum += square(x.at(m, c, y, i, s), flags) * (tables & 1 ? weight.at(0, c, y, i, s) : 1.0) *
                           (tables & 2 ? map.at(0, 0, 0, y, i) : 1.0);
              const Long right = 0.75L * sum + (flags & LM_READ_ACCUMULATE ? before.at(m, 0, 0, 0, s) : 0.0);
              off.add(LongComplex(out.at(m, 0, 0, 0, s)), LongComplex(right));
            }
          CHECK(off() < 1e-14);
        }
}

TEST_CASE("read.nodes sums squares over samples, or finds the largest") {
  for (const Nodes nodes : {Nodes{1, 1, 1}, Nodes{2, 3, 5}, Nodes{1, 9, 8}})
    for (const std::int64_t n : {1, 7, 64, 300, 1000})
      for (std::uint32_t flags = 0; flags < 8; ++flags)
        for (const bool weighted : {false, true}) {
          CAPTURE(nodes.inner);
          CAPTURE(n);
          CAPTURE(flags);
          CAPTURE(weighted);
          Field<Complex> x(n, nodes);
          Field<double> out(nodes.inner, {1, 1, nodes.outer}), before(nodes.inner, {1, 1, nodes.outer});
          Field<double> weight(n, {nodes.components, nodes.outer, nodes.inner}, true);
          x.random(1).upload();
          out.random(2).upload();
          before.random(2);
          weight.random(3).upload();
          const lm_p_read p = reading(flags);
          call("read.nodes", {out.view(), x.view(), weighted ? weight.view() : lm_view{}}, &p);
          out.download();
          Off off;
          for (std::uint32_t m = 0; m < 2; ++m)
            for (std::int64_t y = 0; y < nodes.outer; ++y)
              for (std::int64_t i = 0; i < nodes.inner; ++i) {
                Long sum = 0, peak = 0;
                for (std::int64_t s = 0; s < n; ++s) {
                  Long all = 0;
                  for (std::int64_t c = 0; c < nodes.components; ++c)
                    all += square(x.at(m, c, y, i, s), flags) * (weighted ? weight.at(0, c, y, i, s) : 1.0);
                  sum += all;
                  peak = std::max(peak, all);
                }
                const Long there = before.at(m, 0, 0, y, i);
                Long right = 0.75L * (flags & LM_READ_PEAK ? peak : sum);
                if (flags & LM_READ_ACCUMULATE) right = flags & LM_READ_PEAK ? std::max(right, there) : right + there;
                off.add(LongComplex(out.at(m, 0, 0, y, i)), LongComplex(right));
              }
          CHECK(off() < 1e-14);
        }
}

TEST_CASE("what is not a number shows in what is read of it, and nowhere else") {
  const Nodes nodes{2, 2, 3};
  for (const std::int64_t n : {20, 400}) {
    Field<Complex> x(n, nodes);
    Field<double> row(n, {1, 1, 1}), sums(3, {1, 1, 2}), peaks(3, {1, 1, 2});
    x.random(1);
    x.at(1, 1, 1, 2, 11) = Complex(0, std::numeric_limits<double>::quiet_NaN());
    x.upload();
    const lm_p_read sum = reading(0), peak = reading(LM_READ_PEAK);
    call("read.samples", {row.view(), x.view()}, &sum);
    call("read.nodes", {sums.view(), x.view()}, &sum);
    call("read.nodes", {peaks.view(), x.view()}, &peak);
    row.download();
    sums.download();
    peaks.download();
    for (std::uint32_t m = 0; m < 2; ++m) {
      for (std::int64_t s = 0; s < n; ++s) CHECK(std::isnan(row.at(m, 0, 0, 0, s)) == (m == 1 && s == 11));
      for (std::int64_t y = 0; y < 2; ++y)
        for (std::int64_t i = 0; i < 3; ++i) {
          const bool bad = m == 1 && y == 1 && i == 2;
          CHECK(std::isnan(sums.at(m, 0, 0, y, i)) == bad);
          CHECK(std::isnan(peaks.at(m, 0, 0, y, i)) == bad);
        }
    }
  }
}
