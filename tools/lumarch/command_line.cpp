// SPDX-License-Identifier: Apache-2.0
// Words to requests: which command, which options, and what is said about wrong ones.
#include <lumarch/scan_file.hpp>
#include <lumarch/version.hpp>

#include <boost/program_options.hpp>
#include <iostream>
#include <map>
#include <new>

#include "bench/bench.hpp"
#include "lumarch/commands.hpp"
#include "lumarch/info.hpp"
#include "lumarch/plot.hpp"
#include "lumarch/report.hpp"

namespace lumarch::cli {

namespace po = boost::program_options;

namespace {

using Words = std::vector<std::string>;

struct Streams {
  std::ostream &out, &err;
};

const char* const usage =
    R"(lumarch marches light: nonlinear pulse propagation on pluggable backends.

  lumarch run FILE          runs a problem file and writes FILE's name with .h5
  lumarch resume OUT.h5     goes on with a run that was stopped or killed
  lumarch check FILE        prints grid, lengths, soliton number, memory and warnings; runs nothing
  lumarch collect OUT.h5 PART.h5...   joins the parts of a scan
  lumarch plot OUT.h5       draws what a run wrote
  lumarch info OUT.h5       says what a file holds and how its run ended
  lumarch examples [NAME]   lists the problems that ship, or writes one here
  lumarch backends [-v]     every backend there could be, and why one is not used
  lumarch tune N...         makes and keeps patient FFT plans for these numbers of points
  lumarch bench NAME        the benchmarks (fibre, fft, routes, reads)
  lumarch COMMAND --help    the options of a command

Start with: lumarch examples supercontinuum && lumarch run supercontinuum.json && lumarch plot supercontinuum.h5
)";

// Parses the words after a command. `hidden` are options that --help does not list: the first takes the bare words, at
// most so many of them.
po::variables_map parse(const Words& words, const po::options_description& shown,
                        const po::options_description& hidden = po::options_description(), int most = 0) {
  po::positional_options_description bare;
  if (most != 0) bare.add(hidden.options().front()->long_name().c_str(), most);
  po::options_description options;
  options.add(shown).add(hidden);
  po::variables_map values;
  // no guessing: a mistyped --forc must not become --force
  const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  po::store(po::command_line_parser(words).options(options).positional(bare).style(style).run(), values);
  po::notify(values);
  return values;
}

po::options_description bare_word(const char* name) {
  po::options_description hidden;
  hidden.add_options()(name, po::value<std::string>());
  return hidden;
}

bool help(const po::variables_map& values, const char* line, const po::options_description& options,
          std::ostream& out) {
  if (!values.count("help")) return false;
  out << "usage: " << line << "\n\n" << options;
  return true;
}

std::string one(const po::variables_map& values, const char* name, const char* line) {
  if (!values.count(name)) throw Error(Fault::problem, std::string("a file is missing; usage: ") + line);
  return values[name].as<std::string>();
}

Words many(const po::variables_map& values, const char* name) {
  return values.count(name) ? values[name].as<Words>() : Words{};
}

std::vector<Override> overrides(const po::variables_map& values) {
  std::vector<Override> all;
  for (const std::string& text : many(values, "set")) all.push_back(parse_override(text));
  return all;
}

void check_threads(const po::variables_map& values, int threads) {
  if (values.count("threads") && threads < 1)
    throw Error(Fault::problem, "--threads " + std::to_string(threads) + ": 1 or more is needed");
}

// The options that commands have in common that march; "threads" is in the request already.
void take_march(const po::variables_map& values, const char* line, MarchRequest& request) {
  const std::string log_style = values.count("log") ? values["log"].as<std::string>() : "";
  if (!log_style.empty() && log_style != "json")
    throw Error(Fault::problem, "--log " + log_style + ": json is what there is");
  check_threads(values, request.threads);
  if (values.count("time-limit")) request.time_limit = seconds_of(values["time-limit"].as<std::string>());
  request.json_log = log_style == "json";
  request.file = one(values, "file", line);
  request.folders = many(values, "backend-path");
}

int run(const Words& words, Streams to) {
  const char* line = "lumarch run FILE [options]";
  RunRequest request;
  po::options_description options("Options", 110);
  // clang-format off
  options.add_options()
      ("help,h", "this text")
      ("backend,b", po::value(&request.backend), "NAME or NAME:DEVICE; wins over the problem's (default cpu)")
      ("output,o", po::value<std::string>(), "the file to write (default: the problem's name with .h5, here)")
      ("force", po::bool_switch(&request.force), "replace an output file that is there")
      ("set", po::value<Words>()->composing(), "/pointer=value: change the problem; may be repeated")
      ("threads", po::value(&request.threads), "threads of the backend (default: all)")
      ("plan", po::value(&request.plan), "estimate, measure or patient FFT plans")
      ("time-limit", po::value<std::string>(), "stop after so long, with exit state 7: 90, \"15 min\", 2h, 1:30:00")
      ("shard", po::value(&request.shard), "K/N: of a scan, part K of N, into OUT.K-of-N.h5")
      ("fail-fast", po::bool_switch(&request.fail_fast), "of a scan: the first point that fails ends it")
      ("log", po::value<std::string>(), "json: progress and messages as JSON objects, one a line, on standard error")
      ("backend-path", po::value<Words>()->composing(), "a folder of backends, or a plugin's file, to look at first; may be repeated");
  // clang-format on
  const auto values = parse(words, options, bare_word("file"), 1);
  if (help(values, line, options, to.out)) return 0;
  if (values.count("plan") && request.plan != "estimate" && request.plan != "measure" && request.plan != "patient")
    throw Error(Fault::problem, "--plan " + request.plan + ": estimate, measure or patient is needed");
  take_march(values, line, request);
  if (values.count("output")) request.output = values["output"].as<std::string>();
  request.overrides = overrides(values);
  return run_command(request, to.out, to.err);
}

int resume(const Words& words, Streams to) {
  const char* line = "lumarch resume OUT.h5 [options]";
  MarchRequest request;
  po::options_description options("Options", 110);
  // clang-format off
  options.add_options()
      ("help,h", "this text")
      ("threads", po::value(&request.threads), "threads of the backend (default: as the run had them)")
      ("time-limit", po::value<std::string>(), "stop after so long, with exit state 7: 90, \"15 min\", 2h, 1:30:00")
      ("log", po::value<std::string>(), "json: progress and messages as JSON objects, one a line, on standard error")
      ("backend-path", po::value<Words>()->composing(), "a folder of backends, or a plugin's file (default: as the run had them); may be repeated");
  // clang-format on
  const auto values = parse(words, options, bare_word("file"), 1);
  if (help(values, line, options, to.out)) return 0;
  take_march(values, line, request);
  return resume_command(request, to.out, to.err);
}

int collect(const Words& words, Streams to) {
  const char* line = "lumarch collect OUT.h5 PART.h5...";
  CollectRequest request;
  po::options_description options("Options", 110);
  options.add_options()("help,h", "this text")("force", po::bool_switch(&request.force),
                                               "replace an output file that is there");
  po::options_description hidden;
  hidden.add_options()("file", po::value<Words>());
  const auto values = parse(words, options, hidden, -1);
  if (help(values, line, options, to.out)) return 0;
  request.parts = many(values, "file");
  if (request.parts.size() < 2)
    throw Error(Fault::problem, std::string("the file to write and those of the parts are needed; usage: ") + line);
  request.output = request.parts.front();
  request.parts.erase(request.parts.begin());
  return collect_command(request, to.out);
}

int check(const Words& words, Streams to) {
  const char* line = "lumarch check FILE [--set /pointer=value]...";
  CheckRequest request;
  po::options_description options("Options", 110);
  // clang-format off
  options.add_options()
      ("help,h", "this text")
      ("set", po::value<Words>()->composing(), "/pointer=value: change the problem; may be repeated")
      ("backend,b", po::value(&request.backend), "NAME or NAME:DEVICE, whose memory is told (default: the problem's)")
      ("threads", po::value(&request.threads), "threads of the backend (default: all)")
      ("backend-path", po::value<Words>()->composing(), "a folder of backends, or a plugin's file, to look at first; may be repeated");
  // clang-format on
  const auto values = parse(words, options, bare_word("file"), 1);
  if (help(values, line, options, to.out)) return 0;
  check_threads(values, request.threads);
  request.file = one(values, "file", line);
  request.overrides = overrides(values);
  request.folders = many(values, "backend-path");
  return check_command(request, to.out);
}

int backends(const Words& words, Streams to) {
  bool verbose = false;
  po::options_description options("Options", 110);
  options.add_options()("help,h", "this text")("verbose,v", po::bool_switch(&verbose), "paths, builds and kernels too")(
      "backend-path", po::value<Words>()->composing(),
      "a folder of backends, or a plugin's file, to look at first; may be repeated");
  const auto values = parse(words, options);
  if (help(values, "lumarch backends [-v]", options, to.out)) return 0;
  return backends_command(many(values, "backend-path"), verbose, to.out);
}

int info(const Words& words, Streams to) {
  const char* line = "lumarch info OUT.h5";
  po::options_description options("Options", 110);
  options.add_options()("help,h", "this text");
  const auto values = parse(words, options, bare_word("file"), 1);
  if (help(values, line, options, to.out)) return 0;
  const std::string file = one(values, "file", line);
  return is_scan_file(file) ? tools::scan_info_command(file, to.out) : tools::info_command(file, to.out);
}

int plot(const Words& words, Streams to) {
  const char* line = "lumarch plot OUT.h5 [options]";
  tools::PlotRequest request;
  po::options_description options("Options", 110);
  // clang-format off
  options.add_options()
      ("help,h", "this text")
      ("output,o", po::value(&request.output), "F.png, F.svg or F.pdf (default: OUT-KIND.png beside OUT.h5)")
      ("what", po::value(&request.what), "evolution,spectrum,time,spectrogram,fluence,statistics: any of them, with commas")
      ("script", po::bool_switch(&request.script), "keep gnuplot's script and data");
  // clang-format on
  const auto values = parse(words, options, bare_word("file"), 1);
  if (help(values, line, options, to.out)) return 0;
  request.file = one(values, "file", line);
  return tools::plot_command(request, to.out);
}

int examples(const Words& words, Streams to) {
  bool force = false;
  po::options_description options("Options", 110);
  options.add_options()("help,h", "this text")("force", po::bool_switch(&force), "replace a file that is there");
  const auto values = parse(words, options, bare_word("name"), 1);
  if (help(values, "lumarch examples [NAME]", options, to.out)) return 0;
  return examples_command(values.count("name") ? values["name"].as<std::string>() : "", force, to.out);
}

int tune(const Words& words, Streams to) {
  const char* line = "lumarch tune N...";
  TuneRequest request;
  po::options_description options("Options", 110);
  options.add_options()("help,h", "this text")("backend,b", po::value(&request.backend.name),
                                               "whose plans (default cpu)")(
      "backend-path", po::value<Words>()->composing(),
      "a folder of backends, or a plugin's file, to look at first; may be repeated");
  po::options_description hidden;
  hidden.add_options()("points", po::value(&request.lengths));
  const auto values = parse(words, options, hidden, -1);
  if (help(values, line, options, to.out)) return 0;
  if (request.lengths.empty())
    throw Error(Fault::problem, std::string("a number of points is missing; usage: ") + line);
  for (const std::int64_t n : request.lengths)
    if (n < 2 || n > (std::int64_t{1} << 26))
      throw Error(Fault::problem, "tune " + std::to_string(n) + ": 2 to 67108864 points are possible");
  request.folders = many(values, "backend-path");
  return tune_command(request, to.out);
}

int bench(const Words& words, Streams to) {
  const char* line = "lumarch bench fibre|fft|routes|reads [options]";
  bench::Request request;
  request.backend.threads = 1;
  po::options_description options("Options", 110);
  options.add_options()("help,h", "this text")("backend,b", po::value(&request.backend.name),
                                               "the backend (default cpu)")("rounds", po::value(&request.rounds),
                                                                            "interleaved rounds (default 15)")(
      "quick", po::bool_switch(&request.quick), "small sizes only: to see that it works, not to compare")(
      "threads", po::value(&request.backend.threads), "routes, reads: threads of the device (default 1)")(
      "backend-path", po::value<Words>()->composing(),
      "a folder of backends, or a plugin's file, to look at first; may be repeated");
  const auto values = parse(words, options, bare_word("name"), 1);
  if (help(values, line, options, to.out)) return 0;
  if (values.count("name")) request.name = values["name"].as<std::string>();
  if (request.name.empty()) throw Error(Fault::problem, std::string("which benchmark? usage: ") + line);
  if (request.rounds < 1) throw Error(Fault::problem, "--rounds: 1 or more is needed");
  if (request.backend.threads < 1)
    throw Error(Fault::problem, "--threads " + std::to_string(request.backend.threads) + ": 1 or more is needed");
  request.folders = many(values, "backend-path");
  return bench::bench_command(request, to.out);
}

int dispatch(const Words& args, Streams to) {
  const std::map<std::string, int (*)(const Words&, Streams)> commands = {
      {"run", run},   {"resume", resume},     {"check", check}, {"backends", backends}, {"info", info},
      {"plot", plot}, {"examples", examples}, {"tune", tune},   {"bench", bench},       {"collect", collect}};
  if (args.empty() || args[0] == "--help" || args[0] == "-h" || args[0] == "help") {
    (args.empty() ? to.err : to.out) << usage;
    return args.empty() ? 2 : 0;
  }
  if (args[0] == "--version") {
    to.out << "lumarch " LUMARCH_VERSION "\n";
    return 0;
  }
  const auto command = commands.find(args[0]);
  if (command == commands.end())
    throw Error(Fault::problem, "there is no command \"" + args[0] + "\"; lumarch --help lists them");
  return command->second({args.begin() + 1, args.end()}, to);
}

std::string findings_text(const ProblemError& error) {
  const auto& findings = error.findings();
  const auto text = [](const Finding& f) { return f.pointer.empty() ? f.text : f.pointer + ": " + f.text; };
  if (findings.size() == 1) return "lumarch: " + text(findings[0]);
  std::string all = "lumarch: " + std::to_string(findings.size()) + " things are wrong with the problem:";
  for (const Finding& finding : findings) all += "\n  " + text(finding);
  return all;
}

// Also where the options could not be read.
bool wants_json(const Words& args) {
  for (std::size_t i = 0; i < args.size(); ++i)
    if (args[i] == "--log=json" || (args[i] == "--log" && i + 1 < args.size() && args[i + 1] == "json")) return true;
  return false;
}

}  // namespace

int command_line(const Words& args, std::ostream& out, std::ostream& err) {
  const auto failed = [&](Fault fault, const std::string& text) {
    print_error(err, wants_json(args), static_cast<int>(fault), text);
    return static_cast<int>(fault);
  };
  try {
    const int status = dispatch(args, {out, err});
    out.flush();
    if (!out) return failed(Fault::output, "lumarch: standard output could not be written");
    return status;
  } catch (const ProblemError& error) {
    return failed(error.fault(), findings_text(error));
  } catch (const Error& error) {
    return failed(error.fault(), std::string("lumarch: ") + error.what());
  } catch (const po::error& error) {
    return failed(Fault::problem, "lumarch " + (args.empty() ? std::string() : args[0]) + ": " + error.what() +
                                      "; --help lists the options");
  } catch (const std::bad_alloc&) {
    return failed(Fault::refused, "lumarch: out of memory; fewer points or planes would help");
  } catch (const std::exception& error) {
    return failed(Fault::backend, std::string("lumarch: ") + error.what());
  }
}

}  // namespace lumarch::cli
