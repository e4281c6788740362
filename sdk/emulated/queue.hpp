// SPDX-License-Identifier: Apache-2.0
// The queue of an emulated device: what is put into it runs when somebody waits, in order. A list of kernels may be
// recorded on its way in, and put in again.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

#include <lumarch/abi.h>

#include "options.hpp"

namespace lumarch::emulated {

enum class Kind { elements, blocks, transform, transfer, housekeeping };

struct Counts {
  std::atomic<std::uint64_t> elements{0}, blocks{0}, transforms{0}, waits{0}, allocations{0}, frees{0}, uploads{0},
      bytes_up{0}, downloads{0}, bytes_down{0}, copies{0}, bytes_copied{0}, replays{0}, buffers{0}, bytes{0},
      most_bytes{0};
};

class Queue {
public:
  Queue(const Options& options, Counts& counts) : options_(options), counts_(counts) {}

  // `what` names the work where it fails: the body's type.
  void put(Kind kind, const std::type_info& what, std::function<void()> work);

  // Runs all that is there. The first failure ends it and drops the rest; a device that is lost stays so.
  void wait();
  void need_device() const;  // Fault where it is lost
  [[noreturn]] void lose(const std::string& why);

  // Calls enqueue, or repeats what it put in the last time for the same list and members since changed().
  template <class Enqueue>
  void replay(const lm_step* list, std::uint32_t n, const lm_members& members, Enqueue&& enqueue) {
    if (!options_.replay) return enqueue();
    if (repeat(list, n, members)) return;
    Recording recording(*this);
    enqueue();
    recording.keep(list, n, members);
  }
  // A buffer or a plan came or went: nothing that was recorded holds any more.
  void changed() { records_.clear(); }

private:
  struct Entry {
    Kind kind;
    const std::type_info* what;
    std::shared_ptr<const std::function<void()>> work;
  };
  struct Record {
    const lm_step* list;
    std::uint32_t n;
    lm_members members;
    std::vector<Entry> entries;
  };
  class Recording {
  public:
    explicit Recording(Queue& queue) : queue_(queue) { queue_.recording_ = &entries_; }
    ~Recording() { queue_.recording_ = nullptr; }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    void keep(const lm_step* list, std::uint32_t n, const lm_members& members);

  private:
    Queue& queue_;
    std::vector<Entry> entries_;
  };

  bool repeat(const lm_step* list, std::uint32_t n, const lm_members& members);
  void add(const Entry& entry);
  void run(const Entry& entry);
  void drop() noexcept;

  const Options& options_;
  Counts& counts_;
  std::deque<Entry> entries_;
  std::deque<Record> records_;
  std::vector<Entry>* recording_ = nullptr;
  std::uint64_t launches_ = 0;
  std::string lost_;
};

}  // namespace lumarch::emulated
