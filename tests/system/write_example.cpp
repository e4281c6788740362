// SPDX-License-Identifier: Apache-2.0
// write_example OUT.h5 [all | last] [COMPRESSION]: the file that the Python tests read.
#include <cstdlib>
#include <string>

#include "core/output/example_run.hpp"

int main(int count, char** words) {
  if (count < 2) return 2;
  const bool last = count > 2 && std::string(words[2]) == "last";
  const auto fields = last ? lumarch::Fields::last : lumarch::Fields::all;
  example::write(words[1], example::run_info(256, 11, fields, count > 3 ? std::atoi(words[3]) : 0), 11);
}
