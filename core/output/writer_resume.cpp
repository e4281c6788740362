// SPDX-License-Identifier: Apache-2.0
// Checkpoints: two slots that are laid out before the march and written in turn, and how a run goes on from one.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "output/schema.hpp"
#include "output/writer.hpp"

namespace lumarch {

namespace {

std::string state_name(std::int64_t slot) { return "state_" + std::to_string(slot); }

}  // namespace

void Writer::lay_out_checkpoint(const RunInfo& info) {
  if (info.checkpoint_rows == 0) return;
  checkpoint_ = h5::make_group(file_.get(), "checkpoint");
  h5::put_attribute(checkpoint_.get(), "slot", slot_);
  for (const std::int64_t slot : {0, 1}) {
    const std::string name = "rows_" + std::to_string(slot);
    slots_[static_cast<std::size_t>(slot)] =
        h5::make_dataset(checkpoint_.get(), name, complex_.get(), {.dims = {info.checkpoint_rows, samples_}});
    h5::put_text(checkpoint_.get(), state_name(slot), schema::checkpoint_bytes, "");
  }
}

void Writer::write_checkpoint_row(std::size_t row, const std::vector<Complex>& values) {
  if (!checkpoint_) return;
  if (values.size() != samples_) throw Error(Fault::output, "a row of a checkpoint has another length than a field");
  const h5::Session session;
  h5::write_row(slots_[slot_ == 0 ? 1 : 0], row, complex_.get(), values.data(), "checkpoint");
}

// The count of the slot follows its rows: a kill at any moment leaves the one of before, or this one whole.
void Writer::write_checkpoint(const std::string& state) {
  if (!checkpoint_) return;
  if (state.size() > schema::checkpoint_bytes) throw Error(Fault::output, "the state of a checkpoint is too long");
  const h5::Session session;
  const std::int64_t next = slot_ == 0 ? 1 : 0;
  h5::set_text(checkpoint_.get(), state_name(next), state);
  const auto to_disk = [&] {
    flush();
    if (fdatasync(descriptor_) != 0 && errno != EINVAL && errno != EROFS)
      throw Error(Fault::output, "write: " + std::generic_category().message(errno));
  };
  to_disk();
  h5::set_attribute(checkpoint_.get(), "slot", next);
  to_disk();
  slot_ = next;
}

void Writer::drop_checkpoint() {
  if (!checkpoint_) return;
  slot_ = -1;
  h5::set_attribute(checkpoint_.get(), "slot", slot_);
}

Writer::Writer(const std::string& path, const RunInfo& info, GoOn) : output_(info.problem.output) {
  const h5::Session session;
  try {
    file_ = h5::open_write(path);
    descriptor_ = h5::descriptor(file_);
    open_parts(info);
    cut(info);
    flush();
  } catch (...) {
    release();
    throw;
  }
}

void Writer::open_parts(const RunInfo& info) {
  complex_ = h5::complex_type();
  bool_ = h5::bool_type();
  samples_ = info.omega.size() * static_cast<std::uint64_t>(info.nodes.nodes());
  planes_ = h5::open_group(file_.get(), "planes");
  march_ = h5::open_group(file_.get(), "march");
  provenance_ = h5::open_group(file_.get(), "provenance");
  planes_written_ = h5::get_integer_attribute(planes_.get(), "planes_written");
  const auto rows = [&](hid_t where, const std::string& group, const std::string& name, std::size_t values) {
    Rows found{h5::open_dataset(where, name), group + "/" + name, values};
    std::uint64_t count = 1;
    for (const hsize_t extent : h5::dims_of(found.data)) count *= extent;
    const std::uint64_t planes = group == "edge" ? info.edge_readings : info.planes.size();
    if (count != planes * values) throw Error(Fault::output, found.name + " has another shape than the run's");
    return found;
  };
  if (output_.fields != Fields::none) {
    field_ = h5::open_dataset(planes_.get(), "field");
    std::uint64_t count = 1;
    for (const hsize_t extent : h5::dims_of(field_)) count *= extent;
    if (count != samples_ * (output_.fields == Fields::all ? info.planes.size() : 1))
      throw Error(Fault::output, "planes/field has another shape than the run's");
  }
  const h5::Group statistics = h5::open_group(file_.get(), "statistics");
  for (const StatisticRequest& request : info.problem.statistics)
    statistics_.push_back(rows(statistics.get(), "statistics", request.name, values_of(request, info)));
  if (info.profiles) {
    profiles_.push_back(rows(planes_.get(), "planes", "spectrum", info.omega.size()));
    profiles_.push_back(rows(planes_.get(), "planes", "power", info.time.size()));
    std::size_t nodes = 1;
    const auto space = schema::fluence_axes(info.nodes);
    for (const schema::Axis& axis : space) nodes *= axis.size;
    if (!space.empty()) profiles_.push_back(rows(planes_.get(), "planes", "fluence", nodes));
  }
  z_ = h5::open_dataset(march_.get(), "z");
  h_ = h5::open_dataset(march_.get(), "h");
  error_ = h5::open_dataset(march_.get(), "error");
  accepted_ = h5::open_dataset(march_.get(), "accepted");
  if (!info.rims.empty()) {
    edge_ = h5::open_group(file_.get(), "edge");
    rims_ = info.rims.size();
    most_edges_ = info.edge_readings;
    for (const char* name : {"z", "absorbed_time", "absorbed_space"})
      edges_.push_back(rows(edge_.get(), "edge", name, 1));
    for (const char* name : {"share", "energy", "peak"}) edges_.push_back(rows(edge_.get(), "edge", name, rims_));
    for (std::size_t rim = 0; rim < info.strips.size(); ++rim)
      strips_.push_back(rows(edge_.get(), "edge", "strip_" + info.rims.at(rim), info.strips[rim].size()));
  }
  if (info.checkpoint_rows == 0 || H5Lexists(file_.get(), "checkpoint", H5P_DEFAULT) <= 0) return;
  checkpoint_ = h5::open_group(file_.get(), "checkpoint");
  slot_ = h5::get_integer_attribute(checkpoint_.get(), "slot");
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    slots_[slot] = h5::open_dataset(checkpoint_.get(), "rows_" + std::to_string(slot));
    if (h5::dims_of(slots_[slot]) != h5::Dims{info.checkpoint_rows, samples_})
      throw Error(Fault::output, "the checkpoint has another shape than the run's");
  }
}

// Planes behind the checkpoint stay, for they come again with the same bits.
void Writer::cut(const RunInfo& info) {
  const std::uint64_t rows = info.attempts_before;
  const std::pair<const h5::Dataset*, const char*> columns[] = {
      {&z_, "march/z"}, {&h_, "march/h"}, {&error_, "march/error"}, {&accepted_, "march/accepted"}};
  for (const auto& [column, name] : columns) h5::cut(*column, rows, name);
  const auto flags = h5::get_flags(march_.get(), "accepted");
  accepted_count_ = std::count(flags.begin(), flags.end(), std::int8_t{1});
  rejected_count_ = static_cast<std::int64_t>(flags.size()) - accepted_count_;
  h5::set_attribute(march_.get(), "accepted_total", accepted_count_);
  h5::set_attribute(march_.get(), "rejected_total", rejected_count_);
  edges_written_ = static_cast<std::int64_t>(info.edges_before);
  if (edge_) h5::set_attribute(edge_.get(), "readings", edges_written_);
  h5::set_text(provenance_.get(), "reason", "");
  h5::set_fixed(file_.get(), "finished", "");
  h5::set_fixed(file_.get(), "status", "running");
}

}  // namespace lumarch
