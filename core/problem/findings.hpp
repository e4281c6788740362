// SPDX-License-Identifier: Apache-2.0
// What reading a problem collects: findings, and the digest of the files that the problem names.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <lumarch/error.hpp>

namespace lumarch::problem {

// A hostile file could have millions of mistakes; nobody reads more than these.
inline constexpr std::size_t kMostFindings = 100;

class Context {
public:
  explicit Context(std::filesystem::path start) : folder(std::move(start)) {}

  void add(std::string pointer, std::string text) {
    if (findings_.size() < kMostFindings) findings_.push_back({std::move(pointer), std::move(text)});
    ++count_;
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] bool clean() const { return count_ == 0; }

  // Throws ProblemError where anything was found.
  void raise() const {
    if (clean()) return;
    auto all = findings_;
    if (count_ > all.size()) {
      all.push_back({"", "and " + std::to_string(count_ - all.size()) + " more findings that are not shown"});
    }
    throw ProblemError(std::move(all));
  }

  std::filesystem::path folder;
  std::vector<std::pair<std::string, std::string>> files;  // name as written, sha256 of what it holds

private:
  std::vector<Finding> findings_;
  std::size_t count_ = 0;
};

}  // namespace lumarch::problem
