// SPDX-License-Identifier: Apache-2.0
// What a scene left on the candidate, against what it should have.
#pragma once

#include "kernel_scenes.hpp"
#include "live.hpp"

namespace lumarch::conform {

struct Left {
  std::vector<std::vector<double>> images;  // of the scene's arrays
  std::vector<double> numbers;
};
[[nodiscard]] Left left_by(const Live& live, std::size_t arrays);

// Fails where anything but the written rows of the working members (and their numbers) has changed by one bit.
void expect_untouched(const Scene& scene, const Left& left, const std::string& other_damage);
// Fails where a written row is further from the oracle's than its tolerance times the largest norm of the rows
// involved.
void expect_close(const Scene& scene, const Left& left, const Scene& oracle_scene, const Left& oracle);
// Fails where anything has changed: after a call that was refused.
void expect_unchanged(const Scene& scene, const Left& left);

// Makes the calls on the candidate and compares with the oracle's; both checks above.
void check_scene(const OpenDevice& candidate, const Scene& scene, const OpenDevice& oracle, const Scene& oracle_scene);

}  // namespace lumarch::conform
