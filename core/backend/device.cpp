// SPDX-License-Identifier: Apache-2.0
#include "backend/device.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "backend/plugin_text.hpp"
#include "backend/process_watch.hpp"
#include "backend/smoke_test.hpp"

namespace lumarch {

Buffer::Buffer(Device& device, std::uint64_t bytes, const std::string& name, std::uint32_t members)
    : device_(&device), bytes_(bytes), ledger_(&device.ledger_), name_(name), members_(members) {
  if (device.counting_ != nullptr) {
    ledger_ = &device.counting_->ledger_;
    handle_ = ++device.counting_->last_;
    ledger_->add(name_, members_, bytes_);
    return;
  }
  const lm_status status = device.api().alloc(device.handle(), bytes, &handle_);
  if (status == LM_E_NOMEM)
    throw Error(Fault::refused, "the " + device.backend().name + " backend has no memory for " + name + " (" +
                                    std::to_string(bytes) +
                                    " bytes): " + plugin_reason(device.api().last_error(device.handle())) +
                                    "; fewer points would help");
  device.check(status, "alloc");
  ledger_->add(name_, members_, bytes_);
}

Buffer::Buffer(Buffer&& other) noexcept
    : device_(std::exchange(other.device_, nullptr)),
      handle_(std::exchange(other.handle_, 0)),
      bytes_(std::exchange(other.bytes_, 0)),
      ledger_(std::exchange(other.ledger_, nullptr)),
      name_(std::move(other.name_)),
      members_(other.members_) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(handle_, other.handle_);
  std::swap(bytes_, other.bytes_);
  std::swap(ledger_, other.ledger_);
  std::swap(name_, other.name_);
  std::swap(members_, other.members_);
  return *this;
}

Buffer::~Buffer() {
  if (device_ == nullptr || handle_ == 0) return;
  ledger_->remove(name_, members_, bytes_);
  if (ledger_ == &device_->ledger_) device_->api().free(device_->handle(), handle_);
}

namespace {

bool same(const lm_fft_desc& a, const lm_fft_desc& b) {
  return a.kind == b.kind && a.dtype == b.dtype && a.direction == b.direction && a.n == b.n &&
         a.in_place == b.in_place && a.destroys_input == b.destroys_input;
}

}  // namespace

Plan::Plan(Device& device, const lm_fft_desc& desc) : device_(&device), desc_(desc) {
  const auto spare = std::find_if(device.spare_.begin(), device.spare_.end(),
                                  [&](const Plan& known) { return same(known.desc_, desc); });
  if (spare != device.spare_.end()) {
    std::swap(handle_, spare->handle_);
    work_bytes_ = spare->work_bytes_;
    device.spare_.erase(spare);
    return;
  }
  device.check(device.api().plan_fft(device.handle(), &desc, &handle_, &work_bytes_), "plan_fft");
}

// A propagator names its operator's buffer, which is not there where buffers are only counted. None asks for work.
Plan::Plan(Device& device, const lm_propagator_desc& desc) : device_(&device) {
  if (device.counting()) return;
  device.check(device.api().plan_propagator(device.handle(), &desc, &handle_, &work_bytes_), "plan_propagator");
}

Plan Plan::fft(Device& device, std::int64_t n, int kind, int direction, bool destroys_input) {
  lm_fft_desc desc{};
  desc.struct_size = sizeof(desc);
  desc.kind = kind;
  desc.dtype = LM_C128;
  desc.direction = direction;
  desc.n = n;
  desc.destroys_input = destroys_input;
  return Plan(device, desc);
}

Plan::Plan(Plan&& other) noexcept
    : device_(std::exchange(other.device_, nullptr)),
      handle_(std::exchange(other.handle_, nullptr)),
      work_bytes_(std::exchange(other.work_bytes_, 0)),
      desc_(other.desc_) {}

Plan& Plan::operator=(Plan&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(handle_, other.handle_);
  std::swap(work_bytes_, other.work_bytes_);
  std::swap(desc_, other.desc_);
  return *this;
}

Plan::~Plan() {
  if (device_ == nullptr || handle_ == nullptr) return;
  if (device_->counting()) {
    try {
      device_->spare_.push_back(std::move(*this));
      return;
    } catch (...) {  // no memory to keep it
    }
  }
  if (handle_ != nullptr) device_->api().plan_free(device_->handle(), handle_);
}

Device::Device(const LoadedBackend& backend, const BackendRequest& request, Host::Log log, Host::Poll stop)
    : backend_(backend), request_(request), host_(backend.path, std::move(log), std::move(stop)) {
  if (!backend.plugin->device)
    throw Error(Fault::refused, "the plugin " + backend.path + " adds kernels to other backends and opens no device");
  std::array<char, 512> why{};
  int32_t count = 0;
  if (api().count(host_.table(), &count, why.data(), why.size()) != LM_OK || count < 1)
    throw Error(Fault::refused, "the " + backend.name + " backend has no device: " + plugin_reason(why.data()));
  if (request.device < 0 || request.device >= count)
    throw Error(Fault::refused, "the " + backend.name + " backend has device 0" +
                                    (count > 1 ? " to " + std::to_string(count - 1) : std::string()) + ", not " +
                                    std::to_string(request.device));
  const std::string threads = std::to_string(request.threads);
  std::vector<lm_option> options;
  if (request.threads != 0) options.push_back({"threads", threads.c_str()});
  if (!request.plan.empty()) options.push_back({"plan", request.plan.c_str()});
  ProcessWatch watch(ProcessWatch::Output::let_through);
  const lm_status status = api().open(host_.table(), request.device, options.data(),
                                      static_cast<std::uint32_t>(options.size()), &handle_, why.data(), why.size());
  if (status != LM_OK)
    throw Error(
        status == LM_E_ARG ? Fault::problem : Fault::refused,
        "the " + backend.name + " backend does not open (" + status_text(status) + "): " + plugin_reason(why.data()));
  if (handle_ == nullptr)
    throw Error(Fault::refused, "the " + backend.name +
                                    " backend says that its device is open and gives none: open() of " + backend.path +
                                    " leaves *device NULL");
  if (const std::string changed = watch.finish(); !changed.empty()) {
    api().close(std::exchange(handle_, nullptr));
    throw Error(Fault::refused, "the " + backend.name + " backend, while it opened its device, " + changed);
  }
  info_.struct_size = sizeof(info_);
  api().info(request.device, &info_);
  exec_ = api().exec(handle_);
  if (exec_ == nullptr || exec_->struct_size < sizeof(lm_exec) || exec_->resolve == nullptr || exec_->n_workers == 0) {
    api().close(std::exchange(handle_, nullptr));
    throw Error(Fault::refused, "the " + backend.name + " backend gives its kernels no way to their data: exec() of " +
                                    backend.path + " is NULL, or its struct_size, resolve or n_workers is wrong");
  }
  workers_ = std::max<std::uint32_t>(1, api().workers(handle_));
  if (const std::string wrong = smoke_test(backend, handle_); !wrong.empty()) {
    api().close(std::exchange(handle_, nullptr));
    throw Error(Fault::refused, "the " + backend.name + " backend does not calculate right: " + wrong);
  }
}

Device::~Device() {
  spare_.clear();
  if (handle_) api().close(handle_);
}

lm_kernel_fn Device::need(const char* name, std::uint32_t version) const {
  if (const lm_kernel_fn fn = find(name, version)) return fn;
  throw Error(Fault::refused, "the " + backend_.name + " backend has no kernel " + name + " version " +
                                  std::to_string(version) + ", which this problem needs (" + backend_.path + ")");
}

void Device::upload(const Buffer& to, std::uint64_t offset, const void* from, std::uint64_t bytes,
                    std::string_view reason) {
  if (counting()) return;
  check(api().upload(handle_, to.handle(), offset, from, bytes), "upload");
  count_crossing(reason, bytes);
}

void Device::download(const Buffer& from, std::uint64_t offset, void* to, std::uint64_t bytes,
                      std::string_view reason) {
  if (counting()) return;
  check(api().download(handle_, from.handle(), offset, to, bytes), "download");
  count_crossing(reason, bytes);
}

std::byte* Device::piece() {
  if (piece_.data() == nullptr) piece_ = LargePages(piece_bytes_);
  return piece_.data();
}

void Device::set_piece_bytes(std::uint64_t bytes) {
  piece_ = {};
  piece_bytes_ = bytes;
}

std::uint64_t Device::memory_available() const {
  std::uint64_t bytes = 0;
  check(api().memory_available(handle_, &bytes), "memory_available");
  return bytes;
}

void Device::count_crossing(std::string_view reason, std::uint64_t bytes) {
  const auto at = crossed_.find(reason);  // no string is made on the way of an attempt
  if (at != crossed_.end())
    at->second += bytes;
  else
    crossed_.emplace(reason, bytes);
}

void Device::check(lm_status status, const char* what) const {
  if (status == LM_OK) return;
  const std::string text = "the " + backend_.name + " backend failed in " + what + " (" + status_text(status) +
                           "): " + plugin_reason(api().last_error(handle_));
  if (status == LM_E_UNSUPPORTED) throw Unsupported(Fault::backend, text);
  if (status == LM_E_CANCELLED) throw Cancelled(Fault::backend, text);
  throw Error(Fault::backend, text);
}

namespace {
// A name in the device info, which may lack its end.
template <std::size_t n>
std::string device_text(const char (&text)[n]) {
  return plugin_text(std::string(text, ::strnlen(text, n)).c_str());
}
}  // namespace

std::string Device::describe_json() const {
  const lm_plugin& plugin = *backend_.plugin;
  return nlohmann::json{{"name", backend_.name},
                        {"version", plugin_text(plugin.version)},
                        {"build", plugin_text(plugin.build)},
                        {"abi", std::to_string(plugin.abi_major) + "." + std::to_string(plugin.abi_minor)},
                        {"path", backend_.path},
                        {"device", device_text(info_.name)},
                        {"id", device_text(info_.id)},
                        {"workers", workers_},
                        {"plan", request_.plan.empty() ? "default" : request_.plan}}
      .dump();
}

}  // namespace lumarch
