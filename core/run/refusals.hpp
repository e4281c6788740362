// SPDX-License-Identifier: Apache-2.0
// Where along z a march had its attempts refused, for a word about it: a refusal now and then is how steps are found,
// one after the other is work for nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <lumarch/sink.hpp>

namespace lumarch {

class Refusals {
public:
  explicit Refusals(double length) : part_(length / double(parts)) {}

  void count(const AttemptRecord& record) {
    Part& part = of_[static_cast<std::size_t>(std::clamp(record.z / part_, 0.0, double(parts) - 1))];
    record.accepted ? ++part.accepted : ++part.refused;
    if (!record.accepted) part.least = part.least > 0 ? std::min(part.least, record.h) : record.h;
  }

  static constexpr std::size_t parts = 20;
  struct Part {
    std::int64_t accepted = 0, refused = 0;
    double least = 0;  // m: the shortest step that was refused
  };
  using Parts = std::array<Part, parts>;
  [[nodiscard]] const Parts& state() const { return of_; }
  void restore(const Parts& state) { of_ = state; }

  // A warning where a third of the attempts in a twentieth of the length were refused, about the worst of them.
  void warn(std::vector<std::string>& warnings) const {
    const auto worst =
        std::max_element(of_.begin(), of_.end(), [](const Part& a, const Part& b) { return a.refused < b.refused; });
    if (worst->refused < 10 || 2 * worst->refused < worst->accepted) return;
    const double from = part_ * static_cast<double>(worst - of_.begin());
    char text[400];
    std::snprintf(
        text, sizeof text,
        "%lld of %lld attempts between z = %.4g and %.4g m were refused, down to steps of %.3g m: something "
        "changes there at once, so that the step before says nothing (a jump of the medium, a response that is "
        "not smooth); a smaller /march/max_step saves most of them",
        static_cast<long long>(worst->refused), static_cast<long long>(worst->refused + worst->accepted), from,
        from + part_, worst->least);
    warnings.emplace_back(text);
  }

private:
  double part_;
  Parts of_{};
};

}  // namespace lumarch
