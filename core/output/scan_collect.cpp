// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include <lumarch/scan_file.hpp>

#include "output/claim.hpp"
#include "output/open_result.hpp"
#include "output/scan_names.hpp"
#include "output/scan_writer.hpp"

namespace lumarch {

namespace {

namespace fs = std::filesystem;

// Relative to the folder of the whole where both lie in one tree, so that it can be moved with its parts.
std::string seen_from(const std::string& whole, const std::string& part) {
  const fs::path folder = fs::absolute(whole).parent_path();
  return fs::absolute(part).lexically_relative(folder).string();
}

struct Place {
  std::size_t part = 0, place = 0;
};

}  // namespace

void collect_scan(const std::string& path, const std::vector<std::string>& parts, bool force) {
  if (parts.empty()) throw Error(Fault::problem, "the files of the shards are missing");
  std::vector<ScanFile> files;
  for (const std::string& part : parts) {
    std::error_code ignored;
    if (fs::equivalent(path, part, ignored))
      throw Error(Fault::problem, path + " is one of the parts (" + part +
                                      "), whose arrays are to be looked at: name "
                                      "another file for the whole");
    files.emplace_back(part);
  }
  const Scan scan = files.front().scan();
  std::map<std::size_t, Place> where;  // of each point that is there
  for (std::size_t i = 0; i < files.size(); ++i) {
    const ScanInfo& info = files[i].info();
    if (info.digest != files.front().info().digest)
      throw Error(Fault::problem, parts[i] + " is of another scan than " + parts.front());
    for (std::size_t place = 0; place < info.points.size(); ++place) {
      const StoredPoint& point = info.points[place];
      if (point.status == scan_names::waiting) continue;
      const auto [at, fresh] = where.insert({point.point, {i, place}});
      if (!fresh && parts[at->second.part] != parts[i])
        throw Error(Fault::problem, "point " + std::to_string(point.point) + " is in " + parts[at->second.part] +
                                        " and in " + parts[i]);
    }
  }
  std::vector<std::size_t> all(scan.points());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const ScanHead head = head_of(scan, all, false);
  Claim claim(path, force, [&](const std::string& name) { write_scan_placeholder(name, head); });
  const std::string fresh = claim.fresh_name();
  {
    ScanWriter writer(fresh, head, "");
    bool done = where.size() == all.size();
    for (const auto& [number, at] : where) {
      const StoredPoint& stored = files[at.part].info().points[at.place];
      PointEnd end;
      end.point = number;
      end.ended = stored.status == "done" ? Ended::done : stored.status == "failed" ? Ended::failed : Ended::stopped;
      end.status = stored.exit_state;
      end.reason = stored.reason;
      end.summary.seconds = stored.seconds;
      end.summary.energy_in = stored.energy_in;
      end.summary.energy_out = stored.energy_out;
      done = done && end.ended == Ended::done;
      writer.put(end, "");
    }
    std::vector<ScanSource> sources;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      ScanSource source{parts[i], seen_from(path, parts[i]), {}};
      for (const auto& [number, at] : where)
        if (at.part == i) source.places.emplace_back(at.place, number);
      std::sort(source.places.begin(), source.places.end());
      if (!source.places.empty()) sources.push_back(std::move(source));
    }
    writer.join(sources);
    const std::size_t missing = all.size() - where.size();
    writer.end(done          ? Ended::done
               : missing > 0 ? Ended::stopped
                             : Ended::failed,
               missing > 0 ? std::to_string(missing) + " of " + std::to_string(all.size()) + " points are missing" : "",
               [&] { claim.take_place(); });
  }
}

}  // namespace lumarch
