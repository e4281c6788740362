// SPDX-License-Identifier: Apache-2.0
// How much light stands at the rim of the time window: share, energy and peak, as docs/kernels.md has it.
#include <algorithm>

#include <lumarch/sdk/call.hpp>

#include "kernels.hpp"

namespace example {

namespace {

using lumarch::sdk::Call;
using lumarch::sdk::Complex;
using lumarch::sdk::Fault;
using lumarch::sdk::RowIndex;

// The products are rounded one by one, so that a sample on the boundary falls on the same side on every device.
class Rim {
public:
  Rim(std::int64_t n, double dt, double fraction) : centre_(n / 2), dt_(dt) {
    const double half = static_cast<double>(n) * dt / 2;
    const double inner = (1 - fraction) * half;
    bound_ = inner * inner;
  }
  [[nodiscard]] bool holds(std::int64_t sample) const {
    const double u = static_cast<double>(sample - centre_) * dt_;
    return u * u >= bound_;
  }

private:
  std::int64_t centre_;
  double dt_, bound_;
};

}  // namespace

lm_status time_rim(lm_device* device, const lm_call* raw, const lm_edge_request* request, double* out,
                   std::uint64_t out_len) noexcept {
  return lumarch::sdk::fence([](const char*) {},
                             [&] {
                               if (!raw || !raw->views || raw->n_views < 1)
                                 throw Fault(LM_E_ARG, "the field is missing");
                               if (!request || request->struct_size < sizeof *request)
                                 throw Fault(LM_E_ARG, "the request is missing or short");
                               if (request->axis != LM_AXES)
                                 throw Fault(LM_E_UNSUPPORTED, "another rim than that of time");
                               if (!(request->fraction > 0 && request->fraction <= 1))
                                 throw Fault(LM_E_ARG, "a rim of no width, or too wide");
                               lm_view field = raw->views[0];
                               for (const int axis : {LM_AXIS_COMPONENT, LM_AXIS_OUTER, LM_AXIS_INNER})
                                 if (field.extent[axis] != 1)
                                   throw Fault(LM_E_UNSUPPORTED, "a field with components or nodes");
                               if (request->parity & 1) field.flags ^= LM_VIEW_FLIP;
                               lm_call given = *raw;
                               given.views = &field;
                               given.n_views = 1;
                               const Call call(device, &given);
                               const auto A = call.rows<Complex>(0);
                               const double dt = call.params<lm_p_edge>().measure;
                               const Rim rim(A.samples, dt, request->fraction);
                               std::uint64_t samples = 0;
                               for (std::int64_t s = 0; s < A.samples; ++s) samples += rim.holds(s);
                               const std::uint64_t each = 3 + (request->strip ? samples : 0);
                               if (!out || out_len < each * raw->members->n_active)
                                 throw Fault(LM_E_ARG, "there is no room for the numbers");
                               call.for_each_member([&](const RowIndex& at) {
                                 double* numbers = out + each * (at.entry - raw->members->first);
                                 double total = 0, in_rim = 0, highest = 0, highest_in_rim = 0;
                                 std::uint64_t next = 3;
                                 for (std::int64_t s = 0; s < A.samples; ++s) {
                                   const double power = std::norm(A(at)[s]);
                                   total += power;
                                   highest = std::max(highest, power);
                                   if (!rim.holds(s)) continue;
                                   in_rim += power;
                                   highest_in_rim = std::max(highest_in_rim, power);
                                   if (request->strip) numbers[next++] = power * dt;
                                 }
                                 numbers[0] = in_rim / total;
                                 numbers[1] = in_rim * dt;
                                 numbers[2] = highest_in_rim / highest;
                               });
                             });
}

}  // namespace example
