// SPDX-License-Identifier: Apache-2.0
#include <lumarch/error.hpp>
#include <lumarch/sink.hpp>

#include <algorithm>
#include <exception>

namespace lumarch {

// The one that failed knows; the others hear of it in words, and what they throw then is no news.
template <class Call>
void SinkGroup::each(const Call& call) {
  for (std::size_t i = 0; i < sinks_.size(); ++i) {
    try {
      call(*sinks_[i], i);
    } catch (const std::exception& failure) {
      give_up(i, failure.what());
      throw;
    } catch (...) {
      give_up(i, "it did not say why");
      throw;
    }
  }
}

void SinkGroup::give_up(std::size_t failed, const std::string& why) noexcept {
  for (std::size_t i = 0; i < began_; ++i) {
    if (i == failed) continue;
    try {
      RunEnd end;
      end.ended = Ended::failed;
      end.reason = "another output of the run failed: " + why;
      end.z = z_;
      sinks_[i]->end(end);
    } catch (...) {  // nobody is left to tell
    }
  }
  began_ = 0;
}

SinkGroup::SinkGroup(std::vector<Sink*> sinks) : sinks_(std::move(sinks)) {
  for (const Sink* sink : sinks_)
    if (sink == nullptr) throw Error(Fault::problem, "a group of sinks has one that is not there (a null pointer)");
}

void SinkGroup::begin(const RunInfo& info) {
  each([&](Sink& sink, std::size_t i) {
    sink.begin(info);
    began_ = i + 1;
  });
}

void SinkGroup::attempts(std::vector<AttemptRecord> records) {
  if (!records.empty()) z_ = records.back().z;
  each([&](Sink& sink, std::size_t i) {
    if (i + 1 == sinks_.size())
      sink.attempts(std::move(records));
    else
      sink.attempts(records);
  });
}

void SinkGroup::plane(PlaneRecord record) {
  z_ = record.z;
  each([&](Sink& sink, std::size_t i) {
    if (i + 1 == sinks_.size())
      sink.plane(std::move(record));  // a field may be large: the last one gets the one that is there
    else
      sink.plane(record);
  });
}

void SinkGroup::edge(EdgeRecord record) {
  each([&](Sink& sink, std::size_t) { sink.edge(record); });
}

bool SinkGroup::keeps_checkpoints() const {
  return std::any_of(sinks_.begin(), sinks_.end(), [](const Sink* sink) { return sink->keeps_checkpoints(); });
}

void SinkGroup::checkpoint_row(std::size_t row, std::vector<Complex> values) {
  each([&](Sink& sink, std::size_t) {
    if (sink.keeps_checkpoints()) sink.checkpoint_row(row, values);
  });
}

void SinkGroup::checkpoint(std::string state) {
  each([&](Sink& sink, std::size_t) {
    if (sink.keeps_checkpoints()) sink.checkpoint(state);
  });
}

// Every sink is ended, whatever another one throws: each has what it reached to put away.
void SinkGroup::end(const RunEnd& end) {
  std::exception_ptr first;
  for (std::size_t i = 0; i < began_; ++i) {
    try {
      sinks_[i]->end(end);
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  began_ = 0;
  if (first) std::rethrow_exception(first);
}

}  // namespace lumarch
