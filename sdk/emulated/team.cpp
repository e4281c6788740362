// SPDX-License-Identifier: Apache-2.0
#include "team.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstring>
#include <limits>
#include <utility>

#include <lumarch/sdk/fault.hpp>

#include "stack_switch.hpp"

namespace lumarch::emulated {

using sdk::Fault;
namespace context = boost::context;

struct Team::Fiber {
  context::stack_context stack;
  SwitchedStack notes;
  context::fiber at;
  Stop how = Stop::ended;
  Where where;
  double slot[2] = {};  // what it gave to the last two exchanges: a lane may be one ahead of another, never two
  unsigned exchanges = 0;
};

struct Team::Switch {
  context::fiber host;  // where a fiber goes when it stops
  SwitchedStack notes;  // of the host's thread
};

// A page of shared memory and a page that faults.
struct Team::Page {
  Page() : size(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    void* const both = ::mmap(nullptr, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (both == MAP_FAILED) throw Fault(LM_E_NOMEM, "no memory for what threads of a block share");
    at = static_cast<std::byte*>(both);
    ::mprotect(at + size, size, PROT_NONE);
  }
  ~Page() { ::munmap(at, 2 * size); }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;
  std::byte* at = nullptr;
  std::size_t size;
};

namespace {

constexpr std::size_t stack_bytes = 64 * 1024;

}  // namespace

Team::Team(const Options& options) : shuffle_(options), width_(options.warp), switch_(std::make_unique<Switch>()) {}

Team::~Team() {
  over_ = true;
  context::protected_fixedsize_stack stacks(stack_bytes);
  for (unsigned t = 0; t < fibers_.size(); ++t) {
    resume(t);  // its function ends
    stacks.deallocate(fibers_[t]->stack);
  }
}

double* Team::shared(unsigned doubles) {
  if (!page_) page_ = std::make_unique<Page>();
  const std::size_t bytes = doubles * sizeof(double);
  if (bytes > page_->size) throw Fault(LM_E_INTERNAL, "a block shares more than a page of memory");
  std::memset(page_->at, 0xFF, page_->size);
  return reinterpret_cast<double*>(page_->at + (page_->size - bytes));
}

// A fiber lives as long as the team and runs one thread after the other.
void Team::main_of(unsigned t) {
  while (!over_) {
    try {
      (*body_)(t);
    } catch (const Cancelled&) {
    } catch (const std::exception& other) {
      thrown_ = other.what();
    }
    stop(t, Stop::ended, Where{});
  }
}

void Team::resume(unsigned t) {
  Fiber& fiber = *fibers_[t];
  fiber.how = Stop::ready;
  switch_->notes.leave(fiber.notes);
  fiber.at = std::move(fiber.at).resume();
  switch_->notes.arrive(fiber.notes);
}

void Team::stop(unsigned t, Stop how, const Where& where) {
  Fiber& fiber = *fibers_[t];
  fiber.how = how;
  fiber.where = where;
  fiber.notes.leave(switch_->notes);
  switch_->host = std::move(switch_->host).resume();
  fiber.notes.arrive(switch_->notes);
  if (cancelled_ && how != Stop::ended) throw Cancelled{};
}

void Team::barrier(unsigned t, const Where& where) { stop(t, Stop::barrier, where); }

double Team::down(unsigned t, double value, unsigned d, const Where& where) {
  Fiber& fiber = *fibers_[t];
  const unsigned phase = fiber.exchanges++ & 1u;
  fiber.slot[phase] = value;
  stop(t, Stop::exchange, where);
  return t % width_ + d < width_ && t + d < threads_ ? fibers_[t + d]->slot[phase]
                                                     : std::numeric_limits<double>::quiet_NaN();
}

bool Team::release() {
  const auto together = [this](unsigned from, unsigned to, Stop how) {
    const Fiber& first = *fibers_[from];
    for (unsigned t = from; t < to; ++t) {
      const Fiber& fiber = *fibers_[t];
      if (fiber.how != how || fiber.where.line() != first.where.line() ||
          std::strcmp(fiber.where.file_name(), first.where.file_name()) != 0)
        return false;
    }
    for (unsigned t = from; t < to; ++t) fibers_[t]->how = Stop::ready;
    return true;
  };
  if (together(0, threads_, Stop::barrier)) return true;
  bool any = false;
  for (unsigned warp = 0; warp < threads_; warp += width_)
    any = together(warp, std::min(warp + width_, threads_), Stop::exchange) || any;
  return any;
}

std::string Team::complaint() const {
  const auto words = [](const Fiber& fiber) {
    if (fiber.how == Stop::ended) return std::string("have ended");
    const std::string file = fiber.where.file_name();
    return (fiber.how == Stop::barrier ? "wait at the barrier of " : "wait at the exchange of ") +
           file.substr(file.find_last_of('/') + 1) + ":" + std::to_string(fiber.where.line());
  };
  std::string text;
  unsigned from = 0, said = 0;
  for (unsigned t = 1; t <= threads_; ++t) {
    if (t < threads_ && words(*fibers_[t]) == words(*fibers_[from])) continue;
    if (++said == 9) return text + ", and so on";
    text.append(said == 1 ? "threads " : ", ").append(std::to_string(from));
    if (t > from + 1) text.append(" to ").append(std::to_string(t - 1));
    text.append(" ").append(words(*fibers_[from]));
    from = t;
  }
  return text;
}

// Ends the threads that wait, so that the fibers can serve the next block.
void Team::cancel() {
  cancelled_ = true;
  for (unsigned t = 0; t < threads_; ++t)
    if (fibers_[t]->how != Stop::ended) resume(t);
  cancelled_ = false;
}

void Team::run(unsigned threads, const std::function<void(unsigned)>& thread) {
  threads_ = threads;
  body_ = &thread;
  thrown_.clear();
  while (fibers_.size() < threads) {
    const auto t = static_cast<unsigned>(fibers_.size());
    context::protected_fixedsize_stack stacks(stack_bytes);
    auto fiber = std::make_unique<Fiber>();
    fiber->stack = stacks.allocate();
    fiber->notes.has(static_cast<std::byte*>(fiber->stack.sp) - fiber->stack.size, fiber->stack.size);
    // The stack is ours: freed in the destructor, when nothing runs on it any more.
    struct Kept {
      void deallocate(context::stack_context&) const noexcept {}
    };
    fiber->at =
        context::fiber(std::allocator_arg, context::preallocated(fiber->stack.sp, fiber->stack.size, fiber->stack),
                       Kept{}, [this, t](context::fiber&& host) {
                         switch_->host = std::move(host);
                         fibers_[t]->notes.arrive(switch_->notes);
                         main_of(t);
                         fibers_[t]->notes.leave_for_good(switch_->notes);
                         return std::move(switch_->host);
                       });
    fibers_.push_back(std::move(fiber));
  }
  for (unsigned t = 0; t < threads; ++t) fibers_[t]->how = Stop::ready;
  for (;;) {
    for (const std::int64_t t : shuffle_.indices(threads))
      if (fibers_[static_cast<std::size_t>(t)]->how == Stop::ready) resume(static_cast<unsigned>(t));
    if (!thrown_.empty()) break;
    if (release()) continue;
    bool all = true;
    for (unsigned t = 0; t < threads; ++t) all = all && fibers_[t]->how == Stop::ended;
    if (all) return;
    break;
  }
  const std::string text = thrown_.empty() ? complaint() : "a thread threw: " + thrown_;
  cancel();
  throw Fault(LM_E_INTERNAL, text);
}

}  // namespace lumarch::emulated
