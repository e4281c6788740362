// SPDX-License-Identifier: Apache-2.0
// The optional kernels by the required ones, in the words of docs/kernels.md.
#include <algorithm>

#include "kernel_scenes.hpp"

namespace lumarch::conform {

namespace {

class Composer {
public:
  Composer(Scene& scene, const CallSpec& fused, std::uint32_t workers)
      : scene_(scene), fused_(fused), workers_(workers) {}

  // Own rows like those of view `like`, of as many samples where `n` does not say another number.
  Seen temporary(const Seen& like, std::int64_t n = 0, std::int32_t dtype = LM_C128) {
    const Array& model = scene_.arrays[static_cast<std::size_t>(like.array)];
    Lay lay = model.lay;
    lay.banked = lay.shared = false;
    scene_.arrays.push_back(
        make_array(dtype, n ? n : model.view.extent[LM_AXIS_SAMPLE], scene_.members.count, workers_, lay));
    return {static_cast<int>(scene_.arrays.size()) - 1, false};
  }
  CallSpec& add(const std::string& kernel, std::vector<Seen> views, int output = 0) {
    CallSpec& call = scene_.calls.emplace_back();
    call.kernel = kernel;
    call.views = std::move(views);
    call.output = output;
    call.tolerance = fused_.tolerance;
    return call;
  }
  void lincomb(const Seen& out, const std::vector<Seen>& x, const std::vector<lm_term>& terms) {
    lm_p_combine p{};
    p.n = static_cast<std::uint32_t>(terms.size());
    for (std::size_t j = 0; j < terms.size(); ++j) p.term[j] = {terms[j].c, terms[j].hpow, 0};
    std::vector<Seen> views = {out};
    views.insert(views.end(), x.begin(), x.end());
    add("core.lincomb", views).set(p);
  }

private:
  Scene& scene_;
  const CallSpec& fused_;
  std::uint32_t workers_;
};

void compose_combine(Composer& to, const CallSpec& fused) {
  lm_p_combine p;
  std::memcpy(&p, fused.params.data(), sizeof p);
  const Seen E = fused.views.back();
  const Seen sum = to.temporary(fused.views[0]);
  bool begun = false;
  for (const int level : {2, 1, 0}) {
    std::vector<Seen> x;
    std::vector<lm_term> terms;
    for (std::uint32_t j = 0; j < p.n; ++j)
      if (p.term[j].level == level) {
        x.push_back(fused.views[j + 1]);
        terms.push_back(p.term[j]);
      }
    if (begun) {
      to.add("lin.apply", {sum, sum, E}).set(lm_p_apply{});
      x.push_back(sum);
      terms.push_back({1, 0, 0});
    }
    if (x.empty()) continue;
    to.lincomb(level == 0 ? fused.views[0] : sum, x, terms);
    begun = true;
  }
}

void compose_kerr_raman(Composer& to, const CallSpec& fused) {
  lm_p_response p;
  std::memcpy(&p, fused.params.data(), sizeof p);
  to.add("response.kerr", {fused.views[0], fused.views[1]}, 1).set(p);
  CallSpec& raman = to.add("response.raman", fused.views, 1);
  p.flags |= LM_RESPONSE_ACCUMULATE;
  raman.set(p);
  raman.plans = fused.plans;
  raman.own_work = fused.own_work;
}

void compose_rhs(Composer& to, const CallSpec& fused) {
  const Seen u = fused.views[0], out = fused.views[1], source = fused.views[2];
  const Seen absent, pre = fused.views.size() > 3 ? fused.views[3] : absent,
                     noise = fused.views.size() > 4 ? fused.views[4] : absent;
  const Seen launch = to.temporary(u), A = to.temporary(u), P = to.temporary(u);
  if (noise.array >= 0)
    to.lincomb(launch, {u, noise}, {{1, 0, 0}, {1, 0, 0}});
  else
    to.lincomb(launch, {u}, {{1, 0, 0}});
  if (pre.array >= 0) to.add("core.mul", {launch, launch, pre});
  to.add("fft.exec", {A, launch}).plans = {fused.plans[0]};
  for (const CallSpec& response : fused.responses) {
    std::vector<Seen> views = {A, P};
    views.insert(views.end(), response.views.begin(), response.views.end());
    CallSpec& call = to.add(response.kernel, views, 1);
    call.params = response.params;
    call.plans = response.plans;
    call.own_work = response.own_work;
  }
  to.add("fft.exec", {A, P}).plans = {fused.plans[1]};
  to.add("core.mul", {out, A, source});
}

void compose_columns(Composer& to, const CallSpec& fused) {
  lm_p_columns p;
  std::memcpy(&p, fused.params.data(), sizeof p);
  const Seen in = fused.views[0], out = fused.views[1], pre = fused.views[2], window = fused.views[3];
  const bool half = p.kind == LM_BAND_HALF, envelope = p.kind == LM_BAND_ENVELOPE;
  const std::int64_t to_half = p.n / 2 + 1;
  const Seen longer = to.temporary(in, half ? to_half : p.n), field = to.temporary(in, p.n, half ? LM_F64 : LM_C128);
  to.add("fft.pad", {longer, in, pre}).set(lm_p_band{0, 0, p.kind, p.pre_scale});
  to.add("fft.exec", {field, longer}).plans = {fused.plans[0]};
  const std::int32_t dtype = envelope ? LM_C128 : LM_F64;
  const Seen outputs[2] = {to.temporary(in, p.n, dtype), to.temporary(in, p.n, dtype)};
  bool has[2] = {};
  for (const CallSpec& response : fused.responses) {
    std::vector<Seen> views = {field, outputs[response.adds_to]};
    views.insert(views.end(), response.views.begin(), response.views.end());
    CallSpec& call = to.add(response.kernel, views, 1);
    call.params = response.params;
    call.plans = response.plans;
    call.own_work = response.own_work;
    has[response.adds_to] = true;
  }
  for (const std::uint32_t which : {LM_POLARISATION, LM_CURRENT}) {
    if (!has[which]) continue;
    if (window.array >= 0) to.add("core.mul.2", {outputs[which], outputs[which], window});
    const Seen back = to.temporary(in, envelope ? p.n : to_half);
    to.add("fft.exec", {back, outputs[which]}).plans = {fused.plans[1]};
    to.add("fft.crop", {out, back, fused.views[which == LM_CURRENT ? 5 : 4]})
        .set(lm_p_band{0, which == LM_CURRENT ? std::uint32_t{LM_CROP_ACCUMULATE} : 0u,
                       envelope ? std::uint32_t{LM_BAND_ENVELOPE} : std::uint32_t{LM_BAND_HALF}, p.post_scale});
  }
}

}  // namespace

Scene composed(const Scene& fused, std::uint32_t workers) {
  Scene scene = fused;
  scene.calls.clear();
  for (const CallSpec& call : fused.calls) {
    Composer to(scene, call, workers);
    if (call.kernel == "step.combine")
      compose_combine(to, call);
    else if (call.kernel == "response.kerr_raman")
      compose_kerr_raman(to, call);
    else if (call.kernel == "rhs.fibre")
      compose_rhs(to, call);
    else if (call.kernel == "rhs.columns")
      compose_columns(to, call);
    else
      scene.calls.push_back(call);
  }
  return scene;
}

}  // namespace lumarch::conform
