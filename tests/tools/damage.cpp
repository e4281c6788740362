// SPDX-License-Identifier: Apache-2.0
// Files that a disk or a transfer damaged: they may be refused, but nothing crashes or hangs.
#include <doctest/doctest.h>
#include <hdf5.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include <lumarch/error.hpp>
#include <lumarch/result_file.hpp>

#include "core/output/example_nodes.hpp"
#include "lumarch/info.hpp"

using namespace lumarch;

namespace {

// In a child with an alarm; returns its exit status, or -signal.
int look(const std::string& path) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(20);
    try {
      std::ostringstream out;
      tools::info_command(path, out);
      const ResultFile file(path);
      for (const std::int64_t plane : file.field_planes()) (void)file.field(plane);
      const auto& read = file.info();
      for (std::int64_t plane = 0; plane < read.planes_written; ++plane) {
        if (!read.spectrum_units.empty()) (void)file.spectrum(plane);
        if (!read.power_units.empty()) (void)file.power(plane);
        if (!read.fluence_units.empty()) (void)file.fluence(plane);
      }
    } catch (const Error& failure) {
      _exit(static_cast<int>(failure.fault()));
    } catch (...) {
      _exit(99);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace

TEST_CASE("a damaged file is read or refused, and never crashes or hangs") {
  const example::Folder folder;
  example::write(folder / "out.h5", example::run_info(256, 11), 11);
  std::ostringstream read;
  read << std::ifstream(folder / "out.h5", std::ios::binary).rdbuf();
  const char* more = std::getenv("LUMARCH_TEST_SEEDS");
  const unsigned seeds = more == nullptr ? 300 : static_cast<unsigned>(std::atoi(more));
  int refused = 0;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    std::string bytes = read.str();
    for (int change = 0; change < 60; ++change) bytes[random() % 30000] = static_cast<char>(random() & 0xff);
    std::ofstream(folder / "damaged.h5", std::ios::binary) << bytes;
    const int status = look(folder / "damaged.h5");
    CAPTURE(status);
    CHECK((status == 0 || status == 2));
    refused += status == 2;
  }
  MESSAGE(refused, " of ", seeds, " were refused");
}

// Whole files, whose parts do not fit together: what a reader must not index by.
TEST_CASE("a file whose nodes do not fit its arrays is read without them, or refused") {
  const example::Folder folder;
  const std::string path = folder / "out.h5";
  const std::vector<std::pair<const char*, const char*>> shorter{
      {"modal", "/grid/modes"},   {"radial", "/grid/r"},
      {"radial", "/grid/kr"},     {"line", "/grid/x"},
      {"line", "/grid/kx"},       {"cartesian", "/grid/y"},
      {"cartesian", "/grid/ky"},  {"cartesian", "/grid/x"},
      {"line", "/grid/time"},     {"cartesian", "/grid/omega"},
      {"modal", "/planes/z"},     {"radial", "/planes/fluence"},
      {"line", "/planes/power"},  {"modal", "/planes/spectrum"},
      {"modal", "/planes/field"}, {"modal", "/statistics/mode_energy"}};
  for (const auto& [route, name] : shorter) {
    for (const hsize_t size : {hsize_t{0}, hsize_t{1}, hsize_t{1} << 40}) {
      CAPTURE(route);
      CAPTURE(name);
      CAPTURE(size);
      example::write_nodes(path, example::nodes_info(route, Fields::all, 0, 2, 4, 3), 3);
      const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
      const hid_t old = H5Dopen2(file, name, H5P_DEFAULT), type = H5Dget_type(old);
      const hid_t units = H5Aopen(old, "units", H5P_DEFAULT), text = H5Aget_type(units), one = H5Screate(H5S_SCALAR);
      H5Ldelete(file, name, H5P_DEFAULT);
      const hid_t space = H5Screate_simple(1, &size, nullptr);
      const hid_t put = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      REQUIRE(put >= 0);
      H5Aclose(H5Acreate2(put, "units", text, one, H5P_DEFAULT, H5P_DEFAULT));
      for (const hid_t space_of : {space, one}) H5Sclose(space_of);
      for (const hid_t type_of : {type, text}) H5Tclose(type_of);
      for (const hid_t dataset : {old, put}) H5Dclose(dataset);
      H5Aclose(units);
      H5Fclose(file);
      CHECK((look(path) == 0 || look(path) == 2));
      std::ostringstream out;
      tools::info_command(path, out);
      INFO(out.str());
      CHECK(out.str().find("unreadable") != std::string::npos);
    }
  }
}
