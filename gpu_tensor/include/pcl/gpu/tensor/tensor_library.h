// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_model.h>
#include <pcl/gpu/tensor/tensor_parameters.h>
#include <pcl/gpu/tensor/tensor_table.h>
#include <pcl/gpu/utils/communicator.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace pcl::gpu {

struct DeviceSurfaces;

/** \brief A tensor of a library.
 * \ingroup gpu_tensor_types
 */
struct TensorPlace {
  int model;  ///< number of the model in the library
  int tensor; ///< number of the tensor in the model
};

/** \brief The models that objects are recognized by, with their tensors (the library of
 * Orts-Escolano et al. 2014, section 4).
 *
 * Models are kept in host memory, numbered from 0 in the order in which they were
 * added. table() makes a hash table of all of their tensors on a device.
 *
 * A library that is too large for one GPU is divided among processes, see
 * setCommunicator().
 *
 * One thread at a time uses a library, except for members that are const.
 *
 * \ingroup gpu_tensor
 */
class PCL_EXPORTS TensorLibrary : public Parameterized<TensorParameters> {
public:
  /** \brief Sets the parameters that the tensors of the models are computed with. Call
   * it before addModel().
   * \param[in] parameters other ones only while there are no models
   * \throws pcl::BadArgumentException if one is invalid (see
   * TensorParameters::validate()), or models were added with others
   */
  void
  setParameters(const TensorParameters& parameters);

  /** \brief Sets the parameters of the table, which are not saved with the library.
   * \param[in] parameters of the table
   * \throws pcl::BadArgumentException as TensorTableParameters::validate()
   */
  void
  setTableParameters(const TensorTableParameters& parameters);

  /** \brief Returns the parameters of the table.
   * \return them, as they were set
   */
  const TensorTableParameters&
  getTableParameters() const
  {
    return table_parameters_;
  }

  /** \brief Divides the tensors among processes, the ranks of a communicator.
   *
   * All ranks have the same models, in the same order, and the same bins. Of tensor t
   * of each model, rank t modulo the number of ranks has the voxels and areas: its
   * library drops those of the others, and its table has only its own tensors.
   * TensorMatching and TensorRecognition join the matches of all ranks. All ranks give
   * them the same scene, and get the results of a library on one device, bit for bit.
   *
   * Each rank has all models' points and, for each of all tensors, 68 bytes on its
   * device, and 76 bytes in host memory with twice that while the table is made. The
   * surfaces on its device take some 700 bytes for each point.
   * \param[in] communicator may be set at any time, but before load() and addModel() no
   * process needs memory for the entries of all tensors. Its device has to be current
   * in table(). Copies of the library share it. Null for one process
   * \throws pcl::BadArgumentException if there are models that other ranks divide
   */
  void
  setCommunicator(const Communicator::Ptr& communicator);

  /** \brief Returns the processes that divide the tensors.
   * \return their communicator, as it was set; null if there is none
   */
  const Communicator::Ptr&
  getCommunicator() const
  {
    return communicator_;
  }

  /** \brief Adds a model after the others.
   *
   * Checked are: that the name is not empty, and no other model's; that points are
   * finite, and normals unit vectors to within 1e-3 or NaN; that frames are finite,
   * right-handed, orthonormal to within 1e-3, with angles from 0 to pi and the voxel
   * size of the parameters to within a thousandth; that \a starts ascend from 0 to the
   * number of entries; that voxels are in the grid and ascend in each tensor; that
   * areas are finite and above 0; and that views are less than their number. The
   * numbers of points in frames may be any.
   *
   * O(points + tensors + entries). Nothing changes if an exception is thrown.
   * \param[in] model the model; move it there to save a copy
   * \return its number
   * \throws pcl::BadArgumentException naming the model, the fault, and the value; or if
   * no parameters were set, or all tensors together would be 2^31 or more
   */
  int
  addModel(TensorModel model);

  /** \brief Removes a model. The numbers of those after it become one less. O(models).
   * \param[in] model its number
   * \throws pcl::BadArgumentException if there is none of that number
   */
  void
  removeModel(int model);

  /** \brief Removes all models. The parameters stay. */
  void
  clear();

  /** \brief Finds a model. O(1).
   * \param[in] name its name
   * \return its number; -1 if there is none of that name
   */
  int
  findModel(const std::string& name) const;

  /** \return the number of models */
  int
  size() const
  {
    return static_cast<int>(models_.size());
  }

  /** \brief A model. O(1). If the library is divided, tensors of other ranks have no
   * entries.
   * \param[in] model its number
   * \return the model, which stays where it is until models are added or removed
   * \throws pcl::BadArgumentException if there is none of that number
   */
  const TensorModel&
  getModel(int model) const;

  /** \return the number of tensors of all models */
  int
  getTensorCount() const
  {
    return first_tensors_.back();
  }

  /** \brief Returns the hash table of the tensors of all models, on the current device.
   * Waits for the stream when it is made; a second call returns at once.
   *
   * Their labels are the numbers of the models; TensorTable::formerPlaces() counts
   * through the tensors of the first model, the second, and so on. O(tensors + entries)
   * if models, the width of bins, the communicator or the device changed since the last
   * call.
   *
   * If the library is divided, it is the table of this rank's tensors, and
   * formerPlaces() counts only those. All ranks call it at the same point.
   * \param[in] stream the queue to join
   * \return the table, which stays until models, bins, the communicator or the device
   * change
   * \throws pcl::BadArgumentException if there are 2^32 entries or more; if the
   * communicator has another device, or the names or sizes of its ranks' models differ
   * \throws CommunicationException if another rank failed
   * \throws DeviceException if the device fails or runs out of memory
   */
  const TensorTable&
  table(const Stream& stream = {});

  /** \brief Returns the tensor of an entry of the table. O(log(models)).
   * \param[in] entry its place in the table that table() returned last; of a divided
   * library that in the whole table, as matches have it
   * \return the model and the tensor
   * \throws pcl::BadArgumentException if there is no such entry, or models or bins
   * changed since
   */
  TensorPlace
  getPlace(int entry) const;

  /** \brief Writes parameters and models to a file. A complete file replaces an older
   * one of its name. O(points + tensors + entries).
   *
   * The file is binary; src/library/library_format.h describes it.
   * \param[in] path name of the file
   * \throws pcl::BadArgumentException if no parameters were set, or the library is
   * divided
   * \throws pcl::IOException naming the file if it cannot be written; an older file
   * stays as it was
   */
  void
  save(const std::string& path) const;

  /** \brief Replaces parameters and models by those of a file. The width of bins and
   * the communicator stay.
   *
   * Everything is checked before anything changes: the checksum of the file, and its
   * models as by addModel(). O(points + tensors + entries); needs memory for both
   * libraries.
   * \param[in] path name of the file
   * \throws pcl::IOException naming the file and the fault; the library is as
   * it was
   */
  void
  load(const std::string& path);

  /** \brief Returns the surfaces of all models on the current device, which recognition
   * compares scenes with.
   *
   * O(points^2) if models or the device changed since the last call.
   * \return the surfaces, which stay until models or the device change
   * \throws DeviceException if the device fails or runs out of memory
   */
  const DeviceSurfaces&
  surfaces();

private:
  void
  checkModel(int model) const;

  /** \brief Returns whether other ranks have a part of the tensors. */
  bool
  isDivided() const
  {
    return communicator_ && communicator_->size() > 1;
  }

  /** \brief Forgets everything that was derived from models that changed. */
  void
  modelsChanged();

  /** \brief Forgets the table, and frees its memory. */
  void
  dropTable();

  std::vector<TensorModel> models_;
  std::unordered_map<std::string, int> numbers_;
  /** \brief For every model the number of tensors before it, and that of all. */
  std::vector<int> first_tensors_ = {0};
  TensorTableParameters table_parameters_;
  Communicator::Ptr communicator_;
  TensorTable table_;
  /** \brief Never changed, so that copies of the library share it. */
  std::shared_ptr<const DeviceSurfaces> surfaces_;
  /** \brief TensorTable::formerPlaces() of the whole table, in host memory. */
  std::vector<std::uint32_t> former_places_;
};

} // namespace pcl::gpu
