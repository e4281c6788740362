// SPDX-License-Identifier: Apache-2.0
// Right-hand sides of routes with transverse nodes over what they cannot do without: transforms or products across
// nodes, and each node's transforms to time and back.
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>

#include "backend/program.hpp"
#include "bench/bench.hpp"

namespace lumarch::bench {

namespace {

// A grid of nodes; with `modes` the state has so many, and the matrix leads to the nodes.
struct Route {
  const char* name;
  std::int64_t outer, inner, samples;
  bool matrix;
  std::int64_t modes;
};

std::uint64_t round_up(std::uint64_t bytes) { return (bytes + 63) / 64 * 64; }

// Rows of all nodes of one member. A row more than a power of two apart, so that neighbours do not meet in the cache.
struct Rows {
  Rows(Device& device, std::int64_t outer, std::int64_t inner, std::int64_t n, std::int32_t dtype) {
    const std::int64_t size = dtype == LM_C128 ? 16 : 8, line = 64 / size;
    const std::int64_t row = (n + line - 1) / line * line + line, plane = row * inner + line;
    buffer = Buffer(device, static_cast<std::uint64_t>(plane * outer * size), "rows");
    view.buffer = buffer.handle();
    const std::int64_t extent[LM_AXES] = {1, 1, outer, inner, n},
                       pitch[LM_AXES] = {plane * outer, plane * outer, plane, row, 1};
    std::copy_n(extent, int{LM_AXES}, view.extent);
    std::copy_n(pitch, int{LM_AXES}, view.pitch);
    view.dtype = dtype;
    const std::vector<double> small(static_cast<std::size_t>(plane * size / 8), 1e-3);
    for (std::int64_t y = 0; y < outer; ++y)
      device.upload(buffer, static_cast<std::uint64_t>(y * plane * size), small.data(), small.size() * 8,
                    "upload bench");
  }
  Buffer buffer;
  lm_view view{};
};

struct Rig {
  Rig(Device& on, const Route& of, bool real_field)
      : device(on),
        route(of),
        real(real_field),
        n(of.samples),
        N(real_field ? 2 * of.samples : of.samples),
        block(on, 1, 2),
        in(on, of.outer, of.modes ? of.modes : of.inner, n, LM_C128),
        out(on, of.outer, of.modes ? of.modes : of.inner, n, LM_C128),
        space(on, of.outer, of.inner, n, LM_C128),
        time(on, of.outer, of.inner, N, real_field ? LM_F64 : LM_C128),
        longer(on, of.outer, of.inner, real_field ? N / 2 + 1 : N, LM_C128),
        post(on, 1, 1, n, LM_C128),
        to_time(Plan::fft(on, N, real_field ? LM_FFT_C2R : LM_FFT_C2C, real_field ? LM_FFT_BACKWARD : LM_FFT_FORWARD,
                          real_field)),
        to_frequency(Plan::fft(on, N, real_field ? LM_FFT_R2C : LM_FFT_C2C,
                               real_field ? LM_FFT_FORWARD : LM_FFT_BACKWARD, false)) {
    const std::int64_t axes[2] = {of.inner, of.outer};
    for (const std::int64_t axis : axes)
      for (const int direction : {LM_FFT_FORWARD, LM_FFT_BACKWARD})
        if (!of.matrix) across.push_back(Plan::fft(on, axis, LM_FFT_C2C, direction, false));
    if (of.matrix) {
      const std::int64_t modes = of.modes ? of.modes : of.inner;
      there.emplace(on, 1, of.inner, modes, LM_F64);
      back.emplace(on, 1, modes, of.inner, LM_F64);
    }
    block.upload(device);
    kerr = {sizeof kerr, 0, 0, 0, 0.8, 0, 0, 0, 0};
    response.fn = device.need("response.kerr", 2);
    response.params = &kerr;
    response.params_size = sizeof kerr;
    response.output = LM_POLARISATION;
    std::uint64_t bytes =
        3 * round_up(16 * static_cast<std::uint64_t>(N)) + to_time.work_bytes() + to_frequency.work_bytes();
    const std::int64_t longest = std::max(of.outer, of.inner);
    for (const Plan& plan : across)
      bytes = std::max(bytes, plan.work_bytes() + 2 * round_up(16 * static_cast<std::uint64_t>(longest * n)));
    const std::uint32_t workers = device.workers();
    work = RowBlock(device, RowBlock::Kind::scratch, workers, static_cast<std::int64_t>(bytes), LM_U8, 1, "work");
    work_bytes = bytes;
  }
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

  // From the state to the nodes, into `space`, and back from there.
  void to_nodes(Program& program) { cross(program, in.view, space.view, true); }
  void to_state(Program& program) { cross(program, space.view, out.view, false); }
  void cross(Program& program, const lm_view& from, const lm_view& to, bool forward) {
    if (route.matrix)
      return program.add(device.need("spatial.matrix"), {to, from, forward ? there->view : back->view}, nullptr, 0, {});
    const lm_p_axis x = {sizeof x, LM_AXIS_INNER}, y = {sizeof y, LM_AXIS_OUTER};
    const std::size_t sign = forward ? 0 : 1;
    program.add(device.need("spatial.fft"), {to, from}, &x, sizeof x, {&across[sign]}, work_bytes);
    if (route.outer > 1)
      program.add(device.need("spatial.fft"), {to, to}, &y, sizeof y, {&across[2 + sign]}, work_bytes);
  }
  void columns(Program& program) {
    const lm_p_columns p = {sizeof p, 1, &response, N, real ? LM_BAND_HALF : LM_BAND_ENVELOPE, 1, 0, 0};
    program.add(device.need("rhs.columns"), {space.view, space.view, lm_view{}, lm_view{}, post.view}, &p, sizeof p,
                {&to_time, &to_frequency}, work_bytes);
  }
  void transforms(Program& program) {
    program.add(device.need("fft.exec"), {time.view, longer.view}, nullptr, 0, {&to_time});
    program.add(device.need("fft.exec"), {longer.view, time.view}, nullptr, 0, {&to_frequency});
  }
  Program made(std::initializer_list<void (Rig::*)(Program&)> parts) {
    Program program;
    for (const auto part : parts) (this->*part)(program);
    program.bind(device, block.view(), work);
    return program;
  }

  Device& device;
  const Route& route;
  bool real;
  std::int64_t n, N;
  MemberBlock block;
  Rows in, out, space, time, longer, post;
  Plan to_time, to_frequency;
  std::vector<Plan> across;
  std::optional<Rows> there, back;
  lm_p_kerr kerr{};
  lm_response response{};
  RowBlock work;
  std::uint64_t work_bytes = 0;
};

}  // namespace

void routes(const Request& request, std::ostream& out) {
  const LoadedBackend& backend = load_backend(request.backend.name, {request.folders, {}});
  Device device(backend, request.backend);
  out << "backend: " << backend.name << ", " << backend.plugin->build
      << "\n\none member, threads = " << request.backend.threads
      << ", Kerr, milliseconds; medians of interleaved rounds. across: over the nodes and back;\n"
         "to time: all nodes to time and back; both by kernels of their own. ratio: the right-hand side over their "
         "sum\n"
      << "route                      nodes x samples       in time   across   to time   right-hand side   ratio\n";
  std::vector<Route> all = {{"line", 1, 512, 1024, false, 0},
                            {"radial", 1, 256, 1024, true, 0},
                            {"Cartesian", 128, 128, 256, false, 0},
                            {"4 modes, 64 quadrature nodes", 1, 64, 4096, true, 4}};
  if (request.quick)
    all = {{"line", 1, 32, 64, false, 0},
           {"radial", 1, 24, 64, true, 0},
           {"Cartesian", 12, 16, 32, false, 0},
           {"4 modes, 64 quadrature nodes", 1, 64, 64, true, 4}};
  else
    all.push_back({"Cartesian", 192, 192, 512, false, 0});
  for (const Route& route : all)
    for (const bool real : {false, true}) {
      Rig rig(device, route, real);
      const Program across = rig.made({&Rig::to_nodes, &Rig::to_state}), transforms = rig.made({&Rig::transforms}),
                    rhs = rig.made({&Rig::to_nodes, &Rig::columns, &Rig::to_state});
      const bool large = route.outer * route.inner * route.samples > 1 << 22;
      const std::vector<double> t = interleaved({[&] { across.run(); }, [&] { transforms.run(); }, [&] { rhs.run(); }},
                                                request.quick ? 3
                                                : large       ? std::min(5, request.rounds)
                                                              : request.rounds);
      char line[200];
      const std::string grid = (route.outer > 1 ? std::to_string(route.outer) + " x " : std::string()) +
                               std::to_string(route.inner) + " x " + std::to_string(route.samples);
      std::snprintf(line, sizeof(line), "%-28s %-17s %5lld %-5s %7.2f %9.2f %17.2f %7.3f\n", route.name, grid.c_str(),
                    static_cast<long long>(rig.N), real ? "f64" : "c128", t[0] * 1e3, t[1] * 1e3, t[2] * 1e3,
                    t[2] / (t[0] + t[1]));
      out << line << std::flush;
    }
}

}  // namespace lumarch::bench
