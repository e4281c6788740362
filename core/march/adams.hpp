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
    return ready() ? most_growth * last_ : std::numeric_limits<double>::infinity();
  }
  // Before an attempt over h: whether it is one of erk43's.
  bool starts(double h) {
    if (ready() && h > most_growth * last_ * (1 + 1e-12)) known_ = 0;
    return !ready();
  }
  void accept(double h) {
    before_ = last_;
    last_ = h;
    refused_ = 0;
    if (known_ < 2) ++known_;
  }
  void reject() {
    if (++refused_ == 2) known_ = 0;
  }
  [[nodiscard]] AdamsWeights weights(double h) const { return adams_weights(h, last_, before_); }

private:
  [[nodiscard]] bool ready() const { return known_ == 2; }
  int known_ = 0, refused_ = 0;  // steps since it began, up to 2; refusals since the last step
  double last_ = 0, before_ = 0;
};

}  // namespace lumarch
