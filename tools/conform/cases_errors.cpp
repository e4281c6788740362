// SPDX-License-Identifier: Apache-2.0
// error.NAME: calls that are wrong in one way. The answer is LM_E_ARG or LM_E_UNSUPPORTED with words, and nothing is
// written; where docs/kernels.md lets a kernel not look, LM_OK with a right result will do.
#include <limits>

#include "compare.hpp"

namespace lumarch::conform {

namespace {

struct Fault {
  std::string words;
  std::function<void(Live&)> put;
  bool may_pass = false;  // a kernel may have no use for what is wrong
};

template <class P>
P* params(Live& live) {
  return reinterpret_cast<P*>(live.made(0).params.data());
}

// Views that may be absent.
bool is_optional_view(const std::string& kernel, std::size_t i) {
  return (kernel == "rhs.fibre" && i >= 3) || (kernel == "fft.pad" && i == 2) ||
         (kernel == "rhs.columns" && (i == 2 || i == 3)) || (kernel == "read.samples" && i >= 2) ||
         (kernel == "read.nodes" && i == 2);
}

// Views that may be of any length: the longer rows of a band, and a band without a weight; a rate's table;
// rows that are read without a weight.
bool is_of_any_length(const CallSpec& call, std::size_t i) {
  return call.kernel == "core.fill" || (call.kernel == "fft.pad" && (i == 0 || call.views[2].array < 0)) ||
         (call.kernel == "fft.crop" && i == 1) || (call.kernel == "response.plasma" && i == 2) ||
         (call.kernel == "read.nodes" && i == 1 && call.views.size() < 3);
}

void add_view_faults(std::vector<Fault>& to, const CallSpec& call, std::size_t i, bool is_shared) {
  const std::string view = "view " + std::to_string(i);
  const bool optional = is_optional_view(call.kernel, i);
  const auto change = [&](const std::string& words, std::function<void(lm_view&)> put) {
    to.push_back({view + " " + words, [i, put](Live& live) { put(live.made(0).views[i]); }});
  };
  if (!optional) change("has no buffer", [](lm_view& v) { v.buffer = 0; });
  change("has a handle that is none", [](lm_view& v) { v.buffer = ~lm_buffer{0} - 5; });
  change("is f32", [](lm_view& v) { v.dtype = LM_F32; });
  change("is u8", [](lm_view& v) { v.dtype = LM_U8; });
  change("has dtype 0", [](lm_view& v) { v.dtype = 0; });
  change("begins behind its buffer", [](lm_view& v) { v.offset += 1u << 24; });
  change("has an offset near 2^64", [](lm_view& v) { v.offset = ~std::uint64_t{0} - 2; });
  change("has a pitch that leads out of its buffer", [](lm_view& v) { v.pitch[LM_AXIS_MEMBER] = 1 << 24; });
  change("has a pitch that overflows", [](lm_view& v) { v.pitch[LM_AXIS_MEMBER] = std::int64_t{1} << 62; });
  change("has a bank that leads out of its buffer", [](lm_view& v) { v.bank = 1u << 24; });
  change("has more samples than its buffer", [](lm_view& v) { v.extent[LM_AXIS_SAMPLE] = 1 << 24; });
  change("has -1 samples", [](lm_view& v) { v.extent[LM_AXIS_SAMPLE] = -1; });
  if (!is_shared) change("has fewer members than the batch", [](lm_view& v) { v.extent[LM_AXIS_MEMBER] = 1; });
  change("has a negative pitch", [](lm_view& v) { v.pitch[LM_AXIS_MEMBER] = -1; });
  if (!is_of_any_length(call, i))
    change("has rows that are too short", [](lm_view& v) { v.extent[LM_AXIS_SAMPLE] -= 1; });
}

// Parameters of the kernels of transverse routes, and factors that a member has not got.
void add_route_faults(std::vector<Fault>& to, const CallSpec& call) {
  const auto change = [&]<class P, class T>(const char* words, T P::*member, T value) {
    to.push_back({words, [member, value](Live& live) { params<P>(live)->*member = value; }});
  };
  bool scaled = false;
  const auto scale = [&]<class P>(std::uint32_t P::*member) {
    P given;
    std::memcpy(&given, call.params.data(), sizeof given);
    scaled = scaled || given.*member != 0;
    change("a scale behind the factors of a member", member, 5u);
    change("a scale that overflows", member, ~0u);
  };
  if (call.kernel == "fft.pad" || call.kernel == "fft.crop") {
    scale(&lm_p_band::scale);
    change("an unknown kind of band", &lm_p_band::kind, 3u);
  }
  if (call.kernel == "spatial.fft") change("the axis of samples", &lm_p_axis::axis, std::int32_t{LM_AXIS_SAMPLE});
  if (call.kernel == "lin.prepare.2") {
    scale(&lm_p_scaled::scale);
    change("no operators", &lm_p_scaled::n, 0u);
    change("9 operators", &lm_p_scaled::n, 9u);
  }
  if (call.kernel == "core.lincomb.2" || call.kernel == "reduce.error.2") scaled = true;
  if (call.kernel == "response.kerr.2" || call.kernel == "response.chi2") scale(&lm_p_kerr::scale);
  if (call.kernel == "response.convolution") scale(&lm_p_convolution::scale);
  if (call.kernel == "response.plasma") scale(&lm_p_plasma::scale);
  if (call.kernel == "rhs.columns") {
    scale(&lm_p_columns::pre_scale);
    scale(&lm_p_columns::post_scale);
    change("an unknown kind of band", &lm_p_columns::kind, 3u);
    change("rows of no samples in time", &lm_p_columns::n, std::int64_t{0});
    change("rows of one sample in time", &lm_p_columns::n, std::int64_t{1});
    change("no nodes at a time", &lm_p_columns::together, 0u);
    to.push_back({"the responses are NULL", [](Live& live) { params<lm_p_columns>(live)->responses = nullptr; }});
    to.push_back({"an unknown output of a response", [](Live& live) { live.made(0).raw_responses[0].output = 2; }});
  }
  if (call.kernel.starts_with("read."))
    to.push_back({"unknown flags", [](Live& live) { params<lm_p_read>(live)->flags |= 1u << 30; }});
  if (scaled) {
    to.push_back({"a member block of ABI 1.0, without factors",
                  [](Live& live) { live.members().struct_size = LM_MEMBERS_1_0; }});
    to.push_back({"scales lie outside the member block", [](Live& live) { live.members().scales = 1u << 24; }});
  }
}

void add_param_faults(std::vector<Fault>& to, const CallSpec& call) {
  if (call.params.empty()) return;
  to.push_back({"the parameters are NULL", [](Live& live) { live.made(0).call.params = nullptr; }});
  to.push_back({"params_size is too short", [](Live& live) { live.made(0).call.params_size -= 1; }});
  to.push_back({"params_size is 0", [](Live& live) { live.made(0).call.params_size = 0; }});
  to.push_back({"the parameters' struct_size is too short", [](Live& live) { *params<std::uint32_t>(live) -= 1; }});
  if (call.kernel == "lin.apply")
    to.push_back({"unknown flags", [](Live& live) { params<lm_p_apply>(live)->flags |= 1u << 30; }});
  if (call.kernel.starts_with("response.") || call.kernel == "fft.pad" || call.kernel == "fft.crop")
    to.push_back({"unknown flags", [](Live& live) { params<lm_p_response>(live)->flags |= 1u << 30; }});
  const bool sum = call.kernel.starts_with("core.lincomb") || call.kernel.starts_with("reduce.error");
  if (sum || call.kernel == "step.combine") {
    to.push_back({"no terms", [](Live& live) { params<lm_p_combine>(live)->n = 0; }});
    to.push_back({"9 terms", [](Live& live) { params<lm_p_combine>(live)->n = 9; }});
    lm_p_combine given;
    std::memcpy(&given, call.params.data(), sizeof given);
    if (given.n < LM_MAX_TERMS)
      to.push_back({"more terms than views", [](Live& live) { params<lm_p_combine>(live)->n = 8; }});
    to.push_back({"a power of h of 2", [](Live& live) { params<lm_p_combine>(live)->term[0].hpow = 2; }});
    // A scene has four factors a member: 5 is one too many where a level is a factor.
    const std::int32_t level = call.kernel.ends_with(".2") ? 5 : call.kernel == "step.combine" ? 3 : 1;
    for (const std::int32_t wrong : {level, -1, std::numeric_limits<std::int32_t>::max()})
      to.push_back({"a level of " + std::to_string(wrong),
                    [wrong](Live& live) { params<lm_p_combine>(live)->term[0].level = wrong; }});
  }
  if (call.kernel.starts_with("reduce.error"))
    to.push_back({"a slot outside the numbers", [](Live& live) { params<lm_p_combine>(live)->slot = 5; }});
  if (call.kernel == "rhs.fibre")
    to.push_back({"the responses are NULL", [](Live& live) { params<lm_p_rhs>(live)->responses = nullptr; }});
  add_route_faults(to, call);
}

void add_plan_faults(std::vector<Fault>& to, const CallSpec& call) {
  if (call.plans.empty()) return;
  to.push_back({"no plans", [](Live& live) { live.made(0).call.n_plans = 0; }});
  to.push_back({"the plans are NULL", [](Live& live) { live.made(0).call.plans = nullptr; }});
  for (std::size_t i = 0; i < call.plans.size(); ++i) {
    to.push_back({"plan " + std::to_string(i) + " is NULL", [i](Live& live) { live.made(0).plans[i] = nullptr; }});
    for (const std::size_t other : {0, 1, 2, 3})  // see odd_plans
      to.push_back({"plan " + std::to_string(i) + " is of another kind or length (" + std::to_string(other) + ")",
                    [i, other](Live& live) { live.made(0).plans[i] = live.plan_from_end(other); }});
  }
}

void add_call_faults(std::vector<Fault>& to, const CallSpec& call) {
  to.push_back({"the call's struct_size is too short", [](Live& live) { live.made(0).call.struct_size = 8; }});
  to.push_back({"no views", [](Live& live) { live.made(0).call.n_views = 0; }});
  to.push_back({"the views are NULL", [](Live& live) { live.made(0).call.views = nullptr; }});
  to.push_back({"no members", [](Live& live) { live.made(0).call.members = nullptr; }});
  to.push_back({"the members' struct_size is too short", [](Live& live) { live.members().struct_size = 8; }});
  to.push_back({"the member block is no buffer", [](Live& live) { live.members().block = 0; }});
  for (const auto& [part, name] : {std::pair{&lm_members::h, "h"},
                                   {&lm_members::active, "active"},
                                   {&lm_members::parity, "parity"},
                                   {&lm_members::status, "status"}})
    to.push_back({std::string(name) + " lies outside the member block",
                  [part = part](Live& live) { live.members().*part = 1u << 24; }});
  to.push_back({"the active range lies outside the batch", [](Live& live) { live.members().first = 2; }});
  to.push_back({"the active range overflows", [](Live& live) { live.members().first = ~0u; }});
  to.push_back({"no exec", [](Live& live) { live.made(0).call.exec = nullptr; }});
  if (call.own_work == 0) return;
  to.push_back({"no work area", [](Live& live) { live.made(0).call.work = nullptr; }, true});
  to.push_back({"the work area is too small", [](Live& live) { live.made(0).work.extent[LM_AXIS_SAMPLE] = 16; }, true});
  to.push_back({"the work area is no buffer", [](Live& live) { live.made(0).work.buffer = 0; }, true});
  to.push_back({"the work area is not SCRATCH", [](Live& live) { live.made(0).work.flags = 0; }, true});
}

// What no kernel here takes at that place: a propagator where a transform is wanted, and the other way round, and
// transforms of another length.
void odd_plans(Scene& scene) {
  scene.arrays.push_back(make_array(LM_C128, 20, scene.members.count, 1, {}));
  const bool propagator = !scene.plans.empty() && !scene.plans[0].fft;
  for (int i = 0; i < 4; ++i) {
    PlanSpec plan;
    plan.desc = {0, i % 2 ? LM_FFT_R2C : LM_FFT_C2C, LM_C128, LM_FFT_FORWARD, 24 + i, 0, 0};
    if (i == 0 && !propagator) {
      plan.fft = false;
      plan.D = static_cast<int>(scene.arrays.size()) - 1;
    }
    scene.plans.push_back(plan);
  }
}

void check(const OpenDevice& device, const Scene& scene, const Fault& fault, const Left& right) {
  Live live(device, scene);
  fault.put(live);
  device.api().free(device.handle(), ~lm_buffer{0} - 9);  // so that last_error has other words before
  const std::string before = device.error();
  const lm_status status = live.call(0);
  const std::string after = device.error();
  live.members() = live.good_members();
  const Left left = left_by(live, scene.arrays.size());
  if (status == LM_OK) {
    expect(fault.may_pass, fault.words + ": the answer is LM_OK");
    expect_close(scene, left, scene, right);
    return;
  }
  expect(status == LM_E_ARG || status == LM_E_UNSUPPORTED,
         fault.words + ": the status is " + std::to_string(status) + ", not LM_E_ARG");
  expect(!after.empty() && after != before, fault.words + ": last_error says nothing of it");
  try {
    expect_unchanged(scene, left);
  } catch (const Failed& failed) {
    throw Failed(fault.words + ": it was refused, but " + failed.what());
  }
}

void errors(const Context& context, const std::string& kernel) {
  if (!find_kernel(context.candidate().table, kernel)) throw Skipped("it does not register " + kernel);
  const OpenDevice device(context.candidate(), usual_options(context.candidate(), context.thorough));
  Shape shape;
  shape.n = 20;
  shape.batch = 3;
  shape.seed = context.seed;
  fit(shape, device);
  for (shape.variant = 0; shape.variant < variants_of(kernel); ++shape.variant) {
    Scene scene = scene_of(kernel, shape);
    odd_plans(scene);
    std::vector<Fault> faults;
    const CallSpec& call = scene.calls[0];
    for (std::size_t i = 0; i < call.views.size(); ++i)
      if (call.views[i].array >= 0)
        add_view_faults(faults, call, i, scene.arrays[static_cast<std::size_t>(call.views[i].array)].lay.shared);
    add_param_faults(faults, call);
    add_plan_faults(faults, call);
    add_call_faults(faults, call);
    Live good(device, scene);
    good.need(good.each());
    const Left right = left_by(good, scene.arrays.size());
    for (const Fault& fault : faults) {
      try {
        check(device, scene, fault, right);
      } catch (const Failed& failed) {
        throw Failed("variant " + std::to_string(shape.variant) + ": " + failed.what());
      }
    }
  }
}

}  // namespace

void add_error_cases(std::vector<Case>& to) {
  for (const std::string& kernel : known_kernels())
    to.push_back({"error." + kernel, 20, [kernel](const Context& context) { errors(context, kernel); }});
}

}  // namespace lumarch::conform
