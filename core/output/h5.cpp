// SPDX-License-Identifier: Apache-2.0
#include "output/h5.hpp"

#include <fcntl.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>

namespace lumarch::h5 {

namespace {

std::mutex& library() {
  static std::mutex mutex;  // the one exception from "no global state": what it guards is global, see Session
  return mutex;
}

std::string innermost() {
  std::string text;
  const auto take = [](unsigned int depth, const H5E_error2_t* error, void* out) -> herr_t {
    if (depth == 0 && error->desc != nullptr) *static_cast<std::string*>(out) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take, &text);
  H5Eclear2(H5E_DEFAULT);
  // The system's own words are in there among addresses and sizes: "... errno = 28, error message = 'No space ...',
  // buf".
  const std::string mark = "error message = '";
  if (const auto at = text.find(mark); at != std::string::npos) {
    const auto from = at + mark.size();
    return text.substr(from, text.find('\'', from) - from);
  }
  return text.empty() ? "HDF5 gives no reason" : text;
}

Space simple_space(const Dims& dims, bool growing) {
  if (dims.empty()) return {H5Screate(H5S_SCALAR), "make a space"};
  Dims most = dims;
  if (growing) most[0] = H5S_UNLIMITED;
  return {H5Screate_simple(static_cast<int>(dims.size()), dims.data(), most.data()), "make a space"};
}

struct Row {
  Space file, memory;
};

Row row_of(const Dataset& dataset, std::uint64_t row, const std::string& name) {
  Dims dims = dims_of(dataset);
  Dims start(dims.size(), 0);
  start.at(0) = row;
  dims[0] = 1;
  Row spaces{{H5Dget_space(dataset.get()), name}, simple_space(dims, false)};
  check(H5Sselect_hyperslab(spaces.file.get(), H5S_SELECT_SET, start.data(), nullptr, dims.data(), nullptr), name);
  return spaces;
}

void put(hid_t where, const std::string& name, hid_t type, const void* value) {
  const Space space = simple_space({}, false);
  const Attribute attribute{H5Acreate2(where, name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                            "make attribute " + name};
  check(H5Awrite(attribute.get(), type, value), "write attribute " + name);
}

void set(hid_t where, const std::string& name, hid_t type, const void* value) {
  const Attribute attribute{H5Aopen(where, name.c_str(), H5P_DEFAULT), "open attribute " + name};
  check(H5Awrite(attribute.get(), type, value), "write attribute " + name);
}

// A damaged file can claim any size: nothing is asked for that the file is too small to hold.
void check_size(hid_t where, std::uint64_t bytes, const std::string& name) {
  const File file{H5Iget_file_id(where), name};
  hsize_t size = 0;
  check(H5Fget_filesize(file.get(), &size), name);
  if (bytes > size) throw Error(Fault::output, name + " is damaged: it claims to be larger than the file");
}

// What is read has the very type that was written: HDF5's conversions trust the offsets and sizes that a type claims.
void check_type(hid_t stored, hid_t written, const std::string& name) {
  if (H5Tequal(stored, written) <= 0) throw Error(Fault::output, name + " is damaged: its type is another");
}

// What lies in another file.
bool is_view(const Dataset& dataset, const std::string& name) {
  const Property how{H5Dget_create_plist(dataset.get()), name};
  return H5Pget_layout(how.get()) == H5D_VIRTUAL;
}

std::uint64_t count_of(const Dims& dims, const std::string& name) {
  std::uint64_t count = 1;
  for (const hsize_t extent : dims) {
    if (extent > 0 && count > std::numeric_limits<std::uint64_t>::max() / 16 / extent)
      throw Error(Fault::output, name + " is damaged: it claims an impossible size");
    count *= extent;
  }
  return count;
}

// Of an attribute: one number.
template <typename Number>
Number number_of(hid_t where, const std::string& name, hid_t as) {
  const Attribute attribute{H5Aopen(where, name.c_str(), H5P_DEFAULT), "open attribute " + name};
  const Type type{H5Aget_type(attribute.get()), "open attribute " + name};
  const Space space{H5Aget_space(attribute.get()), "open attribute " + name};
  check_type(type.get(), as, name);
  if (H5Sget_simple_extent_npoints(space.get()) != 1) throw Error(Fault::output, name + " is not one number");
  Number value = 0;
  check(H5Aread(attribute.get(), as, &value), "read attribute " + name);
  return value;
}

// Text of variable length lies in a heap of the file, which HDF5 reads without looking whether it is sound: it is
// refused.
void check_text(hid_t stored, const std::string& name) {
  if (H5Tget_class(stored) != H5T_STRING) throw Error(Fault::output, name + " is not text");
  if (H5Tis_variable_str(stored) != 0)
    throw Error(Fault::output, name + " is text of variable length, which lumarch neither writes nor reads");
}

// One text, from what reads it.
template <typename Read>
std::string text_of(hid_t where, hid_t stored, hid_t space, const std::string& name, Read read) {
  check_text(stored, name);
  if (H5Sget_simple_extent_npoints(space) != 1) throw Error(Fault::output, name + " is not one text");
  const std::size_t size = H5Tget_size(stored);
  check_size(where, size, name);
  std::vector<char> bytes(size + 1, '\0');
  check(read(static_cast<void*>(bytes.data())), "read " + name);
  return bytes.data();
}

}  // namespace

Session::Session() : lock_(library()) {
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Session::~Session() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }

void fail(const std::string& doing) { throw Error(Fault::output, doing + ": " + innermost()); }

Type complex_type() {
  Type type{H5Tcreate(H5T_COMPOUND, sizeof(std::complex<double>)), "make a type"};
  check(H5Tinsert(type.get(), "r", 0, H5T_NATIVE_DOUBLE), "make a type");
  check(H5Tinsert(type.get(), "i", sizeof(double), H5T_NATIVE_DOUBLE), "make a type");
  return type;
}

Type bool_type() {
  Type type{H5Tenum_create(H5T_NATIVE_INT8), "make a type"};
  const std::int8_t no = 0, yes = 1;
  check(H5Tenum_insert(type.get(), "FALSE", &no), "make a type");
  check(H5Tenum_insert(type.get(), "TRUE", &yes), "make a type");
  return type;
}

Type text_type(std::size_t size) {
  Type type{H5Tcopy(H5T_C_S1), "make a type"};
  check(H5Tset_size(type.get(), size), "make a type");
  check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "make a type");
  check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "make a type");
  return type;
}

namespace {

Property access() {
  Property properties{H5Pcreate(H5P_FILE_ACCESS), "open"};
  check(H5Pset_libver_bounds(properties.get(), H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST), "open");
  check(H5Pset_fclose_degree(properties.get(), H5F_CLOSE_STRONG), "open");
  check(H5Pset_file_locking(properties.get(), false, true), "open");
  return properties;
}

}  // namespace

File create(const std::string& path) {
  return {H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, access().get()), "cannot be made"};
}

File open_read(const std::string& path) {
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access().get()), "cannot be opened"};
}

// After a kill the file's end may be written down too early: what was taken behind it would be handed out again.
File open_write(const std::string& path) {
  File file{H5Fopen(path.c_str(), H5F_ACC_RDWR, access().get()), "cannot be opened"};
  check(H5Fincrement_filesize(file.get(), 0), "set the file's end");
  return file;
}

File in_memory() {
  static std::atomic<unsigned> count{0};  // two with one name would be one
  const Property properties = access();
  check(H5Pset_fapl_core(properties.get(), std::size_t{1} << 16, false), "make a file in memory");
  const std::string name = "lumarch-in-memory-" + std::to_string(count++);
  return {H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, properties.get()), "make a file in memory"};
}

int descriptor(const File& file) {
  void* handle = nullptr;
  check(H5Fget_vfd_handle(file.get(), H5P_DEFAULT, &handle), "ask for the descriptor");
  const int descriptor = *static_cast<int*>(handle);
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return descriptor;
}

Group make_group(hid_t where, const std::string& name) {
  return {H5Gcreate2(where, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "make group " + name};
}

Dataset make_dataset(hid_t where, const std::string& name, hid_t type, const Shape& shape) {
  const std::string doing = "make " + name;
  const Property how{H5Pcreate(H5P_DATASET_CREATE), doing};
  if (!shape.chunk.empty()) {
    check(H5Pset_chunk(how.get(), static_cast<int>(shape.chunk.size()), shape.chunk.data()), doing);
    if (shape.compression > 0) {
      check(H5Pset_shuffle(how.get()), doing);
      check(H5Pset_deflate(how.get(), shape.compression), doing);
    }
  }
  // Compressed chunks are allocated now too: a later plane then changes entries of an index, and never its structure.
  check(H5Pset_alloc_time(how.get(), shape.growing || shape.late ? H5D_ALLOC_TIME_INCR : H5D_ALLOC_TIME_EARLY), doing);
  if (shape.nan_filled) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::complex<double> fill(nan, nan);
    check(H5Pset_fill_value(how.get(), type, &fill), doing);  // a double is the first half of it
  }
  const Space space = simple_space(shape.dims, shape.growing);
  return {H5Dcreate2(where, name.c_str(), type, space.get(), H5P_DEFAULT, how.get(), H5P_DEFAULT), doing};
}

unsigned int deflate_level(const Property& creation) {
  unsigned int flags = 0, level[1] = {0}, which = 0;
  std::size_t values = 1;
  if (H5Pget_filter_by_id2(creation.get(), H5Z_FILTER_DEFLATE, &flags, &values, level, 0, nullptr, &which) < 0)
    return 0;
  return level[0];
}

void write_row(const Dataset& dataset, std::uint64_t row, hid_t type, const void* values, const std::string& name) {
  const Row spaces = row_of(dataset, row, name);
  check(H5Dwrite(dataset.get(), type, spaces.memory.get(), spaces.file.get(), H5P_DEFAULT, values), "write " + name);
}

void read_row(const Dataset& dataset, std::uint64_t row, hid_t type, void* values, const std::string& name) {
  const Type stored{H5Dget_type(dataset.get()), name};
  check_type(stored.get(), type, name);
  const Row spaces = row_of(dataset, row, name);
  check(H5Dread(dataset.get(), type, spaces.memory.get(), spaces.file.get(), H5P_DEFAULT, values), "read " + name);
}

void check_row(const Dataset& dataset, std::uint64_t count, hid_t type, const std::string& name) {
  if (is_view(dataset, name)) return;
  const Property how{H5Dget_create_plist(dataset.get()), name};
  constexpr std::uint64_t densest = 1100;  // deflate makes nothing smaller than by this
  const bool compressed = check(H5Pget_nfilters(how.get()), name) > 0;
  check_size(dataset.get(), count_of({count}, name) * H5Tget_size(type) / (compressed ? densest : 1), name);
}

void append(const Dataset& dataset, hid_t type, const void* values, std::size_t count, const std::string& name) {
  const hsize_t before = dims_of(dataset).at(0), after = before + count, more = count;
  check(H5Dset_extent(dataset.get(), &after), "extend " + name);
  const Space file{H5Dget_space(dataset.get()), name}, memory = simple_space({more}, false);
  check(H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, &before, nullptr, &more, nullptr), name);
  check(H5Dwrite(dataset.get(), type, memory.get(), file.get(), H5P_DEFAULT, values), "write " + name);
}

void cut(const Dataset& dataset, std::uint64_t rows, const std::string& name) {
  if (dims_of(dataset).at(0) < rows) throw Error(Fault::output, name + " is damaged: it lacks rows");
  const hsize_t to = rows;
  check(H5Dset_extent(dataset.get(), &to), "cut " + name);
}

void write_all(const Dataset& dataset, hid_t type, const void* values, const std::string& name) {
  check(H5Dwrite(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "write " + name);
}

void put_text(hid_t where, const std::string& name, std::size_t room, const std::string& text) {
  const Type type = text_type(std::max({room, text.size(), std::size_t{1}}));
  (void)make_dataset(where, name, type.get(), {});
  set_text(where, name, text);
}

void set_text(hid_t where, const std::string& name, const std::string& text) {
  const Dataset dataset{H5Dopen2(where, name.c_str(), H5P_DEFAULT), "open " + name};
  const Type type{H5Dget_type(dataset.get()), "open " + name};
  std::vector<char> bytes(H5Tget_size(type.get()), '\0');
  text.copy(bytes.data(), bytes.size());
  write_all(dataset, type.get(), bytes.data(), name);
}

Dataset put_texts(hid_t where, const std::string& name, const std::vector<std::string>& texts) {
  std::size_t size = 1;
  for (const std::string& text : texts) size = std::max(size, text.size());
  std::vector<char> bytes(size * texts.size(), '\0');
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i].copy(&bytes[i * size], size);
  const Type type = text_type(size);
  Dataset dataset = make_dataset(where, name, type.get(), {.dims = {texts.size()}});
  write_all(dataset, type.get(), bytes.data(), name);
  return dataset;
}

std::size_t room_of(hid_t where, const std::string& name) {
  const Dataset dataset{H5Dopen2(where, name.c_str(), H5P_DEFAULT), "open " + name};
  const Type type{H5Dget_type(dataset.get()), "open " + name};
  return H5Tget_size(type.get());
}

void put_attribute(hid_t where, const std::string& name, const std::string& text) {
  put_fixed(where, name, std::max(text.size(), std::size_t{1}), text);
}

void put_attribute(hid_t where, const std::string& name, double value) { put(where, name, H5T_NATIVE_DOUBLE, &value); }

void put_attribute(hid_t where, const std::string& name, std::int64_t value) {
  put(where, name, H5T_NATIVE_INT64, &value);
}

void put_fixed(hid_t where, const std::string& name, std::size_t size, const std::string& text) {
  std::vector<char> bytes(size, '\0');
  text.copy(bytes.data(), size);
  const Type type = text_type(size);
  put(where, name, type.get(), bytes.data());
}

void set_fixed(hid_t where, const std::string& name, const std::string& text) {
  const Attribute attribute{H5Aopen(where, name.c_str(), H5P_DEFAULT), "open attribute " + name};
  const Type type{H5Aget_type(attribute.get()), "open attribute " + name};
  std::vector<char> bytes(H5Tget_size(type.get()), '\0');
  text.copy(bytes.data(), bytes.size());
  check(H5Awrite(attribute.get(), type.get(), bytes.data()), "write attribute " + name);
}

void set_attribute(hid_t where, const std::string& name, std::int64_t value) {
  set(where, name, H5T_NATIVE_INT64, &value);
}

void set_attribute(hid_t where, const std::string& name, double value) { set(where, name, H5T_NATIVE_DOUBLE, &value); }

Group open_group(hid_t where, const std::string& name) {
  return {H5Gopen2(where, name.c_str(), H5P_DEFAULT), "open " + name};
}

Dataset open_dataset(hid_t where, const std::string& name) {
  return {H5Dopen2(where, name.c_str(), H5P_DEFAULT), "open " + name};
}

Dims dims_of(const Dataset& dataset) {
  const Space space{H5Dget_space(dataset.get()), "ask for a shape"};
  Dims dims(static_cast<std::size_t>(check(H5Sget_simple_extent_ndims(space.get()), "ask for a shape")));
  check(H5Sget_simple_extent_dims(space.get(), dims.data(), nullptr), "ask for a shape");
  return dims;
}

std::string get_text_attribute(hid_t where, const std::string& name) {
  const Attribute attribute{H5Aopen(where, name.c_str(), H5P_DEFAULT), "open attribute " + name};
  const Type type{H5Aget_type(attribute.get()), "open attribute " + name};
  const Space space{H5Aget_space(attribute.get()), "open attribute " + name};
  return text_of(where, type.get(), space.get(), name,
                 [&](void* out) { return H5Aread(attribute.get(), type.get(), out); });
}

std::int64_t get_integer_attribute(hid_t where, const std::string& name) {
  return number_of<std::int64_t>(where, name, H5T_NATIVE_INT64);
}

double get_number_attribute(hid_t where, const std::string& name) {
  return number_of<double>(where, name, H5T_NATIVE_DOUBLE);
}

namespace {

template <class Number>
std::vector<Number> get_numbers(hid_t where, const std::string& name, hid_t native) {
  const Dataset dataset{H5Dopen2(where, name.c_str(), H5P_DEFAULT), "open " + name};
  const Type type{H5Dget_type(dataset.get()), "open " + name};
  check_type(type.get(), native, name);
  const std::uint64_t count = count_of(dims_of(dataset), name);
  if (!is_view(dataset, name)) check_size(where, count, name);
  std::vector<Number> values(count);
  if (count > 0) check(H5Dread(dataset.get(), native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "read " + name);
  return values;
}

}  // namespace

std::vector<double> get_doubles(hid_t where, const std::string& name) {
  return get_numbers<double>(where, name, H5T_NATIVE_DOUBLE);
}

std::vector<std::int64_t> get_integers(hid_t where, const std::string& name) {
  return get_numbers<std::int64_t>(where, name, H5T_NATIVE_INT64);
}

std::vector<std::int8_t> get_flags(hid_t where, const std::string& name) {
  const Dataset dataset{H5Dopen2(where, name.c_str(), H5P_DEFAULT), "open " + name};
  const std::uint64_t count = count_of(dims_of(dataset), name);
  check_size(where, count, name);
  std::vector<std::int8_t> flags(count);
  const Type type = bool_type(), stored{H5Dget_type(dataset.get()), "open " + name};
  check_type(stored.get(), type.get(), name);
  if (count > 0) check(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, flags.data()), "read " + name);
  return flags;
}

std::string get_text(hid_t where, const std::string& name) {
  const Dataset dataset{H5Dopen2(where, name.c_str(), H5P_DEFAULT), "open " + name};
  const Type type{H5Dget_type(dataset.get()), "open " + name};
  const Space space{H5Dget_space(dataset.get()), "open " + name};
  return text_of(where, type.get(), space.get(), name,
                 [&](void* out) { return H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, out); });
}

std::vector<std::string> get_texts(hid_t where, const std::string& name) {
  const Dataset dataset{H5Dopen2(where, name.c_str(), H5P_DEFAULT), "open " + name};
  const Type type{H5Dget_type(dataset.get()), "open " + name};
  check_text(type.get(), name);
  const std::uint64_t count = count_of(dims_of(dataset), name), size = H5Tget_size(type.get());
  check_size(where, count, name);
  check_size(where, size, name);
  check_size(where, count * size, name);
  std::vector<char> bytes(count * size + 1, '\0');
  if (count > 0) check(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), "read " + name);
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < count; ++i) {
    const char* text = &bytes[i * size];
    texts.emplace_back(text, std::find(text, text + size, '\0'));
  }
  return texts;
}

std::vector<std::string> names_in(hid_t group) {
  std::vector<std::string> names;
  const auto take = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  check(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, take, &names), "list a group");
  return names;
}

}  // namespace lumarch::h5
