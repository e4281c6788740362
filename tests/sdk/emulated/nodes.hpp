// Fields with components and nodes on the emulated device, members with factors, and single calls of kernels: for the
// tests of the kernels of transverse routes and of media in SI, against formulas that the tests write out.
#pragma once

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "plugins/driver.hpp"

namespace lumarch::test {

using driver::Complex;
using Extents = std::array<std::int64_t, LM_AXES>;  // members, components, outer, inner, samples

inline const driver::Plugin& emulated() {
  static const driver::Plugin loaded(LUMARCH_BACKEND_DIR "/liblumarch_backend_emulated.so");
  return loaded;
}

// All that the plugin registers, by name and version.
inline lm_kernel_fn kernel(const std::string& name, std::uint32_t version = 1) {
  using Table = std::map<std::pair<std::string, std::uint32_t>, lm_kernel_fn>;
  static const Table table = [] {
    Table out;
    const lm_registrar registrar = {
        sizeof(lm_registrar),
        0,
        &out,
        [](void* ctx, const char*, const char* called, std::uint32_t v, lm_kernel_fn fn) noexcept -> lm_status {
          return static_cast<Table*>(ctx)->emplace(std::pair{std::string(called), v}, fn).second ? LM_OK : LM_E_ARG;
        },
        nullptr,
        nullptr};
    const driver::Host host;
    if (emulated().get().register_all(host.get(), &registrar) != LM_OK) throw std::runtime_error("register_all failed");
    return out;
  }();
  const auto at = table.find({name, version});
  if (at == table.end()) throw std::runtime_error("there is no kernel " + name + " " + std::to_string(version));
  return at->second;
}

// A device that works in one of the orders and widths; body(device) for each.
template <class Body>
void in_all_orders(Body&& body) {
  for (const char* order : {"forward", "reversed", "shuffled"})
    for (const char* warp : {"32", "64"}) {
      CAPTURE(order);
      CAPTURE(warp);
      const driver::Host host;
      const driver::Device device(emulated(), host, {{"order", order}, {"warp", warp}, {"workers", "5"}});
      body(device);
    }
}

struct Kind {
  bool shared = false, scratch = false, banked = false;
};

// Rows with gaps between them; NaN until they are written.
template <class T>
class Field {
public:
  Field(const driver::Device& device, const Extents& extents, const Kind& kind = {}) : device_(&device) {
    const std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(T));
    std::int64_t pitch = (extents[4] + line - 1) / line * line + line;
    view.dtype = sizeof(T) == 16 ? LM_C128 : LM_F64;
    view.flags = kind.scratch ? std::uint32_t{LM_VIEW_SCRATCH} : 0u;
    view.pitch[LM_AXIS_SAMPLE] = 1;
    for (int axis = LM_AXIS_INNER; axis >= 0; --axis) {
      view.pitch[axis] = pitch;
      pitch *= std::max<std::int64_t>(1, extents[static_cast<std::size_t>(axis)]);
    }
    for (std::size_t axis = 0; axis < LM_AXES; ++axis) view.extent[axis] = extents[axis];
    if (kind.shared) view.pitch[LM_AXIS_MEMBER] = 0;
    if (kind.banked) view.bank = static_cast<std::uint64_t>(pitch);
    values.assign(static_cast<std::size_t>(kind.banked ? 2 * pitch : pitch), T(std::nan("")));
    view.buffer = device.alloc(values.size() * sizeof(T));
  }
  // Random values of the size given, everywhere, also between the rows.
  Field& random(unsigned seed, double size = 1.0) {
    std::mt19937 source(seed);
    std::uniform_real_distribution<double> any(-size, size);
    auto* at = reinterpret_cast<double*>(values.data());
    for (std::size_t i = 0; i < values.size() * sizeof(T) / 8; ++i) at[i] = any(source);
    return put();
  }
  Field& put() {
    device_->check(device_->api.upload(device_->handle, view.buffer, 0, values.data(), values.size() * sizeof(T)));
    return *this;
  }
  Field& get() {
    device_->check(device_->api.download(device_->handle, view.buffer, 0, values.data(), values.size() * sizeof(T)));
    return *this;
  }
  // Axes of extent 1 are repeated, as kernels do.
  [[nodiscard]] T& operator()(std::int64_t m, std::int64_t c, std::int64_t y, std::int64_t x, std::int64_t s,
                              unsigned parity = 0) {
    const std::int64_t index[LM_AXES] = {m, c, y, x, s};
    std::int64_t place = static_cast<std::int64_t>(parity * view.bank);
    for (int axis = 0; axis < LM_AXES; ++axis)
      place += view.extent[axis] == 1 && axis > 0 ? 0 : index[axis] * view.pitch[axis];
    return values[static_cast<std::size_t>(place)];
  }

  lm_view view{};
  std::vector<T> values;

private:
  const driver::Device* device_;
};

// Members with two factors each. One of them does not run, where there are two or more.
class Members {
public:
  static constexpr std::uint32_t n_scales = 2;
  Members(const driver::Device& device, std::uint32_t count) : status(count, LM_RUNNING), parity(count, 0) {
    const std::uint64_t part = (8 * std::uint64_t{count} * n_scales + 63) / 64 * 64;
    get = {sizeof(lm_members), count,    count,    0,        2,        0,        0, 0, part,
           2 * part,           3 * part, 4 * part, 5 * part, 6 * part, n_scales, 0};
    get.block = device.alloc(7 * part);
    std::vector<std::uint32_t> active(count);
    for (std::uint32_t m = 0; m < count; ++m) {
      active[m] = count - 1 - m;
      parity[m] = m % 2;
      scales.push_back(0.5 + m);
      scales.push_back(1.5 - 2.0 * m);
    }
    if (count > 1) status[count - 2] = LM_DONE;
    const auto write = [&](std::uint64_t offset, const auto& v) {
      device.check(device.api.upload(device.handle, get.block, offset, v.data(), v.size() * sizeof(v[0])));
    };
    write(get.h, std::vector<double>(count, 1.0));
    write(get.active, active);
    write(get.parity, parity);
    write(get.status, status);
    write(get.parity, parity);
    write(get.scales, scales);
  }
  [[nodiscard]] bool runs(std::int64_t m) const { return status[static_cast<std::size_t>(m)] == LM_RUNNING; }
  [[nodiscard]] double scale(std::int64_t m, std::uint32_t which) const {
    return which == 0 ? 1.0 : scales[static_cast<std::size_t>(m) * n_scales + which - 1];
  }

  lm_members get{};
  std::vector<std::uint8_t> status, parity;
  std::vector<double> scales;
};

// A work area of so many bytes a worker.
class WorkArea {
public:
  WorkArea(const driver::Device& device, std::uint64_t bytes) {
    const std::uint32_t workers = device.api.workers(device.handle);
    const auto pitch = static_cast<std::int64_t>((bytes + 63) / 64 * 64 + 64);
    for (std::int64_t& extent : view.extent) extent = 1;
    view.extent[LM_AXIS_MEMBER] = workers;
    view.extent[LM_AXIS_SAMPLE] = static_cast<std::int64_t>(bytes);
    view.pitch[LM_AXIS_MEMBER] = pitch;
    view.pitch[LM_AXIS_SAMPLE] = 1;
    view.dtype = LM_U8;
    view.flags = LM_VIEW_SCRATCH;
    view.buffer = device.alloc(static_cast<std::uint64_t>(pitch) * workers);
  }
  lm_view view{};
};

constexpr std::uint64_t up(std::uint64_t bytes) { return (bytes + 63) / 64 * 64; }
constexpr std::uint64_t row_bytes(std::int64_t samples, std::uint64_t size = 16) {
  return up(size * static_cast<std::uint64_t>(samples));
}

struct Wish {
  std::vector<lm_view> views;
  std::vector<lm_plan*> plans;
  const lm_view* work = nullptr;
};

// One call.
template <class P>
lm_status call(const driver::Device& device, lm_kernel_fn fn, const lm_members& members, const Wish& wish, const P& p) {
  constexpr bool any = !std::is_same_v<P, std::nullptr_t>;
  const lm_call raw = {sizeof(lm_call),
                       static_cast<std::uint32_t>(wish.views.size()),
                       wish.views.data(),
                       &members,
                       device.api.exec(device.handle),
                       any ? static_cast<const void*>(&p) : nullptr,
                       any ? std::uint32_t{sizeof(P)} : 0u,
                       static_cast<std::uint32_t>(wish.plans.size()),
                       wish.plans.data(),
                       wish.work};
  return fn(device.handle, &raw);
}

// body(m, c, y, x, s) for all of a view.
template <class Body>
void for_each(const lm_view& view, Body&& body) {
  for (std::int64_t m = 0; m < view.extent[0]; ++m)
    for (std::int64_t c = 0; c < view.extent[1]; ++c)
      for (std::int64_t y = 0; y < view.extent[2]; ++y)
        for (std::int64_t x = 0; x < view.extent[3]; ++x)
          for (std::int64_t s = 0; s < view.extent[4]; ++s) body(m, c, y, x, s);
}

// The largest distance of `got` from want(m, c, y, x, s), in units of the largest value; members that do not run must
// have what they had before.
template <class T, class Want>
double apart(Field<T>& got, const Members& members, const std::vector<T>& before, Want&& want) {
  got.get();
  double most = 0.0, largest = 1e-300;
  for_each(got.view, [&](std::int64_t m, std::int64_t c, std::int64_t y, std::int64_t x, std::int64_t s) {
    const unsigned parity = members.parity[static_cast<std::size_t>(m)];
    const T& value = got(m, c, y, x, s, parity);
    if (!members.runs(m)) {
      const T& was = before[static_cast<std::size_t>(&value - got.values.data())];
      if (std::memcmp(&value, &was, sizeof was) != 0) most = INFINITY;
      return;
    }
    const T right = want(m, c, y, x, s);
    const double distance = std::abs(value - right);
    most = std::isnan(distance) ? INFINITY : std::max(most, distance);
    largest = std::max(largest, std::abs(right));
  });
  return most / largest;
}

// sum_s exp(sign 2 pi i k s/n) x_s
inline std::vector<Complex> dft(const std::vector<Complex>& x, int sign) {
  const std::size_t n = x.size();
  std::vector<Complex> out(n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t s = 0; s < n; ++s)
      out[k] += std::polar(1.0, sign * 2.0 * M_PI * static_cast<double>(k * s % n) / static_cast<double>(n)) * x[s];
  return out;
}

}  // namespace lumarch::test
