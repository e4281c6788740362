// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <lumarch/error.hpp>

namespace lumarch {

// Does a task about a file; what it throws names the file.
template <typename Task>
void named_errors(const std::string& path, Task task) {
  try {
    task();
  } catch (const Error& failure) {
    const std::string text = failure.what();
    throw Error(failure.fault(), text.find(path) == std::string::npos ? path + ": " + text : text);
  }
}

}  // namespace lumarch
