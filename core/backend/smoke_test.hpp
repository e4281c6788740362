// SPDX-License-Identifier: Apache-2.0
// Does a device that was just opened calculate at all?
#pragma once

#include <string>

#include "backend/plugin.hpp"

namespace lumarch {

// core.lincomb on eight numbers whose result is exact, so that every right device has the same bits: a driver, a build
// or a card that computes nonsense shows here and not in a result. Empty, or the reason not to use the device.
[[nodiscard]] std::string smoke_test(const LoadedBackend& backend, lm_device* device);

}  // namespace lumarch
