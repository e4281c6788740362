// SPDX-License-Identifier: Apache-2.0
// The open device: memory, plans, the rows of this machine's instruction set, and the threads.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <lumarch/abi.h>
#include <lumarch/sdk/call.hpp>
#include <lumarch/sdk/checks.hpp>
#include <lumarch/sdk/fault.hpp>
#include <lumarch/sdk/host_memory.hpp>

#include "fft.hpp"
#include "host.hpp"
#include "jobs.hpp"
#include "rows.hpp"
#include "threads.hpp"
#include "wisdom.hpp"

struct lm_plan {
  lm_device* device;
  std::variant<lumarch::cpu::Fft, lm_propagator_desc> what;
};

struct lm_device {
  lm_device(const lumarch::cpu::Host& on, const lumarch::cpu::RowFunctions& with, unsigned count,
            lumarch::cpu::Effort plans_by);

  lumarch::cpu::Host host;
  const lumarch::cpu::RowFunctions& rows;
  unsigned threads;
  lumarch::cpu::Effort effort;
  lumarch::cpu::WisdomFile wisdom;
  lumarch::cpu::OwnPlans own;
  lumarch::sdk::HostMemory memory;
  std::vector<std::unique_ptr<lm_plan>> plans;
  std::vector<lm_exec> exec;                    // a worker
  std::vector<std::string> errors;              // a worker: kernels of several workers may fail at once
  std::unique_ptr<lumarch::cpu::Threads> pool;  // where there is more than one thread

  void note(const char* text, std::uint32_t worker = 0) noexcept {
    try {
      errors[worker < errors.size() ? worker : 0] = text;
    } catch (...) {  // no memory for the text: the status must do
    }
  }
};

namespace lumarch::cpu {

// The functions of the table, by file.
lm_status run_list(lm_device* device, const lm_step* list, uint32_t n, const lm_members* members) noexcept;
extern const lm_device_api device_api;

// Registers all kernels; the first refusal is returned.
lm_status register_kernels(const lm_registrar& registrar);

// The largest number that may be asked for.
inline constexpr unsigned most_threads = 1024;

// ---- what the kernels share ----

using sdk::check_output;
using sdk::check_shape;
using sdk::check_views;
using sdk::combination;
using sdk::plain_combination;

// Body(Call) behind the fence; what goes wrong is noted for the worker that it happened to.
template <class Body>
lm_status kernel(lm_device* device, const lm_call* call, Body&& body) noexcept {
  const auto note = [&](const char* text) { device->note(text, call && call->exec ? call->exec->worker : 0); };
  const JobsIn jobs_in(device->pool.get());
  return sdk::fence(note, [&] { body(sdk::Call(device, call)); });
}

// Plan i of the call as a transform or a propagator of this device.
const Fft& fft_of(const sdk::Call& call, std::uint32_t i);
const lm_propagator_desc& propagator_of(const sdk::Call& call, std::uint32_t i);

// The reference to a row as numbers.
inline double* numbers(sdk::Complex* row) { return reinterpret_cast<double*>(row); }

using sdk::round_up;

// Work of the Raman kernels: |A|^2 and its transform.
inline std::uint64_t raman_work(std::int64_t n) {
  const auto samples = static_cast<std::uint64_t>(n);
  return round_up(8 * samples) + round_up(16 * (samples / 2 + 1));
}

}  // namespace lumarch::cpu
