// SPDX-License-Identifier: Apache-2.0
// write_example OUT.h5 [all | last | none] [COMPRESSION] [ROUTE [COMPONENTS]]: the files that the Python tests read, of
// a fibre without a route.
#include <cstdlib>
#include <string>

#include "core/output/example_nodes.hpp"

int main(int count, char** words) {
  if (count < 2) return 2;
  const std::string which = count > 2 ? words[2] : "all";
  const auto fields = which == "last"   ? lumarch::Fields::last
                      : which == "none" ? lumarch::Fields::none
                                        : lumarch::Fields::all;
  const int compression = count > 3 ? std::atoi(words[3]) : 0;
  if (count > 4) {
    const auto info = example::nodes_info(words[4], fields, compression, count > 5 ? std::atoi(words[5]) : 1);
    example::write_nodes(words[1], info, info.planes.size());
  } else {
    example::write(words[1], example::run_info(256, 11, fields, compression), 11);
  }
}
