# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# The target doc: HTML of the public headers and of docs/ in <build>/doc/html. A warning
# from Doxygen fails it.

find_package(Doxygen REQUIRED)
configure_file("${PROJECT_SOURCE_DIR}/docs/Doxyfile.in" "${PROJECT_BINARY_DIR}/Doxyfile" @ONLY)
add_custom_target(doc
  COMMAND Doxygen::doxygen "${PROJECT_BINARY_DIR}/Doxyfile"
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
  COMMENT "Writing the documentation to ${PROJECT_BINARY_DIR}/doc/html"
  VERBATIM)
