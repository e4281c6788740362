// SPDX-License-Identifier: Apache-2.0
// `lumarch info` of a scan's file.
#include <lumarch/scan_file.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

#include "lumarch/engineering.hpp"
#include "lumarch/info.hpp"

namespace lumarch::tools {

namespace {

std::string with_unit(double number, const std::string& unit) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", number);
  return unit.empty() ? std::string(text) : std::string(text) + " " + unit;
}

std::string place_of(const ScanInfo& info, const StoredPoint& point) {
  std::string text;
  for (std::size_t a = 0; a < info.axes.size(); ++a)
    text += (a > 0 ? ", " : "") + info.axes[a].path + " = " + with_unit(point.numbers[a], info.axes[a].unit);
  return text;
}

void print_axes(const ScanInfo& info, std::ostream& out) {
  for (const StoredAxis& axis : info.axes) {
    const auto [low, high] = std::minmax_element(axis.numbers.begin(), axis.numbers.end());
    out << "axis           " << axis.path << ", " << axis.numbers.size() << " values from "
        << with_unit(*low, axis.unit) << " to " << with_unit(*high, axis.unit) << '\n';
  }
  if (info.zip) out << "               zipped: the first with the first, the second with the second\n";
}

}  // namespace

int scan_info_command(const std::string& path, std::ostream& out) {
  const ScanFile file(path);
  const ScanInfo& info = file.info();
  std::error_code ignored;
  const auto size = static_cast<double>(std::filesystem::file_size(path, ignored));
  out << path << "  (" << engineering(size, "B", 3) << ", lumarch " << info.lumarch << ", a scan)\n";
  if (!info.title.empty()) out << "title          " << info.title << '\n';
  out << "status         "
      << (info.status == "running" ? "running, or killed: its end was never written"
                                   : info.status + (info.finished.empty() ? "" : ", " + info.finished))
      << '\n';
  if (!info.reason.empty()) out << "reason         " << info.reason << '\n';
  out << "created        " << info.created << "\nscan           digest " << info.digest.substr(0, 16) << '\n';
  if (info.part.shards > 1) out << "part           " << info.part.shard << " of " << info.part.shards << '\n';
  print_axes(info, out);
  std::map<std::string, std::size_t> counts;
  double seconds = 0;
  for (const StoredPoint& point : info.points) {
    ++counts[point.status];
    if (point.status == "done") seconds += point.seconds;
  }
  out << "points         " << info.points.size();
  for (const auto& [status, count] : counts) out << ", " << count << ' ' << status;
  out << '\n';
  if (counts["done"] > 0)
    out << "               " << engineering(seconds / static_cast<double>(counts["done"]), "s", 3) << " a point\n";
  constexpr std::size_t most = 20;
  std::size_t shown = 0;
  for (const StoredPoint& point : info.points) {
    if (point.status != "failed" && point.status != "stopped") continue;
    if (shown++ == most) {
      out << "               ...\n";
      break;
    }
    out << point.status << (point.status == "failed" ? "         " : "        ") << "point " << point.point << " ("
        << place_of(info, point) << "): " << point.reason << '\n';
  }
  for (const std::string& part : file.missing_parts()) out << "missing        its part " << part << '\n';
  if (!info.parts.empty() && counts["waiting"] > 0)
    out << "go on with     the parts that lack points, and collect again\n";
  else if (info.status != "done" && counts["waiting"] > 0)
    out << "go on with     lumarch resume " << path << '\n';
  const auto first = std::find_if(info.points.begin(), info.points.end(),
                                  [](const StoredPoint& point) { return point.status == "done"; });
  if (first != info.points.end()) out << "one point      lumarch info '" << path << "#" << first->point << "'\n";
  return 0;
}

}  // namespace lumarch::tools
