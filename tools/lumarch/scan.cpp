// SPDX-License-Identifier: Apache-2.0
// `lumarch run` of a file with a scan, `lumarch resume` of a scan's file, `lumarch collect`.
#include <lumarch/ranks.hpp>
#include <lumarch/scan_file.hpp>
#include <lumarch/scan_run.hpp>

#include <charconv>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "lumarch/run_parts.hpp"
#include "lumarch/scan_report.hpp"

namespace lumarch::cli {

namespace {

namespace fs = std::filesystem;

// "2/8": part 2 of 8.
ScanPart part_of(const std::string& text) {
  const auto wrong = [&] {
    return Error(Fault::problem, "--shard " + text + ": K/N is needed, part K of N, like 2/8");
  };
  ScanPart part;
  const char* const end = text.data() + text.size();
  auto [at, bad] = std::from_chars(text.data(), end, part.shard);
  if (bad != std::errc{} || at == end || *at != '/') throw wrong();
  const auto [last, bad_too] = std::from_chars(at + 1, end, part.shards);
  if (bad_too != std::errc{} || last != end || part.shards < 1 || part.shard < 1 || part.shard > part.shards)
    throw wrong();
  return part;
}

// OUT.h5 and "2-of-8": OUT.2-of-8.h5
std::string with_part(const std::string& output, const std::string& part) {
  const fs::path path(output);
  return (path.parent_path() / (path.stem().string() + "." + part + path.extension().string())).string();
}

std::string rank_file(const std::string& output, int rank) { return with_part(output, "rank-" + std::to_string(rank)); }

// The files of ranks that a scan left beside `output`.
std::vector<std::string> rank_files(const std::string& output) {
  std::vector<std::string> all;
  for (int rank = 0; fs::exists(rank_file(output, rank)); ++rank) all.push_back(rank_file(output, rank));
  return all;
}

struct Work {
  std::string file;
  bool json_log = false;
  bool tells = true;  // of several ranks one speaks of the whole
};

int march(const Scan& scan, ScanSink& sink, ScanOptions options, const Work& work, std::ostream& out,
          std::ostream& log) {
  StopSignals signals;
  ScanReporter reporter(log, style_of(work.json_log, log));
  options.run.stop = signals.requested();
  options.run.log = [&](int level, const std::string& text) { reporter.log(level, text); };
  if (work.tells) options.progress = [&](const ScanProgress& now) { reporter.progress(now); };
  options.failed = [&](const PointEnd& end) { reporter.failure(scan, end); };
  const ScanSummary summary = run_scan(scan, sink, options);
  reporter.finish();
  int status = summary.status;
  if (summary.ended == Ended::stopped) status = status_of(Ended::stopped, signals);
  reporter.end(summary, work.file, status);
  print_scan_summary(summary, scan, work.file, out);
  tell_of_stop(summary.ended == Ended::stopped ? Ended::stopped : Ended::done, work.file, signals, out);
  return status;
}

}  // namespace

Scan scan_of(const RunRequest& request) {
  Scan scan = read_scan(request.file, request.overrides);
  if (!scan.is_scan() || (request.backend.empty() && request.threads < 0 && request.plan.empty())) return scan;
  BackendRequest backend = scan.problem(0).backend;
  choose_backend(backend, request.backend, request.threads);
  if (!request.plan.empty()) backend.plan = request.plan;
  nlohmann::json text{{"name", backend.name}, {"device", backend.device}, {"threads", backend.threads}};
  if (!backend.plan.empty()) text["plan"] = backend.plan;
  std::vector<Override> overrides = request.overrides;
  overrides.push_back({"/backend", text.dump()});
  return read_scan(request.file, overrides);
}

int scan_command(const RunRequest& request, const Scan& scan, std::ostream& out, std::ostream& log) {
  const std::string file = output_of(request, scan.problem(0));
  ScanOptions options;
  options.run.backend_path = request.folders;
  options.run.time_limit = request.time_limit;
  options.fail_fast = request.fail_fast;
  if (scan.request().executor == ScanRequest::Executor::mpi) {
    if (!request.shard.empty()) throw Error(Fault::problem, "--shard and the executor mpi both share out the points");
    Ranks ranks;
    const std::string own = rank_file(file, ranks.rank());
    options.draw = [&] { return ranks.next(); };
    const auto sink = make_scan_file(own, request.force);
    const int status = march(scan, *sink, options, {own, request.json_log, ranks.rank() == 0}, out, log);
    if (ranks.rank() == 0)
      out << "  join them      lumarch collect " << in_shell(file) << ' ' << in_shell(with_part(file, "rank-"))
          << "*\n";
    return status;
  }
  ScanPart part;
  std::string own = file;
  if (!request.shard.empty()) {
    part = part_of(request.shard);
    own = with_part(file, std::to_string(part.shard) + "-of-" + std::to_string(part.shards));
  }
  options.shard = part.shard;
  options.shards = part.shards;
  const auto sink = make_scan_file(own, request.force, part);
  return march(scan, *sink, options, {own, request.json_log, true}, out, log);
}

bool is_scan_to_resume(const std::string& file) {
  return fs::exists(file) ? is_scan_file(file) : !rank_files(file).empty();
}

int resume_scan_command(const MarchRequest& request, std::ostream& out, std::ostream& log) {
  ScanOptions options;
  options.run.backend_path = request.folders;
  options.run.time_limit = request.time_limit;
  if (fs::exists(request.file)) {
    const ScanFile file(request.file);
    const Scan scan = file.scan();
    options.shard = file.info().part.shard;
    options.shards = file.info().part.shards;
    options.skip = file.skip();
    if (!file.info().parts.empty())
      throw Error(Fault::problem, request.file +
                                      " shows the arrays of its parts: resume the part that lacks points, and "
                                      "collect again");
    // what failed before stays so, and the scan with it
    int failed = 0;
    std::size_t left = 0;
    for (const StoredPoint& point : file.info().points) {
      if (point.status == "waiting") ++left;
      if (point.status == "waiting" || point.status == "done") continue;
      failed = failed == 0 || failed == point.exit_state ? point.exit_state : static_cast<int>(Fault::numbers);
    }
    if (left == 0) {
      ScanReporter reporter(log, style_of(request.json_log, log));
      ScanSummary nothing;
      nothing.ended = failed == 0 ? Ended::done : Ended::failed;
      reporter.end(nothing, request.file, failed);
      out << request.file << " has no points left to march" << (failed == 0 ? "\n" : "; some failed\n");
      return failed;
    }
    const auto sink = open_scan_file(request.file);
    const int status = march(scan, *sink, options, {request.file, request.json_log, true}, out, log);
    return status == 0 || (failed != 0 && status == failed) ? failed : status;
  }
  // of ranks: each goes on in its own file, or begins one, with the points that none of the files has
  Ranks ranks;
  std::optional<Scan> scan;
  for (const std::string& part : rank_files(request.file)) {
    const ScanFile file(part);
    if (!scan) scan = file.scan();
    if (file.scan().digest() != scan->digest()) throw Error(Fault::problem, part + " is of another scan");
    const std::vector<bool> there = file.skip();
    options.skip.resize(std::max(options.skip.size(), there.size()));
    for (std::size_t i = 0; i < there.size(); ++i) options.skip[i] = options.skip[i] || there[i];
  }
  (void)ranks.sum(0);  // all have read before one writes
  const std::string own = rank_file(request.file, ranks.rank());
  options.draw = [&] { return ranks.next(); };
  const auto sink = fs::exists(own) ? open_scan_file(own) : make_scan_file(own, false);
  return march(*scan, *sink, options, {own, request.json_log, ranks.rank() == 0}, out, log);
}

int collect_command(const CollectRequest& request, std::ostream& out) {
  collect_scan(request.output, request.parts, request.force);
  const ScanFile file(request.output);
  std::size_t done = 0;
  for (const StoredPoint& point : file.info().points) done += point.status == "done";
  out << done << " of " << file.info().points.size() << " points are done\n"
      << "  written        " << request.output << ", whose arrays are views of the parts: keep them\n";
  return 0;
}

}  // namespace lumarch::cli
