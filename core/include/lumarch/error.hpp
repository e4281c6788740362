// SPDX-License-Identifier: Apache-2.0
// What can go wrong, by who has to act on it. The values are the exit states of the command line.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace lumarch {

enum class Fault : int {
  problem = 2,  // the command or the problem file is wrong
  refused = 3,  // memory, boundary, no such backend
  numbers = 4,  // non-finite field, step below its minimum
  backend = 5,  // a backend failed
  output = 6,   // a file could not be written
};

class Error : public std::runtime_error {
public:
  Error(Fault fault, const std::string& text) : std::runtime_error(text), fault_(fault) {}
  [[nodiscard]] Fault fault() const noexcept { return fault_; }

private:
  Fault fault_;
};

// One thing that is wrong with a problem, at a JSON pointer ("" is the whole file).
struct Finding {
  std::string pointer;
  std::string text;
};

// All that is wrong with a problem, reported together. what() has one line a finding.
class ProblemError : public Error {
public:
  explicit ProblemError(std::vector<Finding> findings);
  [[nodiscard]] const std::vector<Finding>& findings() const noexcept { return findings_; }

private:
  std::vector<Finding> findings_;
};

}  // namespace lumarch
