# lumarch_add_test(NAME SOURCES ... [LIBRARIES ...] [TIMEOUT s] [LABEL l]): a doctest program; each of its test cases is a
# CTest test.
function(lumarch_add_test name)
  cmake_parse_arguments(arg "" "TIMEOUT;LABEL" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES} ${CMAKE_SOURCE_DIR}/tests/main.cpp)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/core ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE lumarch_flags lumarch ${arg_LIBRARIES})
  target_compile_definitions(${name} PRIVATE LUMARCH_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    LUMARCH_BINARY_DIR="${CMAKE_BINARY_DIR}" LUMARCH_BACKEND_DIR="${LUMARCH_BACKEND_OUTPUT}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set(properties TIMEOUT ${arg_TIMEOUT})
  if(arg_LABEL)
    list(APPEND properties LABELS ${arg_LABEL})
  endif()
  doctest_discover_tests(${name} TEST_PREFIX "${name}: " PROPERTIES ${properties})
endfunction()
