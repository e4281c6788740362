// SPDX-License-Identifier: Apache-2.0
// What scenes of kernels are made with: arrays, plans and members of one shape.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "kernel_scenes.hpp"

namespace lumarch::conform {

inline constexpr double eps = std::numeric_limits<double>::epsilon();

inline double stages(std::int64_t n) { return std::max(1.0, std::log2(static_cast<double>(n))); }

// Puts arrays, members and calls of one scene together.
class Maker {
public:
  explicit Maker(const Shape& shape) : shape_(shape) {
    scene.together = shape.together;
    make_members();
  }

  // Rows of a field; an input is filled, an output keeps the guard's NaN in every row.
  Seen rows(std::int64_t n, Kind kind, bool filled, std::int32_t dtype = LM_C128) {
    Lay lay = lay_of();
    lay.banked = shape_.banked && !shape_.scratch;
    lay.scratch = shape_.scratch;
    return add(n, kind, filled, dtype, lay);
  }
  Seen table(std::int64_t n, Kind kind, std::int32_t dtype = LM_C128) {
    Lay lay = lay_of();
    lay.shared = shape_.shared;
    return add(n, kind, true, dtype, lay);
  }
  // One for all members, with axes of its own.
  Seen shared_table(std::int64_t n, Kind kind, std::int32_t dtype, std::int64_t components = 1, std::int64_t inner = 1,
                    std::int64_t long_side = 0) {
    Lay lay = lay_of();
    lay.shared = true;
    lay.components = components;
    lay.outer = 1;
    lay.inner = inner;
    return add(n, kind, true, dtype, lay, long_side);
  }
  // Components and nodes of what is made from here on.
  void axes(std::int64_t components, std::int64_t outer, std::int64_t inner) {
    shape_.components = components;
    shape_.outer = outer;
    shape_.inner = inner;
  }
  int fft(int kind, int direction, bool in_place = false) { return fft_of(shape_.n, kind, direction, in_place); }
  int fft_of(std::int64_t n, int kind, int direction, bool in_place = false) {
    PlanSpec plan;
    plan.desc.kind = kind;
    plan.desc.dtype = LM_C128;
    plan.desc.direction = direction;
    plan.desc.n = n;
    plan.desc.in_place = in_place;
    scene.plans.push_back(plan);
    return static_cast<int>(scene.plans.size()) - 1;
  }
  int propagator(int D, double node, bool lossless) {
    PlanSpec plan;
    plan.fft = false;
    plan.D = D;
    plan.node = node;
    plan.lossless = lossless;
    scene.plans.push_back(plan);
    return static_cast<int>(scene.plans.size()) - 1;
  }
  // A NaN into a row of the first member, an infinity into one of the next.
  void spoil(Seen seen) {
    if (!shape_.non_finite) return;
    Array& array = scene.arrays[static_cast<std::size_t>(seen.array)];
    const auto n = static_cast<std::size_t>(array.view.extent[LM_AXIS_SAMPLE]);
    const auto set = [&](std::uint32_t member, std::size_t s, double value) {
      if (member < scene.members.count) array.image[(scene.rows(seen, member)[0] + s) * array.width()] = value;
    };
    set(0, n / 2, std::numeric_limits<double>::quiet_NaN());
    set(1, n / 3, std::numeric_limits<double>::infinity());
  }

  Scene scene;

private:
  [[nodiscard]] Lay lay_of() const {
    Lay lay;
    lay.components = shape_.components;
    lay.outer = shape_.outer;
    lay.inner = shape_.inner;
    lay.gap = shape_.gap;
    lay.aligned = shape_.aligned;
    lay.front = shape_.aligned ? 8 : 3;
    return lay;
  }

  Seen add(std::int64_t n, Kind kind, bool filled, std::int32_t dtype, const Lay& lay, std::int64_t long_side = 0) {
    const Seen seen{static_cast<int>(scene.arrays.size()), lay.banked && scene.arrays.size() % 2 == 1};
    scene.arrays.push_back(make_array(dtype, n, shape_.batch, shape_.workers, lay));
    Array& array = scene.arrays.back();
    for (std::uint32_t m = 0; filled && m < (lay.shared ? 1 : shape_.batch); ++m) {
      const std::uint64_t who = lay.shared ? ~std::uint64_t{0} : shape_.first_member + m;
      std::uint64_t row = 0;
      for (const std::size_t element : scene.rows(seen, m))
        fill_row(array, element, kind, long_side ? long_side : shape_.n,
                 mix(mix(mix(shape_.seed, static_cast<std::uint64_t>(seen.array)), who), row++));
    }
    return seen;
  }

  void make_members() {
    MemberSpec& m = scene.members;
    m.count = m.n_active = shape_.batch;
    std::vector<double>& scales = m.scales;
    for (std::uint32_t i = 0; i < m.count; ++i) {
      std::mt19937_64 bits(mix(shape_.seed ^ 0x4D, shape_.first_member + i));
      m.h.push_back(uniform(bits, 0.1, 1.1));
      m.z.push_back(uniform(bits, 0.0, 1.0));
      for (std::uint32_t j = 0; j < m.n_scales; ++j) scales.push_back(uniform(bits, 0.5, 1.5));
      m.parity.push_back(shape_.banked ? static_cast<std::uint8_t>(bits() >> 63) : std::uint8_t{0});
      constexpr std::uint8_t done[] = {LM_DONE, LM_STOPPED, LM_CAPPED, LM_NON_FINITE, LM_OWN_STATUS + 1, 255};
      m.status.push_back(shape_.done && i % 3 == 1 ? done[i / 3 % 6] : std::uint8_t{LM_RUNNING});
    }
    m.active.resize(m.count);
    std::iota(m.active.begin(), m.active.end(), 0u);
    if (!shape_.active) return;
    std::mt19937_64 bits(shape_.seed);
    for (std::uint32_t i = m.count; i > 1; --i) std::swap(m.active[i - 1], m.active[bits() % i]);
    m.first = m.count / 4;
    m.n_active = m.count - m.first - m.count / 5;
  }

  Shape shape_;
};

// A kernel as conform knows it: fills `call` with views, parameters and plans for the shape's variant.
struct KnownKernel {
  void (*build)(Maker& make, const Shape& shape, CallSpec& call);
  int variants;
  bool optional;  // and composed of others where it is absent
};

void add_route_kernels(std::map<std::string, KnownKernel>& to);

}  // namespace lumarch::conform
