// SPDX-License-Identifier: Apache-2.0
// The sink that writes the file of a scan. A point is marched into a file of its own beside it, as a lone run is, and
// put into its place when it has ended: what a kill leaves half done is one point's alone.
#include <lumarch/scan_file.hpp>

#include <unistd.h>

#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include "output/claim.hpp"
#include "output/named_errors.hpp"
#include "output/scan_writer.hpp"

namespace lumarch {

namespace {

namespace fs = std::filesystem;

class ScanFileSink final : public ScanSink {
public:
  ScanFileSink(std::string path, bool force, ScanPart part) : path_(std::move(path)), force_(force), part_(part) {}

  // Goes on in a file that is there.
  explicit ScanFileSink(std::string path) : path_(std::move(path)), goes_on_(true) {}

  ~ScanFileSink() override {
    const std::lock_guard lock(mutex_);
    remove_points();
    if (writer_) writer_->fail("the scan ended without reporting how");
  }

  void begin(const Scan& scan, const std::vector<std::size_t>& points, bool shared) override {
    const std::lock_guard lock(mutex_);
    check_shapes(scan);
    named_errors(path_, [&] {
      if (goes_on_) {
        held_ = std::make_unique<Held>(path_);
        writer_ = std::make_unique<ScanWriter>(path_);
        remove_left();
        if (writer_->has_arrays()) return;
        // of a scan that was killed before its first point: laid out anew, in its place
        writer_.reset();
        held_.reset();
        force_ = true;
      }
      head_ = head_of(scan, points, shared);
      head_.shard = part_.shard;
      head_.shards = part_.shards;
      claim_ = std::make_unique<Claim>(path_, force_,
                                       [this](const std::string& name) { write_scan_placeholder(name, head_); });
      remove_left();
    });
  }

  [[nodiscard]] std::unique_ptr<Sink> point(std::size_t point) override {
    const std::string name = name_of(point);
    {
      const std::lock_guard lock(mutex_);
      under_way_.insert(point);
    }
    return make_file_sink(name, true);
  }

  void ended(PointEnd& end) override {
    const std::lock_guard lock(mutex_);
    const std::string name = name_of(end.point);
    named_errors(path_, [&] {
      // of a point that has to be marched again nothing is kept
      const std::string run = fs::exists(name) && !end.unfinished ? name : std::string();
      if (!writer_ && !run.empty()) make_writer(run);
      if (writer_)
        writer_->put(end, run);
      else
        waiting_.push_back(end);  // what failed before anything was there to lay the file out by
    });
    unlink(name.c_str());
    under_way_.erase(end.point);
  }

  void end(Ended how, const std::string& reason) override {
    const std::lock_guard lock(mutex_);
    named_errors(path_, [&] {
      if (!writer_) make_writer("");
      writer_->end(how, reason);
      writer_.reset();
      held_.reset();
    });
  }

private:
  [[nodiscard]] std::string name_of(std::size_t point) const {
    std::string name = ".";
    name.append(fs::path(path_).filename().string()).append(".point-").append(std::to_string(point)).append(".part");
    return (fs::path(path_).parent_path() / name).string();
  }

  void make_writer(const std::string& first) {
    writer_ = std::make_unique<ScanWriter>(claim_->fresh_name(), head_, first);
    claim_->take_place();
    for (PointEnd& end : waiting_) writer_->put(end, "");
    waiting_.clear();
  }

  // What points of a scan that was killed left beside the file, which is ours now.
  void remove_left() const {
    const fs::path folder = fs::path(path_).parent_path();
    std::string start = ".";
    start.append(fs::path(path_).filename().string()).append(".point-");
    std::error_code error;
    for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end; !error && at != end;
         at.increment(error)) {
      const std::string name = at->path().filename().string();
      if (name.rfind(start, 0) == 0 && name.size() > 5 && name.compare(name.size() - 5, 5, ".part") == 0)
        unlink(at->path().c_str());
    }
  }

  void remove_points() {
    for (const std::size_t point : under_way_) unlink(name_of(point).c_str());
    under_way_.clear();
  }

  const std::string path_;
  bool force_ = false;
  const bool goes_on_ = false;
  ScanPart part_;
  std::mutex mutex_;  // points end on threads of their own
  ScanHead head_;
  std::unique_ptr<Claim> claim_;
  std::unique_ptr<Held> held_;
  std::unique_ptr<ScanWriter> writer_;
  std::vector<PointEnd> waiting_;
  std::set<std::size_t> under_way_;
};

}  // namespace

void check_shapes(const Scan& scan) {
  const auto shape_of = [](const Problem& p) {
    std::vector<std::pair<const char*, std::int64_t>> shape{{"/time/points", p.time.points},
                                                            {"/planes", static_cast<std::int64_t>(p.planes.size())}};
    if (p.uppe) {
      const Geometry& g = p.uppe->geometry;
      shape.insert(shape.end(), {{"/geometry/points", g.points},
                                 {"/geometry/points", g.points_y},
                                 {"/geometry/polarisations", g.polarisations},
                                 {"/geometry/modes", static_cast<std::int64_t>(g.modes.size())}});
    }
    return shape;
  };
  const auto first = shape_of(scan.problem(0));
  for (std::size_t i = 1; i < scan.points(); ++i) {
    const auto here = shape_of(scan.problem(i));
    for (std::size_t k = 0; k < first.size(); ++k)
      if (here[k].second != first[k].second)
        throw ProblemError({{"/scan/axes", "at point " + std::to_string(i) + " (" + scan.label(i) + ") " +
                                               here[k].first + " is " + std::to_string(here[k].second) +
                                               ", at the first point " + std::to_string(first[k].second) +
                                               ": one file has arrays of one shape; make a scan of each"}});
  }
}

std::unique_ptr<ScanSink> make_scan_file(const std::string& path, bool force, const ScanPart& part) {
  return std::make_unique<ScanFileSink>(path, force, part);
}

std::unique_ptr<ScanSink> open_scan_file(const std::string& path) { return std::make_unique<ScanFileSink>(path); }

}  // namespace lumarch
