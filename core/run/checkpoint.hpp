// SPDX-License-Identifier: Apache-2.0
// What a run keeps of itself so that another process goes on with the same bits, and when it does.
#pragma once

#include <lumarch/error.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "march/march.hpp"
#include "run/edge_check.hpp"
#include "run/refusals.hpp"

namespace lumarch {

// All but the stepper's rows.
struct RunState {
  MemberState member;
  std::uint64_t march = 0;        // march_digest()
  std::uint64_t fingerprint = 0;  // of a right-hand side, Stepper::fingerprint
  bool fused = true;
  std::string kernels;                  // JSON, as in the provenance
  std::size_t attempts = 0, edges = 0;  // rows of /march and /edge that are there
  double accepted2 = 0;                 // sum abs(S)^2 of the state
  RimCheck::State rims;
  Refusals::Parts refusals{};
  std::vector<std::string> warnings;  // of the plane reader
};

// JSON that gives every bit back. from_text() throws Error(Fault::problem) where it is not what to_text() made.
[[nodiscard]] std::string to_text(const RunState& state);
[[nodiscard]] RunState from_text(const std::string& text);

// Over the numbers that steps, planes and looks follow from. A program may have changed a problem after its text was
// read, and the text alone is in the file.
[[nodiscard]] std::uint64_t march_digest(const MarchOptions& options);

[[nodiscard]] std::string kernels_json(const std::vector<KernelUse>& kernels);

// Rows of a checkpoint of a run into a sink that keeps them, 0 where none are to be kept.
[[nodiscard]] std::size_t checkpoint_rows(const Problem& problem, const Sink& sink);

// Where a run goes on.
struct Resumption {
  RunState state;
  std::function<std::vector<Complex>(std::size_t row)> row;
};

class OtherBits : public Error {
public:
  using Error::Error;
};

// Puts a new stepper where the run was. Throws OtherBits (Fault::problem) where the march is another, or its kernels
// are others, or give other bits.
void restore(Stepper& stepper, const MarchOptions& options, const Resumption& from);

// When a checkpoint is due: at a plane where the last one is some seconds old, at any step after `every`, and at a
// stop; but never so often that keeping them takes more than a twentieth of the time.
class CheckpointClock {
public:
  explicit CheckpointClock(std::optional<double> every) : every_(every) {}
  void plane() { plane_ = true; }
  [[nodiscard]] bool due(bool stopped) const;
  template <class Work>
  void keep(const Work& work) {
    const auto start = Clock::now();
    work();
    last_ = Clock::now();
    cost_ = std::chrono::duration<double>(last_ - start).count();
    plane_ = false;
  }

private:
  using Clock = std::chrono::steady_clock;
  std::optional<double> every_;  // none: never
  Clock::time_point last_ = Clock::now();
  double cost_ = 0;
  bool plane_ = false;  // one was passed since the last checkpoint
};

}  // namespace lumarch
