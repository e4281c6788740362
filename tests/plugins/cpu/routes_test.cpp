// SPDX-License-Identifier: Apache-2.0
// The kernels of transverse routes on members of many rows: against the reference backend, and the same bits with one
// thread and with several, alone and in a batch.
#include <algorithm>
#include <array>

#include <plugins/cpu/rows/media.hpp>

#include "support.hpp"

using namespace cpu_tests;

#if defined(LUMARCH_WIDE_MATRIX)
namespace lumarch::cpu::wide {
void matrix(const MatrixPanel& panel);
}
#endif

namespace {

const driver::Plugin& reference() {
  static const driver::Plugin loaded(std::string(LUMARCH_BACKEND_DIR) + "/liblumarch_backend_reference.so");
  return loaded;
}

struct Axes {
  std::int64_t components = 1, outer = 1, inner = 1;
};
driver::Layout layout(const Axes& axes, bool shared) {
  driver::Layout out;
  out.shared = shared;
  out.components = axes.components;
  out.outer = axes.outer;
  out.inner = axes.inner;
  return out;
}

// Rows that outlive the call, each member with numbers of its own, whoever is in the batch.
struct Room {
  Room(const driver::Device& on, std::uint32_t first_member, std::uint32_t count)
      : device(on), first(first_member), members(on, count, 4, 4) {
    for (std::uint32_t m = 0; m < count; ++m) {
      members.h[m] = 0.5 + 0.125 * (first + m);
      for (std::uint32_t j = 0; j < 4; ++j) members.scales[m * 4 + j] = 0.75 + 0.125 * (first + m) + 0.0625 * j;
    }
    members.put();
  }
  template <class T>
  lm_view rows(std::int64_t n, const Axes& axes, bool shared = false, double size = 1.0) {
    const auto count = static_cast<std::uint32_t>(members.h.size());
    const driver::Array<T> array(device, count, n, layout(axes, shared));
    std::vector<T> all;
    const std::size_t a_member = array.size / (shared ? 1 : count);
    ++seed;
    for (std::uint32_t m = 0; m < (shared ? 1 : count); ++m)
      for (const T v : random_values<T>(a_member, seed * 100 + (shared ? 0 : first + m))) all.push_back(v * size);
    array.put(all);
    return array.view;
  }
  lm_status call(const std::string& kernel, const std::vector<lm_view>& views, std::vector<std::byte> params,
                 const std::vector<lm_plan*>& plans, std::uint64_t bytes) {
    driver::List list(device, members);
    driver::Call& c = list.add(kernel, views, plans);
    c.params = std::move(params);
    const auto work = driver::work_area(device, bytes + 64);
    c.work = work.view;
    return device.api.run ? list.run() : list.each();  // the reference has no run
  }
  const driver::Device& device;
  std::uint32_t first;
  driver::Members members;
  unsigned seed = 0;
};

template <class P>
std::vector<std::byte> bytes_of(const P& p) {
  std::vector<std::byte> out(sizeof p);
  std::memcpy(out.data(), &p, sizeof p);
  return out;
}

// What a kernel leaves of one member: doubles, as they lie from the member's first row to its last.
using Result = std::vector<double>;
using Work = std::function<lm_view(Room&)>;  // makes the call, answers what was written

Result leave(const driver::Device& device, const Work& work, std::uint32_t first, std::uint32_t count,
             std::uint32_t member) {
  Room room(device, first, count);
  const lm_view out = work(room);
  const std::size_t width = out.dtype == LM_C128 ? 2 : 1;
  const auto row = static_cast<std::size_t>(out.extent[LM_AXIS_SAMPLE]) * width;
  Result result;
  std::vector<double> one(row);
  for (std::int64_t c = 0; c < out.extent[1]; ++c)
    for (std::int64_t y = 0; y < out.extent[2]; ++y)
      for (std::int64_t x = 0; x < out.extent[3]; ++x) {
        const std::uint64_t at = out.offset + static_cast<std::uint64_t>(member * out.pitch[0] + c * out.pitch[1] +
                                                                         y * out.pitch[2] + x * out.pitch[3]);
        device.check(device.api.download(device.handle, out.buffer, at * width * 8, one.data(), row * 8));
        result.insert(result.end(), one.begin(), one.end());
      }
  const auto numbers = room.members.read_numbers();
  result.insert(result.end(), numbers.begin() + 4 * member, numbers.begin() + 4 * member + 4);
  return result;
}

double off(const Result& got, const Result& right) {
  double worst = 0, size = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    worst = std::max(worst, std::abs(got[i] - right[i]));
    size = std::max(size, std::abs(right[i]));
  }
  return got.size() == right.size() && size > 0 ? worst / size : INFINITY;
}

void check(const Work& work) {
  const driver::Host host;
  const driver::Device one(plugin(), host, quick("1")), two(plugin(), host, quick("2")), oracle(reference(), host);
  const Result alone = leave(one, work, 1, 1, 0);
  CHECK(off(alone, leave(oracle, work, 1, 1, 0)) < 1e-13);
  CHECK(same_bits(alone, leave(two, work, 1, 1, 0)));
  CHECK(same_bits(alone, leave(one, work, 0, 3, 1)));
  CHECK(same_bits(alone, leave(two, work, 0, 3, 1)));
}

std::uint64_t row_bytes(std::int64_t bytes) { return (static_cast<std::uint64_t>(bytes) + 63) / 64 * 64; }

const Axes many = {2, 8, 12};  // 192 rows
constexpr std::int64_t n = 400;

}  // namespace

TEST_CASE("products, sums, propagators and errors of many rows") {
  check([](Room& room) {
    const lm_view out = room.rows<Complex>(n, many), x = room.rows<Complex>(n, many),
                  t = room.rows<double>(n, {1, 1, 12}, true);
    room.device.check(room.call("core.mul 2", {out, x, t}, {}, {}, 0));
    return out;
  });
  check([](Room& room) {
    const lm_view out = room.rows<Complex>(n, many), x = room.rows<Complex>(n, many), t = room.rows<Complex>(n, many);
    room.device.check(room.call("core.mul", {out, x, t}, {}, {}, 0));
    room.device.check(room.call("core.lincomb", {out, out, x, t},
                                bytes_of(driver::combination({{1, 0, 0}, {0.5, 1, 0}, {-2, 1, 0}})), {}, 0));
    room.device.check(room.call("lin.apply", {out, out, t}, bytes_of(lm_p_apply{sizeof(lm_p_apply), 0}), {}, 0));
    room.device.check(
        room.call("reduce.error", {out, x, t}, bytes_of(driver::combination({{1, 1, 0}, {-1, 0, 0}}, 2)), {}, 0));
    return out;
  });
  check([](Room& room) {
    const lm_view out = room.rows<Complex>(n, many), a = room.rows<Complex>(n, many),
                  b = room.rows<Complex>(n, {1, 1, 12}, true);
    room.device.check(
        room.call("lin.prepare 2", {out, a, b}, bytes_of(lm_p_scaled{sizeof(lm_p_scaled), 2, 2, 0}), {}, 0));
    return out;
  });
}

TEST_CASE("step.combine and lin.prepare of many rows have the same bits at any number of threads") {
  const driver::Host host;
  const driver::Device one(plugin(), host, quick("1")), two(plugin(), host, quick("2"));
  const Work work = [](Room& room) {
    const lm_view out = room.rows<Complex>(n, many), x = room.rows<Complex>(n, many), D = room.rows<Complex>(n, many);
    const lm_view E = room.rows<Complex>(n, many);
    room.device.check(room.call("lin.prepare", {E}, {}, {room.device.propagator(D, 0.5, false)}, 0));
    room.device.check(
        room.call("step.combine", {out, x, D, E}, bytes_of(driver::combination({{1, 0, 1}, {0.5, 1, 0}})), {}, 0));
    return out;
  };
  CHECK(same_bits(leave(one, work, 1, 1, 0), leave(two, work, 1, 1, 0)));
  CHECK(same_bits(leave(one, work, 1, 1, 0), leave(two, work, 0, 3, 1)));
}

TEST_CASE(
    "transforms along axes: panels of own lengths, columns of FFTW's, and of rows that are shorter than a panel") {
  for (const std::int64_t length : {1, 16, 60, 128, 11, 37})
    for (const std::int64_t samples : {20, 33, 50, 200})
      for (const int axis : {LM_AXIS_OUTER, LM_AXIS_INNER}) {
        CAPTURE(length);
        CAPTURE(samples);
        check([&](Room& room) {
          const Axes axes = axis == LM_AXIS_OUTER ? Axes{2, length, 5} : Axes{2, 5, length};
          const lm_view out = room.rows<Complex>(samples, axes), in = room.rows<Complex>(samples, axes);
          std::uint64_t bytes = 0;
          lm_plan* const plan = room.device.fft(LM_FFT_C2C, length, LM_FFT_BACKWARD, false, false, &bytes);
          room.device.check(room.call("spatial.fft", {out, in}, bytes_of(lm_p_axis{sizeof(lm_p_axis), axis}), {plan},
                                      bytes + 2 * row_bytes(16 * length * samples)));
          return out;
        });
      }
}

TEST_CASE("a matrix between many nodes: more terms than a block, tiles and panels that are not whole") {
  for (const auto& [q, j, samples] : {std::array<std::int64_t, 3>{64, 64, 96}, {67, 300, 101}, {3, 513, 35}})
    for (const int K : {1, 2}) {
      check([&](Room& room) {
        const lm_view out = room.rows<Complex>(samples, {K, 1, q}), in = room.rows<Complex>(samples, {1, 1, j}),
                      matrix = room.rows<double>(j, {K, 1, q}, true);
        room.device.check(room.call("spatial.matrix", {out, in, matrix}, {}, {}, 0));
        return out;
      });
    }
}

TEST_CASE("columns of many nodes with Kerr, a convolution and a plasma") {
  for (const std::uint32_t kind : {LM_BAND_ENVELOPE, LM_BAND_HALF, LM_BAND_ANALYTIC})
    for (const std::int64_t components : {1, 2})
      for (const std::uint32_t together : {1u, 7u}) {
        CAPTURE(kind);
        CAPTURE(components);
        check([&](Room& room) {
          const driver::Device& device = room.device;
          const Axes axes = {components, 2, 25};
          const std::int64_t band = 96, N = 256, half = N + 1;
          const lm_view in = room.rows<Complex>(band, axes, false, 0.1), out = room.rows<Complex>(band, axes),
                        pre = room.rows<double>(band, {1, 1, 25}, true), window = room.rows<double>(N, {}, true),
                        post = room.rows<Complex>(band, {1, 1, 1}, true),
                        current = room.rows<Complex>(band, {1, 1, 1}, true);
          const lm_view H = room.rows<Complex>(half, {}, true, 1.0 / 512),
                        table = room.rows<double>(6, {1, 1, 2}, true);
          std::uint64_t work[4] = {};
          const bool c2r = kind == LM_BAND_HALF, envelope = kind == LM_BAND_ENVELOPE;
          lm_plan* const plans[2] = {device.fft(c2r ? LM_FFT_C2R : LM_FFT_C2C, N,
                                                c2r ? LM_FFT_BACKWARD : LM_FFT_FORWARD, false, true, &work[0]),
                                     device.fft(envelope ? LM_FFT_C2C : LM_FFT_R2C, N,
                                                envelope ? LM_FFT_BACKWARD : LM_FFT_FORWARD, false, true, &work[1])};
          lm_plan* const real[2] = {device.fft(LM_FFT_R2C, 2 * N, LM_FFT_FORWARD, false, true, &work[2]),
                                    device.fft(LM_FFT_C2R, 2 * N, LM_FFT_BACKWARD, false, true, &work[3])};
          const std::uint64_t delayed =
              *std::max_element(work, work + 4) + row_bytes(16 * N) + 2 * row_bytes(16 * half);
          const lm_p_kerr kerr = {sizeof kerr, 0, 2, 0, 0.8, 0, 0, 0, 0};
          const lm_p_convolution convolution = {sizeof convolution, flags_of(true) | std::uint32_t{LM_RESPONSE_TENSOR},
                                                0, 0, 0.5};
          const lm_p_plasma plasma = {sizeof plasma, 0, 1, 0, 1.5, 0.8, 0.3, 0.1, 0.01, 0.25, 0.3};
          const auto fn = [&](const char* name) { return device.plugin.kernel(name); };
          const lm_response all[] = {
              {fn("response.kerr 2"), &kerr, nullptr, nullptr, sizeof kerr, 0, 0, {LM_POLARISATION}, 0},
              {fn("response.convolution"),
               &convolution,
               &H,
               real,
               sizeof convolution,
               1,
               2,
               {LM_POLARISATION},
               delayed},
              {fn("response.plasma"), &plasma, &table, nullptr, sizeof plasma, 1, 0, {LM_CURRENT}, 0}};
          const std::uint32_t responses = envelope ? 2 : 3;
          const lm_p_columns p = {sizeof p, responses, all, N, kind, together, 1, 3};
          device.check(room.call("rhs.columns", {in, out, pre, window, post, current}, bytes_of(p),
                                 {plans[0], plans[1]},
                                 4 * together * static_cast<std::uint64_t>(components) * row_bytes(16 * N) + delayed));
          return out;
        });
      }
}

TEST_CASE("a response that fails on one of several threads is the call's failure, with its words") {
  const driver::Host host;
  const driver::Device device(plugin(), host, quick("2"));
  Room room(device, 0, 1);
  const Axes axes = {1, 1, 64};
  const lm_view in = room.rows<Complex>(64, axes), out = room.rows<Complex>(64, axes),
                post = room.rows<Complex>(64, {}, true);
  lm_plan* const plans[2] = {device.fft(LM_FFT_C2C, 64, LM_FFT_FORWARD), device.fft(LM_FFT_C2C, 64, LM_FFT_BACKWARD)};
  const lm_p_kerr kerr = {sizeof kerr, 1u << 30, 0, 0, 0.8, 0, 0, 0, 0};
  const lm_response one = {plugin().kernel("response.kerr 2"), &kerr, nullptr, nullptr, sizeof kerr, 0, 0, {0}, 0};
  const lm_p_columns p = {sizeof p, 1, &one, 64, LM_BAND_ENVELOPE, 1, 0, 0};
  CHECK(room.call("rhs.columns", {in, out, {}, {}, post}, bytes_of(p), {plans[0], plans[1]}, 4 * 1024) ==
        LM_E_UNSUPPORTED);
  CHECK(device.error() == "response 0: unknown flags");
}

#if defined(LUMARCH_WIDE_MATRIX)
TEST_CASE("the matrix product with eight lanes: each element is one sum from the lowest term up, to the bit") {
  if (!__builtin_cpu_supports("fma")) return;
  for (const auto& [rows, terms, columns] :
       {std::array<std::size_t, 3>{13, 300, 24}, {8, 256, 24}, {3, 7, 10}, {17, 513, 1}})
    for (const bool add : {false, true}) {
      const std::size_t pitch = 32;
      const auto matrix = random_values<double>(rows * terms, 1), in = random_values<double>(terms * pitch, 2);
      auto out = random_values<double>(rows * pitch, 3);
      auto expected = out;
      for (std::size_t q = 0; q < rows; ++q)
        for (std::size_t i = 0; i < columns; ++i) {
          double sum = add ? out[q * pitch + i] : 0.0;
          for (std::size_t j = 0; j < terms; ++j) sum = std::fma(matrix[q * terms + j], in[j * pitch + i], sum);
          expected[q * pitch + i] = sum;
        }
      lumarch::cpu::wide::matrix(
          {out.data(), pitch, in.data(), pitch, matrix.data(), terms, rows, terms, columns, add});
      CHECK(same_bits(out, expected));
    }
}
#endif
