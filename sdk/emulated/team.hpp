// SPDX-License-Identifier: Apache-2.0
// The threads of a block as fibers of one thread of the host: each runs until it stops at a barrier or an exchange, in
// an order that is chosen. A barrier that only a part of the block reaches is found, as is an exchange of a part of a
// warp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <source_location>
#include <string>
#include <vector>

#include "options.hpp"
#include "shuffle.hpp"

namespace lumarch::emulated {

class Team {
public:
  using Where = std::source_location;

  explicit Team(const Options& options);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // thread(t) for t < threads, as one block. Fault(LM_E_INTERNAL) that says which threads wait where.
  void run(unsigned threads, const std::function<void(unsigned)>& thread);

  // Shared memory of a block: `doubles` long, NaN, and behind it a page that faults.
  [[nodiscard]] double* shared(unsigned doubles);

  [[nodiscard]] unsigned width() const noexcept { return width_; }

  // For thread t itself, while it runs.
  void barrier(unsigned t, const Where& where);
  // The value of the lane d above, NaN where the warp has no such lane.
  [[nodiscard]] double down(unsigned t, double value, unsigned d, const Where& where);

private:
  struct Fiber;
  enum class Stop { ready, barrier, exchange, ended };
  struct Cancelled {};

  void resume(unsigned t);
  void stop(unsigned t, Stop how, const Where& where);
  void main_of(unsigned t);
  [[nodiscard]] bool release();  // whoever may go on
  [[nodiscard]] std::string complaint() const;
  void cancel();

  Shuffle shuffle_;
  unsigned width_, threads_ = 0;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  const std::function<void(unsigned)>* body_ = nullptr;
  bool cancelled_ = false, over_ = false;
  std::string thrown_;
  struct Page;
  std::unique_ptr<Page> page_;
  struct Switch;  // how the host's thread and a fiber change places
  std::unique_ptr<Switch> switch_;
};

}  // namespace lumarch::emulated
