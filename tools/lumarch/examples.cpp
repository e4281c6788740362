// SPDX-License-Identifier: Apache-2.0
#include <lumarch/examples.hpp>

#include <filesystem>
#include <fstream>

#include "lumarch/commands.hpp"

namespace lumarch::cli {

int examples_command(const std::string& name, bool force, std::ostream& out) {
  if (name.empty()) {
    for (const std::string& each : example_names()) out << each << '\n';
    out << "write one with: lumarch examples NAME\n";
    return 0;
  }
  const std::string text = example_text(name);
  const std::filesystem::path file = name + ".json";
  if (std::filesystem::exists(file) && !force)
    throw Error(Fault::problem, file.string() + " is there already; --force replaces it");
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw Error(Fault::output, file.string() + " could not be written");
  out << "wrote " << file.string() << "; run it with: lumarch run " << file.string() << '\n';
  return 0;
}

}  // namespace lumarch::cli
