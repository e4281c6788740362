// SPDX-License-Identifier: Apache-2.0
// Edge readers (docs/kernels.md, "Edge readers"): functions that a backend, or a plugin for it, registers to read the
// rim of the window in time where the field lies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lumarch/sink.hpp>

#include "backend/device.hpp"
#include "march/equation.hpp"

namespace lumarch {

// What such a reader is asked for.
struct TimeRim {
  double fraction = 0.05;   // in half widths
  double dt = 0;            // s
  std::size_t samples = 0;  // that are in the rim
  bool strip = false;       // each of them too
};

class EdgeReader {
public:
  EdgeReader() = default;
  // The backend's own readers first, then those of other plugins, by their names; of each name the newest version.
  EdgeReader(Device& device, const TimeRim& rim);

  // Whether there is one that has not refused this field.
  [[nodiscard]] bool given() const noexcept { return next_ < readers_.size(); }

  // Of the one member that is active, from its field in time. Nothing where no reader takes it. Throws
  // Error(Fault::backend) where one fails, or answers what is no share.
  [[nodiscard]] std::optional<EdgeRim> read(const lm_view& time, const lm_members* members, KernelsUsed& used);

private:
  struct Reader {
    std::string name;
    std::uint32_t version;
    lm_edge_fn fn;
    std::string from;
  };
  [[nodiscard]] lm_status call(const Reader& reader, const lm_view& time, const lm_members* members,
                               std::vector<double>& out) const;
  void check(const Reader& reader, const std::vector<double>& out) const;

  Device* device_ = nullptr;
  TimeRim rim_;
  std::vector<Reader> readers_;
  std::size_t next_ = 0;  // those before it took no such field
  bool told_ = false;
};

}  // namespace lumarch
