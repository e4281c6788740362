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
extern const Kind problem, time, medium, dispersion, table, response, pulse, noise, march, replay, boundary, output,
    backend;
}
namespace choices {
extern const Choice model, field, medium, response, raman, shape, noise, enters, integrator, fields, plan, statistics;
}

[[nodiscard]] const std::vector<const Kind*>& all_kinds();
[[nodiscard]] const std::vector<const Choice*>& all_choices();

}  // namespace lumarch::problem
