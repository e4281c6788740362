// SPDX-License-Identifier: Apache-2.0
// What `lumarch check` prints of a uppe problem.
#pragma once

#include <string>

#include <lumarch/backends.hpp>
#include <lumarch/problem.hpp>

namespace lumarch {

[[nodiscard]] std::string describe_uppe(const Problem& problem, const BackendSearch& search);

}  // namespace lumarch
