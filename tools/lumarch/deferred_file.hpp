// SPDX-License-Identifier: Apache-2.0
// A file sink that makes its file when the run begins: what is refused before leaves nothing behind.
#pragma once

#include <memory>
#include <string>

#include <lumarch/sink.hpp>

namespace lumarch::cli {

class DeferredFile final : public Sink {
public:
  DeferredFile(std::string path, bool force);  // refuses an existing file at once, without force
  void begin(const RunInfo& info) override;
  void attempts(std::vector<AttemptRecord> records) override { file_->attempts(std::move(records)); }
  void plane(PlaneRecord record) override { file_->plane(std::move(record)); }
  void edge(EdgeRecord record) override { file_->edge(std::move(record)); }
  [[nodiscard]] bool keeps_checkpoints() const override { return true; }
  void checkpoint_row(std::size_t row, std::vector<Complex> values) override {
    file_->checkpoint_row(row, std::move(values));
  }
  void checkpoint(std::string state) override { file_->checkpoint(std::move(state)); }
  void end(const RunEnd& result) override { file_->end(result); }
  [[nodiscard]] bool made() const { return file_ != nullptr; }

private:
  std::string path_;
  bool force_;
  std::unique_ptr<Sink> file_;
};

}  // namespace lumarch::cli
