// SPDX-License-Identifier: Apache-2.0
// The one exported constant.
#include <fftw3.h>
#include <oneapi/tbb/version.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "counters.h"
#include "device.hpp"
#include "plugin_sources.hpp"

namespace lumarch::cpu {
namespace {

#if defined(__clang__)
#define LUMARCH_COMPILER "clang " __clang_version__
#else
#define LUMARCH_COMPILER "g++ " __VERSION__
#endif

// What we were compiled with; the libraries that were found are added when this library is loaded, for FFTW's version
// text names the instruction sets of its codelets, which decide its speed.
char build[400] = LUMARCH_COMPILER "; rows for " LUMARCH_CPU_LEVELS;
const bool completed = [] {
  const std::string compiled = build;
  std::snprintf(
      build, sizeof build,
      "%s; transforms of 2^a 3^b 5^c 7^d up to 2^20: own, others: %s (GPL); oneTBB %s; sources " LUMARCH_PLUGIN_SOURCES,
      compiled.c_str(), fftw_version, TBB_runtime_version());
  return true;
}();

// Where a failure has no one to tell.
void quiet(const char*) noexcept {}

lm_status register_all(const lm_host*, const lm_registrar* registrar) noexcept {
  if (!registrar || !LM_HAS(registrar, kernel)) return LM_E_ARG;
  return sdk::fence(quiet, [&] {
    const lm_status status = register_kernels(*registrar);
    if (status != LM_OK) throw sdk::Fault(status, "a kernel was refused");
  });
}

void shutdown() noexcept { Threads::end_all(); }

// 0: no variant runs here.
int32_t score(const lm_host*) noexcept {
  int32_t score = 0;
  sdk::fence(quiet, [&] {
    const std::string level = choose_rows().level;
    score = level == "v4" ? 30 : level == "v3" ? 20 : 10;
  });
  return score;
}

lm_status read_counters(lm_device* device, lumarch_cpu_counts* out) noexcept {
  if (!device || !out || out->struct_size < sizeof(lumarch_cpu_counts)) return LM_E_ARG;
  const sdk::HostMemory& memory = device->memory;
  *out = {out->struct_size, 0, memory.live(), device->plans.size(), memory.used(), memory.most()};
  return LM_OK;
}

constexpr lumarch_cpu_counters counters = {sizeof(lumarch_cpu_counters), 0, &read_counters};

const void* extension(const char* id) noexcept {
  return id && std::strcmp(id, LUMARCH_CPU_COUNTERS) == 0 ? &counters : nullptr;
}

}  // namespace
}  // namespace lumarch::cpu

extern "C" LM_EXPORT const lm_plugin lm_plugin_v1 = {LM_MAGIC,
                                                     LM_ABI_MAJOR,
                                                     LM_ABI_MINOR,
                                                     sizeof(lm_plugin),
                                                     LM_LAYOUT,
                                                     "cpu",
                                                     LUMARCH_VERSION,
                                                     lumarch::cpu::build,
                                                     &lumarch::cpu::device_api,
                                                     &lumarch::cpu::register_all,
                                                     &lumarch::cpu::shutdown,
                                                     &lumarch::cpu::score,
                                                     &lumarch::cpu::extension};
