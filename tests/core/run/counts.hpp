// What a device's plugin counts by itself.
#pragma once

#include <doctest/doctest.h>
#include <plugins/cpu/counters.h>
#include <sdk/emulated/counters.h>

#include "backend/device.hpp"

namespace lumarch::test {

struct Held {
  std::uint64_t buffers = 0, plans = 0, bytes = 0, most_bytes = 0;
};

inline lumarch_emulated_counts emulated_counts(const Device& device) {
  lumarch_emulated_counts out{};
  out.struct_size = sizeof out;
  const auto* table =
      static_cast<const lumarch_emulated_counters*>(device.backend().plugin->extension(LUMARCH_EMULATED_COUNTERS));
  REQUIRE(table->read(device.handle(), &out) == LM_OK);
  return out;
}

inline Held held(const Device& device) {
  if (device.backend().name == "emulated") {
    const lumarch_emulated_counts all = emulated_counts(device);
    return {all.buffers, all.plans, all.bytes, all.most_bytes};
  }
  REQUIRE(device.backend().name == "cpu");
  lumarch_cpu_counts out{};
  out.struct_size = sizeof out;
  const auto* table =
      static_cast<const lumarch_cpu_counters*>(device.backend().plugin->extension(LUMARCH_CPU_COUNTERS));
  REQUIRE(table->read(device.handle(), &out) == LM_OK);
  return {out.buffers, out.plans, out.bytes, out.most_bytes};
}

inline std::vector<std::string> counting_backends() {
  std::vector<std::string> all;
  for (const char* name : {"emulated", "cpu"})
    if (std::filesystem::exists(std::string(LUMARCH_BACKEND_DIR "/liblumarch_backend_") + name + ".so"))
      all.emplace_back(name);
  return all;
}

inline BackendRequest request_of(const std::string& backend, int threads = 2) {
  BackendRequest request;
  request.name = backend;
  if (backend == "cpu") request.threads = threads;
  return request;
}

// LUMARCH_EMULATED for as long as it lives.
class Emulated {
public:
  explicit Emulated(const std::string& text) { ::setenv("LUMARCH_EMULATED", text.c_str(), 1); }
  ~Emulated() { ::unsetenv("LUMARCH_EMULATED"); }
  Emulated(const Emulated&) = delete;
  Emulated& operator=(const Emulated&) = delete;
};

}  // namespace lumarch::test
