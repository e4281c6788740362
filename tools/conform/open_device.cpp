// SPDX-License-Identifier: Apache-2.0
#include "open_device.hpp"

#include "backend/device.hpp"

namespace lumarch::conform {

lm_status try_open(const LoadedBackend& backend, const Options& options, lm_device** device, std::string& why) {
  std::vector<lm_option> raw;
  for (const auto& [key, value] : options) raw.push_back({key.c_str(), value.c_str()});
  char text[256] = "";
  const lm_status status = backend.plugin->device->open(
      backend.host, 0, raw.data(), static_cast<std::uint32_t>(raw.size()), device, text, sizeof text);
  why = text;
  return status;
}

OpenDevice::OpenDevice(const LoadedBackend& from, const Options& options) : backend(from) {
  std::string why;
  const lm_status status = try_open(from, options, &handle_, why);
  if (status == LM_E_NO_DEVICE) throw Skipped("there is no device here: " + why);
  expect(status == LM_OK, "open answers " + status_text(status) + ": " + plugin_reason(why.c_str()));
  expect(handle_, "open answers ok and leaves *device NULL");
}

OpenDevice::~OpenDevice() {
  if (handle_) api().close(handle_);
}

std::string OpenDevice::error() const {
  const char* const text = api().last_error(handle_);
  expect(text, "last_error is NULL");
  return plugin_text(text);
}

void OpenDevice::need(lm_status status, const std::string& what) const {
  expect(status == LM_OK, what + " answers " + status_text(status) + ": " + error());
}

lm_buffer OpenDevice::alloc(std::uint64_t bytes) const {
  lm_buffer buffer = 0;
  need(api().alloc(handle_, bytes, &buffer), "alloc of " + std::to_string(bytes) + " bytes");
  expect(buffer != 0, "alloc gave the handle 0, which means none");
  return buffer;
}

Options usual_options(const LoadedBackend& backend, bool thorough) {
  if (thorough) return {};
  const Options quick = {{"plan", "estimate"}};
  lm_device* device = nullptr;
  std::string why;
  if (try_open(backend, quick, &device, why) != LM_OK) return {};
  backend.plugin->device->close(device);
  return quick;
}

std::uint64_t capabilities(const LoadedBackend& backend) {
  lm_device_info info{};
  info.struct_size = sizeof info;
  expect(backend.plugin->device->info(0, &info) == LM_OK, "info of device 0 fails");
  return info.caps;
}

}  // namespace lumarch::conform
