// One shortened case a route and a response: the backend that LUMARCH_TEST_BACKEND names against the reference, fused
// and composed; and the bits of members in a batch.
#include <doctest/doctest.h>

#include <functional>

#include "march/march.hpp"
#include "march/route_equation.hpp"
#include "route_cases.hpp"
#include "routes.hpp"
#include "translate/uppe_launch.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

double field_difference(const Marched& a, const Marched& b) {
  const auto &x = a.planes.back().field, &y = b.planes.back().field;
  double sum = 0, all = 0;
  REQUIRE(x.size() == y.size());
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::norm(x[i] - y[i]), all += std::norm(y[i]);
  return std::sqrt(sum / all);
}

}  // namespace

TEST_CASE("every route and response agrees with the reference backend, fused and composed") {
  for (const RouteCase& one : route_cases()) {
    CAPTURE(one.name);
    const Marched reference = march_on("reference", one.problem);
    CAPTURE(reference.ended.reason);
    REQUIRE(reference.ended.ended == Ended::done);
    // the response does something: the launch's own spectrum is left
    CHECK(difference(reference.planes.back().spectrum, reference.planes.front().spectrum) > 1e-6);
    for (const bool fused : {true, false}) {
      CAPTURE(fused);
      const Marched here = march_on(backend_name(), one.problem, {fused});
      CHECK(here.ended.ended == Ended::done);
      CHECK(field_difference(here, reference) < 1e-11);
    }
  }
}

TEST_CASE("a route's member has the same bits alone, in a batch of three, and at one and two threads") {
  if (backend_name() != "cpu" && backend_name() != "reference") return;
  for (const RouteCase& one : route_cases()) {
    CAPTURE(one.name);
    const auto bits = [&](std::uint32_t members, std::uint32_t which, int threads) {
      BackendRequest request;
      request.name = backend_name();
      if (request.name == "cpu") request.threads = threads;
      Device device(load_backend(request.name, {{LUMARCH_BACKEND_DIR}, {}}), request);
      const auto tables = std::make_shared<UppeTables>(translate_uppe(one.problem));
      Stepper stepper(device, std::make_unique<RouteEquation>(device, tables, members, one.problem.noise.has_value()),
                      {Integrator::erk43, one.problem.noise.has_value(), true});
      std::vector<std::string> warnings;
      const Launch launch = build_launch(one.problem, *tables, transforms_on(device, tables->grid.times), warnings);
      std::vector<Launch> launches(members, launch);
      for (std::uint32_t m = 0; m < members; ++m)
        for (auto& value : launches[m].state) value *= m == which ? 1.0 : 0.5;
      stepper.load(launches);
      MarchOptions options;
      options.length = one.problem.medium.length;
      options.schedule = one.problem.march.schedule;
      options.planes = {options.length};
      options.walls = tables->walls;
      options.absorb_at = tables->absorb_at;
      for (const MemberEnd& end : march(stepper, options, {})) CHECK(end.status == LM_DONE);
      std::vector<Complex> state;
      stepper.read(which, state, nullptr);
      return state;
    };
    const auto alone = bits(1, 0, 1);
    CHECK(bits(3, 1, 1) == alone);
    CHECK(bits(1, 0, 2) == alone);
    CHECK(bits(3, 2, 2) == alone);
  }
}
