// SPDX-License-Identifier: Apache-2.0
#include "output/writer.hpp"

#include <fcntl.h>
#include <hdf5_hl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <ctime>
#include <numbers>
#include <system_error>

#include <lumarch/version.hpp>
#include <nlohmann/json.hpp>

#include "output/claim.hpp"
#include "output/schema.hpp"

namespace lumarch {

namespace {

constexpr double light = 299792458.0;        // m/s
constexpr std::uint64_t slack = 256 * 1024;  // for what HDF5 keeps beside the numbers: headers, indices, heaps
constexpr hsize_t attempts_a_chunk = 1024;

std::string now() {
  const std::time_t time = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&time, &utc);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

const char* word(Ended ended) {
  switch (ended) {
    case Ended::running:
      return "running";
    case Ended::done:
      return "done";
    case Ended::stopped:
      return "stopped";
    case Ended::failed:
      return "failed";
  }
  return "failed";
}

// At most `size` bytes, cut between characters.
std::string start_of(const std::string& text, std::size_t size) {
  if (text.size() <= size) return text;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80) --size;
  return text.substr(0, size);
}

void put_root(hid_t root, const Problem& problem) {
  h5::put_attribute(root, "lumarch", std::string(LUMARCH_VERSION));
  h5::put_attribute(root, "schema", schema::version);
  h5::put_attribute(root, "title", start_of(problem.title, schema::title_bytes));
  h5::put_fixed(root, "status", schema::status_bytes, "running");
  h5::put_attribute(root, "convention", std::string(schema::convention));
  h5::put_attribute(root, "digest", problem.digest);
  h5::put_attribute(root, "created", now());
  h5::put_fixed(root, "finished", schema::date_bytes, "");
}

void describe(const h5::Dataset& dataset, const char* units, const char* words) {
  h5::put_attribute(dataset.get(), "units", std::string(units));
  h5::put_attribute(dataset.get(), "long_name", std::string(words));
}

h5::Dataset put_axis(hid_t where, const char* name, const std::vector<double>& values, const char* units,
                     const char* words) {
  h5::Dataset axis = h5::make_dataset(where, name, H5T_NATIVE_DOUBLE, {.dims = {values.size()}});
  if (!values.empty()) h5::write_all(axis, H5T_NATIVE_DOUBLE, values.data(), name);
  describe(axis, units, words);
  return axis;
}

void make_scale(const h5::Dataset& axis, const char* name) {
  h5::check(H5DSset_scale(axis.get(), name), std::string("make a scale of ") + name);
}

void attach(const h5::Dataset& dataset, const h5::Dataset& scale, unsigned int dimension) {
  h5::check(H5DSattach_scale(dataset.get(), scale.get(), dimension), "attach a scale");
}

}  // namespace

void write_placeholder(const std::string& path) {
  const h5::Session session;
  h5::File file = h5::create(path);
  put_root(file.get(), {});
  file.close("cannot be written");
}

Writer::Writer(const std::string& path, const RunInfo& info) : output_(info.problem.output) {
  const h5::Session session;
  samples_ = info.omega.size();
  file_ = h5::create(path);
  try {
    descriptor_ = h5::descriptor(file_);
    fcntl(descriptor_, F_SETFD, FD_CLOEXEC);  // else a program that a plugin starts would keep the lock
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
  for (h5::Dataset* dataset : {&field_, &z_, &h_, &error_, &accepted_}) *dataset = {};
  for (h5::Group* group : {&planes_, &march_, &provenance_}) *group = {};
  for (h5::Type* type : {&complex_, &bool_}) *type = {};
  file_ = {};
}

void Writer::lay_out(const RunInfo& info) {
  complex_ = h5::complex_type();
  bool_ = h5::bool_type();
  // Everything that is laid out before the march, so that a disk too small is found before it and not in its middle.
  const std::uint64_t fields = output_.fields == Fields::all ? info.planes.size() : output_.fields == Fields::last;
  const std::uint64_t rows = output_.compression > 0 ? 0 : fields * samples_ * sizeof(Complex);
  reserve(rows + 8 * (3 * samples_ + info.planes.size() * (1 + 2 * info.problem.statistics.size())) +
          info.problem.text.size() + info.backend_json.size() + 1024 * fields);

  put_root(file_.get(), info.problem);
  const h5::Group grid = h5::make_group(file_.get(), "grid");
  h5::put_attribute(grid.get(), "omega0", info.omega0);
  const h5::Dataset omega = put_axis(grid.get(), "omega", info.omega, "rad/s", "angular frequency");
  make_scale(omega, "omega");
  const h5::Dataset time = put_axis(grid.get(), "time", info.time, "s", "time");
  make_scale(time, "time");
  std::vector<double> lengths(info.omega.size());
  std::transform(info.omega.begin(), info.omega.end(), lengths.begin(),
                 [](double w) { return 2 * std::numbers::pi * light / w; });
  attach(put_axis(grid.get(), "wavelength", lengths, "m", "vacuum wavelength"), omega, 0);
  // Only so that every dimension of a statistic with two values has a name: xarray opens no half-named arrays.
  make_scale(put_axis(grid.get(), "pair", {0, 1}, "1", "first and second value"), "pair");
  lay_out_planes(info);
  lay_out_march();
  lay_out_provenance(info);
  // The netCDF rule that xarray goes by: a group finds its dimensions in itself or above.
  for (const auto& [from, to] : {std::pair{"planes/z", "z"}, {"grid/omega", "omega"}, {"grid/pair", "pair"}}) {
    h5::check(H5Lcreate_hard(file_.get(), from, file_.get(), to, H5P_DEFAULT, H5P_DEFAULT), "link a scale");
  }
}

void Writer::lay_out_planes(const RunInfo& info) {
  planes_ = h5::make_group(file_.get(), "planes");
  h5::put_attribute(planes_.get(), "planes_written", std::int64_t{0});
  const h5::Dataset z = put_axis(planes_.get(), "z", info.planes, "m", "position");
  make_scale(z, "z");
  if (output_.fields != Fields::none) {
    const bool all = output_.fields == Fields::all;
    const hsize_t rows = all ? info.planes.size() : 1;
    h5::Shape shape{.dims = {rows, samples_}, .nan_filled = true};
    if (output_.compression > 0 && samples_ > 0) {
      shape.chunk = {1, samples_};
      shape.compression = static_cast<unsigned int>(std::min(output_.compression, 9));
    }
    field_ = h5::make_dataset(planes_.get(), "field", complex_.get(), shape);
    describe(field_, "sqrt(W) s", "spectral amplitude");
    if (all) attach(field_, z, 0);
    if (!all) h5::put_attribute(field_.get(), "plane", std::int64_t{-1});
    attach(field_, {H5Dopen2(file_.get(), "grid/omega", H5P_DEFAULT), "open omega"}, 1);
  }
  const h5::Group group = h5::make_group(file_.get(), "statistics");
  const h5::Dataset pair{H5Dopen2(file_.get(), "grid/pair", H5P_DEFAULT), "open pair"};
  for (const StatisticRequest& request : info.problem.statistics) {
    const schema::Meaning meaning = schema::meaning(request.quantity);
    h5::Shape shape{.dims = {info.planes.size()}, .nan_filled = true};
    if (meaning.values > 1) shape.dims.push_back(meaning.values);
    h5::Dataset data = h5::make_dataset(group.get(), request.name, H5T_NATIVE_DOUBLE, shape);
    describe(data, meaning.units, meaning.words);
    attach(data, z, 0);
    if (meaning.values == 2) attach(data, pair, 1);
    statistics_.push_back({std::move(data), "statistics/" + request.name, meaning.values});
  }
}

void Writer::lay_out_march() {
  march_ = h5::make_group(file_.get(), "march");
  for (const char* count : {"accepted", "rejected", "evaluations"}) {
    h5::put_attribute(march_.get(), std::string(count) + "_total", std::int64_t{0});
  }
  h5::put_attribute(march_.get(), "z_reached", 0.0);
  const h5::Shape numbers{.dims = {0}, .nan_filled = true, .chunk = {attempts_a_chunk}, .growing = true};
  const h5::Shape flags{.dims = {0}, .chunk = {attempts_a_chunk}, .growing = true};
  z_ = h5::make_dataset(march_.get(), "z", H5T_NATIVE_DOUBLE, numbers);
  describe(z_, "m", "where an attempt started");
  h_ = h5::make_dataset(march_.get(), "h", H5T_NATIVE_DOUBLE, numbers);
  describe(h_, "m", "how long an attempt was");
  error_ = h5::make_dataset(march_.get(), "error", H5T_NATIVE_DOUBLE, numbers);
  describe(error_, "1", "error relative to the tolerance");
  accepted_ = h5::make_dataset(march_.get(), "accepted", bool_.get(), flags);
  describe(accepted_, "1", "whether an attempt was accepted");
}

void Writer::lay_out_provenance(const RunInfo& info) {
  provenance_ = h5::make_group(file_.get(), "provenance");
  h5::put_text(provenance_.get(), "problem", 0, info.problem.text);
  // In fixed rooms: they can be written when the disk is full.
  for (const std::string name : schema::provenance) {
    const bool backend = name == "backend" && !info.backend_json.empty();
    h5::put_text(provenance_.get(), name, name == "backend" ? 0 : schema::provenance_bytes,
                 backend             ? info.backend_json
                 : name == "kernels" ? "[]"
                                     : "{}");
  }
  h5::put_text(provenance_.get(), "reason", schema::reason_bytes, "");
}

void Writer::write_field(const PlaneRecord& record) {
  if (record.field.size() != samples_) throw Error(Fault::output, "a plane's field has another length than the grid");
  const bool all = output_.fields == Fields::all;
  if (output_.compression > 0) reserve(samples_ * sizeof(Complex));
  h5::write_row(field_, all ? static_cast<std::uint64_t>(record.index) : 0, complex_.get(), record.field.data(),
                "planes/field");
  if (!all) h5::set_attribute(field_.get(), "plane", record.index);
}

void Writer::write(const PlaneRecord& record) {
  const h5::Session session;
  if (record.index < 0) throw Error(Fault::output, "a plane has a negative index");
  if (output_.fields == Fields::all || (output_.fields == Fields::last && !record.field.empty())) write_field(record);
  if (record.statistics.size() != statistics_.size()) throw Error(Fault::output, "a plane lacks statistics");
  for (std::size_t i = 0; i < statistics_.size(); ++i) {
    const Statistic& statistic = statistics_[i];
    if (record.statistics[i].size() != statistic.values) throw Error(Fault::output, statistic.name + " lacks values");
    h5::write_row(statistic.data, static_cast<std::uint64_t>(record.index), H5T_NATIVE_DOUBLE,
                  record.statistics[i].data(), statistic.name);
  }
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
  reserve((records.size() / attempts_a_chunk + 2) * attempts_a_chunk * (3 * sizeof(double) + 1));
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

void Writer::end(const RunEnd& result) {
  const h5::Session session;
  const auto put = [&](const char* name, const std::string& text) {
    if (text.size() <= h5::room_of(provenance_.get(), name)) return h5::set_text(provenance_.get(), name, text);
    h5::check(H5Ldelete(provenance_.get(), name, H5P_DEFAULT), std::string("replace ") + name);
    h5::put_text(provenance_.get(), name, 0, text);
  };
  const std::string timings = nlohmann::json(result.timings).dump(), memory = nlohmann::json(result.memory).dump();
  const std::string crossed = nlohmann::json(result.bytes_crossed).dump();
  reserve(timings.size() + memory.size() + crossed.size() + result.kernels_json.size());
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
  h5::set_fixed(file_.get(), "finished", now());
  h5::set_fixed(file_.get(), "status", word(result.ended));
  flush();
  close();
}

void Writer::fail(const std::string& reason) noexcept {
  try {
    const h5::Session session;
    if (!file_) return;
    h5::set_text(provenance_.get(), "reason", start_of(reason, schema::reason_bytes));
    h5::set_fixed(file_.get(), "finished", now());
    h5::set_fixed(file_.get(), "status", "failed");
    flush();
    close();
  } catch (...) {  // the failure itself is what gets reported
  }
}

void Writer::flush() { h5::check(H5Fflush(file_.get(), H5F_SCOPE_LOCAL), "write"); }

void Writer::close() {
  haddr_t used = 0;
  if (H5Fget_eoa(file_.get(), &used) >= 0 && reserved_ > used) {
    if (ftruncate(descriptor_, static_cast<off_t>(used)) != 0) reserved_ = used;  // a longer file is still a right one
  }
  // What a disk that is far away refuses, it may refuse as late as here.
  if (fsync(descriptor_) != 0 && errno != EINVAL) {
    throw Error(Fault::output, "write: " + std::generic_category().message(errno));
  }
  h5::File file = std::move(file_);
  release();
  file.close("close");
}

// Asks the disk before HDF5 does: where the disk refuses, HDF5 is left with parts that it can neither write nor drop,
// and the file could not even be marked as failed.
void Writer::reserve(std::uint64_t bytes) {
  haddr_t used = 0;
  h5::check(H5Fget_eoa(file_.get(), &used), "ask for the file's size");
  const std::uint64_t need = used + bytes + slack;
  if (need <= reserved_) return;
  if (fallocate(descriptor_, 0, 0, static_cast<off_t>(need)) != 0 && errno != EOPNOTSUPP && errno != ENOSYS) {
    const int error = errno;
    throw Error(Fault::output, "there is no room for " + std::to_string((bytes + slack) / 1000) +
                                   " kB more: " + std::generic_category().message(error));
  }
  reserved_ = need;
}

}  // namespace lumarch
