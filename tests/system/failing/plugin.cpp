// SPDX-License-Identifier: Apache-2.0
// The reference backend, one call of which fails: the n-th since the device was opened, n = LUMARCH_FAIL_AT (0: none).
// The extension "lumarch.test.calls" answers with the address of the number of calls.
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "device.hpp"

namespace {

using lumarch::reference::device_api;

std::atomic<std::uint64_t> calls{0}, fail_at{0};

// Counts a call; true where it is the one that fails.
bool fails(lm_device* device, const char* what) noexcept {
  const std::uint64_t n = ++calls;
  if (n != fail_at) return false;
  std::array<char, 80> text{};
  std::snprintf(text.data(), text.size(), "%s (call %llu) fails on purpose", what, static_cast<unsigned long long>(n));
  device->note(text.data());
  return true;
}

template <auto member>
struct Wrapped;
template <class... Rest, lm_status (*lm_device_api::*member)(lm_device*, Rest...) noexcept>
struct Wrapped<member> {
  static lm_status call(lm_device* device, Rest... rest) noexcept {
    return fails(device, "a function of the table") ? LM_E_DRIVER : (device_api.*member)(device, rest...);
  }
};

lm_status open(const lm_host* host, int32_t index, const lm_option* options, uint32_t n, lm_device** device, char* why,
               uint32_t why_len) noexcept {
  const char* const at = std::getenv("LUMARCH_FAIL_AT");
  fail_at = at ? std::strtoull(at, nullptr, 10) : 0;
  calls = 1;
  if (fail_at == 1) {
    std::snprintf(why, why_len, "open (call 1) fails on purpose");
    return LM_E_DRIVER;
  }
  return device_api.open(host, index, options, n, device, why, why_len);
}

// Kernels by their place in the list of those registered.
constexpr std::size_t most = 32;
std::array<lm_kernel_fn, most> kernels{};
std::size_t registered = 0;

template <std::size_t i>
lm_status kernel(lm_device* device, const lm_call* call) noexcept {
  return fails(device, "a kernel") ? LM_E_INTERNAL : kernels[i](device, call);
}
template <std::size_t... i>
constexpr std::array<lm_kernel_fn, most> wrapped(std::index_sequence<i...>) {
  return {&kernel<i>...};
}
constexpr auto wrappers = wrapped(std::make_index_sequence<most>());

lm_status take(void* ctx, const char* backend, const char* name, uint32_t version, lm_kernel_fn fn) noexcept {
  if (registered == most) return LM_E_INTERNAL;
  kernels[registered] = fn;
  const auto* to = static_cast<const lm_registrar*>(ctx);
  return to->kernel(to->ctx, backend, name, version, wrappers[registered++]);
}

lm_status register_all(const lm_host* host, const lm_registrar* to) noexcept {
  lm_registrar between = *to;
  between.ctx = const_cast<lm_registrar*>(to);
  between.kernel = &take;
  registered = 0;
  return lumarch::reference::register_kernels(host, &between);
}

const void* extension(const char* id) noexcept {
  static_assert(sizeof calls == sizeof(std::uint64_t));
  return std::string_view(id) == "lumarch.test.calls" ? &calls : nullptr;
}

void shutdown() noexcept {}

lm_device_api table() noexcept {
  lm_device_api t = device_api;
  t.open = &open;
  t.alloc = &Wrapped<&lm_device_api::alloc>::call;
  t.free = &Wrapped<&lm_device_api::free>::call;
  t.upload = &Wrapped<&lm_device_api::upload>::call;
  t.download = &Wrapped<&lm_device_api::download>::call;
  t.copy = &Wrapped<&lm_device_api::copy>::call;
  t.sync = &Wrapped<&lm_device_api::sync>::call;
  t.plan_fft = &Wrapped<&lm_device_api::plan_fft>::call;
  t.plan_propagator = &Wrapped<&lm_device_api::plan_propagator>::call;
  t.plan_free = &Wrapped<&lm_device_api::plan_free>::call;
  t.memory_available = &Wrapped<&lm_device_api::memory_available>::call;
  return t;
}
const lm_device_api failing_api = table();

}  // namespace

extern "C" LM_EXPORT const lm_plugin lm_plugin_v1 = {
    LM_MAGIC,           LM_ABI_MAJOR, LM_ABI_MINOR,  sizeof(lm_plugin), LM_LAYOUT, "failing", "0",
    "fails on purpose", &failing_api, &register_all, &shutdown,         nullptr,   &extension};
