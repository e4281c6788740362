// SPDX-License-Identifier: Apache-2.0
#include "run/edge_check.hpp"

#include <cstdio>
#include <utility>

#include "reads/edge.hpp"

namespace lumarch {

std::vector<double> places_to_look(const Problem& problem) {
  constexpr int least_looks = 20;
  std::vector<double> places;
  for (int i = 1; problem.edge.on && i <= least_looks; ++i)
    places.push_back(i == least_looks ? problem.medium.length : problem.medium.length * i / least_looks);
  return places;
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
    if (!(share > problem_.edge.threshold) || !state_.told.insert(names[i]).second) continue;
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
