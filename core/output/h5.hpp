// SPDX-License-Identifier: Apache-2.0
// A small layer over HDF5's C interface: handles that close themselves, and failures as Error(Fault::output).
#pragma once

#include <hdf5.h>

#include <complex>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <lumarch/error.hpp>

namespace lumarch::h5 {

// Hold one while calling HDF5. HDF5 keeps global tables (identifiers, open files, the error stack) that are guarded
// only where it was built thread-safe, and its high-level part never is: so one lock for the process, taken here and
// nowhere else, lets every file have a writer thread of its own. Also keeps HDF5 from printing its error stack
// meanwhile.
class Session {
public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

private:
  std::unique_lock<std::mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* print_data_ = nullptr;
};

// Throws Error(Fault::output) "<doing>: <the innermost text of HDF5's error stack>".
[[noreturn]] void fail(const std::string& doing);

template <typename Number>
Number check(Number result, const std::string& doing) {
  if (result < 0) fail(doing);
  return result;
}

// An identifier that is closed when it goes out of scope, so in the reverse order of opening.
template <herr_t (*Close)(hid_t)>
class Id {
public:
  Id() = default;
  Id(hid_t id, const std::string& doing) : id_(check(id, doing)) {}
  Id(Id&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Id& operator=(Id&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Id() {
    if (id_ >= 0) Close(id_);
  }
  [[nodiscard]] hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  // Closes now and says so where that fails.
  void close(const std::string& doing) {
    if (id_ >= 0) check(Close(std::exchange(id_, -1)), doing);
  }

private:
  hid_t id_ = -1;
};

using File = Id<H5Fclose>;
using Group = Id<H5Gclose>;
using Dataset = Id<H5Dclose>;
using Attribute = Id<H5Aclose>;
using Space = Id<H5Sclose>;
using Type = Id<H5Tclose>;
using Property = Id<H5Pclose>;
using Object = Id<H5Oclose>;

using Dims = std::vector<hsize_t>;

[[nodiscard]] Type complex_type();  // the compound {r, i} that h5py takes for complex128
[[nodiscard]] Type bool_type();     // the enum {FALSE, TRUE} that h5py takes for bool
// UTF-8 in `size` bytes, padded with zeros. All text is of this kind: HDF5 crashes on damaged heaps, where text of
// variable length would lie.
[[nodiscard]] Type text_type(std::size_t size);

// Opens or makes a file: low bound earliest (a file of the newest format does not open after a kill), and without
// HDF5's own locking, which would fail where the file system has none; see claim.hpp.
[[nodiscard]] File create(const std::string& path);
[[nodiscard]] File open_read(const std::string& path);
// Also a file whose writer was killed: what it had taken beyond the end that it last wrote down stays untouched.
[[nodiscard]] File open_write(const std::string& path);
// A file in memory alone.
[[nodiscard]] File in_memory();
// Closed in a program that a plugin starts, which would keep its lock.
[[nodiscard]] int descriptor(const File& file);

[[nodiscard]] Group make_group(hid_t where, const std::string& name);

// How a dataset is laid out.
struct Shape {
  Dims dims = {};
  bool nan_filled = false;       // doubles or complex: what was never written is NaN
  Dims chunk = {};               // empty: contiguous
  bool growing = false;          // the first dimension, chunked, allocated as it grows; else allocated now
  bool late = false;             // chunked: allocated as it is written
  unsigned int compression = 0;  // chunked: shuffle and deflate
};
[[nodiscard]] Dataset make_dataset(hid_t where, const std::string& name, hid_t type, const Shape& shape);

// Of a dataset's creation properties: 0 where it is not compressed.
[[nodiscard]] unsigned int deflate_level(const Property& creation);

// One row (the first index) of a dataset of doubles, complex numbers, ...; `type` is that of the memory.
void write_row(const Dataset& dataset, std::uint64_t row, hid_t type, const void* values, const std::string& name);
void read_row(const Dataset& dataset, std::uint64_t row, hid_t type, void* values, const std::string& name);
// Throws where a row of `count` numbers of `type` is more than the file can hold.
void check_row(const Dataset& dataset, std::uint64_t count, hid_t type, const std::string& name);
// Appends along the one dimension of a growing dataset.
void append(const Dataset& dataset, hid_t type, const void* values, std::size_t count, const std::string& name);
// Cuts a growing dataset to its first rows.
void cut(const Dataset& dataset, std::uint64_t rows, const std::string& name);
void write_all(const Dataset& dataset, hid_t type, const void* values, const std::string& name);

// A dataset of one text in at least `room` bytes; set_text() rewrites it in place, and cuts what is longer than its
// room.
void put_text(hid_t where, const std::string& name, std::size_t room, const std::string& text);
void set_text(hid_t where, const std::string& name, const std::string& text);
[[nodiscard]] std::size_t room_of(hid_t where, const std::string& name);

// A dataset of texts, each in as many bytes as the longest has.
[[nodiscard]] Dataset put_texts(hid_t where, const std::string& name, const std::vector<std::string>& texts);

// Text as long as it is, below 64 kB: HDF5 has no room for larger attributes.
void put_attribute(hid_t where, const std::string& name, const std::string& text);
void put_attribute(hid_t where, const std::string& name, double value);
void put_attribute(hid_t where, const std::string& name, std::int64_t value);
// In `size` bytes, so that set_fixed() can rewrite it in place.
void put_fixed(hid_t where, const std::string& name, std::size_t size, const std::string& text);
void set_fixed(hid_t where, const std::string& name, const std::string& text);
void set_attribute(hid_t where, const std::string& name, std::int64_t value);
void set_attribute(hid_t where, const std::string& name, double value);

[[nodiscard]] Group open_group(hid_t where, const std::string& name);
[[nodiscard]] Dataset open_dataset(hid_t where, const std::string& name);
[[nodiscard]] Dims dims_of(const Dataset& dataset);
[[nodiscard]] std::string get_text_attribute(hid_t where, const std::string& name);
[[nodiscard]] std::int64_t get_integer_attribute(hid_t where, const std::string& name);
[[nodiscard]] double get_number_attribute(hid_t where, const std::string& name);
[[nodiscard]] std::vector<double> get_doubles(hid_t where, const std::string& name);
[[nodiscard]] std::vector<std::int64_t> get_integers(hid_t where, const std::string& name);
[[nodiscard]] std::vector<std::int8_t> get_flags(hid_t where, const std::string& name);
[[nodiscard]] std::string get_text(hid_t where, const std::string& name);
[[nodiscard]] std::vector<std::string> get_texts(hid_t where, const std::string& name);
[[nodiscard]] std::vector<std::string> names_in(hid_t group);

}  // namespace lumarch::h5
