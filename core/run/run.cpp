// SPDX-License-Identifier: Apache-2.0
#include <lumarch/result_file.hpp>
#include <lumarch/run.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <new>
#include <nlohmann/json.hpp>

#include "march/fibre_equation.hpp"
#include "march/march.hpp"
#include "media/constants.hpp"
#include "reads/statistics.hpp"
#include "run/run_on.hpp"

namespace lumarch {

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

MarchOptions march_options(const Problem& problem) {
  MarchOptions options;
  options.integrator = problem.march.integrator;
  options.length = problem.medium.length;
  options.tolerance = problem.march.tolerance;
  options.first_step = problem.march.first_step;
  options.max_step = problem.march.max_step;
  options.min_step = problem.march.min_step;
  options.schedule = problem.march.schedule;
  options.planes = problem.planes;
  return options;
}

std::string kernels_json(const std::vector<KernelUse>& kernels) {
  nlohmann::json list = nlohmann::json::array();
  for (const KernelUse& k : kernels) {
    list.push_back({{"name", k.name}, {"version", k.version}, {"how", k.how}});
    if (!k.plugin.empty()) list.back()["plugin"] = k.plugin;
  }
  return list.dump();
}

// What is read at a plane, and what of it is sent to the sink.
class PlaneReader {
public:
  PlaneReader(const Problem& problem, const Grid& grid, Stepper& stepper, Sink& sink, RunSummary& summary)
      : problem_(problem), grid_(grid), stepper_(stepper), sink_(sink), summary_(summary) {
    for (const StatisticRequest& request : problem.statistics)
      time_needed_ = time_needed_ || needs_time(request.quantity);
  }

  void operator()(std::int64_t index, double z) {
    if (!problem_.statistics.empty() || problem_.output.fields != Fields::none)
      stepper_.read(0, state_, time_needed_ ? &time_ : nullptr);
    const PlaneRows rows{state_, time_};
    PlaneRecord record;
    record.index = index;
    record.z = z;
    for (const StatisticRequest& request : problem_.statistics)
      record.statistics.push_back(statistic(request, grid_, rows));
    if (problem_.output.fields != Fields::none) record.field = rising_field();
    if (problem_.output.fields != Fields::last) return sink_.plane(std::move(record));
    flush(false);
    held_ = std::move(record);  // it may be the last one that this run reaches
  }

  // What the march has reached, whether a plane lies there or not.
  void last_budget() {
    stepper_.read(0, state_, &time_);
    summary_.energy_out = energy(grid_, state_);
    summary_.photons_out = photon_number(grid_, state_);
    summary_.peak_power_out = 0;
    for (const Complex& a : time_) summary_.peak_power_out = std::max(summary_.peak_power_out, std::norm(a));
  }

  // With fields = last: hands on the plane that was held, with its field where no other follows.
  void flush(bool with_field) {
    if (!held_) return;
    if (!with_field) held_->field.clear();
    sink_.plane(std::move(*held_));
    held_.reset();
  }

private:
  // As the file has it: omega rises, sqrt(W) s, and the phase refers to the window's centre. The centre is sample n/2
  // of the backend's time axis, so the phase there is exp(-i Omega t_0) with t_0 the time of its first sample.
  [[nodiscard]] std::vector<Complex> rising_field() const {
    std::vector<Complex> field(state_.size());
    for (std::int64_t j = 0; j < grid_.n; ++j) {
      const std::int64_t k = grid_.rising(j), half = grid_.n / 2;
      // exp(+i Omega_k t_0) with Omega_k t_0 = -2 pi k half/n; k half is taken modulo n, so the angle stays small
      const std::int64_t turns = (k * half) % grid_.n;
      const Complex phase =
          2 * half == grid_.n
              ? Complex(k % 2 ? -1 : 1)
              : std::polar(1.0, -2 * constants::pi * static_cast<double>(turns) / static_cast<double>(grid_.n));
      field[static_cast<std::size_t>(j)] = grid_.window * phase * state_[static_cast<std::size_t>(k)];
    }
    return field;
  }

  const Problem& problem_;
  const Grid& grid_;
  Stepper& stepper_;
  Sink& sink_;
  RunSummary& summary_;
  bool time_needed_ = false;
  std::vector<Complex> state_, time_;
  std::optional<PlaneRecord> held_;
};

// Nobody asked for anything that takes a field: then none leaves the device, also not for the closing budget.
bool field_free(const Problem& problem) { return problem.output.fields == Fields::none && problem.statistics.empty(); }

// The energy comes with each attempt's numbers; the rest of the budget would take the field.
void energy_alone(RunSummary& summary, double share) {
  summary.energy_out = summary.energy_in * share;
  summary.photons_out = summary.peak_power_out = std::nan("");
}

Ended ended(std::uint8_t status) {
  switch (status) {
    case LM_DONE:
      return Ended::done;
    case LM_STOPPED:
      return Ended::stopped;
    default:
      return Ended::failed;
  }
}

void warn_of_budget(const Problem& problem, RunSummary& summary) {
  bool shock = false, raman = false;
  for (const Response& r : problem.responses) {
    shock = shock || std::holds_alternative<SelfSteepening>(r);
    raman = raman || std::holds_alternative<Raman>(r);
    if (std::holds_alternative<PluginResponse>(r)) return;  // what it conserves, nobody told us
  }
  if (problem.medium.loss != 0 || problem.medium.loss_curve || !(summary.energy_in > 0)) return;
  // cases.md, C15: photons are conserved with self-steepening, energy without it and without Raman
  const auto drift = [](double in, double out) { return std::abs(out / in - 1); };
  char text[200];
  if (shock && drift(summary.photons_in, summary.photons_out) > 1e-3) {
    std::snprintf(text, sizeof(text), "the photon number drifted by %.2g, and should be conserved: lower the tolerance",
                  summary.photons_out / summary.photons_in - 1);
    summary.warnings.emplace_back(text);
  }
  if (!shock && !raman && drift(summary.energy_in, summary.energy_out) > 1e-3) {
    std::snprintf(text, sizeof(text), "the energy drifted by %.2g, and should be conserved: lower the tolerance",
                  summary.energy_out / summary.energy_in - 1);
    summary.warnings.emplace_back(text);
  }
}

}  // namespace

RunSummary run_on(Device& device, const Problem& problem, Sink& sink, const RunOptions& options, bool fused_kernels) {
  RunSummary summary;
  const auto start = Clock::now();
  const MarchOptions marching = march_options(problem);
  check_schedule(marching);  // before anything is written
  const FibreTables tables = translate_fibre(problem);
  summary.warnings = tables.warnings;
  const bool noise = problem.noise && problem.noise->enters == Noise::Enters::nonlinear;
  RunInfo info;
  info.problem = problem;
  info.omega0 = tables.grid.omega0;
  info.omega = tables.grid.rising_omega();
  info.time = tables.grid.times();
  info.planes = problem.planes;
  info.backend_json = device.describe_json();

  std::optional<Stepper> made;
  try {
    made.emplace(device, std::vector{tables}, StepperOptions{problem.march.integrator, noise, fused_kernels});
  } catch (const Cancelled& cancelled) {  // a stop before the first step: there is a file, and it says so
    sink.begin(info);
    summary.end.ended = Ended::stopped;
    summary.end.reason = cancelled.what();
    summary.end.memory = device.ledger();
    sink.end(summary.end);
    return summary;
  }
  Stepper& stepper = *made;
  const Launch launch = build_launch(problem, tables.grid, transforms_on(device, tables.grid.n));

  summary.energy_in = summary.energy_out = energy(tables.grid, launch.state);
  summary.photons_in = summary.photons_out = photon_number(tables.grid, launch.state);

  sink.begin(info);
  summary.end.timings["set-up"] = since(start);

  const auto march_start = Clock::now();
  PlaneReader reader(problem, tables.grid, stepper, sink, summary);
  std::vector<AttemptRecord> attempts;
  double reading = 0, accepted2 = 0;  // accepted2: sum |S|^2 of the state as it is
  Progress progress;
  progress.length = problem.medium.length;
  auto last_progress = march_start;

  MarchEvents events;
  events.stop = [&] { return options.stop && options.stop->load(std::memory_order_relaxed); };
  events.attempt = [&](std::uint32_t, const AttemptRecord& record) {
    attempts.push_back(record);
    record.accepted ? ++progress.accepted : ++progress.rejected;
    if (record.accepted) accepted2 = stepper.after2(0);
    progress.z = record.accepted ? record.z + record.h : record.z;
    progress.h = record.h;
    if (options.progress && since(last_progress) >= 0.1) {
      last_progress = Clock::now();
      options.progress(progress);
    }
  };
  events.plane = [&](std::uint32_t, std::int64_t index, double z) {
    const auto at = Clock::now();
    sink.attempts(std::exchange(attempts, {}));
    reader(index, z);
    reading += since(at);
  };

  RunEnd& end = summary.end;
  const auto finish = [&] {
    end.bytes_crossed = device.crossed();
    end.memory = device.ledger();
    end.kernels_json = kernels_json(stepper.kernels());
    summary.seconds = since(march_start);
    end.timings["march"] = summary.seconds - reading;
    end.timings["planes"] = reading;
  };
  const auto failed = [&](const std::string& reason) {
    end.ended = Ended::failed;
    end.reason = reason;
    end.z = progress.z;
    end.accepted = progress.accepted;
    end.rejected = progress.rejected;
    finish();
    reader.flush(true);
    sink.end(end);
  };
  try {
    stepper.load({launch});
    accepted2 = stepper.field2(0);
    const MemberEnd member = march(stepper, marching, events).front();
    reader.flush(true);
    if (field_free(problem))
      energy_alone(summary, accepted2 / stepper.field2(0));
    else
      reader.last_budget();
    sink.attempts(std::exchange(attempts, {}));
    end.ended = ended(member.status);
    end.reason = member.reason;
    end.z = member.z;
    end.accepted = member.accepted;
    end.rejected = member.rejected;
    end.evaluations = member.evaluations;
  } catch (const Error& error) {
    if (error.fault() != Fault::output) failed(error.what());  // a sink that failed has nothing more to say
    throw;
  } catch (const std::bad_alloc&) {
    const std::string reason = "out of memory at z = " + std::to_string(progress.z) + " m, with " +
                               std::to_string(tables.grid.n) +
                               " points: fewer points, or /output/fields none, would help";
    failed(reason);
    throw Error(Fault::refused, reason);
  }
  finish();
  sink.end(end);
  if (end.ended == Ended::done) warn_of_budget(problem, summary);
  return summary;
}

RunSummary run(const Problem& given, Sink& sink, const RunOptions& options) {
  Problem problem = given;
  check_problem(problem);
  if (!problem.march.schedule_run.empty()) problem.march.schedule = read_schedule(problem.march.schedule_run);
  BackendSearch search{options.backend_path, options.log};
  const LoadedBackend& backend = load_backend(problem.backend.name, search);
  Device device(backend, problem.backend, options.log,
                [stop = options.stop](double) { return stop && stop->load(std::memory_order_relaxed); });
  return run_on(device, problem, sink, options);
}

double tune(const BackendRequest& request, std::int64_t n, const std::vector<std::string>& backend_path,
            const std::function<void(int, const std::string&)>& log) {
  const auto start = Clock::now();
  Device device(load_backend(request.name, {backend_path, {}}), request, log);
  FibreTransforms transforms(device, n, true);
  return since(start);
}

}  // namespace lumarch
