// SPDX-License-Identifier: Apache-2.0
#include "lumarch/report.hpp"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include <lumarch/log.hpp>
#include <lumarch/words.hpp>

#include "lumarch/engineering.hpp"
#include "lumarch/json_line.hpp"

namespace lumarch::cli {

using tools::engineering;
using tools::json_line;

namespace {

std::string progress_text(const Progress& now, double seconds_left) {
  const double share = now.length > 0 ? now.z / now.length : 1;
  const std::string left = std::isnan(seconds_left) ? "?" : engineering(seconds_left, "s", 3);
  char text[200];
  std::snprintf(text, sizeof(text), "z %s of %s (%.0f %%), step %s, %lld accepted, %lld rejected, %s left",
                engineering(now.z, "m").c_str(), engineering(now.length, "m").c_str(), 100 * share,
                engineering(now.h, "m", 3).c_str(), static_cast<long long>(now.accepted),
                static_cast<long long>(now.rejected), left.c_str());
  return text;
}

const char* level_name(int level) {
  switch (level) {
    case log_level::debug:
      return "debug";
    case log_level::info:
      return "info";
    case log_level::warning:
      return "warning";
    default:
      return "error";
  }
}

}  // namespace

void print_error(std::ostream& err, bool json, int status, const std::string& text) {
  if (json)
    err << json_line({{"event", "error"}, {"status", status}, {"text", text}}) << std::endl;
  else
    err << text << std::endl;
}

Reporter::~Reporter() { clear_line(); }

void Reporter::clear_line() {
  if (line_open_) out_ << "\r\033[K" << std::flush;
  line_open_ = false;
}

double Reporter::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Reporter::progress(const Progress& now) {
  const double seconds = this->seconds();
  if (first_.z < 0) first_ = {now.z, seconds};
  const double left =
      now.z > first_.z ? (seconds - first_.seconds) * (now.length - now.z) / (now.z - first_.z) : std::nan("");
  const double share = now.length > 0 ? now.z / now.length : 1;
  if (style_ == Style::terminal) {
    out_ << "\r\033[K" << progress_text(now, left) << std::flush;
    line_open_ = true;
    return;
  }
  if (style_ == Style::json) {
    nlohmann::json line{{"event", "progress"},      {"z", now.z},
                        {"length", now.length},     {"h", now.h},
                        {"accepted", now.accepted}, {"rejected", now.rejected},
                        {"seconds", seconds},       {"seconds_left", left}};  // null where nothing can be said yet
    out_ << line.dump() << std::endl;
    return;
  }
  if (share < next_share_) return;
  while (next_share_ <= share) next_share_ += 0.1;
  out_ << progress_text(now, left) << std::endl;
}

void Reporter::end(const RunSummary& summary, const std::string& file, int status) {
  if (style_ != Style::json) return;
  const RunEnd& end = summary.end;
  nlohmann::json line{{"event", "end"},
                      {"status", status},
                      {"ended", word(end.ended)},
                      {"reason", end.reason},
                      {"z", end.z},
                      {"accepted", end.accepted},
                      {"rejected", end.rejected},
                      {"evaluations", end.evaluations},
                      {"seconds", summary.seconds},
                      {"energy_in", summary.energy_in},
                      {"energy_out", summary.energy_out},
                      {"photons_in", summary.photons_in},
                      {"photons_out", summary.photons_out},
                      {"peak_power_out", summary.peak_power_out},
                      {"rims", nlohmann::json::array()},
                      {"warnings", summary.warnings},
                      {"file", file}};
  for (const RimShare& rim : summary.rims)
    line["rims"].push_back({{"rim", rim.rim}, {"share", rim.share}, {"z", rim.z}});
  out_ << json_line(line) << std::endl;
}

void Reporter::log(int level, const std::string& text) {
  if (level < log_level::info) return;
  clear_line();
  if (style_ == Style::json)
    out_ << json_line({{"event", "log"}, {"level", level_name(level)}, {"text", text}}) << std::endl;
  else if (level == log_level::info)
    out_ << text << std::endl;
  else
    out_ << level_name(level) << ": " << text << std::endl;
}

namespace {

// How much stood at the rims at most, whatever it was and wherever.
std::string shares_of(const std::vector<RimShare>& rims) {
  if (rims.empty()) return "off";
  std::string text;
  for (const RimShare& rim : rims) {
    char part[80];
    std::snprintf(part, sizeof part, "%s%s %.1e", text.empty() ? "" : ", ", rim.rim.c_str(), rim.share);
    text += part;
  }
  return text + " of the energy at most";
}

}  // namespace

void print_summary(const RunSummary& summary, const Problem& problem, const std::string& file, std::ostream& out) {
  const RunEnd& end = summary.end;
  char line[300];
  std::snprintf(line, sizeof(line), "%s: %s of %s in %lld steps (%lld rejected, %lld right-hand sides), %.3g s\n",
                word(end.ended), engineering(end.z, "m").c_str(), engineering(problem.medium.length, "m").c_str(),
                static_cast<long long>(end.accepted), static_cast<long long>(end.rejected),
                static_cast<long long>(end.evaluations), summary.seconds);
  out << line;
  if (!end.reason.empty()) out << "  reason         " << end.reason << '\n';
  const auto drift = [](double in, double after) { return in > 0 ? after / in - 1 : 0; };
  std::snprintf(line, sizeof(line), "  energy         %s -> %s (%+.2g)\n", engineering(summary.energy_in, "J").c_str(),
                engineering(summary.energy_out, "J").c_str(), drift(summary.energy_in, summary.energy_out));
  out << line;
  if (std::isnan(summary.photons_out)) {
    out << "  photon number  not read: without fields and statistics no field leaves the device\n";
  } else {
    std::snprintf(line, sizeof(line), "  photon number  %.6g -> %.6g (%+.2g)\n", summary.photons_in,
                  summary.photons_out, drift(summary.photons_in, summary.photons_out));
    out << line;
  }
  if (!std::isnan(summary.peak_power_out))
    out << "  peak power     " << engineering(summary.peak_power_out, "W") << " at z = " << engineering(end.z, "m")
        << '\n';
  out << "  edge check     " << shares_of(summary.rims) << '\n';
  for (const std::string& warning : summary.warnings) out << "  warning        " << warning << '\n';
  out << "  written        " << file << '\n';
}

}  // namespace lumarch::cli
