// SPDX-License-Identifier: Apache-2.0
#include <lumarch/result_file.hpp>
#include <lumarch/run.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <new>
#include "march/fibre_equation.hpp"
#include "march/march.hpp"
#include "run/checkpoint.hpp"
#include "run/edge_check.hpp"
#include "run/memory.hpp"
#include "run/refusals.hpp"
#include "run/request.hpp"
#include "run/run_on.hpp"
#include "run/scene.hpp"
#include "run/stop.hpp"
#include "run/stored_launch.hpp"

namespace lumarch {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double most_at_ends = 1e-6;  // of the energy, in a band that is wide enough

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

// Nobody asked for anything that takes a field: then none leaves the device, also not for the closing budget.
// A uppe plane has its spectrum, power and fluence whatever is asked for.
bool field_free(const Problem& problem) {
  return !problem.uppe && !problem.edge.on && problem.output.fields == Fields::none && problem.statistics.empty();
}

// The energy comes with each attempt's numbers; the rest of the budget would take the field.
void energy_alone(RunSummary& summary, double share) {
  summary.energy_out = summary.energy_in * share;
  summary.photons_out = summary.peak_power_out = std::nan("");
}

double take(RunSummary& summary, const Budget& budget) {
  summary.energy_out = budget.energy;
  summary.photons_out = budget.photons;
  summary.peak_power_out = budget.peak_power;
  return budget.edge;
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

// Which of the two a problem conserves (cases.md, C15): photons with self-steepening, energy without it and without
// Raman. A real field's Kerr response keeps energy alone where it has its third harmonic.
struct Conserved {
  bool energy = false, photons = false;
};

Conserved conserved(const Problem& problem) {
  bool shock = problem.uppe.has_value(), delayed = false, harmonics = false;
  for (const Response& r : problem.responses) {
    shock = shock || std::holds_alternative<SelfSteepening>(r);
    delayed = delayed || std::holds_alternative<Raman>(r) || std::holds_alternative<MolecularRaman>(r);
    if (const auto* kerr = std::get_if<Kerr>(&r)) harmonics = harmonics || (problem.uppe && kerr->third_harmonic);
    harmonics = harmonics || std::holds_alternative<Chi2>(r);
    // what these conserve, nobody told us
    if (std::holds_alternative<PluginResponse>(r) || std::holds_alternative<Plasma>(r)) return {};
  }
  if (problem.uppe && problem.uppe->boundary.band) return {};
  return {!delayed && (!shock || problem.uppe), shock && !harmonics};
}

// A spectrum that reaches the ends of its band folds there or is cut, and no tolerance helps.
void warn_of_budget(const Problem& problem, bool lossy, double edge, RunSummary& summary) {
  if (lossy || !(summary.energy_in > 0)) return;
  const Conserved kept = conserved(problem);
  const auto tell = [&](const char* what, double in, double out) {
    if (!(std::abs(out / in - 1) > 1e-3)) return;
    char text[300];
    int end =
        std::snprintf(text, sizeof(text), "the %s drifted by %.2g, and should be conserved: ", what, out / in - 1);
    const auto at = static_cast<std::size_t>(end);
    if (edge > most_at_ends)
      std::snprintf(text + at, sizeof(text) - at,
                    "%.2g of the energy lies at the ends of the band, which is too narrow; %s", edge,
                    problem.time.band ? "widen /time/band" : "take more /time/points");
    else
      std::snprintf(text + at, sizeof(text) - at, "lower /march/tolerance");
    summary.warnings.emplace_back(text);
  };
  if (kept.photons) tell("photon number", summary.photons_in, summary.photons_out);
  if (kept.energy) tell("energy", summary.energy_in, summary.energy_out);
}

// What the absorbers in time and space took, where it is more than a thousandth of what was launched.
void warn_of_absorbed(const Stepper& stepper, RunSummary& summary) {
  const auto tell = [&](double taken, const char* where, const char* remedy) {
    const double share = taken / stepper.field2(0);
    if (!(share > 1e-3)) return;
    char text[200];
    std::snprintf(text, sizeof(text), "the absorber in %s took %.2g of the launched energy: %s", where, share, remedy);
    summary.warnings.emplace_back(text);
  };
  tell(stepper.absorbed(0).time, "time", "enlarge /time/window where that should not be");
  tell(stepper.absorbed(0).space, "space", "enlarge the window in /geometry where that should not be");
}

void put_counts(RunEnd& end, const Walk& walk) {
  end.z = walk.z;
  end.accepted = walk.end.accepted;
  end.rejected = walk.end.rejected;
  end.evaluations = walk.end.evaluations;
}

// Of a beam that the nodes across resolve, next to nothing lies there.
void warn_of_unresolved(const MemberEnd::Unresolved& seen, RunSummary& summary) {
  if (!(seen.share > 0)) return;
  char text[200];
  std::snprintf(text, sizeof text,
                "at z = %.4g m %.2g of the energy lay in the outermost tenth of k: the nodes across do not resolve the "
                "beam; raise the points in /geometry",
                seen.z, seen.share);
  summary.warnings.emplace_back(text);
}

std::map<std::string, std::uint64_t> since_before(const std::map<std::string, std::uint64_t>& before,
                                                  std::map<std::string, std::uint64_t> now) {
  for (const auto& [reason, bytes] : before) {
    const auto at = now.find(reason);
    if ((at->second -= bytes) == 0) now.erase(at);
  }
  return now;
}

// There is a file all the same, and it says that the run stopped.
RunSummary stopped_in_set_up(Device& device, const Scene& scene, const RunInfo& info, Sink& sink,
                             const std::string& reason, const Resumption* from) {
  RunSummary summary;
  summary.warnings = scene.warnings();
  sink.begin(info);
  summary.end.ended = Ended::stopped;
  summary.end.reason = reason;
  if (from) put_counts(summary.end, from->state.member.walk);
  summary.end.memory = device.ledger().entries();
  sink.end(summary.end);
  return summary;
}

RunSummary run_until(Stop& stop, Device& device, const Problem& problem, Sink& sink, const RunOptions& options,
                     const RunWays& ways, const Resumption* from) {
  RunSummary summary;
  const auto start = Clock::now();
  const std::map<std::string, std::uint64_t> before = device.crossed();  // by runs before this one
  const std::unique_ptr<Scene> scene = translate(problem);
  MarchOptions marching = march_options(problem);
  scene->put_places(marching);
  const Looks looks = places_to_look(problem);
  marching.looks = looks.places;
  if (!looks.places.empty())  // there is a look at an end of a step: there have to be as many
    marching.max_step = std::min(marching.max_step.value_or(problem.medium.length / 2), looks.longest_step);
  check_schedule(marching);  // before anything is written
  RunInfo info;
  info.problem = problem;
  scene->describe(info);
  check_stored(problem, {scene->half(), info.omega, info.nodes});  // before anything is written
  info.planes = problem.planes;
  info.backend_json = device.describe_json();
  info.request_json = request_json(problem, options);
  info.checkpoint_rows = checkpoint_rows(problem, sink);
  if (problem.edge.on) info.edge_readings = problem.planes.size() + marching.looks.size();
  if (from) {
    info.attempts_before = from->state.attempts;
    info.edges_before = from->state.edges;
  }

  const auto asked = [&] {
    if (stop.asked()) throw Cancelled(Fault::backend, "stopped before the first step" + stop.by());
  };
  std::unique_ptr<Stepper> made;
  std::vector<Launch> launches;  // moved in: a volume may be as large as memory allows
  try {
    asked();
    refuse_unless_it_fits(estimate_memory(*scene, device, problem, ways), device, problem);
    made = scene->make_stepper(device, ways);
    asked();
    launches.push_back(scene->launch(device));
    asked();
  } catch (const Cancelled& cancelled) {
    return stopped_in_set_up(device, *scene, info, sink, cancelled.what(), from);
  }
  Stepper& stepper = *made;
  device.drop_spare_plans();
  summary.warnings = scene->warnings();
  const Budget entrance = scene->entrance(launches.front());
  summary.energy_in = summary.energy_out = entrance.energy;
  summary.photons_in = summary.photons_out = entrance.photons;

  const std::unique_ptr<PlaneReader> reader = scene->reader(stepper, sink);
  if (from) restore(stepper, marching, *from);  // before anything is written
  sink.begin(info);
  summary.end.timings["set-up"] = since(start);

  const auto march_start = Clock::now();
  RimCheck rims(problem, *reader, stepper, sink, entrance.energy);
  std::vector<AttemptRecord> attempts;
  Refusals refusals(problem.medium.length);
  double reading = 0, accepted2 = 0;  // accepted2: sum |S|^2 of the state as it is
  std::size_t attempts_made = 0, edges_read = 0;
  CheckpointClock checkpoints(info.checkpoint_rows > 0 ? problem.output.checkpoint_every : std::nullopt);
  Progress progress;
  if (from) {
    const RunState& state = from->state;
    rims.restore(state.rims);
    refusals.restore(state.refusals);
    reader->restore(state.warnings);
    attempts_made = state.attempts;
    edges_read = state.edges;
    accepted2 = state.accepted2;
    progress.z = state.member.walk.z;
    progress.accepted = state.member.walk.end.accepted;
    progress.rejected = state.member.walk.end.rejected;
  }
  progress.length = problem.medium.length;
  auto last_progress = march_start;

  MarchEvents events;
  events.stop = [&] { return stop.asked(); };
  events.attempt = [&](std::uint32_t, const AttemptRecord& record) {
    attempts.push_back(record);
    ++attempts_made;
    refusals.count(record);
    record.accepted ? ++progress.accepted : ++progress.rejected;
    if (record.accepted) accepted2 = stepper.after2(0);
    progress.z = record.accepted ? record.z + record.h : record.z;
    progress.h = record.h;
    if (options.progress && since(last_progress) >= 0.1) {
      last_progress = Clock::now();
      options.progress(progress);
    }
  };
  events.largest = [&](std::uint32_t, double z) { return reader->largest(z); };
  events.plane = [&](std::uint32_t, std::int64_t index, double z) {
    const auto at = Clock::now();
    sink.attempts(std::exchange(attempts, {}));
    (*reader)(index, z);
    checkpoints.plane();
    reading += since(at);
  };
  double keeping = 0;
  events.checkpoint_due = [&](bool stopped) { return checkpoints.due(stopped); };
  events.checkpoint = [&](const std::vector<MemberState>& members) {
    const auto at = Clock::now();
    checkpoints.keep([&] {
      reader->flush(true);  // a plane that is held would be lost
      sink.attempts(std::exchange(attempts, {}));
      std::vector<Complex> row;
      for (std::size_t i = 0; i < stepper.carried(); ++i) {
        stepper.save_row(0, i, row);
        sink.checkpoint_row(i, std::exchange(row, {}));
      }
      const std::uint64_t fingerprint = stepper.fingerprint(0, members.front().walk.z);
      sink.checkpoint(to_text({members.front(), march_digest(marching), fingerprint, stepper.fused(),
                               kernels_json(stepper.kernels()), attempts_made, edges_read, accepted2, rims.state(),
                               refusals.state(), reader->warnings()}));
    });
    keeping += since(at);
  };
  if (problem.edge.on)
    events.look = [&](std::uint32_t, double z) {
      const auto at = Clock::now();
      const std::string why = rims.look(z);
      ++edges_read;
      reading += since(at);
      return why;
    };

  double edge = 0;  // the share of the energy at the ends of the band
  RunEnd& end = summary.end;
  const auto finish = [&] {
    end.bytes_crossed = since_before(before, device.crossed());
    end.memory = device.ledger().entries();
    end.kernels_json = kernels_json(stepper.kernels());
    summary.seconds = since(march_start);
    end.timings["march"] = summary.seconds - reading - keeping;
    if (keeping > 0) end.timings["checkpoints"] = keeping;
    end.timings["planes"] = reading;
  };
  const auto ended_early = [&](Ended how, const std::string& reason, bool retry = false) {
    end.ended = how;
    end.retry = retry;
    end.reason = reason;
    end.z = progress.z;
    end.accepted = progress.accepted;
    end.rejected = progress.rejected;
    finish();
    reader->flush(true);
    summary.rims = rims.most();
    sink.end(end);
  };
  try {
    if (!from) {
      stepper.load(launches);
      accepted2 = stepper.field2(0);
    }
    launches = {};
    const std::vector<MemberState> members = from ? std::vector{from->state.member} : std::vector<MemberState>{};
    const MemberEnd member = march(stepper, marching, events, from ? &members : nullptr).front();
    reader->flush(true);
    if (field_free(problem))
      energy_alone(summary, accepted2 / stepper.field2(0));
    else
      edge = take(summary, reader->budget(member.z));
    warn_of_absorbed(stepper, summary);
    warn_of_unresolved(member.unresolved, summary);
    refusals.warn(summary.warnings);
    for (const auto* told : {&reader->warnings(), &rims.warnings()})
      summary.warnings.insert(summary.warnings.end(), told->begin(), told->end());
    summary.rims = rims.most();
    sink.attempts(std::exchange(attempts, {}));
    end.ended = ended(member.status);
    end.reason = member.reason + (member.status == LM_STOPPED ? stop.by() : "");
    end.z = member.z;
    end.accepted = member.accepted;
    end.rejected = member.rejected;
    end.evaluations = member.evaluations;
  } catch (const Cancelled&) {  // a backend that was in the middle of something heard the stop
    ended_early(Ended::stopped, "stopped at z = " + std::to_string(progress.z) + " m" + stop.by());
    return summary;
  } catch (const Error& error) {
    // a sink that failed has nothing more to say
    if (error.fault() != Fault::output) ended_early(Ended::failed, error.what(), error.fault() == Fault::backend);
    throw;
  } catch (const std::bad_alloc&) {
    const std::string reason = "out of memory at z = " + std::to_string(progress.z) + " m, with " +
                               std::to_string(scene->points()) +
                               " points: fewer points, or /output/fields none, would help";
    ended_early(Ended::failed, reason, true);
    throw Error(Fault::refused, reason);
  }
  finish();
  sink.end(end);
  if (end.ended == Ended::done) warn_of_budget(problem, scene->lossy(), edge, summary);
  return summary;
}

}  // namespace

RunSummary run_on(Device& device, const Problem& problem, Sink& sink, const RunOptions& options, const RunWays& ways,
                  const Resumption* from) {
  Stop stop(options);
  return run_until(stop, device, problem, sink, options, ways, from);
}

Problem ready_to_run(const Problem& given) {
  Problem problem = given;
  check_problem(problem);
  if (!problem.march.schedule_run.empty()) problem.march.schedule = read_schedule(problem.march.schedule_run);
  return problem;
}

RunSummary run(const Problem& given, Sink& sink, const RunOptions& options) {
  Stop stop(options);
  const Problem problem = ready_to_run(given);
  BackendSearch search{options.backend_path, options.log};
  const LoadedBackend& backend = load_backend(problem.backend.name, search);
  // what is slow before the march, plans being measured, is heard too
  Device device(backend, problem.backend, options.log, [&stop](double) { return stop.asked(); });
  return run_until(stop, device, problem, sink, options, {}, nullptr);
}

double tune(const BackendRequest& request, std::int64_t n, const std::vector<std::string>& backend_path,
            const std::function<void(int, const std::string&)>& log) {
  const auto start = Clock::now();
  Device device(load_backend(request.name, {backend_path, {}}), request, log);
  FibreTransforms transforms(device, n, true);
  return since(start);
}

}  // namespace lumarch
