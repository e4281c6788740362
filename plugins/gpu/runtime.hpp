// SPDX-License-Identifier: Apache-2.0
// What the GPU backends share is written once, as templates over a Runtime: the thin layer that CUDA and HIP each give,
// and a fake one in the tests. No function of a Runtime throws, but those of its Transform do.
//
//   static constexpr const char* backend, *device_words;    "cuda", "NVIDIA GPU"
//   static int count(int* n);                               devices; a code
//   static std::string why_none(int code);                  where there is none
//   static int describe(int index, Properties*);            cheap, makes no context
//   static std::string why_not(int index);                  empty, or why this build has no code for the device
//   static int current(int* index);  static int make_current(int index);       of the calling thread
//   static const char* name(int code);  static const char* text(int code);  static Trouble trouble(int code);
//   static void clear_error();  static int launch_error();  the last error of the calling thread, cleared by both
//
//   int open(int index);  void close();                     a stream and a pool of memory of our own
//   void* native_stream();
//   int alloc(void**, size_t);  int free(void*);            ordered with the stream
//   int free_memory(size_t* bytes);                         that alloc could still give
//   int pin(void**, size_t);  void unpin(void*);            memory of the host that the device reaches by itself
//   int to_device(void* to, const void* from, size_t);  int to_host(...);  int on_device(...)
//   int copy_rows(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t rows);
//   int clear_rows(void* to, size_t pitch, size_t width, size_t rows);
//   int wait();
//   int make(Event*);  void destroy(Event);  int record(Event);  int wait_for(Event);
//   int begin_capture();  int end_capture(Graph*);          end_capture(nullptr): throws away what was captured
//   int replay(Graph);  void destroy(Graph);
//
//   class Transform: `count` transforms of one description, at even distances (in elements of each side)
//     Transform(Runtime&, const lm_fft_desc&, int64_t in_distance, int64_t out_distance, int64_t count);
//     size_t area() const;                                  bytes of work area that run() needs
//     void run(Runtime&, void* area, void* in, void* out);  into the stream; the input is kept as lm_fft_desc says
//   static std::string fft_name();
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace lumarch::gpu {

// What a code of a Runtime means for the device: lost = every later call fails too.
enum class Trouble { none, memory, lost, other };

struct Properties {
  std::string name;
  std::uint64_t memory_bytes = 0;
  std::uint64_t cache_bytes = 0;  // the last level that all multiprocessors share
  bool fast_doubles = true;       // at a quarter of the speed of floats or more
};

// The words for a code: "cudaErrorNoDevice (no CUDA-capable device is detected)". Some of HIP's say their name twice.
template <class R>
std::string words(int code) {
  const std::string name = R::name(code), text = R::text(code);
  return text.empty() || text == name ? name : name + " (" + text + ")";
}

// Makes a device the calling thread's own for as long as it lives, and puts back what was there.
template <class R>
class Current {
public:
  explicit Current(int index) noexcept {
    if (R::current(&before_) != 0 || before_ == index) return;
    changed_ = R::make_current(index) == 0;
  }
  ~Current() {
    if (changed_) (void)R::make_current(before_);
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

private:
  int before_ = 0;
  bool changed_ = false;
};

}  // namespace lumarch::gpu
