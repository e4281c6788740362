// SPDX-License-Identifier: Apache-2.0
// stop.*: a host that wants an end, by lm_host.poll, while long calls run.
#include "compare.hpp"

namespace lumarch::conform {

namespace {

// The loader's host, but for a poll that always says stop.
class StoppingHost {
public:
  explicit StoppingHost(const lm_host& like) : table_(like) {
    table_.poll = [](void*, double) noexcept -> int32_t { return 1; };
  }
  [[nodiscard]] const lm_host* table() const noexcept { return &table_; }

private:
  lm_host table_;
};

LoadedBackend with_host(const LoadedBackend& backend, const lm_host* host) {
  LoadedBackend other = backend;
  other.host = host;
  return other;
}

void expect_status(lm_status status, const OpenDevice& device, const std::string& what) {
  expect(status == LM_OK || status == LM_E_CANCELLED,
         what + " under a host that wants an end answers neither ok nor cancelled: " + device.error());
  if (status == LM_E_CANCELLED) expect(!device.error().empty(), what + " is cancelled and says nothing");
}

// As long as planning takes where nobody stops it, the plans are given up or made; the device works on either way.
void plan(const Context& context) {
  const LoadedBackend& backend = context.candidate();
  const StoppingHost host(*backend.host);
  const LoadedBackend stopping = with_host(backend, host.table());
  const OpenDevice device(stopping, {});
  lm_fft_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = LM_C128;
  desc.n = 16411;  // a prime, so that it lies in nobody's cache of plans
  for (const int direction : {LM_FFT_FORWARD, LM_FFT_BACKWARD}) {
    lm_plan* made = nullptr;
    std::uint64_t bytes = 0;
    desc.direction = direction;
    const lm_status status = device.api().plan_fft(device.handle(), &desc, &made, &bytes);
    expect_status(status, device, "plan_fft");
    expect((status == LM_OK) == (made != nullptr), "plan_fft was cancelled and gave a plan all the same");
    if (made) device.api().plan_free(device.handle(), made);
  }
  device.api().free(device.handle(), device.alloc(4096));
}

// A list that is stopped may be left unfinished; the next one, without a stop, is right.
void run(const Context& context) {
  const LoadedBackend& backend = context.candidate();
  if (!LM_HAS(backend.plugin->device, run)) throw Skipped("it has no run");
  const StoppingHost host(*backend.host);
  const LoadedBackend stopping = with_host(backend, host.table());
  const OpenDevice device(stopping, usual_options(backend, context.thorough));
  Shape shape;
  shape.n = 1 << 14;
  shape.batch = 4;
  shape.workers = device.api().workers(device.handle());
  const Scene scene = scene_of("core.lincomb", shape);
  Live live(device, scene);
  for (int i = 0; i < 100; ++i) expect_status(live.run(), device, "run");
  const OpenDevice quiet(backend, usual_options(backend, context.thorough)), oracle(context.reference(), {});
  Shape one = shape;
  one.workers = 1;
  check_scene(quiet, scene, oracle, scene_of("core.lincomb", one));
}

}  // namespace

void add_stop_cases(std::vector<Case>& to) {
  to.push_back({"stop.plan", 30, &plan});
  to.push_back({"stop.run", 30, &run});
}

}  // namespace lumarch::conform
