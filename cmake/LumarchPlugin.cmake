# lumarch_add_backend(NAME SOURCES ...): a backend plugin, liblumarch_backend_NAME.so.
# lumarch_add_kernels(NAME SOURCES ...): kernels for other plugins' backends, liblumarch_kernels_NAME.so.
# Both with hidden visibility, one exported symbol, nothing undefined, no fast-math at link (it would change the
# arithmetic of the whole process). The same functions serve lumarch's own plugins and, by find_package(lumarch), those of
# others.
set(LUMARCH_PLUGIN_MAP ${CMAKE_CURRENT_LIST_DIR}/plugin.map)
function(lumarch_add_plugin target)
  cmake_parse_arguments(arg "" "" "SOURCES" ${ARGN})
  if(NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${target}: NAME SOURCES file... is needed, not ${ARGN}")
  endif()
  add_library(${target} MODULE ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE lumarch::sdk)
  if(TARGET lumarch_flags)
    target_link_libraries(${target} PRIVATE lumarch_flags)
  endif()
  set_target_properties(${target} PROPERTIES
    PREFIX lib SUFFIX .so C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS ${LUMARCH_PLUGIN_MAP})
  if(LUMARCH_BACKEND_OUTPUT)
    set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${LUMARCH_BACKEND_OUTPUT})
  endif()
  target_link_options(${target} PRIVATE -Wl,--version-script=${LUMARCH_PLUGIN_MAP})
  if(NOT LUMARCH_SANITIZE)
    target_link_options(${target} PRIVATE -Wl,-z,defs)
  endif()
  include(GNUInstallDirs)
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/lumarch/backends)
endfunction()

function(lumarch_add_backend name)
  lumarch_add_plugin(lumarch_backend_${name} ${ARGN})
endfunction()

function(lumarch_add_kernels name)
  lumarch_add_plugin(lumarch_kernels_${name} ${ARGN})
endfunction()
