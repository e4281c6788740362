// SPDX-License-Identifier: Apache-2.0
// The threads of a device: oneTBB's, behind one function. oneTBB stays in threads.cpp, which ThreadSanitizer's build
// leaves uninstrumented as the library itself is: half of it in view, half not, looks like races.
#pragma once

#include <cstdint>
#include <memory>

#include "tsan.hpp"

namespace lumarch::cpu {

class Threads {
public:
  // count > 1; more than the machine has processors are made where they are asked for.
  explicit Threads(unsigned count);
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  // body(i, worker) for every i below n, in any order, workers below the count; returns when all have ended. A body
  // that waits for threads itself is not given another i meanwhile: what it has in its worker's rows stays. It must not
  // throw.
  template <class Body>
  void for_each(std::uint32_t n, const Body& body) {
    struct Shared {
      const Body* body;
      char end = 0;  // its address stands for the end of a call
    };
    const Shared shared{&body};
    release(&shared);
    each(
        n,
        [](const void* context, std::uint32_t i, unsigned worker) noexcept {
          acquire(context);
          const Shared& here = *static_cast<const Shared*>(context);
          (*here.body)(i, worker);
          release(&here.end);
        },
        &shared);
    acquire(&shared.end);
  }

  // Ends oneTBB's workers of this process where a device has had some and no one else does; they come again when
  // needed.
  static void end_all() noexcept;

private:
  void each(std::uint32_t n, void (*body)(const void*, std::uint32_t, unsigned) noexcept, const void* context);
  struct Arena;
  std::unique_ptr<Arena> arena_;
};

}  // namespace lumarch::cpu
