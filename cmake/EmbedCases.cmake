# The .case files of tests/cases become a part of the program, so that an installed `hadamard conform` needs
# no file beside it. Included by the build: sets `embedded_cases`, the source that is written anew where a case
# changed, came or went. Run as a script (-DFOLDER=… -DNAMES=… -DOUTPUT=… -P): writes it.
if(CMAKE_SCRIPT_MODE_FILE)
  if(NOT NAMES)
    message(FATAL_ERROR "there is no .case file in ${FOLDER}")
  endif()
  set(rows "")
  foreach(name IN LISTS NAMES)
    file(READ ${FOLDER}/${name} text)
    string(APPEND rows "    {\"${name}\", R\"case(${text})case\"},\n")
  endforeach()
  file(WRITE ${OUTPUT} "// Written by cmake/EmbedCases.cmake from ${FOLDER}.
#include \"conform/builtin.hpp\"

namespace hadamard::conform {

std::span<const CaseText> builtin_texts() noexcept {
  static constexpr CaseText kTexts[] = {
${rows}  };
  return kTexts;
}

}  // namespace hadamard::conform
")
  return()
endif()

set(cases ${PROJECT_SOURCE_DIR}/tests/cases)
set(embedded_cases ${PROJECT_BINARY_DIR}/builtin_cases.cpp)
file(GLOB_RECURSE case_names CONFIGURE_DEPENDS RELATIVE ${cases} ${cases}/*.case)
list(SORT case_names)
list(TRANSFORM case_names PREPEND ${cases}/ OUTPUT_VARIABLE case_files)
add_custom_command(OUTPUT ${embedded_cases}
  COMMAND ${CMAKE_COMMAND} -DFOLDER=${cases} "-DNAMES=${case_names}" -DOUTPUT=${embedded_cases}
          -P ${CMAKE_CURRENT_LIST_FILE}
  DEPENDS ${case_files} ${CMAKE_CURRENT_LIST_FILE} COMMENT "Embedding the cases of tests/cases" VERBATIM)
# A file may be longer than the 64 KiB of a literal that every compiler must take; ours take them.
set_source_files_properties(${embedded_cases} PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
