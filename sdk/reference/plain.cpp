// SPDX-License-Identifier: Apache-2.0
#include "plain.hpp"

#include <algorithm>
#include <vector>

namespace lumarch::reference {

const FftPlan& plan_of(const sdk::Call& call, std::uint32_t i, int kind, int direction, std::int64_t n) {
  const auto* plan = std::get_if<FftPlan>(&call.plan(i)->what);
  if (!plan) throw sdk::Fault(LM_E_ARG, "plan " + std::to_string(i) + " is no transform");
  const lm_fft_desc& d = plan->desc;
  if (d.kind != kind || d.direction != direction || d.n != n || d.in_place)
    throw sdk::Fault(LM_E_ARG, "plan " + std::to_string(i) + " is of another kind, direction, placement or length");
  return *plan;
}

void r2c(const FftPlan& plan, const double* in, Complex* out) {
  std::vector<Complex> row(in, in + plan.desc.n);
  plan.fft.transform(row.data(), row.data());
  std::copy_n(row.begin(), plan.desc.n / 2 + 1, out);
}

void c2r(const FftPlan& plan, const Complex* in, double* out) {
  const std::int64_t n = plan.desc.n, half = n / 2 + 1;
  std::vector<Complex> row(static_cast<std::size_t>(n));
  for (std::int64_t k = 0; k < n; ++k) row[static_cast<std::size_t>(k)] = k < half ? in[k] : std::conj(in[n - k]);
  row[0] = row[0].real();
  if (n % 2 == 0) row[static_cast<std::size_t>(n / 2)] = row[static_cast<std::size_t>(n / 2)].real();
  plan.fft.transform(row.data(), row.data());
  for (std::int64_t k = 0; k < n; ++k) out[k] = row[static_cast<std::size_t>(k)].real();
}

}  // namespace lumarch::reference
