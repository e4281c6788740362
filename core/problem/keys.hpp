// SPDX-License-Identifier: Apache-2.0
// The keys and words of problem files, in one place: what is read, what docs/problem.schema.json says (a test compares
// them) and what is named by the format but not built yet.
#pragma once

#include <string>
#include <vector>

namespace lumarch::problem {

// An object of the file. `later` are keys of the format that this version refuses as not built yet.
struct Kind {
  std::string name;  // as in the schema's $defs; "" is the whole file
  std::vector<std::string> keys;
  std::vector<std::string> later;
};

// A place that takes one of a few words.
struct Choice {
  std::string kind, key;
  std::vector<std::string> words;
  std::vector<std::string> later;
};

namespace kinds {
extern const Kind problem, time, geometry, medium, capillary, antiresonant, step_index, rectangular, gas, glass,
    pressure, taper, dispersion, table, graded_index, tabulated, material_table, axes, response, pulse, plate, beam,
    noise, march, replay, boundary, edge, statistic, aperture, output, checkpoint, backend, scan, scan_axis, executor;
// What the model gnlse takes of the same objects: the rest is refused as not built yet.
namespace gnlse {
extern const Kind problem, time, response, pulse, boundary;
}
}  // namespace kinds
namespace choices {
extern const Choice model, field, route, medium, capillary_model, antiresonant_model, fit, response, raman, rate, shape,
    noise, enters, integrator, fields, plan, statistics, aperture, on_exceed, scan_mode, scan_layout, executor;
namespace gnlse {
extern const Choice field, medium, response, raman, statistics;
}
}  // namespace choices

[[nodiscard]] const std::vector<const Kind*>& all_kinds();
[[nodiscard]] const std::vector<const Choice*>& all_choices();

}  // namespace lumarch::problem
