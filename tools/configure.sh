# For tools/demo and tools/test: configures build/release of the folder $1, once or again, with the other arguments, and
# sets $jobs.
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc 2>/dev/null || echo 2)}

configure() {
  # Debian's Python is the one that install-deps gives its modules, not one that happens to come first on PATH.
  python=""
  [ -x /usr/bin/python3 ] && python=-DPython3_EXECUTABLE=/usr/bin/python3
  (cd "$1" && shift && cmake --preset release $python "$@")
}
