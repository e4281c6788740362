// SPDX-License-Identifier: Apache-2.0
#include "fake_runtime.hpp"

#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

namespace fake {

Machine& machine() {
  static Machine one;
  return one;
}

namespace {

int once(int& code) { return std::exchange(code, ok); }

}  // namespace

int Runtime::count(int* n) noexcept {
  *n = machine().devices;
  return *n > 0 ? ok : no_device;
}
std::string Runtime::why_none(int code) { return "no fake GPU: " + gpu::words<Runtime>(code); }
int Runtime::describe(int index, gpu::Properties* out) {
  out->name = "fake GPU " + std::to_string(index);
  out->memory_bytes = machine().memory;
  out->cache_bytes = 64 << 10;  // two rows of some thousand samples: the fused kernels work in pieces
  return ok;
}
int Runtime::current(int* index) noexcept {
  *index = machine().current;
  return ok;
}
int Runtime::make_current(int index) noexcept {
  machine().current = index;
  return ok;
}
const char* Runtime::name(int code) noexcept {
  static constexpr const char* names[] = {"fakeOk",   "fakeNoDevice",  "fakeNoMemory",
                                          "fakeLost", "fakeNoCapture", "fakeOdd"};
  return names[code];
}
const char* Runtime::text(int code) noexcept { return code == lost ? "it fell off the bus" : "as the test wants it"; }
gpu::Trouble Runtime::trouble(int code) noexcept {
  return code == ok          ? gpu::Trouble::none
         : code == no_memory ? gpu::Trouble::memory
         : code == lost      ? gpu::Trouble::lost
                             : gpu::Trouble::other;
}
int Runtime::launch_error() noexcept { return once(machine().next_launch); }

int Runtime::open(int index) noexcept {
  index_ = index;
  not_now("open");
  return ok;
}
void Runtime::close() noexcept { queue_.clear(); }

void Runtime::not_now(const char* what) const {
  if (capturing_) machine().violations.push_back(std::string(what) + " while capturing");
  if (machine().current != index_) machine().violations.push_back(std::string(what) + " on another device");
}
void Runtime::reaches(const void* at, std::size_t bytes, const char* what) const {
  if (bytes == 0) return;
  auto next = machine().live.upper_bound(const_cast<void*>(at));
  const auto* first = static_cast<const char*>(at);
  if (next != machine().live.begin()) {
    const auto& [begin, size] = *--next;
    if (first + bytes <= static_cast<const char*>(begin) + size) return;
  }
  machine().violations.push_back(std::string(what) + " reaches memory that is not there");
}
void Runtime::put(std::function<void()> work) {
  if (machine().current != index_) machine().violations.emplace_back("work was put into the stream of another device");
  if (capturing_) {
    captured_.push_back(std::move(work));
    return;
  }
  queue_.push_back(std::move(work));
  ++put_;
}
int Runtime::run_until(std::uint64_t number) {
  const int code = once(machine().next_wait);
  machine().dead = machine().dead || code == lost;
  if (machine().dead) return lost;
  if (code != ok) return code;
  std::size_t ran = 0;
  for (; done_ < number; ++done_, ++ran) queue_[ran]();
  queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(ran));
  return ok;
}

int Runtime::alloc(void** at, std::size_t bytes) noexcept {
  not_now("alloc");
  if (bytes > machine().memory - machine().used()) return no_memory;
  *at = std::malloc(bytes);
  std::memset(*at, 0xFF, bytes);
  machine().live[*at] = bytes;
  return ok;
}
int Runtime::free(void* at) noexcept {
  not_now("free");
  if (machine().dead) return lost;
  if (!machine().live.count(at)) machine().violations.emplace_back("free of what is not there");
  put([at] {
    std::memset(at, 0xFF, machine().live[at]);
    machine().live.erase(at);
    std::free(at);
  });
  return ok;
}
int Runtime::free_memory(std::size_t* bytes) noexcept {
  *bytes = machine().memory - machine().used();
  return ok;
}
int Runtime::pin(void** at, std::size_t bytes) noexcept {
  not_now("pin");
  *at = std::malloc(bytes);
  ++machine().pinned;
  return ok;
}
void Runtime::unpin(void* at) noexcept {
  --machine().pinned;
  std::free(at);
}

// From pinned and from pageable memory alike it is read late: who relies on more must wait.
int Runtime::to_device(void* to, const void* from, std::size_t bytes) noexcept {
  put([=, this] {
    reaches(to, bytes, "an upload");
    std::memcpy(to, from, bytes);
  });
  return ok;
}
int Runtime::to_host(void* to, const void* from, std::size_t bytes) noexcept {
  put([=, this] {
    reaches(from, bytes, "a download");
    std::memcpy(to, from, bytes);
  });
  return ok;
}
int Runtime::on_device(void* to, const void* from, std::size_t bytes) noexcept {
  const auto *a = static_cast<const char*>(to), *b = static_cast<const char*>(from);
  if (a < b + bytes && b < a + bytes) machine().violations.emplace_back("a copy onto itself");
  put([=, this] {
    reaches(to, bytes, "a copy");
    reaches(from, bytes, "a copy");
    std::memcpy(to, from, bytes);
  });
  return ok;
}
int Runtime::copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                       std::size_t rows) noexcept {
  put([=] {
    for (std::size_t i = 0; i < rows; ++i)
      std::memmove(static_cast<char*>(to) + i * to_pitch, static_cast<const char*>(from) + i * from_pitch, width);
  });
  return ok;
}
int Runtime::clear_rows(void* to, std::size_t pitch, std::size_t width, std::size_t rows) noexcept {
  put([=] {
    for (std::size_t i = 0; i < rows; ++i) std::memset(static_cast<char*>(to) + i * pitch, 0, width);
  });
  return ok;
}

int Runtime::wait() noexcept {
  not_now("wait");
  ++machine().waits;
  return run_until(put_);
}
int Runtime::make(Event* event) noexcept {
  ++machine().events;
  *event = next_++;
  return ok;
}
void Runtime::destroy(int event_or_graph) noexcept {
  if (graphs_.erase(event_or_graph) == 1) {
    --machine().graphs;
    return;
  }
  events_.erase(event_or_graph);
  --machine().events;
}
int Runtime::record(Event event) noexcept {
  events_[event] = put_;
  return ok;
}
int Runtime::wait_for(Event event) noexcept {
  not_now("wait");
  ++machine().event_waits;
  return run_until(std::max(done_, events_[event]));
}
int Runtime::begin_capture() noexcept {
  not_now("a capture");
  if (const int code = once(machine().next_capture); code != ok) return code;
  ++machine().captures;
  capturing_ = true;
  captured_.clear();
  return ok;
}
int Runtime::end_capture(Graph* graph) noexcept {
  capturing_ = false;
  if (!graph) return ok;
  ++machine().graphs;
  *graph = next_++;
  graphs_[*graph] = std::move(captured_);
  return ok;
}
int Runtime::replay(Graph graph) noexcept {
  ++machine().replays;
  for (const auto& work : graphs_.at(graph)) put(work);
  return ok;
}

Runtime::Transform::Transform(Runtime& runtime, const lm_fft_desc& desc, std::int64_t in_distance,
                              std::int64_t out_distance, std::int64_t count)
    : desc_(desc), in_distance_(in_distance), out_distance_(out_distance), count_(count) {
  runtime.not_now("planning a transform");
}
std::size_t Runtime::Transform::area() const noexcept { return static_cast<std::size_t>(16 * desc_.n * count_); }

namespace {

using Complex = std::complex<double>;

// out[k] = sum_i in[i stride] root^(i k), by way of the parts that each prime factor of n leaves; roots: all powers of
// the root of the whole transform, of which this one's are every `step`-th.
void sum_up(const Complex* in, std::size_t stride, Complex* out, std::size_t n, const std::vector<Complex>& roots,
            std::size_t step) {
  if (n == 1) {
    *out = *in;
    return;
  }
  std::size_t p = 2;
  while (n % p != 0) p = p * p > n ? n : p + 1;
  const std::size_t m = n / p;
  std::vector<Complex> part(p);
  for (std::size_t r = 0; r < p; ++r) sum_up(in + r * stride, stride * p, out + r * m, m, roots, step * p);
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t r = 0; r < p; ++r) part[r] = out[r * m + k];
    for (std::size_t q = k; q < n; q += m) {
      double re = 0.0, im = 0.0;  // the products of std::complex look for what is not finite, and take their time
      for (std::size_t r = 0, power = 0; r < p; ++r, power = (power + q * step) % roots.size()) {
        re += part[r].real() * roots[power].real() - part[r].imag() * roots[power].imag();
        im += part[r].real() * roots[power].imag() + part[r].imag() * roots[power].real();
      }
      out[q] = {re, im};
    }
  }
}

}  // namespace

void Runtime::Transform::run(Runtime& runtime, void* area, void* in, void* out) {
  const std::int64_t n = desc_.n, half = n / 2 + 1;
  const std::size_t area_bytes = this->area();
  const lm_fft_desc desc = desc_;
  const std::int64_t in_distance = in_distance_, out_distance = out_distance_, count = count_;
  runtime.put([=, &runtime] {
    runtime.reaches(area, area_bytes, "a transform's work area");
    std::memset(area, 0xFF, area_bytes);
    std::vector<Complex> roots(static_cast<std::size_t>(n)), row(static_cast<std::size_t>(n)),
        sums(static_cast<std::size_t>(n));
    for (std::int64_t k = 0; k < n; ++k)
      roots[static_cast<std::size_t>(k)] =
          std::polar(1.0, desc.direction * 2 * M_PI * static_cast<double>(k) / static_cast<double>(n));
    for (std::int64_t r = 0; r < count; ++r) {
      const auto *reals = static_cast<const double*>(in) + r * in_distance,
                 *complex = reinterpret_cast<const double*>(in);
      const double* from = desc.kind == LM_FFT_R2C ? reals : complex + 2 * r * in_distance;
      for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t at = desc.kind == LM_FFT_C2R && i >= half ? n - i : i;
        Complex value = desc.kind == LM_FFT_R2C ? Complex(from[i]) : Complex(from[2 * at], from[2 * at + 1]);
        if (desc.kind == LM_FFT_C2R && (i == 0 || 2 * i == n)) value = value.real();
        row[static_cast<std::size_t>(i)] = at != i ? std::conj(value) : value;
      }
      double* to = static_cast<double*>(out) + (desc.kind == LM_FFT_C2R ? 1 : 2) * r * out_distance;
      sum_up(row.data(), 1, sums.data(), row.size(), roots, 1);
      for (std::int64_t k = 0; k < (desc.kind == LM_FFT_R2C ? half : n); ++k) {
        const Complex sum = sums[static_cast<std::size_t>(k)];
        if (desc.kind == LM_FFT_C2R)
          to[k] = sum.real();
        else
          to[2 * k] = sum.real(), to[2 * k + 1] = sum.imag();
      }
      // A complex-to-real transform may overwrite its input, so this one does.
      if (desc.kind == LM_FFT_C2R)
        for (std::int64_t i = 0; i < 2 * half; ++i)
          static_cast<double*>(in)[2 * r * in_distance + i] = std::numeric_limits<double>::quiet_NaN();
    }
  });
}

}  // namespace fake
