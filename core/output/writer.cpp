// SPDX-License-Identifier: Apache-2.0
#include "output/writer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <ctime>
#include <system_error>

#include <nlohmann/json.hpp>

#include <lumarch/words.hpp>

#include "output/claim.hpp"
#include "output/schema.hpp"

namespace lumarch {

std::string utc_now() {
  const std::time_t time = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&time, &utc);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

std::string start_of(const std::string& text, std::size_t size) {
  if (text.size() <= size) return text;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80) --size;
  return text.substr(0, size);
}

void write_placeholder(const std::string& path) {
  const h5::Session session;
  h5::File file = h5::create(path);
  put_root(file.get(), {});
  file.close("cannot be written");
}

Writer::Writer(const std::string& path, const RunInfo& info) : output_(info.problem.output) {
  const h5::Session session;
  file_ = h5::create(path);
  try {
    descriptor_ = h5::descriptor(file_);
    if (!lock_for_writing(descriptor_)) throw Error(Fault::output, "another run is writing it");
    lay_out(info);
    flush();
  } catch (...) {
    release();
    unlink(path.c_str());
    throw;
  }
}

Writer::~Writer() {
  const h5::Session session;
  release();
}

void Writer::release() {
  statistics_.clear();
  profiles_.clear();
  edges_.clear();
  strips_.clear();
  for (h5::Dataset* dataset : {&field_, &z_, &h_, &error_, &accepted_, &slots_[0], &slots_[1]}) *dataset = {};
  for (h5::Group* group : {&planes_, &march_, &edge_, &provenance_, &checkpoint_}) *group = {};
  for (h5::Type* type : {&complex_, &bool_}) *type = {};
  file_ = {};
}

void Writer::write_field(const PlaneRecord& record) {
  if (record.field.size() != samples_) throw Error(Fault::output, "a plane's field has another length than the grid");
  const bool all = output_.fields == Fields::all;
  if (output_.compression > 0) room_.ask(file_, descriptor_, samples_ * sizeof(Complex));
  if (!all) {  // a field of before is none any more while it is written over
    h5::set_attribute(field_.get(), "plane", std::int64_t{-1});
    flush();
  }
  h5::write_row(field_, all ? static_cast<std::uint64_t>(record.index) : 0, complex_.get(), record.field.data(),
                "planes/field");
  if (!all) flush();
  if (!all) h5::set_attribute(field_.get(), "plane", record.index);
}

void Writer::write_rows(const std::vector<Rows>& rows, std::int64_t plane,
                        const std::vector<const std::vector<double>*>& values) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (values[i]->size() != rows[i].values) {
      throw Error(Fault::output, rows[i].name + " got " + std::to_string(values[i]->size()) +
                                     " values for a plane of " + std::to_string(rows[i].values));
    }
    h5::write_row(rows[i].data, static_cast<std::uint64_t>(plane), H5T_NATIVE_DOUBLE, values[i]->data(), rows[i].name);
  }
}

void Writer::write(const PlaneRecord& record) {
  const h5::Session session;
  if (record.index < 0) throw Error(Fault::output, "a plane has a negative index");
  if (output_.fields == Fields::all || (output_.fields == Fields::last && !record.field.empty())) write_field(record);
  if (record.statistics.size() != statistics_.size()) throw Error(Fault::output, "a plane lacks statistics");
  std::vector<const std::vector<double>*> values;
  for (const auto& statistic : record.statistics) values.push_back(&statistic);
  write_rows(statistics_, record.index, values);
  write_rows(profiles_, record.index, {&record.spectrum, &record.power, &record.fluence});
  // The count follows the numbers, never the other way round: it is what a reader of a killed run goes by.
  flush();
  planes_written_ = std::max(planes_written_, record.index + 1);
  h5::set_attribute(planes_.get(), "planes_written", planes_written_);
  h5::set_attribute(march_.get(), "z_reached", record.z);
  flush();
}

void Writer::append(const std::vector<AttemptRecord>& records) {
  if (records.empty()) return;
  const h5::Session session;
  room_.ask(file_, descriptor_, (records.size() / attempts_a_chunk + 2) * attempts_a_chunk * (3 * sizeof(double) + 1));
  std::vector<double> column(records.size());
  const auto put = [&](const h5::Dataset& dataset, double AttemptRecord::*part, const char* name) {
    std::transform(records.begin(), records.end(), column.begin(), [&](const auto& record) { return record.*part; });
    h5::append(dataset, H5T_NATIVE_DOUBLE, column.data(), column.size(), name);
  };
  put(z_, &AttemptRecord::z, "march/z");
  put(h_, &AttemptRecord::h, "march/h");
  put(error_, &AttemptRecord::error, "march/error");
  std::vector<std::int8_t> flags(records.size());
  std::transform(records.begin(), records.end(), flags.begin(), [](const auto& record) { return record.accepted; });
  h5::append(accepted_, bool_.get(), flags.data(), flags.size(), "march/accepted");
  const auto yes = std::count(flags.begin(), flags.end(), std::int8_t{1});
  accepted_count_ += yes;
  rejected_count_ += static_cast<std::int64_t>(flags.size()) - yes;
  h5::set_attribute(march_.get(), "accepted_total", accepted_count_);
  h5::set_attribute(march_.get(), "rejected_total", rejected_count_);
  flush();
}

void Writer::append(const EdgeRecord& record) {
  if (record.rims.size() != rims_) throw Error(Fault::output, "an edge reading has other rims than the run");
  if (edges_.empty()) return;
  if (static_cast<std::size_t>(edges_written_) >= most_edges_) throw Error(Fault::output, "too many edge readings");
  const h5::Session session;
  const std::vector<double> place{record.z}, time{record.absorbed_time}, space{record.absorbed_space};
  std::vector<double> share, energy, peak;
  for (const EdgeRim& rim : record.rims) {
    share.push_back(rim.share);
    energy.push_back(rim.energy);
    peak.push_back(rim.peak);
  }
  write_rows(edges_, edges_written_, {&place, &time, &space, &share, &energy, &peak});
  std::vector<const std::vector<double>*> strips;
  for (const EdgeRim& rim : record.rims) strips.push_back(&rim.strip);
  write_rows(strips_, edges_written_, strips);
  flush();
  h5::set_attribute(edge_.get(), "readings", ++edges_written_);
  flush();
}

void Writer::end(const RunEnd& result) {
  const h5::Session session;
  const auto put = [&](const char* name, const std::string& text) {
    if (text.size() <= h5::room_of(provenance_.get(), name)) return h5::set_text(provenance_.get(), name, text);
    h5::check(H5Ldelete(provenance_.get(), name, H5P_DEFAULT), std::string("replace ") + name);
    h5::put_text(provenance_.get(), name, 0, text);
  };
  const std::string timings = nlohmann::json(result.timings).dump(), memory = nlohmann::json(result.memory).dump();
  const std::string crossed = nlohmann::json(result.bytes_crossed).dump();
  room_.ask(file_, descriptor_, timings.size() + memory.size() + crossed.size() + result.kernels_json.size());
  put("timings", timings);
  put("memory", memory);
  put("bytes_crossed", crossed);
  if (!result.kernels_json.empty()) put("kernels", result.kernels_json);
  h5::set_text(provenance_.get(), "reason", start_of(result.reason, schema::reason_bytes));
  h5::set_attribute(march_.get(), "accepted_total", result.accepted);
  h5::set_attribute(march_.get(), "rejected_total", result.rejected);
  h5::set_attribute(march_.get(), "evaluations_total", result.evaluations);
  h5::set_attribute(march_.get(), "z_reached", result.z);
  flush();
  if (result.ended == Ended::failed && !result.retry) drop_checkpoint();
  h5::set_fixed(file_.get(), "finished", utc_now());
  h5::set_fixed(file_.get(), "status", word(result.ended));
  flush();
  close();
}

void Writer::fail(const std::string& reason) noexcept {
  try {
    const h5::Session session;
    if (!file_) return;
    h5::set_text(provenance_.get(), "reason", start_of(reason, schema::reason_bytes));
    h5::set_fixed(file_.get(), "finished", utc_now());
    h5::set_fixed(file_.get(), "status", "failed");
    flush();
    close();
  } catch (...) {  // the failure itself is what gets reported
  }
}

void Writer::flush() { h5::check(H5Fflush(file_.get(), H5F_SCOPE_LOCAL), "write"); }

void Writer::close() {
  room_.give_back(file_, descriptor_);
  // What a disk that is far away refuses, it may refuse as late as here.
  if (fsync(descriptor_) != 0 && errno != EINVAL) {
    throw Error(Fault::output, "write: " + std::generic_category().message(errno));
  }
  h5::File file = std::move(file_);
  release();
  file.close("close");
}

}  // namespace lumarch
