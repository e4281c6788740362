// SPDX-License-Identifier: Apache-2.0
// The commands of `lumarch`, one function each; the result is the exit status. They throw lumarch::Error.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <lumarch/problem.hpp>
#include <lumarch/scan.hpp>

namespace lumarch::cli {

int backends_command(const std::vector<std::string>& folders, bool verbose, std::ostream& out);

struct CheckRequest {
  std::string file;
  std::vector<Override> overrides;
  std::string backend;  // as RunRequest
  int threads = -1;
  std::vector<std::string> folders;
};
int check_command(const CheckRequest& request, std::ostream& out);

// Lists the examples where no name is given; else writes NAME.json here, refusing to replace one without force.
int examples_command(const std::string& name, bool force, std::ostream& out);

struct TuneRequest {
  std::vector<std::int64_t> lengths;
  BackendRequest backend;
  std::vector<std::string> folders;
};
int tune_command(const TuneRequest& request, std::ostream& out);

// What every command that marches takes.
struct MarchRequest {
  std::string file;
  int threads = -1;  // < 0: the problem's, or those that the run had
  bool json_log = false;
  double time_limit = 0;             // s; 0: none
  std::vector<std::string> folders;  // of backends, looked at first; of a resume empty: those that the run had
};

struct RunRequest : MarchRequest {
  std::vector<Override> overrides;
  std::string backend;                // NAME[:DEVICE]; empty: the problem's
  std::optional<std::string> output;  // none: the problem's, else the problem file's name with .h5, here
  std::string plan;                   // empty: the problem's
  bool force = false;
  std::string shard;       // of a scan, "K/N"; empty: all
  bool fail_fast = false;  // of a scan
};
// NAME or NAME:DEVICE, and threads, in the place of the problem's.
void choose_backend(BackendRequest& backend, const std::string& text, int threads);
// "90", "90 s", "15 min", "2 h" or "1:30:00", in seconds. Throws Error(Fault::problem).
double seconds_of(const std::string& text);
int run_command(const RunRequest& request, std::ostream& out, std::ostream& log);

int resume_command(const MarchRequest& request, std::ostream& out, std::ostream& log);

// The same of a file that is a scan; what the command line says of the backend is in the scan then.
[[nodiscard]] Scan scan_of(const RunRequest& request);
int scan_command(const RunRequest& request, const Scan& scan, std::ostream& out, std::ostream& log);
// A scan's file, or a name beside which ranks left theirs.
[[nodiscard]] bool is_scan_to_resume(const std::string& file);
int resume_scan_command(const MarchRequest& request, std::ostream& out, std::ostream& log);

struct CollectRequest {
  std::string output;
  std::vector<std::string> parts;
  bool force = false;
};
int collect_command(const CollectRequest& request, std::ostream& out);

// The whole command line, args without the program's name. Reports errors to err; returns the exit status.
int command_line(const std::vector<std::string>& args, std::ostream& out, std::ostream& err);

}  // namespace lumarch::cli
