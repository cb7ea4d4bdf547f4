# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# Macros for the CMake files of modules, programs, tests and benchmarks. Their arguments
# have the names of PCL's own macros (cmake/pcl_targets.cmake there).

set(PCL_GPU_INCLUDE_INSTALL_DIR
  "${CMAKE_INSTALL_INCLUDEDIR}/pcl-gpu-perception-${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")

# PCL_GPU_SUBSYS_OPTION(var name description)
# Adds the option BUILD_<name> (ON) and sets var to its value.
macro(PCL_GPU_SUBSYS_OPTION var name description)
  option(BUILD_${name} "Build ${name}: ${description}" ON)
  set(${var} ${BUILD_${name}})
endmacro()

# Compile settings of all targets.
function(pcl_gpu_compile_settings target)
  target_link_libraries(${target} PRIVATE OpenMP::OpenMP_CXX)
  target_compile_definitions(${target} PRIVATE PCL_GPU_HAVE_CUDA=${PCL_GPU_HAVE_CUDA})
  if(PCL_GPU_HAVE_CUDA)
    target_link_libraries(${target} PRIVATE CUDA::cudart_static)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>
      $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${OpenMP_CXX_FLAGS}>)
  endif()
  if(CMAKE_UNITY_BUILD)
    # Classes lie in files that the compiler takes for headers then.
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  endif()
  if(PCL_GPU_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Werror>
      "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Werror;--Werror=all-warnings>")
  endif()
endfunction()

# pcl_gpu_pcl_target(result component)
# Sets result to PCL's target for a component: PCL::<component> if there is one, else
# pcl_<component>.
function(pcl_gpu_pcl_target result component)
  foreach(candidate IN ITEMS PCL::${component} pcl_${component})
    if(TARGET ${candidate})
      set(${result} ${candidate} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${result} "${result}-NOTFOUND" PARENT_SCOPE)
endfunction()

# Links target to modules of this project (by component or target name) and to PCL's
# components.
function(pcl_gpu_link target scope)
  cmake_parse_arguments(ARG "" "" "DEPS;PCL_DEPS" ${ARGN})
  foreach(dependency IN LISTS ARG_DEPS)
    if(TARGET PCLGPUPerception::${dependency})
      set(dependency PCLGPUPerception::${dependency})
    endif()
    target_link_libraries(${target} ${scope} ${dependency})
  endforeach()
  foreach(component IN LISTS ARG_PCL_DEPS)
    pcl_gpu_pcl_target(pcl_target ${component})
    if(NOT pcl_target)
      message(FATAL_ERROR "${target} needs PCL's component ${component}, which was not found.")
    endif()
    target_link_libraries(${target} ${scope} ${pcl_target})
  endforeach()
endfunction()

# Makes target the component of that name: adds the alias, the installation, and the
# properties that the package files (pcl_gpu_package.cmake) read.
function(pcl_gpu_add_component component)
  cmake_parse_arguments(ARG "" "TARGET;DESC" "DEPS;PCL_DEPS;PACKAGES" ${ARGN})
  add_library(PCLGPUPerception::${component} ALIAS ${ARG_TARGET})
  set_target_properties(${ARG_TARGET} PROPERTIES
    EXPORT_NAME ${component}
    PCL_GPU_DESC "${ARG_DESC}"
    PCL_GPU_DEPS "${ARG_DEPS}"
    PCL_GPU_PCL_DEPS "${ARG_PCL_DEPS}"
    PCL_GPU_PACKAGES "${ARG_PACKAGES}")
  set_property(GLOBAL APPEND PROPERTY PCL_GPU_COMPONENTS ${component})
  install(TARGETS ${ARG_TARGET} EXPORT PCLGPUPerception_${component}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# Keeps the files that Highway compiles once for each instruction set out of unity builds:
# such a file includes itself.
function(pcl_gpu_keep_apart)
  foreach(file IN LISTS ARGN)
    file(STRINGS ${file} per_target LIMIT_COUNT 1 REGEX "foreach_target\\.h")
    if(per_target)
      set_source_files_properties(${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()

# PCL_GPU_ADD_LIBRARY(name COMPONENT component
#   [OUTPUT_NAME file]      library file, lib<name> if absent
#   [DESC text]             one line, for pkg-config
#   [SOURCES ...]           none: an INTERFACE library
#   [CUDA_SOURCES ...]      compiled only in a build with CUDA
#   [INCLUDES ...]          public headers, for IDEs; all headers outside internal/ are
#                           installed
#   [INCLUDE_DIR folder]    the public headers' folder, include/ if absent
#   [DEPS ...]              components of this project (gpu_containers ...), public
#   [PCL_DEPS ...]          components of PCL (common ...), public
#   [EXT_DEPS ...]          other targets, used by the sources only
#   [PACKAGES ...])         arguments of find_package() for public targets of others
# A shared library, exported and installed as PCLGPUPerception::<component>. The sources
# see PCL_GPU_HAVE_CUDA, 0 or 1.
function(PCL_GPU_ADD_LIBRARY name)
  cmake_parse_arguments(ARG "" "COMPONENT;OUTPUT_NAME;DESC;INCLUDE_DIR"
    "SOURCES;CUDA_SOURCES;INCLUDES;DEPS;PCL_DEPS;EXT_DEPS;PACKAGES" ${ARGN})
  if(NOT ARG_COMPONENT OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "PCL_GPU_ADD_LIBRARY(${name}): COMPONENT is missing, "
      "or these are not understood: ${ARG_UNPARSED_ARGUMENTS}")
  endif()

  if(NOT ARG_INCLUDE_DIR)
    set(ARG_INCLUDE_DIR "${CMAKE_CURRENT_SOURCE_DIR}/include")
  endif()

  if(ARG_SOURCES)
    set(scope PUBLIC)
    add_library(${name} SHARED ${ARG_SOURCES} ${ARG_INCLUDES})
    if(PCL_GPU_HAVE_CUDA)
      target_sources(${name} PRIVATE ${ARG_CUDA_SOURCES})
    endif()
    set_target_properties(${name} PROPERTIES
      VERSION ${PROJECT_VERSION}
      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    if(ARG_OUTPUT_NAME)
      set_target_properties(${name} PROPERTIES OUTPUT_NAME ${ARG_OUTPUT_NAME})
    endif()
    pcl_gpu_keep_apart(${ARG_SOURCES})
    target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src)
    target_link_libraries(${name} PRIVATE ${ARG_EXT_DEPS})
    pcl_gpu_compile_settings(${name})
    pcl_gpu_precompile_headers(${name} library)
  else()
    set(scope INTERFACE)
    add_library(${name} INTERFACE)
  endif()

  target_compile_features(${name} ${scope} cxx_std_17)
  target_include_directories(${name} ${scope}
    $<BUILD_INTERFACE:${ARG_INCLUDE_DIR}>
    $<INSTALL_INTERFACE:${PCL_GPU_INCLUDE_INSTALL_DIR}>)
  pcl_gpu_link(${name} ${scope} DEPS ${ARG_DEPS} PCL_DEPS ${ARG_PCL_DEPS})
  install(DIRECTORY "${ARG_INCLUDE_DIR}/" DESTINATION ${PCL_GPU_INCLUDE_INSTALL_DIR}
    PATTERN "internal" EXCLUDE)
  pcl_gpu_add_component(${ARG_COMPONENT} TARGET ${name}
    DESC "${ARG_DESC}" DEPS ${ARG_DEPS} PCL_DEPS ${ARG_PCL_DEPS} PACKAGES ${ARG_PACKAGES})
endfunction()

# PCL_GPU_ADD_EXECUTABLE(name COMPONENT component SOURCES ... [LINK_WITH ...])
# A program that is installed. LINK_WITH: components of this project, or any targets.
function(PCL_GPU_ADD_EXECUTABLE name)
  cmake_parse_arguments(ARG "" "COMPONENT" "SOURCES;LINK_WITH" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  pcl_gpu_compile_settings(${name})
  pcl_gpu_link(${name} PRIVATE DEPS ${ARG_LINK_WITH})
  pcl_gpu_precompile_headers(${name} app)
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# Links library, which defines main, unless one of the files defines it.
function(pcl_gpu_link_main target library)
  cmake_parse_arguments(ARG "" "" "FILES" ${ARGN})
  foreach(file IN LISTS ARG_FILES)
    file(STRINGS ${file} main REGEX "^(int )?main *\\(")
    if(main)
      return()
    endif()
  endforeach()
  target_link_libraries(${target} PRIVATE ${library})
endfunction()

# Rounds each product and each sum in target's C++ files separately.
function(pcl_gpu_round_each_operation target)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
  set_target_properties(${target} PROPERTIES PCL_GPU_ROUNDING _rounded)
endfunction()

# Precompiles the headers that most sources of target include, because reading them
# takes most of the compile time. All targets of a kind that round alike share one
# precompiled header.
#   kind: library, app, test or benchmark
function(pcl_gpu_precompile_headers target kind)
  # Options of target are known when the file that calls this has been read.
  cmake_language(EVAL CODE
    "cmake_language(DEFER CALL pcl_gpu_use_precompiled_headers ${target} ${kind})")
endfunction()

function(pcl_gpu_use_precompiled_headers target kind)
  get_target_property(rounding ${target} PCL_GPU_ROUNDING)
  if(NOT rounding)
    set(rounding "")
  endif()
  set(headers pcl_gpu_${kind}${rounding}_headers)
  if(NOT TARGET ${headers})
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/${headers}.cpp" CONTENT "")
    add_library(${headers} OBJECT "${PROJECT_BINARY_DIR}/${headers}.cpp")
    pcl_gpu_compile_settings(${headers})
    if(rounding)
      pcl_gpu_round_each_operation(${headers})
    endif()
    pcl_gpu_link(${headers} PRIVATE PCL_DEPS common)
    target_precompile_headers(${headers} PRIVATE
      <algorithm> <cmath> <limits> <memory> <sstream> <string> <vector>
      <Eigen/Geometry> <pcl/exceptions.h> <pcl/point_cloud.h> <pcl/point_types.h>)
    if(kind STREQUAL "app")
      target_link_libraries(${headers} PRIVATE Boost::program_options)
      target_precompile_headers(${headers} PRIVATE <boost/program_options.hpp>)
    elseif(kind STREQUAL "test")
      target_link_libraries(${headers} PRIVATE GTest::gtest)
      target_precompile_headers(${headers} PRIVATE <random> <gtest/gtest.h>)
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${headers})
  # Some of PCL's dependencies ask for -fPIC, and all users of the header must be
  # compiled alike. ccache needs -fpch-preprocess.
  foreach(user IN ITEMS ${headers} ${target})
    target_compile_options(${user} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fPIC>
      $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
    # UndefinedBehaviorSanitizer checks the libraries. In the tests' own sources it takes
    # a third of the compile time.
    if(kind STREQUAL "test" AND "${CMAKE_BUILD_TYPE} ${CMAKE_CXX_FLAGS_DEBUG}" MATCHES
        "^Debug.*-fsanitize=[a-z,]*undefined")
      target_compile_options(${user} PRIVATE
        $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=undefined>)
    endif()
  endforeach()
  # GCC silently takes -ffp-contract and the like from the precompiled header instead of
  # the command line: files with options of their own go without it.
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    if(options)
      set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()

# PCL_GPU_ADD_TEST(name executable FILES ... [SHARDS n] [LINK_WITH ...] [LABELS ...])
# A GoogleTest program, built as <executable>. CTest's test <name> runs all cases but
# those with "cuda" in their names, which <name>.cuda runs, with the label gpu, on a
# machine that has a GPU. With SHARDS n, n tests <name>.1 to <name>.n share the cases of
# <name>. The target unit_tests builds all programs with the label unit and without the
# label slow.
function(PCL_GPU_ADD_TEST name executable)
  cmake_parse_arguments(ARG "" "SHARDS" "FILES;LINK_WITH;LABELS" ${ARGN})
  add_executable(${executable} ${ARG_FILES})
  pcl_gpu_compile_settings(${executable})
  target_compile_definitions(${executable} PRIVATE PCL_GPU_TEST_DATA="${PCL_GPU_TEST_DATA}")
  pcl_gpu_link(${executable} PRIVATE
    DEPS ${ARG_LINK_WITH} test_sanitizer_options GTest::gtest)
  pcl_gpu_link_main(${executable} GTest::gtest_main FILES ${ARG_FILES})
  pcl_gpu_precompile_headers(${executable} test)
  if("unit" IN_LIST ARG_LABELS AND NOT "slow" IN_LIST ARG_LABELS)
    if(NOT TARGET unit_tests)
      add_custom_target(unit_tests)
    endif()
    add_dependencies(unit_tests ${executable})
  endif()

  if(NOT ARG_SHARDS)
    set(ARG_SHARDS 1)
  endif()
  foreach(shard RANGE 1 ${ARG_SHARDS})
    set(test ${name})
    if(ARG_SHARDS GREATER 1)
      string(APPEND test ".${shard}")
    endif()
    math(EXPR index "${shard} - 1")
    add_test(NAME ${test} COMMAND ${executable} --gtest_brief=1 --gtest_filter=-*cuda*)
    set_tests_properties(${test} PROPERTIES
      LABELS "${ARG_LABELS}"
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${index}")
  endforeach()
  # CTest reads this when it runs, possibly on another machine than the one that built the
  # tests.
  set(cuda_tests "${CMAKE_CURRENT_BINARY_DIR}/${executable}_cuda.cmake")
  file(GENERATE OUTPUT "${cuda_tests}" CONTENT "
foreach(gpu IN ITEMS /dev/nvidiactl /dev/nvgpu /dev/nvhost-gpu /dev/dxg)
  if(EXISTS \${gpu})
    add_test(${name}.cuda \"$<TARGET_FILE:${executable}>\" --gtest_brief=1 --gtest_filter=*cuda*)
    set_tests_properties(${name}.cuda PROPERTIES
      LABELS \"${ARG_LABELS};gpu\" RESOURCE_LOCK gpu
      WORKING_DIRECTORY \"${CMAKE_CURRENT_BINARY_DIR}\")
    break()
  endif()
endforeach()
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${cuda_tests}")
endfunction()

# PCL_GPU_ADD_BENCHMARK(name FILES ... [LINK_WITH ...])
# A program that measures, on the harness of benchmarks/common. The build compiles it and
# never runs it.
function(PCL_GPU_ADD_BENCHMARK name)
  cmake_parse_arguments(ARG "" "" "FILES;LINK_WITH" ${ARGN})
  add_executable(${name} ${ARG_FILES})
  pcl_gpu_compile_settings(${name})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  pcl_gpu_link(${name} PRIVATE DEPS ${ARG_LINK_WITH} benchmark_harness)
  # Benchmarks are copied to other machines together with the libraries that they link.
  target_link_options(${name} PRIVATE -Wl,--as-needed)
  pcl_gpu_precompile_headers(${name} benchmark)
endfunction()
