// SPDX-License-Identifier: Apache-2.0
#include "run/stored_launch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include <lumarch/error.hpp>
#include <lumarch/result_file.hpp>

namespace lumarch {

namespace {

// Only a real field has more times than frequencies, and begins at 0.
bool is_half(const ResultInfo& info) {
  return info.omega.size() > 2 && info.omega.front() == 0 && info.time.size() == 2 * (info.omega.size() - 1);
}

FieldAxes axes_of(const ResultInfo& info) { return {is_half(info), info.omega, info.nodes}; }

// Throws Error(Fault::problem) that says what there is.
std::int64_t plane_of(const ResultFile& file, const Pulse::Run& run) {
  const std::vector<std::int64_t> there = file.field_planes();
  if (there.empty()) {
    if (file.info().fields == Fields::none)
      throw Error(Fault::problem, run.file + " holds no fields; run it again with \"output\": {\"fields\": \"last\"}");
    throw Error(Fault::problem, run.file +
                                    " holds the field of no plane yet: its run ended before the first, or has "
                                    "not reached it");
  }
  const auto count = static_cast<std::int64_t>(there.size());
  if (run.plane < 0 && -run.plane <= count) return there[static_cast<std::size_t>(count + run.plane)];
  if (std::find(there.begin(), there.end(), run.plane) != there.end()) return run.plane;
  const std::string range = count == 1 ? std::to_string(there.front())
                                       : std::to_string(there.front()) + " to " + std::to_string(there.back());
  throw Error(Fault::problem, run.file + " has no field of plane " + std::to_string(run.plane) +
                                  "; there is that of plane " + range + ", or -1 for the last");
}

std::string name_of(std::int64_t plane) { return "plane " + std::to_string(plane); }

}  // namespace

void check_stored(const Problem& problem, const FieldAxes& axes) {
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < problem.launch.size(); ++i) {
    const auto& run = problem.launch[i].run;
    if (!run) continue;
    const std::string place = "/launch/" + std::to_string(i);
    std::string key = "/file";
    try {
      const ResultFile file(run->file);
      const ResultInfo& info = file.info();
      if (info.omega.empty())
        throw Error(Fault::problem, run->file + " has no grid yet: its run ended before it began");
      if (const std::string why = refuse_stored(run->file, axes_of(info), axes); !why.empty())
        throw Error(Fault::problem, why);
      if (!file.field_planes().empty()) key = "/plane";
      (void)plane_of(file, *run);
    } catch (const Error& error) {
      if (error.fault() != Fault::problem) throw;
      findings.push_back({place + key, error.what()});
    }
  }
  if (!findings.empty()) throw ProblemError(std::move(findings));
}

StoredFields stored_fields(const Problem& problem) {
  return [&problem](std::size_t pulse) {
    const Pulse::Run& run = problem.launch.at(pulse).run.value();
    const ResultFile file(run.file);
    const std::int64_t plane = plane_of(file, run);
    StoredField field{run.file, name_of(plane), axes_of(file.info()), file.field(plane)};
    const auto finite = [](const Complex& value) { return std::isfinite(value.real()) && std::isfinite(value.imag()); };
    if (!std::all_of(field.values.begin(), field.values.end(), finite))
      throw ProblemError({{"/launch/" + std::to_string(pulse) + "/plane",
                           field.plane + " of " + run.file + " holds what is no number; take an earlier one"}});
    return field;
  };
}

std::string describe_stored(const Pulse& pulse) {
  const ResultFile file(pulse.run->file);
  const std::int64_t plane = plane_of(file, *pulse.run);
  char text[80];
  std::snprintf(text, sizeof text, " (z = %.5g m)", file.info().z.at(static_cast<std::size_t>(plane)));
  return name_of(plane) + " of " + pulse.run->file + text;
}

}  // namespace lumarch
