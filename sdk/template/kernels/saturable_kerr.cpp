// SPDX-License-Identifier: Apache-2.0
// P (+)= c |A|^2 A/(1 + |A|^2/P_sat): Kerr's response that saturates. Where |A|^2 is P_sat, it is half of what it would
// be.
#include <limits>

#include <lumarch/sdk/call.hpp>

#include "kernels.hpp"

namespace example {

namespace {

using lumarch::sdk::Call;
using lumarch::sdk::Complex;
using lumarch::sdk::Fault;
using lumarch::sdk::RowIndex;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double must_be_given = std::numeric_limits<double>::quiet_NaN();

// In the order in which the kernel gets their values.
enum Parameter { saturation_power, n2_factor, count };
constexpr lm_parameter_info parameters[count] = {
    {sizeof(lm_parameter_info), 0, "saturation_power", "W", must_be_given, 1e-6, infinity,
     "the power at which the response is half of Kerr's"},
    {sizeof(lm_parameter_info), 0, "n2_factor", "1", 1, -infinity, infinity,
     "c: 1 is Kerr's response for small powers"},
};

}  // namespace

constexpr lm_response_info saturable_kerr_info = {
    sizeof(lm_response_info),     count, "response.org.example.saturable_kerr", 1, 0, parameters,
    "c |A|^2 A/(1 + |A|^2/P_sat)"};

// This plugin has no device to leave words with: what it can say is its status.
lm_status saturable_kerr(lm_device* device, const lm_call* raw) noexcept {
  return lumarch::sdk::fence([](const char*) {},
                             [&] {
                               const Call call(device, raw);
                               const auto& p = call.params<lm_p_own_response>();
                               if (p.flags & ~std::uint32_t{LM_RESPONSE_ACCUMULATE})
                                 throw Fault(LM_E_UNSUPPORTED, "unknown flags");
                               if (p.n != count || !p.values)
                                 throw Fault(LM_E_ARG, "not the parameters that were described");
                               const bool add = p.flags & LM_RESPONSE_ACCUMULATE;
                               const double c = p.values[n2_factor], saturation = p.values[saturation_power];
                               const auto A = call.rows<Complex>(0), P = call.rows<Complex>(1, A.samples);
                               call.for_each_row(1, [&](const RowIndex& at) {
                                 const Complex* a = A(at);
                                 Complex* out = P(at);
                                 for (std::int64_t s = 0; s < A.samples; ++s) {
                                   const double power = a[s].real() * a[s].real() + a[s].imag() * a[s].imag();
                                   const Complex value = c * power / (1 + power / saturation) * a[s];
                                   out[s] = add ? out[s] + value : value;
                                 }
                               });
                             });
}

}  // namespace example
