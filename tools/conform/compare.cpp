// SPDX-License-Identifier: Apache-2.0
#include "compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace lumarch::conform {

namespace {

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// Row `row` of a view of one member, as a span of doubles.
struct Row {
  const double* at;
  std::size_t doubles, width;
};
Row row_of(const Scene& scene, const std::vector<std::vector<double>>& images, int array, std::size_t element) {
  const Array& a = scene.arrays[static_cast<std::size_t>(array)];
  return {images[static_cast<std::size_t>(array)].data() + element * a.width(),
          static_cast<std::size_t>(a.view.extent[LM_AXIS_SAMPLE]) * a.width(), a.width()};
}

double norm(const Row& row) {
  double sum = 0;
  for (std::size_t i = 0; i < row.doubles; ++i)
    if (std::isfinite(row.at[i])) sum += row.at[i] * row.at[i];
  return std::sqrt(sum);
}

std::vector<std::vector<double>> images_before(const Scene& scene) {
  std::vector<std::vector<double>> out;
  for (const Array& array : scene.arrays) out.push_back(array.image);
  return out;
}

// The largest norm of this member's c128 rows of as many samples: what rounding errors are measured by.
double yardstick(const Scene& scene, const CallSpec& call, std::uint32_t member, std::size_t row) {
  double largest = 0;
  for (const Seen& seen : call.views) {
    if (seen.array < 0 || scene.arrays[static_cast<std::size_t>(seen.array)].dtype != LM_C128) continue;
    const Array& array = scene.arrays[static_cast<std::size_t>(seen.array)];
    const auto rows = scene.rows(seen, member);
    const std::size_t element = rows[std::min(row, rows.size() - 1)];
    largest = std::max(largest,
                       norm({array.image.data() + element * 2, 2 * static_cast<std::size_t>(scene.samples(seen)), 2}));
  }
  return largest;
}

void expect_row(const Row& got, const Row& want, double tolerance, double yard, const std::string& where) {
  double off = 0, worst = 0;
  std::size_t worst_at = 0;
  for (std::size_t s = 0; s < got.doubles; s += got.width) {
    bool finite = true, expected = true;
    double here = 0;
    for (std::size_t part = s; part < s + got.width; ++part) {
      finite = finite && std::isfinite(got.at[part]);
      expected = expected && std::isfinite(want.at[part]);
      here += (got.at[part] - want.at[part]) * (got.at[part] - want.at[part]);
    }
    if (finite != expected)
      throw Failed(where + ", sample " + std::to_string(s / got.width) + ": " + number(got.at[s]) + " in place of " +
                   number(want.at[s]));
    if (!finite) continue;
    off += here;
    if (here > worst) {
      worst = here;
      worst_at = s;
    }
  }
  const double allowed = tolerance * std::max(norm(want), yard);
  if (std::sqrt(off) <= allowed) return;
  throw Failed(where + ": the row is off by " + number(std::sqrt(off)) + ", allowed " + number(allowed) +
               "; most at sample " + std::to_string(worst_at / got.width) + ": " + number(got.at[worst_at]) +
               " in place of " + number(want.at[worst_at]));
}

std::string place(std::uint32_t member, std::size_t row) {
  return "member " + std::to_string(member) + (row ? ", row " + std::to_string(row) : std::string());
}

void expect_numbers(const Scene& scene, const CallSpec& call, const Left& left, const Left& oracle) {
  lm_p_combine p;
  std::memcpy(&p, call.params.data(), sizeof p);
  const bool scratch = scene.arrays[static_cast<std::size_t>(call.views[0].array)].lay.scratch;
  for (const std::uint32_t m : scratch ? scene.left_in_scratch() : scene.working()) {
    double yard = 0;
    for (std::size_t row = 0; row < scene.rows(call.views[0], m).size(); ++row)
      yard += std::pow(yardstick(scene, call, m, row), 2);
    for (std::uint32_t i = p.slot; i < p.slot + 2; ++i) {
      const double got = left.numbers[m * scene.members.n_numbers + i];
      const double want = oracle.numbers[m * scene.members.n_numbers + i];
      const std::string where = place(m, 0) + ", number " + std::to_string(i);
      expect_row({&got, 1, 1}, {&want, 1, 1}, call.tolerance, yard, where);
    }
  }
}

}  // namespace

Left left_by(const Live& live, std::size_t arrays) {
  Left left;
  for (std::size_t i = 0; i < arrays; ++i) left.images.push_back(live.image(i));
  left.numbers = live.numbers();
  return left;
}

void expect_untouched(const Scene& scene, const Left& left, const std::string& other_damage) {
  expect(other_damage.empty(), other_damage);
  const auto before = images_before(scene);
  std::vector<std::vector<char>> mine;  // what may change
  for (const auto& image : before) mine.emplace_back(image.size(), 0);
  const auto allow = [&](const Seen& seen, std::uint32_t member) {
    const Array& array = scene.arrays[static_cast<std::size_t>(seen.array)];
    for (const std::size_t element : scene.rows(seen, member))
      std::fill_n(
          mine[static_cast<std::size_t>(seen.array)].begin() + static_cast<std::ptrdiff_t>(element * array.width()),
          static_cast<std::size_t>(scene.samples(seen)) * array.width(), char{1});
  };
  std::vector<char> numbers(left.numbers.size(), 0);
  for (const CallSpec& call : scene.calls)
    for (const std::uint32_t m : scene.working()) {
      if (call.output >= 0) allow(call.views[static_cast<std::size_t>(call.output)], m);
      for (const Seen& seen : call.views)
        if (seen.array >= 0 && scene.arrays[static_cast<std::size_t>(seen.array)].spoilt) allow(seen, m);
      if (call.output < 0) {
        lm_p_combine p;
        std::memcpy(&p, call.params.data(), sizeof p);
        numbers[m * scene.members.n_numbers + p.slot] = numbers[m * scene.members.n_numbers + p.slot + 1] = 1;
      }
    }
  for (std::size_t a = 0; a < before.size(); ++a)
    for (std::size_t i = 0; i < before[a].size(); ++i)
      if (!mine[a][i] && !same_bits(before[a][i], left.images[a][i])) {
        const Array& array = scene.arrays[a];
        throw Failed("array " + std::to_string(a) + " changed where nothing may: element " +
                     std::to_string(i / array.width()) + " (first row at " + std::to_string(array.view.offset) +
                     ", pitch " + std::to_string(array.view.pitch[0]) + ", n " +
                     std::to_string(array.view.extent[LM_AXIS_SAMPLE]) + ") is now " + number(left.images[a][i]));
      }
  for (std::size_t i = 0; i < numbers.size(); ++i)
    expect(numbers[i] || same_bits(left.numbers[i], guard()), "number " + std::to_string(i) + " was written");
}

void expect_close(const Scene& scene, const Left& left, const Scene& oracle_scene, const Left& oracle) {
  for (const CallSpec& call : scene.calls) {
    if (call.output < 0) {
      expect_numbers(scene, call, left, oracle);
      continue;
    }
    const Seen& seen = call.views[static_cast<std::size_t>(call.output)];
    const bool scratch = scene.arrays[static_cast<std::size_t>(seen.array)].lay.scratch;
    for (const std::uint32_t m : scratch ? scene.left_in_scratch() : scene.working()) {
      const auto rows = scene.rows(seen, m), oracle_rows = oracle_scene.rows(seen, m);
      for (std::size_t row = 0; row < rows.size(); ++row)
        expect_row(row_of(scene, left.images, seen.array, rows[row]),
                   row_of(oracle_scene, oracle.images, seen.array, oracle_rows[row]), call.tolerance,
                   call.tolerance > 0 ? yardstick(scene, call, m, row) : 0, place(m, row));
    }
  }
}

void expect_unchanged(const Scene& scene, const Left& left) {
  Scene nothing = scene;
  nothing.calls.clear();
  expect_untouched(nothing, left, "");
}

void check_scene(const OpenDevice& candidate, const Scene& scene, const OpenDevice& oracle, const Scene& oracle_scene) {
  Live live(candidate, scene);
  const lm_status status = live.each();
  if (status == LM_E_UNSUPPORTED && is_optional(scene.calls[0].kernel))
    throw Skipped("it answers UNSUPPORTED: " + candidate.error());
  live.need(status);
  const Left left = left_by(live, scene.arrays.size());
  expect_untouched(scene, left, live.other_damage());
  Live measure(oracle, oracle_scene);
  measure.need(measure.each());
  expect_close(scene, left, oracle_scene, left_by(measure, scene.arrays.size()));
}

}  // namespace lumarch::conform
