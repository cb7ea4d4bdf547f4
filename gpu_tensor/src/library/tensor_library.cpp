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
  const std::uint64_t entries = entries_ + model.areas.size();
  checkArgument(entries <= std::numeric_limits<std::uint32_t>::max(),
                "number of entries of all models",
                entries,
                "less than 2^32");
  const int number = size();
  // With room made, nothing is thrown after the last of these.
  if (models_.size() == models_.capacity()) {
    models_.reserve(2 * models_.size() + 1);
    first_tensors_.reserve(models_.capacity() + 1);
  }
  numbers_.emplace(model.name, number);
  first_tensors_.push_back(static_cast<int>(tensors));
  models_.push_back(std::move(model));
  entries_ = entries;
  modelsChanged();
  return number;
}

void
TensorLibrary::removeModel(int model)
{
  checkModel(model);
  entries_ -= models_[model].areas.size();
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
  entries_ = 0;
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
  const std::size_t tensors = static_cast<std::size_t>(getTensorCount());
  TensorSet all;
  all.grid_size = parameters_.grid_size;
  all.count.upload(std::vector<int>{getTensorCount()});
  all.frames.create(tensors);
  all.voxels.create(entries_);
  all.areas.create(entries_);
  std::vector<std::uint32_t> starts{0};
  starts.reserve(tensors + 1);
  std::vector<int> labels;
  labels.reserve(tensors);
  for (int i = 0; i < size(); ++i) {
    const TensorModel& model = models_[i];
    const std::uint32_t entry = starts.back();
    all.frames.upload(model.frames.data(), first_tensors_[i], model.frames.size());
    all.voxels.upload(model.voxels.data(), entry, model.voxels.size());
    all.areas.upload(model.areas.data(), entry, model.areas.size());
    for (std::size_t j = 1; j < model.starts.size(); ++j)
      starts.push_back(entry + model.starts[j]);
    labels.insert(labels.end(), model.frames.size(), i);
  }
  all.starts.upload(starts);
  DeviceArray<int> table_labels;
  table_labels.upload(labels.data(), labels.size());
  TensorTable made;
  made.setParameters(table_parameters_);
  made.build(all, table_labels, stream);
  made.formerPlaces().download(former_places_);
  table_ = made;
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
