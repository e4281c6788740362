// SPDX-License-Identifier: Apache-2.0
// All that a run of a problem needs on an open device, whatever its model: equation, launch, reader.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "march/march.hpp"
#include "march/stepper.hpp"
#include "run/plane_reader.hpp"
#include "run/run_on.hpp"

namespace lumarch {

class Scene {
public:
  Scene() = default;
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;
  virtual ~Scene() = default;

  // The grids, for the file; the rest of the info is the run's.
  virtual void describe(RunInfo& info) const = 0;
  // May take long, where a backend measures plans: then a stop shows as Cancelled.
  virtual std::unique_ptr<Stepper> make_stepper(Device& device, const RunWays& ways) = 0;
  [[nodiscard]] virtual Transforms transforms(Device& device) const = 0;  // that the launch is built with
  virtual Launch launch(Device& device) = 0;
  [[nodiscard]] virtual Budget entrance(const Launch& launch) const = 0;  // without the peak power
  virtual std::unique_ptr<PlaneReader> reader(Stepper& stepper, Sink& sink) = 0;
  virtual void put_places(MarchOptions& /*options*/) const {}   // walls and absorbers
  [[nodiscard]] virtual bool half() const { return false; }     // a real field, of which omega >= 0 is there
  [[nodiscard]] virtual bool lossy() const = 0;                 // the medium takes energy
  [[nodiscard]] virtual std::int64_t points() const = 0;        // of all rows, for messages
  [[nodiscard]] virtual std::uint64_t table_bytes() const = 0;  // that the translation holds on the host
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

protected:
  std::vector<std::string> warnings_;
};

// Translates a problem; the problem must outlive the scene. Error(Fault::refused) where there is no memory for that.
[[nodiscard]] std::unique_ptr<Scene> translate(const Problem& problem);

}  // namespace lumarch
