// SPDX-License-Identifier: Apache-2.0
#include "scene.hpp"

#include <algorithm>
#include <bit>

namespace lumarch::conform {

double guard() { return std::bit_cast<double>(std::uint64_t{0x7FF8'DEAD'BEEF'CAFE}); }

Array make_array(std::int32_t dtype, std::int64_t n, std::uint32_t members, std::uint32_t workers, const Lay& lay) {
  Array array;
  array.dtype = dtype;
  array.lay = lay;
  const auto width = static_cast<std::int64_t>(array.width());
  const std::int64_t line = lay.aligned ? 8 / width : 1;
  const auto rounded = [line](std::int64_t elements) { return (elements + line - 1) / line * line; };
  const std::int64_t row = rounded(n + lay.gap);
  const std::int64_t front = rounded(lay.front);
  const std::int64_t many = lay.shared ? 1 : lay.scratch ? workers : members;
  lm_view& v = array.view;
  v.dtype = dtype;
  v.offset = static_cast<std::uint64_t>(front);
  v.extent[LM_AXIS_MEMBER] = many;
  v.extent[LM_AXIS_COMPONENT] = lay.components;
  v.extent[LM_AXIS_OUTER] = lay.outer;
  v.extent[LM_AXIS_INNER] = lay.inner;
  v.extent[LM_AXIS_SAMPLE] = n;
  v.pitch[LM_AXIS_SAMPLE] = 1;
  v.pitch[LM_AXIS_INNER] = row;
  v.pitch[LM_AXIS_OUTER] = row * lay.inner;
  v.pitch[LM_AXIS_COMPONENT] = row * lay.inner * lay.outer;
  const std::int64_t member = row * lay.inner * lay.outer * lay.components;
  v.pitch[LM_AXIS_MEMBER] = lay.shared ? 0 : member;
  v.bank = lay.banked ? static_cast<std::uint64_t>(member * many) : 0;
  if (lay.scratch) v.flags = LM_VIEW_SCRATCH;
  const std::int64_t elements = front + member * many * (lay.banked ? 2 : 1) + rounded(8);
  array.image.assign(static_cast<std::size_t>(elements * width), guard());
  return array;
}

std::vector<std::size_t> Scene::rows(const Seen& seen, std::uint32_t member) const {
  const lm_view& v = arrays[static_cast<std::size_t>(seen.array)].view;
  const std::uint64_t bank = (members.parity[member] ^ (seen.flip ? 1u : 0u)) & 1u ? v.bank : 0;
  std::int64_t m = member;
  std::vector<std::size_t> out;
  if (v.flags & LM_VIEW_SCRATCH) {
    const auto begin = members.active.begin() + members.first, end = begin + members.n_active;
    const auto entry = std::find(begin, end, member);
    if (entry == end) return out;
    m = together ? (entry - begin) % together : 0;
  }
  for (std::int64_t c = 0; c < v.extent[1]; ++c)
    for (std::int64_t y = 0; y < v.extent[2]; ++y)
      for (std::int64_t x = 0; x < v.extent[3]; ++x)
        out.push_back(v.offset + bank +
                      static_cast<std::size_t>(m * v.pitch[0] + c * v.pitch[1] + y * v.pitch[2] + x * v.pitch[3]));
  return out;
}

std::int64_t Scene::samples(const Seen& seen) const {
  return arrays[static_cast<std::size_t>(seen.array)].view.extent[LM_AXIS_SAMPLE];
}

std::vector<std::uint32_t> Scene::working() const {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = members.first; i < members.first + members.n_active; ++i)
    if (members.status[members.active[i]] == LM_RUNNING) out.push_back(members.active[i]);
  return out;
}

std::vector<std::uint32_t> Scene::left_in_scratch() const {
  const std::uint32_t piece = together ? together : 1;
  const std::uint32_t begin = members.n_active ? (members.n_active - 1) / piece * piece : 0;
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = members.first + begin; i < members.first + members.n_active; ++i)
    if (members.status[members.active[i]] == LM_RUNNING) out.push_back(members.active[i]);
  // One worker works on all in turn: what it leaves is the last one's that was not left out.
  if (!together && out.empty() && !working().empty()) out.push_back(working().back());
  return out;
}

}  // namespace lumarch::conform
