// What a run will hold: the estimate, the ledger and what the plugin counts are one number. And what does not fit.
#include <doctest/doctest.h>

#include <numeric>

#include "counts.hpp"
#include "route_cases.hpp"
#include "run/memory.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

std::uint64_t sum(const Bytes& entries) {
  return std::accumulate(entries.begin(), entries.end(), std::uint64_t{0},
                         [](std::uint64_t all, const auto& entry) { return all + entry.second; });
}

Problem soliton() {
  Problem p = fibre(835 * nm, 5 * ps, 256, 0.02, {-11.83e-27}, 0.11);
  p.launch = {pulse(Shape::sech, 50 * fs, 1000)};
  p.responses = {Kerr{}, Raman{}, SelfSteepening{}};
  p.march.tolerance = 1e-6;
  return p;
}

std::vector<RouteCase> all_cases() {
  std::vector<RouteCase> all = route_cases();
  all.push_back({"fibre", soliton()});
  Problem noisy = soliton();
  noisy.medium.loss = 1e-2;
  noisy.noise = Noise{3, Noise::Enters::nonlinear};
  all.push_back({"fibre with loss and noise in the operator", noisy});
  noisy = all.front().problem;
  noisy.noise = Noise{7, Noise::Enters::nonlinear};
  all.push_back({"lossy route with noise in the operator", noisy});
  return all;
}

constexpr Integrator integrators[] = {Integrator::erk43, Integrator::dp54, Integrator::low_storage, Integrator::adams};

// Counts what is begun.
class Witness : public Sink {
public:
  int begun = 0;
  void begin(const RunInfo&) override { ++begun; }
  void plane(PlaneRecord) override {}
  void attempts(std::vector<AttemptRecord>) override {}
  void end(const RunEnd&) override {}
};

Error refusal(const std::function<void()>& what) {
  try {
    what();
  } catch (const Error& error) {
    return error;
  }
  FAIL("it was not refused");
  return {Fault::problem, ""};
}

}  // namespace

TEST_CASE("memory: the estimate, the ledger and the plugin's own count are the same bytes") {
  for (RouteCase& one : all_cases()) {
    Problem& problem = one.problem;
    problem.statistics = {ask(Quantity::energy)};
    const std::unique_ptr<Scene> scene = translate(problem);
    for (const std::string& backend : counting_backends())
      for (const Integrator integrator : integrators)
        for (const RunWays ways : {RunWays{true, true}, RunWays{false, true}, RunWays{true, false}}) {
          CAPTURE(backend);
          CAPTURE(one.name);
          CAPTURE(static_cast<int>(integrator));
          CAPTURE(ways.fused);
          CAPTURE(ways.reads_here);
          problem.march.integrator = integrator;
          Device device(load_backend(backend, {{LUMARCH_BACKEND_DIR}, {}}), request_of(backend));
          const Held before = held(device);
          const MemoryEstimate estimate = estimate_memory(*scene, device, problem, ways);
          CHECK(held(device).buffers == before.buffers);  // it took nothing
          CHECK(held(device).bytes == before.bytes);
          CHECK(device.ledger().bytes() == 0);
          CHECK(sum(estimate.march) == estimate.march_bytes);
          CHECK(sum(estimate.most) == estimate.most_bytes);

          const std::unique_ptr<Stepper> stepper = scene->make_stepper(device, ways);
          CHECK(device.ledger().entries() == estimate.march);
          CHECK(device.ledger().bytes() == estimate.march_bytes);
          CHECK(held(device).bytes - before.bytes == estimate.march_bytes);
          if (!ways.reads_here) continue;
          stepper->load({scene->launch(device)});
          CHECK(device.ledger().most() == estimate.most);
          CHECK(device.ledger().entries() == estimate.march);
          CHECK(held(device).bytes - before.bytes == estimate.march_bytes);
          CHECK(held(device).most_bytes == std::max(estimate.most_bytes, before.most_bytes));
        }
  }
}

TEST_CASE("memory: one work area serves all plans and calls, and a row of it each worker") {
  const FibreTables tables = translate_fibre(soliton());
  for (const std::string& backend : counting_backends()) {
    const auto area = [&](Integrator integrator, std::size_t reads, int threads) {
      Device device(load_backend(backend, {{LUMARCH_BACKEND_DIR}, {}}), request_of(backend, threads));
      StepperOptions options{integrator, false, true};
      options.reads.resize(reads);
      const Device::Counting counting(device);
      const Stepper stepper(device, {tables}, options);
      return counting.ledger().entries().at("work area");
    };
    const std::uint64_t one = area(Integrator::erk43, 1, 1);
    CHECK(area(Integrator::dp54, 1, 1) == one);
    CHECK(area(Integrator::dp54, 5, 1) == one);
    if (backend == "cpu") CHECK(area(Integrator::erk43, 1, 3) == 3 * one);
  }
}

TEST_CASE("memory: a whole run holds what was estimated, and says so in its provenance") {
  for (const std::string& backend : counting_backends()) {
    Problem problem = soliton();
    problem.edge.on = true;
    problem.statistics = {ask(Quantity::energy), ask(Quantity::peak_power)};
    Device device(load_backend(backend, {{LUMARCH_BACKEND_DIR}, {}}), request_of(backend));
    const MemoryEstimate estimate = estimate_memory(*translate(problem), device, problem, {});
    device.drop_spare_plans();
    const Held before = held(device);
    MemorySink sink;
    (void)run_on(device, problem, sink, {});
    CHECK(sink.ended.memory == estimate.march);
    CHECK(held(device).most_bytes == std::max(estimate.most_bytes, before.most_bytes));
    CHECK(held(device).buffers == before.buffers);
    CHECK(held(device).plans == before.plans);  // also none that was kept for the run
    CHECK(device.ledger().bytes() == 0);
  }
}

TEST_CASE("memory: rows of a batch stand by their members, and in even parts") {
  for (const std::string& backend : counting_backends()) {
    Device device(load_backend(backend, {{LUMARCH_BACKEND_DIR}, {}}), request_of(backend));
    const FibreTables tables = translate_fibre(soliton());
    const StepperOptions options{Integrator::erk43, false, true};
    const std::uint64_t before = held(device).bytes;
    std::map<std::string, std::uint64_t> counted;
    {
      const Device::Counting counting(device);
      const Stepper stepper(device, {tables, tables, tables}, options);
      counted = counting.ledger().entries();
    }
    const Stepper stepper(device, {tables, tables, tables}, options);
    CHECK(device.ledger().entries() == counted);
    CHECK(sum(counted) == held(device).bytes - before);
    CHECK(counted.count("state") == 0);
    CHECK(counted.at("member 0: state") == 2 * (256 * 16 + 64));  // two banks of a row and the line between rows
    CHECK(counted.at("member 2: state") == counted.at("member 0: state"));
    CHECK(counted.count("operator") == 1);  // shared
  }
}

TEST_CASE("memory: a run that does not fit is refused before it takes or writes anything") {
  if (counting_backends().front() != "emulated") return;
  Problem problem = soliton();
  std::uint64_t needed = 0;
  {
    Device device(load_backend("emulated", {{LUMARCH_BACKEND_DIR}, {}}), request_of("emulated"));
    needed = estimate_memory(*translate(problem), device, problem, {}).most_bytes;
  }
  const auto run_with = [&](std::uint64_t bytes, Witness& sink) {
    const Emulated environment("memory=" + std::to_string(bytes));
    Device device(load_backend("emulated", {{LUMARCH_BACKEND_DIR}, {}}), request_of("emulated"));
    const auto before = emulated_counts(device);
    try {
      (void)run_on(device, problem, sink, {});
    } catch (...) {
      CHECK(emulated_counts(device).allocations == before.allocations);
      CHECK(emulated_counts(device).plans == before.plans);
      throw;
    }
  };
  Witness sink;
  const Error error = refusal([&] { run_with(needed - 1, sink); });
  CHECK(error.fault() == Fault::refused);
  const std::string text = error.what();
  CAPTURE(text);
  CHECK(text.find(bytes_text(needed) + " on the emulated backend") != std::string::npos);
  CHECK(text.find("low-storage") != std::string::npos);
  CHECK(text.find("/time/points") != std::string::npos);
  const std::size_t largest = text.find("  right-hand side"), small = text.find("  member block");
  CHECK(largest != std::string::npos);
  CHECK(largest < small);  // largest first
  CHECK(sink.begun == 0);
  run_with(needed, sink);  // and not a byte too early
  CHECK(sink.begun == 1);
}

TEST_CASE("memory: more points than any machine holds are refused with numbers") {
  Problem huge = beam(Route::cartesian, FieldKind::envelope, {Kerr{}});
  huge.time.band.reset();
  huge.time.points = 1 << 20;
  huge.uppe->geometry.points = huge.uppe->geometry.points_y = 1 << 15;
  Error error = refusal([&] { (void)translate(huge); });
  CHECK(error.fault() == Fault::refused);
  CHECK(std::string(error.what()).find("1.126e+15 samples") != std::string::npos);
  CHECK(std::string(error.what()).find("4.5e+07 GB") != std::string::npos);
  CHECK(std::string(error.what()).find("fewer /geometry/points, fewer /time/points") != std::string::npos);
  huge.uppe->geometry.points = huge.uppe->geometry.points_y = 1000000000;
  Witness sink;
  RunOptions here;
  here.backend_path = {LUMARCH_BACKEND_DIR};
  error = refusal([&] { (void)run(huge, sink, here); });
  CHECK(std::string(error.what()).find("1000000000") != std::string::npos);
  CHECK(sink.begun == 0);
  // rows by themselves, whoever asks for them
  Device device(load_backend(counting_backends().front(), {{LUMARCH_BACKEND_DIR}, {}}),
                request_of(counting_backends().front()));
  error = refusal([&] {
    const RowShape shape{1000000000, 1000000000, 1000, 2};
    const RowBlock rows(device, RowBlock::Kind::own, 1, shape, LM_C128, 2, "state");
  });
  CHECK(error.fault() == Fault::refused);
  CHECK(std::string(error.what()).find("state: ") != std::string::npos);
}

TEST_CASE("memory: the bytes of the provenance are those that the device counts") {
  if (counting_backends().front() != "emulated") return;
  for (const RouteCase& one : all_cases()) {
    CAPTURE(one.name);
    Problem problem = one.problem;
    if (problem.march.schedule.size() > 8) continue;  // slow there
    problem.edge.on = true;
    problem.output.fields = Fields::all;
    problem.statistics = {ask(Quantity::energy), ask(Quantity::peak_power)};
    Device device(load_backend("emulated", {{LUMARCH_BACKEND_DIR}, {}}), request_of("emulated"));
    const auto before = emulated_counts(device);
    MemorySink sink;
    (void)run_on(device, problem, sink, {});
    const auto after = emulated_counts(device);
    std::uint64_t up = 0, down = 0;
    for (const auto& [reason, bytes] : sink.ended.bytes_crossed) (reason.find("upload") == 0 ? up : down) += bytes;
    CHECK(sink.ended.bytes_crossed.at("upload launch") > 0);
    CHECK(sink.ended.bytes_crossed.at("download plane") > 0);
    CHECK(up == after.bytes_up - before.bytes_up);
    CHECK(down == after.bytes_down - before.bytes_down);
  }
}

TEST_CASE("memory: a large state crosses in pieces, the same bytes and values as at once") {
  if (counting_backends().front() != "emulated") return;
  const RowShape shape{7, 5, 3, 2};
  std::vector<Complex> rows(static_cast<std::size_t>(shape.samples * shape.rows())), back;
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = {static_cast<double>(i), -0.5 * static_cast<double>(i)};
  std::uint64_t whole = 0;
  for (const std::uint64_t piece :
       {std::uint64_t{1} << 20, std::uint64_t{1024}, std::uint64_t{112}, std::uint64_t{8}}) {
    CAPTURE(piece);
    Device device(load_backend("emulated", {{LUMARCH_BACKEND_DIR}, {}}), request_of("emulated"));
    device.set_piece_bytes(piece);
    const RowBlock block(device, RowBlock::Kind::own, 2, shape, LM_C128, 2, "state");
    const auto before = emulated_counts(device);
    for (std::uint32_t member = 0; member < 2; ++member)
      for (std::uint32_t bank = 0; bank < 2; ++bank) block.upload(device, member, bank, rows, "upload launch");
    for (std::uint32_t member = 0; member < 2; ++member)
      for (std::uint32_t bank = 0; bank < 2; ++bank) {
        back.assign(3, 0.0);
        block.download(device, member, bank, back, "download plane");
        CHECK(back == rows);
      }
    const auto after = emulated_counts(device);
    const std::uint64_t uploads = (after.uploads - before.uploads) / 4, bytes = after.bytes_up - before.bytes_up;
    if (whole == 0) whole = bytes;
    CHECK(device.crossed().at("upload launch") == bytes);
    CHECK(device.crossed().at("download plane") == after.bytes_down - before.bytes_down);
    if (piece == 1024) CHECK(bytes == whole);
    if (piece == 112) CHECK(bytes == 4 * rows.size() * sizeof(Complex));  // a row each, no gaps
    CHECK(uploads == (piece == 1024 ? 6 : piece == 112 ? 30 : 1));
  }
}
