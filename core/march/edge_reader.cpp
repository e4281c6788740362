// SPDX-License-Identifier: Apache-2.0
#include "march/edge_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "backend/plugin_text.hpp"

namespace lumarch {

EdgeReader::EdgeReader(Device& device, const TimeRim& rim) : device_(&device), rim_(rim) {
  const LoadedBackend& backend = device.backend();
  for (const auto& [key, entry] : backend.table.edge_readers) {  // versions of a name rise
    if (!readers_.empty() && readers_.back().name == key.first) readers_.pop_back();
    readers_.push_back({key.first, key.second, entry.fn, entry.from});
  }
  std::stable_partition(readers_.begin(), readers_.end(), [&](const Reader& r) { return r.from == backend.path; });
}

lm_status EdgeReader::call(const Reader& reader, const lm_view& time, const lm_members* members,
                           std::vector<double>& out) const {
  const lm_p_edge params{sizeof(lm_p_edge), 0, rim_.dt};
  lm_call call{};
  call.struct_size = sizeof call;
  call.n_views = 1;
  call.views = &time;
  call.members = members;
  call.exec = device_->exec();
  call.params = &params;
  call.params_size = sizeof params;
  const lm_edge_request request{sizeof(lm_edge_request), LM_AXES, 0, rim_.strip ? 1 : 0, rim_.fraction};
  try {
    return reader.fn(device_->handle(), &call, &request, out.data(), out.size());
  } catch (const std::exception& leaked) {
    throw Error(Fault::backend,
                "the edge reader " + reader.name + " of " + reader.from +
                    " threw an exception across the ABI, which it must not: " + plugin_text(leaked.what()));
  }
}

void EdgeReader::check(const Reader& reader, const std::vector<double>& out) const {
  const auto share = [](double value) { return value >= 0 && value <= 1 + 1e-9; };
  if (share(out[0]) && out[1] >= 0 && std::isfinite(out[1]) && share(out[2])) return;
  char text[200];
  std::snprintf(text, sizeof text, "share %.6g, energy %.6g J and peak %.6g", out[0], out[1], out[2]);
  throw Error(Fault::backend, "the edge reader " + reader.name + " of " + reader.from + " answered " + text +
                                  ", which no field has; lumarch-conform checks it");
}

std::optional<EdgeRim> EdgeReader::read(const lm_view& time, const lm_members* members, KernelsUsed& used) {
  for (; next_ < readers_.size(); ++next_) {
    const Reader& reader = readers_[next_];
    std::vector<double> out(3 + (rim_.strip ? rim_.samples : 0), std::nan(""));
    const lm_status status = call(reader, time, members, out);
    if (status == LM_E_UNSUPPORTED) continue;
    if (status != LM_OK)
      throw Error(Fault::backend, "the edge reader " + reader.name + " of " + reader.from + " failed (status " +
                                      std::to_string(status) + ")");
    if (!(out[0] == out[0]) && out[1] == 0) out[0] = out[2] = 0;  // no light: none at the rim
    check(reader, out);
    if (!told_)
      used.add({reader.name, reader.version, "edge", reader.from == device_->backend().path ? "" : reader.from});
    told_ = true;
    EdgeRim rim{out[0], out[1], out[2], {}};
    for (std::size_t i = 3; i < out.size(); ++i) rim.strip.push_back(out[i] / rim_.dt);  // W
    return rim;
  }
  return std::nullopt;
}

}  // namespace lumarch
