// SPDX-License-Identifier: Apache-2.0
// Which of the compiled variants runs here.
#include <cstdlib>
#include <string>

#include <lumarch/sdk/fault.hpp>

#include "rows.hpp"

namespace lumarch::cpu {

#if defined(__x86_64__)
namespace v2 {
extern const RowFunctions table;
}
namespace v3 {
extern const RowFunctions table;
}
namespace v4 {
extern const RowFunctions table;
}
namespace {
struct Variant {
  const RowFunctions* rows;
  bool here;
};
}  // namespace

const RowFunctions& choose_rows() {
  __builtin_cpu_init();
  const bool v2 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
  const bool v3 = v2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  const Variant variants[] = {{&v4::table, v4}, {&v3::table, v3}, {&v2::table, v2}};
#else
namespace generic {
extern const RowFunctions table;
}
namespace {
struct Variant {
  const RowFunctions* rows;
  bool here;
};
}  // namespace

const RowFunctions& choose_rows() {
  const Variant variants[] = {{&generic::table, true}};
#endif
  const char* wanted = std::getenv("LUMARCH_CPU_VARIANT");
  if (!wanted || !*wanted) {
    for (const Variant& variant : variants)
      if (variant.here) return *variant.rows;
    throw sdk::Fault(LM_E_NO_DEVICE, "this build needs a processor with SSE4.2 (x86-64-v2)");
  }
  std::string known;
  for (const Variant& variant : variants) {
    known += known.empty() ? variant.rows->level : std::string(", ") + variant.rows->level;
    if (std::string(wanted) != variant.rows->level) continue;
    if (variant.here) return *variant.rows;
    throw sdk::Fault(LM_E_ARG,
                     std::string("LUMARCH_CPU_VARIANT=") + wanted + ": this processor has no " + variant.rows->name);
  }
  throw sdk::Fault(LM_E_ARG, std::string("LUMARCH_CPU_VARIANT=") + wanted + " is none of " + known);
}

}  // namespace lumarch::cpu
