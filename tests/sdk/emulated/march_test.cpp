// Whole marches and runs on the emulated device: what crosses, what a device that fails leaves behind, equal fields.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <lumarch/examples.hpp>
#include <lumarch/result_file.hpp>

#include "core/run/counts.hpp"
#include "fibre.hpp"
#include "march/march.hpp"
#include "translate/launch.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

Problem soliton() {
  Problem p = fibre(835 * nm, 5 * ps, 256, 0.02, {-11.83e-27}, 0.11);
  p.launch = {pulse(Shape::sech, 50 * fs, 1000)};
  p.responses = {Kerr{}, Raman{}, SelfSteepening{}};
  p.planes = {0, 0.005, 0.01, 0.015, 0.02};
  p.march.tolerance = 1e-6;
  p.backend.name = "emulated";
  return p;
}

RunOptions here() {
  RunOptions options;
  options.backend_path = {LUMARCH_BACKEND_DIR};
  return options;
}

class Opened {
public:
  Opened() : device(load_backend("emulated", {{LUMARCH_BACKEND_DIR}, {}}), request()) {}
  [[nodiscard]] lumarch_emulated_counts counts() const { return emulated_counts(device); }
  Device device;

private:
  static BackendRequest request() {
    BackendRequest request;
    request.name = "emulated";
    return request;
  }
};

std::uint64_t launches(const lumarch_emulated_counts& counts) {
  return counts.elements + counts.blocks + counts.transforms;
}

std::string temporary(const std::string& name) {
  const auto path = std::filesystem::temp_directory_path() / ("lumarch-emulated-" + std::to_string(::getpid()) + name);
  std::filesystem::remove(path);
  return path.string();
}

struct Caught {
  Fault fault = Fault::problem;
  std::string text;
};
Caught run_into(const Problem& problem, const std::string& path) {
  const auto sink = make_file_sink(path, true);
  try {
    (void)run(problem, *sink, here());
  } catch (const Error& error) {
    return {error.fault(), error.what()};
  }
  return {};
}

double distance(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  double off = 0, all = 0;
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    off += std::norm(a[i] - b[i]);
    all += std::norm(b[i]);
  }
  return std::sqrt(off / all);
}

}  // namespace

TEST_CASE("emulated: an attempt is one upload, one readback and one wait") {
  for (const Integrator integrator :
       {Integrator::erk43, Integrator::dp54, Integrator::low_storage, Integrator::adams}) {
    Opened opened;
    const Problem problem = soliton();
    const FibreTables tables = translate_fibre(problem);
    Stepper stepper(opened.device, {tables, tables, tables}, {integrator, false, true});
    std::vector<std::string> warnings;
    const Launch launch = build_launch(problem, tables.grid, transforms_on(opened.device, tables.grid.n), warnings);
    stepper.load({launch, launch, launch});
    for (std::uint32_t m = 0; m < 3; ++m) stepper.block().h[m] = 1e-5;
    for (int i = 0; i < 3; ++i) {
      const auto before = opened.counts();
      stepper.attempt();
      const auto after = opened.counts();
      CHECK(after.downloads - before.downloads == 1);
      CHECK(after.waits - before.waits == 1);
      CHECK(after.uploads - before.uploads == 1);
      CHECK(after.allocations == before.allocations);
      // status and numbers of three members down, their z, h, active, parity and status up
      CHECK(after.bytes_down - before.bytes_down == 8 + 3 * 2 * 8);
      const std::uint64_t weights = integrator == Integrator::adams ? 3 * 11 * 8 : 0;
      CHECK(after.bytes_up - before.bytes_up == 24 + 24 + weights + 16 + 8 + 8);
      // what is made anew for another h is a list of its own, else all is repeated from the record
      CHECK(after.replays - before.replays == (i == 0 ? 0 : 1));
    }
  }
}

// Lists are told apart by their address alone: one that core makes for a moment would be taken for the one before it.
TEST_CASE("emulated: the transforms of a launch stay themselves when lists are repeated") {
  Opened opened;
  const Problem problem = soliton();
  Stepper stepper(opened.device, {translate_fibre(problem)}, {Integrator::erk43, false, true});
  const Transforms transforms = transforms_on(opened.device, translate_fibre(problem).grid.n);
  std::vector<Complex> row(256, 0);
  row[1] = {1, 2};
  for (int i = 0; i < 3; ++i) {
    std::vector<Complex> there = row;
    transforms.to_time(there);
    for (const Complex& a : there) CHECK(std::norm(a) == doctest::Approx(5));
    transforms.to_frequency(there);
    CHECK(there[1].real() == doctest::Approx(256));
    CHECK(there[1].imag() == doctest::Approx(512));
  }
  CHECK(opened.counts().replays == 4);
}

TEST_CASE("emulated: a run without fields and statistics moves no state between launch and end") {
  Problem problem = soliton();
  problem.output.fields = Fields::none;
  problem.edge.on = false;
  Opened opened;
  MemorySink sink;
  const RunSummary summary = run_on(opened.device, problem, sink, {});
  CHECK(summary.end.ended == Ended::done);
  const auto attempts = static_cast<std::uint64_t>(summary.end.accepted + summary.end.rejected);
  const std::uint64_t row = 16 * 256;
  const auto crossed = opened.device.crossed();
  CHECK(crossed.count("download plane") == 0);
  const auto counts = opened.counts();
  // first test, launch's transforms, its norms, attempts
  const std::uint64_t launch = crossed.at("download launch") / row;
  CHECK(counts.downloads == 1 + launch + 1 + attempts);
  CHECK(counts.waits == counts.downloads + 1);
  CHECK(crossed.at("download member block") == (attempts + 1) * (8 + 16));
  CHECK(std::isnan(summary.photons_out));

  problem.statistics = {ask(Quantity::energy)};
  Opened again;
  MemorySink other;
  (void)run_on(again.device, problem, other, {});
  const double energy = other.planes.back().statistics[0][0];
  CHECK(summary.energy_out == doctest::Approx(energy).epsilon(1e-12));  // by the attempt's numbers alone
  CHECK(energy < 0.99999 * summary.energy_in);
  // with statistics and the edge check too: numbers, and no field
  CHECK(again.device.crossed().count("download plane") == 0);
  problem.edge.on = true;
  problem.statistics = {ask(Quantity::energy), ask(Quantity::peak_power), ask(Quantity::width_20db)};
  Opened checked;
  MemorySink third;
  const RunSummary watched = run_on(checked.device, problem, third, {});
  CHECK(checked.device.crossed().count("download plane") == 0);
  CHECK(third.edges.size() >= 20);
  CHECK(checked.device.crossed().at("read plane") % (2 * 8 * 256) == 0);  // spectrum and power, of each reading
  CHECK(watched.photons_out == doctest::Approx(watched.photons_in).epsilon(1e-3));
}

TEST_CASE("emulated: a device that is lost ends the run, and what was saved before is there") {
  const Problem problem = soliton();
  std::uint64_t all = 0;
  std::vector<std::vector<Complex>> fields;
  std::vector<double> z;
  {
    Opened opened;
    MemorySink sink;
    (void)run_on(opened.device, problem, sink, {});
    all = launches(opened.counts());
    for (const PlaneRecord& plane : sink.planes) fields.push_back(plane.field);
  }
  const std::string path = temporary("lost.h5");
  {
    const Emulated lost("lose_launch=" + std::to_string(all * 2 / 3));
    const Caught caught = run_into(problem, path);
    CHECK(caught.fault == Fault::backend);
    CHECK_MESSAGE(caught.text.find("device lost") != std::string::npos, caught.text);
    CHECK_MESSAGE(caught.text.find("launch " + std::to_string(all * 2 / 3)) != std::string::npos, caught.text);
  }
  {
    const ResultFile file(path);
    CHECK(file.info().status == "failed");
    CHECK(file.info().provenance.at("reason").find("device lost") != std::string::npos);
    const auto planes = file.field_planes();
    CHECK(planes.size() >= 2);
    CHECK(planes.size() < problem.planes.size());
    for (const std::int64_t plane : planes) CHECK(file.field(plane) == fields[static_cast<std::size_t>(plane)]);
  }
  CHECK(run_into(problem, path).text.empty());  // this process can run again
  CHECK(ResultFile(path).info().status == "done");
  std::filesystem::remove(path);
}

TEST_CASE("emulated: memory that runs out ends the run with its reason, wherever it does") {
  const Problem problem = soliton();
  std::uint64_t all = 0;
  {
    Opened opened;
    MemorySink sink;
    (void)run_on(opened.device, problem, sink, {});
    all = opened.counts().allocations;
  }
  const std::string path = temporary("memory.h5");
  for (const std::uint64_t n : {std::uint64_t{2}, std::uint64_t{6}, all}) {
    const Emulated fails("fail_alloc=" + std::to_string(n));
    const Caught caught = run_into(problem, path);
    CHECK(caught.fault == Fault::refused);
    CHECK_MESSAGE(caught.text.find("allocation " + std::to_string(n)) != std::string::npos, caught.text);
  }
  CHECK(run_into(problem, path).text.empty());
  std::filesystem::remove(path);
}

TEST_CASE("emulated: no device is a refusal with its reason") {
  const Emulated none("devices=0");
  const Caught caught = run_into(soliton(), temporary("none.h5"));
  CHECK(caught.fault == Fault::refused);
  CHECK_MESSAGE(caught.text.find("devices=0") != std::string::npos, caught.text);
}

TEST_CASE("emulated: the order of rows, samples, blocks and threads changes no bit of a march") {
  std::vector<std::vector<Complex>> ends;
  for (const char* how : {"", "order=reversed", "order=shuffled,seed=5", "late=off", "replay=off,guard=begin"}) {
    const Emulated given(how);
    Opened opened;
    MemorySink sink;
    (void)run_on(opened.device, soliton(), sink, {});
    ends.push_back(sink.planes.back().field);
    CHECK(ends.back() == ends.front());
  }
}

// The supercontinuum of Dudley, Genty and Coen, its first 12 mm: compression and the beginning of its break-up.
TEST_CASE("emulated: the supercontinuum's break-up is the CPU's, on its schedule and on steps of its own") {
  if (!std::filesystem::exists(LUMARCH_BACKEND_DIR "/liblumarch_backend_cpu.so")) {
    MESSAGE("skipped: there is no CPU backend in this build");
    return;
  }
  Problem problem = parse_problem(example_text("supercontinuum"));
  problem.time.points = 8192;
  problem.medium.length = 0.012;
  problem.planes = {0, 0.008, 0.012};
  problem.statistics = {};
  const std::string path = temporary("cpu.h5");
  problem.backend.name = "cpu";
  problem.backend.plan = "estimate";
  CHECK(run_into(problem, path).text.empty());
  const ResultFile cpu(path);
  problem.backend = {};
  problem.backend.name = "emulated";
  const Emulated given("order=shuffled");
  MemorySink adaptive;
  (void)run(problem, adaptive, here());
  problem.march.schedule_run = path;
  MemorySink replayed;
  (void)run(problem, replayed, here());
  for (const std::int64_t plane : {1, 2}) {
    const std::vector<Complex> field = cpu.field(plane);
    const double off = distance(replayed.planes[static_cast<std::size_t>(plane)].field, field);
    MESSAGE("plane " << plane << ", on the CPU's steps: " << off);
    CHECK(off < 1e-10);
    const auto spectrum = [](const std::vector<Complex>& a) {
      std::vector<Complex> out;
      for (const Complex& x : a) out.emplace_back(std::norm(x));
      return out;
    };
    CHECK(distance(spectrum(adaptive.planes[static_cast<std::size_t>(plane)].field), spectrum(field)) < 1e-3);
  }
  std::filesystem::remove(path);
}
