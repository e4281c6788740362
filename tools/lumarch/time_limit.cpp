// SPDX-License-Identifier: Apache-2.0
// Times as job schedulers and people write them.
#include <charconv>
#include <cmath>
#include <utility>

#include "lumarch/commands.hpp"

namespace lumarch::cli {

namespace {

[[noreturn]] void refuse(const std::string& text) {
  throw Error(Fault::problem,
              "--time-limit " + text + ": a time above 0 is needed, like 90 (seconds), \"15 min\", 2h or 1:30:00");
}

// A number at the start of the text, which then begins behind it.
double take_number(std::string_view& rest, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc{}) refuse(text);
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return value;
}

}  // namespace

double seconds_of(const std::string& text) {
  std::string_view rest = text;
  double seconds = take_number(rest, text);
  if (!rest.empty() && rest.front() == ':') {  // hours, minutes, seconds: the last is seconds
    for (int parts = 1; !rest.empty(); ++parts) {
      if (rest.front() != ':' || parts > 2) refuse(text);
      rest.remove_prefix(1);
      const double part = take_number(rest, text);
      if (!(part >= 0 && part < 60)) refuse(text);
      seconds = 60 * seconds + part;
    }
  } else {
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    const std::pair<std::string_view, double> units[] = {{"", 1}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}};
    double factor = 0;
    for (const auto& [unit, of] : units)
      if (rest == unit) factor = of;
    if (factor == 0) refuse(text);
    seconds *= factor;
  }
  if (!(seconds > 0) || !std::isfinite(seconds)) refuse(text);
  return seconds;
}

}  // namespace lumarch::cli
