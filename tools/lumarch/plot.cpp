// SPDX-License-Identifier: Apache-2.0
#include "lumarch/plot.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include <lumarch/error.hpp>
#include <lumarch/result_file.hpp>

#include "lumarch/plot_figures.hpp"

namespace lumarch::tools {

namespace fs = std::filesystem;

namespace {

const std::array<std::string, 5> known{"evolution", "spectrum", "time", "spectrogram", "statistics"};

std::vector<std::string> kinds_of(const std::string& what) {
  std::vector<std::string> kinds;
  std::istringstream list(what.empty() ? "evolution,spectrum,time,statistics" : what);
  for (std::string kind; std::getline(list, kind, ',');) {
    if (kind == "fluence") throw Error(Fault::problem, "--what fluence: not built yet");
    if (std::find(known.begin(), known.end(), kind) == known.end()) {
      throw Error(Fault::problem,
                  "--what " + kind + ": no such plot; there are evolution, spectrum, time, spectrogram, statistics");
    }
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  }
  return kinds;
}

// The picture of a kind: the name that was asked for where there is one kind, else with the kind before the suffix.
fs::path picture_of(const PlotRequest& request, const std::string& kind, bool lone) {
  fs::path base = request.output.empty() ? fs::path(request.file) : fs::path(request.output);
  if (lone && !request.output.empty()) return base;
  const std::string suffix = request.output.empty() ? ".png" : base.extension().string();
  return base.parent_path() / (base.stem().string() + "-" + kind + suffix);
}

void check_suffix(const std::string& output) {
  const std::string suffix = fs::path(output).extension().string();
  if (!output.empty() && suffix != ".png" && suffix != ".svg" && suffix != ".pdf") {
    throw Error(Fault::problem, "-o " + output + ": a plot is .png, .svg or .pdf");
  }
}

void write_file(const fs::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw Error(Fault::output, path.string() + ": cannot be written");
}

// Where scripts and data lie that nobody wants to keep.
class Scratch {
public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "lumarch-plot-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw Error(Fault::output, name + ": cannot make a folder for the plot's data");
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

private:
  fs::path path_;
};

void draw(const Figure& figure, const fs::path& picture, bool keep, const std::string& gnuplot, std::ostream& out) {
  std::optional<Scratch> scratch;
  if (!keep) scratch.emplace();
  const fs::path folder = keep ? (picture.has_parent_path() ? picture.parent_path() : fs::path(".")) : scratch->path();
  const std::string stem = picture.stem().string(), script = stem + ".gp";
  // A kept script names its neighbours alone, so that the folder can be moved.
  const std::string target = keep ? picture.filename().string() : fs::absolute(picture).string();
  for (const auto& [name, bytes] : figure.data) write_file(folder / (stem + "-" + name), bytes);
  write_file(folder / script, whole_script(figure, target, stem + "-"));
  if (keep) out << (folder / script).string() << '\n';
  if (gnuplot.empty()) return;
  std::ofstream trial(picture, std::ios::app);  // gnuplot says less about a place it cannot write
  if (!trial) throw Error(Fault::output, picture.string() + ": cannot be written");
  trial.close();
  try {
    run_gnuplot(gnuplot, folder.string(), script);
  } catch (const Error&) {
    std::error_code ignored;
    fs::remove(picture, ignored);
    throw;
  }
  out << picture.string() << '\n';
}

}  // namespace

int plot_command(const PlotRequest& request, std::ostream& out) {
  const std::vector<std::string> kinds = kinds_of(request.what);
  check_suffix(request.output);
  const std::string gnuplot = find_gnuplot();
  if (gnuplot.empty() && !request.script) {
    throw Error(Fault::output,
                "gnuplot is not in PATH: install it (Debian, Ubuntu: apt install gnuplot-nox), or keep the script and "
                "data with --script");
  }
  const ResultFile file(request.file);
  const ResultInfo& info = file.info();
  const Signals signals(file);
  std::optional<Extent> extent;
  const auto why_not = [&](const std::string& kind) -> std::string {
    if (kind == "statistics") {
      if (info.statistics.empty()) return "the file holds no statistics";
      if (info.planes_written == 0) return "no plane was written";
      return statistics(info).script.empty() ? "no statistic is finite anywhere" : "";
    }
    if (info.fields == Fields::none) return "the file holds no fields (output.fields is none)";
    if (signals.planes().empty()) return "no field was written";
    if (kind == "evolution" && signals.planes().size() < 2) return "the file holds the field of one plane only";
    if (!extent) extent = extent_of(signals);
    return extent->power_peak > 0 ? "" : "the field is zero or not finite everywhere";
  };
  std::size_t drawn = 0;
  std::string reasons;
  for (const std::string& kind : kinds) {
    if (const std::string reason = why_not(kind); !reason.empty()) {
      out << "no " << kind << ": " << reason << '\n';
      reasons += (reasons.empty() ? "" : "; ") + kind + ": " + reason;
      continue;
    }
    const Figure figure = kind == "evolution"     ? evolution(info, signals, *extent)
                          : kind == "spectrum"    ? spectrum(info, signals, *extent)
                          : kind == "time"        ? time_profile(info, signals, *extent)
                          : kind == "spectrogram" ? spectrogram_figure(info, signals, *extent)
                                                  : statistics(info);
    draw(figure, picture_of(request, kind, kinds.size() == 1), request.script, gnuplot, out);
    ++drawn;
  }
  if (drawn == 0) throw Error(Fault::problem, request.file + ": nothing to plot (" + reasons + ")");
  if (gnuplot.empty()) out << "gnuplot is not in PATH (apt install gnuplot-nox): draw the scripts where it is\n";
  return 0;
}

}  // namespace lumarch::tools
