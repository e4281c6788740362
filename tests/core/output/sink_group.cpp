// SPDX-License-Identifier: Apache-2.0
// Several sinks at once: each sees all of a run, and its failure too.
#include <doctest/doctest.h>

#include <stdexcept>

#include <lumarch/result_file.hpp>

#include "core/output/example_run.hpp"

using namespace lumarch;

namespace {

void feed(Sink& sink, const RunInfo& info, std::size_t planes) {
  sink.begin(info);
  for (std::size_t i = 0; i < planes; ++i) {
    sink.attempts(example::attempts(i));
    sink.plane(example::plane(info, i));
    sink.edge(example::edge(info, i));
  }
  sink.end(example::run_end(info));
}

struct Failing final : public Sink {
  explicit Failing(int at) : at_(at) {}
  void begin(const RunInfo&) override { fail_at(0); }
  void attempts(std::vector<AttemptRecord>) override { fail_at(1); }
  void plane(PlaneRecord record) override { fail_at(record.index == 2 ? 2 : -1); }
  void edge(EdgeRecord) override { fail_at(3); }
  void end(const RunEnd&) override {
    ++ends;
    fail_at(4);
  }
  int ends = 0;

private:
  void fail_at(int at) const {
    if (at == at_) throw std::runtime_error("the disk of the application is full");
  }
  int at_;
};

}  // namespace

TEST_CASE("a file, memory and a callable see the same run") {
  const example::Folder folder;
  const std::string path = folder / "out.h5";
  const RunInfo info = example::run_info();
  const auto file = make_file_sink(path, false);
  MemorySink memory;
  std::vector<PlaneRecord> taken;
  PlaneSink callable([&](PlaneRecord record) { taken.push_back(std::move(record)); });
  SinkGroup group({file.get(), &memory, &callable});
  feed(group, info, 5);
  const ResultFile read(path);
  CHECK(read.info().planes_written == 5);
  REQUIRE(memory.planes.size() == 5);
  REQUIRE(taken.size() == 5);
  for (std::size_t i = 0; i < 5; ++i) {
    const PlaneRecord plane = example::plane(info, i);
    CHECK(read.field(plane.index) == plane.field);
    CHECK(memory.planes[i].field == plane.field);
    CHECK(taken[i].field == plane.field);
    CHECK(taken[i].statistics == plane.statistics);
  }
  CHECK(memory.edges.size() == 5);
  CHECK(read.info().edges.size() == 5);
  CHECK(memory.march.size() == read.info().march.size());
  CHECK(memory.ended.ended == example::run_end(info).ended);
}

TEST_CASE("where one fails, the run ends with its words and the others are ended as failed") {
  const RunInfo info = example::run_info();
  for (int at = 0; at < 4; ++at) {
    CAPTURE(at);
    const example::Folder folder;
    const std::string path = folder / "out.h5";
    MemorySink memory;
    Failing failing(at);
    {
      const auto file = make_file_sink(path, false);
      SinkGroup group({file.get(), &failing, &memory});
      CHECK_THROWS_WITH(feed(group, info, 5), "the disk of the application is full");
      group.end(example::run_end(info));  // what ends a run that failed reaches nobody twice
    }
    CHECK(failing.ends == 0);
    const char* words = "another output of the run failed: the disk of the application is full";
    CHECK(ResultFile(path).info().status == "failed");
    CHECK(ResultFile(path).info().provenance.at("reason") == words);
    if (at > 0) {
      CHECK(memory.ended.ended == Ended::failed);
      CHECK(memory.ended.reason == words);
    }
  }
}

TEST_CASE("at the end each is ended, whatever another one throws") {
  const RunInfo info = example::run_info();
  MemorySink first, last;
  Failing failing(4);
  SinkGroup group({&first, &failing, &last});
  CHECK_THROWS_WITH(feed(group, info, 2), "the disk of the application is full");
  CHECK(first.ended.ended == example::run_end(info).ended);
  CHECK(last.ended.ended == example::run_end(info).ended);
  CHECK_THROWS_AS(SinkGroup({&first, nullptr}), Error);
}
