// SPDX-License-Identifier: Apache-2.0
// The reference backend with one fault, chosen by FAULT: what lumarch-conform must find.
#include <cstring>
#include <string_view>
#include <vector>

#include "device.hpp"

namespace {

using lumarch::reference::Complex;
using Kernel = lm_status (*)(lm_device*, const lm_call*) noexcept;
using lumarch::sdk::RowIndex;

// The reference's kernel on views that `change` has changed.
template <class Change>
lm_status with_views(Kernel fn, lm_device* device, const lm_call* call, Change change) {
  if (!call || !call->views || call->n_views == 0 || call->n_views > 16) return fn(device, call);
  std::vector<lm_view> views(call->views, call->views + call->n_views);
  for (lm_view& view : views) change(view);
  lm_call other = *call;
  other.views = views.data();
  return fn(device, &other);
}

// After the reference has done it right: body(row of view 0, its samples).
template <class Body>
lm_status afterwards(Kernel fn, lm_device* device, const lm_call* call, Body body) {
  const lm_status status = fn(device, call);
  if (status != LM_OK) return status;
  return lumarch::reference::kernel(device, call, [&](const lumarch::sdk::Call& c) {
    const auto out = c.rows<Complex>(0);
    c.for_each_row(0, [&](const RowIndex& at) { body(out(at), out.samples); });
  });
}

// The member block of a call of a host-memory device.
template <class T>
T* part(lm_device* device, const lm_call* call, std::uint64_t offset) {
  std::uint64_t bytes = 0;
  return reinterpret_cast<T*>(static_cast<std::byte*>(call->exec->resolve(device, call->members->block, &bytes)) +
                              offset);
}

lm_status broken(lm_device* device, const lm_call* call) noexcept {
  using namespace lumarch::reference;
  switch (FAULT) {
    case 0:  // writes one element behind the row
      return afterwards(&lin_apply, device, call, [](Complex* row, std::int64_t n) { row[n] = 0; });
    case 1: {  // works on members that are done
      if (!call || !call->members || !call->exec || lincomb(device, call) != LM_OK) return lincomb(device, call);
      auto* status = part<std::uint8_t>(device, call, call->members->status);
      const std::vector<std::uint8_t> kept(status, status + call->members->count);
      std::memset(status, LM_RUNNING, kept.size());
      const lm_status answer = lincomb(device, call);
      std::memcpy(status, kept.data(), kept.size());
      return answer;
    }
    case 2:  // off by 1e-9 in one element
    case 10:
      return afterwards(&lincomb, device, call, [](Complex* row, std::int64_t n) { row[n / 2] += 1e-9; });
    case 3:  // ignores the flip
      return with_views(&lincomb, device, call, [](lm_view& view) { view.flags &= ~std::uint32_t{LM_VIEW_FLIP}; });
    case 4:  // crashes on n = 1
      if (call && call->n_views && call->views && call->views[0].extent[LM_AXIS_SAMPLE] == 1) __builtin_trap();
      return fft_exec(device, call);
    case 5:  // never comes back
      if (call && call->n_views && call->views && call->views[0].extent[LM_AXIS_SAMPLE] == 7)
        for (volatile bool on = true; on;) {
        }
      return response_kerr(device, call);
    case 6:  // takes a shared table for one row a member, as far as there are rows
      return with_views(&mul, device, call, [](lm_view& view) {
        if (view.pitch[0] == 0 && view.extent[LM_AXIS_COMPONENT] == 1) view.offset += 1;
      });
    case 7: {  // is happy without views
      const lm_status answer = response_raman(device, call);
      return call && call->n_views == 0 ? LM_OK : answer;
    }
    case 8:  // h of the first member for all
      if (call && call->members && call->exec && call->members->count > 1 &&
          call->members->struct_size == sizeof(lm_members)) {
        std::uint64_t bytes = 0;
        if (call->exec->resolve(device, call->members->block, &bytes) &&
            call->members->h + 8ull * call->members->count <= bytes) {
          auto* h = part<double>(device, call, call->members->h);
          const std::vector<double> kept(h, h + call->members->count);
          for (std::uint32_t m = 0; m < call->members->count; ++m) h[m] = kept[0];
          const lm_status answer = lin_prepare(device, call);
          std::memcpy(h, kept.data(), kept.size() * sizeof(double));
          return answer;
        }
      }
      return lin_prepare(device, call);
    case 11:  // takes the Nyquist frequency of a band for a positive one
      return afterwards(&fft_pad, device, call, [call](Complex* row, std::int64_t longer) {
        const std::int64_t n = call->views[1].extent[LM_AXIS_SAMPLE];
        if (n % 2 == 0 && longer > n && call->views[2].buffer == 0) std::swap(row[n / 2], row[longer - n / 2]);
      });
    case 12:  // each component in its own field alone
      if (call && call->views && call->n_views == 2 && call->views[0].extent[LM_AXIS_COMPONENT] == 2 &&
          call->views[1].extent[LM_AXIS_COMPONENT] == 2) {
        lm_status answer = LM_OK;
        for (const std::uint64_t component : {0, 1})
          if (answer == LM_OK)
            answer = with_views(&response_kerr_2, device, call, [component](lm_view& view) {
              view.extent[LM_AXIS_COMPONENT] = 1;
              view.offset += component * static_cast<std::uint64_t>(view.pitch[LM_AXIS_COMPONENT]);
            });
        return answer;
      }
      return response_kerr_2(device, call);
    case 13:  // forgets the member's factor
      if (call && call->params && call->params_size == sizeof(lm_p_plasma)) {
        lm_p_plasma p = *static_cast<const lm_p_plasma*>(call->params);
        p.scale = 0;
        lm_call other = *call;
        other.params = &p;
        return response_plasma(device, &other);
      }
      return response_plasma(device, call);
    case 14:  // has no window
      if (call && call->views && call->n_views > 4) {
        std::vector<lm_view> views(call->views, call->views + call->n_views);
        views[3].buffer = 0;
        lm_call other = *call;
        other.views = views.data();
        return rhs_columns(device, &other);
      }
      return rhs_columns(device, call);
    case 15:  // forgets the member's factors
      if (call && call->params && call->params_size == sizeof(lm_p_combine)) {
        lm_p_combine p = *static_cast<const lm_p_combine*>(call->params);
        for (lm_term& term : p.term) term.level = 0;
        lm_call other = *call;
        other.params = &p;
        return lincomb_2(device, &other);
      }
      return lincomb_2(device, call);
    case 16:  // the factors of the first member for all
      if (call && call->members && call->exec && call->members->struct_size == sizeof(lm_members)) {
        std::uint64_t bytes = 0;
        const std::uint64_t end = call->members->scales + 8ull * call->members->count * call->members->n_scales;
        if (call->exec->resolve(device, call->members->block, &bytes) && end <= bytes) {
          auto* scales = part<double>(device, call, call->members->scales);
          const std::size_t n = call->members->n_scales;
          const std::vector<double> kept(scales, scales + n * call->members->count);
          for (std::size_t i = n; i < kept.size(); ++i) scales[i] = kept[i % n];
          const lm_status answer = reduce_error_2(device, call);
          std::memcpy(scales, kept.data(), kept.size() * sizeof(double));
          return answer;
        }
      }
      return reduce_error_2(device, call);
    default:  // repairs NaNs
      return afterwards(&response_kerr, device, call, [call, device](Complex*, std::int64_t) {
        (void)lumarch::reference::kernel(device, call, [](const lumarch::sdk::Call& c) {
          const auto out = c.rows<Complex>(1);
          c.for_each_row(0, [&](const RowIndex& at) {
            for (std::int64_t s = 0; s < out.samples; ++s)
              if (out(at)[s] != out(at)[s]) out(at)[s] = 0;
          });
        });
      });
  }
}

struct Name {
  std::string_view name;
  uint32_t version = 1;
};
constexpr Name broken_name[] = {{"lin.apply"},        {"core.lincomb"},    {"core.lincomb"}, {"core.lincomb"},
                                {"fft.exec"},         {"response.kerr"},   {"core.mul"},     {"response.raman"},
                                {"lin.prepare"},      {"response.kerr"},   {"core.lincomb"}, {"fft.pad"},
                                {"response.kerr", 2}, {"response.plasma"}, {"rhs.columns"},  {"core.lincomb", 2},
                                {"reduce.error", 2}};

lm_status take(void* ctx, const char* backend, const char* name, uint32_t version, lm_kernel_fn fn) noexcept {
  const auto* to = static_cast<const lm_registrar*>(ctx);
  const bool mine = broken_name[FAULT].name == name && broken_name[FAULT].version == version;
  return to->kernel(to->ctx, backend, name, version, mine ? &broken : fn);
}

lm_status register_all(const lm_host* host, const lm_registrar* to) noexcept {
  lm_registrar between = *to;
  between.ctx = const_cast<lm_registrar*>(to);
  between.kernel = &take;
  return lumarch::reference::register_kernels(host, &between);
}

void shutdown() noexcept {}

// The last one says what it knows of itself.
const void* extension(const char* id) noexcept {
  static constexpr lm_known_failure list[] = {{"kernel.core.lincomb.lengths", "a reason"},
                                              {"table.count", "no reason"}};
  static constexpr lm_known_failures known = {sizeof known, 2, list};
  return FAULT == 10 && std::string_view(id) == LM_EXT_KNOWN_FAILURES ? &known : nullptr;
}

}  // namespace

extern "C" LM_EXPORT const lm_plugin lm_plugin_v1 = {LM_MAGIC,
                                                     LM_ABI_MAJOR,
                                                     LM_ABI_MINOR,
                                                     sizeof(lm_plugin),
                                                     LM_LAYOUT,
                                                     NAME,
                                                     "0",
                                                     "broken on purpose",
                                                     &lumarch::reference::device_api,
                                                     &register_all,
                                                     &shutdown,
                                                     nullptr,
                                                     &extension};
