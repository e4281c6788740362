// SPDX-License-Identifier: Apache-2.0
// An open device: RAII over the ABI's handles, every crossing counted by reason, every allocation in a ledger.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <lumarch/abi.h>
#include <lumarch/abi_params.h>
#include <lumarch/problem.hpp>

#include "backend/host.hpp"
#include "backend/large_pages.hpp"
#include "backend/ledger.hpp"
#include "backend/plugin.hpp"

namespace lumarch {

class Device;

// A kernel said UNSUPPORTED: the caller composes it from others.
class Unsupported : public Error {
public:
  using Error::Error;
};

// A long call was ended because the run's stop was asked for.
class Cancelled : public Error {
public:
  using Error::Error;
};

// A buffer of a device; freed with its last owner. Must not outlive the device.
class Buffer {
public:
  Buffer() = default;
  // The ledger gets name -> bytes, in even parts where the bytes are of several members.
  Buffer(Device& device, std::uint64_t bytes, const std::string& name, std::uint32_t members = 1);
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  ~Buffer();
  [[nodiscard]] lm_buffer handle() const noexcept { return handle_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

private:
  Device* device_ = nullptr;
  lm_buffer handle_ = 0;
  std::uint64_t bytes_ = 0;
  Ledger* ledger_ = nullptr;  // which it stands in
  std::string name_;
  std::uint32_t members_ = 1;
};

// A plan of a device, with the work bytes a worker that calls with it need.
class Plan {
public:
  Plan() = default;
  Plan(Device& device, const lm_fft_desc& desc);
  Plan(Device& device, const lm_propagator_desc& desc);
  // A transform of n samples in double precision, out of place.
  static Plan fft(Device& device, std::int64_t n, int kind, int direction, bool destroys_input);
  Plan(Plan&& other) noexcept;
  Plan& operator=(Plan&& other) noexcept;
  ~Plan();
  [[nodiscard]] lm_plan* handle() const noexcept { return handle_; }
  [[nodiscard]] std::uint64_t work_bytes() const noexcept { return work_bytes_; }

private:
  Device* device_ = nullptr;
  lm_plan* handle_ = nullptr;
  std::uint64_t work_bytes_ = 0;
  lm_fft_desc desc_{};  // of a transform
};

class Device {
public:
  // Opens the device that `request` asks for; LM_E_* become Error(Fault::refused or backend) with the plugin's words.
  // The plugin's log goes to `log` for as long as the device is open; long calls ask `stop` whether to go on.
  Device(const LoadedBackend& backend, const BackendRequest& request, Host::Log log = {}, Host::Poll stop = {});
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  [[nodiscard]] lm_device* handle() const noexcept { return handle_; }
  [[nodiscard]] const lm_device_api& api() const noexcept { return *backend_.plugin->device; }
  [[nodiscard]] const LoadedBackend& backend() const noexcept { return backend_; }
  [[nodiscard]] const lm_device_info& info() const noexcept { return info_; }
  [[nodiscard]] const lm_exec* exec() const noexcept { return exec_; }
  [[nodiscard]] std::uint32_t workers() const noexcept { return workers_; }
  // Rows that a SCRATCH view of a batch needs (abi.h, at lm_view): one a worker, or, on a device that works on members
  // together, one a member of a piece.
  [[nodiscard]] std::uint32_t scratch_rows(std::uint32_t members) const noexcept {
    const bool together = !(info_.caps & LM_CAP_HOST_MEMORY) && LM_HAS(&api(), run);
    return together ? std::min(workers_, std::max(1u, members)) : workers_;
  }
  // NULL where nobody registered it.
  [[nodiscard]] lm_kernel_fn find(const char* name, std::uint32_t version = 1) const {
    return backend_.table.find(name, version);
  }
  // Error(Fault::refused) that names the kernel where nobody registered it.
  [[nodiscard]] lm_kernel_fn need(const char* name, std::uint32_t version = 1) const;

  // `reason` names the crossing in the provenance: "upload launch", "download plane".
  void upload(const Buffer& to, std::uint64_t offset, const void* from, std::uint64_t bytes, std::string_view reason);
  void download(const Buffer& from, std::uint64_t offset, void* to, std::uint64_t bytes, std::string_view reason);
  // Rows with gaps between them cross in pieces of this many bytes, which devices with pinned memory take by way of it.
  // They are packed in memory that is made at the first crossing of more than a piece, and kept.
  static constexpr std::uint64_t large_crossing = std::uint64_t{256} << 20;
  [[nodiscard]] std::uint64_t piece_bytes() const noexcept { return piece_bytes_; }
  [[nodiscard]] std::byte* piece();
  void set_piece_bytes(std::uint64_t bytes);  // for tests
  // Throws Error(Fault::backend) with the device's words unless status is LM_OK; Unsupported for LM_E_UNSUPPORTED,
  // Cancelled for LM_E_CANCELLED.
  void check(lm_status status, const char* what) const;

  [[nodiscard]] std::map<std::string, std::uint64_t> crossed() const { return {crossed_.begin(), crossed_.end()}; }
  [[nodiscard]] const Ledger& ledger() const noexcept { return ledger_; }
  // Bytes that the device could still give.
  [[nodiscard]] std::uint64_t memory_available() const;

  // While it lives nothing is allocated, nothing crosses and nothing runs: buffers have handles that no device knows,
  // and a ledger of their own. So the code that allocates says what it would take. Transforms are planned, for only the
  // backend knows what work they need, and kept for whoever wants the same ones next. What was made while it lived must
  // not outlive it.
  class Counting {
  public:
    explicit Counting(Device& device) : device_(device) { device_.counting_ = this; }
    ~Counting() { device_.counting_ = nullptr; }
    Counting(const Counting&) = delete;
    Counting& operator=(const Counting&) = delete;
    [[nodiscard]] const Ledger& ledger() const noexcept { return ledger_; }

  private:
    friend class Buffer;
    Device& device_;
    Ledger ledger_;
    lm_buffer last_ = 0;
  };
  [[nodiscard]] bool counting() const noexcept { return counting_ != nullptr; }
  void drop_spare_plans() noexcept { spare_.clear(); }
  [[nodiscard]] std::string describe_json() const;  // name, version, build, abi, device, options

private:
  friend class Buffer;
  friend class Plan;
  void count_crossing(std::string_view reason, std::uint64_t bytes);

  const LoadedBackend& backend_;
  BackendRequest request_;
  Host host_;
  lm_device* handle_ = nullptr;
  const lm_exec* exec_ = nullptr;
  lm_device_info info_{};
  std::uint32_t workers_ = 1;
  std::map<std::string, std::uint64_t, std::less<>> crossed_;
  Ledger ledger_;
  Counting* counting_ = nullptr;
  std::vector<Plan> spare_;
  std::uint64_t piece_bytes_ = large_crossing;
  LargePages piece_;
};

}  // namespace lumarch
