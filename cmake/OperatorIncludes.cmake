# Headers that follow from the rows of HADAMARD_OPERATORS, below build/generated:
#   op/records.hpp             includes src/op/<id>.hpp of every row
#   exec/cpu/functions-inl.h   includes src/exec/cpu/functions/<id>-inl.h of the rows that have one
set(list ${PROJECT_SOURCE_DIR}/include/hadamard/lists.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
file(READ ${list} text)
string(REGEX MATCHALL "X\\([a-z0-9_]+, [A-Za-z0-9]+, [0-9]\\)" rows "${text}")
if(NOT rows)
  message(FATAL_ERROR "no operators found in ${list}; expected rows such as X(add, Add, 2)")
endif()
# A new file is noticed by the next build.
file(GLOB functions CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/exec/cpu/functions/*-inl.h)

set(records "// Made by cmake/OperatorIncludes.cmake.\n#pragma once\n\n")
set(estimates "// Made by cmake/OperatorIncludes.cmake.\n")  # without a guard: included once per target
set(used)
foreach(row IN LISTS rows)
  string(REGEX REPLACE "X\\(([a-z0-9_]+),.*" "\\1" id "${row}")
  string(APPEND records "#include \"op/${id}.hpp\"\n")
  set(file ${PROJECT_SOURCE_DIR}/src/exec/cpu/functions/${id}-inl.h)
  if(file IN_LIST functions)
    string(APPEND estimates "#include \"exec/cpu/functions/${id}-inl.h\"\n")
    list(APPEND used ${file})
  endif()
endforeach()
list(REMOVE_ITEM functions ${used})
if(functions)
  message(FATAL_ERROR "no operator of ${list} has the name of ${functions}")
endif()
# These write only what has changed.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/op/records.hpp CONTENT "${records}" @ONLY)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/exec/cpu/functions-inl.h CONTENT "${estimates}" @ONLY)
