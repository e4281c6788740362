# lumarch_add_backend(NAME SOURCES ...): a backend plugin, liblumarch_backend_NAME.so: hidden visibility, one exported
# symbol, nothing undefined, no fast-math at link (it would change the arithmetic of the whole process).
function(lumarch_add_backend name)
  cmake_parse_arguments(arg "" "" "SOURCES" ${ARGN})
  set(target lumarch_backend_${name})
  add_library(${target} MODULE ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE lumarch_flags lumarch_sdk)
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/plugin.map)
  set_target_properties(${target} PROPERTIES
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LIBRARY_OUTPUT_DIRECTORY ${LUMARCH_BACKEND_OUTPUT} LINK_DEPENDS ${script})
  target_link_options(${target} PRIVATE -Wl,--version-script=${script})
  if(NOT LUMARCH_SANITIZE)
    target_link_options(${target} PRIVATE -Wl,-z,defs)
  endif()
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/lumarch/backends)
endfunction()
