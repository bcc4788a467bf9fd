# cmake -DPROGRAM=… -DEXPECTED=… -P check.cmake: runs PROGRAM; its output must be the file EXPECTED.
execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE output ERROR_VARIABLE error RESULT_VARIABLE result)
file(READ ${EXPECTED} expected)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ended with ${result}\n${output}${error}")
endif()
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "expected:\n${expected}\ngot:\n${output}")
endif()
