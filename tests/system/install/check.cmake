# Installs the build in a folder whose name has a space, moves it, builds a host application and a plugin against it out
# of tree, and runs both and the command line there. -DBUILD, -DSOURCE (this folder), -DPLUGIN, -DWORK, -DSANITIZE,
# -DCXX, -DCC, -DLAUNCHER
cmake_minimum_required(VERSION 3.25)

function(must)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}\nended with ${status}:\n${text}")
  endif()
  set(text "${text}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
must(${CMAKE_COMMAND} --install ${BUILD} --prefix "${WORK}/first place")
set(prefix "${WORK}/another place")
file(RENAME "${WORK}/first place" ${prefix})

# nothing in the prefix leads back to the build or to where it was first
file(GLOB_RECURSE files ${prefix}/*.cmake ${prefix}/*.pc)
foreach(file ${files})
  file(READ ${file} content)
  foreach(word ${BUILD} "first place" nlohmann Boost hdf5)
    string(FIND "${content}" ${word} at)
    if(NOT at EQUAL -1)
      message(FATAL_ERROR "${file} names ${word}")
    endif()
  endforeach()
endforeach()
file(GLOB_RECURSE binaries ${prefix}/bin/lumarch ${prefix}/*.so)
foreach(file ${binaries})
  execute_process(COMMAND readelf -d ${file} OUTPUT_VARIABLE content)
  string(FIND "${content}" ${BUILD} at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${file} looks for libraries in the build folder")
  endif()
endforeach()
foreach(file share/lumarch/problem.schema.json share/lumarch/kernels.md share/lumarch/examples/supercontinuum.json)
  if(NOT EXISTS ${prefix}/${file})
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()

set(flags "")
if(SANITIZE)
  set(flags "-fsanitize=${SANITIZE}")
endif()
must(${CMAKE_COMMAND} -S ${SOURCE}/app -B ${WORK}/app -G Ninja "-DCMAKE_PREFIX_PATH=${prefix}" -DPLUGIN=${PLUGIN}
  -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_C_COMPILER=${CC} "-DCMAKE_CXX_FLAGS=${flags}" "-DCMAKE_C_FLAGS=${flags}"
  -DLUMARCH_SANITIZE=${SANITIZE} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
must(${CMAKE_COMMAND} --build ${WORK}/app)

# By a plugin's path: another name than any that is installed.
file(COPY ${prefix}/lib/lumarch/backends/liblumarch_backend_reference.so DESTINATION ${WORK}/elsewhere)
file(REMOVE_RECURSE ${WORK}/none)
must(${CMAKE_COMMAND} -E env LUMARCH_BACKEND_PATH= ${WORK}/app/host reference
  ${WORK}/elsewhere/liblumarch_backend_reference.so)
string(REGEX MATCH "energy [^\n]*" by_path "${text}")
if(by_path STREQUAL "")
  message(FATAL_ERROR "the host with a plugin's path:\n${text}")
endif()

# The fundamental soliton arrives as it left: 133.67 W and 50 fs at every plane.
must(${WORK}/app/host)
message("${text}")
string(REGEX MATCHALL "peak power +133\\.[67][0-9] W  FWHM 50\\.[0-9][0-9] fs  512 frequencies" planes "${text}")
list(LENGTH planes n)
if(NOT n EQUAL 6)
  message(FATAL_ERROR "six planes with the soliton's power and width were expected")
endif()

must(${CMAKE_COMMAND} -E chdir ${WORK} ${prefix}/bin/lumarch examples soliton-n3)
must(${CMAKE_COMMAND} -E chdir ${WORK} ${prefix}/bin/lumarch run soliton-n3.json --backend reference --set
  /time/points=1024 --set "/medium/length=1 cm" --set /planes=3)
if(NOT EXISTS ${WORK}/soliton-n3.h5)
  message(FATAL_ERROR "lumarch run wrote nothing")
endif()
must(${prefix}/bin/lumarch backends --backend-path ${WORK}/app)
if(NOT text MATCHES "good")
  message(FATAL_ERROR "the plugin built out of tree is not found:\n${text}")
endif()

find_program(pkg_config pkg-config)
if(pkg_config)
  must(${CMAKE_COMMAND} -E env "PKG_CONFIG_PATH=${prefix}/lib/pkgconfig:${prefix}/lib64/pkgconfig"
    ${pkg_config} --cflags --libs lumarch)
  if(NOT text MATCHES "-llumarch")
    message(FATAL_ERROR "pkg-config: ${text}")
  endif()
endif()
file(REMOVE_RECURSE ${WORK})
