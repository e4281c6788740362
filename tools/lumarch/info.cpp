// SPDX-License-Identifier: Apache-2.0
#include "lumarch/info.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include <lumarch/result_file.hpp>
#include <lumarch/resume.hpp>
#include <nlohmann/json.hpp>

#include "lumarch/engineering.hpp"
#include "lumarch/json_line.hpp"

namespace lumarch::tools {

namespace {

using nlohmann::json;

constexpr const char* indent = "               ";

std::string count(std::size_t number, const std::string& one, const std::string& more) {
  return std::to_string(number) + " " + (number == 1 ? one : more);
}
std::string count(std::size_t number, const std::string& what) { return count(number, what, what + "s"); }

std::string ending(const ResultInfo& info) {
  if (info.status == "running") return "running, or killed: its end was never written";
  std::string text = info.status;
  if (!info.finished.empty()) text += ", " + info.finished;
  return text;
}

std::string scientific(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", value);
  return text;
}

// What a statistic did from the first plane to the last one reached.
std::string course(const StoredStatistic& statistic, std::size_t planes) {
  const std::size_t each = statistic.values_a_plane;
  planes = std::min(planes, each > 0 ? statistic.values.size() / each : 0);
  if (planes == 0) return "nothing yet";
  constexpr std::size_t most = 6;
  const std::string between = statistic.name == "width_20db" ? " to " : ", ";
  const auto at = [&](std::size_t plane) {
    std::string text;
    for (std::size_t i = 0; i < std::min(each, most); ++i) {
      text += (i > 0 ? between : "") + engineering(statistic.values[plane * each + i], statistic.units);
    }
    return text + (each > most ? ", ..." : "");
  };
  if (statistic.axis == "omega" || statistic.axis == "time") {
    double largest = -INFINITY;
    for (const double value : statistic.values)
      if (std::isfinite(value)) largest = std::max(largest, value);
    return count(each, "number") + " over " + statistic.axis + " a plane" +
           (std::isfinite(largest) ? ", at most " + engineering(largest, statistic.units) : "");
  }
  if (planes == 1) return at(0);
  if (each > 1) return at(0) + " -> " + at(planes - 1);
  const double first = statistic.values[0], last = statistic.values[planes - 1], drift = last / first - 1;
  std::string text = at(0) + " -> " + at(planes - 1);
  if (std::isfinite(drift) && std::abs(drift) < 1e-2) text += "  (drift " + scientific(drift) + ")";
  return text;
}

void print_grid(const ResultInfo& info, std::ostream& out) {
  if (info.omega.size() < 2 || info.time.size() < 2) return;
  const double step = info.time[1] - info.time[0];
  const auto n = static_cast<double>(info.time.size());
  out << "grid           " << info.time.size() << " points, "
      << (info.time.size() == info.omega.size() ? "" : std::to_string(info.omega.size()) + " frequencies, ")
      << "window " << engineering(n * step, "s") << ", step " << engineering(step, "s") << '\n';
  const auto first = std::find_if(info.omega.begin(), info.omega.end(), [](double omega) { return omega > 0; });
  if (first == info.omega.end()) return;
  const double longest = info.wavelength[static_cast<std::size_t>(first - info.omega.begin())];
  out << indent << "wavelengths " << engineering(info.wavelength.back(), "m") << " to " << engineering(longest, "m")
      << (first == info.omega.begin() ? ""
          : info.omega.front() < 0    ? " (and frequencies of zero and below)"
                                      : " (and the frequency zero)")
      << '\n';
}

void print_nodes(const ResultInfo& info, std::ostream& out) {
  const NodeAxes& nodes = info.nodes;
  const auto from_to = [](const char* name, const std::vector<double>& values) {
    return std::string(name) + engineering(values.front(), "m") + " to " + engineering(values.back(), "m");
  };
  std::string text;
  if (!nodes.modes.empty()) {
    constexpr std::size_t most = 12;
    text = count(nodes.modes.size(), "mode") + ":";
    for (std::size_t i = 0; i < std::min(nodes.modes.size(), most); ++i) text += " " + nodes.modes[i];
    if (nodes.modes.size() > most) text += " ...";
  } else if (!nodes.r.empty()) {
    text = count(nodes.r.size(), "radius", "radii") + from_to(", ", nodes.r);
  } else if (!nodes.y.empty()) {
    text = std::to_string(nodes.x.size()) + " x " + std::to_string(nodes.y.size()) + " points" +
           from_to(", x ", nodes.x) + from_to(", y ", nodes.y);
  } else if (!nodes.x.empty()) {
    text = count(nodes.x.size(), "point") + " of a line" + from_to(", x ", nodes.x) + "; energies are per metre of y";
  }
  if (nodes.components == 2) text += text.empty() ? "two components" : "; two components";
  if (!text.empty()) out << "nodes          " << text << '\n';
}

void print_planes(const ResultFile& file, std::ostream& out) {
  const ResultInfo& info = file.info();
  if (info.z.empty()) return;
  out << "planes         " << info.planes_written << " of " << info.z.size()
      << " on disk, z = " << engineering(info.z.front(), "m") << " to " << engineering(info.z.back(), "m")
      << "; the march reached " << engineering(info.z_reached, "m") << '\n';
  const auto fields = file.field_planes();
  out << "fields         ";
  if (info.fields == Fields::none) out << "none were asked for\n";
  if (info.fields == Fields::all) out << "of " << count(fields.size(), "plane") << '\n';
  if (info.fields == Fields::last) out << (fields.empty() ? "none yet" : "of the last plane") << '\n';
  if (!info.spectrum_units.empty()) {
    out << indent << "spectrum, power" << (info.fluence_units.empty() ? "" : ", fluence") << " of "
        << count(static_cast<std::size_t>(info.planes_written), "plane") << '\n';
  }
}

void print_resume(const std::string& path, const ResultInfo& info, std::ostream& out) {
  if (info.status == "done") return;
  if (const std::string why = resume_refusal(path, info); !why.empty()) {
    out << "resume         no: " << why << '\n';
    return;
  }
  out << "resume         from "
      << (info.checkpoint.empty() ? "the launch" : "z = " + engineering(info.checkpoint_z, "m")) << ": lumarch resume "
      << path << '\n';
}

void print_edges(const ResultInfo& info, std::ostream& out) {
  if (info.rims.empty()) return;
  out << "edge readings  " << info.edges.size() << "; the largest shares of the energy:";
  for (std::size_t i = 0; i < info.rims.size(); ++i) {
    double most = 0;
    for (const EdgeRecord& record : info.edges) most = std::max(most, record.rims[i].share);
    out << (i > 0 ? ", " : " ") << info.rims[i] << ' ' << scientific(most);
  }
  out << '\n';
  if (info.edges.empty()) return;
  const bool line = !info.nodes.x.empty() && info.nodes.y.empty();  // per metre of y
  const EdgeRecord& last = info.edges.back();
  for (const char* where : {"time", "space"}) {
    const auto collar = std::find(info.rims.begin(), info.rims.end(), std::string(where) + "_collar");
    if (collar == info.rims.end()) continue;
    const EdgeRim& held = last.rims[static_cast<std::size_t>(collar - info.rims.begin())];
    const double taken = where == std::string("time") ? last.absorbed_time : last.absorbed_space;
    out << indent << "the absorber in " << where << " has taken " << engineering(taken, line ? "J/m" : "J") << "; "
        << engineering(held.energy, line ? "J/m" : "J") << " stood in it at z = " << engineering(last.z, "m") << '\n';
  }
  if (!info.strips.empty()) {
    std::size_t nodes = 0;
    for (const auto& places : info.strips) nodes += places.size();
    out << indent << "with the strips of " << count(nodes, "node") << '\n';
  }
}

void print_march(const ResultInfo& info, std::ostream& out) {
  out << "march          " << info.accepted << " steps accepted, " << info.rejected << " rejected";
  if (info.evaluations > 0) out << ", " << info.evaluations << " evaluations";
  out << '\n';
  double shortest = INFINITY, longest = 0;
  for (const AttemptRecord& attempt : info.march) {
    if (!attempt.accepted) continue;
    shortest = std::min(shortest, attempt.h);
    longest = std::max(longest, attempt.h);
  }
  if (longest > 0)
    out << indent << "steps " << engineering(shortest, "m") << " to " << engineering(longest, "m") << '\n';
}

json provenance(const ResultInfo& info, const std::string& name) {
  const auto found = info.provenance.find(name);
  return found == info.provenance.end() ? json() : json::parse(found->second, nullptr, false);
}

void print_pairs(const ResultInfo& info, const char* name, const char* title, const std::string& unit,
                 std::ostream& out) {
  const json pairs = provenance(info, name);
  if (!pairs.is_object() || pairs.empty()) return;
  out << title;
  const char* between = "";
  for (const auto& [key, value] : pairs.items()) {
    if (!value.is_number()) continue;
    out << between << key << ' ' << engineering(value.get<double>(), unit);
    between = ", ";
  }
  out << '\n';
}

// A word of an object that may hold anything.
std::string word(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return "?";
  return found->is_string() ? found->get<std::string>() : json_line(*found);
}

void print_backend(const ResultInfo& info, std::ostream& out) {
  const json backend = provenance(info, "backend"), kernels = provenance(info, "kernels");
  if (backend.is_object() && !backend.empty()) {
    out << "backend        " << word(backend, "name");
    for (const char* key : {"version", "device"}) {
      if (backend.contains(key)) out << ' ' << word(backend, key);
    }
    out << '\n';
  }
  if (!kernels.is_array() || kernels.empty()) return;
  out << "kernels        ";
  const char* between = "";
  for (const json& kernel : kernels) {
    if (!kernel.is_object()) continue;
    out << between << word(kernel, "name") << " (" << word(kernel, "how") << ')';
    between = ", ";
  }
  out << '\n';
}

}  // namespace

int info_command(const std::string& path, std::ostream& out) {
  const ResultFile file(path);
  const ResultInfo& info = file.info();
  std::error_code ignored;
  const auto bytes = std::filesystem::file_size(path, ignored);
  const std::string size = ignored ? "a point of a scan" : engineering(static_cast<double>(bytes), "B", 3);
  out << path << "  (" << size << ", lumarch " << info.lumarch << ", schema " << info.schema << ")\n";
  if (!info.title.empty()) out << "title          " << info.title << '\n';
  out << "status         " << ending(info) << '\n';
  const auto reason = info.provenance.find("reason");
  if (reason != info.provenance.end() && !reason->second.empty()) out << "reason         " << reason->second << '\n';
  print_resume(path, info, out);
  out << "created        " << info.created << '\n';
  if (!info.digest.empty()) out << "problem        digest " << info.digest.substr(0, 16) << '\n';
  print_grid(info, out);
  print_nodes(info, out);
  print_planes(file, out);
  print_march(info, out);
  print_edges(info, out);
  for (const StoredStatistic& statistic : info.statistics) {
    const std::string padding(statistic.name.size() < 14 ? 15 - statistic.name.size() : 1, ' ');
    out << statistic.name << padding << course(statistic, static_cast<std::size_t>(info.planes_written)) << '\n';
  }
  print_backend(info, out);
  print_pairs(info, "timings", "timings        ", "s", out);
  print_pairs(info, "memory", "memory         ", "B", out);
  print_pairs(info, "bytes_crossed", "crossed        ", "B", out);
  for (const std::string& part : info.unread) out << "unreadable     " << part << '\n';
  return 0;
}

}  // namespace lumarch::tools
