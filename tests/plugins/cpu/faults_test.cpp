// SPDX-License-Identifier: Apache-2.0
// Calls that are wrong: LM_E_ARG with words, nothing written, no crash.
#include "support.hpp"

using namespace cpu_tests;

namespace {

struct Bench {
  const driver::Host host;
  const driver::Device device{plugin(), host, quick("2")};
  driver::Members members{device, 2};
  driver::Array<Complex> a{device, 2, 16}, b{device, 2, 16}, c{device, 2, 16}, small{device, 2, 8}, half{device, 2, 9};
  driver::Array<double> real{device, 2, 16};
  lm_plan* const c2c = device.fft(LM_FFT_C2C, 16, LM_FFT_FORWARD);
  lm_plan* const r2c = device.fft(LM_FFT_R2C, 16, LM_FFT_FORWARD);
  lm_plan* const c2r = device.fft(LM_FFT_C2R, 16, LM_FFT_BACKWARD);
  lm_plan* const propagator = device.propagator(a.view, 0.5, true);

  // The call as it is must fail, by itself and in a list.
  template <class Change>
  void refused(const char* kernel, std::vector<lm_view> views, std::vector<lm_plan*> plans, Change change,
               lm_status status = LM_E_ARG) {
    CAPTURE(kernel);
    driver::List list(device, members);
    driver::Call& call = list.add(kernel, std::move(views), std::move(plans));
    change(call);
    const auto before = a.get();
    CHECK(list.each() == status);
    CHECK(!device.error().empty());
    CHECK(list.run() == status);
    CHECK(!device.error().empty());
    CHECK(same_bits(before, a.get()));
  }
  void refused(const char* kernel, std::vector<lm_view> views, std::vector<lm_plan*> plans = {}) {
    refused(kernel, std::move(views), std::move(plans), [](auto&) {});
  }
};

lm_view changed(lm_view view, void (*change)(lm_view&)) {
  change(view);
  return view;
}

}  // namespace

TEST_CASE("views that are wrong") {
  Bench t;
  const auto sum = [](driver::Call& call) { call.set(driver::combination({{1, 0, 0}})); };
  t.refused("core.mul", {});
  t.refused("core.mul", {t.a.view, t.b.view});
  t.refused("core.mul", {t.a.view, t.b.view, t.small.view});
  t.refused("core.mul", {t.real.view, t.b.view, t.c.view});
  t.refused("core.mul", {t.a.view, t.b.view, lm_view{}});
  t.refused("core.mul", {t.a.view, t.b.view, changed(t.c.view, [](lm_view& v) { v.buffer = 12345; })});
  t.refused("core.mul", {t.a.view, t.b.view, changed(t.c.view, [](lm_view& v) { v.offset = 17; })});
  t.refused("core.mul", {t.a.view, t.b.view, changed(t.c.view, [](lm_view& v) { v.bank = 1; })});
  t.refused("core.mul", {t.a.view, t.b.view, changed(t.c.view, [](lm_view& v) { v.extent[0] = 1; })});
  t.refused("core.mul", {t.a.view, t.b.view, changed(t.c.view, [](lm_view& v) { v.pitch[0] = -16; })});
  t.refused("core.mul", {t.a.view, t.b.view, changed(t.c.view, [](lm_view& v) { v.pitch[0] = INT64_MAX; })});
  t.refused("core.mul", {t.a.view, t.b.view, changed(t.c.view, [](lm_view& v) { v.extent[1] = 2, v.pitch[1] = 0; })});
  t.refused("core.mul", {changed(t.a.view, [](lm_view& v) { v.pitch[0] = 0; }), t.b.view, t.c.view});
  t.refused("core.lincomb", {t.a.view, t.small.view}, {}, sum);
  t.refused("core.lincomb", {t.a.view, t.b.view, t.c.view}, {}, sum);
  t.refused("reduce.error", {t.b.view, t.a.view}, {}, [](auto& c) { c.set(driver::combination({{1, 0, 0}}, 3)); });
  t.refused("fft.exec",
            {changed(t.a.view, [](lm_view& v) { v.offset = 1, v.extent[0] = 2, v.pitch[0] = 8; }), t.b.view}, {t.r2c});
}

TEST_CASE("parameters and plans that are wrong") {
  Bench t;
  t.refused("core.fill", {t.a.view});
  t.refused("core.fill", {t.a.view}, {}, [](auto& c) { c.set(lm_p_fill{8, 0, 0, 0}); });
  t.refused("core.fill", {t.a.view}, {}, [](auto& c) { c.set(std::uint32_t{24}); });
  const auto with_terms = [](std::vector<lm_term> terms) {
    return [terms](driver::Call& c) { c.set(driver::combination(terms)); };
  };
  t.refused("core.lincomb", {t.a.view}, {}, with_terms({}));
  t.refused("core.lincomb", std::vector<lm_view>(10, t.a.view), {}, with_terms(std::vector<lm_term>(9)));
  t.refused("core.lincomb", {t.a.view, t.b.view}, {}, with_terms({{1, 2, 0}}));
  t.refused("core.lincomb", {t.a.view, t.b.view}, {}, with_terms({{1, 0, 1}}));
  t.refused("step.combine", {t.a.view, t.b.view, t.c.view}, {}, with_terms({{1, 0, 3}}));
  t.refused(
      "lin.apply", {t.a.view, t.b.view, t.c.view}, {},
      [](auto& c) {
        c.set(lm_p_apply{sizeof(lm_p_apply), 8});
      },
      LM_E_UNSUPPORTED);
  t.refused("fft.exec", {t.a.view, t.b.view});
  t.refused("fft.exec", {t.a.view, t.b.view}, {nullptr});
  t.refused("fft.exec", {t.a.view, t.b.view}, {t.propagator});
  t.refused("fft.exec", {t.a.view, t.a.view}, {t.c2c});
  t.refused("fft.exec", {t.small.view, t.small.view}, {t.c2c});
  t.refused("lin.prepare", {t.b.view}, {t.c2c});
  t.refused("lin.prepare", {t.small.view}, {t.propagator});
  const driver::Device other(plugin(), t.host, quick());
  t.refused("fft.exec", {t.a.view, t.b.view}, {other.fft(LM_FFT_C2C, 16, LM_FFT_FORWARD)});
}

TEST_CASE("a row that is not aligned is refused, not transformed by another plan") {
  Bench t;
  const auto shifted = [](lm_view& v) { v.extent[LM_AXIS_SAMPLE] = 8, v.offset = 1, v.pitch[0] = 9; };
  lm_plan* const plan = t.device.fft(LM_FFT_R2C, 8, LM_FFT_FORWARD);
  t.refused("fft.exec",
            {changed(t.half.view, [](lm_view& v) { v.extent[LM_AXIS_SAMPLE] = 5; }), changed(t.real.view, shifted)},
            {plan});
}

TEST_CASE("responses and right-hand sides without their work area or plans") {
  Bench t;
  const auto response = [](driver::Call& c) { c.set(lm_p_response{sizeof(lm_p_response), 0, 1.0}); };
  t.refused("response.raman", {t.b.view, t.a.view, t.half.view}, {t.r2c, t.c2r}, response);
  t.refused("response.raman", {t.b.view, t.a.view, t.small.view}, {t.r2c, t.c2r}, response);
  t.refused("response.raman", {t.b.view, t.a.view, t.half.view}, {t.c2r, t.r2c}, response);
  t.refused("response.kerr", {t.b.view, t.small.view}, {}, response);
  const auto work = driver::work_area(t.device, 64);
  t.refused("response.raman", {t.b.view, t.a.view, t.half.view}, {t.r2c, t.c2r}, [&](auto& c) {
    response(c);
    c.work = work.view;
  });
  const auto rhs = [](driver::Call& c) { c.set(lm_p_rhs{sizeof(lm_p_rhs), 0, nullptr}); };
  lm_plan* const back = t.device.fft(LM_FFT_C2C, 16, LM_FFT_BACKWARD);
  t.refused("rhs.fibre", {t.b.view, t.a.view, t.c.view}, {t.c2c, back}, rhs);
  t.refused("rhs.fibre", {t.b.view, t.a.view, t.c.view}, {t.c2c, t.c2c}, rhs);
  t.refused("rhs.fibre", {t.b.view, t.a.view, t.c.view}, {t.c2c, back}, [](auto& c) {
    c.set(lm_p_rhs{sizeof(lm_p_rhs), 1, nullptr});
  });
}

TEST_CASE("members, tables and lists that are wrong") {
  Bench t;
  t.members.get.n_active = 3;
  t.refused("core.fill", {t.a.view});
  t.members.get.n_active = 2;
  t.members.active[1] = 77;
  t.members.put();
  t.refused("core.fill", {t.a.view}, {}, [](auto& c) { c.set(lm_p_fill{8, 0, 0, 0}); });
  const lm_device_api& api = t.device.api;
  CHECK(api.run(t.device.handle, nullptr, 1, &t.members.get) == LM_E_ARG);
  CHECK(api.run(t.device.handle, nullptr, 0, nullptr) == LM_E_ARG);
  const lm_step nothing = {nullptr, nullptr};
  CHECK(api.run(t.device.handle, &nothing, 1, &t.members.get) == LM_E_ARG);
  CHECK(api.free(t.device.handle, 999) == LM_E_ARG);
  CHECK(api.plan_free(t.device.handle, nullptr) == LM_E_ARG);
  double x = 0;
  CHECK(api.upload(t.device.handle, t.a.view.buffer, 508, &x, 8) == LM_E_ARG);
  CHECK(api.download(t.device.handle, t.a.view.buffer, UINT64_MAX, &x, 8) == LM_E_ARG);
  CHECK(t.device.error().find("bytes") != std::string::npos);
}
