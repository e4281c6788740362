// SPDX-License-Identifier: Apache-2.0
#include "kernel_scenes.hpp"
#include "scene_maker.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace lumarch::conform {

namespace {

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
  // Here `level` is a factor of the member, of which a scene has four.
  if (kernel.ends_with(".2")) {
    if (variant == 0) return {{1, 0, 0}, {-0.5, 1, 1}, {0.25, 1, 4}};
    if (variant == 1) return {{-1.5, 1, 2}};
    return {{1, 0, 3}, {0.5, 1, 4}, {0.3, 0, 1}, {0.2, 1, 2}, {-0.4, 1, 0}, {0.6, 0, 4}, {0.1, 1, 0}, {-1, 1, 3}};
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

void fill(Maker& make, const Shape& s, CallSpec& call) {
  call.views = {make.rows(s.n, Kind::field, false, s.variant ? LM_F64 : LM_C128)};
  call.set(lm_p_fill{0, 0, 1.25, -0.75});
  call.tolerance = 0;
}

void combine(Maker& make, const Shape& s, CallSpec& call) {
  const std::vector<lm_term> terms = terms_of(call.kernel, s.variant);
  const bool error = call.kernel.starts_with("reduce.error");
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

const std::map<std::string, KnownKernel>& kernels() {
  static const std::map<std::string, KnownKernel> all = [] {
    std::map<std::string, KnownKernel> of = {{"core.fill", {&fill, 2, false}},
                                             {"core.lincomb", {&combine, 3, false}},
                                             {"core.lincomb.2", {&combine, 3, false}},
                                             {"core.mul", {&mul, 2, false}},
                                             {"fft.exec", {&transform, 6, false}},
                                             {"lin.prepare", {&prepare, 2, false}},
                                             {"lin.apply", {&apply, 2, false}},
                                             {"response.kerr", {&respond, 2, false}},
                                             {"response.raman", {&respond, 2, false}},
                                             {"reduce.error", {&combine, 3, false}},
                                             {"reduce.error.2", {&combine, 3, false}},
                                             {"step.combine", {&combine, 4, true}},
                                             {"response.kerr_raman", {&respond, 2, true}},
                                             {"rhs.fibre", {&rhs, 3, true}}};
    add_route_kernels(of);
    return of;
  }();
  return all;
}

}  // namespace

lm_kernel_fn find_kernel(const KernelTable& table, const std::string& kernel) {
  const std::size_t dot = kernel.rfind('.');
  const bool versioned = kernel.find_first_not_of("0123456789", dot + 1) == std::string::npos;
  return versioned ? table.find(kernel.substr(0, dot), static_cast<std::uint32_t>(std::stoul(kernel.substr(dot + 1))))
                   : table.find(kernel);
}

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
  if (kernel == "core.mul" || kernel == "core.mul.2" || kernel == "lin.apply" || kernel == "spatial.fft") return {1};
  if (!kernel.starts_with("core.lincomb") && kernel != "step.combine") return {};
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
