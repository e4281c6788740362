// SPDX-License-Identifier: Apache-2.0
#include "problem/tables.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <numbers>

#include "problem/sha256.hpp"
#include "problem/text.hpp"

namespace lumarch::problem {

namespace {

constexpr std::size_t kMostTable = 256U << 20U;
constexpr std::int64_t kMostColumn = 1000;

struct Columns {
  std::string file;
  std::vector<std::vector<double>> values;  // a column asked for, as the file's numbers
  std::vector<Unit> units;
};

std::optional<std::filesystem::path> path_of(const Node& node) {
  const auto name = string(node, "table.csv");
  if (!name) return std::nullopt;
  const bool control = std::any_of(name->begin(), name->end(), [](unsigned char c) { return c < 0x20; });
  if (name->empty() || control) {
    node.find(in_quotes(*name) + " is no name of a file");
    return std::nullopt;
  }
  return node.context->folder / *name;
}

// Fields between commas, semicolons or white space; an empty field between two commas stays, as a hole to be found.
std::vector<std::string_view> fields_of(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::vector<std::string_view> fields;
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && blank(line[at])) ++at;
    if (at >= line.size()) break;
    const std::size_t from = at;
    while (at < line.size() && !blank(line[at]) && line[at] != ',' && line[at] != ';') ++at;
    fields.push_back(line.substr(from, at - from));
    while (at < line.size() && blank(line[at])) ++at;
    if (at < line.size() && (line[at] == ',' || line[at] == ';')) ++at;
  }
  return fields;
}

std::optional<double> number_of(std::string_view field) {
  if (field.starts_with('+')) field.remove_prefix(1);
  double value = 0;
  const auto [end, problem] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (problem != std::errc{} || end != field.data() + field.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::vector<std::size_t>> columns_of(const Object& owner, std::size_t least, std::size_t most,
                                                   std::size_t usual) {
  std::vector<std::size_t> columns;
  const auto node = owner.get("columns");
  if (!node) {
    for (std::size_t i = 0; i < usual; ++i) columns.push_back(i);
    return columns;
  }
  if (!is_list(*node, "[0, 1]")) return std::nullopt;
  if (node->value->size() < least || node->value->size() > most) {
    node->find(shown(*node->value) + " has " + std::to_string(node->value->size()) + " entries; " +
               std::to_string(least) + (most > least ? " or " + std::to_string(most) : "") +
               " are needed, like [0, 1] (counted from 0)");
    return std::nullopt;
  }
  for (std::size_t i = 0; i < node->value->size(); ++i) {
    const auto column = integer(node->item(i), 0, kMostColumn);
    if (!column) return std::nullopt;
    columns.push_back(static_cast<std::size_t>(*column));
  }
  return columns;
}

std::optional<std::vector<Unit>> units_of(const Object& owner, std::size_t least, std::size_t most,
                                          const std::string& example) {
  const auto node = owner.need("units", example);
  if (!node || !is_list(*node, example)) return std::nullopt;
  if (node->value->size() < least || node->value->size() > most) {
    node->find(shown(*node->value) + " has " + std::to_string(node->value->size()) +
               " entries; one unit for each column is needed, like " + example);
    return std::nullopt;
  }
  std::vector<Unit> units;
  for (std::size_t i = 0; i < node->value->size(); ++i) {
    const Node item = node->item(i);
    const auto text = string(item, "nm");
    if (!text) return std::nullopt;
    std::string error;
    const auto unit = parse_unit(*text, error);
    if (!unit) {
      item.find(error);
      return std::nullopt;
    }
    units.push_back(*unit);
  }
  return units;
}

bool read_rows(const Node& node, const std::string& text, const std::vector<std::size_t>& columns,
               std::vector<std::vector<double>>& values) {
  const std::string name = printable(node.value->get_ref<const std::string&>());
  values.assign(columns.size(), {});
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const auto fields = fields_of(std::string_view(text).substr(at, end - at));
    at = end + 1;
    ++number;
    if (fields.empty()) continue;
    const std::string where = name + ", line " + std::to_string(number) + ": ";
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i] >= fields.size()) {
        node.find(where + "there is no column " + std::to_string(columns[i]) + " (counted from 0); the line has " +
                  std::to_string(fields.size()) + " column" + (fields.size() == 1 ? "" : "s"));
        return false;
      }
      const auto value = number_of(fields[columns[i]]);
      if (!value) {
        node.find(where + in_quotes(fields[columns[i]]) + " is no finite number; start a heading or a comment with #");
        return false;
      }
      values[i].push_back(*value);
    }
  }
  if (values[0].size() < 2) {
    node.find(name + " has " + std::to_string(values[0].size()) + " rows of numbers; two at least are needed");
    return false;
  }
  return true;
}

std::optional<Columns> read_columns(const Object& owner, std::size_t least, std::size_t most,
                                    const std::string& example) {
  const auto file = owner.need("file", "\"table.csv\"");
  const auto units = units_of(owner, least, most, example);
  const auto columns = columns_of(owner, least, most, units ? units->size() : least);
  if (!file) return std::nullopt;
  const auto path = path_of(*file);
  if (!path) return std::nullopt;
  std::string error;
  auto text = read_whole(*path, kMostTable, error);
  if (!text) {
    file->find(error);
    return std::nullopt;
  }
  if (text->rfind("\xEF\xBB\xBF", 0) == 0) text->erase(0, 3);  // a byte order mark, as spreadsheets write it
  if (!units || !columns) return std::nullopt;
  if (units->size() != columns->size()) {
    owner.node().context->add(owner.pointer_of("units"), "there are " + std::to_string(units->size()) + " units for " +
                                                             std::to_string(columns->size()) +
                                                             " columns; one for each is needed");
    return std::nullopt;
  }
  Columns found{file->value->get<std::string>(), {}, *units};
  if (!read_rows(*file, *text, *columns, found.values)) return std::nullopt;
  file->context->files.emplace_back(found.file, sha256(*text));
  return found;
}

// Numbers of a column to SI of the needed dimension.
bool convert(const Object& owner, std::size_t column, const Need& need, const Unit& unit, std::vector<double>& values) {
  const double scale = unit.factor * std::pow(10.0, unit.decimal);
  const auto factor = in_dimension(scale, unit.dimension, need.dimension);
  if (!factor) {
    const std::string wanted = name_of(need.dimension);
    owner.node().context->add(owner.pointer_of("units") + "/" + std::to_string(column),
                              "column " + std::to_string(column) + " of the list has to be " + wanted + ", like " +
                                  in_quotes(need.example) + "; this unit is " + name_of(unit.dimension));
    return false;
  }
  for (double& value : values) {
    value *= *factor;
    if (!std::isfinite(value)) {
      owner.node().context->add(owner.pointer_of("units"), "a number of the table is too large for a double in SI");
      return false;
    }
  }
  return true;
}

// -1 falling, 1 rising, 0 neither; strictly
int direction(const std::vector<double>& x) {
  const bool rising = x[1] > x[0];
  for (std::size_t i = 1; i < x.size(); ++i) {
    if (rising ? !(x[i] > x[i - 1]) : !(x[i] < x[i - 1])) return 0;
  }
  return rising ? 1 : -1;
}

bool to_omega(const Object& owner, const Unit& unit, std::vector<double>& x) {
  using std::numbers::pi;
  const bool length = unit.dimension == kLength;
  if (!length && unit.dimension != kFrequency && unit.dimension != kAngularFrequency) {
    owner.node().context->add(owner.pointer_of("units") + "/0",
                              "x has to be a wavelength (\"nm\"), a frequency (\"THz\") or an angular frequency "
                              "(\"rad/fs\"); this unit is " +
                                  name_of(unit.dimension));
    return false;
  }
  if (!convert(owner, 0, {unit.dimension, "nm"}, unit, x)) return false;
  for (double& value : x) {
    if (!(value > 0)) {
      owner.node().context->add(owner.pointer_of("file"), "x has the value " + short_number(value) +
                                                              " (in SI); wavelengths and frequencies are positive");
      return false;
    }
    if (length) value = 2 * pi * kSpeedOfLight / value;
    if (unit.dimension == kFrequency) value *= 2 * pi;
  }
  return true;
}

}  // namespace

std::optional<std::string> read_whole(const std::filesystem::path& path, std::size_t most, std::string& error) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) {
    error = in_quotes(path.string()) + " is a folder, not a file";
    return std::nullopt;
  }
  if (std::filesystem::exists(path, code) && !std::filesystem::is_regular_file(path, code)) {  // a pipe would block
    error = in_quotes(path.string()) + " is a pipe or a device, not a file; write what comes from it into one first";
    return std::nullopt;
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    error = in_quotes(path.string()) + " can't be opened: " +
            (std::filesystem::exists(path, code) ? "it is not readable" : "there is no such file");
    return std::nullopt;
  }
  std::string text;
  std::vector<char> piece(std::size_t{1} << 16U);
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())) || in.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > most) {
      error = in_quotes(path.string()) + " is larger than " + std::to_string(most >> 20U) + " MiB";
      return std::nullopt;
    }
  }
  if (in.bad()) {
    error = in_quotes(path.string()) + " can't be read";
    return std::nullopt;
  }
  return text;
}

std::optional<std::string> note_file(const Node& name) {
  const auto path = path_of(name);
  if (!path) return std::nullopt;
  std::error_code code;
  std::ifstream in;
  // "OUT.h5#17" is a point of a scan, unless a file has that name: its file is what can change
  std::filesystem::path file = *path;
  if (const std::string text = path->string();
      !std::filesystem::exists(file, code) && text.rfind('#') != std::string::npos)
    file = text.substr(0, text.rfind('#'));
  if (std::filesystem::is_regular_file(file, code)) in.open(file, std::ios::binary);
  if (!in.is_open()) {
    name.find(in_quotes(path->string()) + " can't be opened: there is no such file, or it is not readable");
    return std::nullopt;
  }
  Sha256 sum;  // piece by piece: outputs of runs may be larger than memory
  std::vector<char> piece(std::size_t{1} << 16U);
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())) || in.gcount() > 0) {
    sum.add({piece.data(), static_cast<std::size_t>(in.gcount())});
  }
  name.context->files.emplace_back(name.value->get<std::string>(), sum.hex());
  return path->string();
}

namespace {

// Columns over frequency: the first is x, which becomes a rising omega; each other one is what `needs` says.
std::optional<std::vector<Curve>> curves_of(const Object& owner, std::size_t least, const std::vector<Need>& needs,
                                            const std::vector<Sign>& signs, const std::string& example) {
  auto found = read_columns(owner, least, needs.size() + 1, example);
  if (!found) return std::nullopt;
  auto& x = found->values[0];
  if (!to_omega(owner, found->units[0], x)) return std::nullopt;
  for (std::size_t c = 1; c < found->values.size(); ++c)
    if (!convert(owner, c, needs[c - 1], found->units[c], found->values[c])) return std::nullopt;
  const auto wrong = [&](const std::string& what) {
    owner.node().context->add(owner.pointer_of("file"), printable(found->file) + ": " + what);
    return std::nullopt;
  };
  const int way = direction(x);
  if (way == 0) return wrong("x has to rise or fall strictly; sort the rows and take out equal ones");
  std::vector<Curve> curves;
  for (std::size_t c = 1; c < found->values.size(); ++c) {
    const Sign sign = signs[c - 1];
    const auto& y = found->values[c];
    const bool negative = sign != Sign::any && std::any_of(y.begin(), y.end(), [&](double value) {
                            return sign == Sign::positive ? !(value > 0) : !(value >= 0);
                          });
    if (negative)
      return wrong(std::string(c == 1 ? "y" : "the third column") + " has to be " +
                   (sign == Sign::positive ? "positive" : "zero or positive") + " in every row");
    curves.push_back({found->file, x, y});
    if (way > 0) continue;
    std::reverse(curves.back().x.begin(), curves.back().x.end());
    std::reverse(curves.back().y.begin(), curves.back().y.end());
  }
  return curves;
}

}  // namespace

std::optional<Curve> read_curve(const Node& node, const Need& need, Sign sign) {
  const Object owner(node, kinds::table);
  if (!owner.valid()) return std::nullopt;
  auto curves = curves_of(owner, 2, {need}, {sign}, "[\"nm\", " + in_quotes(need.example) + "]");
  if (!curves) return std::nullopt;
  return std::move(curves->front());
}

std::optional<Material> read_material_table(const Node& node) {
  const Object owner(node, kinds::material_table);
  if (!owner.valid()) return std::nullopt;
  auto curves =
      curves_of(owner, 2, {{kNumber, "1"}, {kNumber, "1"}}, {Sign::positive, Sign::not_negative}, R"(["nm", "1"])");
  if (!curves) return std::nullopt;
  Material material;
  material.table = std::move(curves->front());
  if (curves->size() > 1) material.extinction = std::move(curves->back());
  return material;
}

std::optional<Pulse::Samples> read_samples(const Object& owner, bool& relative) {
  auto found = read_columns(owner, 2, 3, "[\"fs\", \"W\", \"rad\"]");
  if (!found) return std::nullopt;
  relative = found->units[1].dimension == kNumber;
  auto& values = found->values;
  bool right = convert(owner, 0, {kTime, "fs"}, found->units[0], values[0]);
  right = convert(owner, 1, {relative ? kNumber : kPower, "W"}, found->units[1], values[1]) && right;
  if (values.size() > 2) right = convert(owner, 2, {kAngle, "rad"}, found->units[2], values[2]) && right;
  if (!right) return std::nullopt;
  if (direction(values[0]) != 1) {
    owner.node().context->add(owner.pointer_of("file"), printable(found->file) + ": the time has to rise strictly");
    return std::nullopt;
  }
  if (std::any_of(values[1].begin(), values[1].end(), [](double power) { return power < 0; })) {
    owner.node().context->add(owner.pointer_of("file"), printable(found->file) + ": a power is negative");
    return std::nullopt;
  }
  Pulse::Samples samples{found->file, std::move(values[0]), std::move(values[1]), {}};
  samples.phase = values.size() > 2 ? std::move(values[2]) : std::vector<double>(samples.t.size(), 0.0);
  return samples;
}

}  // namespace lumarch::problem
