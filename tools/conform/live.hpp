// SPDX-License-Identifier: Apache-2.0
// A scene on a device: buffers, plans, member block and work area, and the calls that point to them.
#pragma once

#include <deque>

#include "open_device.hpp"
#include "scene.hpp"

namespace lumarch::conform {

class Live {
public:
  Live(const OpenDevice& device, const Scene& scene);
  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;
  ~Live();

  // A call as the kernel gets it; a case of errors changes what it points to.
  struct Made {
    lm_kernel_fn fn = nullptr;
    std::vector<lm_view> views;
    std::vector<lm_plan*> plans;
    std::vector<std::uint64_t> params;  // u64: aligned for every struct
    std::deque<Made> responses;
    std::vector<lm_response> raw_responses;
    std::uint64_t work_bytes = 0;
    lm_view work{};
    lm_call call{};
  };
  [[nodiscard]] Made& made(std::size_t i) { return made_[i]; }
  [[nodiscard]] std::size_t size() const { return made_.size(); }
  [[nodiscard]] lm_members& members() { return members_; }
  [[nodiscard]] const lm_members& good_members() const { return good_members_; }  // as they were made
  [[nodiscard]] lm_plan* plan_from_end(std::size_t i) const { return plans_[plans_.size() - 1 - i]; }

  lm_status call(std::size_t i);  // and waits for it
  lm_status each();               // one by one, to the first that fails
  lm_status run();                // through the device's `run`
  void need(lm_status status);    // fails the case with the device's words

  [[nodiscard]] std::vector<double> image(std::size_t array) const;  // of the first arrays: those of the scene
  [[nodiscard]] std::vector<double> numbers() const;
  // What a kernel must never touch has been touched: the words, or nothing.
  [[nodiscard]] std::string other_damage() const;
  void upload_members();  // from the scene, which may have changed
  void reset();           // all arrays as they were

private:
  void make_plans();
  void make_members();
  void make_work();
  void prepare(Made& made, const CallSpec& spec);
  [[nodiscard]] lm_view view(const Seen& seen) const;
  void put(lm_buffer to, const void* from, std::size_t bytes) const;

  const OpenDevice& device_;
  const Scene& scene_;
  std::vector<lm_buffer> buffers_;
  std::vector<lm_plan*> plans_;
  std::vector<std::uint64_t> plan_work_;
  std::deque<Made> made_;
  lm_members members_{}, good_members_{};
  std::vector<std::byte> block_;  // as uploaded
  lm_buffer work_ = 0;
  std::uint64_t work_row_ = 0, work_pitch_ = 0;
  std::uint32_t workers_ = 1;
};

}  // namespace lumarch::conform
