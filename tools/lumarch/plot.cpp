// SPDX-License-Identifier: Apache-2.0
#include "lumarch/plot.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include <lumarch/error.hpp>
#include <lumarch/result_file.hpp>

#include "lumarch/plot_figures.hpp"
#include "lumarch/whole_file.hpp"

namespace lumarch::tools {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t room_of_a_picture = 1 << 20;
const std::array<std::string, 6> known{"evolution", "spectrum", "time", "spectrogram", "fluence", "statistics"};

std::vector<std::string> kinds_of(const std::string& what) {
  std::vector<std::string> kinds;
  std::istringstream list(what);
  for (std::string kind; std::getline(list, kind, ',');) {
    if (std::find(known.begin(), known.end(), kind) == known.end()) {
      throw Error(Fault::problem, "--what " + kind +
                                      ": no such plot; there are evolution, spectrum, time, spectrogram, fluence, "
                                      "statistics");
    }
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  }
  return kinds;
}

std::vector<std::string> usual_kinds(const ResultInfo& info) {
  if (info.fluence_units.empty()) return {"evolution", "spectrum", "time", "statistics"};
  return {"evolution", "spectrum", "time", "fluence", "statistics"};
}

std::string nodes_of(const NodeAxes& nodes) {
  const std::string many = std::to_string(nodes.nodes());
  return !nodes.modes.empty() ? many + " modes" : !nodes.r.empty() ? many + " radii" : many + " nodes";
}

// Of what a picture needs beside statistics; empty where it is there.
std::string missing(const ResultFile& file, const Signals& signals, const std::string& kind) {
  const ResultInfo& info = file.info();
  const bool of_field = kind == "spectrogram" || !signals.stored();
  if (kind == "fluence") {
    if (info.fluence_units.empty()) return "the file holds none: fields in free space have a fluence, guided ones none";
  } else if (of_field) {
    if (info.fields == Fields::none) return "the file holds no fields (output.fields is none)";
    if (info.nodes.nodes() > 1) {
      return kind == "spectrogram" ? "it is of a field with one node, and this one has " + nodes_of(info.nodes)
                                   : "the file holds no spectrum and power of its " + nodes_of(info.nodes);
    }
    if (file.field_planes().empty()) return "no field was written";
    if (info.omega.size() > info.time.size()) return "the grid has more frequencies than times";
  }
  if (signals.planes().empty()) return "no plane was written";
  if (kind == "evolution" && signals.planes().size() < 2)
    return signals.stored() ? "the file holds one plane only" : "the file holds the field of one plane only";
  return "";
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

// Where scripts and data lie that nobody wants to keep.
class Scratch {
public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "lumarch-plot-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw Error(Fault::output, name + ": cannot make a folder for the plot's data: " +
                                     std::generic_category().message(errno) + "; TMPDIR names another place");
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

// gnuplot ends well where its picture could not be written: so it draws beside the place, and what it drew is looked
// at.
void draw_picture(const Figure& figure, const std::string& picture, const std::string& folder, const std::string& stem,
                  const std::string& gnuplot) {
  const std::string place = fs::absolute(followed(picture)).string(), part = part_beside(place);
  try_place(place, 4096);  // gnuplot says less about a place that it cannot write
  const Scratch scratch;
  const std::string script = (scratch.path() / "draw.gp").string();
  write_whole(script, whole_script(figure, part, stem + "-"));
  std::error_code ignored;
  std::string said;
  try {
    said = run_gnuplot(gnuplot, folder, script);
  } catch (const Error&) {
    fs::remove(part, ignored);
    try_place(place, room_of_a_picture);
    throw;
  }
  if (!whole_picture(part)) {
    fs::remove(part, ignored);
    try_place(place, room_of_a_picture);  // the system's reason, if it is one
    throw Error(Fault::output, picture + ": gnuplot drew no whole picture" + (said.empty() ? "" : ": " + said) +
                                   "; --script keeps what it was given");
  }
  take_place(part, place);
}

void draw(const Figure& figure, const fs::path& picture, bool keep, const std::string& gnuplot, std::ostream& out) {
  std::optional<Scratch> scratch;
  if (!keep) scratch.emplace();
  refuse_other_than_file(picture.string());
  const fs::path folder = keep ? (picture.has_parent_path() ? picture.parent_path() : fs::path(".")) : scratch->path();
  const std::string stem = picture.stem().string();
  for (const auto& [name, bytes] : figure.data) write_whole((folder / (stem + "-" + name)).string(), bytes);
  if (keep) {
    // A kept script names its neighbours alone, so that the folder can be moved.
    const std::string script = (folder / (stem + ".gp")).string();
    write_whole(script, whole_script(figure, picture.filename().string(), stem + "-"));
    out << script << '\n';
  }
  if (gnuplot.empty()) return;
  draw_picture(figure, picture.string(), folder.string(), stem, gnuplot);
  out << picture.string() << '\n';
}

}  // namespace

namespace {

int plot_scan(const PlotRequest& request, const std::string& gnuplot, std::ostream& out) {
  const ScanFile file(request.file);
  std::vector<std::string> kinds{"statistics", "spectra"};
  if (!request.what.empty()) {
    kinds.clear();
    std::istringstream list(request.what);
    for (std::string kind; std::getline(list, kind, ',');) {
      if (kind != "statistics" && kind != "spectra")
        throw Error(Fault::problem, "--what " + kind +
                                        ": of a scan there are statistics and spectra; of one of its points, " +
                                        request.file + "#0, the others");
      kinds.push_back(kind);
    }
  }
  std::size_t drawn = 0;
  for (const std::string& kind : kinds) {
    const Figure figure = kind == "statistics" ? scan_statistics(file) : scan_spectra(file);
    if (figure.script.empty()) {
      out << "no " << kind << ": "
          << (kind == "statistics" ? "no statistic is finite at a point that is done"
                                   : "spectra of two points or more are needed, along one axis and on one grid")
          << '\n';
      continue;
    }
    draw(figure, picture_of(request, kind, kinds.size() == 1), request.script, gnuplot, out);
    ++drawn;
  }
  if (drawn == 0) throw Error(Fault::problem, request.file + ": nothing to plot");
  return 0;
}

}  // namespace

int plot_command(const PlotRequest& request, std::ostream& out) {
  check_suffix(request.output);
  const std::string gnuplot = find_gnuplot();
  if (gnuplot.empty() && !request.script) {
    throw Error(Fault::output,
                "gnuplot is not in PATH: install it (Debian, Ubuntu: apt install gnuplot-nox), or keep the script and "
                "data with --script");
  }
  if (is_scan_file(request.file)) return plot_scan(request, gnuplot, out);
  std::vector<std::string> kinds = kinds_of(request.what);
  const ResultFile file(request.file);
  const ResultInfo& info = file.info();
  if (request.what.empty()) kinds = usual_kinds(info);
  const Signals signals(file);
  std::optional<Extent> extent;
  std::optional<Figure> beam;
  const auto fluence = [&]() -> const Figure& {
    if (!beam) beam = fluence_figure(info, signals);
    return *beam;
  };
  const auto why_not = [&](const std::string& kind) -> std::string {
    if (kind == "statistics") {
      if (info.statistics.empty()) return "the file holds no statistics";
      if (info.planes_written == 0) return "no plane was written";
      return statistics(info).script.empty() ? "no statistic is finite anywhere" : "";
    }
    if (std::string reason = missing(file, signals, kind); !reason.empty()) return reason;
    if (kind == "fluence") return fluence().script.empty() ? "it is zero or not finite everywhere" : "";
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
                          : kind == "fluence"     ? fluence()
                                                  : statistics(info);
    draw(figure, picture_of(request, kind, kinds.size() == 1), request.script, gnuplot, out);
    ++drawn;
  }
  if (drawn == 0) throw Error(Fault::problem, request.file + ": nothing to plot (" + reasons + ")");
  if (gnuplot.empty()) out << "gnuplot is not in PATH (apt install gnuplot-nox): draw the scripts where it is\n";
  return 0;
}

}  // namespace lumarch::tools
