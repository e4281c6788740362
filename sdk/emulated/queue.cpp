// SPDX-License-Identifier: Apache-2.0
#include "queue.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <cstring>
#include <utility>

#include <lumarch/sdk/fault.hpp>

namespace lumarch::emulated {

using sdk::Fault;

namespace {

constexpr std::size_t most_records = 16;

// "Kerr" of lumarch::kernels::Kerr.
std::string words(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status),
                                                    &std::free);
  std::string name = status == 0 ? text.get() : type.name();
  const std::size_t arguments = name.find('<'), scope = name.rfind("::", arguments);
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

}  // namespace

void Queue::put(Kind kind, const std::type_info& what, std::function<void()> work) {
  if (kind != Kind::housekeeping) need_device();
  const Entry entry{kind, &what, std::make_shared<const std::function<void()>>(std::move(work))};
  if (recording_) recording_->push_back(entry);
  add(entry);
}

void Queue::add(const Entry& entry) {
  entries_.push_back(entry);
  if (!options_.late) wait();
}

void Queue::lose(const std::string& why) {
  lost_ = why;
  drop();
  throw Fault(LM_E_DEVICE_LOST, lost_);
}

void Queue::need_device() const {
  if (!lost_.empty()) throw Fault(LM_E_DEVICE_LOST, lost_);
}

void Queue::run(const Entry& entry) {
  if (entry.kind == Kind::elements) ++counts_.elements;
  if (entry.kind == Kind::blocks) ++counts_.blocks;
  if (entry.kind == Kind::transform) ++counts_.transforms;
  if (entry.kind == Kind::transfer || entry.kind == Kind::housekeeping) return (*entry.work)();
  ++launches_;
  const std::string name = "launch " + std::to_string(launches_) + ", " + words(*entry.what);
  if (launches_ == options_.lose_launch) {
    lost_ = "the device was lost in " + name + ", as lose_launch asked for";
    need_device();
  }
  if (launches_ == options_.fail_launch) throw Fault(LM_E_DRIVER, name + ", fails as fail_launch asked for");
  try {
    (*entry.work)();
  } catch (const Fault& fault) {
    throw Fault(fault.status(), name + ", " + fault.what());
  }
}

void Queue::wait() {
  try {
    while (!entries_.empty()) {
      const Entry entry = std::move(entries_.front());
      entries_.pop_front();
      run(entry);
    }
    need_device();
  } catch (...) {
    drop();
    throw;
  }
}

// What is left is not done, but memory that was freed goes.
void Queue::drop() noexcept {
  for (const Entry& entry : entries_)
    if (entry.kind == Kind::housekeeping) (*entry.work)();
  entries_.clear();
}

bool Queue::repeat(const lm_step* list, std::uint32_t n, const lm_members& members) {
  for (const Record& record : records_) {
    if (record.list != list || record.n != n || std::memcmp(&record.members, &members, sizeof members) != 0) continue;
    need_device();
    ++counts_.replays;
    for (const Entry& entry : record.entries) add(entry);
    return true;
  }
  return false;
}

void Queue::Recording::keep(const lm_step* list, std::uint32_t n, const lm_members& members) {
  if (queue_.records_.size() == most_records) queue_.records_.pop_front();
  queue_.records_.push_back({list, n, members, std::move(entries_)});
}

}  // namespace lumarch::emulated
