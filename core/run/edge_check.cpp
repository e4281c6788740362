// SPDX-License-Identifier: Apache-2.0
#include "run/edge_check.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

#include "reads/edge.hpp"

namespace lumarch {

Looks places_to_look(const Problem& problem) {
  constexpr std::size_t least_readings = 20;
  constexpr double widest = 0.1 * (1 + 1e-9);  // between two readings, over the length
  Looks looks{{}, std::numeric_limits<double>::infinity()};
  if (!problem.edge.on) return looks;
  const double length = problem.medium.length;
  struct Gap {  // between two planes, or the last one and the end
    double from, to;
    int pieces = 1;
    [[nodiscard]] double piece() const { return (to - from) / pieces; }
  };
  std::vector<double> ends{0};
  for (const double plane : problem.planes)
    if (plane > ends.back()) ends.push_back(plane);
  const bool to_end = ends.back() < length;
  if (to_end) ends.push_back(length);
  std::vector<Gap> gaps;
  for (std::size_t i = 1; i < ends.size(); ++i) gaps.push_back({ends[i - 1], ends[i]});
  if (gaps.empty()) return looks;
  for (std::size_t readings = ends.size();; ++readings) {
    Gap& longest =
        *std::max_element(gaps.begin(), gaps.end(), [](const Gap& a, const Gap& b) { return a.piece() < b.piece(); });
    if (readings >= least_readings && longest.piece() <= widest * length) break;
    ++longest.pieces;
  }
  for (const Gap& gap : gaps) {
    for (int i = 1; i < gap.pieces; ++i) looks.places.push_back(gap.from + (gap.to - gap.from) * i / gap.pieces);
    if (gap.pieces > 1) looks.longest_step = std::min(looks.longest_step, gap.piece());
  }
  if (to_end) looks.places.push_back(length);
  return looks;
}

std::string RimCheck::look(double z) {
  EdgeRecord record;
  record.z = z;
  record.rims = reader_.edge(z);
  const double joules = stepper_.field2(0) > 0 ? launched_ / stepper_.field2(0) : 0;
  record.absorbed_time = joules * stepper_.absorbed(0).time;
  record.absorbed_space = joules * stepper_.absorbed(0).space;
  std::string why;
  const std::vector<std::string>& names = reader_.rims();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double share = record.rims[i].share;
    if (state_.most.size() <= i) state_.most.push_back({names[i], share, z});
    if (share > state_.most[i].share) state_.most[i] = {names[i], share, z};
    if (EdgeReading::is_collar(names[i]) || !(share > problem_.edge.threshold) || !state_.told.insert(names[i]).second)
      continue;
    const bool mode = names[i] == "modes";
    char text[300];
    std::snprintf(text, sizeof text, "at z = %.4g m %.2g of the energy is in %s%s", z, share,
                  mode ? "" : "the outer part of ", EdgeReading::remedy(names[i]).c_str());
    state_.warnings.emplace_back(text);
    if (why.empty()) why = text;
  }
  sink_.edge(std::move(record));
  switch (problem_.edge.on_exceed) {
    case EdgeCheck::OnExceed::warn:
      return {};
    case EdgeCheck::OnExceed::stop:
      return why;
    case EdgeCheck::OnExceed::refuse:
      break;
  }
  if (!why.empty()) throw Error(Fault::refused, why + ", or take \"on_exceed\": \"warn\" in /boundary/edge");
  return {};
}

}  // namespace lumarch
