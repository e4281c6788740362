// SPDX-License-Identifier: Apache-2.0
#include "backend/smoke_test.hpp"

#include <array>
#include <cstring>

#include <lumarch/abi_params.h>

#include "backend/plugin_text.hpp"

namespace lumarch {

namespace {

constexpr std::size_t n = 8;  // complex numbers
using Row = std::array<double, 2 * n>;

// One member that stands at z = 0 and goes h = 1/2.
struct Block {
  double z = 0, h = 0.5;
  std::uint32_t active = 0;
  std::uint8_t parity = 0, status = LM_RUNNING;
  std::uint8_t unused[2] = {};
  double numbers = 0;
};

class Memory {
public:
  Memory(const lm_device_api& api, lm_device* device) : api_(api), device_(device) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    if (buffer_ != 0) api_.free(device_, buffer_);
  }

  template <class T>
  lm_status hold(const T& contents) {
    const lm_status status = api_.alloc(device_, sizeof contents, &buffer_);
    return status != LM_OK ? status : api_.upload(device_, buffer_, 0, &contents, sizeof contents);
  }
  [[nodiscard]] lm_buffer buffer() const { return buffer_; }
  [[nodiscard]] lm_view row() const {
    lm_view view{};
    view.buffer = buffer_;
    for (std::int64_t& extent : view.extent) extent = 1;
    view.extent[LM_AXIS_SAMPLE] = n;
    for (std::int64_t& pitch : view.pitch) pitch = n;
    view.pitch[LM_AXIS_SAMPLE] = 1;
    view.dtype = LM_C128;
    return view;
  }

private:
  const lm_device_api& api_;
  lm_device* device_;
  lm_buffer buffer_ = 0;
};

}  // namespace

std::string smoke_test(const LoadedBackend& backend, lm_device* device) {
  const lm_device_api& api = *backend.plugin->device;
  const lm_kernel_fn lincomb = backend.table.find("core.lincomb");
  if (lincomb == nullptr) return "the backend has no core.lincomb";

  // out = -3 x + 5 h y in multiples of 1/8: exact in any order, contracted or not.
  Row x{}, y{}, expected{}, got{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 0.125 * static_cast<double>(i + 1);
    y[i] = 0.25 * static_cast<double>(37 - 7 * static_cast<int>(i));
    expected[i] = -3.0 * x[i] + 5.0 * 0.5 * y[i];
  }
  const auto failed = [&](const char* what) {
    return std::string("its first test, ") + what + ", fails: " + plugin_reason(api.last_error(device));
  };
  Memory out(api, device), in_x(api, device), in_y(api, device), block(api, device);
  if (out.hold(got) != LM_OK || in_x.hold(x) != LM_OK || in_y.hold(y) != LM_OK || block.hold(Block{}) != LM_OK) {
    return failed("memory and upload");
  }
  lm_members members{};
  members.struct_size = sizeof members;
  members.count = members.n_active = members.n_numbers = 1;
  members.block = block.buffer();
  members.z = offsetof(Block, z);
  members.h = offsetof(Block, h);
  members.active = offsetof(Block, active);
  members.parity = offsetof(Block, parity);
  members.status = offsetof(Block, status);
  members.numbers = offsetof(Block, numbers);

  lm_p_combine params{};
  params.struct_size = sizeof params;
  params.n = 2;
  params.term[0] = {-3.0, 0, 0};
  params.term[1] = {5.0, 1, 0};
  const std::array<lm_view, 3> views = {out.row(), in_x.row(), in_y.row()};
  lm_call call{};
  call.struct_size = sizeof call;
  call.n_views = static_cast<std::uint32_t>(views.size());
  call.views = views.data();
  call.members = &members;
  call.exec = api.exec(device);
  call.params = &params;
  call.params_size = sizeof params;
  if (lincomb(device, &call) != LM_OK) return failed("core.lincomb");
  if (api.sync(device) != LM_OK) return failed("sync");
  if (api.download(device, out.buffer(), 0, got.data(), sizeof got) != LM_OK) return failed("download");
  // The bits are meant, not the values. NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
  if (std::memcmp(got.data(), expected.data(), sizeof got) != 0) {
    return "its first test fails: core.lincomb gives wrong numbers. Check the driver and the build's flags";
  }
  return {};
}

}  // namespace lumarch
