// SPDX-License-Identifier: Apache-2.0
// What is printed, and what goes into the JSON file.
#pragma once

#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "isolate.hpp"

namespace lumarch::conform {

class Report {
public:
  explicit Report(const Arguments& arguments);
  void add(const std::string& name, const Outcome& outcome);
  [[nodiscard]] int finish();  // the exit status

private:
  const Arguments& arguments_;
  nlohmann::ordered_json cases_ = nlohmann::ordered_json::array();
  int count_[6] = {};
};

}  // namespace lumarch::conform
