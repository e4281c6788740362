// SPDX-License-Identifier: Apache-2.0
// Every key outside the launch, its default, and what it becomes.
#include <doctest/doctest.h>

#include "support.hpp"

using namespace lumarch;
using support::has;
using support::with;
using support::wrong;

TEST_CASE("read: a response of a plugin keeps what was given, in SI, with its dimension and place") {
  const Problem p = with({{"/responses", R"(["response.org.example.glow", "kerr",
      {"type": "response.com.example_2.x.y", "power": "20 kW", "factor": -2.5, "loss": "1 dB/m", "n": "3"}])"}});
  REQUIRE(p.responses.size() == 3);
  const auto& plain = std::get<PluginResponse>(p.responses[0]);
  CHECK(plain.name == "response.org.example.glow");
  CHECK(plain.parameters.empty());
  CHECK(plain.pointer == "/responses/0");
  CHECK(std::holds_alternative<Kerr>(p.responses[1]));
  const auto& full = std::get<PluginResponse>(p.responses[2]);
  REQUIRE(full.parameters.size() == 4);
  CHECK(full.parameters.at("power").value == 20e3);
  CHECK(full.parameters.at("power").dimension == Dimension{.length = 2, .mass = 1, .time = -3});
  CHECK(full.parameters.at("power").pointer == "/responses/2/power");
  CHECK(full.parameters.at("factor").value == -2.5);
  CHECK_FALSE(full.parameters.at("factor").dimension);
  CHECK(full.parameters.at("loss").dimension == Dimension{.length = -1, .level = 1});
  CHECK(full.parameters.at("n").dimension == Dimension{});
}

TEST_CASE("read: a small problem and all the defaults") {
  const Problem p = with({});
  CHECK(p.title.empty());
  CHECK(p.wavelength == 835e-9);
  CHECK(p.time.window == 12.5e-12);
  CHECK(p.time.points == 8192);
  CHECK(p.medium.length == 0.15);
  CHECK(p.medium.gamma == 0.11);
  CHECK_FALSE(p.medium.n2);
  CHECK(std::get<BetaSeries>(p.medium.dispersion).betas == std::vector<double>{-1.183e-26});
  CHECK(p.medium.loss == 0);
  CHECK(p.responses.size() == 1);
  CHECK_FALSE(p.noise);
  CHECK(p.march.integrator == Integrator::erk43);
  CHECK(p.march.tolerance == 1e-7);
  CHECK(p.march.schedule.empty());
  CHECK(p.march.schedule_run.empty());
  CHECK(p.planes.size() == 101);
  CHECK(p.planes.front() == 0);
  CHECK(p.planes.back() == 0.15);
  REQUIRE(p.statistics.size() == 4);
  CHECK(p.statistics[0].name == "energy");
  CHECK(p.statistics[3].quantity == Quantity::width_20db);
  CHECK(p.output.file.empty());
  CHECK(p.output.fields == Fields::all);
  CHECK(p.output.compression == 0);
  CHECK(p.backend.name == "cpu");
  CHECK(p.backend.threads == 0);
}

TEST_CASE("read: comments, a byte order mark and Windows line ends are no matter") {
  std::string text = "\xef\xbb\xbf// first\r\n" + support::kSmall + " /* last */ // and an end";
  CHECK(parse_problem(text).digest == with({}).digest);
}

TEST_CASE("read: title, field and boundary") {
  CHECK(with({{"/title", "\u00dcber \u03bb"}}).title == "\u00dcber \u03bb");
  CHECK(wrong({{"/field", "envelope"}, {"/boundary", R"({"edge": false})"}}).empty());
  CHECK(wrong({{"/boundary", "{}"}}).empty());
  const EdgeCheck usual = with({{"/boundary", R"({"edge": true})"}}).edge;
  CHECK(usual.on);
  CHECK(usual.threshold == 1e-3);
  CHECK(usual.rim == 0.05);
  CHECK(usual.on_exceed == EdgeCheck::OnExceed::warn);
  CHECK_FALSE(with({{"/boundary", R"({"edge": false})"}}).edge.on);
  const EdgeCheck edge =
      with({{"/boundary", R"({"edge": {"threshold": "1e-4", "rim": 0.1, "on_exceed": "stop"}})"}}).edge;
  CHECK(edge.threshold == 1e-4);
  CHECK(edge.rim == 0.1);
  CHECK(edge.on_exceed == EdgeCheck::OnExceed::stop);
  CHECK(has(wrong({{"/boundary", R"({"edge": {"rim": 1}})"}}), "/boundary/edge/rim"));
  CHECK(has(wrong({{"/boundary", R"({"edge": {"threshold": 0}})"}}), "/boundary/edge/threshold"));
}

TEST_CASE("read: any number of points, also written as a whole decimal") {
  CHECK(with({{"/time/points", "12289"}}).time.points == 12289);
  CHECK(with({{"/time/points", "8.192e3"}}).time.points == 8192);
  CHECK(with({{"/time/points", "67108864"}}).time.points == 67108864);
}

TEST_CASE("read: dispersion by D and S, in both spellings") {
  const auto p = with({{"/medium/dispersion", R"json({"D": "5 ps/(nm km)", "S": "0.025 ps/nm^2/km"})json"}});
  CHECK(std::get<DispersionD>(p.medium.dispersion).d == 5e-6);
  CHECK(std::get<DispersionD>(p.medium.dispersion).slope == 25.0);
  CHECK(std::get<DispersionD>(with({{"/medium/dispersion", R"({"D": -1e-6})"}}).medium.dispersion).slope == 0);
}

TEST_CASE("read: n2 with an area, losses") {
  const auto p = with({{"/medium", R"({"type": "fibre", "length": 1, "n2": "2.6e-20 m^2/W", "effective_area": "80 um^2",
      "dispersion": {"betas": []}, "loss": "10 dB/m"})"}});
  CHECK_FALSE(p.medium.gamma);
  CHECK(p.medium.n2 == 2.6e-20);
  CHECK(p.medium.effective_area == 80e-12);
  CHECK(p.medium.loss == doctest::Approx(2.302585092994046).epsilon(1e-15));
  CHECK(std::get<BetaSeries>(p.medium.dispersion).betas.empty());
  CHECK(with({{"/medium/loss", "0.5"}}).medium.loss == 0.5);
}

TEST_CASE("read: gamma is needed only where something responds") {
  const std::string fibre = R"({"type": "fibre", "length": 1, "dispersion": {"betas": []}})";
  CHECK(wrong({{"/medium", fibre}, {"/responses", "[]"}}).empty());
  CHECK(has(wrong({{"/medium", fibre}}), "/medium/gamma"));
}

TEST_CASE("read: responses by name and by object") {
  const auto p = with({{"/responses", R"([{"type": "kerr"}, "self-steepening", {"type": "raman", "model": "hollenbeck",
      "fraction": 0.2}])"}});
  REQUIRE(p.responses.size() == 3);
  CHECK(std::holds_alternative<Kerr>(p.responses[0]));
  CHECK(std::holds_alternative<SelfSteepening>(p.responses[1]));
  CHECK(std::get<Raman>(p.responses[2]).model == RamanModel::hollenbeck);
  CHECK(std::get<Raman>(p.responses[2]).fraction == 0.2);
  const auto named = with({{"/responses", R"(["raman"])"}});
  CHECK(std::get<Raman>(named.responses[0]).model == RamanModel::blow_wood);
  CHECK_FALSE(std::get<Raman>(named.responses[0]).fraction);
  const auto lin = with({{"/responses", R"([{"type": "raman", "model": "lin-agrawal"}])"}});
  CHECK(std::get<Raman>(lin.responses[0]).model == RamanModel::lin_agrawal);
}

TEST_CASE("read: march") {
  const auto p = with({{"/march", R"({"integrator": "dp54", "tolerance": 1e-5, "first_step": "10 um",
      "max_step": "1 mm", "min_step": "1 nm"})"}});
  CHECK(p.march.integrator == Integrator::dp54);
  CHECK(p.march.tolerance == 1e-5);
  CHECK(p.march.first_step == 1e-5);
  CHECK(p.march.max_step == 1e-3);
  CHECK(p.march.min_step == 1e-9);
  CHECK(with({{"/march", R"({"tolerance": "tight"})"}}).march.tolerance == 1e-9);
  CHECK(with({{"/march", R"({"tolerance": "default"})"}}).march.tolerance == 1e-7);
}

TEST_CASE("read: a schedule sums to the length") {
  const auto p = with({{"/march", R"({"schedule": ["5 cm", 0.05, "50 mm"]})"}});
  CHECK(p.march.schedule == std::vector<double>{0.05, 0.05, 0.05});
  std::string many = "[";
  for (int i = 0; i < 150000; ++i) many += i == 0 ? "1e-6" : ",1e-6";
  CHECK(with({{"/march", R"({"schedule": )" + many + "]}"}}).march.schedule.size() == 150000);
  CHECK(has(wrong({{"/march", R"({"schedule": ["5 cm", "10.0000002 cm"]})"}}), "/march/schedule"));
}

TEST_CASE("read: a run to replay is named by its path, and counts in the digest") {
  const support::Folder folder("problem_replay");
  folder.write("before.h5", "one");
  const support::Sets sets{{"/march", R"({"schedule": {"run": "before.h5"}})"}};
  const auto p = with(sets, folder.path());
  CHECK(p.march.schedule_run == (folder.path() / "before.h5").string());
  folder.write("before.h5", "two");
  CHECK(with(sets, folder.path()).digest != p.digest);
}

TEST_CASE("read: planes as a number and as a list") {
  const auto p = with({{"/planes", "4"}});
  CHECK(p.planes.size() == 4);
  CHECK(p.planes[1] == doctest::Approx(0.05).epsilon(1e-15));
  CHECK(p.planes[3] == 0.15);
  CHECK(with({{"/planes", R"([0, "5 cm", "15 cm"])"}}).planes == std::vector<double>{0, 0.05, 0.15});
  CHECK(with({{"/planes", R"(["150 mm"])"}}).planes == std::vector<double>{0.15});
  // one bit behind the end is the end
  CHECK(with({{"/planes", "[0.15000000000000002]"}}).planes == std::vector<double>{0.15});
}

TEST_CASE("read: every statistic") {
  const auto p = with({{"/statistics",
                        R"(["energy", "peak_power", "fwhm_time", "fwhm_time_widest", "rms_time", "centroid_time",
      "centroid_omega", "rms_omega", "width_20db", "photon_number", "energy_band:500nm-0.9um"])"}});
  REQUIRE(p.statistics.size() == 11);
  for (std::size_t i = 0; i < 11; ++i) CHECK(p.statistics[i].quantity == static_cast<Quantity>(i));
  CHECK(p.statistics[10].shortest == 500e-9);
  CHECK(p.statistics[10].longest == 900e-9);
  CHECK(p.statistics[10].name == "energy_band:500nm-0.9um");
  CHECK(with({{"/statistics", R"(["energy_band:5e-7 m-9e-7 m"])"}}).statistics[0].longest == 9e-7);
  CHECK(with({{"/statistics", "[]"}}).statistics.empty());
}

TEST_CASE("read: output and backend") {
  const auto p = with({{"/output", R"({"file": "a.h5", "fields": "last", "compression": 9})"},
                       {"/backend", R"({"name": "cuda", "device": 1, "threads": 3, "plan": "measure"})"}});
  CHECK(p.output.file == "a.h5");
  CHECK(p.output.fields == Fields::last);
  CHECK(p.output.compression == 9);
  CHECK(p.output.checkpoint_every.value() == 600);
  CHECK(with({{"/output", R"({"checkpoint": {"every": "2 min"}})"}}).output.checkpoint_every.value() == 120);
  CHECK(!with({{"/output", R"({"checkpoint": false})"}}).output.checkpoint_every);
  CHECK(p.backend.name == "cuda");
  CHECK(p.backend.device == 1);
  CHECK(p.backend.threads == 3);
  CHECK(p.backend.plan == "measure");
  CHECK(with({{"/backend", "cpu:2"}}).backend.device == 2);
  CHECK(with({{"/backend", "cpu"}}).backend.name == "cpu");
}

TEST_CASE("read: a file that is missing is a finding") {
  CHECK_THROWS_AS((void)read_problem("/no/such/problem.json"), ProblemError);
  CHECK_THROWS_AS((void)read_problem("/"), ProblemError);
}
