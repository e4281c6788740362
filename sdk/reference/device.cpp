// SPDX-License-Identifier: Apache-2.0
#include "device.hpp"

#include <cstdio>

namespace lumarch::reference {

namespace {

struct Own {
  using Device = lm_device;

  static std::string missing() { return {}; }

  static void describe(lm_device_info& info) {
    info.caps = LM_CAP_FP64 | LM_CAP_HOST_MEMORY | LM_CAP_REPRODUCIBLE;
    std::snprintf(info.name, sizeof(info.name), "plain C++, one thread");
    std::snprintf(info.id, sizeof(info.id), "reference:0");
  }

  static std::unique_ptr<lm_device> open(const lm_host*, const std::vector<sdk::Option>& options) {
    for (const auto& [key, value] : options) {
      if (key == "threads" && (value == "0" || value == "1")) continue;
      throw sdk::Fault(LM_E_ARG,
                       "the reference backend runs on one thread and has no plans to choose: it does not take " + key +
                           " = " + value);
    }
    return std::make_unique<lm_device>();
  }

  static std::unique_ptr<lm_plan> plan_fft(lm_device&, const lm_fft_desc& desc, std::uint64_t&) {
    return std::make_unique<lm_plan>(lm_plan{FftPlan{desc, Fft(static_cast<std::size_t>(desc.n), desc.direction)}});
  }

  static std::unique_ptr<lm_plan> plan_propagator(lm_device&, const lm_propagator_desc& desc, std::uint64_t&) {
    return std::make_unique<lm_plan>(lm_plan{PropagatorPlan{desc}});
  }
};

}  // namespace

const lm_device_api device_api = sdk::host_device_api<Own>();

}  // namespace lumarch::reference
