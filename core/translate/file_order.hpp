// SPDX-License-Identifier: Apache-2.0
// The rows of a uppe state in the order of a file, where k rises.
#pragma once

#include "translate/stored_field.hpp"
#include "translate/uppe.hpp"

namespace lumarch {

// take(first sample of the row in a state, what the file's value is over the state's at this node), row by row.
template <class Take>
void for_each_file_row(const UppeTables& tables, const Take& take) {
  const bool fourier = tables.transverse && tables.transverse->fourier();
  for (std::int64_t component = 0; component < tables.components; ++component)
    for (std::int64_t v = 0; v < tables.outer; ++v)
      for (std::int64_t u = 0; u < tables.inner; ++u) {
        const std::int64_t y = fourier ? Transverse::rising(v, tables.outer) : v;
        const std::int64_t x = fourier ? Transverse::rising(u, tables.inner) : u;
        take(tables.at(component * tables.outer + y, x, 0),
             tables.transverse ? file_factor(*tables.transverse, y, x) : Complex(1));
      }
}

}  // namespace lumarch
