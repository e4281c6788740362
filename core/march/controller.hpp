// SPDX-License-Identifier: Apache-2.0
// Step control as one pure function (physics.md, 11).
#pragma once

#include <lumarch/problem.hpp>

namespace lumarch {

struct StepDecision {
  bool accept = false;
  double factor = 1;  // the next h over this one
};

// err: relative to the tolerance; not finite counts as a failed attempt. err_last: of the last accepted attempt, or
// what is <= 0 before there was one.
[[nodiscard]] StepDecision decide(Integrator integrator, double err, double err_last);

// err of an attempt: the 2-norm of the error over tolerance times the largest of the field's norms before and after it
// and 1e-12 of the launched one, so that scaling the power changes nothing. Squares in.
[[nodiscard]] double relative_error(double error2, double before2, double after2, double launch2, double tolerance);

}  // namespace lumarch
