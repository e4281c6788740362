// SPDX-License-Identifier: Apache-2.0
// Points marched each by itself, some at once: the executor "local".
#include <lumarch/scan_run.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <mutex>
#include <thread>

#include "run/run_on.hpp"
#include "run/stop.hpp"
#include "scan/kept_backend.hpp"
#include "scan/parallel.hpp"

namespace lumarch {

namespace {

using Clock = std::chrono::steady_clock;

// What the threads of a scan share.
class Points {
public:
  Points(ScanSink& sink, const ScanOptions& options, std::vector<std::size_t> wanted)
      : sink_(sink), options_(options), wanted_(std::move(wanted)), stop_(options.run) {
    summary_.points = wanted_.size();
  }

  // The next point, or false where there is none or the scan ends.
  [[nodiscard]] bool next(std::size_t& point) {
    const std::lock_guard lock(mutex_);
    if (ending_ || at_ == wanted_.size()) return false;
    if (stop_.asked()) {
      ending_ = true;
      return false;
    }
    const std::size_t at = options_.draw ? options_.draw() : at_;
    at_ = std::min(at + 1, wanted_.size());
    if (at >= wanted_.size()) return false;
    point = wanted_[at];
    ++begun_;
    ++running_;
    return true;
  }

  void ended(PointEnd end) {
    end.unfinished = end.ended == Ended::stopped && stop_now();
    sink_.ended(end);
    const std::lock_guard lock(mutex_);
    --running_;
    if (end.ended == Ended::done) {
      ++summary_.done;
    } else if (end.unfinished) {
      ending_ = true;
    } else {  // also what stopped by itself, with light at a rim
      ++summary_.failed;
      if (options_.fail_fast) ending_ = true;
      if (options_.failed) options_.failed(end);
      summary_.failures.push_back(std::move(end));
    }
    tell();
  }

  // A sink that failed: nothing more can be kept.
  void broke(std::exception_ptr why) {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    if (!failure_) failure_ = std::move(why);
  }

  // Stops are asked for by one thread at a time, whichever points are marched.
  [[nodiscard]] bool stop_now() {
    const std::lock_guard lock(mutex_);
    return ending_ || stop_.asked();
  }

  [[nodiscard]] ScanSummary finish(std::size_t opened) {
    summary_.backends_opened = opened;
    summary_.seconds = seconds();
    if (failure_) std::rethrow_exception(failure_);
    const bool whole = at_ == wanted_.size() && summary_.done + summary_.failed == begun_;
    if (options_.draw) summary_.points = begun_;  // others have the rest
    if (summary_.failed > 0) {
      summary_.status = summary_.failures.front().status;
      for (const PointEnd& f : summary_.failures)
        if (f.status != summary_.status) summary_.status = static_cast<int>(Fault::numbers);
    }
    if (!whole) {
      const bool failed = options_.fail_fast && summary_.failed > 0;
      summary_.ended = failed ? Ended::failed : Ended::stopped;
      summary_.reason = failed ? "a point failed, and the first failure was to end the scan"
                               : std::to_string(summary_.done + summary_.failed) + " of " +
                                     std::to_string(summary_.points) + " points are done" + stop_.by();
      if (!failed) summary_.status = 7;
    } else if (summary_.failed > 0) {
      summary_.ended = Ended::failed;
      summary_.reason = std::to_string(summary_.failed) + " of " + std::to_string(summary_.points) + " points failed";
    }
    std::sort(summary_.failures.begin(), summary_.failures.end(),
              [](const PointEnd& a, const PointEnd& b) { return a.point < b.point; });
    return summary_;
  }

private:
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  void tell() {
    if (!options_.progress) return;
    ScanProgress now;
    now.points = wanted_.size();
    now.done = summary_.done;
    now.running = running_;
    now.failed = summary_.failed;
    now.seconds = seconds();
    const auto over = static_cast<double>(now.done + now.failed);
    now.seconds_left = over > 0 ? now.seconds * (static_cast<double>(now.points) - over) / over : std::nan("");
    options_.progress(now);
  }

  ScanSink& sink_;
  const ScanOptions& options_;
  const std::vector<std::size_t> wanted_;
  Stop stop_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  std::size_t at_ = 0, begun_ = 0, running_ = 0;
  bool ending_ = false;
  std::exception_ptr failure_;
  ScanSummary summary_;
};

PointEnd march_point(std::size_t point, Problem problem, int threads, KeptBackend& backend, Sink& sink,
                     const RunOptions& options) {
  PointEnd end;
  end.point = point;
  if (threads > 0 && takes_threads(problem.backend)) problem.backend.threads = threads;
  const auto failed = [&](Fault fault, const std::string& reason) {
    end.ended = Ended::failed;
    end.status = static_cast<int>(fault);
    end.reason = reason;
  };
  try {
    end.summary = run_on(backend.for_request(problem.backend), ready_to_run(problem), sink, options);
    end.ended = end.summary.end.ended;
    end.reason = end.summary.end.reason;
    if (end.ended == Ended::failed) end.status = static_cast<int>(Fault::numbers);
    if (end.ended == Ended::stopped) end.status = 7;
  } catch (const Error& error) {
    if (error.fault() == Fault::output) throw;
    failed(error.fault(), error.what());
    if (error.fault() == Fault::backend) backend.close();  // who knows what state it is in
  } catch (const std::bad_alloc&) {
    failed(Fault::refused, "out of memory; fewer points at once or smaller ones would help");
    backend.close();
  }
  return end;
}

void work(const Scan& scan, ScanSink& sink, const ScanOptions& options, int threads, Points& points,
          std::atomic<std::size_t>& opened) {
  KeptBackend backend({options.run.backend_path, options.run.log}, [&points](double) { return points.stop_now(); });
  RunOptions run = options.run;
  run.stop = nullptr;
  run.time_limit = 0;
  run.progress = {};
  run.ask_stop = [&points] { return points.stop_now(); };
  try {
    for (std::size_t point = 0; points.next(point);) {
      std::unique_ptr<Sink> to = sink.point(point);
      PointEnd end = march_point(point, scan.problem(point), threads, backend, *to, run);
      to.reset();  // all of it is kept before the point is reported
      points.ended(std::move(end));
    }
  } catch (...) {
    points.broke(std::current_exception());
  }
  opened += backend.opened();
}

}  // namespace

ScanSummary run_scan(const Scan& scan, ScanSink& sink, const ScanOptions& options) {
  scan.check();
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < scan.points(); ++i)
    if (i % options.shards == options.shard - 1 && !(i < options.skip.size() && options.skip[i])) wanted.push_back(i);
  const Parallel parallel = parallel_of(scan, wanted);
  sink.begin(scan, wanted, options.draw != nullptr);
  Points points(sink, options, wanted);
  std::atomic<std::size_t> opened{0};
  {
    std::vector<std::jthread> others;
    for (int i = 1; i < parallel.points; ++i)
      others.emplace_back([&] { work(scan, sink, options, parallel.threads, points, opened); });
    work(scan, sink, options, parallel.threads, points, opened);
  }
  ScanSummary summary = points.finish(opened);
  sink.end(summary.ended, summary.reason);
  return summary;
}

}  // namespace lumarch
