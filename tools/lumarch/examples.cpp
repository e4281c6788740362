// SPDX-License-Identifier: Apache-2.0
#include <lumarch/examples.hpp>

#include <filesystem>

#include "lumarch/commands.hpp"
#include "lumarch/whole_file.hpp"

namespace lumarch::cli {

int examples_command(const std::string& name, bool force, std::ostream& out) {
  if (name.empty()) {
    for (const std::string& each : example_names()) out << each << '\n';
    out << "write one with: lumarch examples NAME\n";
    return 0;
  }
  const std::string text = example_text(name);
  const std::filesystem::path file = name + ".json";
  tools::refuse_other_than_file(file.string());
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored) && !force)
    throw Error(Fault::problem, file.string() + " is there already; --force replaces it");
  tools::write_whole(file.string(), text);
  out << "wrote " << file.string() << "; run it with: lumarch run " << file.string() << '\n';
  return 0;
}

}  // namespace lumarch::cli
