// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <iostream>

#include <lumarch/backends.hpp>

#include "lumarch/commands.hpp"

int main(int argc, char** argv) {
  // A full pipe or a file-size limit is an error of the write that met it, not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  const int status = lumarch::cli::command_line({argv + 1, argv + argc}, std::cout, std::cerr);
  lumarch::shut_down_backends();
  return status;
}
