// SPDX-License-Identifier: Apache-2.0
// The fibre march against its bare FFTs: right-hand side, whole step, the ABI's calls, and the supercontinuum.
#include <cstdio>

#include <lumarch/examples.hpp>
#include <lumarch/run.hpp>
#include <lumarch/sdk/call.hpp>

#include "backend/program.hpp"
#include "bench/bench.hpp"

namespace lumarch::bench {

namespace {

using Kind = RowBlock::Kind;

// A kernel that checks its call as any kernel does, and computes nothing.
lm_status empty_kernel(lm_device* device, const lm_call* raw) noexcept {
  return sdk::fence([](const char*) {},
                    [&] {
                      const sdk::Call call(device, raw);
                      const auto a = call.rows<sdk::Complex>(0);
                      const auto b = call.rows<sdk::Complex>(1, a.samples);
                      const auto c = call.rows<sdk::Complex>(2, a.samples);
                      call.for_each_row(0, [&](const sdk::RowIndex& at) {
                        if (!a(at) || !b(at) || !c(at)) throw sdk::Fault(LM_E_INTERNAL, "no row");
                      });
                    });
}

std::uint64_t row_bytes(std::int64_t n) { return (static_cast<std::uint64_t>(n) * 16 + 63) / 64 * 64; }

// One member's rows, and the four transforms of a right-hand side with Raman.
struct Rig {
  Device& device;
  std::int64_t n;
  MemberBlock block;
  RowBlock u, out, field, source, half, real, work;
  Plan to_time, to_frequency, forward, backward;

  Rig(Device& d, std::int64_t points)
      : device(d),
        n(points),
        block(d, 1, 2),
        u(d, Kind::own, 1, n, LM_C128, 1, "u"),
        out(d, Kind::own, 1, n, LM_C128, 1, "out"),
        field(d, Kind::scratch, 1, n, LM_C128, 1, "field"),
        source(d, Kind::shared, 1, n, LM_C128, 1, "source"),
        half(d, Kind::own, 1, n / 2 + 1, LM_C128, 1, "half"),
        real(d, Kind::own, 1, n, LM_F64, 1, "real"),
        to_time(Plan::fft(d, n, LM_FFT_C2C, LM_FFT_FORWARD, false)),
        to_frequency(Plan::fft(d, n, LM_FFT_C2C, LM_FFT_BACKWARD, true)),
        forward(Plan::fft(d, n, LM_FFT_R2C, LM_FFT_FORWARD, true)),
        backward(Plan::fft(d, n, LM_FFT_C2R, LM_FFT_BACKWARD, true)) {
    for (const RowBlock* row : {&u, &out, &source, &half})
      row->upload(device, 0, 0, std::vector<sdk::Complex>(static_cast<std::size_t>(row->shape().samples), 1e-3),
                  "upload bench");
    real.upload(device, 0, 0, std::vector<double>(static_cast<std::size_t>(n), 1e-3), "upload bench");
    block.h[0] = 1e-5;
    block.upload(device);
    work = RowBlock(device, Kind::scratch, 1, static_cast<std::int64_t>(work_bytes()), LM_U8, 1, "work");
  }

  [[nodiscard]] std::uint64_t response_work() const {
    return std::max(forward.work_bytes(), backward.work_bytes()) + 2 * row_bytes(n / 2 + 1) + row_bytes(n);
  }
  [[nodiscard]] std::uint64_t work_bytes() const { return 2 * row_bytes(n) + response_work() + to_time.work_bytes(); }
};

Program bare_transforms(Rig& rig) {
  Program program;
  const lm_kernel_fn exec = rig.device.need("fft.exec");
  program.add(exec, {rig.field.view(), rig.u.view()}, nullptr, 0, {&rig.to_time});
  program.add(exec, {rig.half.view(), rig.real.view()}, nullptr, 0, {&rig.forward});
  program.add(exec, {rig.real.view(), rig.half.view()}, nullptr, 0, {&rig.backward});
  program.add(exec, {rig.out.view(), rig.field.view()}, nullptr, 0, {&rig.to_frequency});
  program.bind(rig.device, rig.block.view(), rig.work);
  return program;
}

// rhs.fibre with Kerr and Raman; what it points at must live as long as the program.
struct RightHandSide {
  lm_p_response params{sizeof(lm_p_response), 0, 0.82};
  lm_view table;
  lm_plan* plans[2];
  lm_response response{};
  Program program;

  explicit RightHandSide(Rig& rig) : table(rig.half.view()), plans{rig.forward.handle(), rig.backward.handle()} {
    response.fn = rig.device.need("response.kerr_raman");
    response.params = &params;
    response.params_size = sizeof(params);
    response.tables = &table;
    response.n_tables = 1;
    response.plans = plans;
    response.n_plans = 2;
    response.work_bytes = rig.response_work();
    const lm_p_rhs p{sizeof(lm_p_rhs), 1, &response};
    program.add(rig.device.need("rhs.fibre"), {rig.u.view(), rig.out.view(), rig.source.view(), lm_view{}, lm_view{}},
                &p, sizeof(p), {&rig.to_time, &rig.to_frequency}, rig.work_bytes());
    program.bind(rig.device, rig.block.view(), rig.work);
  }
  RightHandSide(const RightHandSide&) = delete;
  RightHandSide& operator=(const RightHandSide&) = delete;
};

constexpr int many_calls = 100;

Program empty_calls(Rig& rig) {
  Program program;
  for (int i = 0; i < many_calls; ++i)
    program.add(&empty_kernel, {rig.u.view(), rig.out.view(), rig.source.view()}, nullptr, 0, {});
  program.bind(rig.device, rig.block.view(), rig.work);
  return program;
}

Problem supercontinuum(const Request& request, std::int64_t points) {
  Problem problem = parse_problem(example_text("supercontinuum"));
  problem.time.points = points;
  problem.backend = request.backend;
  problem.planes = {0, problem.medium.length};
  problem.output.fields = Fields::none;
  problem.statistics.clear();
  return problem;
}

RunSummary timed(const Request& request, const Problem& problem) {
  MemorySink sink;
  RunOptions options;
  options.backend_path = request.folders;
  return run(problem, sink, options);
}

// Seconds an attempted step of erk43 takes, all of it: kernels, member block, controller.
double step_seconds(const Request& request, std::int64_t points, int steps) {
  Problem problem = supercontinuum(request, points);
  problem.medium.length = 1e-6 * steps;
  problem.planes = {0, problem.medium.length};
  problem.march.schedule.assign(static_cast<std::size_t>(steps), 1e-6);
  const RunSummary summary = timed(request, problem);
  return summary.end.timings.at("march") / steps;
}

}  // namespace

void fibre(const Request& request, std::ostream& out) {
  const LoadedBackend& backend = load_backend(request.backend.name, {request.folders, {}});
  char line[300];
  out << "backend: " << backend.name << ", " << backend.plugin->build << "\n\n"
      << "one thread, one member, microseconds; medians of interleaved rounds\n"
      << "points     4 bare FFTs   right-hand side   ratio   step/4   step/4 over FFTs   a call   calls of a step\n";
  Device device(backend, request.backend);
  for (const std::int64_t n :
       request.quick ? std::vector<std::int64_t>{256} : std::vector<std::int64_t>{1024, 4096, 16384, 65536}) {
    Rig rig(device, n);
    const Program bare = bare_transforms(rig), empty = empty_calls(rig);
    const RightHandSide rhs(rig);
    const int steps = static_cast<int>(std::max<std::int64_t>(20, 4'000'000 / n));
    double step = 0;
    const std::vector<double> t = interleaved({[&] { bare.run(); }, [&] { rhs.program.run(); }, [&] { empty.run(); },
                                               [&] {
                                                 rig.block.upload(device);
                                                 rig.block.download(device);
                                               }},
                                              request.quick ? 3 : request.rounds);
    std::vector<double> whole;
    for (int i = 0; i < (request.quick ? 1 : 5); ++i) whole.push_back(step_seconds(request, n, steps));
    std::nth_element(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(whole.size() / 2), whole.end());
    step = whole[whole.size() / 2];
    constexpr int calls_a_step = 10;  // prepare, four combinations, four right-hand sides, the error
    const double call = t[2] / many_calls, share = (calls_a_step * call + t[3]) / step;
    std::snprintf(line, sizeof(line), "%-10lld %11.2f %17.2f %7.3f %8.2f %18.3f %6.0f ns %15.2f %%\n",
                  static_cast<long long>(n), t[0] * 1e6, t[1] * 1e6, t[1] / t[0], step / 4 * 1e6, step / 4 / t[0],
                  call * 1e9, 100 * share);
    out << line << std::flush;
  }
  const StartUp start = start_up(request);
  std::snprintf(line, sizeof(line),
                "\nstart to the end of a first step and its file, 2^12 points: %.1f ms with kept plans, "
                "%.0f ms with an empty cache\n",
                start.kept * 1e3, start.fresh * 1e3);
  out << line;
  if (request.quick) return;
  for (const double tolerance : {1e-6, 1e-7}) {
    Problem problem = supercontinuum(request, 16384);
    problem.march.tolerance = tolerance;
    std::vector<double> times;
    RunSummary summary;
    for (int i = 0; i < 3; ++i) {
      summary = timed(request, problem);
      times.push_back(summary.seconds);
    }
    std::nth_element(times.begin(), times.begin() + 1, times.end());
    std::snprintf(line, sizeof(line), "supercontinuum, 2^14 points, erk43 at %.0e: %.2f s, %lld right-hand sides\n",
                  tolerance, times[1], static_cast<long long>(summary.end.evaluations));
    out << line << std::flush;
  }
}

}  // namespace lumarch::bench
