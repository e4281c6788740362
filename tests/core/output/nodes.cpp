// SPDX-License-Identifier: Apache-2.0
// Files of fields with nodes: modes, radii, lines, Cartesian grids, two components.
#include <doctest/doctest.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include <lumarch/result_file.hpp>

#include "core/output/example_nodes.hpp"

using namespace lumarch;

namespace {

std::vector<std::size_t> shape_of(const std::string& path, const char* name) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t data = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(data);
  std::vector<hsize_t> dims(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, dims.data(), nullptr);
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(file);
  return {dims.begin(), dims.end()};
}

std::string failure_of(const std::function<void()>& act, Fault wanted) {
  try {
    act();
  } catch (const Error& failure) {
    CHECK(failure.fault() == wanted);
    return failure.what();
  }
  FAIL("nothing was thrown");
  return "";
}

bool has(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

void check_same(const NodeAxes& read, const NodeAxes& wanted) {
  CHECK(read.components == wanted.components);
  CHECK(read.outer == wanted.outer);
  CHECK(read.inner == wanted.inner);
  CHECK(read.modes == wanted.modes);
  CHECK(read.r == wanted.r);
  CHECK(read.kr == wanted.kr);
  CHECK(read.x == wanted.x);
  CHECK(read.kx == wanted.kx);
  CHECK(read.y == wanted.y);
  CHECK(read.ky == wanted.ky);
}

}  // namespace

TEST_CASE("fields with nodes come back bit for bit") {
  const example::Folder folder;
  const std::string path = folder / "out.h5";
  const std::vector<std::pair<std::string, std::vector<std::size_t>>> routes{
      {"mode-averaged", {}}, {"mode-averaged-real", {}}, {"modal", {3}}, {"radial", {48}},
      {"line", {64}},        {"cartesian", {32, 40}}};
  for (const auto& [route, shape] : routes) {
    for (const int components : {1, 2}) {
      for (const int compression : {0, 3}) {
        CAPTURE(route);
        CAPTURE(components);
        const RunInfo info = example::nodes_info(route, Fields::all, compression, components, 32, 4);
        example::write_nodes(path, info, 3);
        std::vector<std::size_t> wanted{4};
        if (components == 2) wanted.push_back(2);
        wanted.insert(wanted.end(), shape.begin(), shape.end());
        wanted.push_back(info.omega.size());
        CHECK(shape_of(path, "/planes/field") == wanted);
        CHECK(shape_of(path, "/planes/spectrum") == std::vector<std::size_t>{4, info.omega.size()});
        CHECK(shape_of(path, "/planes/power") == std::vector<std::size_t>{4, info.time.size()});
        const ResultFile file(path);
        CHECK(file.info().unread.empty());
        CHECK(file.info().time == info.time);
        CHECK(file.info().omega == info.omega);
        check_same(file.info().nodes, info.nodes);
        REQUIRE(file.info().statistics.size() == info.problem.statistics.size());
        for (std::size_t i = 0; i < 3; ++i) {
          const PlaneRecord plane = example::nodes_plane(info, i);
          CHECK(file.field(plane.index) == plane.field);
          CHECK(file.spectrum(plane.index) == plane.spectrum);
          CHECK(file.power(plane.index) == plane.power);
          if (info.nodes.r.empty() && info.nodes.x.empty()) {
            CHECK(has(failure_of([&] { (void)file.fluence(plane.index); }, Fault::problem), "holds no fluence"));
          } else {
            CHECK(file.fluence(plane.index) == plane.fluence);
          }
          for (const StoredStatistic& statistic : file.info().statistics) {  // sorted by name in the file
            const auto request = std::find_if(info.problem.statistics.begin(), info.problem.statistics.end(),
                                              [&](const auto& one) { return one.name == statistic.name; });
            const auto values = example::statistic_at(request->quantity, plane.z);
            REQUIRE(statistic.values_a_plane == values.size());
            CHECK(std::equal(values.begin(), values.end(),
                             statistic.values.begin() + static_cast<std::ptrdiff_t>(i * values.size())));
          }
        }
        CHECK(has(failure_of([&] { (void)file.spectrum(3); }, Fault::problem), "no spectrum of plane 3"));
        CHECK(has(failure_of([&] { (void)file.power(-1); }, Fault::problem), "no power of plane -1"));
      }
    }
  }
}

TEST_CASE("the last field alone, and none, beside all profiles") {
  const example::Folder folder;
  const RunInfo last = example::nodes_info("cartesian", Fields::last, 0, 2, 16, 3);
  example::write_nodes(folder / "last.h5", last, 3);
  CHECK(shape_of(folder / "last.h5", "/planes/field") == std::vector<std::size_t>{1, 2, 32, 40, 16});
  CHECK(ResultFile(folder / "last.h5").field(2) == example::nodes_plane(last, 2).field);
  const RunInfo none = example::nodes_info("radial", Fields::none, 0, 2, 16, 3);
  example::write_nodes(folder / "none.h5", none, 3);
  const ResultFile file(folder / "none.h5");
  CHECK(file.field_planes().empty());
  CHECK(file.info().field_units.empty());
  check_same(file.info().nodes, none.nodes);
  CHECK(file.fluence(1) == example::nodes_plane(none, 1).fluence);
}

TEST_CASE("units follow the route: a line's are per metre of y") {
  const example::Folder folder;
  const auto units = [&](const std::string& route) {
    example::write_nodes(folder / "out.h5", example::nodes_info(route, Fields::all, 0, 1, 8, 2), 2);
    const ResultInfo info = ResultFile(folder / "out.h5").info();
    return std::vector<std::string>{info.field_units, info.spectrum_units, info.power_units, info.fluence_units};
  };
  CHECK(units("mode-averaged") == std::vector<std::string>{"sqrt(W) s", "J s", "W", ""});
  CHECK(units("modal") == std::vector<std::string>{"sqrt(W) s", "J s", "W", ""});
  CHECK(units("radial") == std::vector<std::string>{"V s m", "J s", "W", "J/m^2"});
  CHECK(units("line") == std::vector<std::string>{"V s", "J s/m", "W/m", "J/m^2"});
  CHECK(units("cartesian") == std::vector<std::string>{"V s m", "J s", "W", "J/m^2"});
}

TEST_CASE("how many numbers a statistic has a plane") {
  RunInfo modal;
  modal.nodes.modes = {"HE11", "HE12", "EH11"};
  modal.nodes.inner = 3;
  modal.omega.resize(5);
  modal.time.resize(8);
  CHECK(values_of({"mode_energy", Quantity::mode_energy}, modal) == 3);
  CHECK(values_of({"energy", Quantity::energy}, modal) == 1);
  CHECK(values_of({"width_20db", Quantity::width_20db}, modal) == 2);
  CHECK(values_of({"on_axis_spectrum", Quantity::on_axis_spectrum}, modal) == 5);
  CHECK(values_of({"on_axis_time", Quantity::on_axis_time}, modal) == 8);
  CHECK(values_of({"beam_radius", Quantity::beam_radius}, example::nodes_info("radial")) == 2);
  CHECK(values_of({"mode_energy", Quantity::mode_energy}, RunInfo{}) == 1);
  for (const Quantity one :
       {Quantity::peak_intensity, Quantity::on_axis_intensity, Quantity::on_axis_fluence, Quantity::fwhm_r,
        Quantity::density, Quantity::pressure, Quantity::core_radius, Quantity::electron_density, Quantity::zdw,
        Quantity::energy_band, Quantity::peak_ionisation_rate}) {
    CHECK(values_of({"", one}, modal) == 1);
  }
}

TEST_CASE("a lone mode keeps its axis, and long names of modes their ends") {
  const example::Folder folder;
  RunInfo info = example::nodes_info("modal", Fields::all, 0, 1, 8, 2);
  info.nodes.modes = {"a mode with a long name µ"};
  info.nodes.inner = 1;
  info.problem.statistics = {{"mode_energy", Quantity::mode_energy, 0, 0}};
  const auto sink = make_file_sink(folder / "out.h5", false);
  sink->begin(info);
  PlaneRecord plane = example::nodes_plane(info, 0);
  plane.statistics = {{3.0}};
  sink->plane(plane);
  sink->end(example::run_end(info));
  CHECK(shape_of(folder / "out.h5", "/planes/field") == std::vector<std::size_t>{2, 1, 8});
  CHECK(shape_of(folder / "out.h5", "/statistics/mode_energy") == std::vector<std::size_t>{2, 1});
  CHECK(ResultFile(folder / "out.h5").info().nodes.modes == info.nodes.modes);
}

TEST_CASE("what does not fit together is a failure that says what") {
  const example::Folder folder;
  const auto begin = [&](const RunInfo& info) { make_file_sink(folder / "out.h5", true)->begin(info); };
  RunInfo info = example::nodes_info("radial", Fields::all, 0, 1, 8, 2);
  info.nodes.inner = 47;
  CHECK(has(failure_of([&] { begin(info); }, Fault::output), "kr of the nodes has 48 values for 47 nodes"));
  info = example::nodes_info("modal", Fields::all, 0, 1, 8, 2);
  info.nodes.modes.clear();
  CHECK(has(failure_of([&] { begin(info); }, Fault::output), "name 1 of 3 nodes"));
  info = example::nodes_info("cartesian", Fields::all, 0, 1, 8, 2);
  info.nodes.y.pop_back();
  CHECK(has(failure_of([&] { begin(info); }, Fault::output), "y of the nodes has 31 values for 32 nodes"));

  info = example::nodes_info("radial", Fields::all, 0, 1, 8, 2);
  const auto spoilt = [&](const std::function<void(PlaneRecord&)>& spoil) {
    const auto sink = make_file_sink(folder / "out.h5", true);
    sink->begin(info);
    PlaneRecord plane = example::nodes_plane(info, 0);
    spoil(plane);
    sink->plane(plane);
    return failure_of([&] { sink->end(example::run_end(info)); }, Fault::output);
  };
  CHECK(
      has(spoilt([](PlaneRecord& plane) { plane.fluence.clear(); }), "planes/fluence got 0 values for a plane of 48"));
  CHECK(has(spoilt([](PlaneRecord& plane) { plane.power.pop_back(); }), "planes/power got 7 values"));
  CHECK(has(spoilt([](PlaneRecord& plane) { plane.spectrum.clear(); }), "planes/spectrum got 0 values"));
  CHECK(has(spoilt([](PlaneRecord& plane) { plane.field.resize(8); }), "another length"));
  CHECK(has(spoilt([](PlaneRecord& plane) { plane.statistics[2].pop_back(); }), "beam_radius got 1 values"));
}

TEST_CASE("the room for nodes and profiles is asked for before the march") {
  const example::Folder folder;
  const auto in_child = [](rlim_t limit, const std::function<void()>& act) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      const rlimit limits{limit, limit};
      setrlimit(RLIMIT_FSIZE, &limits);
      try {
        act();
      } catch (const Error& failure) {
        _exit(has(failure.what(), "there is no room for") ? 6 : 7);
      } catch (...) {
        _exit(99);
      }
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  };
  // 2 MB of field a plane in the one, 10 kB of fluence in the other: the limit is far from both totals.
  for (const Fields fields : {Fields::all, Fields::none}) {
    const RunInfo info = example::nodes_info("cartesian", fields, 0, 1, fields == Fields::all ? 100 : 2,
                                             fields == Fields::all ? 10 : 800);
    CHECK(in_child(4 << 20, [&] { make_file_sink(folder / "out.h5", true)->begin(info); }) == 6);
    CHECK(std::filesystem::is_empty(folder.path()));
    CHECK(in_child(64 << 20, [&] { make_file_sink(folder / "out.h5", true)->begin(info); }) == 0);
    std::filesystem::remove(folder / "out.h5");
  }
}
