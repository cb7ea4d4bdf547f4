// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "library/library_file.h"
#include "library/library_format.h"
#include "library/model_checks.h"
#include "poses/device_surfaces.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/tensor/tensor_library.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/atomic_file.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace pcl::gpu {

namespace {

/** \brief Ranks that divide the tensors of models: tensor t of each model belongs to
 * rank t modulo their number. */
struct Division {
  int rank = 0, size = 1;

  bool
  isOwn(std::size_t tensor) const
  {
    return tensor % size == static_cast<std::size_t>(rank);
  }

  /** \brief Returns how many of a model's tensors are this rank's. */
  std::size_t
  ownCount(std::size_t tensors) const
  {
    return (tensors + size - 1 - rank) / size;
  }
};

Division
divisionOf(const Communicator::Ptr& communicator)
{
  return communicator ? Division{communicator->rank(), communicator->size()}
                      : Division();
}

/** \brief Removes the entries of the tensors of other ranks. */
void
keepOwnEntries(TensorModel& model, const Division& division)
{
  std::uint32_t begin = 0, kept = 0;
  for (std::size_t i = 0; i < model.frames.size(); ++i) {
    const std::uint32_t end = model.starts[i + 1];
    for (; begin < end; ++begin)
      if (division.isOwn(i)) {
        model.voxels[kept] = model.voxels[begin];
        model.areas[kept++] = model.areas[begin];
      }
    model.starts[i + 1] = kept;
  }
  model.voxels.resize(kept);
  model.voxels.shrink_to_fit();
  model.areas.resize(kept);
  model.areas.shrink_to_fit();
}

/** \brief Makes the table of a rank's tensors on the current device, with the models'
 * numbers as labels.
 * \param[in] models that have the entries of this rank's tensors only
 * \param[in] grid_size of the tensors; 0 for tensors without their entries
 */
TensorTable
tableOf(const std::vector<TensorModel>& models,
        const Division& division,
        int grid_size,
        const TensorTableParameters& parameters,
        const Stream& stream)
{
  std::size_t count = 0;
  for (const TensorModel& model : models)
    count += division.ownCount(model.frames.size());
  std::vector<TensorFrame> frames;
  std::vector<std::uint32_t> starts{0};
  std::vector<int> labels;
  frames.reserve(count);
  starts.reserve(count + 1);
  labels.reserve(count);
  std::uint64_t entries = 0;
  for (std::size_t i = 0; i < models.size(); ++i) {
    const TensorModel& model = models[i];
    const std::uint64_t first = entries;
    if (grid_size > 0)
      entries += model.areas.size();
    checkArgument(entries <= std::numeric_limits<std::uint32_t>::max(),
                  "number of entries of a table",
                  entries,
                  "less than 2^32");
    for (std::size_t j = 0; j < model.frames.size(); ++j)
      if (division.isOwn(j)) {
        frames.push_back(model.frames[j]);
        const std::uint64_t end = grid_size > 0 ? first + model.starts[j + 1] : 0;
        starts.push_back(static_cast<std::uint32_t>(end));
        labels.push_back(static_cast<int>(i));
      }
  }
  TensorSet tensors;
  tensors.grid_size = grid_size;
  tensors.count.upload(std::vector<int>{static_cast<int>(frames.size())});
  tensors.frames.upload(frames.data(), frames.size());
  tensors.starts.upload(starts);
  tensors.voxels.create(entries);
  tensors.areas.create(entries);
  std::size_t entry = 0;
  for (const TensorModel& model : models)
    if (grid_size > 0) {
      tensors.voxels.upload(model.voxels.data(), entry, model.voxels.size());
      tensors.areas.upload(model.areas.data(), entry, model.areas.size());
      entry += model.areas.size();
    }
  DeviceArray<int> table_labels;
  table_labels.upload(labels.data(), labels.size());
  TensorTable table;
  table.setParameters(parameters);
  table.build(tensors, table_labels, stream);
  return table;
}

/** \brief Returns a checksum of the models' names and numbers of tensors, in their
 * order. */
std::uint64_t
checksumOf(const std::vector<TensorModel>& models)
{
  LibraryChecksum sum;
  for (const TensorModel& model : models) {
    const std::uint64_t sizes[] = {model.name.size(), model.frames.size()};
    sum.process_bytes(sizes, sizeof sizes);
    sum.process_bytes(model.name.data(), model.name.size());
  }
  return sum.checksum();
}

/** \brief Checks that all ranks have the same models: numbers of other ranks' matches
 * are those of other tensors otherwise, or of none. */
void
checkSameOnAllRanks(const std::vector<TensorModel>& models,
                    int tensors,
                    Communicator& communicator,
                    const Stream& stream)
{
  const std::uint64_t count = static_cast<std::uint64_t>(tensors);
  const std::uint64_t sum = checksumOf(models);
  DeviceArray<std::uint64_t> least_and_most;
  least_and_most.upload(std::vector<std::uint64_t>{count, ~count, sum, ~sum});
  communicator.allReduce(least_and_most.ptr(), 4, Reduction::Min, stream);
  communicator.synchronize(stream);
  std::vector<std::uint64_t> found;
  least_and_most.download(found);
  checkArgument(found[0] == ~found[1],
                "number of tensors",
                tensors,
                "that of the other ranks' libraries");
  checkArgument(found[2] == ~found[3],
                "checksum of the models' names and sizes",
                sum,
                "that of the other ranks' libraries, which have the same models in the "
                "same order");
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
  if (communicator == communicator_)
    return;
  checkArgument(!isDivided() || models_.empty(),
                "number of models of a divided library",
                size(),
                "none when the communicator changes");
  dropTable();
  communicator_ = communicator;
  if (isDivided())
    for (TensorModel& model : models_)
      keepOwnEntries(model, divisionOf(communicator_));
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
  if (isDivided())
    keepOwnEntries(model, divisionOf(communicator_));
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
  const auto makeTable = [&](const Division& division, int grid_size) {
    return tableOf(models_, division, grid_size, table_parameters_, stream);
  };
  std::vector<std::uint32_t> former_places;
  TensorTable made;
  if (!isDivided()) {
    made = makeTable(Division(), parameters_.grid_size);
    made.formerPlaces().download(former_places);
  }
  else {
    const Device device = currentDevice();
    checkArgument(communicator_->device() == device,
                  "current device",
                  device.name(),
                  "that of the communicator");
    checkSameOnAllRanks(models_, getTensorCount(), *communicator_, stream);
    // The order of all tensors follows from their frames.
    const TensorTable whole = makeTable(Division(), 0);
    whole.formerPlaces().download(former_places);
    const Division division = divisionOf(communicator_);
    std::vector<bool> is_own;
    for (const TensorModel& model : models_)
      for (std::size_t i = 0; i < model.frames.size(); ++i)
        is_own.push_back(division.isOwn(i));
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = 0; i < former_places.size(); ++i)
      if (is_own[former_places[i]])
        numbers.push_back(static_cast<std::uint32_t>(i));
    made = makeTable(division, parameters_.grid_size);
    made.whole_numbers_.upload(numbers.data(), numbers.size());
    made.whole_frames_ = whole.tensors().frames;
    made.whole_labels_ = whole.labels();
    made.communicator_ = communicator_;
  }
  table_ = made;
  former_places_ = std::move(former_places);
  return table_;
}

const DeviceSurfaces&
TensorLibrary::surfaces()
{
  if (!surfaces_ || deviceOf(surfaces_->starts) != currentDevice()) {
    surfaces_.reset();
    surfaces_ = std::make_shared<const DeviceSurfaces>(models_);
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
  if (isDivided())
    PCL_THROW_EXCEPTION(BadArgumentException,
                        "number of ranks that divide the library is "
                            << communicator_->size()
                            << ": expected 1, which has all entries, to save it");
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
