// SPDX-License-Identifier: Apache-2.0
// tests/corpus/malformed: each NAME.json gives exactly the findings of NAME.expect, one a line: a JSON pointer ("-" for
// the whole file), a space, words that the finding has.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "support.hpp"

using namespace lumarch;

namespace {

const std::filesystem::path kCorpus = LUMARCH_SOURCE_DIR "/tests/corpus/malformed";

std::vector<std::filesystem::path> problems() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(kCorpus)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<Finding> expected(const std::filesystem::path& problem) {
  std::istringstream lines(support::file_text(std::filesystem::path(problem).replace_extension(".expect")));
  std::vector<Finding> found;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = line.find(' ');
    const std::string pointer = line.substr(0, space);
    found.push_back({pointer == "-" ? "" : pointer, line.substr(space + 1)});
  }
  return found;
}

}  // namespace

TEST_CASE("corpus: every malformed file gives its located findings and nothing else") {
  const auto files = problems();
  CHECK(files.size() >= 40);
  for (const auto& file : files) {
    INFO(file.filename().string());
    std::vector<Finding> found;
    std::string what = "no error";
    try {
      (void)read_problem(file);
    } catch (const ProblemError& error) {
      found = error.findings();
      what = error.what();
    }
    INFO(what);
    const auto wanted = expected(file);
    CHECK_FALSE(wanted.empty());
    CHECK(found.size() == wanted.size());
    for (const Finding& finding : found) CHECK_FALSE(finding.text.empty());
    for (const Finding& want : wanted) {
      INFO("wanted at ", want.pointer, ": ", want.text);
      CHECK(std::any_of(found.begin(), found.end(), [&](const Finding& finding) {
        return finding.pointer == want.pointer && support::has(finding.text, want.text);
      }));
    }
  }
}
