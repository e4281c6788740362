// SPDX-License-Identifier: Apache-2.0
// marches FOLDER...: runs on the template's backend and with the template's response, found in these folders, against
// the reference, Kerr's response and the analytic phase of self-phase modulation.
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include <lumarch/problem.hpp>
#include <lumarch/run.hpp>
#include <lumarch/sink.hpp>

namespace {

using lumarch::Complex;

int faults = 0;

void expect(bool good, const std::string& what, double value) {
  std::printf("%s %s: %.3g\n", good ? "ok  " : "FAIL", what.c_str(), value);
  faults += good ? 0 : 1;
}

lumarch::RunOptions options;

std::vector<Complex> last_field(const std::string& text, const std::string& responses, const std::string& backend) {
  lumarch::MemorySink sink;
  lumarch::run(lumarch::parse_problem(text, {{"/responses", responses}, {"/backend", backend}}), sink, options);
  if (sink.ended.ended != lumarch::Ended::done) throw lumarch::Error(lumarch::Fault::numbers, sink.ended.reason);
  return sink.planes.back().field;
}

double difference(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  double error = 0, norm = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    error += std::norm(a[j] - b[j]);
    norm += std::norm(b[j]);
  }
  return std::sqrt(error / norm);
}

// The first two centimetres of Dudley, Genty and Coen's supercontinuum on a coarse grid, in steps of 50 um.
const char* const supercontinuum = R"json({
  "lumarch": 1, "model": "gnlse", "wavelength": "835 nm",
  "time": { "window": "4 ps", "points": 2048 },
  "medium": { "type": "fibre", "length": "2 cm", "gamma": "0.11 1/(W m)",
              "dispersion": { "betas": ["-11.830e-3 ps^2/m", "8.1038e-5 ps^3/m", "-9.5205e-8 ps^4/m",
                                        "2.0737e-10 ps^5/m"] } },
  "responses": [], "launch": [{ "shape": "sech", "fwhm": "50 fs", "peak_power": "10 kW" }],
  "march": { "max_step": "50 um", "first_step": "50 um", "tolerance": 1e-2 }, "planes": 2, "statistics": []
})json";

// A continuous wave without dispersion: its power stays and its phase turns by gamma P z/(1 + P/P_sat).
const char* const wave = R"json({
  "lumarch": 1, "model": "gnlse", "wavelength": "1550 nm",
  "time": { "window": "10 ps", "points": 60 },
  "medium": { "type": "fibre", "length": "10 m", "gamma": "2 1/(W km)", "dispersion": { "betas": [] } },
  "responses": [], "launch": [{ "shape": "cw", "peak_power": "80 W" }],
  "march": { "tolerance": 1e-11 }, "planes": 2, "statistics": []
})json";

std::string saturable(const std::string& more) {
  return R"({"type": "response.org.example.saturable_kerr", )" + more + "}";
}

void phases() {
  const double P = 80, gamma = 2e-3, z = 10;
  for (const double saturation : {20.0, 80.0, 1000.0})
    for (const double factor : {1.0, 0.5}) {
      const std::string responses = "[" +
                                    saturable("\"saturation_power\": \"" + std::to_string(saturation / 1000) +
                                              " kW\", \"n2_factor\": " + std::to_string(factor)) +
                                    "]";
      const Complex there = last_field(wave, responses, "cpu")[30], here = last_field(wave, "[]", "cpu")[30];
      const double wanted = factor * gamma * P * z / (1 + P / saturation);
      expect(std::abs(std::arg(there / here) - wanted) < 1e-8,
             "phase with P_sat = " + std::to_string(saturation) + " W, from " + std::to_string(wanted),
             std::arg(there / here) - wanted);
      expect(std::abs(std::abs(there / here) - 1) < 1e-8, "power", std::abs(there / here) - 1);
    }
}

void mixtures() {
  const std::string strong = saturable("\"saturation_power\": 1e30"), weak = saturable(R"("saturation_power": "5 kW")");
  const auto of = [](const std::string& responses) { return last_field(supercontinuum, responses, "cpu"); };
  const auto kerr = of(R"(["kerr"])"), both = of(R"(["kerr", "raman"])");
  double off = difference(of("[" + strong + "]"), kerr);
  expect(off < 1e-12, "saturable at 1e30 W against kerr", off);
  off = difference(of("[" + weak + "]"), kerr);
  expect(off > 0.1, "saturable at 5 kW is not kerr", off);
  const std::string most = saturable(R"("saturation_power": 1e30, "n2_factor": 0.82)");
  off = difference(of("[" + most + ", \"raman\"]"), both);
  expect(off < 1e-12, "with raman behind it", off);
  off = difference(of("[\"raman\", " + most + "]"), both);
  expect(off < 1e-12, "with raman before it", off);
}

void backend() {
  const std::string all = R"(["kerr", "raman", "self-steepening"])";
  const auto theirs = last_field(supercontinuum, all, "template");
  const double off = difference(theirs, last_field(supercontinuum, all, "reference"));
  expect(off < 1e-9, "the supercontinuum on the template against the reference", off);
  lumarch::MemorySink sink;
  try {
    lumarch::run(lumarch::parse_problem(wave, {{"/responses", "[" + saturable("\"saturation_power\": 1") + "]"},
                                               {"/backend", "template"}}),
                 sink, options);
    expect(false, "a response that the template does not have ran", 0);
  } catch (const lumarch::Error& error) {
    expect(error.fault() == lumarch::Fault::refused, "a response that the template does not have is refused", 0);
    expect(sink.planes.empty() && sink.run.omega.empty(), "and nothing began", 0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  options.backend_path.assign(argv + 1, argv + argc);
  try {
    phases();
    mixtures();
    backend();
  } catch (const lumarch::Error& error) {
    std::printf("FAIL %s\n", error.what());
    return 1;
  }
  return faults ? 1 : 0;
}
