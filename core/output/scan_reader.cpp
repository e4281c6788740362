// SPDX-License-Identifier: Apache-2.0
#include <lumarch/scan_file.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "output/h5.hpp"
#include "output/open_result.hpp"
#include "output/point_tree.hpp"
#include "output/scan_names.hpp"

namespace lumarch {

namespace {

using namespace scan_names;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(Fault::problem, path + ": " + why);
}

bool has(hid_t where, const char* name) { return H5Lexists(where, name, H5P_DEFAULT) > 0; }

std::string attribute_or_none(hid_t where, const char* name) {
  return H5Aexists(where, name) > 0 ? h5::get_text_attribute(where, name) : std::string();
}

std::vector<StoredAxis> read_axes(hid_t root) {
  const h5::Group axes{H5Gopen2(root, "scan/axes", H5P_DEFAULT), "open scan/axes"};
  std::vector<StoredAxis> all;
  for (const std::string& name : h5::names_in(axes.get())) {
    const h5::Dataset data{H5Dopen2(axes.get(), name.c_str(), H5P_DEFAULT), name};
    all.push_back({h5::get_text_attribute(data.get(), "path"), h5::get_text_attribute(data.get(), "units"),
                   h5::get_doubles(axes.get(), name)});
  }
  return all;
}

std::vector<StoredPoint> read_points(hid_t root, const std::vector<StoredAxis>& axes) {
  const h5::Group group{H5Gopen2(root, "scan/points", H5P_DEFAULT), "open scan/points"};
  const std::vector<std::int64_t> index = h5::get_integers(group.get(), "index"),
                                  exits = h5::get_integers(group.get(), exit_state);
  const std::vector<std::string> how = h5::get_texts(group.get(), status), why = h5::get_texts(group.get(), reason),
                                 sums = h5::get_texts(group.get(), digest);
  const std::vector<double> times = h5::get_doubles(group.get(), seconds), in = h5::get_doubles(group.get(), energy_in),
                            out = h5::get_doubles(group.get(), energy_out);
  const std::size_t n = index.size();
  for (const std::size_t size :
       {exits.size(), how.size(), why.size(), sums.size(), times.size(), in.size(), out.size()})
    if (size != n) throw Error(Fault::output, "scan/points is damaged");
  std::vector<StoredPoint> points(n);
  for (std::size_t i = 0; i < n; ++i)
    points[i] = {static_cast<std::size_t>(index[i]),
                 {},
                 how[i],
                 static_cast<int>(exits[i]),
                 why[i],
                 sums[i],
                 times[i],
                 in[i],
                 out[i]};
  for (const StoredAxis& axis : axes) {
    const std::vector<double> numbers = h5::get_doubles(group.get(), axis_name(axis.path));
    if (numbers.size() != n) throw Error(Fault::output, "scan/points is damaged");
    for (std::size_t i = 0; i < n; ++i) points[i].numbers.push_back(numbers[i]);
  }
  return points;
}

void read_info(hid_t root, ScanInfo& info) {
  info.lumarch = attribute_or_none(root, "lumarch");
  info.title = attribute_or_none(root, "title");
  info.digest = attribute_or_none(root, "digest");
  info.status = attribute_or_none(root, "status");
  info.created = attribute_or_none(root, "created");
  info.finished = attribute_or_none(root, "finished");
  const h5::Group provenance{H5Gopen2(root, "provenance", H5P_DEFAULT), "open provenance"};
  info.problem = h5::get_text(provenance.get(), "problem");
  info.reason = h5::get_text(provenance.get(), "reason");
  const h5::Group scan{H5Gopen2(root, "scan", H5P_DEFAULT), "open scan"};
  info.folder = h5::get_text_attribute(scan.get(), "folder");
  info.zip = h5::get_text_attribute(scan.get(), "mode") == "zip";
  info.part.shard = static_cast<std::size_t>(h5::get_integer_attribute(scan.get(), "shard"));
  info.part.shards = static_cast<std::size_t>(h5::get_integer_attribute(scan.get(), "shards"));
  if (has(scan.get(), "parts")) info.parts = h5::get_texts(scan.get(), "parts");
  info.axes = read_axes(root);
  info.points = read_points(root, info.axes);
}

}  // namespace

bool is_scan_file(const std::string& path) {
  const h5::Session session;
  try {
    return has(open_result(path).get(), "scan");
  } catch (const Error&) {
    return false;
  }
}

ScanFile::ScanFile(const std::string& path) : path_(path) {
  const h5::Session session;
  try {
    const h5::File file = open_result(path);
    if (!has(file.get(), "scan")) refuse(path, "is the result of one run, not of a scan");
    read_info(file.get(), info_);
  } catch (const Error& failure) {
    if (failure.fault() == Fault::problem) throw;
    refuse(path, failure.what());
  }
  // the file's axes are sorted by name; the scan knows their order
  scan_ = parse_scan(info_.problem, {}, info_.folder);
  std::vector<StoredAxis> ordered;
  std::vector<std::size_t> from;
  for (const ScanAxis& axis : scan_.request().axes)
    for (std::size_t i = 0; i < info_.axes.size(); ++i)
      if (info_.axes[i].path == axis.pointer) {
        ordered.push_back(info_.axes[i]);
        from.push_back(i);
      }
  if (ordered.size() != info_.axes.size()) refuse(path, "its axes are not those of its scan");
  info_.axes = std::move(ordered);
  for (StoredPoint& point : info_.points) {
    std::vector<double> numbers;
    for (const std::size_t i : from) numbers.push_back(point.numbers[i]);
    point.numbers = std::move(numbers);
  }
}

std::vector<std::string> ScanFile::missing_parts() const {
  std::vector<std::string> missing;
  for (const std::string& part : info_.parts)
    if (!std::filesystem::exists(std::filesystem::path(path_).parent_path() / part)) missing.push_back(part);
  return missing;
}

std::vector<bool> ScanFile::skip() const {
  std::vector<bool> there;
  for (const StoredPoint& point : info_.points) {
    if (there.size() <= point.point) there.resize(point.point + 1, false);
    there[point.point] = point.status != waiting;
  }
  return there;
}

ResultFile ScanFile::point(std::size_t point) const {
  const auto at = std::find_if(info_.points.begin(), info_.points.end(),
                               [&](const StoredPoint& stored) { return stored.point == point; });
  if (at == info_.points.end()) refuse(path_, "holds no point " + std::to_string(point));
  if (at->status == waiting || std::isnan(at->seconds))
    refuse(path_, "point " + std::to_string(point) + " left nothing: it is " + at->status);
  for (const std::string& part : missing_parts())
    refuse(path_, "its part " + part + " is not there: put it back, or collect again");
  ResultFile file(path_, static_cast<std::size_t>(at - info_.points.begin()), point);
  file.describe(scan_.problem(point).text, *at);
  return file;
}

}  // namespace lumarch
