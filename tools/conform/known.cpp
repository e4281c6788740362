// SPDX-License-Identifier: Apache-2.0
#include "known.hpp"

#include <sstream>

namespace lumarch::conform {

namespace {

constexpr char between = '\x1f', after = '\x1e';  // no text of a plugin has them

std::string text_of(const char* text) { return text ? text : ""; }

// The list as text, which is all that comes out of a case's process.
void tell(const Context& context) {
  const lm_plugin& plugin = *context.candidate().plugin;
  const auto* known = LM_HAS(&plugin, extension)
                          ? static_cast<const lm_known_failures*>(plugin.extension(LM_EXT_KNOWN_FAILURES))
                          : nullptr;
  std::string all;
  if (known && known->struct_size >= sizeof *known)
    for (std::uint32_t i = 0; known->list && i < known->n; ++i)
      all += text_of(known->list[i].test) + between + text_of(known->list[i].reason) + after;
  throw Warned(all);
}

bool failed(Result result) { return result == Result::fail || result == Result::crash || result == Result::timeout; }

}  // namespace

KnownFailures known_failures(const Context& context) {
  KnownFailures known;
  const Outcome told = run_apart({"known failures", 10, &tell}, context);
  if (told.result != Result::warn) return known;  // the load.* cases say what is wrong
  std::istringstream all(told.text);
  for (std::string one; std::getline(all, one, after);) {
    const std::size_t cut = one.find(between);
    if (cut != std::string::npos) known[one.substr(0, cut)] = one.substr(cut + 1);
  }
  return known;
}

Outcome weighed(const KnownFailures& known, const std::string& name, Outcome outcome) {
  const auto at = known.find(name);
  if (at == known.end()) return outcome;
  if (failed(outcome.result)) {
    outcome.text = "known to fail, for " + at->second + ": " + name_of(outcome.result) + " " + outcome.text;
    outcome.result = Result::warn;
  } else if (outcome.result == Result::pass) {
    outcome.text = "it is declared as known to fail, for " + at->second + ", and passes: take it off the list";
    outcome.result = Result::warn;
  }
  return outcome;
}

}  // namespace lumarch::conform
