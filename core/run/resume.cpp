// SPDX-License-Identifier: Apache-2.0
#include <lumarch/log.hpp>
#include <lumarch/resume.hpp>

#include <optional>
#include <utility>

#include "backend/device.hpp"
#include "output/resume_sink.hpp"
#include "run/checkpoint.hpp"
#include "run/request.hpp"
#include "run/run_on.hpp"
#include "run/stop.hpp"

namespace lumarch {

namespace {

void refuse(const std::string& path, const std::vector<std::string>& differences) {
  if (differences.empty()) return;
  std::string text = path + ": cannot go on with the same bits, for something is not as it was when the run began:";
  for (const std::string& difference : differences) text += "\n  " + difference;
  throw Error(Fault::problem,
              text + "\nPut that back, or launch a new run from a plane of this one ({\"shape\": \"run\"})");
}

void append(std::vector<std::string>& all, const std::vector<std::string>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

// The problem as the run had it. Where the program differs too, what is wrong with the problem now does not matter.
Problem problem_of(const ResultInfo& info, const Request& request, std::vector<std::string>& differences) {
  Problem problem;
  try {
    problem = parse_problem(info.problem, {}, request.folder);
  } catch (const ProblemError& error) {
    if (differences.empty()) throw;
    append(differences, {std::string("the problem: ") + error.what()});
    return problem;
  }
  const std::vector<std::string> files = file_differences(request, problem);
  append(differences, files);
  if (files.empty() && problem.digest != info.digest)
    append(differences,
           {"digest of the problem: was " + info.digest.substr(0, 16) + ", is " + problem.digest.substr(0, 16)});
  problem.backend = request.backend;
  return problem;
}

// What the file holds of the checkpoint's march and edge readings; less than the checkpoint knows is of no use.
bool whole(const ResultInfo& info, const RunState& state) {
  return info.march.size() >= state.attempts && info.edges.size() >= state.edges;
}

}  // namespace

std::string resume_refusal(const std::string& path, const ResultInfo& info) {
  if (info.status == "done") return path + " is done: there is nothing left to march";
  if (info.problem.empty())
    return path + " holds no problem: the run ended before it began, or a program made the problem; run it again";
  if (info.provenance.find("request") == info.provenance.end())
    return path + " does not say what its run was begun with: a lumarch that could not resume wrote it; run it again";
  if (info.status == "failed" && info.checkpoint.empty())
    return path + " is of a run that failed, and would fail again at the same place: change the problem, and run that";
  return {};
}

Resumed resume(const std::string& path, const ResumeOptions& options) {
  Stop stop(options.run);
  const std::unique_ptr<Sink> sink = make_resume_sink(path);  // nobody else changes the file from here on
  // Read and closed again each time: HDF5 opens no file for writing that it has open for reading.
  const ResultInfo info = ResultFile(path).info();
  Resumed resumed;
  if (info.status == "done") {
    resumed.was_done = true;
    resumed.from = info.z_reached;
    return resumed;
  }
  if (const std::string why = resume_refusal(path, info); !why.empty()) throw Error(Fault::problem, why);

  const Request request = request_of(info.provenance.at("request"));
  std::vector<std::string> differences = program_differences(request);
  Problem& problem = resumed.problem;
  problem = problem_of(info, request, differences);
  refuse(path, differences);
  if (options.threads >= 0) problem.backend.threads = options.threads;
  problem = ready_to_run(problem);

  RunOptions run = options.run;
  if (run.backend_path.empty()) run.backend_path = request.folders;
  const LoadedBackend& backend = load_backend(problem.backend.name, {run.backend_path, run.log});
  Device device(backend, problem.backend, run.log, [&stop](double) { return stop.asked(); });
  const auto before = info.provenance.find("backend");
  append(differences,
         backend_differences(before == info.provenance.end() ? std::string() : before->second, device.describe_json()));
  refuse(path, differences);

  for (const std::string& part : info.unread)
    if (run.log) run.log(log_level::warning, path + ": not readable: " + part);
  std::optional<Resumption> from;
  if (!info.checkpoint.empty()) {
    from.emplace(Resumption{from_text(info.checkpoint),
                            [&path](std::size_t row) { return ResultFile(path).checkpoint_row(row); }});
    if (!whole(info, from->state)) {
      from.reset();
      if (run.log)
        run.log(log_level::warning, path + ": the checkpoint lacks its steps; the march begins at the launch");
    } else {
      resumed.from = from->state.member.walk.z;
    }
  }
  try {
    resumed.summary = run_on(device, problem, *sink, run, {}, from ? &*from : nullptr);
  } catch (const OtherBits& other) {
    refuse(path, {other.what()});
  }
  return resumed;
}

}  // namespace lumarch
