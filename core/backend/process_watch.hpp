// SPDX-License-Identifier: Apache-2.0
// What a plugin must leave as it found it: floating-point control, locale, and silence on stdout and stderr.
#pragma once

#include <cfenv>
#include <cstdint>
#include <string>

namespace lumarch {

// Put around a call into a plugin. What was changed is put back, by finish() or at the latest by the destructor.
// Catching the output moves the process' descriptors 1 and 2 away for as long: keep it short.
class ProcessWatch {
public:
  enum class Output { let_through, caught };
  explicit ProcessWatch(Output output);
  ProcessWatch(const ProcessWatch&) = delete;
  ProcessWatch& operator=(const ProcessWatch&) = delete;
  ~ProcessWatch();

  // What the plugin changed or printed, as a clause with a remedy; empty where it behaved.
  [[nodiscard]] std::string finish();

private:
  // A descriptor of the process that points to a memory file for a while.
  struct Caught {
    int target = -1, saved = -1, memory = -1;
    void begin(int fd);
    std::string end();  // what was written
  };

  std::fenv_t environment_{};
  std::uint64_t control_ = 0;
  std::string locale_;
  Caught out_, err_;
  bool done_ = false;
};

}  // namespace lumarch
