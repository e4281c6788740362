// The launcher finds on a CPU what would go wrong on a GPU: bodies that are wrong in one way each, and one that is
// right.
#include "launcher.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "apart.hpp"
#include "memory.hpp"

using namespace lumarch;
using namespace lumarch::emulated;
using kernels::Grid;
using kernels::Place;
using test::signal_of;

namespace {

constexpr Order orders[] = {Order::forward, Order::reversed, Order::shuffled};

Options with(Order order, std::uint32_t warp = 32, std::uint64_t seed = 1) {
  Options options;
  options.order = order;
  options.warp = warp;
  options.seed = seed;
  return options;
}

// Members that all run, and memory for bodies.
class Members {
public:
  explicit Members(std::uint32_t count) : memory_(true) {
    grid.n_active = count;
    grid.active = put<std::uint32_t>(count);
    grid.status = put<std::uint8_t>(count);
    grid.parity = put<std::uint8_t>(count);
    grid.h = put<double>(count);
    for (std::uint32_t m = 0; m < count; ++m) {
      const_cast<std::uint32_t*>(device_address(grid.active))[m] = m;
      const_cast<std::uint8_t*>(device_address(grid.status))[m] = LM_RUNNING;
      const_cast<std::uint8_t*>(device_address(grid.parity))[m] = 0;
      const_cast<double*>(device_address(grid.h))[m] = 1;
    }
  }
  // As the host sees it: values(p) is where they are.
  template <class T>
  T* put(std::size_t n) {
    return static_cast<T*>(memory_.resolve(memory_.alloc(n * sizeof(T)), nullptr));
  }
  Grid grid;

private:
  Memory memory_;
};

// Puts each thread's number into shared memory at its warp and takes what the warp before it put there.
struct Neighbour {
  bool barrier;
  double* out;
  template <class Block, class Sync>
  void operator()(const Grid&, const Block& block, Sync& sync, double* shared) const {
    const unsigned warp = block.thread() / sync.width();
    const bool first = block.thread() % sync.width() == 0;
    if (first) shared[warp] = warp + 1.0;
    if (barrier) sync.barrier();
    if (first) device_address(out)[warp] = warp == 0 ? 0.0 : shared[warp - 1];
  }
};

bool right(const Neighbour& body, unsigned warps) {
  for (unsigned w = 0; w < warps; ++w)
    if (device_address(body.out)[w] != static_cast<double>(w)) return false;
  return true;
}

// kernels::block_sum without its first barrier.
struct SumWithoutBarrier {
  double* out;
  template <class Block, class Sync>
  void operator()(const Grid&, const Block& block, Sync& sync, double* shared) const {
    double value = block.thread() + 1.0;
    for (unsigned d = sync.width() / 2; d > 0; d /= 2) value += sync.down(value, d);
    if (block.thread() % sync.width() == 0) shared[block.thread() / sync.width()] = value;
    if (block.thread() != 0) return;
    double total = 0;
    for (unsigned w = 0; w < block.threads() / sync.width(); ++w) total += shared[w];
    device_address(out)[0] = total;
  }
};

struct Half {
  template <class Block, class Sync>
  void operator()(const Grid&, const Block& block, Sync& sync, double*) const {
    if (block.thread() < 128) sync.barrier();
  }
};

struct Different {
  template <class Block, class Sync>
  void operator()(const Grid&, const Block& block, Sync& sync, double*) const {
    if (block.thread() < 100)
      sync.barrier();
    else
      sync.barrier();
  }
};

struct Part {
  template <class Block, class Sync>
  void operator()(const Grid&, const Block& block, Sync& sync, double*) const {
    if (block.thread() % 64 != 40) (void)sync.down(1.0, 1);
  }
};

struct Down {
  double* out;
  unsigned d;
  template <class Block, class Sync>
  void operator()(const Grid&, const Block& block, Sync& sync, double*) const {
    device_address(out)[block.thread()] = sync.down(block.thread(), d);
  }
};

struct Behind {
  unsigned at;
  template <class Block, class Sync>
  void operator()(const Grid&, const Block& block, Sync&, double* shared) const {
    if (block.thread() == 0) test::touch(shared + at);
  }
};

template <class Call>
std::string fault_of(Call&& call) {
  try {
    call();
  } catch (const sdk::Fault& fault) {
    CHECK(fault.status() == LM_E_INTERNAL);
    return fault.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("launcher: samples and rows are visited once each, in the order asked for") {
  struct Note {
    std::vector<std::pair<std::uint32_t, std::int64_t>>* seen;
    void operator()(const Grid&, const Place& at, std::int64_t s) const { seen->emplace_back(at.member, s); }
  };
  std::vector<std::vector<std::pair<std::uint32_t, std::int64_t>>> all;
  for (const auto& options :
       {with(Order::forward), with(Order::reversed), with(Order::shuffled), with(Order::shuffled, 32, 2)}) {
    Members members(3);
    members.grid.samples = 50;
    auto& seen = all.emplace_back();
    Launcher launcher(options);
    launcher.elements(members.grid, Note{&seen});
    CHECK(seen.size() == 150);
    CHECK(std::set(seen.begin(), seen.end()).size() == 150);
  }
  CHECK(all[0].front() == std::pair{0u, std::int64_t{0}});
  CHECK(all[1].front() == std::pair{2u, std::int64_t{49}});
  CHECK(std::vector(all[1].rbegin(), all[1].rend()) == all[0]);
  CHECK(all[2] != all[0]);
  CHECK(all[2] != all[1]);
  CHECK(all[3] != all[2]);
}

TEST_CASE("launcher: members that do not run are left alone") {
  struct Mark {
    double* out;
    void operator()(const Grid&, const Place& at, std::int64_t) const { device_address(out)[at.member] = 1; }
  };
  Members members(3);
  members.grid.samples = 1;
  const_cast<std::uint8_t*>(device_address(members.grid.status))[1] = LM_DONE;
  const Mark body{members.put<double>(3)};
  Launcher(with(Order::reversed)).elements(members.grid, body);
  CHECK(device_address(body.out)[0] == 1);
  CHECK(std::isnan(device_address(body.out)[1]));
  CHECK(device_address(body.out)[2] == 1);
}

TEST_CASE("launcher: the sums of the error are exact in every order and for both widths") {
  constexpr std::int64_t n = 5000;
  for (const Order order : orders)
    for (const std::uint32_t warp : {32u, 64u}) {
      Members members(2);
      members.grid.samples = n;
      auto* const y = members.put<kernels::c128>(2 * n);
      for (std::int64_t s = 0; s < 2 * n; ++s)
        device_address(y)[s] = {static_cast<double>(s % n + 1), s < n ? 0.0 : 1.0};
      kernels::ErrorPartials body{};
      body.y.base = y;
      body.y.pitch[0] = n;
      body.terms.n = 1;
      body.terms.x[0].base = y;
      body.terms.x[0].pitch[0] = n;
      body.terms.c[0] = 2;
      const unsigned blocks = kernels::reduce_blocks(n);
      REQUIRE(blocks == 3);
      body.partial = members.put<double>(2 * 2 * blocks);
      Launcher launcher(with(order, warp));
      launcher.blocks(members.grid, blocks, body);
      for (std::size_t m = 0; m < 2; ++m) {
        double error = 0, field = 0;
        for (std::size_t b = 0; b < blocks; ++b) {
          error += device_address(body.partial)[2 * (m * blocks + b)];
          field += device_address(body.partial)[2 * (m * blocks + b) + 1];
        }
        const double squares = n * (n + 1.0) * (2 * n + 1) / 6 + (m ? n : 0);  // whole numbers: no rounding
        CHECK(field == squares);
        CHECK(error == 4 * squares);
      }
    }
}

TEST_CASE("launcher: a missing barrier passes forward and shows reversed and shuffled") {
  for (const std::uint32_t warp : {32u, 64u}) {
    Members members(1);
    const unsigned warps = kernels::reduce_threads / warp;
    const Neighbour good{true, members.put<double>(warps)}, bad{false, members.put<double>(warps)};
    for (const Order order : orders) {
      Launcher launcher(with(order, warp));
      launcher.blocks(members.grid, 1, good);
      CHECK(right(good, warps));
      launcher.blocks(members.grid, 1, bad);
      CHECK(right(bad, warps) == (order == Order::forward));
    }
  }
}

TEST_CASE("launcher: a sum that reads shared memory before it was written is NaN") {
  const double sum = kernels::reduce_threads * (kernels::reduce_threads + 1) / 2.0;
  const auto total = [](const Options& options) {
    Members members(1);
    const SumWithoutBarrier body{members.put<double>(1)};
    Launcher(options).blocks(members.grid, 1, body);
    return *device_address(body.out);
  };
  CHECK(std::isnan(total(with(Order::forward))));
  CHECK(total(with(Order::reversed)) == sum);  // thread 0 comes last: this order alone would not do
  int shown = 0;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) shown += std::isnan(total(with(Order::shuffled, 32, seed)));
  CHECK(shown >= 8);  // the reader is the last of eight by chance in one case of eight
}

TEST_CASE("launcher: a barrier that a part of the block reaches is reported, and the next block runs") {
  for (const Order order : orders) {
    Members members(1);
    Launcher launcher(with(order));
    std::string text = fault_of([&] { launcher.blocks(members.grid, 1, Half{}); });
    CHECK_MESSAGE(has(text, "block 0 of 1, row 0: threads 0 to 127 wait at the barrier of launcher_test.cpp:"), text);
    CHECK_MESSAGE(has(text, "128 to 255 have ended"), text);
    text = fault_of([&] { launcher.blocks(members.grid, 2, Different{}); });
    CHECK_MESSAGE(has(text, "threads 0 to 99 wait at the barrier"), text);
    CHECK_MESSAGE(has(text, ", 100 to 255 wait at the barrier"), text);
    const Neighbour good{true, members.put<double>(8)};
    launcher.blocks(members.grid, 1, good);
    CHECK(right(good, 8));
  }
}

TEST_CASE("launcher: an exchange that a part of a warp reaches is reported") {
  for (const std::uint32_t warp : {32u, 64u}) {
    Members members(1);
    Launcher launcher(with(Order::shuffled, warp));
    const std::string text = fault_of([&] { launcher.blocks(members.grid, 1, Part{}); });
    CHECK_MESSAGE(has(text, warp == 32 ? "32 to 39 wait at the exchange" : "threads 0 to 39 wait at the exchange"),
                  text);
    CHECK_MESSAGE(has(text, "40 have ended"), text);
  }
}

TEST_CASE("launcher: an exchange gives the lane above, and NaN beyond the warp") {
  for (const Order order : orders)
    for (const unsigned warp : {32u, 64u})
      for (const unsigned d : {1u, 7u}) {
        Members members(1);
        const Down body{members.put<double>(kernels::reduce_threads), d};
        Launcher(with(order, warp)).blocks(members.grid, 1, body);
        for (unsigned t = 0; t < kernels::reduce_threads; ++t) {
          const double got = device_address(body.out)[t];
          CHECK((t % warp + d < warp ? got == t + d : std::isnan(got)));
        }
      }
}

TEST_CASE("launcher: shared memory ends at a page that faults, at the width's exact size") {
  Members members(1);
  for (const unsigned warp : {32u, 64u}) {
    const unsigned size = kernels::reduce_threads / warp;
    CHECK(signal_of([&] { Launcher(with(Order::forward, warp)).blocks(members.grid, 1, Behind{size - 1}); }) == 0);
    CHECK(signal_of([&] { Launcher(with(Order::forward, warp)).blocks(members.grid, 1, Behind{size}); }) == SIGSEGV);
  }
}
