// SPDX-License-Identifier: Apache-2.0
// Scenes of the kernels of transverse routes and of media in SI (docs/kernels.md, since 1.2).
#include "scene_maker.hpp"

namespace lumarch::conform {

namespace {

constexpr std::uint32_t accumulate = LM_RESPONSE_ACCUMULATE, third_harmonic = LM_RESPONSE_THIRD_HARMONIC,
                        tensor = LM_RESPONSE_TENSOR;

// A response's components: the shape's, and both numbers where that leaves it open.
void choose_components(Maker& make, const Shape& s) {
  make.axes(s.components > 1 ? s.components : 1 + s.variant % 2, s.outer, s.inner);
}

void mul(Maker& make, const Shape& s, CallSpec& call) {
  const std::int32_t dtype = s.variant == 0 ? LM_F64 : LM_C128;
  const Kind kind = s.variant == 0 ? Kind::real : Kind::field;
  call.views = {make.rows(s.n, kind, false, dtype), make.rows(s.n, kind, true, dtype)};
  make.spoil(call.views[1]);
  // A table for all nodes, for the inner ones, and for each.
  if (s.variant == 0) make.axes(1, 1, 1);
  if (s.variant == 1) make.axes(1, 1, s.inner);
  call.views.push_back(s.variant < 2 ? make.table(s.n, Kind::table, LM_F64) : make.table(s.n, Kind::factor));
  call.tolerance = 8 * eps;
}

void transform(Maker& make, const Shape& s, CallSpec& call) {
  const bool outer = s.variant % 2;
  const std::int64_t times = s.variant < 2 ? 4 : 7;
  make.axes(s.components, s.outer * (outer ? times : 1), s.inner * (outer ? 1 : times));
  const std::int64_t n = times * (outer ? s.outer : s.inner);
  call.views = {make.rows(s.n, Kind::field, false), make.rows(s.n, Kind::field, true)};
  make.spoil(call.views[1]);
  call.set(lm_p_axis{0, outer ? LM_AXIS_OUTER : LM_AXIS_INNER});
  call.plans = {make.fft_of(n, LM_FFT_C2C, s.variant < 2 ? LM_FFT_FORWARD : LM_FFT_BACKWARD)};
  call.own_work = 2 * round_up(16 * static_cast<std::uint64_t>(n * s.n));
  call.tolerance = 1e-14 * stages(n);
}

void matrix(Maker& make, const Shape& s, CallSpec& call) {
  // Among the nodes of each component; to more nodes; from one component to two or three; from those to one.
  const std::int64_t many = s.components > 1 ? s.components : 3, K = s.variant < 2 ? 1 : many;
  const std::int64_t j = s.inner * 3, q = s.variant == 1 ? 2 * j + 3 : j + s.variant;
  make.axes(s.variant == 2 ? many : s.variant == 3 ? 1 : s.components, s.outer, q);
  call.views = {make.rows(s.n, Kind::field, false)};
  make.axes(s.variant == 3 ? many : s.variant == 2 ? 1 : s.components, s.outer, j);
  call.views.push_back(make.rows(s.n, Kind::field, true));
  make.spoil(call.views[1]);
  call.views.push_back(make.shared_table(j, Kind::table, LM_F64, K, q));
  call.tolerance = (8 + 2 * static_cast<double>(j * K)) * eps;
}

void pad(Maker& make, const Shape& s, CallSpec& call) {
  constexpr struct {
    std::uint32_t kind, scale;
    std::int64_t more;
    bool weighted;
  } all[] = {{LM_BAND_ENVELOPE, 0, 0, false}, {LM_BAND_ENVELOPE, 2, 5, true},  {LM_BAND_HALF, 1, 8, true},
             {LM_BAND_HALF, 0, 0, false},     {LM_BAND_ANALYTIC, 4, 11, true}, {LM_BAND_ENVELOPE, 1, 64, false}};
  const auto& way = all[s.variant];
  call.views = {make.rows(s.n + way.more, Kind::field, false), make.rows(s.n, Kind::field, true)};
  make.spoil(call.views[1]);
  call.views.push_back(way.weighted ? make.table(s.n, Kind::table, LM_F64) : Seen{});
  call.set(lm_p_band{0, 0, way.kind, way.scale});
  call.tolerance = 8 * eps;
}

void crop(Maker& make, const Shape& s, CallSpec& call) {
  constexpr struct {
    std::uint32_t kind, scale, flags;
    std::int64_t more;
  } all[] = {{LM_BAND_ENVELOPE, 0, 0, 0},
             {LM_BAND_ENVELOPE, 2, LM_CROP_ACCUMULATE, 5},
             {LM_BAND_HALF, 1, 0, 8},
             {LM_BAND_HALF, 0, LM_CROP_ACCUMULATE, 0}};
  const auto& way = all[s.variant];
  call.views = {make.rows(s.n, Kind::field, way.flags != 0), make.rows(s.n + way.more, Kind::field, true)};
  make.spoil(call.views[1]);
  call.views.push_back(make.table(s.n, Kind::factor));
  call.set(lm_p_band{0, way.flags, way.kind, way.scale});
  call.tolerance = 8 * eps;
}

void prepare(Maker& make, const Shape& s, CallSpec& call) {
  const std::uint32_t n = s.variant == 0 ? 1 : 3;
  call.views = {make.rows(s.n, Kind::field, false)};
  for (std::uint32_t r = 0; r < n; ++r) {
    if (r == 1) make.axes(1, 1, s.inner);
    call.views.push_back(make.table(s.n, Kind::operators));
    make.spoil(call.views.back());
  }
  call.set(lm_p_scaled{0, n, s.variant == 2 ? 0u : 2u, 0});
  call.tolerance = 256 * eps;
}

lm_p_kerr kerr_of(const Shape& s, std::uint32_t flags, std::uint32_t scale, double saturation) {
  return {0, flags, scale, 0, 0.8, saturation, 2.5, -3.0, 4.0 / static_cast<double>(s.n)};
}

// E and P: c128 both, f64 both, or c128 and f64.
enum class Rows { envelope, real, analytic };
void field_and_output(Maker& make, const Shape& s, CallSpec& call, Rows rows, bool adds) {
  choose_components(make, s);
  const bool real = rows == Rows::real, real_output = rows != Rows::envelope;
  call.views = {make.rows(s.n, real ? Kind::real : Kind::field, true, real ? LM_F64 : LM_C128),
                make.rows(s.n, real_output ? Kind::real : Kind::field, adds, real_output ? LM_F64 : LM_C128)};
  make.spoil(call.views[0]);
  call.output = 1;
}

void kerr(Maker& make, const Shape& s, CallSpec& call) {
  constexpr struct {
    Rows rows;
    std::uint32_t flags, scale;
    double saturation;
  } all[] = {{Rows::envelope, 0, 0, 0},
             {Rows::envelope, accumulate | third_harmonic, 2, 0},
             {Rows::envelope, third_harmonic, 0, 0},
             {Rows::envelope, accumulate, 1, 0.7},
             {Rows::real, 0, 1, 0},
             {Rows::real, accumulate, 0, 0},
             {Rows::analytic, accumulate, 1, 0},
             {Rows::analytic, 0, 0, 0.7}};
  const auto& way = all[s.variant];
  field_and_output(make, s, call, way.rows, way.flags & accumulate);
  call.set(kerr_of(s, way.flags, way.scale, way.saturation));
  call.tolerance = 64 * eps;
}

void chi2(Maker& make, const Shape& s, CallSpec& call) {
  const bool adds = s.variant == 1 || s.variant == 2;
  field_and_output(make, s, call, s.variant < 2 ? Rows::envelope : Rows::real, adds);
  call.set(kerr_of(s, adds ? accumulate : 0u, s.variant % 2 ? 3u : 0u, 0));
  call.tolerance = 64 * eps;
}

// The plans, the table and the work of a convolution of rows of n.
void convolve(Maker& make, CallSpec& call, std::int64_t n, std::int64_t N, std::uint32_t flags, std::uint32_t scale) {
  call.kernel = "response.convolution";
  call.plans = {make.fft_of(N, LM_FFT_R2C, LM_FFT_FORWARD), make.fft_of(N, LM_FFT_C2R, LM_FFT_BACKWARD)};
  call.views.push_back(make.shared_table(N / 2 + 1, Kind::response, LM_C128, 1, 1, N));
  call.set(lm_p_convolution{0, flags, scale, 0, 0.6});
  const auto bytes = static_cast<std::uint64_t>(N);
  call.own_work = round_up(8 * bytes) + 2 * round_up(16 * (bytes / 2 + 1));
  call.tolerance = 5e-14 * stages(n);
}

void convolution(Maker& make, const Shape& s, CallSpec& call) {
  constexpr struct {
    Rows rows;
    std::uint32_t flags, scale;
    std::int64_t more;
  } all[] = {{Rows::envelope, 0, 1, 0},      {Rows::envelope, accumulate | tensor, 0, 0},
             {Rows::real, accumulate, 2, 1}, {Rows::real, tensor, 0, 0},
             {Rows::analytic, 0, 0, 2},      {Rows::analytic, tensor, 1, 0}};
  const auto& way = all[s.variant];
  field_and_output(make, s, call, way.rows, way.flags & accumulate);
  convolve(make, call, s.n, 2 * s.n + way.more, way.flags, way.scale);
}

// The rate's table begins at a field of 0.5, in steps of 0.25; fields of up to 1.4 lie in it, above it and below it.
void ionise(Maker& make, CallSpec& call, std::int64_t n, std::uint32_t flags, std::uint32_t scale) {
  call.kernel = "response.plasma";
  call.views.push_back(make.shared_table(4, Kind::real, LM_F64, 1, 2));
  call.set(lm_p_plasma{0, flags, scale, 0, 1.5, 0.8, 0.3, 0.125, 1.0 / static_cast<double>(n), 0.5, 0.25});
  call.tolerance = (64 + 16 * std::sqrt(static_cast<double>(n))) * eps;
}

void plasma(Maker& make, const Shape& s, CallSpec& call) {
  field_and_output(make, s, call, s.variant < 2 ? Rows::real : Rows::analytic, s.variant % 3);
  ionise(make, call, s.n, s.variant % 3 ? accumulate : 0u, s.variant == 1 ? 2 : 0);
}

void columns(Maker& make, const Shape& s, CallSpec& call) {
  constexpr struct {
    std::uint32_t kind, together, pre_scale, post_scale;
    std::int64_t times, more;  // samples in time: times n + more
    bool tables, media, in_place;
  } all[] = {
      {LM_BAND_ENVELOPE, 1, 0, 0, 1, 0, false, false, false}, {LM_BAND_ENVELOPE, 2, 1, 3, 2, 0, true, true, true},
      {LM_BAND_HALF, 1, 4, 2, 2, 0, true, true, false},       {LM_BAND_HALF, 3, 0, 0, 2, 1, false, true, true},
      {LM_BAND_ANALYTIC, 2, 1, 0, 2, 1, false, true, true},   {LM_BAND_ANALYTIC, 1, 0, 1, 2, 2, true, true, false}};
  const auto& way = all[s.variant];
  choose_components(make, s);
  const std::int64_t N = way.times * s.n + way.more;
  const bool half = way.kind == LM_BAND_HALF, envelope = way.kind == LM_BAND_ENVELOPE;
  const Seen u = make.rows(s.n, Kind::field, true), out = way.in_place ? u : make.rows(s.n, Kind::field, false);
  make.spoil(u);
  // Fields of the order of 1 in time.
  for (double& part : make.scene.arrays[static_cast<std::size_t>(u.array)].image)
    part /= std::sqrt(static_cast<double>(s.n));
  call.views = {u, out};
  call.views.push_back(way.tables ? make.table(s.n, Kind::table, LM_F64) : Seen{});
  call.views.push_back(way.tables ? make.shared_table(N, Kind::table, LM_F64) : Seen{});
  call.views.push_back(make.table(s.n, Kind::factor));
  call.output = 1;
  call.plans = {make.fft_of(N, half ? LM_FFT_C2R : LM_FFT_C2C, half ? LM_FFT_BACKWARD : LM_FFT_FORWARD),
                make.fft_of(N, envelope ? LM_FFT_C2C : LM_FFT_R2C, envelope ? LM_FFT_BACKWARD : LM_FFT_FORWARD)};
  Shape in_time = s;
  in_time.n = N;
  CallSpec& kerr_call = call.responses.emplace_back();
  kerr_call.kernel = "response.kerr.2";
  kerr_call.set(kerr_of(in_time, envelope && way.media ? third_harmonic : 0u, way.media ? 2u : 0u, 0));
  if (way.media) convolve(make, call.responses.emplace_back(), N, 2 * N, accumulate, 1);
  const bool ionised = way.media && !envelope;  // of an envelope there is no current
  if (ionised) {
    call.views.push_back(make.table(s.n, Kind::factor));
    CallSpec& current = call.responses.emplace_back();
    ionise(make, current, N, 0, 3);
    current.adds_to = LM_CURRENT;
  }
  const std::int64_t components = make.scene.arrays[static_cast<std::size_t>(u.array)].lay.components;
  call.own_work = (ionised ? 4u : 3u) * way.together * static_cast<std::uint64_t>(components) *
                  round_up(16 * static_cast<std::uint64_t>(N));
  call.set(lm_p_columns{0, 0, nullptr, N, way.kind, way.together, way.pre_scale, way.post_scale});
  call.tolerance = 1e-13 * stages(N);
}

// The rows that are read have the shape's axes; what comes of them is one row, or a map of the nodes.
Seen read_map(Maker& make, const Shape& s, bool filled, bool table) {
  make.axes(1, 1, s.outer);
  const Seen map = table ? make.table(s.inner, Kind::table, LM_F64) : make.rows(s.inner, Kind::real, filled, LM_F64);
  make.axes(s.components, s.outer, s.inner);
  return map;
}
Seen read_weight(Maker& make, const Shape& s, bool every_node) {
  make.axes(every_node ? s.components : 1, every_node ? s.outer : 1, every_node ? s.inner : 1);
  const Seen weight = make.table(s.n, Kind::table, LM_F64);
  make.axes(s.components, s.outer, s.inner);
  return weight;
}

void read_samples(Maker& make, const Shape& s, CallSpec& call) {
  constexpr struct {
    std::uint32_t flags;
    bool weight, every_node, map;
  } all[] = {{LM_READ_ACCUMULATE, true, true, false},
             {0, false, false, false},
             {LM_READ_REAL, false, false, true},
             {LM_READ_ACCUMULATE | LM_READ_REAL, true, false, true}};
  const auto& way = all[s.variant];
  make.axes(1, 1, 1);
  call.views = {make.rows(s.n, Kind::real, way.flags & LM_READ_ACCUMULATE, LM_F64)};
  make.axes(s.components, s.outer, s.inner);
  call.views.push_back(make.rows(s.n, Kind::field, true));
  make.spoil(call.views[1]);
  call.views.push_back(way.weight ? read_weight(make, s, way.every_node) : Seen{});
  if (way.map) call.views.push_back(read_map(make, s, true, true));
  call.set(lm_p_read{0, way.flags, 0.7});
  call.tolerance = (16 + 2 * static_cast<double>(s.components * s.outer * s.inner)) * eps;
}

void read_nodes(Maker& make, const Shape& s, CallSpec& call) {
  constexpr struct {
    std::uint32_t flags;
    bool weight, every_node;
  } all[] = {{LM_READ_ACCUMULATE | LM_READ_REAL, true, true},
             {0, false, false},
             {LM_READ_PEAK, false, false},
             {LM_READ_ACCUMULATE | LM_READ_PEAK, true, false}};
  const auto& way = all[s.variant];
  call.views = {read_map(make, s, way.flags & LM_READ_ACCUMULATE, false), make.rows(s.n, Kind::field, true)};
  make.spoil(call.views[1]);
  if (way.weight) call.views.push_back(read_weight(make, s, way.every_node));
  call.set(lm_p_read{0, way.flags, 0.7});
  call.tolerance = (16 + 2 * std::sqrt(static_cast<double>(s.n))) * eps;
}

}  // namespace

void add_route_kernels(std::map<std::string, KnownKernel>& to) {
  to["core.mul.2"] = {&mul, 3, false};
  to["spatial.fft"] = {&transform, 4, false};
  to["spatial.matrix"] = {&matrix, 4, false};
  to["fft.pad"] = {&pad, 6, false};
  to["fft.crop"] = {&crop, 4, false};
  to["lin.prepare.2"] = {&prepare, 3, false};
  to["response.kerr.2"] = {&kerr, 8, false};
  to["response.convolution"] = {&convolution, 6, false};
  to["response.plasma"] = {&plasma, 4, false};
  to["response.chi2"] = {&chi2, 4, false};
  to["rhs.columns"] = {&columns, 6, true};
  to["read.samples"] = {&read_samples, 4, false};
  to["read.nodes"] = {&read_nodes, 4, false};
}

}  // namespace lumarch::conform
