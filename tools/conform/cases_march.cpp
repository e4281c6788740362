// SPDX-License-Identifier: Apache-2.0
// run.*: lists of calls through the device's `run`, and march.*: a short march in fixed steps, built from kernels.
#include <cmath>

#include "compare.hpp"

namespace lumarch::conform {

namespace {

// A step of RK4 in the interaction picture; N is rhs.fibre, which composed() takes apart. The state's banks change.
Scene step_scene(std::uint32_t batch, std::int64_t n, std::uint32_t workers, std::uint64_t seed) {
  Shape shape;
  shape.n = n;
  shape.batch = batch;
  shape.seed = seed;
  shape.workers = workers;
  Scene scene = scene_of("rhs.fibre", shape);
  const CallSpec rhs = std::move(scene.calls[0]);
  scene.calls.clear();
  const auto array = [&](bool banked, bool shared) {
    Lay lay;
    lay.banked = banked;
    lay.shared = shared;
    scene.arrays.push_back(make_array(LM_C128, n, batch, workers, lay));
    return Seen{static_cast<int>(scene.arrays.size()) - 1, false};
  };
  const Seen u = array(true, false), uI = array(false, false), E = array(false, false), v = array(false, false),
             D = array(false, true);
  const Seen k[4] = {array(false, false), array(false, false), array(false, false), array(false, false)};
  for (std::uint32_t m = 0; m < batch; ++m)
    fill_row(scene.arrays[static_cast<std::size_t>(u.array)], scene.rows(u, m)[0], Kind::field, n, mix(seed, 1000 + m));
  fill_row(scene.arrays[static_cast<std::size_t>(D.array)], scene.rows(D, 0)[0], Kind::operators, n, mix(seed, 999));
  for (double& part : scene.arrays[static_cast<std::size_t>(u.array)].image)
    part /= 2 * std::sqrt(static_cast<double>(n));
  for (double& part : scene.arrays[static_cast<std::size_t>(rhs.views[4].array)].image) part *= 1e-3;
  for (double& part : scene.arrays[static_cast<std::size_t>(rhs.views[2].array)].image) part /= static_cast<double>(n);
  PlanSpec half;
  half.fft = false;
  half.node = 0.5;
  half.D = D.array;
  scene.plans.push_back(half);
  // Short, for a random source is a gain as well: the cubic must not blow up.
  for (double& h : scene.members.h) h *= 0.01;

  const auto prepare = [&] {
    CallSpec& call = scene.calls.emplace_back();
    call.kernel = "lin.prepare";
    call.views = {E};
    call.plans = {static_cast<int>(scene.plans.size()) - 1};
  };
  const auto combine = [&](const char* kernel, std::vector<Seen> views, std::vector<lm_term> terms,
                           std::uint32_t slot = 0) {
    CallSpec& call = scene.calls.emplace_back();
    call.kernel = kernel;
    call.views = std::move(views);
    lm_p_combine p{};
    p.n = static_cast<std::uint32_t>(terms.size());
    std::copy(terms.begin(), terms.end(), p.term);
    p.slot = slot;
    call.set(p);
    if (std::string(kernel) == "reduce.error") call.output = -1;
  };
  const auto apply = [&](Seen out, Seen x) {
    CallSpec& call = scene.calls.emplace_back();
    call.kernel = "lin.apply";
    call.views = {out, x, E};
    call.set(lm_p_apply{});
  };
  const auto nonlinear = [&](Seen out, Seen x) {
    CallSpec& call = scene.calls.emplace_back(rhs);
    call.views[0] = x;
    call.views[1] = out;
  };
  prepare();
  apply(uI, u);
  nonlinear(k[0], u);
  apply(k[0], k[0]);
  combine("core.lincomb", {v, uI, k[0]}, {{1, 0, 0}, {0.5, 1, 0}});
  nonlinear(k[1], v);
  combine("core.lincomb", {v, uI, k[1]}, {{1, 0, 0}, {0.5, 1, 0}});
  nonlinear(k[2], v);
  combine("step.combine", {v, uI, k[2], E}, {{1, 0, 1}, {1, 1, 1}});
  nonlinear(k[3], v);
  combine("step.combine", {{u.array, true}, uI, k[0], k[1], k[2], k[3], E},
          {{1, 0, 1}, {1.0 / 6, 1, 1}, {1.0 / 3, 1, 1}, {1.0 / 3, 1, 1}, {1.0 / 6, 1, 0}});
  combine("reduce.error", {{u.array, true}, k[1], k[2]}, {{1, 1, 0}, {-1, 1, 0}}, 2);
  return scene;
}

int state_of(const Scene& scene) { return scene.calls[1].views[1].array; }

enum class How { each, run };

// The state and the numbers after some steps.
Left march(const OpenDevice& device, Scene scene, int steps, How how) {
  Live live(device, scene);
  for (int i = 0; i < steps; ++i) {
    live.need(how == How::run ? live.run() : live.each());
    for (std::uint8_t& parity : scene.members.parity) parity ^= 1;
    if (i + 1 < steps) live.upload_members();
  }
  return left_by(live, scene.arrays.size());
}

Scene for_device(const OpenDevice& device, const Context& context, std::uint32_t batch, bool fused) {
  const std::uint32_t workers = device.api().workers(device.handle());
  Scene scene = step_scene(batch, 128, workers, context.seed);
  const KernelTable& table = device.backend.table;
  return fused && table.find("rhs.fibre") && table.find("step.combine") ? scene : composed(scene, workers);
}

void short_march(const Context& context, bool fused) {
  const OpenDevice device(context.candidate(), usual_options(context.candidate(), context.thorough));
  const OpenDevice oracle(context.reference(), {});
  if (fused && !(device.backend.table.find("rhs.fibre") && device.backend.table.find("step.combine")))
    throw Skipped("it has no rhs.fibre or no step.combine");
  const Scene scene = for_device(device, context, 3, fused);
  const Scene measure = for_device(oracle, context, 3, false);
  const bool run = fused && LM_HAS(&device.api(), run);
  const Left left = march(device, scene, 20, run ? How::run : How::each);
  const Left right = march(oracle, measure, 20, How::each);
  // The array of the state has the same number and the same layout in both.
  const auto state = static_cast<std::size_t>(step_scene(3, 128, 1, context.seed).calls[1].views[1].array);
  double off = 0, all = 0;
  for (std::size_t i = 0; i < left.images[state].size(); ++i) {
    const double got = left.images[state][i], want = right.images[state][i];
    expect(std::isfinite(got) == std::isfinite(want), "the state has a non-finite number at " + std::to_string(i));
    if (!std::isfinite(want)) continue;  // a guard
    off += (got - want) * (got - want);
    all += want * want;
  }
  expect(all > 0 && std::sqrt(off / all) < 1e-10,
         "after 20 steps the state is off by " + std::to_string(std::sqrt(off / all) * 1e10) + "e-10");
}

void same_bits_by_run(const Context& context) {
  const OpenDevice device(context.candidate(), usual_options(context.candidate(), context.thorough));
  if (!LM_HAS(&device.api(), run)) throw Skipped("the device has no run");
  for (const std::uint32_t batch : {1u, 3u, 33u})
    for (const bool fused : {false, true}) {
      const Scene scene = for_device(device, context, batch, fused);
      const Left a = march(device, scene, 3, How::each), b = march(device, scene, 3, How::run);
      const auto state = static_cast<std::size_t>(state_of(scene));
      const auto bytes = a.images[state].size() * sizeof(double);
      expect(std::memcmp(a.images[state].data(), b.images[state].data(), bytes) == 0,
             "batch " + std::to_string(batch) + ": run gives other bits than the calls one by one");
      expect(std::memcmp(a.numbers.data(), b.numbers.data(), a.numbers.size() * sizeof(double)) == 0,
             "batch " + std::to_string(batch) + ": run gives other numbers than the calls one by one");
    }
}

void first_failure(const Context& context) {
  const OpenDevice device(context.candidate(), usual_options(context.candidate(), context.thorough));
  if (!LM_HAS(&device.api(), run)) throw Skipped("the device has no run");
  const Scene scene = for_device(device, context, 3, false);
  for (const std::size_t which : {std::size_t{0}, std::size_t{4}, scene.calls.size() - 1}) {
    Live live(device, scene);
    live.made(which).views[0].dtype = LM_U8;
    const lm_status one = live.each(), all = live.run();
    expect(one < 0 && all == one, "call " + std::to_string(which) + " is wrong and answers " + std::to_string(one) +
                                      ", but run " + std::to_string(all));
    expect(!device.error().empty(), "run failed and last_error is empty");
  }
}

}  // namespace

void add_run_cases(std::vector<Case>& to) {
  to.push_back({"run.bits", 30, &same_bits_by_run});
  to.push_back({"run.first_failure", 20, &first_failure});
}

void add_march_cases(std::vector<Case>& to) {
  to.push_back({"march.composed", 30, [](const Context& context) { short_march(context, false); }});
  to.push_back({"march.fused", 30, [](const Context& context) { short_march(context, true); }});
}

}  // namespace lumarch::conform
