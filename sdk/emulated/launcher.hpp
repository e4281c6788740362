// SPDX-License-Identifier: Apache-2.0
// How an emulated device runs bodies: rows, samples, blocks and threads in the order that was asked for.
#pragma once

#include "address.hpp"

#include <lumarch/kernels/reduce.hpp>
#include <lumarch/sdk/fault.hpp>

#include "shuffle.hpp"
#include "team.hpp"

namespace lumarch::emulated {

// What a block's body sees, as lumarch/launch/gpu.hpp gives it on a GPU.
struct Block {
  unsigned thread_, threads_, index_, blocks_;
  std::int64_t row_;
  [[nodiscard]] unsigned thread() const { return thread_; }
  [[nodiscard]] unsigned threads() const { return threads_; }
  [[nodiscard]] unsigned index() const { return index_; }
  [[nodiscard]] unsigned blocks() const { return blocks_; }
  [[nodiscard]] std::int64_t row() const { return row_; }
};

class Sync {
public:
  Sync(Team& team, unsigned thread) : team_(team), thread_(thread) {}
  void barrier(const Team::Where& where = Team::Where::current()) { team_.barrier(thread_, where); }
  [[nodiscard]] unsigned width() const { return team_.width(); }
  [[nodiscard]] double down(double value, unsigned d, const Team::Where& where = Team::Where::current()) {
    return team_.down(thread_, value, d, where);
  }

private:
  Team& team_;
  unsigned thread_;
};

class Launcher {
public:
  explicit Launcher(const Options& options) : shuffle_(options), team_(options) {}

  template <class Body>
  void elements(const kernels::Grid& grid, const Body& body) {
    const std::vector<std::int64_t> samples =
        shuffle_.forward() ? std::vector<std::int64_t>() : shuffle_.indices(grid.samples);
    for (const std::int64_t row : shuffle_.indices(grid.rows())) {
      kernels::Place at;
      if (!grid.locate(row, at)) continue;
      if (shuffle_.forward())
        for (std::int64_t s = 0; s < grid.samples; ++s) body(grid, at, s);
      else
        for (const std::int64_t s : samples) body(grid, at, s);
    }
  }

  template <class Body>
  void blocks(const kernels::Grid& grid, unsigned blocks, const Body& body) {
    constexpr unsigned threads = kernels::reduce_threads;
    for (const std::int64_t i : shuffle_.indices(grid.rows() * blocks)) {
      const std::int64_t row = i / blocks;
      const auto index = static_cast<unsigned>(i % blocks);
      double* const shared = team_.shared(threads / team_.width());
      try {
        team_.run(threads, [&](unsigned thread) {
          Sync sync(team_, thread);
          body(grid, Block{thread, threads, index, blocks, row}, sync, shared);
        });
      } catch (const sdk::Fault& fault) {
        throw sdk::Fault(fault.status(), "block " + std::to_string(index) + " of " + std::to_string(blocks) + ", row " +
                                             std::to_string(row) + ": " + fault.what());
      }
    }
  }

  // body(row) for each of so many rows.
  template <class Body>
  void rows(std::int64_t count, const Body& body) {
    for (const std::int64_t row : shuffle_.indices(count)) body(row);
  }

private:
  Shuffle shuffle_;
  Team team_;
};

}  // namespace lumarch::emulated
