// SPDX-License-Identifier: Apache-2.0
// The file of docs/file-layout.md, from its layout to its end. Every call holds an h5::Session of its own.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <lumarch/sink.hpp>

#include "output/h5.hpp"
#include "output/room.hpp"
#include "output/schema.hpp"

namespace lumarch {

inline constexpr hsize_t attempts_a_chunk = 1024;

[[nodiscard]] std::string utc_now();  // UTC, ISO 8601
// At most `size` bytes, cut between characters.
[[nodiscard]] std::string start_of(const std::string& text, std::size_t size);
void put_root(hid_t root, const Problem& problem);

// The small valid file that holds a name until the real one is laid out.
void write_placeholder(const std::string& path);

class Writer {
public:
  // Lays everything out that the march will fill, with the disk's space for it, locked, at status running.
  Writer(const std::string& path, const RunInfo& info);
  // Goes on in a file that is held already: cuts what grows to info.attempts_before and edges_before. Throws, with the
  // file as it was, where it was laid out for another run.
  struct GoOn {};
  Writer(const std::string& path, const RunInfo& info, GoOn);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void write(const PlaneRecord& record);  // on disk when it returns
  void append(const std::vector<AttemptRecord>& records);
  void append(const EdgeRecord& record);  // on disk when it returns
  void write_checkpoint_row(std::size_t row, const std::vector<Complex>& values);
  void write_checkpoint(const std::string& state);  // on disk when it returns, and with it all that was written before
  void end(const RunEnd& result);
  // Marks the run as failed in what is allocated already, as far as that can be done, and closes. Throws nothing.
  void fail(const std::string& reason) noexcept;

private:
  struct Rows {  // of doubles, one a plane
    h5::Dataset data;
    std::string name;
    std::size_t values = 1;  // a plane
  };

  void lay_out(const RunInfo& info);
  void lay_out_planes(const RunInfo& info);
  void lay_out_profiles(const RunInfo& info);
  void attach_axes(const h5::Dataset& dataset, const std::vector<schema::Axis>& axes);
  void lay_out_march();
  void lay_out_edge(const RunInfo& info);
  void lay_out_strips(const RunInfo& info);
  void lay_out_provenance(const RunInfo& info);
  void lay_out_checkpoint(const RunInfo& info);
  void open_parts(const RunInfo& info);
  void cut(const RunInfo& info);
  void drop_checkpoint();
  void write_field(const PlaneRecord& record);
  static void write_rows(const std::vector<Rows>& rows, std::int64_t plane,
                         const std::vector<const std::vector<double>*>& values);
  void flush();
  void close();
  void release();  // every handle, the file's last

  h5::File file_;
  int descriptor_ = -1;
  Room room_;
  std::uint64_t samples_ = 0;  // of a field: frequencies times nodes
  OutputRequest output_;
  h5::Type complex_, bool_;
  h5::Group planes_, march_, edge_, provenance_, checkpoint_;
  h5::Dataset field_, z_, h_, error_, accepted_;
  std::array<h5::Dataset, 2> slots_;  // of the checkpoint's rows: the valid one and the next
  std::int64_t slot_ = -1;            // the valid one
  std::vector<Rows> edges_;           // z, absorbed energies; share, energy and peak of each rim
  std::vector<Rows> strips_;          // of each rim, where they were asked for
  std::int64_t edges_written_ = 0;
  std::size_t rims_ = 0, most_edges_ = 0;
  std::vector<Rows> statistics_, profiles_;  // profiles: spectrum, power, and fluence in free space
  std::int64_t planes_written_ = 0, accepted_count_ = 0, rejected_count_ = 0;
};

}  // namespace lumarch
