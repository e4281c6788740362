// SPDX-License-Identifier: Apache-2.0
// Adams' formulas for steps of any lengths, and when they may be used.
#pragma once

#include <array>
#include <limits>

namespace lumarch {

// Of h times a right-hand side. `correct` and `error` begin with that of the predicted field; then come those at the
// step's start, one step before and two steps before.
struct AdamsWeights {
  std::array<double, 3> predict{};  // order 3
  std::array<double, 4> correct{};  // order 4
  std::array<double, 4> error{};    // what the corrected field is above a corrector of order 3
};

// For a step of h after one of `last` and one of `before`, all above 0.
[[nodiscard]] AdamsWeights adams_weights(double h, double last, double before);

// What a member has behind it. It begins anew, by two steps of erk43, where a step is more than twice as long as the
// one before, for the weights grow with the square of that, and after two refusals of a step: what lies behind is then
// no guide to what comes, as at a place where the medium changes at once.
class AdamsHistory {
public:
  static constexpr double most_growth = 2;

  [[nodiscard]] double longest_step() const {
    return ready() ? most_growth * values_.last : std::numeric_limits<double>::infinity();
  }
  // Before an attempt over h: whether it is one of erk43's.
  bool starts(double h) {
    if (ready() && h > most_growth * values_.last * (1 + 1e-12)) values_.known = 0;
    return !ready();
  }
  void accept(double h) {
    values_.before = values_.last;
    values_.last = h;
    values_.refused = 0;
    if (values_.known < 2) ++values_.known;
  }
  void reject() {
    if (++values_.refused == 2) values_.known = 0;
  }
  [[nodiscard]] AdamsWeights weights(double h) const { return adams_weights(h, values_.last, values_.before); }

  struct Values {
    int known = 0, refused = 0;  // steps since it began, up to 2; refusals since the last step
    double last = 0, before = 0;
  };
  AdamsHistory() = default;
  explicit AdamsHistory(const Values& values) : values_(values) {}
  [[nodiscard]] const Values& values() const { return values_; }

private:
  [[nodiscard]] bool ready() const { return values_.known == 2; }
  Values values_;
};

}  // namespace lumarch
