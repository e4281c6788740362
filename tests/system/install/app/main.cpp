// SPDX-License-Identifier: Apache-2.0
// A host application: builds a problem, runs it on a backend chosen by name, and takes the planes as they come.
#include <atomic>
#include <cstdio>

#include <lumarch/problem.hpp>
#include <lumarch/run.hpp>
#include <lumarch/sink.hpp>

namespace {

class Watch final : public lumarch::Sink {
public:
  explicit Watch(std::atomic<bool>& stop) : stop_(stop) {}

  void begin(const lumarch::RunInfo&) override {}
  void attempts(std::vector<lumarch::AttemptRecord>) override {}
  void end(const lumarch::RunEnd&) override {}

  void plane(lumarch::PlaneRecord record) override {
    const double peak_power = record.statistics[0][0], width = record.statistics[1][0];
    std::printf("%5.1f mm  peak power %8.2f W  FWHM %5.2f fs  %zu frequencies\n", record.z * 1e3, peak_power,
                width * 1e15, record.field.size());
    if (peak_power > 1e6) stop_ = true;  // the run ends at the next step, and what it reached is kept
  }

private:
  std::atomic<bool>& stop_;
};

const char* const soliton = R"json({
  "lumarch": 1, "model": "gnlse", "wavelength": "835 nm",
  "time": { "window": "2 ps", "points": 512 },
  "medium": { "type": "fibre", "length": "5 cm", "gamma": "0.11 1/(W m)",
              "dispersion": { "betas": ["-11.83e-3 ps^2/m"] } },
  "responses": ["kerr"],
  "launch": [{ "shape": "sech", "fwhm": "50 fs", "peak_power": "1 W" }],
  "planes": 6,
  "statistics": ["peak_power", "fwhm_time"]
})json";

}  // namespace

int main(int argc, char** argv) {
  try {
    lumarch::Problem problem = lumarch::parse_problem(soliton);
    problem.launch[0].peak_power = 133.6695;  // any member may be set; SI throughout: this is the fundamental soliton
    problem.backend.name = argc > 1 ? argv[1] : "reference";
    lumarch::check_problem(problem);  // run() does so too: a problem may be made without any text at all

    std::atomic<bool> stop = false;
    Watch watch(stop);
    lumarch::RunOptions options;
    options.stop = &stop;
    if (argc > 2) options.backend_path = {argv[2]};  // the plugin's file, or a folder of them
    const lumarch::RunSummary summary = lumarch::run(problem, watch, options);
    std::printf("%lld steps, energy %.6g pJ -> %.6g pJ\n", static_cast<long long>(summary.end.accepted),
                summary.energy_in * 1e12, summary.energy_out * 1e12);
    return summary.end.ended == lumarch::Ended::done ? 0 : 1;
  } catch (const lumarch::Error& error) {  // ProblemError, which has the findings one by one, is one of these
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.fault());
  }
}
