// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "library/library_file.h"
#include "library/model_checks.h"
#include "verification/verification.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/tensor/tensor_library.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/atomic_file.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace pcl::gpu {

namespace {

/** \brief Makes the table of the tensors of models on the current device, with the
 * models' numbers as labels. */
TensorTable
tableOf(const std::vector<TensorModel>& models,
        int grid_size,
        const TensorTableParameters& parameters,
        const Stream& stream)
{
  std::size_t tensors = 0;
  std::uint64_t entries = 0;
  for (const TensorModel& model : models) {
    tensors += model.frames.size();
    entries += model.areas.size();
  }
  checkArgument(entries <= std::numeric_limits<std::uint32_t>::max(),
                "number of entries of a table",
                entries,
                "less than 2^32");
  TensorSet all;
  all.grid_size = grid_size;
  all.count.upload(std::vector<int>{static_cast<int>(tensors)});
  all.frames.create(tensors);
  all.voxels.create(entries);
  all.areas.create(entries);
  std::vector<std::uint32_t> starts{0};
  starts.reserve(tensors + 1);
  std::vector<int> labels;
  labels.reserve(tensors);
  for (std::size_t i = 0; i < models.size(); ++i) {
    const TensorModel& model = models[i];
    const std::uint32_t entry = starts.back();
    all.frames.upload(model.frames.data(), labels.size(), model.frames.size());
    all.voxels.upload(model.voxels.data(), entry, model.voxels.size());
    all.areas.upload(model.areas.data(), entry, model.areas.size());
    for (std::size_t j = 1; j < model.starts.size(); ++j)
      starts.push_back(entry + model.starts[j]);
    labels.insert(labels.end(), model.frames.size(), static_cast<int>(i));
  }
  all.starts.upload(starts);
  DeviceArray<int> table_labels;
  table_labels.upload(labels.data(), labels.size());
  TensorTable table;
  table.setParameters(parameters);
  table.build(all, table_labels, stream);
  return table;
}

/** \brief Copies the frames of models' tensors. */
std::vector<TensorModel>
framesOf(const std::vector<TensorModel>& models)
{
  std::vector<TensorModel> frames(models.size());
  for (std::size_t i = 0; i < models.size(); ++i) {
    frames[i].frames = models[i].frames;
    frames[i].starts.assign(models[i].frames.size() + 1, 0);
  }
  return frames;
}

/** \brief Copies some tensors of models.
 * \param[in] wanted of each tensor, counted through all models
 */
std::vector<TensorModel>
selectedTensors(const std::vector<TensorModel>& models, const std::vector<bool>& wanted)
{
  std::vector<TensorModel> selected;
  auto is_wanted = wanted.begin();
  for (const TensorModel& model : models) {
    TensorModel some;
    for (std::size_t i = 0; i < model.frames.size(); ++i) {
      if (!*is_wanted++)
        continue;
      const std::uint32_t begin = model.starts[i], end = model.starts[i + 1];
      some.frames.push_back(model.frames[i]);
      some.voxels.insert(
          some.voxels.end(), model.voxels.begin() + begin, model.voxels.begin() + end);
      some.areas.insert(
          some.areas.end(), model.areas.begin() + begin, model.areas.begin() + end);
      some.starts.push_back(static_cast<std::uint32_t>(some.areas.size()));
    }
    selected.push_back(std::move(some));
  }
  return selected;
}

/** \brief Checks that all ranks have as many tensors: numbers of other ranks' matches
 * would be beyond the end of a smaller library. */
void
checkSameOnAllRanks(int tensors, Communicator& communicator, const Stream& stream)
{
  const std::uint64_t own = static_cast<std::uint64_t>(tensors);
  DeviceArray<std::uint64_t> least_and_most;
  least_and_most.upload(std::vector<std::uint64_t>{own, ~own});
  communicator.allReduce(least_and_most.ptr(), 2, Reduction::Min, stream);
  communicator.synchronize(stream);
  std::vector<std::uint64_t> found;
  least_and_most.download(found);
  checkArgument(found[0] == ~found[1],
                "number of tensors",
                tensors,
                "that of the other ranks' libraries");
}

} // namespace

void
TensorLibrary::setParameters(const TensorParameters& parameters)
{
  parameters.validate();
  checkArgument(models_.empty() || parameters == parameters_,
                "number of models with other parameters",
                size(),
                "none when parameters are set");
  parameters_ = parameters;
}

void
TensorLibrary::setTableParameters(const TensorTableParameters& parameters)
{
  parameters.validate();
  if (parameters.bin_width != table_parameters_.bin_width)
    dropTable();
  table_parameters_ = parameters;
}

void
TensorLibrary::setCommunicator(const Communicator::Ptr& communicator)
{
  if (communicator != communicator_)
    dropTable();
  communicator_ = communicator;
}

int
TensorLibrary::addModel(TensorModel model)
{
  parameters_.validate();
  validateModel(model, parameters_);
  checkArgument(findModel(model.name) < 0,
                "name of the model",
                "'" + model.name + "'",
                "one that no other model has");
  const std::uint64_t tensors = model.frames.size() + std::uint64_t(getTensorCount());
  checkArgument(tensors <= std::numeric_limits<int>::max(),
                "number of tensors of all models",
                tensors,
                "less than 2^31");
  const int number = size();
  // With room made, nothing is thrown after the last of these.
  if (models_.size() == models_.capacity()) {
    models_.reserve(2 * models_.size() + 1);
    first_tensors_.reserve(models_.capacity() + 1);
  }
  numbers_.emplace(model.name, number);
  first_tensors_.push_back(static_cast<int>(tensors));
  models_.push_back(std::move(model));
  modelsChanged();
  return number;
}

void
TensorLibrary::removeModel(int model)
{
  checkModel(model);
  numbers_.erase(models_[model].name);
  models_.erase(models_.begin() + model);
  first_tensors_.resize(model + 1);
  for (int i = model; i < size(); ++i) {
    numbers_[models_[i].name] = i;
    first_tensors_.push_back(first_tensors_[i] +
                             static_cast<int>(models_[i].frames.size()));
  }
  modelsChanged();
}

void
TensorLibrary::clear()
{
  models_.clear();
  numbers_.clear();
  first_tensors_.assign(1, 0);
  modelsChanged();
}

int
TensorLibrary::findModel(const std::string& name) const
{
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? -1 : found->second;
}

const TensorModel&
TensorLibrary::getModel(int model) const
{
  checkModel(model);
  return models_[model];
}

const TensorTable&
TensorLibrary::table(const Stream& stream)
{
  if (!table_.binStarts().empty() && deviceOf(table_.binStarts()) == currentDevice())
    return table_;
  dropTable();
  std::vector<std::uint32_t> former_places;
  TensorTable made;
  if (!communicator_ || communicator_->size() == 1) {
    made = tableOf(models_, parameters_.grid_size, table_parameters_, stream);
    made.formerPlaces().download(former_places);
  }
  else {
    const Device device = currentDevice();
    checkArgument(communicator_->device() == device,
                  "current device",
                  device.name(),
                  "that of the communicator");
    checkSameOnAllRanks(getTensorCount(), *communicator_, stream);
    // The places of all tensors follow from their frames.
    const TensorTable whole = tableOf(framesOf(models_), 0, table_parameters_, stream);
    whole.formerPlaces().download(former_places);
    std::vector<bool> is_own(former_places.size(), false);
    for (std::size_t entry = communicator_->rank(); entry < former_places.size();
         entry += communicator_->size())
      is_own[former_places[entry]] = true;
    made = tableOf(selectedTensors(models_, is_own),
                   parameters_.grid_size,
                   table_parameters_,
                   stream);
    made.whole_frames_ = whole.tensors().frames;
    made.whole_labels_ = whole.labels();
    made.communicator_ = communicator_;
  }
  table_ = made;
  former_places_ = std::move(former_places);
  return table_;
}

const DeviceSurfaces&
TensorLibrary::surfaces(bool have_outlines)
{
  if (!surfaces_ || deviceOf(surfaces_->starts) != currentDevice() ||
      surfaces_->have_outlines != have_outlines) {
    surfaces_.reset();
    surfaces_ = std::make_shared<const DeviceSurfaces>(models_, have_outlines);
  }
  return *surfaces_;
}

TensorPlace
TensorLibrary::getPlace(int entry) const
{
  checkArgument(entry >= 0 && static_cast<std::size_t>(entry) < former_places_.size(),
                "entry of the table",
                entry,
                "one of the table that was made last");
  const int place = static_cast<int>(former_places_[entry]);
  const auto next =
      std::upper_bound(first_tensors_.begin(), first_tensors_.end(), place);
  const int model = static_cast<int>(next - first_tensors_.begin()) - 1;
  return {model, place - first_tensors_[model]};
}

void
TensorLibrary::save(const std::string& path) const
{
  parameters_.validate();
  AtomicFile file(path);
  writeLibrary(*this, [&file](const void* bytes, std::size_t count) {
    file.write(bytes, count);
  });
  file.commit();
}

void
TensorLibrary::load(const std::string& path)
{
  loadLibrary(*this, openFile(path));
}

void
TensorLibrary::checkModel(int model) const
{
  checkArgument(model >= 0 && model < size(), "model", model, "the number of a model");
}

void
TensorLibrary::modelsChanged()
{
  surfaces_.reset();
  dropTable();
}

void
TensorLibrary::dropTable()
{
  former_places_.clear();
  table_ = TensorTable();
}

} // namespace pcl::gpu
