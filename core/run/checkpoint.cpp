// SPDX-License-Identifier: Apache-2.0
#include "run/checkpoint.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

#include <lumarch/error.hpp>

namespace lumarch {

namespace {

using nlohmann::json;

// JSON has no NaN and no infinity; every other double comes back from its shortest text.
json put(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

double number(const json& value) {
  if (value == "nan") return std::nan("");
  if (value == "inf") return HUGE_VAL;
  if (value == "-inf") return -HUGE_VAL;
  return value.get<double>();
}

json of_walk(const Walk& w) {
  return {{"z", put(w.z)},
          {"h", put(w.h)},
          {"wanted", put(w.wanted)},
          {"before2", put(w.before2)},
          {"launch2", put(w.launch2)},
          {"err_last", put(w.err_last)},
          {"longest_h", put(w.longest_h)},
          {"launch_rim", put(w.launch_rim)},
          {"next", {w.next_plane, w.next_wall, w.next_absorber, w.next_step, w.next_look}},
          {"repeats", w.repeats},
          {"arriving", w.arriving},
          {"status", w.end.status},
          {"counts", {w.end.accepted, w.end.rejected, w.end.evaluations}}};
}

Walk walk_of(const json& from) {
  Walk w;
  w.z = number(from.at("z"));
  w.h = number(from.at("h"));
  w.wanted = number(from.at("wanted"));
  w.before2 = number(from.at("before2"));
  w.launch2 = number(from.at("launch2"));
  w.err_last = number(from.at("err_last"));
  w.longest_h = number(from.at("longest_h"));
  w.launch_rim = number(from.at("launch_rim"));
  const json& next = from.at("next");
  std::size_t* const to[] = {&w.next_plane, &w.next_wall, &w.next_absorber, &w.next_step, &w.next_look};
  for (std::size_t i = 0; i < std::size(to); ++i) *to[i] = next.at(i).get<std::size_t>();
  w.repeats = from.at("repeats").get<int>();
  w.arriving = from.at("arriving").get<bool>();
  w.end.status = from.at("status").get<std::uint8_t>();
  const json& counts = from.at("counts");
  w.end.accepted = counts.at(0).get<std::int64_t>();
  w.end.rejected = counts.at(1).get<std::int64_t>();
  w.end.evaluations = counts.at(2).get<std::int64_t>();
  return w;
}

json of_stepper(const StepperState& s) {
  return {{"parity", s.parity},
          {"launch", {put(s.field2), put(s.source2)}},
          {"absorbed", {put(s.absorbed_time), put(s.absorbed_space)}},
          {"history", {s.history.known, s.history.refused, put(s.history.last), put(s.history.before)}}};
}

StepperState stepper_of(const json& from) {
  StepperState s;
  s.parity = from.at("parity").get<std::uint8_t>();
  s.field2 = number(from.at("launch").at(0));
  s.source2 = number(from.at("launch").at(1));
  s.absorbed_time = number(from.at("absorbed").at(0));
  s.absorbed_space = number(from.at("absorbed").at(1));
  const json& history = from.at("history");
  s.history = {history.at(0).get<int>(), history.at(1).get<int>(), number(history.at(2)), number(history.at(3))};
  return s;
}

}  // namespace

std::string to_text(const RunState& state) {
  json most = json::array(), parts = json::array();
  for (const RimShare& rim : state.rims.most) most.push_back({rim.rim, put(rim.share), put(rim.z)});
  for (const Refusals::Part& part : state.refusals) parts.push_back({part.accepted, part.refused, put(part.least)});
  return json{{"form", 1},
              {"z", put(state.member.walk.z)},
              {"walk", of_walk(state.member.walk)},
              {"stepper", of_stepper(state.member.stepper)},
              {"march", state.march},
              {"fingerprint", state.fingerprint},
              {"fused", state.fused},
              {"kernels", state.kernels},
              {"attempts", state.attempts},
              {"edges", state.edges},
              {"accepted2", put(state.accepted2)},
              {"rims", {{"told", state.rims.told}, {"most", most}, {"warnings", state.rims.warnings}}},
              {"refusals", parts},
              {"warnings", state.warnings}}
      .dump();
}

RunState from_text(const std::string& text) {
  try {
    const json from = json::parse(text);
    if (from.at("form") != 1) throw Error(Fault::problem, "the checkpoint has a form that this lumarch does not know");
    RunState state;
    state.member = {walk_of(from.at("walk")), stepper_of(from.at("stepper"))};
    state.march = from.at("march").get<std::uint64_t>();
    state.fingerprint = from.at("fingerprint").get<std::uint64_t>();
    state.fused = from.at("fused").get<bool>();
    state.kernels = from.at("kernels").get<std::string>();
    state.attempts = from.at("attempts").get<std::size_t>();
    state.edges = from.at("edges").get<std::size_t>();
    state.accepted2 = number(from.at("accepted2"));
    const json& rims = from.at("rims");
    state.rims.told = rims.at("told").get<std::set<std::string>>();
    for (const json& rim : rims.at("most"))
      state.rims.most.push_back({rim.at(0).get<std::string>(), number(rim.at(1)), number(rim.at(2))});
    state.rims.warnings = rims.at("warnings").get<std::vector<std::string>>();
    const json& parts = from.at("refusals");
    for (std::size_t i = 0; i < state.refusals.size(); ++i)
      state.refusals[i] = {parts.at(i).at(0).get<std::int64_t>(), parts.at(i).at(1).get<std::int64_t>(),
                           number(parts.at(i).at(2))};
    state.warnings = from.at("warnings").get<std::vector<std::string>>();
    return state;
  } catch (const json::exception& error) {
    throw Error(Fault::problem, std::string("the checkpoint is damaged: ") + error.what());
  }
}

std::uint64_t march_digest(const MarchOptions& options) {
  std::uint64_t sum = 0x9e3779b97f4a7c15;
  const auto word = [&](std::uint64_t value) {
    sum = (sum ^ value) * 0xff51afd7ed558ccd;
    sum ^= sum >> 32;
  };
  const auto list = [&](const std::vector<double>& values) {
    word(values.size());
    for (const double value : values) word(std::bit_cast<std::uint64_t>(value));
  };
  word(static_cast<std::uint64_t>(options.integrator));
  word(options.approaches_end ? 1 : 0);
  list({options.length, options.tolerance, options.first_step.value_or(-1), options.max_step.value_or(-1),
        options.min_step.value_or(-1)});
  for (const auto* values : {&options.schedule, &options.planes, &options.walls, &options.absorb_at, &options.looks})
    list(*values);
  return sum;
}

std::string kernels_json(const std::vector<KernelUse>& kernels) {
  json list = json::array();
  for (const KernelUse& k : kernels) {
    list.push_back({{"name", k.name}, {"version", k.version}, {"how", k.how}});
    if (!k.plugin.empty()) list.back()["plugin"] = k.plugin;
  }
  return list.dump();
}

std::size_t checkpoint_rows(const Problem& problem, const Sink& sink) {
  if (!problem.output.checkpoint_every || !sink.keeps_checkpoints()) return 0;
  const bool noise = problem.noise && problem.noise->enters == Noise::Enters::nonlinear;
  return Stepper::carried(problem.march.integrator, noise);
}

namespace {

// "rhs.fibre 1 (fused)", without where the file of a plugin is.
std::set<std::string> names_of(const std::string& kernels) {
  std::set<std::string> names;
  for (const json& kernel : json::parse(kernels))
    names.insert(kernel.at("name").get<std::string>() + " version " + std::to_string(kernel.at("version").get<int>()) +
                 " (" + kernel.at("how").get<std::string>() + ")");
  return names;
}

std::string listed_without(const std::set<std::string>& names, const std::set<std::string>& others) {
  std::string text;
  for (const std::string& name : names)
    if (!others.contains(name)) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

}  // namespace

void restore(Stepper& stepper, const MarchOptions& options, const Resumption& from) {
  const RunState& state = from.state;
  if (march_digest(options) != state.march)
    throw OtherBits(Fault::problem,
                    "the march: its length, planes, steps or tolerance are not those of the problem's text; a program "
                    "changed them after it had read the problem");
  if (!state.fused && stepper.fused()) stepper.use_stages();
  const std::set<std::string> old = names_of(state.kernels), now = names_of(kernels_json(stepper.kernels()));
  if (old != now)
    throw OtherBits(Fault::problem, "kernels: the run had " + listed_without(old, now) + "; now there is " +
                                        listed_without(now, old) + " instead");
  stepper.restore({state.member.stepper}, [&](std::uint32_t, std::size_t row) { return from.row(row); });
  if (stepper.fingerprint(0, state.member.walk.z) != state.fingerprint)
    throw OtherBits(
        Fault::problem,
        "bits: the right-hand side at the checkpoint differs from what the run had there. What gave it is "
        "another: plans of FFTW (a cache folder that was emptied or is another one), a library, a processor");
}

bool CheckpointClock::due(bool stopped) const {
  if (!every_) return false;
  if (stopped) return true;
  constexpr double at_planes = 10, most_share = 0.05;  // s, of the time
  const double age = std::chrono::duration<double>(Clock::now() - last_).count();
  if (age * most_share < cost_) return false;
  return age >= *every_ || (plane_ && age >= at_planes);
}

}  // namespace lumarch
