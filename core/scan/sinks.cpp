// SPDX-License-Identifier: Apache-2.0
// The sinks of a scan that keep nothing on a disk.
#include <lumarch/scan_run.hpp>

namespace lumarch {

void MemoryScanSink::begin(const Scan& scan, const std::vector<std::size_t>&, bool) {
  points = std::vector<MemorySink>(scan.points());
  ends.assign(scan.points(), {});
  for (PointEnd& end : ends) end.ended = Ended::running;
}

std::unique_ptr<Sink> MemoryScanSink::point(std::size_t point) {
  return std::make_unique<SinkGroup>(std::vector<Sink*>{&points.at(point)});
}

void MemoryScanSink::ended(PointEnd& end) { ends.at(end.point) = end; }

void MemoryScanSink::end(Ended ended, const std::string& why) {
  how = ended;
  reason = why;
}

std::unique_ptr<Sink> PlaneScanSink::point(std::size_t point) {
  return std::make_unique<PlaneSink>([this, point](PlaneRecord record) {
    const std::lock_guard lock(mutex_);
    take_(point, std::move(record));
  });
}

}  // namespace lumarch
