// SPDX-License-Identifier: Apache-2.0
// A run that is asked to stop ends at the next attempt's boundary, wherever it is, and says who asked.
#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "routes.hpp"
#include "run/run_on.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

const Integrator integrators[] = {Integrator::erk43, Integrator::dp54, Integrator::low_storage, Integrator::adams};

Problem fibre_problem() {
  Problem p = fibre(835 * nm, 5 * ps, 256, 0.02, {-11.83e-27}, 0.11);
  p.launch = {pulse(Shape::sech, 28.4 * fs, 3000)};
  p.responses = {Kerr{}};
  p.march.tolerance = 1e-6;
  p.planes = {0, 0.005, 0.02};
  return p;
}

// A continuous beam in glass, far below its critical power.
Problem beam_problem(Route route) {
  Problem p = uppe(route, solid(1.45, 2.7e-20), 800 * nm, 1 * ps, 4e-3);
  p.time.points = 2;
  p.uppe->geometry.radius = p.uppe->geometry.half_width = p.uppe->geometry.half_height = 0.25 * mm;
  p.uppe->geometry.points = p.uppe->geometry.points_y = 24;
  Pulse pulse;
  pulse.shape = Shape::cw;
  pulse.peak_power = 1e5;
  pulse.beam = Beam{};
  pulse.beam->waist = 50 * um;
  p.launch = {pulse};
  p.responses = {Kerr{}};
  p.planes = {0, 1e-3, 4e-3};
  return p;
}

Device open_device() {
  BackendRequest request;
  request.name = backend_name();
  if (request.name == "cpu") request.threads = 1;
  return Device(load_backend(request.name, {{LUMARCH_BACKEND_DIR}, {}}), request);
}

struct Stopped {
  MemorySink sink;
  RunSummary summary;
};

void run_into(Stopped& to, const Problem& problem, const RunOptions& options) {
  Device device = open_device();
  to.summary = run_on(device, problem, to.sink, options);
}

// What each sink saw of a run that went on is the beginning of what it saw of one that did not.
void check_beginning(const MemorySink& part, const MemorySink& whole) {
  REQUIRE(part.march.size() <= whole.march.size());
  for (std::size_t i = 0; i < part.march.size(); ++i) {
    CHECK(part.march[i].z == whole.march[i].z);
    CHECK(part.march[i].h == whole.march[i].h);
    CHECK(part.march[i].error == whole.march[i].error);
  }
  REQUIRE(part.planes.size() <= whole.planes.size());
  for (std::size_t i = 0; i < part.planes.size(); ++i) CHECK(part.planes[i].field == whole.planes[i].field);
}

}  // namespace

TEST_CASE("a stop ends the march before the next attempt, with every integrator and route") {
  std::vector<Problem> problems{fibre_problem()};
  for (const Route route : {Route::radial, Route::line, Route::cartesian}) problems.push_back(beam_problem(route));
  for (Problem& p : problems)
    for (const Integrator integrator : integrators) {
      p.march.integrator = integrator;
      p.output.fields = Fields::all;
      CAPTURE(static_cast<int>(integrator));
      Stopped whole;
      run_into(whole, p, {});
      REQUIRE(whole.summary.end.ended == Ended::done);
      const auto attempts = whole.sink.march.size();
      REQUIRE(attempts > 4);
      for (const std::size_t after : {std::size_t{0}, std::size_t{1}, attempts / 2, attempts - 1}) {
        // asked before every attempt, and 3 times while the run is set up
        std::size_t asked = 0;
        RunOptions options;
        options.ask_stop = [&] { return ++asked > after + 3; };
        Stopped part;
        run_into(part, p, options);
        CAPTURE(after);
        CHECK(part.summary.end.ended == Ended::stopped);
        CHECK(part.summary.end.reason.find("the application asked for it") != std::string::npos);
        CHECK(part.sink.march.size() == after);
        CHECK(part.sink.ended.ended == Ended::stopped);
        check_beginning(part.sink, whole.sink);
      }
    }
}

TEST_CASE("a stop that comes in the last attempt, or in the last plane, stops nothing") {
  Problem p = fibre_problem();
  for (const Integrator integrator : integrators) {
    p.march.integrator = integrator;
    Stopped whole;
    run_into(whole, p, {});
    const auto attempts = whole.sink.march.size();
    std::size_t asked = 0;
    RunOptions options;
    options.ask_stop = [&] { return ++asked > attempts + 3; };  // never asked again after the last attempt
    Stopped late;
    run_into(late, p, options);
    CHECK(late.summary.end.ended == Ended::done);
    CHECK(late.sink.planes.size() == p.planes.size());
    std::atomic<bool> stop{false};
    struct StopsAtTheLastPlane final : public Sink {
      explicit StopsAtTheLastPlane(std::atomic<bool>& at) : stop(at) {}
      void begin(const RunInfo&) override {}
      void attempts(std::vector<AttemptRecord>) override {}
      void plane(PlaneRecord record) override { stop = record.index == 2; }
      void end(const RunEnd& end) override { ended = end.ended; }
      std::atomic<bool>& stop;
      Ended ended = Ended::running;
    } sink(stop);
    Device device = open_device();
    RunOptions by_signal;
    by_signal.stop = &stop;
    CHECK(run_on(device, p, sink, by_signal).end.ended == Ended::done);
    CHECK(stop);
    CHECK(sink.ended == Ended::done);
  }
}

TEST_CASE("a stop between the parts of the set-up leaves a sink that knows of it") {
  for (const Problem& p : {fibre_problem(), beam_problem(Route::radial)})
    for (int after = 0; after < 3; ++after) {
      int asked = 0;
      RunOptions options;
      options.ask_stop = [&] { return ++asked > after; };
      Stopped part;
      run_into(part, p, options);
      CHECK(part.summary.end.ended == Ended::stopped);
      CHECK(part.summary.end.reason == "stopped before the first step: the application asked for it");
      CHECK(part.sink.planes.empty());
      CHECK(part.sink.run.omega.size() > 0);
      CHECK(part.sink.ended.ended == Ended::stopped);
    }
}

TEST_CASE("a stop while a slow sink has a plane is heard when it gives it back") {
  Problem p = fibre_problem();
  std::atomic<bool> stop{false};
  struct Slow final : public Sink {
    explicit Slow(std::atomic<bool>& at) : stop(at) {}
    void begin(const RunInfo&) override {}
    void attempts(std::vector<AttemptRecord> records) override { tried += records.size(); }
    void plane(PlaneRecord record) override {
      if (record.index != 1) return;
      std::thread([this] { stop = true; }).join();  // as a signal would come, from elsewhere
      before = tried;
    }
    void end(const RunEnd& end) override { ended = end; }
    std::atomic<bool>& stop;
    std::size_t tried = 0, before = 0;
    RunEnd ended;
  } sink(stop);
  Device device = open_device();
  RunOptions options;
  options.stop = &stop;
  const RunSummary summary = run_on(device, p, sink, options);
  CHECK(summary.end.ended == Ended::stopped);
  CHECK(summary.end.z == 0.005);
  CHECK(sink.tried == sink.before);
}

TEST_CASE("a time limit is looked at before every attempt, whatever else asks") {
  Problem p = fibre_problem();
  RunOptions options;
  options.time_limit = 1e-9;
  options.ask_stop = [] { return false; };
  Stopped part;
  run_into(part, p, options);
  CHECK(part.summary.end.ended == Ended::stopped);
  CHECK(part.summary.end.reason.find("the time limit of 1e-09 s was reached") != std::string::npos);
}
