// SPDX-License-Identifier: Apache-2.0
#include "problem/json_text.hpp"

#include <algorithm>
#include <cctype>

#include "problem/text.hpp"

namespace lumarch::problem {

namespace {

struct Position {
  std::size_t line = 1, column = 1;
};

Position position_of(const std::string& text, std::size_t offset) {
  Position position;
  for (std::size_t i = 0; i < std::min(offset, text.size()); ++i) {
    position.column = text[i] == '\n' ? 1 : position.column + 1;
    if (text[i] == '\n') ++position.line;
  }
  return position;
}

std::string at_text(const Position& position) {
  return "line " + std::to_string(position.line) + ", column " + std::to_string(position.column) + ": ";
}

// The letters around an offset, to see what was meant where JSON has no such word.
std::string word_at(const std::string& text, std::size_t offset) {
  const auto letter = [&](std::size_t i) { return std::isalnum(static_cast<unsigned char>(text[i])) != 0; };
  std::size_t from = std::min(offset, text.size()), to = from;
  constexpr std::size_t kReach = 40;
  while (from > 0 && offset - from < kReach && letter(from - 1)) --from;
  while (to < text.size() && to - offset < kReach && letter(to)) ++to;
  return text.substr(from, to - from);
}

std::string advice(const std::string& text, std::size_t offset, const std::string& reason) {
  const std::string word = word_at(text, offset);
  std::string small = word;
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (small == "nan" || small == "inf" || small == "infinity") return "; " + word + " is not a number JSON has";
  if (small == "true" || small == "false" || small == "null") return "; write " + small + " in small letters";
  const char last = offset > 0 && offset <= text.size() ? text[offset - 1] : ' ';
  if (last == '\'') return "; strings stand in double quotes";
  if (last == '#') return "; a comment starts with //";
  if (reason.find("end of input") != std::string::npos) return "; a bracket or a quote is not closed";
  if (last == ']' || last == '}') {
    std::size_t before = offset - 1;
    while (before > 0 && std::isspace(static_cast<unsigned char>(text[before - 1])) != 0) --before;
    if (before > 0 && text[before - 1] == ',') return "; take out the comma before the closing bracket";
  }
  if (reason.find("unexpected string literal") != std::string::npos) return "; a comma may be missing before it";
  if (!small.empty() && std::isalpha(static_cast<unsigned char>(small[0])) != 0 &&
      reason.find("invalid literal") != std::string::npos) {
    return "; strings and keys stand in double quotes";
  }
  return "";
}

// Builds the tree from the events of nlohmann's parser, which itself neither recurses nor looks for duplicates.
class Builder {
public:
  Builder(const std::string& text, Context& context) : text_(text), context_(context) {}

  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(Json::number_integer_t value) { return put(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return put(value); }
  bool number_float(Json::number_float_t value, const std::string&) { return put(value); }
  bool string(std::string& value) { return put(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    Level& top = levels_.back();
    top.key = name;
    if (top.value->contains(name)) {
      context_.add(pointer(), "the key " + in_quotes(name) + " stands twice in this object; keep one of them");
    }
    return true;
  }

  bool parse_error(std::size_t offset, const std::string& token, const nlohmann::detail::exception& error) {
    const std::string where = at_text(position_of(text_, offset > 0 ? offset - 1 : 0));
    if (dynamic_cast<const nlohmann::detail::out_of_range*>(&error) != nullptr) {
      context_.add(pointer(), where + "the number " + printable(token) + " is too large for a double (1e308)");
      return false;
    }
    std::string reason = error.what();
    const std::size_t colon = reason.find(" - ");
    reason = colon == std::string::npos ? "no valid JSON" : reason.substr(colon + 3);
    reason = reason.substr(0, reason.find("; last read"));
    context_.add("", where + printable(reason) + advice(text_, offset, reason));
    return false;
  }

  [[nodiscard]] Json take() { return std::move(root_); }

private:
  struct Level {
    Json* value;
    std::string key;  // of the member being read
  };

  Json* add(Json value) {
    if (levels_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Level& top = levels_.back();
    if (top.value->is_array()) {
      top.value->push_back(std::move(value));
      return &top.value->back();
    }
    Json& member = (*top.value)[top.key];
    member = std::move(value);
    return &member;
  }
  bool put(Json value) {
    add(std::move(value));
    return true;
  }
  bool open(Json value) {
    if (levels_.size() >= static_cast<std::size_t>(kMostLevels)) {
      context_.add("", "objects and lists are nested more than " + std::to_string(kMostLevels) + " deep");
      return false;
    }
    Json* made = add(std::move(value));
    levels_.push_back({made, ""});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return true;
  }

  // Where the value that comes next will stand.
  [[nodiscard]] std::string pointer() const {
    std::string place;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      const Level& level = levels_[i];
      const bool last = i + 1 == levels_.size();
      if (level.value->is_array()) {
        place.append("/").append(std::to_string(level.value->size() - (last ? 0 : 1)));
      } else {
        place += step(level.key);
      }
    }
    return place;
  }

  const std::string& text_;
  Context& context_;
  Json root_;
  std::vector<Level> levels_;
};

// What is no JSON text at all, said before the parser trips over its first byte.
bool readable(const std::string& text, Context& context) {
  const auto begins = [&](std::string_view mark) { return std::string_view(text).starts_with(mark); };
  if (text.size() > kMostText) {
    context.add("", "the file is larger than 64 MiB, no problem file; put tables of numbers into files of their own");
  } else if (begins("\xff\xfe") || begins("\xfe\xff")) {
    context.add("", "the file is UTF-16; save it as UTF-8");
  } else if (text.find('\0') != std::string::npos) {
    context.add("", "the file holds zero bytes: a binary file (or UTF-16), no JSON text");
  } else if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    context.add("", "the file is empty; `lumarch examples` writes problems to start from");
  } else {
    return true;
  }
  return false;
}

}  // namespace

std::optional<Json> parse_json(const std::string& text, Context& context) {
  if (!readable(text, context)) return std::nullopt;
  const std::size_t start = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
  const std::string body = text.substr(start);
  Builder builder(body, context);
  if (!Json::sax_parse(body, &builder, Json::input_format_t::json, true, true)) return std::nullopt;
  return builder.take();
}

std::string step(const std::string& key) {
  std::string escaped = "/";
  for (const char c : key) {
    if (c == '~') {
      escaped += "~0";
    } else if (c == '/') {
      escaped += "~1";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string shown(const Json& value) {
  if (value.is_string()) return in_quotes(value.get_ref<const std::string&>());
  if (value.is_object() || value.is_array()) {
    if (value.size() > 8) return type_of(value) + " of " + std::to_string(value.size());
  }
  return printable(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string type_of(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  if (value.is_string()) return "a string";
  if (value.is_boolean()) return "true or false";
  if (value.is_number()) return "a number";
  return "null";
}

}  // namespace lumarch::problem
