# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# cpack -G DEB

set(CPACK_PACKAGE_NAME pcl-gpu-perception)
set(CPACK_PACKAGE_VENDOR "PCL GPU Perception developers")
set(CPACK_PACKAGE_CONTACT "PCL GPU Perception developers <pcl-gpu-perception@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)

set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# PCL for the headers and the CMake package, Xvfb for pictures without a display.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libpcl-dev, xvfb")

include(CPack)
