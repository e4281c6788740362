// SPDX-License-Identifier: Apache-2.0
#include "output/point_tree.hpp"

#include <hdf5_hl.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <limits>

namespace lumarch::point_tree {

namespace {

// The groups whose arrays get the axis of points. Attempts are apart: their number differs from point to point.
constexpr std::array<const char*, 4> groups{"grid", "planes", "statistics", "edge"};
constexpr std::array<const char*, 4> columns{"z", "h", "error", "accepted"};
constexpr const char* counts = "scan/points";

bool has(hid_t where, const std::string& name) { return H5Lexists(where, name.c_str(), H5P_DEFAULT) > 0; }

h5::Dataset open_dataset(hid_t where, const std::string& name) {
  return {H5Dopen2(where, name.c_str(), H5P_DEFAULT), "open " + name};
}

h5::Group open_group(hid_t where, const std::string& name) {
  return {H5Gopen2(where, name.c_str(), H5P_DEFAULT), "open " + name};
}

bool is_number(const h5::Dataset& dataset) {
  const h5::Type type{H5Dget_type(dataset.get()), "ask for a type"};
  const H5T_class_t kind = H5Tget_class(type.get());
  return kind == H5T_FLOAT || kind == H5T_COMPOUND;
}

// Whether an array has a place a point, or one that all points share: names and indices, and grids that do not change.
bool leads(const std::string& group, const std::string& name, const h5::Dataset& dataset, const Layout& layout) {
  if (!is_number(dataset)) return false;
  if (group == "grid") return layout.grids_vary && name != "pair" && name != "component";
  if (group == "planes" && name == "z") return layout.planes_vary;
  return true;
}

void each_dataset(hid_t root, const std::function<void(const std::string& group, const std::string& name)>& call) {
  for (const char* group : groups) {
    if (!has(root, group)) continue;
    const h5::Group at = open_group(root, group);
    for (const std::string& name : h5::names_in(at.get())) {
      H5O_info_t info;
      h5::check(H5Oget_info_by_name(at.get(), name.c_str(), &info, H5P_DEFAULT), "look at " + name);
      if (info.type == H5O_TYPE_DATASET) call(group, name);
    }
  }
}

// The numbers that a run keeps as attributes of its groups: z reached, how many of each.
void each_count(hid_t root, const std::function<void(const std::string& group, const std::string& name)>& call) {
  const auto of = [&](const std::string& group, std::initializer_list<const char*> names) {
    if (!has(root, group)) return;
    const h5::Group at = open_group(root, group);
    for (const char* name : names)
      if (H5Aexists(at.get(), name) > 0) call(group, name);
  };
  of("grid", {"omega0"});
  of("planes", {"planes_written"});
  of("march", {"accepted_total", "rejected_total", "evaluations_total", "z_reached"});
  of("edge", {"readings"});
}

void copy_attributes(hid_t from, hid_t to) {
  const auto copy = [](hid_t location, const char* name, const H5A_info_t*, void* target) -> herr_t {
    const std::string text = name;  // scales are attached anew, and describe themselves
    if (text == "DIMENSION_LIST" || text == "REFERENCE_LIST" || text == "CLASS" || text == "NAME") return 0;
    const hid_t where = *static_cast<hid_t*>(target);
    if (H5Aexists(where, name) > 0) return 0;
    try {
      const h5::Attribute old{H5Aopen(location, name, H5P_DEFAULT), text};
      const h5::Type type{H5Aget_type(old.get()), text};
      const bool in_heap = H5Tdetect_class(type.get(), H5T_VLEN) > 0 || H5Tis_variable_str(type.get()) > 0 ||
                           H5Tdetect_class(type.get(), H5T_REFERENCE) > 0;
      if (in_heap) return 0;  // lumarch writes none
      const h5::Space space{H5Aget_space(old.get()), text};
      std::vector<char> value(H5Tget_size(type.get()) * static_cast<std::size_t>(std::max<hssize_t>(
                                                            1, H5Sget_simple_extent_npoints(space.get()))));
      h5::check(H5Aread(old.get(), type.get(), value.data()), text);
      const h5::Attribute made{H5Acreate2(where, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), text};
      h5::check(H5Awrite(made.get(), type.get(), value.data()), text);
    } catch (const Error&) {
      return -1;
    }
    return 0;
  };
  hsize_t index = 0;
  h5::check(H5Aiterate2(from, H5_INDEX_NAME, H5_ITER_NATIVE, &index, copy, &to), "copy attributes");
}

// The paths of the scales that are attached to the dimensions of a dataset; empty where there is none.
std::vector<std::string> scales_of(const h5::Dataset& dataset) {
  const h5::Dims dims = h5::dims_of(dataset);
  std::vector<std::string> paths(dims.size());
  const auto take = [](hid_t, unsigned int, hid_t scale, void* out) -> herr_t {
    char path[512] = "";
    if (H5Iget_name(scale, path, sizeof path) <= 0) return -1;
    try {
      *static_cast<std::string*>(out) = path;
    } catch (...) {
      return -1;
    }
    return 1;
  };
  for (unsigned int i = 0; i < dims.size(); ++i)
    h5::check(H5DSiterate_scales(dataset.get(), i, nullptr, take, &paths[i]), "ask for scales");
  return paths;
}

h5::Dims led(std::size_t points, h5::Dims dims) {
  dims.insert(dims.begin(), points);
  return dims;
}

h5::Dataset make_led(hid_t scan, const std::string& path, const h5::Dataset& of, const Layout& layout) {
  const h5::Type type{H5Dget_type(of.get()), path};
  const h5::Dims dims = h5::dims_of(of);
  h5::Shape shape{.dims = led(layout.points, dims), .nan_filled = true};
  const h5::Property how{H5Dget_create_plist(of.get()), path};
  const bool chunked = H5Pget_layout(how.get()) == H5D_CHUNKED;
  if (chunked || layout.sparse) {
    h5::Dims chunk = dims;
    if (chunked) h5::check(H5Pget_chunk(how.get(), static_cast<int>(chunk.size()), chunk.data()), path);
    constexpr std::uint64_t largest = std::uint64_t{1} << 30;  // bytes; HDF5 bears 4 GiB
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      std::uint64_t bytes = H5Tget_size(type.get());
      for (const hsize_t n : chunk) bytes *= std::max<hsize_t>(n, 1);
      if (bytes > largest) chunk[i] = 1;
    }
    for (hsize_t& n : chunk) n = std::max<hsize_t>(n, 1);
    shape.chunk = led(1, chunk);
    shape.late = layout.sparse;
    if (chunked && H5Pget_nfilters(how.get()) > 0) shape.compression = h5::deflate_level(how);
  }
  h5::Dataset made = h5::make_dataset(scan, path, type.get(), shape);
  copy_attributes(of.get(), made.get());
  return made;
}

void attach(const h5::Dataset& dataset, hid_t scan, const std::string& scale, unsigned int dimension) {
  const h5::Dataset at = open_dataset(scan, scale);
  if (H5DSis_scale(at.get()) > 0) h5::check(H5DSattach_scale(dataset.get(), at.get(), dimension), "attach a scale");
}

std::vector<char> read_whole(const h5::Dataset& dataset, hid_t type, const std::string& name) {
  std::size_t count = 1;
  for (const hsize_t n : h5::dims_of(dataset)) count *= n;
  std::vector<char> values(count * H5Tget_size(type));
  if (count > 0) h5::check(H5Dread(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "read " + name);
  return values;
}

void copy_object(hid_t from, hid_t to, const std::string& path) {
  h5::check(H5Ocopy(from, path.c_str(), to, path.c_str(), H5P_DEFAULT, H5P_DEFAULT), "copy " + path);
}

// Without its attributes, of which those about scales lie in heaps: HDF5 crashes on damaged ones.
void copy_bare(hid_t from, hid_t to, const std::string& path) {
  const h5::Property how{H5Pcreate(H5P_OBJECT_COPY), path};
  h5::check(H5Pset_copy_object(how.get(), H5O_COPY_WITHOUT_ATTR_FLAG), path);
  h5::check(H5Ocopy(from, path.c_str(), to, path.c_str(), how.get(), H5P_DEFAULT), "copy " + path);
}

bool integral(hid_t where, const char* name) {
  const h5::Attribute attribute{H5Aopen(where, name, H5P_DEFAULT), name};
  const h5::Type type{H5Aget_type(attribute.get()), name};
  return H5Tget_class(type.get()) == H5T_INTEGER;
}

void make_march(hid_t scan, hid_t run) {
  const h5::Group march = h5::make_group(scan, "march");
  copy_attributes(open_group(run, "march").get(), march.get());
  for (const char* column : columns) {
    const h5::Dataset of = open_dataset(run, std::string("march/") + column);
    const h5::Type type{H5Dget_type(of.get()), column};
    const bool number = is_number(of);
    const h5::Dataset made = h5::make_dataset(march.get(), column, type.get(),
                                              {.dims = {0}, .nan_filled = number, .chunk = {1024}, .growing = true});
    copy_attributes(of.get(), made.get());
  }
  const h5::Dataset point =
      h5::make_dataset(march.get(), "point", H5T_NATIVE_INT64, {.dims = {0}, .chunk = {1024}, .growing = true});
  h5::put_attribute(point.get(), "long_name", std::string("the point whose attempt it was"));
}

void link_scales(hid_t scan, hid_t run) {
  // The netCDF rule that xarray goes by: a group finds its dimensions in itself or above.
  for (const std::string& name : h5::names_in(run)) {
    H5O_info_t info;
    h5::check(H5Oget_info_by_name(run, name.c_str(), &info, H5P_DEFAULT), "look at " + name);
    if (info.type != H5O_TYPE_DATASET) continue;
    for (const char* group : groups) {
      const std::string path = std::string(group) + "/" + name;
      if (!has(scan, group) || !has(scan, path) || has(scan, name)) continue;
      if (H5DSis_scale(open_dataset(scan, path).get()) <= 0) continue;
      h5::check(H5Lcreate_hard(scan, path.c_str(), scan, name.c_str(), H5P_DEFAULT, H5P_DEFAULT), "link a scale");
    }
  }
}

// An array with places of points, made after one that has `lacks` axes fewer.
struct Made {
  h5::Dataset data;
  unsigned int lacks;
};

// The groups and arrays of `like`: those that all points share are copied, `make` makes the others.
void make_arrays(hid_t scan, hid_t like, const Layout& layout,
                 const std::function<Made(const std::string& path, const h5::Dataset& of)>& make) {
  for (const char* group : groups)
    if (has(like, group)) copy_attributes(open_group(like, group).get(), h5::make_group(scan, group).get());
  // the shared ones first: they are the scales of the others
  each_dataset(like, [&](const std::string& group, const std::string& name) {
    const std::string path = group + "/" + name;
    if (leads(group, name, open_dataset(like, path), layout)) return;
    copy_object(like, scan, path);
    const h5::Dataset made = open_dataset(scan, path);
    for (const char* list : {"REFERENCE_LIST", "DIMENSION_LIST"})
      if (H5Aexists(made.get(), list) > 0) h5::check(H5Adelete(made.get(), list), path);
  });
  each_dataset(like, [&](const std::string& group, const std::string& name) {
    const std::string path = group + "/" + name;
    const h5::Dataset of = open_dataset(like, path);
    const bool many = leads(group, name, of, layout);
    const Made made = many ? make(path, of) : Made{open_dataset(scan, path), 0};
    if (many) attach(made.data, scan, "scan/points/index", 0);
    const std::vector<std::string> scales = scales_of(of);
    for (unsigned int i = many ? 1 - made.lacks : 0; i < scales.size(); ++i)
      if (!scales[i].empty() && has(scan, scales[i].substr(1))) attach(made.data, scan, scales[i], i + made.lacks);
  });
}

// A number a point in /scan/points.
h5::Dataset make_column(hid_t scan, const std::string& name, bool whole, const Layout& layout) {
  h5::Dataset made =
      h5::make_dataset(open_group(scan, counts).get(), name, whole ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE,
                       {.dims = {layout.points}, .nan_filled = !whole});
  attach(made, scan, "scan/points/index", 0);
  return made;
}

}  // namespace

std::uint64_t bytes_of(hid_t run, const Layout& layout) {
  std::uint64_t bytes = 0;
  each_dataset(run, [&](const std::string& group, const std::string& name) {
    const h5::Dataset data = open_dataset(run, group + "/" + name);
    const h5::Type type{H5Dget_type(data.get()), name};
    std::uint64_t size = H5Tget_size(type.get());
    for (const hsize_t n : h5::dims_of(data)) size *= n;
    const bool many = leads(group, name, data, layout);
    bytes += many && !layout.sparse ? size * layout.points : size;
  });
  return bytes;
}

void lay_out(hid_t scan, hid_t run, const Layout& layout) {
  make_arrays(scan, run, layout, [&](const std::string& path, const h5::Dataset& of) {
    return Made{make_led(scan, path, of, layout), 1};
  });
  make_march(scan, run);
  each_count(run, [&](const std::string& group, const std::string& name) {
    (void)make_column(scan, name, integral(open_group(run, group).get(), name.c_str()), layout);
  });
  if (has(run, "planes/field") && H5Aexists(open_dataset(run, "planes/field").get(), "plane") > 0)
    (void)make_column(scan, "last_plane", true, layout);
  link_scales(scan, run);
}

void put(hid_t scan, std::size_t slot, std::int64_t point, hid_t run, const Layout& layout) {
  // first that all of it fits, so that nothing is half there
  each_dataset(run, [&](const std::string& group, const std::string& name) {
    const std::string path = group + "/" + name;
    if (!has(scan, group) || !has(scan, path)) throw Error(Fault::problem, path + " is not there at the first point");
    const h5::Dataset from = open_dataset(run, path), to = open_dataset(scan, path);
    const h5::Dims dims = h5::dims_of(from);
    if (h5::dims_of(to) == (leads(group, name, from, layout) ? led(layout.points, dims) : dims)) return;
    const auto shape = [](const h5::Dims& of) {
      std::string text;
      for (const hsize_t n : of) text += (text.empty() ? "" : " x ") + std::to_string(n);
      return text;
    };
    h5::Dims first = h5::dims_of(to);
    if (!first.empty()) first.erase(first.begin());
    throw Error(Fault::problem, "its " + path + " has the shape " + shape(dims) + ", that of the first point " +
                                    shape(first) +
                                    ": an axis must not change shapes (no \"points\", and no \"planes\")");
  });
  each_dataset(run, [&](const std::string& group, const std::string& name) {
    const std::string path = group + "/" + name;
    const h5::Dataset from = open_dataset(run, path);
    if (!leads(group, name, from, layout)) return;
    const h5::Type type{H5Dget_type(from.get()), path};
    const h5::Type memory{H5Tget_native_type(type.get(), H5T_DIR_ASCEND), path};
    const std::vector<char> values = read_whole(from, memory.get(), path);
    if (!values.empty()) h5::write_row(open_dataset(scan, path), slot, memory.get(), values.data(), path);
  });
  const h5::Group march = open_group(run, "march"), all = open_group(scan, "march");
  std::size_t rows = std::numeric_limits<std::size_t>::max();
  for (const char* column : columns)
    rows = std::min<std::size_t>(rows, h5::dims_of(open_dataset(march.get(), column))[0]);
  if (rows > 0) {
    for (const char* column : columns) {
      const h5::Dataset from = open_dataset(march.get(), column);
      const h5::Type type{H5Dget_type(from.get()), column};
      const h5::Type memory{H5Tget_native_type(type.get(), H5T_DIR_ASCEND), column};
      h5::append(open_dataset(all.get(), column), memory.get(), read_whole(from, memory.get(), column).data(), rows,
                 column);
    }
    h5::append(open_dataset(all.get(), "point"), H5T_NATIVE_INT64, std::vector<std::int64_t>(rows, point).data(), rows,
               "march/point");
  }
  const h5::Group points = open_group(scan, counts);
  each_count(run, [&](const std::string& group, const std::string& name) {
    const h5::Group at = open_group(run, group);
    const h5::Dataset to = open_dataset(points.get(), name);
    if (integral(at.get(), name.c_str())) {
      const std::int64_t value = h5::get_integer_attribute(at.get(), name);
      h5::write_row(to, slot, H5T_NATIVE_INT64, &value, name);
    } else {
      const double value = h5::get_number_attribute(at.get(), name);
      h5::write_row(to, slot, H5T_NATIVE_DOUBLE, &value, name);
    }
  });
  if (has(points.get(), "last_plane")) {
    const std::int64_t plane = h5::get_integer_attribute(open_dataset(run, "planes/field").get(), "plane");
    h5::write_row(open_dataset(points.get(), "last_plane"), slot, H5T_NATIVE_INT64, &plane, "last_plane");
  }
}

void cut(hid_t scan, const std::vector<std::int64_t>& waiting) {
  const h5::Group march = open_group(scan, "march");
  std::vector<std::string> names(columns.begin(), columns.end());
  names.emplace_back("point");
  std::size_t rows = std::numeric_limits<std::size_t>::max();
  for (const std::string& name : names)
    rows = std::min<std::size_t>(rows, h5::dims_of(open_dataset(march.get(), name))[0]);
  const std::vector<char> of = read_whole(open_dataset(march.get(), "point"), H5T_NATIVE_INT64, "march/point");
  const auto point_at = [&](std::size_t row) {
    std::int64_t point = 0;
    std::memcpy(&point, of.data() + row * sizeof(point), sizeof(point));
    return point;
  };
  while (rows > 0 && std::find(waiting.begin(), waiting.end(), point_at(rows - 1)) != waiting.end()) --rows;
  for (const std::string& name : names) h5::cut(open_dataset(march.get(), name), rows, "march/" + name);
}

namespace {

// Behind the point; empty where there is no such row.
h5::Dims without_first(h5::Dims dims) {
  dims.erase(dims.begin());
  return dims;
}

// A view of one place of an array in another file: nothing of it is read until somebody asks.
h5::Dataset make_view(hid_t to, const std::string& path, const std::string& file, const h5::Dataset& of,
                      std::size_t slot) {
  const h5::Type type{H5Dget_type(of.get()), path};
  h5::Dims dims = h5::dims_of(of), start(dims.size(), 0);
  const h5::Dims row = without_first(dims);
  const h5::Space source{H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), path};
  start[0] = slot;
  dims[0] = 1;
  h5::check(H5Sselect_hyperslab(source.get(), H5S_SELECT_SET, start.data(), nullptr, dims.data(), nullptr), path);
  const h5::Space space{H5Screate_simple(static_cast<int>(row.size()), row.data(), nullptr), path};
  const h5::Property how{H5Pcreate(H5P_DATASET_CREATE), path};
  h5::check(H5Pset_virtual(how.get(), space.get(), file.c_str(), ("/" + path).c_str(), source.get()), path);
  return {H5Dcreate2(to, path.c_str(), type.get(), space.get(), H5P_DEFAULT, how.get(), H5P_DEFAULT), path};
}

h5::Dataset take_row(hid_t to, const std::string& path, const std::string& file, const h5::Dataset& of,
                     std::size_t slot) {
  constexpr std::uint64_t large = std::uint64_t{1} << 20;
  const h5::Type type{H5Dget_type(of.get()), path};
  const h5::Type memory{H5Tget_native_type(type.get(), H5T_DIR_ASCEND), path};
  const h5::Dims row = without_first(h5::dims_of(of));
  std::uint64_t bytes = H5Tget_size(memory.get());
  for (const hsize_t n : row) bytes *= n;
  if (bytes > large) return make_view(to, path, file, of, slot);
  h5::Dataset made = h5::make_dataset(to, path, type.get(), {.dims = row});
  if (bytes == 0) return made;
  std::vector<char> values(bytes);
  h5::read_row(of, slot, memory.get(), values.data(), path);
  h5::write_all(made, memory.get(), values.data(), path);
  return made;
}

void take_march(hid_t to, hid_t scan, std::int64_t point) {
  const h5::Group march = open_group(scan, "march"), made = h5::make_group(to, "march");
  copy_attributes(march.get(), made.get());
  const std::vector<char> of = read_whole(open_dataset(march.get(), "point"), H5T_NATIVE_INT64, "march/point");
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < of.size() / sizeof(std::int64_t); ++i)
    if (std::memcmp(of.data() + i * sizeof(point), &point, sizeof(point)) == 0) rows.push_back(i);
  for (const char* column : columns) {
    const h5::Dataset from = open_dataset(march.get(), column);
    const h5::Type type{H5Dget_type(from.get()), column};
    const h5::Type memory{H5Tget_native_type(type.get(), H5T_DIR_ASCEND), column};
    const std::vector<char> all = read_whole(from, memory.get(), column);
    const std::size_t size = H5Tget_size(memory.get());
    std::vector<char> mine;
    for (const std::size_t row : rows)
      if ((row + 1) * size <= all.size())
        mine.insert(mine.end(), all.begin() + static_cast<std::ptrdiff_t>(row * size),
                    all.begin() + static_cast<std::ptrdiff_t>((row + 1) * size));
    const h5::Dataset column_made = h5::make_dataset(made.get(), column, type.get(), {.dims = {mine.size() / size}});
    if (!mine.empty()) h5::write_all(column_made, memory.get(), mine.data(), column);
  }
}

}  // namespace

h5::File take(const std::string& path, hid_t scan, std::size_t slot, std::int64_t point, const Layout& layout) {
  h5::File file = h5::in_memory();
  const hid_t run = file.get();
  copy_attributes(scan, run);
  for (const char* group : groups)
    if (has(scan, group)) copy_attributes(open_group(scan, group).get(), h5::make_group(run, group).get());
  each_dataset(scan, [&](const std::string& group, const std::string& name) {
    const std::string at = group + "/" + name;
    const h5::Dataset of = open_dataset(scan, at);
    const bool many = leads(group, name, of, layout);
    if (!many) copy_bare(scan, run, at);
    const h5::Dataset made = many ? take_row(run, at, path, of, slot) : open_dataset(run, at);
    copy_attributes(of.get(), made.get());
  });
  take_march(run, scan, point);
  const h5::Group points = open_group(scan, counts);
  each_count(scan, [&](const std::string& group, const std::string& name) {
    const h5::Group at = open_group(run, group);
    const h5::Dataset from = open_dataset(points.get(), name);
    if (integral(at.get(), name.c_str())) {
      std::int64_t value = 0;
      h5::read_row(from, slot, H5T_NATIVE_INT64, &value, name);
      h5::set_attribute(at.get(), name, value);
    } else {
      double value = 0;
      h5::read_row(from, slot, H5T_NATIVE_DOUBLE, &value, name);
      h5::set_attribute(at.get(), name, value);
    }
  });
  if (has(points.get(), "last_plane")) {
    std::int64_t plane = 0;
    h5::read_row(open_dataset(points.get(), "last_plane"), slot, H5T_NATIVE_INT64, &plane, "last_plane");
    h5::set_attribute(open_dataset(run, "planes/field").get(), "plane", plane);
  }
  if (has(scan, "provenance")) copy_object(scan, run, "provenance");
  return file;
}

namespace {

// Places of a part and of the whole that go up together: `count` of them, in the part one after the other, in the whole
// `stride` apart.
struct Stretch {
  hsize_t from = 0, to = 0, count = 1, stride = 1;
};

std::vector<Stretch> stretches(const std::vector<std::pair<std::size_t, std::size_t>>& places) {
  std::vector<Stretch> all;
  for (const auto& [from, to] : places) {
    if (!all.empty()) {
      Stretch& last = all.back();
      const hsize_t next = last.to + last.count * last.stride;
      if (from == last.from + last.count && last.count == 1 && to > last.to) {
        last.stride = to - last.to;
        last.count = 2;
        continue;
      }
      if (from == last.from + last.count && to == next) {
        ++last.count;
        continue;
      }
    }
    all.push_back({from, to, 1, 1});
  }
  return all;
}

h5::Space select(const h5::Dims& dims, hsize_t start, hsize_t stride, hsize_t count, const std::string& name) {
  h5::Space space{H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), name};
  h5::Dims starts(dims.size(), 0), strides(dims.size(), 1), counts_(dims.size(), 1), blocks = dims;
  starts[0] = start;
  strides[0] = stride;
  counts_[0] = count;
  blocks[0] = 1;
  h5::check(
      H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, starts.data(), strides.data(), counts_.data(), blocks.data()),
      name);
  return space;
}

void set_fill(const h5::Property& how, hid_t type, const std::string& name) {
  const double nan[2] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  h5::check(H5Pset_fill_value(how.get(), type, nan), name);  // a double is the first half of it
}

h5::Dataset make_joined(hid_t scan, const std::string& path, const std::vector<Source>& parts, const Layout& layout) {
  const h5::Dataset of = open_dataset(parts.front().file, path);
  const h5::Type type{H5Dget_type(of.get()), path};
  h5::Dims whole = h5::dims_of(of);
  const h5::Dims shape = without_first(whole);
  whole[0] = layout.points;
  const h5::Property how{H5Pcreate(H5P_DATASET_CREATE), path};
  set_fill(how, type.get(), path);
  for (const Source& part : parts) {
    const h5::Dims dims = h5::dims_of(open_dataset(part.file, path));
    if (without_first(dims) != shape)
      throw Error(Fault::problem,
                  part.path + ": its " + path + " has another shape than that of " + parts.front().path);
    for (const Stretch& s : stretches(part.places)) {
      const h5::Space from = select(dims, s.from, 1, s.count, path), to = select(whole, s.to, s.stride, s.count, path);
      h5::check(H5Pset_virtual(how.get(), to.get(), part.path.c_str(), ("/" + path).c_str(), from.get()), path);
    }
  }
  const h5::Space space{H5Screate_simple(static_cast<int>(whole.size()), whole.data(), nullptr), path};
  h5::Dataset made{H5Dcreate2(scan, path.c_str(), type.get(), space.get(), H5P_DEFAULT, how.get(), H5P_DEFAULT), path};
  copy_attributes(of.get(), made.get());
  return made;
}

void join_march(hid_t scan, const std::vector<Source>& parts) {
  for (const Source& part : parts) {
    const h5::Group from = open_group(part.file, "march"), to = open_group(scan, "march");
    std::size_t rows = std::numeric_limits<std::size_t>::max();
    std::vector<std::string> names(columns.begin(), columns.end());
    names.emplace_back("point");
    for (const std::string& name : names)
      rows = std::min<std::size_t>(rows, h5::dims_of(open_dataset(from.get(), name))[0]);
    if (rows == 0) continue;
    for (const std::string& name : names) {
      const h5::Dataset data = open_dataset(from.get(), name);
      const h5::Type type{H5Dget_type(data.get()), name};
      const h5::Type memory{H5Tget_native_type(type.get(), H5T_DIR_ASCEND), name};
      h5::append(open_dataset(to.get(), name), memory.get(), read_whole(data, memory.get(), name).data(), rows, name);
    }
  }
}

}  // namespace

void join(hid_t scan, const std::vector<Source>& parts, const Layout& layout) {
  const hid_t first = parts.front().file;
  make_arrays(scan, first, layout, [&](const std::string& path, const h5::Dataset&) {
    return Made{make_joined(scan, path, parts, layout), 0};
  });
  make_march(scan, first);
  join_march(scan, parts);
  const auto copy_column = [&](const std::string& name, bool whole) {
    const h5::Dataset made = make_column(scan, name, whole, layout);
    const hid_t memory = whole ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
    for (const Source& part : parts) {
      const h5::Dataset from = open_dataset(part.file, std::string(counts) + "/" + name);
      for (const auto& [place, to] : part.places) {
        std::int64_t value = 0;  // eight bytes of either
        h5::read_row(from, place, memory, &value, name);
        h5::write_row(made, to, memory, &value, name);
      }
    }
  };
  each_count(first, [&](const std::string& group, const std::string& name) {
    copy_column(name, integral(open_group(first, group).get(), name.c_str()));
  });
  if (has(first, std::string(counts) + "/last_plane")) copy_column("last_plane", true);
  link_scales(scan, first);
}

}  // namespace lumarch::point_tree
