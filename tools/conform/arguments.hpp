// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <regex>
#include <string>
#include <vector>

namespace lumarch::conform {

struct Arguments {
  explicit Arguments(const std::vector<std::string>& words);  // throws where they are wrong
  [[nodiscard]] static const char* usage();
  [[nodiscard]] bool takes(const std::string& name) const;

  std::string plugin, backend_name;  // absolute path; the NAME of liblumarch_backend_NAME.so
  std::string only = ".*", json;
  std::uint64_t seed = 1;
  int limit = 0;  // seconds a case in place of its own limit
  bool list = false, thorough = false, help = false, here = false;

private:
  std::regex pattern_;
};

}  // namespace lumarch::conform
