# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
#
# What users without Swift get:
#
#     cmake --build --preset release --target package    a tarball for C
#     cmake --build --preset release --target wheel      a wheel for Python
#
# Both go into the build folder, with the library stripped.

# Python's standard library alone writes the wheel: no network, no other package needed.
set(_inside ${CMAKE_CURRENT_BINARY_DIR}/wheel/libmainstem.so)
add_custom_target(wheel
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/wheel
  COMMAND ${CMAKE_STRIP} -o ${_inside} $<TARGET_FILE:mainstem>
  COMMAND ${CMAKE_COMMAND} -E env MAINSTEM_LIBRARY=${_inside}
    python3 -B ${PROJECT_SOURCE_DIR}/Sources/MainstemPython/backend.py ${CMAKE_CURRENT_BINARY_DIR}
  VERBATIM)
add_dependencies(wheel mainstem)

# The tarball holds what is installed, plus its own page and the license.
set(_top ${CMAKE_CURRENT_BINARY_DIR}/package)
configure_file(cmake/INSTALL.md.in ${_top}/INSTALL.md @ONLY)
configure_file(LICENSE ${_top}/LICENSE COPYONLY)
set(CPACK_GENERATOR TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALLED_DIRECTORIES ${_top} .)
string(TOLOWER ${CMAKE_SYSTEM_NAME} _system)
set(CPACK_PACKAGE_FILE_NAME mainstem-${PROJECT_VERSION}-${_system}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
