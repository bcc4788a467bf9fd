# One CMake target per module of src/, one library made of them all, one test program per module.

# What every target of ours is compiled with. No -m flag ever: Highway selects targets per function.
add_library(hadamard_flags INTERFACE)
target_compile_options(hadamard_flags INTERFACE -ffp-contract=off)
if(PROJECT_IS_TOP_LEVEL OR HADAMARD_WARNINGS_AS_ERRORS)
  target_compile_options(hadamard_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow
                         $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Woverloaded-virtual>)
else()
  target_compile_options(hadamard_flags INTERFACE -w)  # a parent's -Wconversion -Werror is for its own code
endif()
if(NOT PROJECT_IS_TOP_LEVEL)
  # A parent's fast-math would change results, and at the link let the library set FTZ and DAZ when it is loaded. The last
  # flag wins.
  set(no_fast_math -fno-fast-math -fno-unsafe-math-optimizations)
  target_compile_options(hadamard_flags INTERFACE ${no_fast_math} -fno-associative-math -fno-reciprocal-math
                         -fno-finite-math-only -fsigned-zeros)
  target_link_options(hadamard_flags INTERFACE ${no_fast_math})
endif()
# ccache's demands on files with precompiled headers.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(hadamard_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
else()
  target_compile_options(hadamard_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
if(HADAMARD_WARNINGS_AS_ERRORS)
  target_compile_options(hadamard_flags INTERFACE -Werror)
endif()
if(HADAMARD_SANITIZE)
  target_compile_options(hadamard_flags INTERFACE -fsanitize=${HADAMARD_SANITIZE}
                         -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  target_link_options(hadamard_flags INTERFACE -fsanitize=${HADAMARD_SANITIZE})
endif()
target_include_directories(hadamard_flags INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src
                           ${PROJECT_BINARY_DIR}/generated)
include(OperatorIncludes)

# A C program that uses the C++ library: the sanitizers' run-time parts for C++ come with the C++ linker.
function(hadamard_c_program target)
  if(HADAMARD_SANITIZE)
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
endfunction()

# Headers of others that most files begin with, compiled once; small files take half as long with them. A compiler
# takes them only under the flags that they were made with, hence a set for each of the two kinds of programs.
function(hadamard_precompiled target)
  cmake_parse_arguments(ARG "" "" "HEADERS;LINK;OPTIONS" ${ARGN})
  set(source ${PROJECT_BINARY_DIR}/${target}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Only for ${target}: it must have a source.\n")
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${source})
  target_precompile_headers(${target} PRIVATE ${ARG_HEADERS})
  target_link_libraries(${target} PRIVATE hadamard_flags ${ARG_LINK})
  target_compile_options(${target} PRIVATE ${ARG_OPTIONS})
endfunction()

set(HADAMARD_COMMON_HEADERS <algorithm> <array> <bit> <cmath> <cstdint> <cstring> <functional> <limits> <map> <memory>
    <optional> <span> <string> <string_view> <unordered_map> <utility> <vector> <fmt/format.h>)

# hadamard_test_program(target [OPTIMIZED] sources... LINK libraries...): a GoogleTest program. What it tests is
# optimized; the test itself only where it computes much, because that doubles the time to compile it.
function(hadamard_test_program target)
  cmake_parse_arguments(ARG "OPTIMIZED" "" "LINK" ${ARGN})
  add_executable(${target} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${target} PRIVATE ${ARG_LINK} GTest::gtest_main)
  if(NOT ARG_OPTIMIZED)
    if(NOT TARGET hadamard_test_headers)
      hadamard_precompiled(hadamard_test_headers HEADERS ${HADAMARD_COMMON_HEADERS} <gtest/gtest.h>
                           LINK fmt::fmt GTest::gtest OPTIONS -O0 -fPIE)  # as programs are
    endif()
    target_compile_options(${target} PRIVATE -O0)
    target_precompile_headers(${target} REUSE_FROM hadamard_test_headers)
  endif()
endfunction()

set_property(GLOBAL PROPERTY HADAMARD_MODULES "")

# hadamard_module(name [APART] LINK targets... PRIVATE targets... DIRS subfolders... SOURCES made by the build...)
# APART: a part of the programs that is not in the library; it stands after hadamard_library().
# PRIVATE: what only the sources of the module see.
function(hadamard_module name)
  cmake_parse_arguments(ARG "APART" "" "LINK;PRIVATE;DIRS;SOURCES" ${ARGN})
  set(folders ${PROJECT_SOURCE_DIR}/src/${name})
  foreach(dir IN LISTS ARG_DIRS)
    list(APPEND folders ${PROJECT_SOURCE_DIR}/src/${name}/${dir})
  endforeach()
  set(sources ${ARG_SOURCES})
  set(tests)
  foreach(folder IN LISTS folders)
    file(GLOB found CONFIGURE_DEPENDS ${folder}/*.cpp)
    foreach(file IN LISTS found)
      if(file MATCHES "_test\\.cpp$")
        list(APPEND tests ${file})
      else()
        list(APPEND sources ${file})
      endif()
    endforeach()
  endforeach()
  set(library hadamard_internal)
  set(scope PUBLIC)
  if(ARG_APART)
    add_library(hadamard_${name} STATIC EXCLUDE_FROM_ALL ${sources})
    set(library hadamard_${name})
    set(sources)
  elseif(sources)
    add_library(hadamard_${name} OBJECT ${sources})
  else()
    add_library(hadamard_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_link_libraries(hadamard_${name} ${scope} hadamard_flags ${ARG_LINK})
  # Behind Highway's `#pragma GCC target`, g++ takes unoptimized code with precompiled headers for optimized.
  set(precompiled ON)
  if(hadamard_simd IN_LIST ARG_LINK AND NOT CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel|Sanitize)$")
    set(precompiled OFF)
  endif()
  if(precompiled AND NOT scope STREQUAL INTERFACE)
    if(NOT TARGET hadamard_headers)
      hadamard_precompiled(hadamard_headers HEADERS ${HADAMARD_COMMON_HEADERS} LINK fmt::fmt)
    endif()
    target_precompile_headers(hadamard_${name} REUSE_FROM hadamard_headers)
  endif()
  if(ARG_PRIVATE)
    target_link_libraries(hadamard_${name} PRIVATE ${ARG_PRIVATE})
  endif()
  set_property(GLOBAL APPEND PROPERTY HADAMARD_MODULES ${name})
  set_property(GLOBAL PROPERTY HADAMARD_TESTS_${name} "${tests}")
  set_property(GLOBAL PROPERTY HADAMARD_HAS_OBJECTS_${name} "${sources}")
  set_property(GLOBAL PROPERTY HADAMARD_LIBRARY_${name} ${library})
endfunction()

# The library, from the objects of all modules before it: `hadamard_internal` (static, for our programs and tests) and
# `hadamard::hadamard` (libhadamard.so, for others). The second hides what it is made of: a consumer compiles against
# include/hadamard/ and links libhadamard.so, and needs none of the headers of GMP, Highway or oneTBB.
function(hadamard_library)
  get_property(modules GLOBAL PROPERTY HADAMARD_MODULES)
  set(objects)
  foreach(module IN LISTS modules)
    get_property(has GLOBAL PROPERTY HADAMARD_HAS_OBJECTS_${module})
    if(has)
      list(APPEND objects $<TARGET_OBJECTS:hadamard_${module}>)
    endif()
  endforeach()
  set(libraries hadamard_flags fmt::fmt PkgConfig::HADAMARD_GMP PkgConfig::HADAMARD_MPFR hadamard_simd TBB::tbb)
  add_library(hadamard_internal STATIC EXCLUDE_FROM_ALL ${objects})
  target_link_libraries(hadamard_internal PUBLIC ${libraries})

  # The target's name is not `hadamard`: that is the program's.
  add_library(hadamard_shared SHARED ${objects})
  add_library(hadamard::hadamard ALIAS hadamard_shared)
  set(map ${PROJECT_SOURCE_DIR}/cmake/hadamard.map)
  set_target_properties(hadamard_shared PROPERTIES
    OUTPUT_NAME hadamard
    EXPORT_NAME hadamard
    LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}  # before 1.0 a minor version may break
    LINK_DEPENDS ${map})
  target_compile_features(hadamard_shared PRIVATE cxx_std_20)
  if(PROJECT_IS_TOP_LEVEL OR CXX IN_LIST languages_of_parent)  # a project in C alone knows no C++ feature
    target_compile_features(hadamard_shared INTERFACE cxx_std_20)
  endif()
  target_include_directories(hadamard_shared INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
  # BUILD_INTERFACE keeps them out of the exported target, so that a consumer's CMake need not find any of them.
  foreach(library IN LISTS libraries)
    target_link_libraries(hadamard_shared PRIVATE $<BUILD_INTERFACE:${library}>)
  endforeach()
  target_link_options(hadamard_shared PRIVATE LINKER:--version-script=${map} LINKER:--as-needed)
endfunction()

# src/<module>/*_test.cpp become the program unit_<module>, label `unit`.
function(hadamard_module_tests)
  # They compile kernels, which Highway cannot without optimization.
  set_source_files_properties(src/exec/cpu/composed_test.cpp src/exec/cpu/function_estimates_test.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON
                              COMPILE_OPTIONS -O1)
  get_property(modules GLOBAL PROPERTY HADAMARD_MODULES)
  foreach(module IN LISTS modules)
    get_property(tests GLOBAL PROPERTY HADAMARD_TESTS_${module})
    get_property(library GLOBAL PROPERTY HADAMARD_LIBRARY_${module})
    if(tests)
      hadamard_test_program(unit_${module} ${tests} LINK ${library})
      add_test(NAME unit.${module} COMMAND unit_${module})
      set_tests_properties(unit.${module} PROPERTIES LABELS unit)
    endif()
  endforeach()
endfunction()
