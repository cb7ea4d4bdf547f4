// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "../common/command_line/errors.h"
#include "../common/files/output_file.h"
#include "models/library_file.h"
#include "result_writer.h"
#include "subcommands.h"

#include <iostream>

namespace pcl::gpu::apps {

namespace {

void
mergeLibraries(const MergeOptions& options)
{
  TensorLibrary merged;
  for (const std::string& file : options.inputs) {
    const auto library = readLibrary(file);
    if (&file == &options.inputs.front())
      merged.setParameters(library->getParameters());
    else if (library->getParameters() != merged.getParameters())
      throw fileError(file,
                      "its tensors have other parameters than those of " +
                          options.inputs.front(),
                      "libraries that were learned alike");
    for (int i = 0; i < library->size(); ++i) {
      const TensorModel& model = library->getModel(i);
      if (merged.findModel(model.name) >= 0)
        throw fileError(file,
                        "has a model " + model.name + ", as another library",
                        "models of different names");
      merged.addModel(model);
    }
  }
  merged.save(options.library);
  std::cout << options.library << ": " << merged.size() << " models, "
            << merged.getTensorCount() << " tensors\n";
}

} // namespace

void
mergeParts(const MergeOptions& options, Timings& timings)
{
  timings.measure("merge", [&] {
    if (extensionOf(options.library) == ".json")
      mergeResults(options.inputs, options.library);
    else
      mergeLibraries(options);
  });
}

} // namespace pcl::gpu::apps
