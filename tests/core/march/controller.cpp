#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "march/controller.hpp"

using namespace lumarch;

TEST_CASE("erk43: h_new = h min(2, max(0.5, 0.9 err^(-1/4))), accepted up to 1") {
  const auto at = [](double err) { return decide(Integrator::erk43, err, 0); };
  CHECK(at(1).accept);
  CHECK_FALSE(at(1.0000001).accept);
  CHECK(at(1).factor == doctest::Approx(0.9));
  CHECK(at(0.0625).factor == doctest::Approx(1.8));
  CHECK(at(1e-12).factor == 2);
  CHECK(at(16).factor == doctest::Approx(0.5));  // 0.45, and 0.5 at the least
  CHECK(at(2).factor == doctest::Approx(0.9 * std::pow(2, -0.25)));
  CHECK(at(0).accept);
  CHECK(at(0).factor == 2);
}

TEST_CASE("the other estimates of a third-order companion are used as erk43's is") {
  for (const double err : {0.0, 1e-12, 0.0625, 1.0, 2.0, 16.0}) {
    const StepDecision b = decide(Integrator::erk43, err, 0);
    for (const Integrator integrator : {Integrator::low_storage, Integrator::adams}) {
      const StepDecision a = decide(integrator, err, 0.3);
      CHECK(a.accept == b.accept);
      CHECK(a.factor == b.factor);
    }
  }
}

TEST_CASE("dp54: proportional-integral control, and a fifth root on rejection") {
  const auto at = [](double err, double last) { return decide(Integrator::dp54, err, last); };
  CHECK(at(0.8, 0.8).factor == doctest::Approx(0.9));
  CHECK(at(0.4, 0.8).factor == doctest::Approx(0.9 * std::pow(2, 3.0 / 25)));
  CHECK(at(0.8, 0.4).factor == doctest::Approx(0.9 * std::pow(2, -1.0 / 25)));
  CHECK(at(32, 0.8).factor == doctest::Approx(0.45));
  CHECK(at(1e12, 0.8).factor == doctest::Approx(0.1));
  CHECK_FALSE(at(1.1, 0.8).accept);
  CHECK(at(0, 0.8).factor == 1.5);
}

TEST_CASE("what is not finite halves the step") {
  for (const Integrator i : {Integrator::erk43, Integrator::dp54, Integrator::low_storage, Integrator::adams})
    for (const double err : {std::nan(""), std::numeric_limits<double>::infinity()}) {
      CHECK_FALSE(decide(i, err, 0.5).accept);
      CHECK(decide(i, err, 0.5).factor == 0.5);
    }
}

TEST_CASE("the error is relative to the larger field, and to a trace of the launch where none is left") {
  CHECK(relative_error(1e-14, 4, 9, 4, 1e-7) == doctest::Approx(1 / 3.0));
  CHECK(relative_error(1e-14, 9, 4, 4, 1e-7) == doctest::Approx(1 / 3.0));
  CHECK(relative_error(1e-38, 0, 0, 1, 1e-7) == doctest::Approx(1));  // 1e-12 of the launch
  CHECK(relative_error(0, 0, 0, 0, 1e-7) == 0);
  CHECK(std::isinf(relative_error(std::nan(""), 1, 1, 1, 1e-7)));
  CHECK(std::isinf(relative_error(0, 1, std::nan(""), 1, 1e-7)));
}
