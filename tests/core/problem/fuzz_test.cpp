// SPDX-License-Identifier: Apache-2.0
// Broken copies of the examples: whatever comes out is a problem or a ProblemError.
#include <doctest/doctest.h>

#include <random>

#include <lumarch/examples.hpp>

#include "support.hpp"

using namespace lumarch;

namespace {

constexpr int kRounds = 1500;

std::string mutated(std::string text, std::mt19937_64& random) {
  static const std::vector<std::string> scraps{"\"", "{",   "}",     "[", "]",       ",",    ":",    "//",
                                               "/*", "nan", "1e999", "-", "\\",      "null", "\xff", "1e-320",
                                               "0",  "/",   "^",     "(", "\"1 m\"", "1.5",  "true"};
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (std::size_t edits = 1 + below(4); edits > 0 && !text.empty(); --edits) {
    const std::size_t at = below(text.size());
    switch (below(6)) {
      case 0:
        text[at] = static_cast<char>(text[at] ^ static_cast<char>(1U << below(8)));
        break;
      case 1:
        text.resize(at);
        break;
      case 2:
        text.erase(at, 1 + below(20));
        break;
      case 3:
        text.insert(at, scraps[below(scraps.size())]);
        break;
      case 4:
        text.insert(at, text.substr(below(text.size()), below(60)));
        break;
      default:
        text[at] = static_cast<char>(below(256));
        break;
    }
  }
  return text;
}

}  // namespace

TEST_CASE("fuzz: a broken file gives a ProblemError or a problem, never anything else") {
  const std::uint64_t seed = std::random_device{}();
  MESSAGE("seed ", seed);
  std::mt19937_64 random(seed);
  std::vector<std::string> texts{support::kCapillary, support::kBeam};
  for (const std::string& name : example_names()) texts.push_back(example_text(name));
  for (int round = 0; round < kRounds; ++round) {
    const std::string text = mutated(texts[static_cast<std::size_t>(round) % texts.size()], random);
    INFO("seed ", seed, ", round ", round, "\n", text);
    try {
      const Problem problem = parse_problem(text, {}, "/nonexistent");
      CHECK(problem.digest.size() == 64);
    } catch (const ProblemError& error) {
      CHECK_FALSE(error.findings().empty());
    } catch (...) {
      FAIL_CHECK("something else was thrown");
    }
  }
}
