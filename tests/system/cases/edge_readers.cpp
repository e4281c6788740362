// Edge readers in a run: what a backend registers is called, what it refuses is composed; and where rims are looked at.
#include <doctest/doctest.h>

#include <lumarch/sdk/call.hpp>

#include "kernels.hpp"
#include "march/route_equation.hpp"
#include "route_cases.hpp"
#include "run/edge_check.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

thread_local int calls = 0, refusals = 0;

// The template's, which takes a lone row of a field in time.
lm_status counted(lm_device* device, const lm_call* call, const lm_edge_request* request, double* out,
                  std::uint64_t out_len) noexcept {
  const lm_status status = example::time_rim(device, call, request, out, out_len);
  ++(status == LM_E_UNSUPPORTED ? refusals : calls);
  return status;
}

lm_status fails(lm_device*, const lm_call*, const lm_edge_request*, double*, std::uint64_t) noexcept {
  return LM_E_INTERNAL;
}

lm_status nonsense(lm_device*, const lm_call*, const lm_edge_request*, double* out, std::uint64_t) noexcept {
  out[0] = 2, out[1] = out[2] = 0;
  return LM_OK;
}

// The backend as it is, with readers as other plugins would register them.
Marched march_with(const std::string& name, const Problem& problem,
                   std::vector<std::pair<std::string, lm_edge_fn>> readers) {
  LoadedBackend backend = load_backend(name, {{LUMARCH_BACKEND_DIR}, {}});
  for (const auto& [called, fn] : readers) backend.table.edge_readers.insert({{called, 1}, {fn, "/other/plugin.so"}});
  BackendRequest request;
  request.name = name;
  Device device(backend, request);
  MemorySink sink;
  RunSummary summary = run_on(device, problem, sink, {});
  return {std::move(sink.run),   std::move(sink.planes), std::move(sink.march),
          std::move(sink.ended), std::move(summary),     std::move(sink.edges)};
}

Problem soliton() {
  Problem p = fibre(835 * nm, 1 * ps, 256, 0.1, {-2e-26}, 0.1);
  p.responses = {Kerr{}};
  p.launch = {Pulse{}};
  p.launch[0].fwhm = 120 * fs;
  p.launch[0].peak_power = 500;
  p.launch[0].delay = 250 * fs;  // light at the rim
  p.planes = {0, 0.05, 0.1};
  p.output.fields = Fields::none;
  p.edge.strip = true;
  p.edge.rim = 0.3;
  return p;
}

void check_same(const Marched& a, const Marched& b) {
  REQUIRE(a.edges.size() == b.edges.size());
  REQUIRE(a.run.rims == b.run.rims);
  for (std::size_t i = 0; i < a.edges.size(); ++i)
    for (std::size_t rim = 0; rim < a.run.rims.size(); ++rim) {
      CAPTURE(a.run.rims[rim]);
      const EdgeRim &one = a.edges[i].rims[rim], &other = b.edges[i].rims[rim];
      CHECK(a.edges[i].z == b.edges[i].z);
      CHECK(one.share == near(other.share, 1e-12));
      CHECK(one.energy == near(other.energy, 1e-12));
      CHECK(one.peak == near(other.peak, 1e-12));
      REQUIRE(one.strip.size() == other.strip.size());
      REQUIRE(!one.strip.empty());
      for (std::size_t k = 0; k < one.strip.size(); ++k) CHECK(one.strip[k] == near(other.strip[k], 1e-12));
    }
}

}  // namespace

TEST_CASE("a registered edge reader reads the rim in time, current and with its strip") {
  for (const char* backend : {"reference", "cpu"}) {
    CAPTURE(backend);
    const Problem p = soliton();
    const Marched composed = march_on(backend, p);
    CHECK(composed.edges.front().rims[0].share > 1e-3);
    calls = 0;
    const Marched read = march_with(backend, p, {{"edge.org.example.time_rim", &counted}});
    CHECK(calls == static_cast<int>(read.edges.size()));
    check_same(read, composed);
    CHECK(read.ended.kernels_json.find(
              R"("how":"edge","name":"edge.org.example.time_rim","plugin":"/other/plugin.so")") != std::string::npos);
  }
}

TEST_CASE("an edge reader of a mode average is asked too; what it refuses is composed, and asked for once") {
  Problem p = guide(Route::mode_averaged, Gas::argon, FieldKind::real, {Kerr{}});
  p.edge.strip = true;
  calls = refusals = 0;
  check_same(march_with("cpu", p, {{"edge.org.example.time_rim", &counted}}), march_on("cpu", p));
  CHECK(calls > 0);
  CHECK(refusals == 0);
  p = guide(Route::modal, Gas::argon, FieldKind::envelope, {without_harmonic()});
  p.uppe->geometry.modes = {"HE11", "HE12"};
  p.edge.strip = true;
  calls = refusals = 0;
  check_same(march_with("cpu", p, {{"edge.org.example.time_rim", &counted}}), march_on("cpu", p));
  CHECK(calls == 0);
  CHECK(refusals == 1);
}

TEST_CASE("an edge reader that fails, or answers what no field has, ends the run with its name") {
  const Problem p = soliton();
  CHECK_THROWS_WITH_AS((void)march_with("cpu", p, {{"edge.org.example.broken", &fails}}),
                       doctest::Contains("edge.org.example.broken of /other/plugin.so failed"), Error);
  CHECK_THROWS_WITH_AS((void)march_with("cpu", p, {{"edge.org.example.broken", &nonsense}}),
                       doctest::Contains("answered share 2"), Error);
}

TEST_CASE("planes and looks are 20 at least, evenly as far as planes allow") {
  Problem p = soliton();
  const auto readings = [&](std::vector<double> planes) {
    p.planes = std::move(planes);
    const Looks looks = places_to_look(p);
    std::vector<double> all = p.planes;
    all.insert(all.end(), looks.places.begin(), looks.places.end());
    std::sort(all.begin(), all.end());
    CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
    CHECK(all.back() == p.medium.length);
    double widest = 0;
    for (std::size_t i = 1; i < all.size(); ++i) widest = std::max(widest, all[i] - all[i - 1]);
    CHECK(widest <= 0.1 * p.medium.length * (1 + 1e-6));
    return all.size();
  };
  CHECK(readings({0, 0.1}) == 20);
  CHECK(places_to_look(p).longest_step == near(0.1 / 19, 1e-12));
  CHECK(readings({0}) == 20);
  CHECK(readings({0, 0.05, 0.1}) == 20);
  std::vector<double> many;
  for (int i = 0; i <= 24; ++i) many.push_back(i == 24 ? 0.1 : 0.1 * i / 24);
  CHECK(readings(many) == 25);
  CHECK(places_to_look(p).places.empty());
  for (double& z : many) z *= 1e-3;  // all at the entrance
  CHECK(readings(many) == 25 + 10);
  p.edge.on = false;
  CHECK(places_to_look(p).places.empty());
}

// Bytes that readings crossed with tell how many there were, and of which kind.
TEST_CASE("what is read already is not read again, and a replay looks where its steps end nearest") {
  Problem p = beam(Route::line, FieldKind::envelope, {without_harmonic()});
  p.output.fields = Fields::none;
  p.statistics = {{"energy", Quantity::energy}};
  const double step = p.medium.length / 50;
  p.march.schedule.assign(50, step);
  const Marched s = march_on("cpu", p);
  REQUIRE(s.edges.size() == 20);
  for (std::size_t i = 0; i < s.edges.size(); ++i) {
    const double place = p.medium.length * static_cast<double>(i) / 19;
    CHECK(std::abs(s.edges[i].z - place) <= step / 2 * (1 + 1e-6));
  }
  const auto crossed = [](const Marched& marched) { return marched.ended.bytes_crossed.at("read plane"); };
  // A plane's reading has all of a look's: both are the spectrum, the power and the fluence here.
  p.edge.on = false;
  const Marched planes = march_on("cpu", p);
  CHECK(crossed(s) == crossed(planes) / 2 * 20);
}
