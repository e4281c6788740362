// SPDX-License-Identifier: Apache-2.0
// What a file has before the march: groups, axes, and rows for all that will come.
#include <hdf5_hl.h>

#include <algorithm>
#include <numbers>
#include <utility>

#include <lumarch/version.hpp>

#include "output/schema.hpp"
#include "output/writer.hpp"

namespace lumarch {

namespace {

constexpr double light = 299792458.0;              // m/s
constexpr std::uint64_t largest_chunk = 64 << 20;  // bytes

void describe(const h5::Dataset& dataset, const std::string& units, const char* words) {
  h5::put_attribute(dataset.get(), "units", units);
  h5::put_attribute(dataset.get(), "long_name", std::string(words));
}

h5::Dataset put_axis(hid_t where, const char* name, const std::vector<double>& values, const char* units,
                     const char* words) {
  h5::Dataset axis = h5::make_dataset(where, name, H5T_NATIVE_DOUBLE, {.dims = {values.size()}});
  if (!values.empty()) h5::write_all(axis, H5T_NATIVE_DOUBLE, values.data(), name);
  describe(axis, units, words);
  return axis;
}

void make_scale(const h5::Dataset& axis, const char* name) {
  h5::check(H5DSset_scale(axis.get(), name), std::string("make a scale of ") + name);
}

void attach(const h5::Dataset& dataset, const h5::Dataset& scale, unsigned int dimension) {
  h5::check(H5DSattach_scale(dataset.get(), scale.get(), dimension), "attach a scale");
}

void put_node_axes(hid_t grid, const NodeAxes& nodes) {
  const auto put = [&](const char* name, const std::vector<double>& values, const char* units, const char* words) {
    if (!values.empty()) make_scale(put_axis(grid, name, values, units, words), name);
  };
  if (nodes.components == 2) put("component", {0, 1}, "1", "component of the field");
  if (!nodes.modes.empty()) {
    const h5::Dataset modes = h5::put_texts(grid, "modes", nodes.modes);
    describe(modes, "1", "name of the mode");
    make_scale(modes, "modes");
  }
  put("r", nodes.r, "m", "radius");
  put("kr", nodes.kr, "1/m", "radial wavenumber");
  put("x", nodes.x, "m", "x");
  put("kx", nodes.kx, "1/m", "wavenumber along x");
  put("y", nodes.y, "m", "y");
  put("ky", nodes.ky, "1/m", "wavenumber along y");
}

std::size_t values_of_all(const RunInfo& info) {
  std::size_t sum = 0;
  for (const StatisticRequest& request : info.problem.statistics) sum += values_of(request, info);
  return sum;
}

std::uint64_t product_of(const std::vector<schema::Axis>& axes) {
  std::uint64_t product = axes.empty() ? 0 : 1;
  for (const schema::Axis& axis : axes) product *= axis.size;
  return product;
}

h5::Dims dims_of(std::size_t planes, const std::vector<schema::Axis>& axes) {
  h5::Dims dims{planes};
  for (const schema::Axis& axis : axes) dims.push_back(axis.size);
  return dims;
}

// Of one plane: a row of frequencies, with as many of the innermost nodes as fit.
h5::Dims chunk_of(const h5::Dims& dims) {
  h5::Dims chunk(dims.size(), 1);
  chunk.back() = dims.back();
  if (dims.size() > 2) {
    const hsize_t fit = largest_chunk / (std::max<hsize_t>(chunk.back(), 1) * sizeof(Complex));
    chunk[dims.size() - 2] = std::clamp<hsize_t>(fit, 1, dims[dims.size() - 2]);
  }
  return chunk;
}

}  // namespace

void put_root(hid_t root, const Problem& problem) {
  h5::put_attribute(root, "lumarch", std::string(LUMARCH_VERSION));
  h5::put_attribute(root, "schema", schema::version);
  h5::put_attribute(root, "title", start_of(problem.title, schema::title_bytes));
  h5::put_fixed(root, "status", schema::status_bytes, "running");
  h5::put_attribute(root, "convention", std::string(schema::convention));
  h5::put_attribute(root, "digest", problem.digest);
  h5::put_attribute(root, "created", utc_now());
  h5::put_fixed(root, "finished", schema::date_bytes, "");
}

void Writer::lay_out(const RunInfo& info) {
  complex_ = h5::complex_type();
  bool_ = h5::bool_type();
  samples_ = info.omega.size() * static_cast<std::uint64_t>(info.nodes.nodes());
  const auto field_axes = schema::field_axes(info.nodes);
  const auto fluence_axes = info.profiles ? schema::fluence_axes(info.nodes) : std::vector<schema::Axis>{};
  // Everything that is laid out before the march, so that a disk too small is found before it and not in its middle.
  const std::uint64_t fields = output_.fields == Fields::all ? info.planes.size() : output_.fields == Fields::last;
  const std::uint64_t rows = output_.compression > 0 ? 0 : fields * samples_ * sizeof(Complex);
  std::uint64_t a_plane = 1 + values_of_all(info);
  if (info.profiles) a_plane += info.omega.size() + info.time.size() + product_of(fluence_axes);
  std::uint64_t strip = 0;
  for (const auto& places : info.strips) strip += places.size();
  const std::uint64_t edges = info.edge_readings * (3 + 3 * info.rims.size() + strip) + strip;
  std::uint64_t axes = 2 * info.omega.size() + info.time.size();
  for (const schema::Axis& axis : field_axes) axes += 2 * axis.size;
  const std::uint64_t chunks =
      output_.compression > 0 ? fields * static_cast<std::uint64_t>(info.nodes.components * info.nodes.outer) : fields;
  room_.ask(
      file_, descriptor_,
      rows + 8 * (axes + edges + info.planes.size() * a_plane) + info.problem.text.size() + info.backend_json.size() +
          info.request_json.size() + 1024 * chunks +
          (info.checkpoint_rows > 0 ? 2 * (info.checkpoint_rows * samples_ * sizeof(Complex) + schema::checkpoint_bytes)
                                    : 0));

  put_root(file_.get(), info.problem);
  const h5::Group grid = h5::make_group(file_.get(), "grid");
  h5::put_attribute(grid.get(), "omega0", info.omega0);
  const h5::Dataset omega = put_axis(grid.get(), "omega", info.omega, "rad/s", "angular frequency");
  make_scale(omega, "omega");
  const h5::Dataset time = put_axis(grid.get(), "time", info.time, "s", "time");
  make_scale(time, "time");
  std::vector<double> lengths(info.omega.size());
  std::transform(info.omega.begin(), info.omega.end(), lengths.begin(),
                 [](double w) { return 2 * std::numbers::pi * light / w; });
  attach(put_axis(grid.get(), "wavelength", lengths, "m", "vacuum wavelength"), omega, 0);
  // Only so that every dimension of a statistic with two values has a name: xarray opens no half-named arrays.
  make_scale(put_axis(grid.get(), "pair", {0, 1}, "1", "first and second value"), "pair");
  put_node_axes(grid.get(), info.nodes);
  lay_out_planes(info);
  if (info.profiles) lay_out_profiles(info);
  lay_out_march();
  if (!info.rims.empty()) lay_out_edge(info);
  lay_out_provenance(info);
  lay_out_checkpoint(info);
  // The netCDF rule that xarray goes by: a group finds its dimensions in itself or above.
  std::vector<std::string> scales{"planes/z", "grid/omega", "grid/pair"};
  if (info.profiles) scales.emplace_back("grid/time");
  for (const auto& part : {field_axes, fluence_axes}) {
    for (const schema::Axis& axis : part) scales.push_back(std::string("grid/") + axis.name);
  }
  for (const std::string& from : scales) {
    const std::string to = from.substr(from.find('/') + 1);
    h5::check(H5Lcreate_hard(file_.get(), from.c_str(), file_.get(), to.c_str(), H5P_DEFAULT, H5P_DEFAULT),
              "link a scale");
  }
}

// The first dimension is the plane's.
void Writer::attach_axes(const h5::Dataset& dataset, const std::vector<schema::Axis>& axes) {
  unsigned int dimension = 1;
  for (const schema::Axis& axis : axes) {
    const std::string path = std::string("grid/") + axis.name;
    attach(dataset, {H5Dopen2(file_.get(), path.c_str(), H5P_DEFAULT), "open " + path}, dimension++);
  }
}

void Writer::lay_out_planes(const RunInfo& info) {
  planes_ = h5::make_group(file_.get(), "planes");
  h5::put_attribute(planes_.get(), "planes_written", std::int64_t{0});
  const h5::Dataset z = put_axis(planes_.get(), "z", info.planes, "m", "position");
  make_scale(z, "z");
  if (output_.fields != Fields::none) {
    const bool all = output_.fields == Fields::all;
    std::vector<schema::Axis> axes = schema::field_axes(info.nodes);
    axes.push_back({"omega", info.omega.size()});
    h5::Shape shape{.dims = dims_of(all ? info.planes.size() : 1, axes), .nan_filled = true};
    if (output_.compression > 0 && samples_ > 0) {
      shape.chunk = chunk_of(shape.dims);
      shape.compression = static_cast<unsigned int>(std::min(output_.compression, 9));
    }
    field_ = h5::make_dataset(planes_.get(), "field", complex_.get(), shape);
    describe(field_, schema::field_units(info.nodes), "spectral amplitude");
    if (all) attach(field_, z, 0);
    if (!all) h5::put_attribute(field_.get(), "plane", std::int64_t{-1});
    attach_axes(field_, axes);
  }
  const h5::Group group = h5::make_group(file_.get(), "statistics");
  for (const StatisticRequest& request : info.problem.statistics) {
    const schema::Meaning meaning = schema::meaning(request.quantity, info);
    const h5::Shape shape{.dims = dims_of(info.planes.size(), meaning.axes), .nan_filled = true};
    h5::Dataset data = h5::make_dataset(group.get(), request.name, H5T_NATIVE_DOUBLE, shape);
    describe(data, meaning.units, meaning.words);
    if (meaning.axes.size() == 1) h5::put_attribute(data.get(), "axis", std::string(meaning.axes.front().name));
    attach(data, z, 0);
    attach_axes(data, meaning.axes);
    statistics_.push_back({std::move(data), "statistics/" + request.name, values_of(request, info)});
  }
}

void Writer::lay_out_profiles(const RunInfo& info) {
  const h5::Dataset z{H5Dopen2(planes_.get(), "z", H5P_DEFAULT), "open z"};
  const bool line = schema::is_line(info.nodes);  // per metre of y
  const auto add = [&](const char* name, const std::vector<schema::Axis>& axes, const char* units, const char* words) {
    const h5::Shape shape{.dims = dims_of(info.planes.size(), axes), .nan_filled = true};
    h5::Dataset data = h5::make_dataset(planes_.get(), name, H5T_NATIVE_DOUBLE, shape);
    describe(data, units, words);
    attach(data, z, 0);
    attach_axes(data, axes);
    profiles_.push_back({std::move(data), std::string("planes/") + name, product_of(axes)});
  };
  add("spectrum", {{"omega", info.omega.size()}}, line ? "J s/m" : "J s", "energy per angular frequency, all nodes");
  add("power", {{"time", info.time.size()}}, line ? "W/m" : "W", "power, all nodes");
  if (const auto space = schema::fluence_axes(info.nodes); !space.empty()) {
    add("fluence", space, "J/m^2", "fluence");
  }
}

void Writer::lay_out_march() {
  march_ = h5::make_group(file_.get(), "march");
  for (const char* count : {"accepted", "rejected", "evaluations"}) {
    h5::put_attribute(march_.get(), std::string(count) + "_total", std::int64_t{0});
  }
  h5::put_attribute(march_.get(), "z_reached", 0.0);
  const h5::Shape numbers{.dims = {0}, .nan_filled = true, .chunk = {attempts_a_chunk}, .growing = true};
  const h5::Shape flags{.dims = {0}, .chunk = {attempts_a_chunk}, .growing = true};
  z_ = h5::make_dataset(march_.get(), "z", H5T_NATIVE_DOUBLE, numbers);
  describe(z_, "m", "where an attempt started");
  h_ = h5::make_dataset(march_.get(), "h", H5T_NATIVE_DOUBLE, numbers);
  describe(h_, "m", "how long an attempt was");
  error_ = h5::make_dataset(march_.get(), "error", H5T_NATIVE_DOUBLE, numbers);
  describe(error_, "1", "error relative to the tolerance");
  accepted_ = h5::make_dataset(march_.get(), "accepted", bool_.get(), flags);
  describe(accepted_, "1", "whether an attempt was accepted");
}

void Writer::lay_out_edge(const RunInfo& info) {
  rims_ = info.rims.size();
  most_edges_ = info.edge_readings;
  edge_ = h5::make_group(file_.get(), "edge");
  h5::put_attribute(edge_.get(), "readings", std::int64_t{0});
  const h5::Dataset names = h5::put_texts(edge_.get(), "rims", info.rims);
  describe(names, "1", "window whose rim is read");
  make_scale(names, "rims");
  const auto add = [&](const char* name, bool of_rims, const std::string& units, const char* words) {
    const h5::Dims dims = of_rims ? h5::Dims{most_edges_, rims_} : h5::Dims{most_edges_};
    h5::Dataset data = h5::make_dataset(edge_.get(), name, H5T_NATIVE_DOUBLE, {.dims = dims, .nan_filled = true});
    describe(data, units, words);
    if (edges_.empty())
      make_scale(data, "z");
    else
      attach(data, edges_.front().data, 0);
    if (of_rims) attach(data, names, 1);
    edges_.push_back({std::move(data), std::string("edge/") + name, of_rims ? rims_ : 1});
  };
  const char* joules = schema::is_line(info.nodes) ? "J/m" : "J";
  add("z", false, "m", "position of a reading");
  add("absorbed_time", false, joules, "energy that the absorber in time has taken");
  add("absorbed_space", false, joules, "energy that the absorber in space has taken");
  add("share", true, "1", "share of the energy that is in the rim");
  add("energy", true, joules, "energy in the rim");
  add("peak", true, "1", "largest value in the rim over the largest of all");
  if (!info.strips.empty()) lay_out_strips(info);
}

// What the nodes of each rim have, and which they are.
void Writer::lay_out_strips(const RunInfo& info) {
  const bool line = schema::is_line(info.nodes);
  for (std::size_t rim = 0; rim < info.rims.size(); ++rim) {
    const std::string& name = info.rims[rim];
    const auto& places = info.strips.at(rim);
    const std::string nodes = "nodes_" + name, strip = "strip_" + name;
    const bool power = name.rfind("time", 0) == 0;
    const char* units = power             ? (line ? "W/m" : "W")
                        : name == "band"  ? (line ? "J s/m" : "J s")
                        : name == "modes" ? "J"
                                          : "J/m^2";
    h5::Dataset where = h5::make_dataset(edge_.get(), nodes, H5T_NATIVE_INT64, {.dims = {places.size()}});
    h5::write_all(where, H5T_NATIVE_INT64, places.data(), "edge/" + nodes);
    describe(where, "1",
             power             ? "index of a node of the rim on /grid/time"
             : name == "band"  ? "index of a node of the rim on /grid/omega"
             : name == "modes" ? "index of a node of the rim on /grid/modes"
                               : "index of a node of the rim in a flattened fluence");
    make_scale(where, nodes.c_str());
    h5::Dataset data = h5::make_dataset(edge_.get(), strip, H5T_NATIVE_DOUBLE,
                                        {.dims = {most_edges_, places.size()}, .nan_filled = true});
    describe(data, units, "what each node of the rim has");
    attach(data, edges_.front().data, 0);
    attach(data, where, 1);
    strips_.push_back({std::move(data), "edge/" + strip, places.size()});
  }
}

void Writer::lay_out_provenance(const RunInfo& info) {
  provenance_ = h5::make_group(file_.get(), "provenance");
  h5::put_text(provenance_.get(), "problem", 0, info.problem.text);
  if (!info.request_json.empty()) h5::put_text(provenance_.get(), "request", 0, info.request_json);
  // In fixed rooms: they can be written when the disk is full.
  for (const std::string name : schema::provenance) {
    const bool backend = name == "backend" && !info.backend_json.empty();
    h5::put_text(provenance_.get(), name, name == "backend" ? 0 : schema::provenance_bytes,
                 backend             ? info.backend_json
                 : name == "kernels" ? "[]"
                                     : "{}");
  }
  h5::put_text(provenance_.get(), "reason", schema::reason_bytes, "");
}

}  // namespace lumarch
