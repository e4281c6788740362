// SPDX-License-Identifier: Apache-2.0
// The file of a scan (docs/file-layout.md): the arrays of a lone run with the points in front, and /scan. Every call
// holds an h5::Session of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <lumarch/scan_run.hpp>

#include "output/h5.hpp"
#include "output/point_tree.hpp"
#include "output/room.hpp"

namespace lumarch {

// What a file of a scan says of itself beside its arrays.
struct ScanHead {
  std::string text, digest, title, folder;  // of the scan; folder: where its relative names start
  std::size_t shard = 1, shards = 1;
  ScanRequest request;
  std::vector<std::size_t> points;           // in the order of the file's places
  std::vector<std::vector<double>> numbers;  // of each point, one an axis
  std::vector<std::string> digests;          // of each point's problem
  point_tree::Layout layout;
};

[[nodiscard]] ScanHead head_of(const Scan& scan, const std::vector<std::size_t>& points, bool shared);

// The small valid file that holds a name until the first point is there.
void write_scan_placeholder(const std::string& path, const ScanHead& head);

// A file of a part, and which of its places are which points.
struct ScanSource {
  std::string path, seen;  // to open it; as the whole names it
  std::vector<std::pair<std::size_t, std::size_t>> places;
};

class ScanWriter {
public:
  // Makes a file at `path`, locked, with the arrays of the run in the file `first`; "" where no run came so far.
  ScanWriter(const std::string& path, const ScanHead& head, const std::string& first);
  // Goes on in a file that is there.
  explicit ScanWriter(const std::string& path);
  ~ScanWriter();
  ScanWriter(const ScanWriter&) = delete;
  ScanWriter& operator=(const ScanWriter&) = delete;

  [[nodiscard]] bool has_arrays() const { return has_arrays_; }
  // What a point left in its own file, "" where it left none. On disk when it returns. Where the point's arrays have
  // other shapes than the first one's it becomes one that failed.
  void put(PointEnd& end, const std::string& run);
  // Arrays that are views of those of the parts; for a file that has none.
  void join(const std::vector<ScanSource>& parts);
  // `before_close`: while it is still locked.
  void end(Ended how, const std::string& reason, const std::function<void()>& before_close = {});
  // Marks the scan as failed, as far as that can be done, and closes. Throws nothing.
  void fail(const std::string& reason) noexcept;

private:
  void lay_out(const ScanHead& head, const std::string& first);
  void has_arrays_from(hid_t first);
  [[nodiscard]] std::vector<std::int64_t> waiting_points() const;
  void record(std::size_t slot, const PointEnd& end, const char* status, const std::string& reason);
  void flush();
  void close();

  h5::File file_;
  int descriptor_ = -1;
  Room room_;
  point_tree::Layout layout_;
  std::map<std::size_t, std::size_t> slots_;  // of the points
  bool has_arrays_ = false;
};

}  // namespace lumarch
