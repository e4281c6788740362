// SPDX-License-Identifier: Apache-2.0
// What a case may say: it returns (pass) or throws one of these.
#pragma once

#include <stdexcept>
#include <string>

namespace lumarch::conform {

enum class Result { pass, fail, crash, timeout, skip, warn };

[[nodiscard]] inline const char* name_of(Result result) {
  constexpr const char* names[] = {"pass", "FAIL", "CRASH", "TIMEOUT", "skip", "warn"};
  return names[static_cast<int>(result)];
}

struct Failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct Skipped : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct Warned : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void expect(bool good, const std::string& otherwise) {
  if (!good) throw Failed(otherwise);
}

}  // namespace lumarch::conform
