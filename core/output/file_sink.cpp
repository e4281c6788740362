// SPDX-License-Identifier: Apache-2.0
// The sink that writes a file: a claim on its place, a thread, and the writer that only this thread calls.
#include <lumarch/sink.hpp>

#include <exception>
#include <memory>
#include <utility>

#include "output/claim.hpp"
#include "output/named_errors.hpp"
#include "output/resume_sink.hpp"
#include "output/worker.hpp"
#include "output/writer.hpp"

namespace lumarch {

namespace {

constexpr std::size_t attempts_waiting = 4096;

class FileSink final : public Sink {
public:
  FileSink(const std::string& path, bool force) : path_(path), worker_(planes_waiting) {
    worker_.run([this, force] {
      named_errors(path_, [&] { claim_ = std::make_unique<Claim>(path_, force, write_placeholder); });
    });
  }
  explicit FileSink(const std::string& path) : path_(path), worker_(planes_waiting) {
    worker_.run([this] { named_errors(path_, [&] { held_ = std::make_unique<Held>(path_); }); });
  }

  ~FileSink() override {
    try {
      if (!ended_) {
        worker_.run([this] {
          std::string reason = "the run ended without reporting how";
          try {
            worker_.rethrow();
          } catch (const std::exception& failure) {
            reason = failure.what();
          }
          give_up(reason);
        });
      }
    } catch (...) {  // nobody is left to tell
    }
  }

  void begin(const RunInfo& info) override {
    worker_.run([this, &info] {
      named_errors(path_, [&] {
        if (held_) {
          writer_ = std::make_unique<Writer>(path_, info, Writer::GoOn{});
          return;
        }
        writer_ = std::make_unique<Writer>(claim_->fresh_name(), info);
        claim_->take_place();
      });
    });
  }

  void attempts(std::vector<AttemptRecord> records) override {
    worker_.rethrow();
    if (pending_.empty()) {
      pending_ = std::move(records);
    } else {
      pending_.insert(pending_.end(), records.begin(), records.end());
    }
    if (pending_.size() >= attempts_waiting) {
      post([this, taken = std::exchange(pending_, {})] { writer_->append(taken); });
    }
  }

  void plane(PlaneRecord record) override {
    post([this, taken = std::move(record), attempts = std::exchange(pending_, {})] {
      writer_->write(taken);
      writer_->append(attempts);
    });
  }

  void edge(EdgeRecord record) override {
    post([this, taken = std::move(record)] { writer_->append(taken); });
  }

  [[nodiscard]] bool keeps_checkpoints() const override { return true; }

  void checkpoint_row(std::size_t row, std::vector<Complex> values) override {
    post([this, row, taken = std::move(values)] { writer_->write_checkpoint_row(row, taken); });
  }

  // Returns when it is on the disk: a run keeps checkpoints as seldom as they take time.
  void checkpoint(std::string state) override {
    post([this, taken = std::move(state), attempts = std::exchange(pending_, {})] {
      writer_->append(attempts);
      writer_->write_checkpoint(taken);
    });
    worker_.run([] {});
    worker_.rethrow();
  }

  void end(const RunEnd& result) override {
    ended_ = true;
    worker_.run([this, &result] {
      try {
        worker_.rethrow();
        named_errors(path_, [&] {
          if (!writer_) throw Error(Fault::output, "the run ended before it began");
          writer_->append(pending_);
          writer_->end(result);
          writer_.reset();
        });
      } catch (const std::exception& failure) {
        give_up(failure.what());
        throw;
      }
    });
  }

private:
  template <typename Task>
  void post(Task task) {
    worker_.post([this, task = std::move(task)] {
      named_errors(path_, [&] {
        if (!writer_) throw Error(Fault::output, "the run did not begin");
        task();
      });
    });
  }

  void give_up(const std::string& reason) {
    if (writer_) writer_->fail(reason);
    writer_.reset();
    claim_.reset();
    held_.reset();
  }

  const std::string path_;
  std::unique_ptr<Claim> claim_;
  std::unique_ptr<Held> held_;  // of a run that goes on
  std::unique_ptr<Writer> writer_;
  std::vector<AttemptRecord> pending_;
  bool ended_ = false;
  Worker worker_;  // last: it is joined before what its tasks use goes
};

}  // namespace

std::unique_ptr<Sink> make_file_sink(const std::string& path, bool force) {
  return std::make_unique<FileSink>(path, force);
}

std::unique_ptr<Sink> make_resume_sink(const std::string& path) { return std::make_unique<FileSink>(path); }

}  // namespace lumarch
