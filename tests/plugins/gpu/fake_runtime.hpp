// SPDX-License-Identifier: Apache-2.0
// A Runtime (plugins/gpu/runtime.hpp) on the host: what is put into its stream happens late, when somebody waits for
// it, as on a GPU that is busy; what must not happen is counted as a violation. With it the device code that all GPU
// backends share runs where there is no GPU.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <lumarch/kernels/reduce.hpp>

#include "plugins/gpu/device.hpp"

namespace fake {

namespace gpu = lumarch::gpu;

enum Code { ok = 0, no_device = 1, no_memory = 2, lost = 3, no_capture = 4, odd = 5 };

// What a test arranges and looks at. Of the whole process, as a driver's state is.
struct Machine {
  int devices = 1;
  int current = 0;
  std::uint64_t memory = std::uint64_t{1} << 30;
  bool dead = false;                                        // from a wait that ends with `lost` on
  int next_wait = ok, next_launch = ok, next_capture = ok;  // codes that come once

  std::map<void*, std::size_t> live;  // memory of the device
  int pinned = 0, events = 0, graphs = 0;
  int waits = 0, event_waits = 0, captures = 0, replays = 0, launches = 0;
  std::vector<std::string> violations;

  [[nodiscard]] std::uint64_t used() const {
    std::uint64_t bytes = 0;
    for (const auto& [at, size] : live) bytes += size;
    return bytes;
  }
};
Machine& machine();

class Runtime {
public:
  using Event = int;
  using Graph = int;
  class Transform;
  static constexpr const char* backend = "fakegpu";

  static int count(int* n) noexcept;
  static std::string why_none(int code);
  static int describe(int index, gpu::Properties* out);
  static std::string why_not(int) { return ""; }
  static int current(int* index) noexcept;
  static int make_current(int index) noexcept;
  static const char* name(int code) noexcept;
  static const char* text(int code) noexcept;
  static gpu::Trouble trouble(int code) noexcept;
  static void clear_error() noexcept {}
  static int launch_error() noexcept;

  int open(int index) noexcept;
  void close() noexcept;
  [[nodiscard]] void* native_stream() noexcept { return this; }

  int alloc(void** at, std::size_t bytes) noexcept;
  int free(void* at) noexcept;
  int free_memory(std::size_t* bytes) noexcept;
  int pin(void** at, std::size_t bytes) noexcept;
  void unpin(void* at) noexcept;
  int to_device(void* to, const void* from, std::size_t bytes) noexcept;
  int to_host(void* to, const void* from, std::size_t bytes) noexcept;
  int on_device(void* to, const void* from, std::size_t bytes) noexcept;
  int copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                std::size_t rows) noexcept;
  int clear_rows(void* to, std::size_t pitch, std::size_t width, std::size_t rows) noexcept;
  int wait() noexcept;
  int make(Event* event) noexcept;
  void destroy(Event event) noexcept;
  int record(Event event) noexcept;
  int wait_for(Event event) noexcept;
  int begin_capture() noexcept;
  int end_capture(Graph* graph) noexcept;
  int replay(Graph graph) noexcept;

  // Into the stream, or into the graph that is being captured.
  void put(std::function<void()> work);
  // For work that reaches [at, at + bytes) of the device.
  void reaches(const void* at, std::size_t bytes, const char* what) const;

private:
  void not_now(const char* what) const;
  int run_until(std::uint64_t number);

  int index_ = -1;
  std::vector<std::function<void()>> queue_;
  std::uint64_t put_ = 0, done_ = 0;
  std::map<Event, std::uint64_t> events_;
  std::map<Graph, std::vector<std::function<void()>>> graphs_;
  std::vector<std::function<void()>> captured_;
  bool capturing_ = false;
  int next_ = 1;
};

// Written out, so that it needs no library; with a work area that it writes to, as libraries do.
class Runtime::Transform {
public:
  Transform(Runtime& runtime, const lm_fft_desc& desc, std::int64_t in_distance, std::int64_t out_distance,
            std::int64_t count);
  [[nodiscard]] std::size_t area() const noexcept;
  void run(Runtime& runtime, void* area, void* in, void* out);

private:
  lm_fft_desc desc_;
  std::int64_t in_distance_, out_distance_, count_;
};

struct Launcher {
  template <class Body>
  static void elements(Runtime& runtime, const lumarch::kernels::Grid& grid, const Body& body) {
    ++machine().launches;
    runtime.put([grid, body] {
      for (std::int64_t row = 0; row < grid.rows(); ++row) {
        lumarch::kernels::Place at;
        if (!grid.locate(row, at)) continue;
        for (std::int64_t s = 0; s < grid.samples; ++s) body(grid, at, s);
      }
    });
  }
  template <class Body>
  static void blocks(Runtime& runtime, const lumarch::kernels::Grid& grid, unsigned blocks, const Body& body) {
    ++machine().launches;
    runtime.put([grid, body, blocks] {
      for (std::int64_t row = 0; row < grid.rows(); ++row)
        for (unsigned index = 0; index < blocks; ++index) {
          Sync sync;
          double shared = 0.0;
          body(grid, Block{row, index, blocks}, sync, &shared);
        }
    });
  }

private:
  // Blocks of one thread: no barrier has anything to wait for.
  struct Block {
    std::int64_t row_;
    unsigned index_, blocks_;
    [[nodiscard]] unsigned thread() const { return 0; }
    [[nodiscard]] unsigned threads() const { return 1; }
    [[nodiscard]] unsigned index() const { return index_; }
    [[nodiscard]] unsigned blocks() const { return blocks_; }
    [[nodiscard]] std::int64_t row() const { return row_; }
  };
  struct Sync {
    void barrier() {}
    [[nodiscard]] unsigned width() const { return 1; }
    [[nodiscard]] double down(double value, unsigned) { return value; }
  };
};

}  // namespace fake

// Small, so that rings wrap and chunks are many.
template <>
struct lumarch::gpu::Sizes<fake::Runtime> {
  static constexpr std::size_t small_bytes = 1024, small_slots = 4;
  static constexpr std::uint64_t large_bytes = std::uint64_t{64} << 10;
  static constexpr std::size_t chunk_bytes = 4096, chunk_slots = 3;
};

struct lm_plan : lumarch::gpu::Plan<fake::Runtime> {
  using Plan::Plan;
};
struct lm_device : lumarch::gpu::Device<fake::Runtime> {
  using Device::Device;
};
