// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <exception>
#include <functional>
#include <numeric>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include <lumarch/result_file.hpp>
#include <lumarch/scan_file.hpp>

#include "output/h5.hpp"
#include "output/open_result.hpp"
#include "output/point_tree.hpp"
#include "output/schema.hpp"

namespace lumarch {

struct ResultFile::State {
  std::string path;
  ResultInfo info;
  h5::File file;
  h5::Dataset field, spectrum, power, fluence;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    const h5::Session session;
    close();
  }
  void read(const std::string& path, const std::function<h5::File()>& open);
  void close() {
    for (h5::Dataset* dataset : {&field, &spectrum, &power, &fluence}) *dataset = {};
    file = {};
  }
  [[nodiscard]] std::vector<double> row(const h5::Dataset& dataset, std::int64_t plane, std::size_t count,
                                        const char* name) const;
};

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(Fault::problem, path + ": " + why);
}

h5::Group group_at(hid_t where, const char* name) { return {H5Gopen2(where, name, H5P_DEFAULT), name}; }

bool has(hid_t where, const std::string& name) { return H5Lexists(where, name.c_str(), H5P_DEFAULT) > 0; }

void read_root(const std::string& path, hid_t root, ResultInfo& info) {
  if (H5Aexists(root, "lumarch") <= 0 || H5Aexists(root, "schema") <= 0) {
    refuse(path, "is an HDF5 file, but not one that lumarch wrote");
  }
  info.lumarch = h5::get_text_attribute(root, "lumarch");
  info.schema = h5::get_integer_attribute(root, "schema");
  if (info.schema > schema::version) {
    refuse(path, "has schema " + std::to_string(info.schema) + " (written by lumarch " + info.lumarch +
                     "); this lumarch reads up to " + std::to_string(schema::version) + ": use a newer one");
  }
  const std::pair<const char*, std::string*> texts[] = {{"title", &info.title},           {"status", &info.status},
                                                        {"convention", &info.convention}, {"digest", &info.digest},
                                                        {"created", &info.created},       {"finished", &info.finished}};
  for (const auto& [name, text] : texts) {
    if (H5Aexists(root, name) > 0) *text = h5::get_text_attribute(root, name);
  }
}

[[noreturn]] void damaged(const std::string& name) { throw Error(Fault::output, name + " is damaged"); }

// The parts below fill `info` when all of theirs is read and fits together: others index by what it says.
NodeAxes read_nodes(hid_t grid) {
  NodeAxes nodes;
  const std::pair<const char*, std::vector<double>*> axes[] = {{"r", &nodes.r},   {"kr", &nodes.kr}, {"x", &nodes.x},
                                                               {"kx", &nodes.kx}, {"y", &nodes.y},   {"ky", &nodes.ky}};
  for (const auto& [name, values] : axes) {
    if (!has(grid, name)) continue;
    *values = h5::get_doubles(grid, name);
    if (values->empty()) damaged(name);
  }
  if (has(grid, "modes")) {
    nodes.modes = h5::get_texts(grid, "modes");
    if (nodes.modes.empty()) damaged("modes");
  }
  if (has(grid, "component")) nodes.components = 2;
  const std::size_t inner = std::max({nodes.modes.size(), nodes.r.size(), nodes.x.size()});
  nodes.inner = static_cast<std::int64_t>(std::max<std::size_t>(inner, 1));
  nodes.outer = static_cast<std::int64_t>(std::max<std::size_t>(nodes.y.size(), 1));
  (void)schema::field_axes(nodes);  // these throw where the axes do not fit together
  (void)schema::fluence_axes(nodes);
  return nodes;
}

void read_grid(hid_t root, ResultInfo& info) {
  const h5::Group grid = group_at(root, "grid");
  const double omega0 = h5::get_number_attribute(grid.get(), "omega0");
  auto omega = h5::get_doubles(grid.get(), "omega"), time = h5::get_doubles(grid.get(), "time");
  auto wavelength = h5::get_doubles(grid.get(), "wavelength");
  // Only where the power is stored beside the spectrum may one have more samples: real fields.
  const bool own_time = has(root, "planes") && has(root, "planes/power");
  if ((!own_time && time.size() != omega.size()) || wavelength.size() != omega.size()) damaged("the grid");
  info.nodes = read_nodes(grid.get());
  info.omega0 = omega0;
  info.omega = std::move(omega);
  info.time = std::move(time);
  info.wavelength = std::move(wavelength);
}

// Whether a dataset has the shape (planes, axes...).
bool has_shape(const h5::Dataset& dataset, std::size_t planes, const std::vector<schema::Axis>& axes) {
  const h5::Dims dims = h5::dims_of(dataset);
  if (dims.size() != axes.size() + 1 || dims[0] != planes) return false;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (dims[i + 1] != axes[i].size) return false;
  }
  return true;
}

h5::Dataset read_planes(hid_t root, ResultInfo& info) {
  const h5::Group planes = group_at(root, "planes");
  auto z = h5::get_doubles(planes.get(), "z");
  const std::int64_t written = h5::get_integer_attribute(planes.get(), "planes_written");
  if (written < 0 || static_cast<std::uint64_t>(written) > z.size()) damaged("planes_written");
  h5::Dataset field;
  std::string units;
  Fields fields = Fields::none;
  std::int64_t last_plane = info.last_plane;
  if (has(planes.get(), "field")) {
    field = {H5Dopen2(planes.get(), "field", H5P_DEFAULT), "planes/field"};
    const bool last = H5Aexists(field.get(), "plane") > 0;
    fields = last ? Fields::last : Fields::all;
    if (last) last_plane = h5::get_integer_attribute(field.get(), "plane");
    if (last_plane >= static_cast<std::int64_t>(z.size())) damaged("the number of the last plane");
    const h5::Dims dims = h5::dims_of(field);
    if (dims.size() < 2 || dims[0] != (last ? 1 : z.size())) damaged("planes/field");
    units = h5::get_text_attribute(field.get(), "units");
  }
  info.z = std::move(z);
  info.planes_written = written;
  info.fields = fields;
  info.last_plane = last_plane;
  info.field_units = units;
  return field;
}

std::vector<schema::Axis> axes_of_field(const ResultInfo& info) {
  std::vector<schema::Axis> axes = schema::field_axes(info.nodes);
  axes.push_back({"omega", info.omega.size()});
  return axes;
}

// A row of doubles for each plane, where there is one.
h5::Dataset read_profile(hid_t root, const ResultInfo& info, const char* name, const std::vector<schema::Axis>& axes,
                         std::string& units) {
  const h5::Group planes = group_at(root, "planes");
  if (!has(planes.get(), name)) return {};
  h5::Dataset data{H5Dopen2(planes.get(), name, H5P_DEFAULT), name};
  if (!has_shape(data, info.z.size(), axes)) damaged(name);
  units = h5::get_text_attribute(data.get(), "units");
  return data;
}

void read_statistics(hid_t root, ResultInfo& info) {
  const h5::Group group = group_at(root, "statistics");
  for (const std::string& name : h5::names_in(group.get())) {
    try {
      StoredStatistic statistic;
      statistic.name = name;
      const h5::Dataset data{H5Dopen2(group.get(), name.c_str(), H5P_DEFAULT), name};
      const h5::Dims dims = h5::dims_of(data);
      statistic.values = h5::get_doubles(group.get(), name);
      if (dims.empty() || dims[0] != info.z.size()) damaged(name);
      for (std::size_t i = 1; i < dims.size(); ++i) statistic.values_a_plane *= dims[i];
      statistic.units = h5::get_text_attribute(data.get(), "units");
      // not asked of the scales that are attached: HDF5 keeps those in heaps, and crashes on damaged ones
      if (H5Aexists(data.get(), "axis") > 0) statistic.axis = h5::get_text_attribute(data.get(), "axis");
      info.statistics.push_back(std::move(statistic));
    } catch (const Error& failure) {
      info.unread.push_back("statistics/" + name + ": " + failure.what());
    }
  }
}

void read_march(hid_t root, ResultInfo& info) {
  const h5::Group march = group_at(root, "march");
  info.accepted = h5::get_integer_attribute(march.get(), "accepted_total");
  info.rejected = h5::get_integer_attribute(march.get(), "rejected_total");
  info.evaluations = h5::get_integer_attribute(march.get(), "evaluations_total");
  info.z_reached = h5::get_number_attribute(march.get(), "z_reached");
  const auto z = h5::get_doubles(march.get(), "z"), h = h5::get_doubles(march.get(), "h");
  const auto error = h5::get_doubles(march.get(), "error");
  const auto accepted = h5::get_flags(march.get(), "accepted");
  // A kill may fall between the columns, or between a column's length and its numbers: the whole rows count.
  const std::size_t rows = std::min({z.size(), h.size(), error.size(), accepted.size()});
  for (std::size_t i = 0; i < rows && !std::isnan(h[i]); ++i) {
    info.march.push_back({z[i], h[i], error[i], accepted[i] != 0});
  }
}

void read_edge(hid_t root, ResultInfo& info) {
  const h5::Group group = group_at(root, "edge");
  auto rims = h5::get_texts(group.get(), "rims");
  const std::int64_t readings = h5::get_integer_attribute(group.get(), "readings");
  const auto numbers = [&](const char* name) { return h5::get_doubles(group.get(), name); };
  const auto z = numbers("z"), time = numbers("absorbed_time"), space = numbers("absorbed_space"),
             share = numbers("share"), energy = numbers("energy"), peak = numbers("peak");
  const std::size_t rows = z.size(), all = rows * rims.size();
  if (readings < 0 || static_cast<std::uint64_t>(readings) > rows || time.size() != rows || space.size() != rows ||
      share.size() != all || energy.size() != all || peak.size() != all)
    damaged("edge");
  std::vector<std::vector<double>> strips;
  std::vector<std::vector<std::int64_t>> places;
  for (const std::string& rim : rims) {
    if (!has(group.get(), "strip_" + rim)) continue;
    places.push_back(h5::get_integers(group.get(), "nodes_" + rim));
    strips.push_back(h5::get_doubles(group.get(), "strip_" + rim));
    if (strips.back().size() != rows * places.back().size()) damaged("edge/strip_" + rim);
  }
  if (!strips.empty() && strips.size() != rims.size()) damaged("edge");
  for (std::size_t i = 0; i < static_cast<std::size_t>(readings); ++i) {
    EdgeRecord record{z[i], {}, time[i], space[i]};
    for (std::size_t rim = 0; rim < rims.size(); ++rim) {
      const std::size_t at = i * rims.size() + rim;
      EdgeRim& read = record.rims.emplace_back(EdgeRim{share[at], energy[at], peak[at], {}});
      if (strips.empty()) continue;
      const auto first = strips[rim].begin() + static_cast<std::ptrdiff_t>(i * places[rim].size());
      read.strip.assign(first, first + static_cast<std::ptrdiff_t>(places[rim].size()));
    }
    info.edges.push_back(std::move(record));
  }
  info.rims = std::move(rims);
  info.strips = std::move(places);
}

void read_provenance(hid_t root, ResultInfo& info) {
  const h5::Group group = group_at(root, "provenance");
  for (const std::string& name : h5::names_in(group.get())) {
    try {
      std::string text = h5::get_text(group.get(), name);
      (name == "problem" ? info.problem : info.provenance[name]) = std::move(text);
    } catch (const Error& failure) {
      info.unread.push_back("provenance/" + name + ": " + failure.what());
    }
  }
}

void read_checkpoint(hid_t root, ResultInfo& info) {
  const h5::Group group = group_at(root, "checkpoint");
  const std::int64_t slot = h5::get_integer_attribute(group.get(), "slot");
  if (slot < 0) return;
  if (slot > 1) damaged("the checkpoint");
  std::string text = h5::get_text(group.get(), "state_" + std::to_string(slot));
  const auto state = nlohmann::json::parse(text, nullptr, false);
  if (!state.is_object() || !state.contains("z") || !state["z"].is_number()) damaged("the checkpoint");
  info.checkpoint_z = state["z"].get<double>();
  info.checkpoint = std::move(text);
}

}  // namespace

h5::File open_result(const std::string& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) refuse(path, std::generic_category().message(errno));
  if (S_ISDIR(found.st_mode)) refuse(path, "a folder, not an output file");
  const int readable = H5Fis_hdf5(path.c_str());
  if (readable == 0) refuse(path, "not an HDF5 file, so no result of a run");
  try {
    return h5::open_read(path);
  } catch (const Error& failure) {
    const std::string text = failure.what(), locked = std::generic_category().message(EAGAIN);
    const bool forced = text.find(locked) != std::string::npos;  // lumarch itself reads without a lock
    refuse(path, text + (forced ? " (a run is writing it, and HDF5_USE_FILE_LOCKING is set: unset it)" : ""));
  }
}

namespace {

// What a place of a scan's file holds, as the file of a lone run.
h5::File open_point(const std::string& path, std::size_t slot, std::size_t point) {
  const h5::File file = open_result(path);
  const h5::Group scan{H5Gopen2(file.get(), "scan", H5P_DEFAULT), "open scan"};
  point_tree::Layout layout;
  layout.grids_vary = h5::get_integer_attribute(scan.get(), "grids_vary") != 0;
  layout.planes_vary = h5::get_integer_attribute(scan.get(), "planes_vary") != 0;
  return point_tree::take(path, file.get(), slot, static_cast<std::int64_t>(point), layout);
}

}  // namespace

// "OUT.h5#17" is point 17 of a scan, unless there is a file of that name.
ResultFile::ResultFile(const std::string& path) : state_(std::make_unique<State>()) {
  const std::size_t hash = path.rfind('#');
  struct stat found {};
  if (hash != std::string::npos && stat(path.c_str(), &found) != 0) {
    std::size_t point = 0;
    const char *first = path.data() + hash + 1, *last = path.data() + path.size();
    const auto [end, bad] = std::from_chars(first, last, point);
    if (bad == std::errc{} && end == last) {
      *this = ScanFile(path.substr(0, hash)).point(point);
      return;
    }
  }
  state_->read(path, [&] { return open_result(path); });
  const h5::Session session;
  if (!has(state_->file.get(), "scan")) return;
  state_->close();
  refuse(path, "is the file of a scan: name one of its points, like " + path + "#0 (lumarch info lists them)");
}

ResultFile::ResultFile(const std::string& path, std::size_t slot, std::size_t point)
    : state_(std::make_unique<State>()) {
  state_->read(path + "#" + std::to_string(point), [&] { return open_point(path, slot, point); });
}

void ResultFile::describe(const std::string& problem, const StoredPoint& point) {
  ResultInfo& info = state_->info;
  info.problem = problem;
  info.digest = point.digest;
  info.status = point.status;
  info.provenance["reason"] = point.reason;
}

void ResultFile::State::read(const std::string& from, const std::function<h5::File()>& open) {
  path = from;
  State& state = *this;
  const h5::Session session;
  try {
    state.file = open();
    const hid_t root = state.file.get();
    read_root(path, root, info);
    const auto part = [&](const char* name, const std::function<void()>& read) {
      if (!has(root, name)) return;  // a run that is being set up has none yet
      try {
        read();
      } catch (const Error& failure) {
        info.unread.push_back(std::string(name) + ": " + failure.what());
      }
    };
    part("grid", [&] { read_grid(root, info); });
    part("planes", [&] { state.field = read_planes(root, info); });
    part("planes", [&] {
      if (state.field && !has_shape(state.field, h5::dims_of(state.field)[0], axes_of_field(info))) {
        state.field = {};
        damaged("the field");
      }
    });
    part("planes", [&] {
      state.spectrum = read_profile(root, info, "spectrum", {{"omega", info.omega.size()}}, info.spectrum_units);
      state.power = read_profile(root, info, "power", {{"time", info.time.size()}}, info.power_units);
      state.fluence = read_profile(root, info, "fluence", schema::fluence_axes(info.nodes), info.fluence_units);
    });
    part("statistics", [&] { read_statistics(root, info); });
    part("march", [&] { read_march(root, info); });
    part("edge", [&] { read_edge(root, info); });
    part("checkpoint", [&] { read_checkpoint(root, info); });
    part("provenance", [&] { read_provenance(root, info); });
  } catch (const Error& failure) {
    // What is thrown here would close the handles in ~State(), which takes the session that is still held.
    state.close();
    if (failure.fault() == Fault::problem) throw;
    refuse(path, failure.what());
  }
}

ResultFile::~ResultFile() = default;
ResultFile::ResultFile(ResultFile&&) noexcept = default;
ResultFile& ResultFile::operator=(ResultFile&&) noexcept = default;

const ResultInfo& ResultFile::info() const { return state_->info; }

std::vector<std::int64_t> ResultFile::field_planes() const {
  const ResultInfo& info = state_->info;
  if (info.fields == Fields::none || !state_->field) return {};
  if (info.fields == Fields::last) {
    return info.last_plane < 0 ? std::vector<std::int64_t>{} : std::vector<std::int64_t>{info.last_plane};
  }
  std::vector<std::int64_t> planes(static_cast<std::size_t>(std::max<std::int64_t>(info.planes_written, 0)));
  std::iota(planes.begin(), planes.end(), 0);
  return planes;
}

std::vector<Complex> ResultFile::field(std::int64_t plane) const {
  const State& state = *state_;
  const auto planes = field_planes();
  if (std::find(planes.begin(), planes.end(), plane) == planes.end()) {
    refuse(state.path, "holds no field of plane " + std::to_string(plane));
  }
  const bool last = state.info.fields == Fields::last;
  const h5::Session session;
  try {
    const h5::Type type = h5::complex_type();
    const std::uint64_t count = state.info.omega.size() * static_cast<std::uint64_t>(state.info.nodes.nodes());
    h5::check_row(state.field, count, type.get(), "planes/field");
    std::vector<Complex> values(count);
    h5::read_row(state.field, static_cast<std::uint64_t>(last ? 0 : plane), type.get(), values.data(), "planes/field");
    return values;
  } catch (const Error& failure) {
    refuse(state.path, failure.what());
  }
}

std::vector<Complex> ResultFile::checkpoint_row(std::size_t row) const {
  const State& state = *state_;
  const h5::Session session;
  try {
    if (state.info.checkpoint.empty()) refuse(state.path, "holds no checkpoint");
    const h5::Group group = group_at(state.file.get(), "checkpoint");
    const h5::Dataset data =
        h5::open_dataset(group.get(), "rows_" + std::to_string(h5::get_integer_attribute(group.get(), "slot")));
    const h5::Type type = h5::complex_type();
    const std::uint64_t count = state.info.omega.size() * static_cast<std::uint64_t>(state.info.nodes.nodes());
    const h5::Dims dims = h5::dims_of(data);
    if (dims.size() != 2 || row >= dims[0] || dims[1] != count) damaged("the checkpoint");
    h5::check_row(data, count, type.get(), "the checkpoint");
    std::vector<Complex> values(count);
    h5::read_row(data, row, type.get(), values.data(), "the checkpoint");
    return values;
  } catch (const Error& failure) {
    if (failure.fault() == Fault::problem) throw;
    refuse(state.path, failure.what());
  }
}

std::vector<double> ResultFile::State::row(const h5::Dataset& dataset, std::int64_t plane, std::size_t count,
                                           const char* name) const {
  if (!dataset) refuse(path, std::string("holds no ") + name);
  if (plane < 0 || plane >= info.planes_written) {
    refuse(path, std::string("holds no ") + name + " of plane " + std::to_string(plane));
  }
  const h5::Session session;
  try {
    h5::check_row(dataset, count, H5T_NATIVE_DOUBLE, name);
    std::vector<double> values(count);
    h5::read_row(dataset, static_cast<std::uint64_t>(plane), H5T_NATIVE_DOUBLE, values.data(), name);
    return values;
  } catch (const Error& failure) {
    refuse(path, failure.what());
  }
}

std::vector<double> ResultFile::spectrum(std::int64_t plane) const {
  return state_->row(state_->spectrum, plane, state_->info.omega.size(), "spectrum");
}

std::vector<double> ResultFile::power(std::int64_t plane) const {
  return state_->row(state_->power, plane, state_->info.time.size(), "power");
}

std::vector<double> ResultFile::fluence(std::int64_t plane) const {
  const NodeAxes& nodes = state_->info.nodes;
  return state_->row(state_->fluence, plane, static_cast<std::size_t>(nodes.outer * nodes.inner), "fluence");
}

std::vector<double> read_schedule(const std::string& path) {
  const ResultFile file(path);
  const ResultInfo& info = file.info();
  if (info.status != "done")
    refuse(path, "is of a run that did not finish (" + info.status + "): no schedule to replay");
  std::vector<double> steps;
  for (const AttemptRecord& attempt : info.march) {
    if (attempt.accepted) steps.push_back(attempt.h);
  }
  if (steps.empty()) refuse(path, "holds no accepted steps");
  return steps;
}

}  // namespace lumarch
