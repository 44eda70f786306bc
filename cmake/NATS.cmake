# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
#
# The bridge to NATS JetStream, with MAINSTEM_BUILD_NATS: a library of its own, which needs Debian's libnats-dev. Nothing
# of the core's depends on it.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(NATS REQUIRED IMPORTED_TARGET libnats)

add_library(mainstem_nats SHARED ${MAINSTEM_NATS_SOURCES})
add_library(mainstem::nats ALIAS mainstem_nats)
target_compile_options(mainstem_nats PRIVATE -Wall -Wextra)
target_compile_definitions(mainstem_nats PRIVATE _GNU_SOURCE)
target_link_libraries(mainstem_nats PUBLIC mainstem PRIVATE PkgConfig::NATS Threads::Threads)
set(_nats_exports ${CMAKE_CURRENT_BINARY_DIR}/mainstem_nats.map)
mainstem_write_exports(${_nats_exports} ${MAINSTEM_NATS_HEADERS})
target_link_options(mainstem_nats PRIVATE "LINKER:--version-script=${_nats_exports},-z,nodelete,-z,relro,-z,now,--no-undefined")
set_target_properties(mainstem_nats PROPERTIES
  C_STANDARD 11
  C_VISIBILITY_PRESET hidden
  VERSION ${PROJECT_VERSION}
  SOVERSION ${MAINSTEM_SOVERSION}
  LINK_DEPENDS ${_nats_exports}
  EXPORT_NAME nats)

install(TARGETS mainstem_nats EXPORT mainstemTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${MAINSTEM_NATS_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mainstem)
configure_file(cmake/mainstem-nats.pc.in mainstem-nats.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/mainstem-nats.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(CREATE_LINK ${_beside}/libmainstem_nats.so.${MAINSTEM_SOVERSION}
  ${CMAKE_CURRENT_BINARY_DIR}/python/libmainstem_nats.so SYMBOLIC)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/python/libmainstem_nats.so DESTINATION ${MAINSTEM_PYTHON_DIR}/mainstem)
