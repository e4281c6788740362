// SPDX-License-Identifier: Apache-2.0
// Runs the points of a scan.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <lumarch/run.hpp>
#include <lumarch/scan.hpp>
#include <lumarch/sink.hpp>

namespace lumarch {

// How a point ended.
struct PointEnd {
  std::size_t point = 0;
  Ended ended = Ended::done;
  int status = 0;           // the exit state that a run of it alone would have had
  std::string reason;       // why it stopped or failed; empty when done
  bool unfinished = false;  // the scan was stopped: it has to be marched again
  RunSummary summary;
};

// Where the results of a scan go. begin() and end() are called by the thread that called run_scan(); point() and
// ended() by the threads that march points, for several points at once, never twice at once for one. The sink that
// point() gives is used by one thread alone.
class ScanSink {
public:
  ScanSink() = default;
  ScanSink(const ScanSink&) = delete;
  ScanSink& operator=(const ScanSink&) = delete;
  virtual ~ScanSink() = default;

  // `points`: those that may come, rising; `shared`: others have some of them, so that it is not known which.
  virtual void begin(const Scan& scan, const std::vector<std::size_t>& points, bool shared) = 0;
  [[nodiscard]] virtual std::unique_ptr<Sink> point(std::size_t point) = 0;
  // May turn a point that it cannot keep into one that failed.
  virtual void ended(PointEnd& end) = 0;
  virtual void end(Ended how, const std::string& reason) = 0;
};

// Keeps every point in memory.
class MemoryScanSink final : public ScanSink {
public:
  void begin(const Scan& scan, const std::vector<std::size_t>& points, bool shared) override;
  [[nodiscard]] std::unique_ptr<Sink> point(std::size_t point) override;
  void ended(PointEnd& end) override;
  void end(Ended how, const std::string& why) override;

  std::vector<MemorySink> points;
  std::vector<PointEnd> ends;  // in the order of the points; those that were not marched are `running`
  Ended how = Ended::running;
  std::string reason;
};

// Hands each plane of each point to a callable, and forgets it: a reducing handler. No field is read for it where the
// problem's fields are none. The callable is called by one thread at a time, points mixed where several are marched at
// once.
class PlaneScanSink final : public ScanSink {
public:
  explicit PlaneScanSink(std::function<void(std::size_t point, PlaneRecord)> take) : take_(std::move(take)) {}
  void begin(const Scan&, const std::vector<std::size_t>&, bool) override {}
  [[nodiscard]] std::unique_ptr<Sink> point(std::size_t point) override;
  void ended(PointEnd&) override {}
  void end(Ended, const std::string&) override {}

private:
  std::mutex mutex_;
  std::function<void(std::size_t, PlaneRecord)> take_;
};

struct ScanProgress {
  std::size_t points = 0;  // of this part of the scan
  std::size_t done = 0, running = 0, failed = 0;
  double seconds = 0;       // since the start
  double seconds_left = 0;  // NaN where nothing can be said yet
};

struct ScanOptions {
  RunOptions run;          // progress is not called: see below
  bool fail_fast = false;  // the first point that fails ends the scan
  // Part K of N, K from 1: every N-th point. Which points a part has does not depend on anything else.
  std::size_t shard = 1, shards = 1;
  std::vector<bool> skip;  // points that are there already; empty: none
  // Which of those points is next, as a number from 0 on, where others draw too (Ranks::next()); called by one thread
  // at a time. Empty: one after the other.
  std::function<std::size_t()> draw;
  std::function<void(const PointEnd&)> failed;        // of each point that fails; one thread at a time
  std::function<void(const ScanProgress&)> progress;  // after each point; one thread at a time
};

struct ScanSummary {
  Ended ended = Ended::done;
  std::string reason;  // why it stopped; empty when done
  std::size_t points = 0, done = 0, failed = 0;
  int status = 0;  // 0; the exit state that its failed points share, 4 where they differ; 7 where it stopped
  std::vector<PointEnd> failures;
  std::size_t backends_opened = 0;  // a kept one counts once
  double seconds = 0;
};

// How many points are marched at once, and with how many threads each.
struct Parallel {
  int points = 1;   // at once
  int threads = 0;  // of each; 0: as the problem says
};

// Of small problems as many as there are cores, each on one thread: a lone small march has nothing to share out. Large
// ones one after the other on all threads, which a transverse grid can use. On a device that is no CPU one at a time.
[[nodiscard]] Parallel parallel_of(const Scan& scan);

// Reads every point before the first is marched: throws ProblemError with what is wrong. A point that fails is
// recorded, and the scan goes on. Throws Error where nothing could be run, or a sink fails.
ScanSummary run_scan(const Scan& scan, ScanSink& sink, const ScanOptions& options = {});

}  // namespace lumarch
