// SPDX-License-Identifier: Apache-2.0
// `lumarch backends [-v]`: every file that could be a backend, and what became of it.
#include <algorithm>
#include <iomanip>
#include <sstream>

#include <lumarch/backends.hpp>
#include <lumarch/log.hpp>

#include "lumarch/commands.hpp"

namespace lumarch::cli {

namespace {

using State = BackendCandidate::State;

const char* in_words(State state) {
  switch (state) {
    case State::loaded:
      return "loaded";
    case State::no_device:
      return "no device";
    default:
      return "skipped";
  }
}

// A plugin may say anything: one line stays one line, and no control character reaches the terminal.
std::string printable(std::string text) {
  for (char& c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) c = ' ';
  }
  return text;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "; ") + line;
  return text;
}

// Version, ABI, load time, devices or the kernels added; then the reason, with its remedy.
std::string summary(const BackendCandidate& candidate) {
  std::ostringstream text;
  if (candidate.state != State::skipped) {
    text << candidate.version << ", ABI " << candidate.abi_major << '.' << candidate.abi_minor << ", " << std::fixed
         << std::setprecision(1) << candidate.load_ms << " ms";
    if (!candidate.devices.empty()) text << ", " << joined(candidate.devices);
    if (candidate.devices.empty() && candidate.state == State::loaded) {
      text << ", adds " << candidate.kernels.size() << (candidate.kernels.size() == 1 ? " kernel" : " kernels");
    }
    if (!candidate.reason.empty()) text << ". ";
  }
  text << candidate.reason;
  return printable(text.str());
}

// A line a parameter: its unit, its standard value and its range, all in that unit.
void print_response(const KernelEntry& entry, std::ostream& out) {
  const auto number = [](double value) {
    std::ostringstream text;
    text << value;
    return text.str();
  };
  if (!entry.text.empty()) out << "      " << printable(entry.text) << '\n';
  for (const ParameterEntry& parameter : entry.parameters) {
    out << "      " << printable(parameter.name) << "  " << printable(parameter.unit) << ", "
        << (parameter.standard ? "by default " + number(*parameter.standard) : "must be given") << ", "
        << number(parameter.least) << " to " << number(parameter.most);
    if (!parameter.text.empty()) out << ": " << printable(parameter.text);
    out << '\n';
  }
}

void print_details(const BackendCandidate& candidate, std::ostream& out) {
  out << "    path   " << printable(candidate.path) << '\n';
  if (!candidate.build.empty()) out << "    build  " << printable(candidate.build) << '\n';
  for (const KernelEntry& entry : candidate.kernels) {
    out << "    " << entry.kind << ' ' << printable(entry.name) << ' ' << entry.version;
    if (entry.from != candidate.path) out << ", by " << printable(entry.from);
    out << '\n';
    if (entry.described) print_response(entry, out);
  }
}

}  // namespace

int backends_command(const std::vector<std::string>& folders, bool verbose, std::ostream& out) {
  const std::vector<BackendCandidate> all = explain_backends({folders, [&](int level, const std::string& text) {
                                                                if (level >= log_level::warning)
                                                                  out << "note: " << text << '\n';
                                                              }});
  if (all.empty()) {
    out << "There is no backend. Install one, or name its folder with --backend-path.\n";
    return 0;
  }
  std::size_t width = 0;
  for (const BackendCandidate& candidate : all) width = std::max(width, candidate.name.size());
  for (const BackendCandidate& candidate : all) {
    const std::string name = printable(candidate.name);
    out << name << std::string(width - name.size() + 2, ' ') << std::left << std::setw(11) << in_words(candidate.state)
        << summary(candidate) << '\n';
    if (verbose) print_details(candidate, out);
  }
  return 0;
}

}  // namespace lumarch::cli
