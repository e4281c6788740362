// SPDX-License-Identifier: Apache-2.0
// The kernels of docs/kernels.md, as lumarch/launch/ makes them for every device of this kind.
#include "device.hpp"

#include <lumarch/launch/table.hpp>

namespace lumarch::emulated {

lm_status register_kernels(const lm_host*, const lm_registrar* to) noexcept {
  if (!to || to->struct_size < sizeof(lm_registrar)) return LM_E_ARG;
  return launch::register_kernels<Emulated>(*to);
}

}  // namespace lumarch::emulated
