// SPDX-License-Identifier: Apache-2.0
// Which nodes an aperture lets through, its edge included (physics.md, 9).
#pragma once

#include <lumarch/problem.hpp>

#include "march/readings.hpp"
#include "translate/transverse.hpp"

namespace lumarch {

// In double, each product and each sum rounded by itself: a node on the edge falls on the same side wherever this is
// compiled, and as it is asked on the host, once, also on every device.
[[nodiscard]] bool passes(const Aperture& aperture, double x, double y);

// Over the nodes of a state: of far fields in k, of near fields in space.
[[nodiscard]] NodeMask mask_of(const Aperture& aperture, const Transverse& nodes);

}  // namespace lumarch
