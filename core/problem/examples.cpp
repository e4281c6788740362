// SPDX-License-Identifier: Apache-2.0
#include "problem/examples.hpp"

#include <lumarch/error.hpp>
#include <lumarch/examples.hpp>

#include "problem/text.hpp"

namespace lumarch {

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const problem::Example& example : problem::all_examples()) names.push_back(example.name);
  return names;
}

std::string example_text(const std::string& name) {
  for (const problem::Example& example : problem::all_examples()) {
    if (example.name == name) return example.text;
  }
  const auto names = example_names();
  const auto near = problem::nearest(name, names);
  throw Error(Fault::problem,
              "there is no example " + problem::in_quotes(name) + "; " +
                  (near ? "did you mean " + problem::in_quotes(*near) + "?" : "there are " + problem::listed(names)));
}

}  // namespace lumarch
