// SPDX-License-Identifier: Apache-2.0
// core.lincomb 2 and reduce.error 2 in host memory: each member's factors go into the coefficients, and the first
// version does the rest.
#pragma once

#include <lumarch/sdk/checks.hpp>
#include <lumarch/sdk/host_device.hpp>

namespace lumarch::sdk {

template <class Device>
lm_status scaled_sum(Device* device, const lm_call* raw, lm_kernel_fn plain) noexcept {
  lm_status status = LM_OK;
  const auto members_one_by_one = [&](const Call& call) {
    const lm_p_combine& given = scaled_combination(call);
    lm_p_combine p = given;
    p.struct_size = sizeof p;
    lm_members one = copy_of(*raw->members);
    lm_call inner = *raw;
    inner.members = &one;
    inner.params = &p;
    inner.params_size = sizeof p;
    one.n_active = 1;
    for (std::uint32_t i = 0; i < raw->members->n_active && status == LM_OK; ++i) {
      one.first = raw->members->first + i;
      Call(device, &inner).for_each_member([&](const RowIndex& at) {
        for (std::uint32_t j = 0; j < p.n; ++j) {
          p.term[j].c = given.term[j].c * call.scale_of(at.member, static_cast<std::uint32_t>(given.term[j].level));
          p.term[j].level = 0;
        }
        status = plain(device, &inner);  // its words, if any, are the device's
      });
    }
  };
  const lm_status checked = host_kernel(device, raw, members_one_by_one);
  return checked == LM_OK ? status : checked;
}

}  // namespace lumarch::sdk
