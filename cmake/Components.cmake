# Parts of the programs that are not parts of the library, and what they need: io (files), model (ONNX graphs),
# matlab (the language), conform (cases). lint.layers has their order.

# ONNX's messages without the rest of ONNX, whose checker refuses newer models: docs/adr/0009.
pkg_check_modules(HADAMARD_PROTOBUF REQUIRED IMPORTED_TARGET protobuf)
find_library(HADAMARD_ONNX_PROTO onnx_proto REQUIRED)
add_library(hadamard_onnx_proto INTERFACE)
target_compile_definitions(hadamard_onnx_proto INTERFACE ONNX_NAMESPACE=onnx ONNX_ML=1)
target_link_libraries(hadamard_onnx_proto INTERFACE ${HADAMARD_ONNX_PROTO} PkgConfig::HADAMARD_PROTOBUF)

# Optional: .mat files, and line editing at the prompt of `hadamard matlab`.
option(HADAMARD_MATIO "Read and write .mat files, where matio and zlib are found" ON)
option(HADAMARD_LIBEDIT "Edit lines at the prompt, where libedit is found" ON)
set(HADAMARD_HAS_MATIO OFF)
if(HADAMARD_MATIO)
  pkg_check_modules(HADAMARD_MATIO_FILES matio)
  find_package(ZLIB)
  if(HADAMARD_MATIO_FILES_FOUND AND ZLIB_FOUND)
    # It is loaded when it is needed (src/matlab/matio/matio_library.hpp), by the name that linking would note.
    list(GET HADAMARD_MATIO_FILES_LINK_LIBRARIES 0 matio_library)
    execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${matio_library} OUTPUT_VARIABLE matio_headers ERROR_QUIET)
    if(matio_headers MATCHES "SONAME +([^ \n]+)")
      set(HADAMARD_HAS_MATIO ON)
      add_library(hadamard_matio INTERFACE)
      target_compile_definitions(hadamard_matio INTERFACE HADAMARD_MATIO_SONAME="${CMAKE_MATCH_1}")
      target_include_directories(hadamard_matio SYSTEM INTERFACE ${HADAMARD_MATIO_FILES_INCLUDE_DIRS})
      target_link_libraries(hadamard_matio INTERFACE ${CMAKE_DL_LIBS})
    endif()
  endif()
endif()
set(HADAMARD_HAS_LIBEDIT OFF)
if(HADAMARD_LIBEDIT AND HADAMARD_BUILD_APPS)
  pkg_check_modules(HADAMARD_EDIT IMPORTED_TARGET libedit)
  set(HADAMARD_HAS_LIBEDIT ${HADAMARD_EDIT_FOUND})
endif()

hadamard_module(io APART LINK hadamard_internal PRIVATE hadamard_onnx_proto)
hadamard_module(model APART LINK hadamard_io)
if(HADAMARD_HAS_MATIO)
  hadamard_module(matlab APART LINK hadamard_io PRIVATE hadamard_matio ZLIB::ZLIB DIRS matio)
else()
  hadamard_module(matlab APART LINK hadamard_io DIRS without_matio)
endif()
# Its loops are as long as arrays are; vectors come with -O3 alone.
set_source_files_properties(src/matlab/comparison.cpp PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>)
include(EmbedCases)
hadamard_module(conform APART LINK hadamard_model ${CMAKE_DL_LIBS} SOURCES ${embedded_cases})
