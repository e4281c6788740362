// SPDX-License-Identifier: Apache-2.0
// What goes into a file comes out of it.
#include <doctest/doctest.h>
#include <hdf5.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>

#include <lumarch/result_file.hpp>
#include <lumarch/version.hpp>

#include "core/output/example_run.hpp"

using namespace lumarch;

namespace {

void check_contents(const RunInfo& info, const std::string& path, std::size_t planes) {
  const ResultFile file(path);
  const ResultInfo& read = file.info();
  CHECK(read.unread.empty());
  CHECK(read.lumarch == LUMARCH_VERSION);
  CHECK(read.schema == 1);
  CHECK(read.title == info.problem.title);
  CHECK(read.problem == info.problem.text);
  CHECK(read.digest == info.problem.digest);
  CHECK(read.convention == "exp(-i omega t)");
  CHECK(read.created.size() == 20);
  CHECK(read.omega0 == info.omega0);
  CHECK(read.omega == info.omega);
  CHECK(read.time == info.time);
  CHECK(read.z == info.planes);
  CHECK(read.planes_written == static_cast<std::int64_t>(planes));
  REQUIRE(read.statistics.size() == 3);
  CHECK(read.statistics[0].name == "energy");
  CHECK(read.statistics[0].units == "J");
  CHECK(read.statistics[0].axis.empty());
  CHECK(read.statistics[2].values_a_plane == 2);
  CHECK(read.statistics[2].axis == "pair");
  for (std::size_t i = 0; i < info.planes.size(); ++i) {
    const PlaneRecord plane = example::plane(info, i);
    if (i < planes) {
      CHECK(read.statistics[0].values[i] == plane.statistics[0][0]);
      CHECK(read.statistics[2].values[2 * i + 1] == plane.statistics[2][1]);
      if (read.fields == Fields::all) CHECK(file.field(plane.index) == plane.field);
    } else {
      CHECK(std::isnan(read.statistics[0].values[i]));
      CHECK_THROWS_AS((void)file.field(plane.index), Error);
    }
  }
  CHECK(read.rims == info.rims);
  CHECK(read.strips == info.strips);
  REQUIRE(read.edges.size() == planes);
  for (std::size_t i = 0; i < planes; ++i) {
    const EdgeRecord wanted = example::edge(info, i);
    CHECK(read.edges[i].z == wanted.z);
    CHECK(read.edges[i].absorbed_time == wanted.absorbed_time);
    CHECK(read.edges[i].absorbed_space == 0);
    REQUIRE(read.edges[i].rims.size() == 2);
    for (std::size_t rim = 0; rim < 2; ++rim) {
      CHECK(read.edges[i].rims[rim].share == wanted.rims[rim].share);
      CHECK(read.edges[i].rims[rim].energy == wanted.rims[rim].energy);
      CHECK(read.edges[i].rims[rim].peak == wanted.rims[rim].peak);
      CHECK(read.edges[i].rims[rim].strip == wanted.rims[rim].strip);
    }
  }
  REQUIRE(read.march.size() == 7 * planes);
  for (std::size_t i = 0; i < read.march.size(); ++i) {
    const AttemptRecord wanted = example::attempts(i / 7)[i % 7];
    CHECK(read.march[i].z == wanted.z);
    CHECK(read.march[i].h == wanted.h);
    CHECK(read.march[i].error == wanted.error);
    CHECK(read.march[i].accepted == wanted.accepted);
  }
}

std::string fault_of(const std::function<void()>& act, Fault wanted) {
  try {
    act();
  } catch (const Error& failure) {
    CHECK(failure.fault() == wanted);
    return failure.what();
  }
  FAIL("nothing was thrown");
  return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("strips of rims come back, with the places of their nodes") {
  const example::Folder folder;
  RunInfo info = example::run_info(32, 4);
  info.strips = {{0, 1, 31}, {0, 30, 31}};
  for (const std::size_t planes : {std::size_t{4}, std::size_t{2}}) {
    example::write(folder / "out.h5", info, planes);
    check_contents(info, folder / "out.h5", planes);
  }
}

TEST_CASE("a finished run comes back bit for bit") {
  const example::Folder folder;
  for (const int compression : {0, 6}) {
    for (const std::size_t points : {256UL, 255UL, 2UL}) {
      const RunInfo info = example::run_info(points, 11, Fields::all, compression);
      example::write(folder / "out.h5", info, 11);
      check_contents(info, folder / "out.h5", 11);
      const ResultFile file(folder / "out.h5");
      CHECK(file.info().status == "done");
      CHECK(file.info().finished.size() == 20);
      CHECK(file.info().accepted == 55);
      CHECK(file.info().rejected == 22);
      CHECK(file.info().evaluations == 330);
      CHECK(file.info().z_reached == info.planes.back());
      CHECK(file.info().provenance.at("timings") == R"({"march":1.5,"set-up":0.25})");
      CHECK(file.info().provenance.at("backend") == info.backend_json);
      CHECK(has(file.info().provenance.at("kernels"), "rhs.fibre"));
      CHECK(file.info().provenance.at("reason").empty());
    }
  }
}

TEST_CASE("compression makes a file smaller") {
  const example::Folder folder;
  example::write(folder / "plain.h5", example::run_info(4096, 11), 11);
  example::write(folder / "small.h5", example::run_info(4096, 11, Fields::all, 6), 11);
  CHECK(std::filesystem::file_size(folder / "small.h5") < std::filesystem::file_size(folder / "plain.h5"));
}

TEST_CASE("a run that stops leaves NaN where it did not get") {
  const example::Folder folder;
  const RunInfo info = example::run_info();
  example::write(folder / "out.h5", info, 4);
  check_contents(info, folder / "out.h5", 4);
  const ResultFile file(folder / "out.h5");
  CHECK(file.info().status == "stopped");
  CHECK(file.info().provenance.at("reason") == "the time limit was reached");
  CHECK(file.field_planes() == std::vector<std::int64_t>{0, 1, 2, 3});
  CHECK(has(fault_of([&] { (void)read_schedule(folder / "out.h5"); }, Fault::problem), "did not finish"));
}

TEST_CASE("the last field alone, and none") {
  const example::Folder folder;
  const RunInfo last = example::run_info(64, 5, Fields::last);
  example::write(folder / "last.h5", last, 5);
  const ResultFile file(folder / "last.h5");
  CHECK(file.field_planes() == std::vector<std::int64_t>{4});
  CHECK(file.field(4) == example::plane(last, 4).field);
  CHECK_THROWS_AS((void)file.field(3), Error);

  example::write(folder / "none.h5", example::run_info(64, 5, Fields::none), 5);
  CHECK(ResultFile(folder / "none.h5").field_planes().empty());
  CHECK(ResultFile(folder / "none.h5").info().planes_written == 5);
}

TEST_CASE("one plane, one attempt after another in thousands, a long problem text") {
  const example::Folder folder;
  RunInfo info = example::run_info(16, 1);
  info.problem.text = std::string(300000, ' ') + "{}";
  const auto sink = make_file_sink(folder / "out.h5", false);
  sink->begin(info);
  for (std::size_t i = 0; i < 20000; ++i) sink->attempts(example::attempts(i, 1));
  sink->plane(example::plane(info, 0));
  sink->end(example::run_end(info));
  const ResultFile file(folder / "out.h5");
  CHECK(file.info().problem == info.problem.text);
  REQUIRE(file.info().march.size() == 20000);
  CHECK(file.info().march[19999].h == example::attempts(19999, 1)[0].h);
}

TEST_CASE("numbers that are not finite are stored as they are") {
  const example::Folder folder;
  const RunInfo info = example::run_info(16, 2);
  PlaneRecord plane = example::plane(info, 0);
  const double inf = std::numeric_limits<double>::infinity();
  plane.field[3] = {inf, -inf};
  plane.field[4] = {std::nan(""), 1};
  plane.statistics[0][0] = inf;
  const auto sink = make_file_sink(folder / "out.h5", false);
  sink->begin(info);
  sink->plane(plane);
  sink->end(example::run_end(info));
  const auto field = ResultFile(folder / "out.h5").field(0);
  CHECK(field[3] == plane.field[3]);
  CHECK(std::isnan(field[4].real()));
  CHECK(field[4].imag() == 1);
  CHECK(ResultFile(folder / "out.h5").info().statistics[0].values[0] == inf);
}

TEST_CASE("the schedule of a finished run is its accepted steps") {
  const example::Folder folder;
  example::write(folder / "out.h5", example::run_info(16, 2), 2);
  std::vector<double> wanted;
  for (std::size_t plane = 0; plane < 2; ++plane) {
    for (const AttemptRecord& attempt : example::attempts(plane)) {
      if (attempt.accepted) wanted.push_back(attempt.h);
    }
  }
  CHECK(read_schedule(folder / "out.h5") == wanted);
}

TEST_CASE("what is not a result is refused in words") {
  const example::Folder folder;
  CHECK(has(fault_of([&] { ResultFile file(folder / "none.h5"); }, Fault::problem), "No such file"));
  std::ofstream(folder / "text.h5") << "no numbers here, only words, and quite a lot of them";
  CHECK(has(fault_of([&] { ResultFile file(folder / "text.h5"); }, Fault::problem), "not an HDF5 file"));
  CHECK(has(fault_of([&] { ResultFile file(folder.path().string()); }, Fault::problem), "folder"));
  std::ofstream(folder / "empty.h5").close();
  CHECK_THROWS_AS(ResultFile(folder / "empty.h5"), Error);
  example::write(folder / "cut.h5", example::run_info(), 3);
  std::filesystem::resize_file(folder / "cut.h5", 3000);
  CHECK(has(fault_of([&] { ResultFile file(folder / "cut.h5"); }, Fault::problem), "truncated"));
}

TEST_CASE("files of other programs and of later versions are told apart") {
  const example::Folder folder;
  H5Fclose(H5Fcreate((folder / "other.h5").c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(has(fault_of([&] { ResultFile file(folder / "other.h5"); }, Fault::problem), "not one that lumarch wrote"));
  example::write(folder / "later.h5", example::run_info(16, 1), 1);
  const hid_t file = H5Fopen((folder / "later.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t schema = H5Aopen(file, "schema", H5P_DEFAULT);
  const std::int64_t later = 2;
  H5Awrite(schema, H5T_NATIVE_INT64, &later);
  H5Aclose(schema);
  H5Fclose(file);
  CHECK(has(fault_of([&] { ResultFile result(folder / "later.h5"); }, Fault::problem), "schema 2"));
}

TEST_CASE("no text of a file is of variable length, and such text is refused") {
  const example::Folder folder;
  const std::string path = folder / "out.h5";
  example::write(path, example::run_info(16, 2), 2);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const auto look = [](hid_t object, const char* name, const H5O_info_t*, void* found) -> herr_t {
    const auto count = [](hid_t owner, const char* attribute, const H5A_info_t*, void* sum) -> herr_t {
      const hid_t opened = H5Aopen(owner, attribute, H5P_DEFAULT), type = H5Aget_type(opened);
      *static_cast<int*>(sum) += H5Tis_variable_str(type) > 0;
      H5Tclose(type);
      H5Aclose(opened);
      return 0;
    };
    const hid_t owner = H5Oopen(object, name, H5P_DEFAULT);
    H5Aiterate2(owner, H5_INDEX_NAME, H5_ITER_INC, nullptr, count, found);
    if (H5Iget_type(owner) == H5I_DATASET) {
      const hid_t type = H5Dget_type(owner);
      *static_cast<int*>(found) += H5Tis_variable_str(type) > 0;
      H5Tclose(type);
    }
    H5Oclose(owner);
    return 0;
  };
  int found = 0;
  CHECK(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, look, &found) >= 0);
  CHECK(found == 0);

  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, H5T_VARIABLE);
  H5Adelete(file, "title");
  const hid_t title = H5Acreate2(file, "title", type, space, H5P_DEFAULT, H5P_DEFAULT);
  const char* words = "a title";
  H5Awrite(title, type, static_cast<const void*>(&words));
  H5Aclose(title);
  H5Sclose(space);
  H5Tclose(type);
  H5Fclose(file);
  CHECK(has(fault_of([&] { ResultFile result(path); }, Fault::problem), "variable length"));
}

TEST_CASE("texts of any size come back") {
  const example::Folder folder;
  const std::string path = folder / "out.h5";
  RunInfo info = example::run_info(16, 1);
  info.problem.text = "{\"title\":\"" + std::string(300000, 'x') + "\"}";
  info.problem.title = std::string(100000, 't');
  RunEnd end = example::run_end(info);
  end.kernels_json = "[\"" + std::string(100000, 'k') + "\"]";
  end.reason = std::string(100000, 'r');
  const auto sink = make_file_sink(path, false);
  sink->begin(info);
  sink->plane(example::plane(info, 0));
  sink->end(end);
  const ResultFile file(path);
  CHECK(file.info().problem == info.problem.text);
  CHECK(file.info().provenance.at("kernels") == end.kernels_json);
  CHECK(file.info().title == std::string(4096, 't'));  // the whole one is in the problem
  CHECK(file.info().provenance.at("reason") == std::string(2048, 'r'));
}

TEST_CASE("a plane that does not fit is a failure, and what was written stays") {
  const example::Folder folder;
  const RunInfo info = example::run_info();
  const auto sink = make_file_sink(folder / "out.h5", false);
  sink->begin(info);
  sink->plane(example::plane(info, 0));
  PlaneRecord wrong = example::plane(info, 1);
  wrong.field.resize(3);
  sink->plane(wrong);
  const std::string text = fault_of([&] { sink->end(example::run_end(info)); }, Fault::output);
  CHECK(has(text, "out.h5"));
  const ResultFile file(folder / "out.h5");
  CHECK(file.info().status == "failed");
  CHECK(file.field(0) == example::plane(info, 0).field);
  CHECK(file.info().planes_written == 1);
}
