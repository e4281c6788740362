// SPDX-License-Identifier: Apache-2.0
// How a fused right-hand side calls its responses: on a field and a polarisation that lie in its own work area, by
// their pointers, also those of other plugins.
#pragma once

#include <algorithm>
#include <string>

#include <lumarch/sdk/checks.hpp>

namespace lumarch::sdk {

inline constexpr std::uint32_t most_responses = 64, most_response_tables = 14;
// The field, what a response adds to, and its tables.
using ResponseViews = lm_view[2 + most_response_tables];

inline void check_responses(const lm_response* responses, std::uint32_t n) {
  if (n > most_responses || (n && !responses)) throw Fault(LM_E_ARG, "the responses are missing");
  for (std::uint32_t r = 0; r < n; ++r)
    if (!responses[r].fn || responses[r].n_tables > most_response_tables ||
        (responses[r].n_tables && !responses[r].tables))
      throw Fault(LM_E_ARG, "response " + std::to_string(r) + " has no function or no tables");
}

// Calls response r on views[0] and views[1], for these members; `rest`: what it has of the work area. Words: as below.
template <class Words>
void call_response(const Call& call, const lm_response& response, std::uint32_t r, ResponseViews& views,
                   const lm_members& members, const lm_exec& exec, const lm_view& rest, const Words& words) {
  std::copy_n(response.tables, response.n_tables, views + 2);
  const lm_call inner = {sizeof(lm_call),
                         2 + response.n_tables,
                         views,
                         &members,
                         &exec,
                         response.params,
                         response.params_size,
                         response.n_plans,
                         response.plans,
                         response.work_bytes ? &rest : nullptr};
  words.clear();
  const lm_status status = response.fn(call.device(), &inner);
  if (status == LM_OK) return;
  const std::string said = words.said();
  throw Fault(status, said.empty() ? silent("response", r, status) : "response " + std::to_string(r) + ": " + said);
}

// Words: what the device's error text is read and cleared through, words.clear() and words.said().
template <class Words>
class ResponseCalls {
public:
  // The work area holds the field A, the polarisation P, each a row of n, then each response's part in turn.
  ResponseCalls(const Call& call, const lm_p_rhs& p, std::int64_t n, Words words)
      : call_(call), p_(p), words_(words), row_(round_up(16 * static_cast<std::uint64_t>(n))), bytes_(2 * row_) {
    check_responses(p.responses, p.n_responses);
    for (std::uint32_t r = 0; r < p.n_responses; ++r) bytes_ += round_up(p.responses[r].work_bytes);
    work_ = call.work(bytes_);
    const lm_view& area = *call.raw().work;
    if (area.offset % 16 || area.pitch[0] % 16) throw Fault(LM_E_ARG, "the work area is not aligned");
    // The handle and pitch of the area, elements in place of bytes.
    lm_view& field = views_[0];
    field.buffer = area.buffer;
    field.offset = area.offset / 16;
    for (std::int64_t& extent : field.extent) extent = 1;
    field.extent[LM_AXIS_MEMBER] = area.extent[LM_AXIS_MEMBER];
    field.extent[LM_AXIS_SAMPLE] = n;
    field.pitch[LM_AXIS_MEMBER] = area.pitch[0] / 16;
    field.pitch[LM_AXIS_SAMPLE] = 1;
    field.dtype = LM_C128;
    field.flags = LM_VIEW_SCRATCH;
    views_[1] = field;
    views_[1].offset += row_ / 16;
    rest_ = area;
    rest_.offset += 2 * row_;
  }

  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] bool any() const noexcept { return p_.n_responses > 0; }
  // The worker's own two rows.
  [[nodiscard]] std::byte* field() const noexcept { return work_; }
  [[nodiscard]] std::byte* polarisation() const noexcept { return work_ + row_; }

  // Calls all of them, for n_active entries of the active map from `first` on.
  void run(std::uint32_t first, std::uint32_t n_active) {
    lm_members members = copy_of(*call_.raw().members);
    members.first = first;
    members.n_active = n_active;
    lm_view rest = rest_;
    for (std::uint32_t r = 0; r < p_.n_responses; ++r) {
      const lm_response& response = p_.responses[r];
      rest.extent[LM_AXIS_SAMPLE] = static_cast<std::int64_t>(response.work_bytes);
      call_response(call_, response, r, views_, members, *call_.raw().exec, rest, words_);
      rest.offset += round_up(response.work_bytes);
    }
  }

private:
  const Call& call_;
  const lm_p_rhs& p_;
  Words words_;
  ResponseViews views_ = {};
  lm_view rest_{};
  std::uint64_t row_ = 0, bytes_ = 0;
  std::byte* work_ = nullptr;
};

}  // namespace lumarch::sdk
