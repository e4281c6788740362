// SPDX-License-Identifier: Apache-2.0
// Single transforms of the cpu backend: its own against FFTW's by estimated, measured and patient plans, through
// fft.exec, in one run.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>

#include "backend/program.hpp"
#include "bench/bench.hpp"

namespace lumarch::bench {

namespace {

using Kind = RowBlock::Kind;

// What the backend reads when a device opens; put back at the end.
class Transforms {
public:
  explicit Transforms(const char* which) {
    if (const char* before = std::getenv(variable)) before_ = before;
    setenv(variable, which, 1);
  }
  ~Transforms() { before_.empty() ? unsetenv(variable) : setenv(variable, before_.c_str(), 1); }
  Transforms(const Transforms&) = delete;
  Transforms& operator=(const Transforms&) = delete;

private:
  static constexpr const char* variable = "LUMARCH_CPU_TRANSFORMS";
  std::string before_;
};

struct Candidate {
  const char* name;
  const char* transforms;
  const char* plan;
  std::int64_t most;  // planning beyond takes minutes
};
constexpr Candidate candidates[] = {{"own", "own", "estimate", 1 << 20},
                                    {"estimate", "fftw", "estimate", 1 << 20},
                                    {"measure", "fftw", "measure", 1 << 17},
                                    {"patient", "fftw", "patient", 1 << 14}};

BackendRequest planned(BackendRequest request, const char* plan) {
  request.plan = plan;
  request.threads = 1;
  return request;
}

// One transform of one row on a device of its own.
struct Rig {
  std::optional<Transforms> which;  // while the device opens
  Device device;
  Plan plan;
  MemberBlock block;
  RowBlock in, out, work;
  Program program;

  Rig(const LoadedBackend& backend, const BackendRequest& request, const Candidate& by, std::int64_t n, bool real)
      : which(by.transforms),
        device(backend, planned(request, by.plan)),
        plan(Plan::fft(device, n, real ? LM_FFT_R2C : LM_FFT_C2C, LM_FFT_FORWARD, false)),
        block(device, 1, 2),
        in(device, Kind::own, 1, n, real ? LM_F64 : LM_C128, 1, "in"),
        out(device, Kind::own, 1, real ? n / 2 + 1 : n, LM_C128, 1, "out") {
    which.reset();
    std::vector<double> values(static_cast<std::size_t>(real ? n : 2 * n));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<double>(i));
    device.upload(in.buffer(), 0, values.data(), values.size() * sizeof(double), "upload bench");
    block.upload(device);
    const auto bytes = static_cast<std::int64_t>(plan.work_bytes());
    if (bytes > 0) work = RowBlock(device, Kind::scratch, 1, bytes, LM_U8, 1, "work");
    program.add(device.need("fft.exec"), {out.view(), in.view()}, nullptr, 0, {&plan});
    program.bind(device, block.view(), work);
  }
};

void table(const Request& request, const LoadedBackend& backend, bool real, std::ostream& out) {
  char cell[80];
  out << (real ? "\nreal to complex" : "\ncomplex, forward, out of place") << "; GF/s, counted as "
      << (real ? "2.5" : "5") << " n log2 n\n     n";
  for (const Candidate& by : candidates) {
    std::snprintf(cell, sizeof(cell), "%10s", by.name);
    out << cell;
  }
  out << "   own over the best of FFTW\n";
  std::vector<std::int64_t> lengths = {256, 360};
  if (!request.quick) {
    lengths.clear();
    for (std::int64_t n = 64; n <= 1 << 20; n *= 2) lengths.push_back(n);
    for (const std::int64_t n : {60, 100, 360, 1000, 1536, 2187, 3125, 6000, 10000, 46656}) lengths.push_back(n);
  }
  for (const std::int64_t n : lengths) {
    std::vector<std::unique_ptr<Rig>> rigs;
    std::vector<std::function<void()>> calls;
    for (const Candidate& by : candidates) {
      if (n > by.most || (request.quick && std::string(by.plan) != "estimate")) continue;
      rigs.push_back(std::make_unique<Rig>(backend, request.backend, by, n, real));
      calls.push_back([rig = rigs.back().get()] { rig->program.run(); });
    }
    const std::vector<double> t = interleaved(calls, request.quick ? 3 : request.rounds);
    std::snprintf(cell, sizeof(cell), "%7lld", static_cast<long long>(n));
    out << cell;
    double best = 0;
    for (std::size_t i = 0; i < std::size(candidates); ++i) {
      if (i >= t.size()) {
        std::snprintf(cell, sizeof(cell), "%10s", "-");
      } else {
        const double flops = (real ? 2.5 : 5.0) * static_cast<double>(n) * std::log2(static_cast<double>(n));
        if (i > 0) best = best > 0 ? std::min(best, t[i]) : t[i];
        std::snprintf(cell, sizeof(cell), "%10.1f", flops / t[i] * 1e-9);
      }
      out << cell;
    }
    std::snprintf(cell, sizeof(cell), "%10.2f\n", best / t[0]);
    out << cell << std::flush;
  }
}

}  // namespace

void fft(const Request& request, std::ostream& out) {
  if (request.backend.name != "cpu")
    throw Error(Fault::problem,
                "lumarch bench fft: it compares the transforms of the cpu backend, not of " + request.backend.name);
  const LoadedBackend& backend = load_backend(request.backend.name, {request.folders, {}});
  out << "backend: " << backend.name << ", " << backend.plugin->build
      << "\none thread, medians of interleaved rounds, with the call through the ABI\n";
  for (const bool real : {false, true}) table(request, backend, real, out);
}

}  // namespace lumarch::bench
