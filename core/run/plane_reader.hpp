// SPDX-License-Identifier: Apache-2.0
// What is read at a plane, and what of it is sent to the sink.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lumarch/run.hpp>
#include <lumarch/sink.hpp>

#include "march/stepper.hpp"
#include "translate/fibre.hpp"
#include "translate/uppe.hpp"

namespace lumarch {

struct Budget {
  double energy = 0, photons = 0, peak_power = 0;  // J, 1, W
  double edge = 0;                                 // the share of the energy at the ends of the band
};

class PlaneReader {
public:
  PlaneReader(const Problem& problem, Sink& sink) : problem_(problem), sink_(sink) {}
  PlaneReader(const PlaneReader&) = delete;
  PlaneReader& operator=(const PlaneReader&) = delete;
  virtual ~PlaneReader() = default;

  void operator()(std::int64_t index, double z);

  // With fields = last: hands on the plane that was held, with its field where no other follows.
  void flush(bool with_field);

  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
  void restore(std::vector<std::string> warnings) { warnings_ = std::move(warnings); }

  // What the march has reached, whether a plane lies there or not.
  [[nodiscard]] virtual Budget budget(double z) = 0;
  // The largest field there, in words.
  [[nodiscard]] virtual std::string largest(double z) = 0;

  // The rims of what the march has reached; `rims()` says which they are.
  [[nodiscard]] virtual std::vector<EdgeRim> edge(double z) = 0;
  [[nodiscard]] const std::vector<std::string>& rims() const { return rims_; }
  [[nodiscard]] const std::vector<std::vector<std::int64_t>>& strips() const { return strips_; }  // RunInfo::strips

protected:
  std::vector<std::string> rims_;
  std::vector<std::vector<std::int64_t>> strips_;
  [[nodiscard]] virtual PlaneRecord read(double z) = 0;  // without its index
  const Problem& problem_;
  std::vector<std::string> warnings_;

private:
  Sink& sink_;
  std::optional<PlaneRecord> held_;
};

// What a stepper has to be made with for such a reader; without tables of a fibre's.
[[nodiscard]] std::vector<ReadWants> reads_of(const Problem& problem, const UppeTables* tables);

[[nodiscard]] std::unique_ptr<PlaneReader> read_fibre(const Problem& problem, const Grid& grid, Stepper& stepper,
                                                      Sink& sink);
[[nodiscard]] std::unique_ptr<PlaneReader> read_route(const Problem& problem, const UppeTables& tables,
                                                      Stepper& stepper, Sink& sink);

}  // namespace lumarch
