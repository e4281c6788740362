// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <charconv>
#include <cstdlib>

#include <lumarch/sdk/fault.hpp>

namespace lumarch::emulated {

using sdk::Fault;

namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& value, const std::string& takes) {
  throw Fault(LM_E_ARG, "the emulated device's option " + key + " takes " + takes + ", not '" + value + "'");
}

template <class T>
T number(const std::string& key, const std::string& value, T least, T most) {
  T out{};
  const char* const end = value.data() + value.size();
  const auto [stopped, error] = std::from_chars(value.data(), end, out);
  if (value.empty() || error != std::errc() || stopped != end || out < least || out > most)
    refuse(key, value, "a number from " + std::to_string(least) + " to " + std::to_string(most));
  return out;
}

bool either(const std::string& key, const std::string& value, const std::string& yes, const std::string& no) {
  if (value != yes && value != no) refuse(key, value, yes + " or " + no);
  return value == yes;
}

}  // namespace

void Options::set(const std::string& key, const std::string& value) {
  constexpr std::uint64_t any = ~std::uint64_t{0};
  if (key == "order") {
    if (value != "forward" && value != "reversed" && value != "shuffled")
      refuse(key, value, "forward, reversed or shuffled");
    order = value == "forward" ? Order::forward : value == "reversed" ? Order::reversed : Order::shuffled;
  } else if (key == "warp") {
    warp = either(key, value, "32", "64") ? 32 : 64;
  } else if (key == "seed") {
    seed = number(key, value, std::uint64_t{0}, any);
  } else if (key == "guard") {
    guard_at_end = either(key, value, "end", "begin");
  } else if (key == "late") {
    late = either(key, value, "on", "off");
  } else if (key == "replay") {
    replay = either(key, value, "on", "off");
  } else if (key == "fail_alloc") {
    fail_alloc = number(key, value, std::uint64_t{0}, any);
  } else if (key == "lose_launch") {
    lose_launch = number(key, value, std::uint64_t{0}, any);
  } else if (key == "fail_launch") {
    fail_launch = number(key, value, std::uint64_t{0}, any);
  } else if (key == "fail_copy") {
    fail_copy = number(key, value, std::uint64_t{0}, any);
  } else if (key == "lose_call") {
    lose_call = number(key, value, std::uint64_t{0}, any);
  } else if (key == "memory") {
    memory = number(key, value, std::uint64_t{0}, any);
  } else if (key == "devices") {
    devices = number(key, value, 0, 1);
  } else if (key == "workers") {
    workers = number(key, value, 1u, 4096u);
  } else if (key == "chunk") {
    chunk = number(key, value, 0u, 4096u);
  } else if (key == "threads") {
    (void)number(key, value, 0, 1);  // core passes it on; there is one thread
  } else {
    throw Fault(
        LM_E_ARG,
        "the emulated device has no option '" + key +
            "': there are order, warp, seed, guard, late, replay, fail_alloc, fail_copy, fail_launch, lose_call, "
            "lose_launch, memory, devices, workers, chunk, and threads, which may be 0 or 1");
  }
}

Options options_of_environment() {
  Options options;
  const char* const given = std::getenv("LUMARCH_EMULATED");
  const std::string all = given ? given : "";
  for (std::size_t from = 0; from < all.size();) {
    const std::size_t to = std::min(all.find(',', from), all.size());
    const std::string word = all.substr(from, to - from);
    from = to + 1;
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos)
      throw Fault(LM_E_ARG, "LUMARCH_EMULATED is a list key=value,key=value; '" + word + "' is no such pair");
    options.set(word.substr(0, equals), word.substr(equals + 1));
  }
  return options;
}

}  // namespace lumarch::emulated
