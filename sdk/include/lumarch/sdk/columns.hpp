// SPDX-License-Identifier: Apache-2.0
// rhs.columns: its views, how its work area is laid out, and how it calls its responses, for `together` nodes of a
// member at once. Host-memory devices may do so for several nodes at once, each on the rows of its own worker.
#pragma once

#include <algorithm>
#include <string>

#include <lumarch/sdk/responses.hpp>
#include <lumarch/sdk/routes.hpp>

namespace lumarch::sdk {

class Columns {
public:
  explicit Columns(const Call& call) : call_(call), p_(call.params<lm_p_columns>()) {
    check_views(call, 5, 6);
    if (p_.n < 1) throw Fault(LM_E_ARG, "the rows in time have no samples");
    const lm_view& out = call.raw().views[1];
    band_ = out.extent[LM_AXIS_SAMPLE];
    check_band(p_.kind, band_, longer());
    check_same(call, 0, 1);
    components_ = out.extent[LM_AXIS_COMPONENT];
    if (p_.together < 1) throw Fault(LM_E_ARG, "at least one node at a time");
    call.check_scales(p_.pre_scale);
    call.check_scales(p_.post_scale);
    check_responses();
    if (has_current() && !is_given(call, 5)) throw Fault(LM_E_ARG, "there is a current, and view 5 is missing");
    lay_out();
  }

  [[nodiscard]] std::uint32_t kind() const noexcept { return p_.kind; }
  [[nodiscard]] std::int64_t n() const noexcept { return p_.n; }      // samples in time
  [[nodiscard]] std::int64_t band() const noexcept { return band_; }  // samples that are propagated
  [[nodiscard]] std::int64_t longer() const noexcept {                // samples of a row that is taken to time
    return p_.kind == LM_BAND_HALF ? p_.n / 2 + 1 : p_.n;
  }
  // Samples of a row that was taken to frequency, and where the band lies there.
  [[nodiscard]] std::int64_t longer_back() const noexcept { return p_.kind == LM_BAND_ENVELOPE ? p_.n : p_.n / 2 + 1; }
  [[nodiscard]] std::uint32_t kind_back() const noexcept {
    return p_.kind == LM_BAND_ENVELOPE ? LM_BAND_ENVELOPE : LM_BAND_HALF;
  }
  [[nodiscard]] std::int64_t components() const noexcept { return components_; }
  [[nodiscard]] std::int64_t together() const noexcept { return p_.together; }
  [[nodiscard]] bool has_polarisation() const noexcept { return has_[LM_POLARISATION]; }
  [[nodiscard]] bool has_current() const noexcept { return has_[LM_CURRENT]; }
  [[nodiscard]] double pre_scale(std::uint32_t member) const noexcept { return call_.scale_of(member, p_.pre_scale); }
  [[nodiscard]] double post_scale(std::uint32_t member) const noexcept { return call_.scale_of(member, p_.post_scale); }

  // What lies in the work area, for node i of those together.
  enum Part : std::uint32_t { field, polarisation, current, between };
  [[nodiscard]] double* row(std::uint32_t worker, Part part, std::int64_t i, std::int64_t component) const noexcept {
    std::byte* const mine =
        work_ + (static_cast<std::int64_t>(worker) - static_cast<std::int64_t>(call_.raw().exec->worker)) *
                    call_.raw().work->pitch[0];
    return reinterpret_cast<double*>(mine +
                                     (place(part) + static_cast<std::uint64_t>(i * components_ + component)) * row_);
  }

  // Calls all responses for `nodes` nodes of entry `entry` of the active map, on the rows of the worker of `exec`.
  // Words: what the device's error text is read and cleared through, words.clear() and words.said().
  template <class Words>
  void respond(const lm_exec& exec, std::uint32_t entry, std::int64_t nodes, Words words) const {
    lm_members members = copy_of(*call_.raw().members);
    members.first = entry;
    members.n_active = 1;
    ResponseViews views = {};
    views[0] = view(field, nodes);
    lm_view rest = *call_.raw().work;
    rest.offset += place(between) * row_ + rows_together() * row_;
    for (std::uint32_t r = 0; r < p_.n_responses; ++r) {
      const lm_response& response = p_.responses[r];
      views[1] = view(response.output == LM_CURRENT ? current : polarisation, nodes);
      rest.extent[LM_AXIS_SAMPLE] = static_cast<std::int64_t>(response.work_bytes);
      call_response(call_, response, r, views, members, exec, rest, words);
    }
  }

private:
  void check_responses() {
    sdk::check_responses(p_.responses, p_.n_responses);
    for (std::uint32_t r = 0; r < p_.n_responses; ++r) {
      const lm_response& response = p_.responses[r];
      if (response.output > LM_CURRENT)
        throw Fault(LM_E_ARG, "response " + std::to_string(r) + " has an unknown output");
      has_[response.output] = true;
      largest_ = std::max(largest_, response.work_bytes);
    }
  }

  void lay_out() {
    row_ = round_up(16 * static_cast<std::uint64_t>(p_.n));
    work_ = call_.work(place(between) * row_ + rows_together() * row_ + largest_);
    const lm_view& area = *call_.raw().work;
    if (area.offset % 64 || area.pitch[0] % 64) throw Fault(LM_E_ARG, "the work area is not aligned");
    if (call_.raw().exec->n_workers > 1 && area.pitch[0] == 0)
      throw Fault(LM_E_ARG, "the work area has one row for several workers");
  }

  [[nodiscard]] std::uint64_t rows_together() const noexcept {
    return static_cast<std::uint64_t>(components_) * p_.together;
  }
  [[nodiscard]] std::uint64_t place(Part part) const noexcept {
    return rows_together() * (part == between && !has_current() ? std::uint64_t{current} : std::uint64_t{part});
  }

  [[nodiscard]] lm_view view(Part part, std::int64_t nodes) const noexcept {
    const lm_view& area = *call_.raw().work;
    const bool real = part == field ? p_.kind == LM_BAND_HALF : p_.kind != LM_BAND_ENVELOPE;
    const std::uint64_t size = real ? 8 : 16;
    lm_view v{};
    v.buffer = area.buffer;
    v.offset = (area.offset + place(part) * row_) / size;
    v.extent[LM_AXIS_MEMBER] = area.extent[LM_AXIS_MEMBER];
    v.extent[LM_AXIS_COMPONENT] = components_;
    v.extent[LM_AXIS_OUTER] = 1;
    v.extent[LM_AXIS_INNER] = nodes;
    v.extent[LM_AXIS_SAMPLE] = p_.n;
    const auto pitch = static_cast<std::int64_t>(row_ / size);
    v.pitch[LM_AXIS_MEMBER] = area.pitch[0] / static_cast<std::int64_t>(size);
    v.pitch[LM_AXIS_COMPONENT] = pitch;
    v.pitch[LM_AXIS_OUTER] = v.pitch[LM_AXIS_INNER] = pitch * components_;
    v.pitch[LM_AXIS_SAMPLE] = 1;
    v.dtype = real ? LM_F64 : LM_C128;
    v.flags = LM_VIEW_SCRATCH;
    return v;
  }

  const Call& call_;
  const lm_p_columns& p_;
  std::int64_t band_ = 0, components_ = 1;
  std::uint64_t row_ = 0, largest_ = 0;
  bool has_[2] = {};
  std::byte* work_ = nullptr;
};

}  // namespace lumarch::sdk
