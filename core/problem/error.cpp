// SPDX-License-Identifier: Apache-2.0
#include <lumarch/error.hpp>

namespace lumarch {

namespace {

std::string one_line_each(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    if (!text.empty()) text += '\n';
    text += (finding.pointer.empty() ? "(whole file)" : finding.pointer) + ": " + finding.text;
  }
  return text;
}

}  // namespace

ProblemError::ProblemError(std::vector<Finding> findings)
    : Error(Fault::problem, one_line_each(findings)), findings_(std::move(findings)) {}

}  // namespace lumarch
