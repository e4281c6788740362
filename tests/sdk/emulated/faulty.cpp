// SPDX-License-Identifier: Apache-2.0
// The emulated backend with one fault, chosen by FAULT: what conformance on it must find. docs/emulated-device.md lists
// them with the case that does.
#include "device.hpp"

#include <cstring>
#include <string_view>

#include <lumarch/launch/table.hpp>

namespace {

using namespace lumarch;
using emulated::Emulated;
using kernels::Grid;
using kernels::Place;
using launch::Call;

// 0: a sum over a block without the barrier before thread 0 adds up. Right where thread 0 comes last.
struct SumsWithoutBarrier : kernels::ErrorPartials {
  struct NoBarrier {
    emulated::Sync& sync;
    void barrier() {}
    [[nodiscard]] unsigned width() const { return sync.width(); }
    [[nodiscard]] double down(double value, unsigned d) { return sync.down(value, d); }
  };
  void operator()(const Grid& grid, const emulated::Block& block, emulated::Sync& sync, double* shared) const {
    NoBarrier without{sync};
    kernels::ErrorPartials::operator()(grid, block, without, shared);
  }
};

// 1: the row of the next component in place of this one's: a swapped index.
struct SwappedMultiply {
  kernels::Multiply right;
  void operator()(const Grid&, const Place& at, int64_t s) const {
    Place other = at;
    std::swap(other.component, other.inner);
    right.out(at)[s] = kernels::times(right.x(other)[s], right.table(at)[s]);
  }
};

// 4: the last sample is never written.
struct MostOfKerr {
  kernels::Kerr right;
  void operator()(const Grid& grid, const Place& at, int64_t s) const {
    if (s + 1 < grid.samples) right(grid, at, s);
  }
};

// 5: a barrier in a branch: a half of the block goes past it.
struct SumsWithBarrierInBranch : kernels::ErrorPartials {
  struct HalfBarrier {
    emulated::Sync& sync;
    unsigned thread;
    void barrier() {
      if (thread < 128) sync.barrier();
    }
    [[nodiscard]] unsigned width() const { return sync.width(); }
    [[nodiscard]] double down(double value, unsigned d) { return sync.down(value, d); }
  };
  void operator()(const Grid& grid, const emulated::Block& block, emulated::Sync& sync, double* shared) const {
    HalfBarrier half{sync, block.thread()};
    kernels::ErrorPartials::operator()(grid, block, half, shared);
  }
};

// The emulated platform, with bodies exchanged.
struct Faulty : Emulated {
  template <class Body>
  static void elements(lm_device& device, const Grid& grid, const Body& body) {
    if constexpr (FAULT == 1 && std::is_same_v<Body, kernels::Multiply>)
      Emulated::elements(device, grid, SwappedMultiply{body});
    else if constexpr (FAULT == 4 && std::is_same_v<Body, kernels::Kerr>)
      Emulated::elements(device, grid, MostOfKerr{body});
    else
      Emulated::elements(device, grid, body);
  }
  template <class Body>
  static void blocks(lm_device& device, const Grid& grid, unsigned blocks, const Body& body) {
    if constexpr (FAULT == 0 && std::is_same_v<Body, kernels::ErrorPartials>)
      Emulated::blocks(device, grid, blocks, SumsWithoutBarrier{body});
    else if constexpr (FAULT == 5 && std::is_same_v<Body, kernels::ErrorPartials>)
      Emulated::blocks(device, grid, blocks, SumsWithBarrierInBranch{body});
    else
      Emulated::blocks(device, grid, blocks, body);
  }
};

// 2: a host that reads before it has waited: the download gives what is there now.
lm_status impatient(lm_device* device, lm_buffer from, uint64_t offset, void* to, uint64_t bytes) noexcept {
  if (!device) return LM_E_ARG;
  return sdk::fence([&](const char* text) { device->error = text; },
                    [&] {
                      const std::byte* const source = device->memory.range(from, offset, bytes);
                      if (bytes && !to) throw sdk::Fault(LM_E_ARG, "nowhere to download to");
                      if (bytes) std::memcpy(to, source, bytes);
                    });
}

// 3: a shell that looks at the member block on the host, as one of a host-memory device may.
lm_status looks(lm_device* device, const lm_call* raw) noexcept {
  return launch::shell<Faulty>(device, raw, [&](const Call& call) {
    call.for_each_member([](const sdk::RowIndex&) {});
    if (launch::core_fill<Faulty>(device, raw) != LM_OK) throw sdk::Fault(LM_E_ARG, device->error);
  });
}

lm_status take(void* ctx, const char* backend, const char* name, uint32_t version, lm_kernel_fn fn) noexcept {
  const auto* to = static_cast<const lm_registrar*>(ctx);
  return to->kernel(to->ctx, backend, name, version, FAULT == 3 && std::string_view(name) == "core.fill" ? &looks : fn);
}

lm_status register_all(const lm_host*, const lm_registrar* to) noexcept {
  lm_registrar between = *to;
  between.ctx = const_cast<lm_registrar*>(to);
  between.kernel = &take;
  return launch::register_kernels<Faulty>(between);
}

// The emulated table, but for its download in fault 2.
const lm_device_api faulty_api = [] {
  lm_device_api out = emulated::device_api;
  if (FAULT == 2) out.download = &impatient;
  return out;
}();

void shutdown() noexcept {}

}  // namespace

extern "C" LM_EXPORT const lm_plugin lm_plugin_v1 = {
    LM_MAGIC,           LM_ABI_MAJOR, LM_ABI_MINOR,  sizeof(lm_plugin), LM_LAYOUT, NAME,   "0",
    "wrong on purpose", &faulty_api,  &register_all, &shutdown,         nullptr,   nullptr};
