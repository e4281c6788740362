// SPDX-License-Identifier: Apache-2.0
// Responses of plugins: what the kernel is given, what is refused, and mixtures with Kerr and Raman in every order.
#include <doctest/doctest.h>

#include "march/stepper.hpp"
#include "own_kerr.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

Problem problem(std::vector<Response> responses) {
  Problem p = fibre(835 * nm, 4 * ps, 512, 0.01, {-11.83e-27, 8.1038e-41}, 0.11);
  p.launch = {pulse(Shape::sech, 28.4 * fs, 5000)};
  p.responses = std::move(responses);
  p.march.schedule.assign(20, 0.0005);
  return p;
}

struct Run {
  std::vector<Complex> field;
  std::string kernels;
};

Run run(const std::string& name, std::vector<Response> responses, bool fused) {
  const LoadedBackend backend = with_own(name);
  BackendRequest request;
  request.name = name;
  Device device(backend, request);
  MemorySink sink;
  run_on(device, problem(std::move(responses)), sink, {}, {fused});
  return {sink.planes.back().field, sink.ended.kernels_json};
}

double difference(const Run& a, const Run& b) {
  double error = 0, norm = 0;
  for (std::size_t j = 0; j < a.field.size(); ++j) {
    error += std::norm(a.field[j] - b.field[j]);
    norm += std::norm(b.field[j]);
  }
  return std::sqrt(error / norm);
}

std::string findings(const LoadedBackend& backend, const PluginResponse& response) {
  try {
    (void)resolve(backend, response);
  } catch (const ProblemError& error) {
    return error.what();
  }
  return "";
}

std::string refusal(const LoadedBackend& backend, const PluginResponse& response) {
  try {
    (void)resolve(backend, response);
  } catch (const Error& error) {
    CHECK(error.fault() == Fault::refused);
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

LoadedBackend described() {
  LoadedBackend backend;
  backend.name = "good";
  backend.looked_at = {"/a/liblumarch_backend_good.so", "/a/liblumarch_kernels_own.so (not used: it is torn)"};
  const auto add = [&](const char* name, std::uint32_t version, std::vector<ParameterEntry> parameters) {
    backend.table.kernels[{name, version}] = {&kerr_by_name, "/a/own.so"};
    backend.table.responses[{name, version}] = {name, version, "", std::move(parameters)};
  };
  add("response.org.example.glow", 1, {{"old", "1", 0.0, 0, 1, ""}});
  add("response.org.example.glow", 2,
      {{"power", "kW", std::nullopt, 1e-3, infinity, ""},
       {"loss", "1/m", 0.5, -infinity, 5, ""},
       {"share", "1", 0.25, 0, 1, ""}});
  backend.table.kernels[{"response.org.example.silent", 1}] = {&kerr_by_name, "/a/silent.so"};
  return backend;
}

}  // namespace

TEST_CASE("own response: values come in SI, in the order of the newest description, standard ones filled in") {
  PluginResponse glow{"response.org.example.glow", {}, "/responses/1"};
  glow.parameters["share"] = {1, Dimension{}, "/responses/1/share"};
  glow.parameters["power"] = {20e3, Dimension{.length = 2, .mass = 1, .time = -3}, "/responses/1/power"};
  const OwnResponse found = resolve(described(), glow);
  CHECK(found.version == 2);
  CHECK(found.from == "/a/own.so");
  CHECK(found.values == std::vector<double>{20e3, 0.5, 1});
  glow.parameters["loss"] = {1, Dimension{.length = -1, .level = 1}, ""};  // dB/m does for 1/m, as everywhere
  glow.parameters["power"] = {1, std::nullopt, ""};                        // a plain number is SI: 1 W, the least
  const std::vector<double> values = resolve(described(), glow).values;
  CHECK(values[0] == 1);
  CHECK(values[1] == doctest::Approx(0.2302585).epsilon(1e-6));
}

TEST_CASE("own response: all that is wrong with its parameters is found at once, with places and remedies") {
  PluginResponse glow{"response.org.example.glow", {}, "/responses/1"};
  glow.parameters["share"] = {1.5, std::nullopt, "/responses/1/share"};
  glow.parameters["powr"] = {1, std::nullopt, "/responses/1/powr"};
  glow.parameters["loss"] = {1, Dimension{.time = 1}, "/responses/1/loss"};
  const std::string text = findings(described(), glow);
  CHECK(has(text,
            "/responses/1: the parameter \"power\" of response.org.example.glow is missing; write for example "
            "\"power\": \"1 kW\""));
  CHECK(has(text, "/responses/1/share: 1.5 is out of range: share may be 0 to 1"));
  CHECK(has(text, "/responses/1/loss: an inverse length (1/m) is needed for loss, like \"0.5 1/m\"; it is a time"));
  CHECK(has(text,
            "/responses/1/powr: unknown parameter \"powr\" of response.org.example.glow; there is power (kW), "
            "loss (1/m), share (1)"));
  glow.parameters = {{"power", {0.5, std::nullopt, ""}}};
  CHECK(has(findings(described(), glow),
            "response.org.example.glow, power: 0.0005 kW is out of range: power may be 0.001 kW or more"));
  glow.parameters["power"] = {5, Dimension{}, ""};
  CHECK(has(findings(described(), glow), "a power is needed for power, like \"1 kW\"; it has no unit"));
  glow.parameters["power"] = {std::nan(""), std::nullopt, ""};
  CHECK(has(findings(described(), glow), "out of range"));
}

TEST_CASE("own response: a backend that has none is refused, with what was looked at") {
  const std::string none = refusal(described(), {"response.org.example.dark", {}, ""});
  for (const char* words : {"the good backend has no kernel response.org.example.dark", "response.org.example.glow",
                            "/a/liblumarch_backend_good.so", "(not used: it is torn)", "lumarch backends -v"})
    CHECK(has(none, words));
  CHECK(has(refusal(described(), {"response.org.example.silent", {}, ""}), "is not described by /a/silent.so"));
}

TEST_CASE("own response: alone and mixed, in any order, fused and composed, it is what Kerr's kernel computes") {
  const std::vector<std::string> names =
      backend_name() == "cpu" ? std::vector<std::string>{"cpu", "reference"} : std::vector<std::string>{backend_name()};
  for (const std::string& name : names)
    for (const bool fused : {true, false}) {
      CAPTURE(name);
      CAPTURE(fused);
      const Run kerr = run(name, {Kerr{}}, fused);
      CHECK(difference(run(name, {own(1)}, fused), kerr) < 1e-12);
      CHECK(difference(run(name, {own(0.5)}, fused), kerr) > 1e-3);
      CHECK(difference(run(name, {own(0)}, fused), run(name, {}, fused)) < 1e-12);
      const Run both = run(name, {Kerr{}, Raman{}}, fused), stronger = run(name, {own(1.5)}, fused);
      CHECK(difference(run(name, {own(0.82), Raman{}}, fused), both) < 1e-12);
      CHECK(difference(run(name, {Raman{}, own(0.82)}, fused), both) < 1e-12);
      CHECK(difference(run(name, {own(0.5), Kerr{}}, fused), stronger) < 1e-12);
      CHECK(difference(run(name, {Kerr{}, own(0.5)}, fused), stronger) < 1e-12);
      CHECK(difference(run(name, {own(0), Kerr{}, Raman{}}, fused), both) < 1e-12);
      CHECK(difference(run(name, {Kerr{}, own(0), Raman{}}, fused), both) < 1e-12);
      CHECK(has(
          run(name, {Kerr{}, own(1)}, fused).kernels,
          R"({"how":"plugin","name":"response.org.example.own_kerr","plugin":"/somewhere/liblumarch_kernels_own.so","version":3})"));
    }
}

TEST_CASE("own response: self-steepening acts on it, and members of a batch share its parameters") {
  const std::string name = backend_name();
  CHECK(difference(run(name, {own(1), SelfSteepening{}}, true), run(name, {Kerr{}, SelfSteepening{}}, true)) < 1e-12);
  const LoadedBackend backend = with_own(name);
  BackendRequest request;
  request.name = name;
  Device device(backend, request);
  const FibreTables one = translate_fibre(problem({own(1)})), other = translate_fibre(problem({own(0.5)}));
  CHECK_THROWS_AS(Stepper(device, {one, other}, {}), const Error&);
  CHECK_NOTHROW(Stepper(device, {one, one}, {}));
}
