// SPDX-License-Identifier: Apache-2.0
#include "backend/plugin_library.hpp"

#include <dlfcn.h>
#include <sys/stat.h>

#include <boost/dll/shared_library.hpp>
#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

namespace lumarch {

namespace {

// Boost's destructor closes the library, so the objects outlive everything: nothing of a plugin is torn down at exit,
// in whatever order static objects go.
void keep_for_ever(boost::dll::shared_library library) {
  struct Kept {
    std::mutex mutex;
    std::vector<boost::dll::shared_library> libraries;
  };
  static Kept* const kept = std::make_unique<Kept>().release();
  const std::scoped_lock lock(kept->mutex);
  kept->libraries.push_back(std::move(library));
}

// ld.so begins its text with the file that it could not use, which may be one that the plugin needs.
std::string in_words(const std::string& reason, const std::string& path) {
  const std::string missing = ": cannot open shared object file";
  const auto at = reason.find(missing);
  if (at != std::string::npos && reason.compare(0, at, path) != 0) {
    const std::string library = reason.substr(0, at);
    return "needs " + library + ", which is not found (" + reason + "): install it, or add its folder to " +
           "LD_LIBRARY_PATH or to the plugin's rpath";
  }
  if (reason.find("undefined symbol") != std::string::npos) {
    return "cannot be loaded (" + reason + "): link the library that has this symbol, with -Wl,-z,defs";
  }
  return "cannot be loaded (" + reason + ")";
}

bool same_file(const char* one, const char* other) {
  struct stat a {
  }, b{};
  return ::stat(one, &a) == 0 && ::stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace

OpenedLibrary open_library(const std::string& path) {
  OpenedLibrary opened;
  if (!std::filesystem::path(path).is_absolute()) {  // Boost.DLL would look in the current directory
    opened.fault = "is not an absolute path";
    return opened;
  }
  using boost::dll::load_mode::rtld_local;
  using boost::dll::load_mode::rtld_now;
  const auto mode = rtld_now | rtld_local | static_cast<boost::dll::load_mode::type>(RTLD_NODELETE);
  boost::dll::fs::error_code error;
  boost::dll::shared_library library;
  library.load(path, mode, error);
  if (error) {  // Boost's own text is "bad file descriptor" for everything; ld.so's is still there
    const char* const reason = ::dlerror();
    opened.fault = in_words(reason != nullptr ? reason : error.message(), path);
    return opened;
  }
  opened.mapped = true;
  // has() also finds what a dependency exports: the address must lie in this very file.
  if (library.has(LM_PLUGIN_SYMBOL)) {
    const lm_plugin* const plugin = &library.get<const lm_plugin>(LM_PLUGIN_SYMBOL);
    Dl_info where{};
    if (::dladdr(plugin, &where) != 0 && where.dli_fname != nullptr && same_file(where.dli_fname, path.c_str())) {
      opened.plugin = plugin;
    } else {
      opened.fault = std::string("has its ") + LM_PLUGIN_SYMBOL + " from " +
                     (where.dli_fname != nullptr ? where.dli_fname : "elsewhere") + ", not from itself";
    }
  } else {
    opened.fault = std::string("does not export ") + LM_PLUGIN_SYMBOL;
  }
  keep_for_ever(std::move(library));
  return opened;
}

}  // namespace lumarch
