// SPDX-License-Identifier: Apache-2.0
#include "output/scan_writer.hpp"

#include <hdf5_hl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include <lumarch/version.hpp>
#include <lumarch/words.hpp>

#include "output/claim.hpp"
#include "output/open_result.hpp"
#include "output/scan_names.hpp"
#include "output/schema.hpp"
#include "output/writer.hpp"

namespace lumarch {

namespace {

using namespace scan_names;

constexpr std::size_t reason_bytes = 512, digest_bytes = 64;

bool any_starts_with(const ScanRequest& request, std::initializer_list<const char*> starts) {
  return std::any_of(request.axes.begin(), request.axes.end(), [&](const ScanAxis& axis) {
    return std::any_of(starts.begin(), starts.end(),
                       [&](const char* start) { return axis.pointer.rfind(start, 0) == 0; });
  });
}

void put_scan_root(hid_t root, const ScanHead& head) {
  Problem problem;
  problem.title = head.title;
  problem.digest = head.digest;
  put_root(root, problem);
  const h5::Group provenance = h5::make_group(root, "provenance");
  h5::put_text(provenance.get(), "problem", 0, head.text);
  h5::put_text(provenance.get(), "reason", schema::reason_bytes, "");
  const h5::Group scan = h5::make_group(root, "scan");
  h5::put_attribute(scan.get(), "mode", std::string(head.request.mode == ScanRequest::Mode::zip ? "zip" : "grid"));
  h5::put_attribute(scan.get(), "folder", head.folder);
  h5::put_attribute(scan.get(), "shard", static_cast<std::int64_t>(head.shard));
  h5::put_attribute(scan.get(), "shards", static_cast<std::int64_t>(head.shards));
  h5::put_attribute(scan.get(), "sparse", std::int64_t{head.layout.sparse});
  h5::put_attribute(scan.get(), "grids_vary", std::int64_t{head.layout.grids_vary});
  h5::put_attribute(scan.get(), "planes_vary", std::int64_t{head.layout.planes_vary});
  h5::put_attribute(scan.get(), "arrays", std::int64_t{0});
}

void put_axes(hid_t root, const ScanHead& head) {
  const h5::Group axes = h5::make_group(root, "scan/axes");
  for (const ScanAxis& axis : head.request.axes) {
    const std::string name = axis_name(axis.pointer);
    const h5::Dataset data = h5::make_dataset(axes.get(), name, H5T_NATIVE_DOUBLE, {.dims = {axis.numbers.size()}});
    h5::write_all(data, H5T_NATIVE_DOUBLE, axis.numbers.data(), name);
    h5::put_attribute(data.get(), "units", axis.unit);
    h5::put_attribute(data.get(), "path", axis.pointer);
  }
}

void put_points(hid_t root, const ScanHead& head) {
  const h5::Group points = h5::make_group(root, "scan/points");
  const std::size_t n = head.points.size();
  const std::vector<std::int64_t> index(head.points.begin(), head.points.end());
  const h5::Dataset scale = h5::make_dataset(points.get(), "index", H5T_NATIVE_INT64, {.dims = {n}});
  if (n > 0) h5::write_all(scale, H5T_NATIVE_INT64, index.data(), "index");
  h5::put_attribute(scale.get(), "long_name", std::string("number of the point in the scan"));
  h5::check(H5DSset_scale(scale.get(), "point"), "make a scale");
  const auto along = [&](const h5::Dataset& data) {
    h5::check(H5DSattach_scale(data.get(), scale.get(), 0), "attach a scale");
  };
  for (std::size_t a = 0; a < head.request.axes.size(); ++a) {
    const std::string name = axis_name(head.request.axes[a].pointer);
    std::vector<double> column;
    for (const auto& numbers : head.numbers) column.push_back(numbers[a]);
    const h5::Dataset data = h5::make_dataset(points.get(), name, H5T_NATIVE_DOUBLE, {.dims = {n}});
    if (n > 0) h5::write_all(data, H5T_NATIVE_DOUBLE, column.data(), name);
    h5::put_attribute(data.get(), "units", head.request.axes[a].unit);
    h5::put_attribute(data.get(), "path", head.request.axes[a].pointer);
    along(data);
  }
  const auto texts = [&](const char* name, std::size_t size, const std::vector<std::string>& values) {
    const h5::Type type = h5::text_type(size);
    const h5::Dataset data = h5::make_dataset(points.get(), name, type.get(), {.dims = {n}});
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::string padded = start_of(values[i], size);
      padded.resize(size, '\0');
      h5::write_row(data, i, type.get(), padded.data(), name);
    }
    along(data);
  };
  texts(status, schema::status_bytes, std::vector<std::string>(n, waiting));
  texts(reason, reason_bytes, {});
  texts(digest, digest_bytes, head.digests);
  along(h5::make_dataset(points.get(), exit_state, H5T_NATIVE_INT64, {.dims = {n}}));
  for (const auto& [name, units] : {std::pair{seconds, "s"}, {energy_in, "J"}, {energy_out, "J"}}) {
    const h5::Dataset data = h5::make_dataset(points.get(), name, H5T_NATIVE_DOUBLE, {.dims = {n}, .nan_filled = true});
    h5::put_attribute(data.get(), "units", std::string(units));
    along(data);
  }
  h5::check(H5Lcreate_hard(root, "scan/points/index", root, "point", H5P_DEFAULT, H5P_DEFAULT), "link a scale");
}

void put_text_row(hid_t points, const char* name, std::size_t slot, const std::string& text) {
  const h5::Dataset data{H5Dopen2(points, name, H5P_DEFAULT), name};
  const h5::Type type{H5Dget_type(data.get()), name};
  std::string padded = start_of(text, H5Tget_size(type.get()));
  padded.resize(H5Tget_size(type.get()), '\0');
  h5::write_row(data, slot, type.get(), padded.data(), name);
}

void put_number_row(hid_t points, const char* name, std::size_t slot, double value) {
  h5::write_row(h5::Dataset{H5Dopen2(points, name, H5P_DEFAULT), name}, slot, H5T_NATIVE_DOUBLE, &value, name);
}

const char* status_word(const PointEnd& end) { return end.unfinished ? waiting : word(end.ended); }

}  // namespace

ScanHead head_of(const Scan& scan, const std::vector<std::size_t>& points, bool shared) {
  ScanHead head;
  head.text = scan.text();
  head.digest = scan.digest();
  head.folder = std::filesystem::absolute(scan.folder().empty() ? "." : scan.folder()).string();
  head.request = scan.request();
  head.points = points;
  head.layout.points = points.size();
  head.layout.sparse = shared;
  head.layout.grids_vary = any_starts_with(head.request, {"/time/", "/wavelength", "/geometry/"});
  head.layout.planes_vary = any_starts_with(head.request, {"/medium/length", "/planes"});
  for (const std::size_t point : points) {
    const Problem problem = scan.problem(point);
    if (head.title.empty()) head.title = problem.title;
    head.digests.push_back(problem.digest);
    std::vector<double> numbers;
    const std::vector<std::size_t> at = scan.place(point);
    for (std::size_t a = 0; a < at.size(); ++a) numbers.push_back(head.request.axes[a].numbers[at[a]]);
    head.numbers.push_back(std::move(numbers));
  }
  return head;
}

void write_scan_placeholder(const std::string& path, const ScanHead& head) {
  const h5::Session session;
  h5::File file = h5::create(path);
  put_scan_root(file.get(), head);
  put_axes(file.get(), head);
  put_points(file.get(), head);
  file.close("cannot be written");
}

ScanWriter::ScanWriter(const std::string& path, const ScanHead& head, const std::string& first) : layout_(head.layout) {
  const h5::Session session;
  file_ = h5::create(path);
  try {
    descriptor_ = h5::descriptor(file_);
    if (!lock_for_writing(descriptor_)) throw Error(Fault::output, "another run is writing it");
    lay_out(head, first);
    flush();
  } catch (...) {
    file_ = {};
    unlink(path.c_str());
    throw;
  }
}

void ScanWriter::lay_out(const ScanHead& head, const std::string& first) {
  std::uint64_t bytes = head.text.size() + head.points.size() * (reason_bytes + digest_bytes + 512);
  h5::File run;
  if (!first.empty()) {
    run = h5::open_read(first);
    bytes += point_tree::bytes_of(run.get(), layout_);
  }
  room_.ask(file_, descriptor_, bytes);
  put_scan_root(file_.get(), head);
  put_axes(file_.get(), head);
  put_points(file_.get(), head);
  for (std::size_t slot = 0; slot < head.points.size(); ++slot) slots_[head.points[slot]] = slot;
  if (first.empty()) return;
  point_tree::lay_out(file_.get(), run.get(), layout_);
  has_arrays_from(run.get());
}

// The rest of the provenance is that of the first point: backend, kernels, memory are everyone's.
void ScanWriter::has_arrays_from(hid_t first) {
  has_arrays_ = true;
  const h5::Group scan{H5Gopen2(file_.get(), "scan", H5P_DEFAULT), "open scan"};
  h5::set_attribute(scan.get(), "arrays", std::int64_t{1});
  const h5::Group from{H5Gopen2(first, "provenance", H5P_DEFAULT), "open provenance"};
  const h5::Group to{H5Gopen2(file_.get(), "provenance", H5P_DEFAULT), "open provenance"};
  for (const std::string& name : h5::names_in(from.get()))
    if (name != "problem" && name != "reason")
      h5::check(H5Ocopy(from.get(), name.c_str(), to.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), "copy " + name);
}

void ScanWriter::join(const std::vector<ScanSource>& parts) {
  const h5::Session session;
  std::vector<h5::File> files;
  std::vector<point_tree::Source> sources;
  for (const ScanSource& part : parts) {
    files.push_back(open_result(part.path));
    if (H5Lexists(files.back().get(), "planes", H5P_DEFAULT) > 0)
      sources.push_back({part.seen, files.back().get(), part.places});
  }
  if (sources.empty()) return;  // of points that failed before they began
  point_tree::join(file_.get(), sources, layout_);
  has_arrays_from(sources.front().file);
  std::vector<std::string> seen;
  for (const point_tree::Source& source : sources) seen.push_back(source.path);
  (void)h5::put_texts(file_.get(), "scan/parts", seen);
  flush();
}

ScanWriter::ScanWriter(const std::string& path) {
  const h5::Session session;
  file_ = h5::open_write(path);
  descriptor_ = h5::descriptor(file_);
  const h5::Group scan{H5Gopen2(file_.get(), "scan", H5P_DEFAULT), "open scan"};
  layout_.sparse = h5::get_integer_attribute(scan.get(), "sparse") != 0;
  layout_.grids_vary = h5::get_integer_attribute(scan.get(), "grids_vary") != 0;
  layout_.planes_vary = h5::get_integer_attribute(scan.get(), "planes_vary") != 0;
  has_arrays_ = h5::get_integer_attribute(scan.get(), "arrays") != 0;
  const std::vector<std::int64_t> index = h5::get_integers(scan.get(), "points/index");
  layout_.points = index.size();
  for (std::size_t slot = 0; slot < index.size(); ++slot) slots_[static_cast<std::size_t>(index[slot])] = slot;
  if (has_arrays_) point_tree::cut(file_.get(), waiting_points());
  h5::set_fixed(file_.get(), "status", "running");
  flush();
}

std::vector<std::int64_t> ScanWriter::waiting_points() const {
  const h5::Group points{H5Gopen2(file_.get(), "scan/points", H5P_DEFAULT), "open scan/points"};
  const std::vector<std::string> how = h5::get_texts(points.get(), status);
  const std::vector<std::int64_t> index = h5::get_integers(points.get(), "index");
  std::vector<std::int64_t> left;
  for (std::size_t i = 0; i < std::min(how.size(), index.size()); ++i)
    if (how[i] == waiting) left.push_back(index[i]);
  return left;
}

ScanWriter::~ScanWriter() {
  const h5::Session session;
  file_ = {};
}

void ScanWriter::record(std::size_t slot, const PointEnd& end, const char* how, const std::string& why) {
  const h5::Group points{H5Gopen2(file_.get(), "scan/points", H5P_DEFAULT), "open scan/points"};
  put_text_row(points.get(), reason, slot, why);
  const std::int64_t exit = end.status;
  h5::write_row(h5::Dataset{H5Dopen2(points.get(), exit_state, H5P_DEFAULT), exit_state}, slot, H5T_NATIVE_INT64, &exit,
                exit_state);
  put_number_row(points.get(), seconds, slot, end.summary.seconds);
  put_number_row(points.get(), energy_in, slot, end.summary.energy_in);
  put_number_row(points.get(), energy_out, slot, end.summary.energy_out);
  // The word follows the numbers: it is what a reader of a killed scan goes by.
  flush();
  put_text_row(points.get(), status, slot, how);
  flush();
}

void ScanWriter::put(PointEnd& end, const std::string& run) {
  const h5::Session session;
  const auto at = slots_.find(end.point);
  if (at == slots_.end())
    throw Error(Fault::output, "point " + std::to_string(end.point) + " has no place in the file");
  if (run.empty()) return record(at->second, end, status_word(end), end.reason);
  const h5::File from = h5::open_read(run);
  try {
    point_tree::Layout one = layout_;
    one.points = 1;
    const std::uint64_t bytes = point_tree::bytes_of(from.get(), one);
    room_.ask(file_, descriptor_, layout_.sparse ? 2 * bytes : (std::uint64_t{1} << 16) + bytes / 8);
    point_tree::put(file_.get(), at->second, static_cast<std::int64_t>(end.point), from.get(), layout_);
  } catch (const Error& failure) {
    if (failure.fault() != Fault::problem) throw;
    end.ended = Ended::failed;
    end.status = static_cast<int>(Fault::problem);
    end.reason = failure.what();
  }
  record(at->second, end, status_word(end), end.reason);
}

void ScanWriter::end(Ended how, const std::string& reason_given, const std::function<void()>& before_close) {
  const h5::Session session;
  std::string why = reason_given;
  if (how == Ended::done) {  // of a scan that went on: also of what it had before
    const h5::Group points{H5Gopen2(file_.get(), "scan/points", H5P_DEFAULT), "open scan/points"};
    const std::vector<std::string> of = h5::get_texts(points.get(), status);
    const auto good = std::count(of.begin(), of.end(), "done");
    if (good != static_cast<std::ptrdiff_t>(of.size()) && !layout_.sparse) {
      how = Ended::failed;
      why = std::to_string(of.size() - static_cast<std::size_t>(good)) + " of " + std::to_string(of.size()) +
            " points failed";
    }
  }
  const h5::Group provenance{H5Gopen2(file_.get(), "provenance", H5P_DEFAULT), "open provenance"};
  h5::set_text(provenance.get(), "reason", start_of(why, schema::reason_bytes));
  flush();
  h5::set_fixed(file_.get(), "finished", utc_now());
  h5::set_fixed(file_.get(), "status", word(how));
  flush();
  if (before_close) before_close();
  close();
}

void ScanWriter::fail(const std::string& why) noexcept {
  try {
    if (!file_) return;
    end(Ended::failed, why);
  } catch (...) {  // the failure itself is what gets reported
  }
}

void ScanWriter::flush() { h5::check(H5Fflush(file_.get(), H5F_SCOPE_LOCAL), "write"); }

void ScanWriter::close() {
  room_.give_back(file_, descriptor_);
  if (fsync(descriptor_) != 0 && errno != EINVAL)
    throw Error(Fault::output, "write: " + std::generic_category().message(errno));
  file_.close("close");
}

}  // namespace lumarch
