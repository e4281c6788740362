// SPDX-License-Identifier: Apache-2.0
// Which lists have been put into the stream before, and their captured graphs. A list is known by its address, what its
// calls say, its members, and the generation: a number that grows whenever memory or a plan comes or goes, for a graph
// holds addresses. What the calls' pointers lead to beyond that does not change (abi.h: a list is built once).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include <lumarch/abi.h>

namespace lumarch::gpu {

class ListHash {
public:
  void add(const void* from, std::size_t bytes) noexcept {
    const auto* at = static_cast<const unsigned char*>(from);
    for (; bytes >= 8; at += 8, bytes -= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, 8);
      mix(word);
    }
    if (bytes) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, bytes);
      mix(word ^ (std::uint64_t{bytes} << 56));
    }
  }
  void add_list(const lm_step* list, std::uint32_t n) noexcept {
    for (std::uint32_t i = 0; i < n; ++i) {
      const auto fn = reinterpret_cast<std::uintptr_t>(list[i].fn);
      add(&fn, sizeof fn);
      lm_call call{};
      std::memcpy(&call, list[i].call, std::min<std::size_t>(list[i].call->struct_size, sizeof call));
      call.members = nullptr;  // replaced when the list runs, as is exec
      call.exec = nullptr;
      add(&call, sizeof call);
      if (call.views) add(call.views, call.n_views * sizeof(lm_view));
      if (call.params) add(call.params, call.params_size);
      if (call.plans) add(call.plans, call.n_plans * sizeof(lm_plan*));
      if (call.work) add(call.work, sizeof *call.work);
    }
  }
  [[nodiscard]] std::uint64_t value() const noexcept { return value_; }

private:
  void mix(std::uint64_t word) noexcept {
    value_ = (value_ ^ word) * 0x9E3779B97F4A7C15u;
    value_ ^= value_ >> 32;
  }
  std::uint64_t value_ = 0xCBF29CE484222325u;
};

struct ListKey {
  const lm_step* list = nullptr;
  std::uint32_t n = 0;
  lm_members members{};
  std::uint64_t hash = 0, generation = 0;

  ListKey(const lm_step* from, std::uint32_t length, const lm_members& of) : list(from), n(length), members(of) {
    members.struct_size = sizeof members;
    members.reserved = 0;
    ListHash words;
    words.add_list(list, n);
    hash = words.value();
  }
  [[nodiscard]] bool operator==(const ListKey& other) const noexcept {
    return list == other.list && n == other.n && hash == other.hash && generation == other.generation &&
           std::memcmp(&members, &other.members, sizeof members) == 0;
  }
};

template <class R>
class GraphCache {
public:
  struct Entry {
    ListKey key;
    typename R::Graph graph{};
    bool recorded = false;
    std::uint64_t used = 0;
  };
  static constexpr std::size_t most =
      8;  // a march has a handful: an attempt, a first one, one a number of members left

  explicit GraphCache(R& runtime) noexcept : runtime_(runtime) {}
  // Whoever destroys it has waited for the stream.
  ~GraphCache() {
    for (Entry& entry : entries_) drop(entry);
  }
  GraphCache(const GraphCache&) = delete;
  GraphCache& operator=(const GraphCache&) = delete;

  [[nodiscard]] Entry* find(const ListKey& key) noexcept {
    for (Entry& entry : entries_)
      if (entry.key == key) {
        entry.used = ++clock_;
        return &entry;
      }
    return nullptr;
  }
  // Remembers a list that was put into the stream; forgets lists of older generations, and the one unused for longest.
  void remember(const ListKey& key) {
    std::erase_if(entries_, [&](Entry& entry) {
      const bool old = entry.key.generation != key.generation;
      if (old) drop(entry);
      return old;
    });
    if (entries_.size() >= most) {
      const auto oldest =
          std::min_element(entries_.begin(), entries_.end(), [](auto& a, auto& b) { return a.used < b.used; });
      drop(*oldest);
      entries_.erase(oldest);
    }
    entries_.push_back({key, {}, false, ++clock_});
  }

private:
  // A graph may still be running.
  void drop(Entry& entry) noexcept {
    if (!entry.recorded) return;
    (void)runtime_.wait();
    runtime_.destroy(entry.graph);
    entry.recorded = false;
  }

  R& runtime_;
  std::vector<Entry> entries_;
  std::uint64_t clock_ = 0;
};

}  // namespace lumarch::gpu
