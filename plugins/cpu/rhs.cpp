// SPDX-License-Identifier: Apache-2.0
// The right-hand side of a fibre as one kernel: to time, responses, to frequency, on two rows of the work area, so that
// a member's field never leaves the cache. Responses are called by their pointers, also those of other plugins.
#include <algorithm>
#include <vector>

#include "device.hpp"
#include "kernels.hpp"

namespace lumarch::cpu {

using sdk::Call;
using sdk::Complex;
using sdk::Fault;
using sdk::RowIndex;

namespace {

// The calls of the responses, on rows of our own work area: the handle and pitch of it, elements in place of bytes.
class Responses {
public:
  Responses(const Call& call, const lm_p_rhs& p, std::int64_t n) : p_(p) {
    const std::uint64_t row = round_up(16 * static_cast<std::uint64_t>(n));
    std::uint64_t bytes = 2 * row;
    if (p.n_responses > most || (p.n_responses && !p.responses)) throw Fault(LM_E_ARG, "the responses are missing");
    for (std::uint32_t r = 0; r < p.n_responses; ++r) {
      const lm_response& response = p.responses[r];
      if (!response.fn || response.n_tables > most_tables || (response.n_tables && !response.tables))
        throw Fault(LM_E_ARG, "response " + std::to_string(r) + " has no function or no tables");
      bytes += round_up(response.work_bytes);
    }
    std::byte* work = call.work(bytes);
    A = reinterpret_cast<double*>(work);
    P = reinterpret_cast<double*>(work + row);

    const lm_view& area = *call.raw().work;
    if (area.offset % 16 || area.pitch[0] % 16) throw Fault(LM_E_ARG, "the work area is not aligned");
    lm_view field{};
    field.buffer = area.buffer;
    field.offset = area.offset / 16;
    field.extent[LM_AXIS_MEMBER] = area.extent[LM_AXIS_MEMBER];
    field.extent[LM_AXIS_COMPONENT] = field.extent[LM_AXIS_OUTER] = field.extent[LM_AXIS_INNER] = 1;
    field.extent[LM_AXIS_SAMPLE] = n;
    field.pitch[LM_AXIS_MEMBER] = area.pitch[0] / 16;
    field.pitch[LM_AXIS_COMPONENT] = field.pitch[LM_AXIS_OUTER] = field.pitch[LM_AXIS_INNER] = 0;
    field.pitch[LM_AXIS_SAMPLE] = 1;
    field.dtype = LM_C128;
    field.flags = LM_VIEW_SCRATCH;
    views_[0] = field;
    views_[1] = field;
    views_[1].offset += row / 16;
    rest_ = area;
    rest_.offset += 2 * row;
    exec_ = call.raw().exec;
  }

  // Calls all of them, for one entry of the active map.
  void run(const Call& call, std::uint32_t entry) {
    lm_members one = *call.raw().members;
    one.first = entry;
    one.n_active = 1;
    lm_view rest = rest_;
    for (std::uint32_t r = 0; r < p_.n_responses; ++r) {
      const lm_response& response = p_.responses[r];
      std::copy_n(response.tables, response.n_tables, views_ + 2);
      rest.extent[LM_AXIS_SAMPLE] = static_cast<std::int64_t>(response.work_bytes);
      const lm_call inner = {sizeof(lm_call),
                             2 + response.n_tables,
                             views_,
                             &one,
                             exec_,
                             response.params,
                             response.params_size,
                             response.n_plans,
                             response.plans,
                             response.work_bytes ? &rest : nullptr};
      std::string& said = call.device()->errors[exec_->worker];
      said.clear();
      const lm_status status = response.fn(call.device(), &inner);
      if (status != LM_OK)
        throw Fault(status,
                    said.empty() ? sdk::silent("response", r, status) : "response " + std::to_string(r) + ": " + said);
      rest.offset += round_up(response.work_bytes);
    }
  }

  [[nodiscard]] bool any() const noexcept { return p_.n_responses > 0; }

  double *A = nullptr, *P = nullptr;

private:
  static constexpr std::uint32_t most = 64, most_tables = 14;
  const lm_p_rhs& p_;
  lm_view views_[2 + most_tables] = {};
  lm_view rest_{};
  const lm_exec* exec_ = nullptr;
};

}  // namespace

lm_status rhs_fibre(lm_device* device, const lm_call* raw) noexcept {
  return kernel(device, raw, [&](const Call& call) {
    check_views(call, 3, 5);
    const auto& p = call.params<lm_p_rhs>();
    const auto u = call.rows<Complex>(0);
    const auto out = call.rows<Complex>(1, u.samples);
    const auto source = call.rows<Complex>(2, u.samples);
    const auto pre = call.rows<double>(3, u.samples, true);
    const auto noise = call.rows<Complex>(4, u.samples, true);
    check_output(call, 1);
    for (std::uint32_t i = 0; i < call.n_views(); ++i)
      for (int axis = LM_AXIS_COMPONENT; call.raw().views[i].buffer && axis < LM_AXIS_SAMPLE; ++axis)
        if (call.raw().views[i].extent[axis] != 1)
          throw Fault(LM_E_UNSUPPORTED, "rhs.fibre takes one row a member; compose it for modes and polarisations");
    const Fft &to_time = fft_of(call, 0), &to_frequency = fft_of(call, 1);
    if (!to_time.is(LM_FFT_C2C, LM_FFT_FORWARD, false, u.samples) ||
        !to_frequency.is(LM_FFT_C2C, LM_FFT_BACKWARD, false, u.samples))
      throw Fault(LM_E_ARG, "the plans are not c2c to time and to frequency, out of place, of the length of a row");
    Responses responses(call, p, u.samples);
    const auto n = static_cast<std::size_t>(u.samples);
    const unsigned worker = call.raw().exec->worker;
    const bool as_it_is = !pre.given() && !noise.given() && !to_time.desc().destroys_input;
    call.for_each_row(0, [&](const RowIndex& at) {
      double* field = numbers(u(at));
      if (!as_it_is) {
        device->rows.launch(responses.P, field, noise.given() ? numbers(noise(at)) : nullptr,
                            pre.given() ? pre(at) : nullptr, n);
        field = responses.P;
      }
      to_time.run(field, responses.A, worker);
      if (!responses.any()) device->rows.fill(responses.P, 0.0, 0.0, n);
      responses.run(call, at.entry);
      if (to_frequency.is_own())
        return to_frequency.run_times(responses.P, numbers(out(at)), numbers(source(at)), worker);
      to_frequency.run(responses.P, responses.A, worker);
      device->rows.multiply(numbers(out(at)), responses.A, numbers(source(at)), n);
    });
  });
}

}  // namespace lumarch::cpu
