// SPDX-License-Identifier: Apache-2.0
// What kernels check before they begin, beside the views themselves (call.hpp).
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include <lumarch/sdk/call.hpp>

namespace lumarch::sdk {

inline void check_views(const Call& call, std::uint32_t least, std::uint32_t most) {
  if (call.n_views() >= least && call.n_views() <= most) return;
  throw Fault(LM_E_ARG, std::to_string(call.n_views()) + " views were given; " + std::to_string(least) +
                            (least == most ? "" : " to " + std::to_string(most)) + " are needed");
}

// Outputs are a row a member.
inline void check_output(const Call& call, std::uint32_t view) {
  const lm_view& v = call.raw().views[view];
  const std::uint32_t rows = v.flags & LM_VIEW_SCRATCH ? call.raw().exec->n_workers : call.raw().members->count;
  if (rows > 1 && v.pitch[LM_AXIS_MEMBER] == 0)
    throw Fault(LM_E_ARG, "view " + std::to_string(view) + " is written, and cannot be shared by members");
  for (int axis = LM_AXIS_COMPONENT; axis < LM_AXIS_SAMPLE; ++axis)
    if (v.extent[axis] > 1 && v.pitch[axis] == 0)
      throw Fault(LM_E_ARG, "view " + std::to_string(view) + " is written, and cannot have a pitch of 0");
}

// Inputs have the axes of view `like` or extent 1 there.
inline void check_shape(const Call& call, std::uint32_t view, std::uint32_t like) {
  const lm_view &v = call.raw().views[view], &shape = call.raw().views[like];
  for (int axis = LM_AXIS_COMPONENT; axis < LM_AXIS_SAMPLE; ++axis)
    if (v.extent[axis] != shape.extent[axis] && v.extent[axis] != 1)
      throw Fault(LM_E_ARG,
                  "view " + std::to_string(view) + " has other components or nodes than view " + std::to_string(like));
}

// The parameters of a sum of rows, with terms of any level, and with terms of level 0 alone.
inline const lm_p_combine& combination(const Call& call) {
  const auto& p = call.params<lm_p_combine>();
  if (p.n < 1 || p.n > LM_MAX_TERMS) throw Fault(LM_E_ARG, "a sum has 1 to " + std::to_string(LM_MAX_TERMS) + " terms");
  for (std::uint32_t j = 0; j < p.n; ++j) {
    if (p.term[j].hpow != 0 && p.term[j].hpow != 1) throw Fault(LM_E_ARG, "the power of h in a term is 0 or 1");
    if (p.term[j].level < 0 || p.term[j].level > 2) throw Fault(LM_E_ARG, "the level of a term is 0, 1 or 2");
  }
  return p;
}

inline const lm_p_combine& plain_combination(const Call& call) {
  const lm_p_combine& p = combination(call);
  for (std::uint32_t j = 0; j < p.n; ++j)
    if (p.term[j].level != 0) throw Fault(LM_E_ARG, "all terms are of level 0 here");
  return p;
}

// The parameters of a sum whose terms have factors of the member: `level` is 0 for none, else 1 + the entry.
inline const lm_p_combine& scaled_combination(const Call& call) {
  const auto& p = call.params<lm_p_combine>();
  if (p.n < 1 || p.n > LM_MAX_TERMS) throw Fault(LM_E_ARG, "a sum has 1 to " + std::to_string(LM_MAX_TERMS) + " terms");
  for (std::uint32_t j = 0; j < p.n; ++j) {
    if (p.term[j].hpow != 0 && p.term[j].hpow != 1) throw Fault(LM_E_ARG, "the power of h in a term is 0 or 1");
    if (p.term[j].level < 0) throw Fault(LM_E_ARG, "the scale of a term is 0 or more");
    call.check_scales(static_cast<std::uint32_t>(p.term[j].level));
  }
  return p;
}

// Two entries of a member's numbers, from `slot` on.
inline void check_slot(const Call& call, std::uint32_t slot) {
  const std::uint32_t entries = call.raw().members->n_numbers;
  if (entries < 2 || slot > entries - 2) throw Fault(LM_E_ARG, "the slot lies outside the numbers of a member");
}

inline const lm_p_response& response_parameters(const Call& call) {
  const auto& p = call.params<lm_p_response>();
  if (p.flags & ~std::uint32_t{LM_RESPONSE_ACCUMULATE}) throw Fault(LM_E_UNSUPPORTED, "unknown flags");
  return p;
}

// rhs.fibre: one row a member in each view that is given.
inline void check_single_rows(const Call& call) {
  for (std::uint32_t i = 0; i < call.n_views(); ++i)
    for (int axis = LM_AXIS_COMPONENT; call.raw().views[i].buffer && axis < LM_AXIS_SAMPLE; ++axis)
      if (call.raw().views[i].extent[axis] != 1)
        throw Fault(LM_E_UNSUPPORTED, "rhs.fibre takes one row a member; compose it for modes and polarisations");
}

// A copy of members, to be changed; of those of an older core, which are shorter, the rest is 0.
inline lm_members copy_of(const lm_members& members) {
  lm_members out{};
  const std::size_t bytes = std::min<std::size_t>(members.struct_size, sizeof out);
  std::memcpy(&out, &members, bytes);
  out.struct_size = static_cast<std::uint32_t>(bytes);
  return out;
}

// What `run` is given.
inline void check_list(const lm_step* list, std::uint32_t n, const lm_members* members) {
  if (!members || members->struct_size < LM_MEMBERS_1_0) throw Fault(LM_E_ARG, "lm_members is missing or too short");
  if (members->first > members->count || members->n_active > members->count - members->first)
    throw Fault(LM_E_ARG, "the active range lies outside the batch");
  if (n && !list) throw Fault(LM_E_ARG, "the list is missing");
  for (std::uint32_t i = 0; i < n; ++i)
    if (!list[i].fn || !list[i].call) throw Fault(LM_E_ARG, "step " + std::to_string(i) + " of the list is missing");
}

// What is said for a kernel or a response that failed and left no words, as one of another plugin cannot.
inline std::string silent(const char* what, std::uint32_t number, lm_status status) {
  return std::string(what) + " " + std::to_string(number) + " answered with status " + std::to_string(status) +
         " and left no words";
}

// The 64 bytes that rows and parts of work areas begin on.
constexpr std::uint64_t round_up(std::uint64_t bytes) { return (bytes + 63) / 64 * 64; }

}  // namespace lumarch::sdk
