// SPDX-License-Identifier: Apache-2.0
#include "lumarch/scan_report.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include <lumarch/log.hpp>
#include <lumarch/words.hpp>

#include "lumarch/engineering.hpp"
#include "lumarch/json_line.hpp"

namespace lumarch::cli {

using tools::engineering;
using tools::json_line;

namespace {

std::string text_of(const ScanProgress& now) {
  std::string text = std::to_string(now.done) + " of " + std::to_string(now.points) + " points done";
  if (now.running > 0) text += ", " + std::to_string(now.running) + " running";
  if (now.failed > 0) text += ", " + std::to_string(now.failed) + " failed";
  return text + ", " + (std::isnan(now.seconds_left) ? "?" : engineering(now.seconds_left, "s", 3)) + " left";
}

}  // namespace

void ScanReporter::clear_line() {
  if (line_open_) out_ << "\r\033[K" << std::flush;
  line_open_ = false;
}

void ScanReporter::progress(const ScanProgress& now) {
  if (style_ == Reporter::Style::terminal) {
    out_ << "\r\033[K" << text_of(now) << std::flush;
    line_open_ = true;
    return;
  }
  if (style_ == Reporter::Style::json) {
    out_ << json_line({{"event", "scan"},
                       {"points", now.points},
                       {"done", now.done},
                       {"running", now.running},
                       {"failed", now.failed},
                       {"seconds", now.seconds},
                       {"seconds_left", now.seconds_left}})
         << std::endl;
    return;
  }
  const double share =
      now.points > 0 ? static_cast<double>(now.done + now.failed) / static_cast<double>(now.points) : 1;
  if (share < next_share_) return;
  while (next_share_ <= share) next_share_ += 0.1;
  out_ << text_of(now) << std::endl;
}

void ScanReporter::failure(const Scan& scan, const PointEnd& end) {
  clear_line();
  if (style_ == Reporter::Style::json)
    out_ << json_line({{"event", "point"},
                       {"point", end.point},
                       {"label", scan.label(end.point)},
                       {"status", end.status},
                       {"reason", end.reason}})
         << std::endl;
  else
    out_ << "point " << end.point << " (" << scan.label(end.point) << ") failed: " << end.reason << std::endl;
}

// The words of single runs would drown those of the scan: only warnings and worse.
void ScanReporter::log(int level, const std::string& text) {
  if (level < log_level::warning) return;
  clear_line();
  const char* name = level == log_level::warning ? "warning" : "error";
  if (style_ == Reporter::Style::json)
    out_ << json_line({{"event", "log"}, {"level", name}, {"text", text}}) << std::endl;
  else
    out_ << name << ": " << text << std::endl;
}

void ScanReporter::end(const ScanSummary& summary, const std::string& file, int status) {
  if (style_ != Reporter::Style::json) return;
  out_ << json_line({{"event", "end"},
                     {"status", status},
                     {"ended", word(summary.ended)},
                     {"reason", summary.reason},
                     {"points", summary.points},
                     {"done", summary.done},
                     {"failed", summary.failed},
                     {"seconds", summary.seconds},
                     {"file", file}})
       << std::endl;
}

void print_scan_summary(const ScanSummary& summary, const Scan& scan, const std::string& file, std::ostream& out) {
  const char* how = summary.ended == Ended::failed ? "ended with failures" : word(summary.ended);
  out << how << ": " << summary.done << " of " << summary.points << " points";
  if (summary.failed > 0) out << ", " << summary.failed << " failed";
  out << ", " << engineering(summary.seconds, "s", 3) << '\n';
  if (!summary.reason.empty()) out << "  reason         " << summary.reason << '\n';
  constexpr std::size_t most_shown = 10;
  for (std::size_t i = 0; i < std::min(most_shown, summary.failures.size()); ++i) {
    const PointEnd& end = summary.failures[i];
    out << "  failed         point " << end.point << " (" << scan.label(end.point) << "): " << end.reason << '\n';
  }
  if (summary.failures.size() > most_shown)
    out << "  failed         and " << summary.failures.size() - most_shown << " more; lumarch info lists them\n";
  out << "  written        " << file << '\n';
}

}  // namespace lumarch::cli
