// SPDX-License-Identifier: Apache-2.0
#include "kernel_scenes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace lumarch::conform {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

double stages(std::int64_t n) { return std::max(1.0, std::log2(static_cast<double>(n))); }

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
  int fft(int kind, int direction, bool in_place = false) {
    PlanSpec plan;
    plan.desc.kind = kind;
    plan.desc.dtype = LM_C128;
    plan.desc.direction = direction;
    plan.desc.n = shape_.n;
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
    const auto n = static_cast<std::size_t>(shape_.n);
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

  Seen add(std::int64_t n, Kind kind, bool filled, std::int32_t dtype, const Lay& lay) {
    const Seen seen{static_cast<int>(scene.arrays.size()), lay.banked && scene.arrays.size() % 2 == 1};
    scene.arrays.push_back(make_array(dtype, n, shape_.batch, shape_.workers, lay));
    Array& array = scene.arrays.back();
    for (std::uint32_t m = 0; filled && m < (lay.shared ? 1 : shape_.batch); ++m) {
      const std::uint64_t who = lay.shared ? ~std::uint64_t{0} : shape_.first_member + m;
      std::uint64_t row = 0;
      for (const std::size_t element : scene.rows(seen, m))
        fill_row(array, element, kind, shape_.n,
                 mix(mix(mix(shape_.seed, static_cast<std::uint64_t>(seen.array)), who), row++));
    }
    return seen;
  }

  void make_members() {
    MemberSpec& m = scene.members;
    m.count = m.n_active = shape_.batch;
    for (std::uint32_t i = 0; i < m.count; ++i) {
      std::mt19937_64 bits(mix(shape_.seed ^ 0x4D, shape_.first_member + i));
      m.h.push_back(uniform(bits, 0.1, 1.1));
      m.z.push_back(uniform(bits, 0.0, 1.0));
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

  const Shape& shape_;
};

lm_p_combine sum_of(std::vector<lm_term> terms, std::uint32_t slot = 0) {
  lm_p_combine p{};
  p.n = static_cast<std::uint32_t>(terms.size());
  std::copy(terms.begin(), terms.end(), p.term);
  p.slot = slot;
  return p;
}

std::vector<lm_term> terms_of(const std::string& kernel, int variant) {
  if (kernel == "step.combine") {
    if (variant == 0) return {{0.5, 0, 0}, {-0.25, 1, 2}, {1, 0, 1}, {0.75, 1, 0}, {1.25, 1, 1}};
    if (variant == 1) return {{1, 0, 1}, {0.5, 1, 1}};
    if (variant == 2) return {{1, 0, 2}, {0.5, 1, 1}, {-0.75, 1, 2}};
    return {{1, 0, 0}, {0.5, 1, 0}, {0.3, 1, 1}, {0.2, 1, 2}, {-0.4, 1, 0}, {0.6, 0, 1}, {0.1, 1, 2}, {-1, 1, 1}};
  }
  if (variant == 0) return {{1, 0, 0}, {-0.5, 1, 0}, {0.25, 1, 0}};
  if (variant == 1) return {{-1.5, 1, 0}};
  return {{1, 0, 0}, {0.5, 1, 0}, {0.3, 0, 0}, {0.2, 1, 0}, {-0.4, 1, 0}, {0.6, 0, 0}, {0.1, 1, 0}, {-1, 1, 0}};
}

// Rows of the response kernels: two c128 of n/2 + 1 and one of n.
std::uint64_t raman_work(std::int64_t n) {
  return 2 * round_up(16 * static_cast<std::uint64_t>(n / 2 + 1)) + round_up(16 * static_cast<std::uint64_t>(n));
}

CallSpec raman(Maker& make, const Shape& s, const std::string& name, double c, bool accumulate) {
  CallSpec call;
  call.kernel = name;
  call.set(lm_p_response{0, accumulate ? std::uint32_t{LM_RESPONSE_ACCUMULATE} : 0u, c});
  call.plans = {make.fft(LM_FFT_R2C, LM_FFT_FORWARD), make.fft(LM_FFT_C2R, LM_FFT_BACKWARD)};
  call.own_work = raman_work(s.n);
  return call;
}

using Build = void (*)(Maker&, const Shape&, CallSpec&);

void fill(Maker& make, const Shape& s, CallSpec& call) {
  call.views = {make.rows(s.n, Kind::field, false, s.variant ? LM_F64 : LM_C128)};
  call.set(lm_p_fill{0, 0, 1.25, -0.75});
  call.tolerance = 0;
}

void combine(Maker& make, const Shape& s, CallSpec& call) {
  const std::vector<lm_term> terms = terms_of(call.kernel, s.variant);
  const bool error = call.kernel == "reduce.error";
  call.views = {make.rows(s.n, Kind::field, error)};
  for (std::size_t j = 0; j < terms.size(); ++j) {
    call.views.push_back(make.rows(s.n, Kind::field, true));
    make.spoil(call.views.back());
  }
  if (call.kernel == "step.combine") call.views.push_back(make.rows(s.n, Kind::factor, true));
  call.set(sum_of(terms, error && s.variant ? 4u : 0u));
  if (error) call.output = -1;
  // A plain sum of n squares, as the reference makes it, wanders by about sqrt(n) roundings; a tree does not.
  call.tolerance = error ? (16 + 2 * std::sqrt(static_cast<double>(s.n))) * eps : 8 * eps;
}

void mul(Maker& make, const Shape& s, CallSpec& call) {
  call.views = {make.rows(s.n, Kind::field, false), make.rows(s.n, Kind::field, true)};
  make.spoil(call.views[1]);
  call.views.push_back(s.variant ? make.table(s.n, Kind::table, LM_F64) : make.table(s.n, Kind::factor));
  call.tolerance = 8 * eps;
}

void transform(Maker& make, const Shape& s, CallSpec& call) {
  call.tolerance = 1e-14 * stages(s.n);
  if (s.variant < 4) {
    const bool in_place = s.variant >= 2;
    call.plans = {make.fft(LM_FFT_C2C, s.variant % 2 ? LM_FFT_BACKWARD : LM_FFT_FORWARD, in_place)};
    const Seen in = make.rows(s.n, Kind::field, true);
    make.spoil(in);
    call.views = {in_place ? in : make.rows(s.n, Kind::field, false), in};
  } else if (s.variant == 4) {
    call.plans = {make.fft(LM_FFT_R2C, LM_FFT_FORWARD)};
    const Seen in = make.rows(s.n, Kind::real, true, LM_F64);
    make.spoil(in);
    call.views = {make.rows(s.n / 2 + 1, Kind::field, false), in};
  } else {
    call.plans = {make.fft(LM_FFT_C2R, LM_FFT_BACKWARD)};
    call.views = {make.rows(s.n, Kind::real, false, LM_F64), make.rows(s.n / 2 + 1, Kind::spectrum, true)};
    make.scene.arrays[static_cast<std::size_t>(call.views[1].array)].spoilt = true;
  }
}

void prepare(Maker& make, const Shape& s, CallSpec& call) {
  call.views = {make.rows(s.n, Kind::field, false)};
  const Seen D = make.table(s.n, Kind::operators);
  make.spoil(D);
  if (s.non_finite && s.variant)  // the real part is not looked at where there are no losses
    for (double& part : make.scene.arrays[static_cast<std::size_t>(D.array)].image)
      if (!std::isfinite(part)) part = 0.5;
  call.plans = {make.propagator(D.array, s.variant ? 1.0 : 0.5, s.variant != 0)};
  call.tolerance = 64 * eps;
}

void apply(Maker& make, const Shape& s, CallSpec& call) {
  call.views = {make.rows(s.n, Kind::field, false), make.rows(s.n, Kind::field, true)};
  make.spoil(call.views[1]);
  call.views.push_back(make.rows(s.n, Kind::factor, true));
  call.set(lm_p_apply{0, s.variant ? std::uint32_t{LM_APPLY_INVERSE} : 0u});
  call.tolerance = 8 * eps;
}

void respond(Maker& make, const Shape& s, CallSpec& call) {
  const bool accumulate = s.variant == 1, delayed = call.kernel != "response.kerr";
  const std::string kernel = call.kernel;
  if (delayed) call = raman(make, s, kernel, 0.82, accumulate);
  const Seen A = make.rows(s.n, Kind::field, true), P = make.rows(s.n, Kind::field, accumulate);
  make.spoil(A);
  call.views = {A, P};
  call.output = 1;
  if (delayed) call.views.push_back(make.table(s.n / 2 + 1, Kind::response));
  if (!delayed) call.set(lm_p_response{0, accumulate ? std::uint32_t{LM_RESPONSE_ACCUMULATE} : 0u, 0.82});
  call.tolerance = delayed ? 3e-14 * stages(s.n) : 8 * eps;
}

void rhs(Maker& make, const Shape& s, CallSpec& call) {
  const Seen u = make.rows(s.n, Kind::field, true), out = make.rows(s.n, Kind::field, false);
  make.spoil(u);
  const Seen source = make.table(s.n, Kind::factor);
  call.views = {u, out, source};
  if (s.variant != 1) {
    call.views.push_back(s.variant == 0 ? make.table(s.n, Kind::table, LM_F64) : Seen{});
    call.views.push_back(make.rows(s.n, Kind::field, true));
  }
  // Divided by n: else the spectrum's transform grows with n, and its cube with n^3.
  for (double& part : make.scene.arrays[static_cast<std::size_t>(u.array)].image)
    part /= std::sqrt(static_cast<double>(s.n));
  call.output = 1;
  call.plans = {make.fft(LM_FFT_C2C, LM_FFT_FORWARD), make.fft(LM_FFT_C2C, LM_FFT_BACKWARD)};
  call.own_work = 2 * round_up(16 * static_cast<std::uint64_t>(s.n));
  CallSpec kerr;
  kerr.kernel = "response.kerr";
  kerr.set(lm_p_response{0, 0, 0.82});
  call.responses.push_back(kerr);
  if (s.variant == 0) {
    call.responses.push_back(raman(make, s, "response.raman", 0, true));
    call.responses[1].views = {make.table(s.n / 2 + 1, Kind::response)};
  }
  call.set(lm_p_rhs{});
  call.tolerance = 8e-14 * stages(s.n);
}

struct Known {
  Build build;
  int variants;
  bool optional;
};

const std::map<std::string, Known>& kernels() {
  static const std::map<std::string, Known> all = {{"core.fill", {&fill, 2, false}},
                                                   {"core.lincomb", {&combine, 3, false}},
                                                   {"core.mul", {&mul, 2, false}},
                                                   {"fft.exec", {&transform, 6, false}},
                                                   {"lin.prepare", {&prepare, 2, false}},
                                                   {"lin.apply", {&apply, 2, false}},
                                                   {"response.kerr", {&respond, 2, false}},
                                                   {"response.raman", {&respond, 2, false}},
                                                   {"reduce.error", {&combine, 3, false}},
                                                   {"step.combine", {&combine, 4, true}},
                                                   {"response.kerr_raman", {&respond, 2, true}},
                                                   {"rhs.fibre", {&rhs, 3, true}}};
  return all;
}

}  // namespace

const std::vector<std::string>& known_kernels() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const auto& [name, known] : kernels()) out.push_back(name);
    return out;
  }();
  return names;
}

void fit(Shape& shape, const OpenDevice& device) {
  shape.workers = device.api().workers(device.handle());
  shape.together = capabilities(device.backend) & LM_CAP_HOST_MEMORY ? 0 : shape.workers;
}

bool has_rows_of_nodes(const std::string& kernel) { return kernel != "rhs.fibre"; }
int variants_of(const std::string& kernel) { return kernels().at(kernel).variants; }
bool is_optional(const std::string& kernel) { return kernels().at(kernel).optional; }

std::vector<int> places_of(const std::string& kernel, int variant) {
  if (kernel == "core.mul" || kernel == "lin.apply") return {1};
  if (kernel != "core.lincomb" && kernel != "step.combine") return {};
  std::vector<int> all(terms_of(kernel, variant).size());
  std::iota(all.begin(), all.end(), 1);
  return all;
}

Scene scene_of(const std::string& kernel, const Shape& shape) {
  Maker make(shape);
  CallSpec call;
  call.kernel = kernel;
  kernels().at(kernel).build(make, shape, call);
  if (shape.in_place > 0) call.views[0] = call.views[static_cast<std::size_t>(shape.in_place)];
  if (shape.in_place < 0) call.views[0] = {call.views[1].array, !call.views[1].flip};
  make.scene.calls.push_back(std::move(call));
  return std::move(make.scene);
}

}  // namespace lumarch::conform
