# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
#
# What a host needs: headers, the library, find_package(mainstem), pkg-config, the Python face.

set(_package ${CMAKE_INSTALL_LIBDIR}/cmake/mainstem)

install(TARGETS mainstem EXPORT mainstemTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS mainstem_testing EXPORT mainstemTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/mainstem.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/mainstem DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h"
  PATTERN "nats*.h" EXCLUDE)
# For hosts in other languages: what the headers declare, as JSON.
install(FILES include/mainstem/api.json DESTINATION ${CMAKE_INSTALL_DATADIR}/mainstem)

install(EXPORT mainstemTargets NAMESPACE mainstem:: DESTINATION ${_package})
configure_package_config_file(cmake/mainstemConfig.cmake.in mainstemConfig.cmake
  INSTALL_DESTINATION ${_package})
write_basic_package_version_file(mainstemConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/mainstemConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/mainstemConfigVersion.cmake
  DESTINATION ${_package})

# The file finds the others relative to itself, so a prefix that was moved or packed still works.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR
  BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE _libraries)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR
  BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE _headers)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
  BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE _prefix)
configure_file(cmake/mainstem.pc.in mainstem.pc @ONLY)
configure_file(cmake/mainstem-testing.pc.in mainstem-testing.pc @ONLY)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/mainstem.pc
  ${CMAKE_CURRENT_BINARY_DIR}/mainstem-testing.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Python looks for the library next to its module first. A link there makes every prefix work, and the process still
# loads the library only once, however it is found.
set(MAINSTEM_PYTHON_DIR lib/python3/dist-packages CACHE STRING "Where the Python face is installed, below the prefix")
install(DIRECTORY Sources/MainstemPython/mainstem DESTINATION ${MAINSTEM_PYTHON_DIR}
  PATTERN "__pycache__" EXCLUDE PATTERN "*.so*" EXCLUDE)
cmake_path(ABSOLUTE_PATH MAINSTEM_PYTHON_DIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE _python)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR
  BASE_DIRECTORY ${_python}/mainstem OUTPUT_VARIABLE _beside)
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/python)
file(CREATE_LINK ${_beside}/libmainstem.so.${MAINSTEM_SOVERSION}
  ${CMAKE_CURRENT_BINARY_DIR}/python/libmainstem.so SYMBOLIC)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/python/libmainstem.so DESTINATION ${MAINSTEM_PYTHON_DIR}/mainstem)
