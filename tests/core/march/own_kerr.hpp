// SPDX-License-Identifier: Apache-2.0
// A plugin's response that is Kerr's by another way, on a backend of the tests.
#pragma once

#include <limits>

#include "backend/plugin.hpp"
#include "fibre.hpp"
#include "march/own_response.hpp"

#include <lumarch/sdk/call.hpp>

namespace lumarch::test {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline const char* const own_kerr = "response.org.example.own_kerr";

// P (+)= c |A|^2 A with c the first of two values: what core's own Kerr response is, by another way.
inline lm_status kerr_by_name(lm_device* device, const lm_call* raw) noexcept {
  return sdk::fence([](const char*) {},
                    [&] {
                      const sdk::Call call(device, raw);
                      const auto& p = call.params<lm_p_own_response>();
                      if (p.n != 2 || p.values[1] != 32e-15 || call.n_views() != 2 || raw->n_plans != 0)
                        throw sdk::Fault(LM_E_ARG, "not what was described");
                      const auto A = call.rows<Complex>(0), P = call.rows<Complex>(1, A.samples);
                      call.for_each_row(1, [&](const sdk::RowIndex& at) {
                        for (std::int64_t s = 0; s < A.samples; ++s) {
                          const Complex value = p.values[0] * std::norm(A(at)[s]) * A(at)[s];
                          P(at)[s] = p.flags & LM_RESPONSE_ACCUMULATE ? P(at)[s] + value : value;
                        }
                      });
                    });
}

// The backend of the tests, and one response more.
inline LoadedBackend with_own(const std::string& name) {
  LoadedBackend backend = load_backend(name, {{LUMARCH_BACKEND_DIR}, {}});
  const KernelTable::Key key{own_kerr, 3};
  backend.table.kernels[key] = {&kerr_by_name, "/somewhere/liblumarch_kernels_own.so"};
  backend.table.responses[key] = {
      own_kerr, 3, "", {{"factor", "1", std::nullopt, -2, 2, ""}, {"delay", "fs", 32.0, 0, infinity, ""}}};
  return backend;
}

inline PluginResponse own(double factor) {
  PluginResponse response;
  response.name = own_kerr;
  response.parameters["factor"] = {factor, std::nullopt, "/responses/0/factor"};
  return response;
}

}  // namespace lumarch::test
