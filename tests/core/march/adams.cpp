#include <doctest/doctest.h>

#include <cmath>

#include "march/adams.hpp"

using namespace lumarch;

TEST_CASE("adams: on equal steps the weights are the ones of every textbook") {
  const AdamsWeights w = adams_weights(0.3, 0.3, 0.3);
  const double predict[] = {23.0 / 12, -16.0 / 12, 5.0 / 12};
  const double correct[] = {9.0 / 24, 19.0 / 24, -5.0 / 24, 1.0 / 24};
  const double lower[] = {5.0 / 12, 8.0 / 12, -1.0 / 12, 0};
  for (std::size_t j = 0; j < 3; ++j) CHECK(w.predict[j] == doctest::Approx(predict[j]).epsilon(1e-14));
  for (std::size_t j = 0; j < 4; ++j) {
    CHECK(w.correct[j] == doctest::Approx(correct[j]).epsilon(1e-14));
    CHECK(w.error[j] == doctest::Approx(correct[j] - lower[j]).epsilon(1e-14));
  }
}

TEST_CASE("adams: on unequal steps the formulas are exact for polynomials of their order") {
  const double h = 0.4, last = 0.25, before = 0.7;
  const double at[] = {h, 0, -last, -last - before};
  const AdamsWeights w = adams_weights(h, last, before);
  for (int power = 0; power < 4; ++power) {
    const double exact = std::pow(h, power + 1) / (power + 1);
    double predicted = 0, corrected = 0, error = 0;
    for (std::size_t j = 0; j < 3; ++j) predicted += h * w.predict[j] * std::pow(at[j + 1], power);
    for (std::size_t j = 0; j < 4; ++j) corrected += h * w.correct[j] * std::pow(at[j], power);
    for (std::size_t j = 0; j < 4; ++j) error += h * w.error[j] * std::pow(at[j], power);
    CHECK(corrected == doctest::Approx(exact).epsilon(1e-13));
    if (power < 3) {
      CHECK(predicted == doctest::Approx(exact).epsilon(1e-13));
      CHECK(std::abs(error) < 1e-15);
    } else {
      CHECK(std::abs(predicted - exact) > 1e-3);
      CHECK(std::abs(error) > 1e-3);
    }
  }
}

TEST_CASE("adams: two steps to begin with, and again after a leap or two refusals") {
  AdamsHistory history;
  CHECK(std::isinf(history.longest_step()));
  CHECK(history.starts(1));
  history.accept(1);
  CHECK(history.starts(1));
  history.accept(1);
  CHECK_FALSE(history.starts(2));
  CHECK(history.longest_step() == 2);
  history.reject();
  CHECK_FALSE(history.starts(0.5));
  history.accept(0.5);
  history.reject();
  CHECK_FALSE(history.starts(0.25));
  history.reject();
  CHECK(history.starts(0.125));
  history.accept(0.125);
  history.accept(0.125);
  CHECK_FALSE(history.starts(0.25));
  CHECK(history.starts(0.26));
  CHECK(history.starts(0.01));  // it stays so until two steps are made
}
