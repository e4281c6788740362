# What `cmake --install` puts in a prefix, which may be moved afterwards: bin/lumarch, the library, the backends beside it,
# the headers of both APIs, the CMake package (find_package(lumarch): lumarch::lumarch, lumarch::sdk,
# lumarch_add_backend, lumarch_add_kernels), lumarch.pc, templates of plugins, and what a user reads. Each plugin
# installs itself (LumarchPlugin.cmake).
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/lumarch)
install(TARGETS lumarch lumarch_sdk EXPORT lumarchTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT lumarchTargets NAMESPACE lumarch:: DESTINATION ${package})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/core/include/ ${PROJECT_SOURCE_DIR}/sdk/include/ ${PROJECT_BINARY_DIR}/include/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/lumarch-config.cmake.in ${PROJECT_BINARY_DIR}/lumarch-config.cmake
  INSTALL_DESTINATION ${package} PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/lumarch-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lumarch-config.cmake ${PROJECT_BINARY_DIR}/lumarch-config-version.cmake
  ${CMAKE_CURRENT_LIST_DIR}/LumarchPlugin.cmake ${CMAKE_CURRENT_LIST_DIR}/plugin.map DESTINATION ${package})

# The prefix of lumarch.pc is found from where the file lies, as many folders up as libdir/pkgconfig is deep.
string(REGEX REPLACE "[^/]+" ".." up ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
configure_file(${CMAKE_CURRENT_LIST_DIR}/lumarch.pc.in ${PROJECT_BINARY_DIR}/lumarch.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/lumarch.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES ${PROJECT_SOURCE_DIR}/docs/problem.schema.json ${PROJECT_SOURCE_DIR}/docs/kernels.md
  DESTINATION ${CMAKE_INSTALL_DATADIR}/lumarch)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/sdk/template DESTINATION ${CMAKE_INSTALL_DATADIR}/lumarch)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/lumarch
  FILES_MATCHING PATTERN "*.json")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
