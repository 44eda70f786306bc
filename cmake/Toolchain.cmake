# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
#
# Read before project(), so that a missing tool is reported in one message that says what to do, instead of CMake's
# long report about a compiler it did not find.

if(NOT CMAKE_GENERATOR MATCHES "^Ninja")
  message(FATAL_ERROR "Mainstem builds with Ninja only: run cmake again, in a new folder, with -G Ninja.")
endif()

if(NOT CMAKE_Swift_COMPILER)
  find_program(MAINSTEM_SWIFTC swiftc HINTS ENV SWIFTC NO_CACHE)
  if(NOT MAINSTEM_SWIFTC)
    message(FATAL_ERROR "Swift 6.3 or newer is not on PATH: install it from https://www.swift.org/install and run this again.")
  endif()
  set(CMAKE_Swift_COMPILER ${MAINSTEM_SWIFTC})
endif()

execute_process(COMMAND ${CMAKE_Swift_COMPILER} -print-target-info OUTPUT_VARIABLE _info ERROR_QUIET)
string(JSON _version ERROR_VARIABLE _none GET "${_info}" compilerVersion)
string(REGEX MATCH "[0-9]+[.][0-9.]+" _version "${_version}")
if(_version VERSION_LESS 6.3)
  message(FATAL_ERROR "Swift 6.3 or newer is needed, found \"${_version}\": install it from https://www.swift.org/install and put it first on PATH.")
endif()
string(JSON MAINSTEM_SWIFT_RESOURCES GET "${_info}" paths runtimeResourcePath)

# Sanitizer runtimes of different toolchains do not mix, so Swift's clang builds the C code.
if(MAINSTEM_SANITIZE AND NOT CMAKE_C_COMPILER)
  cmake_path(ABSOLUTE_PATH MAINSTEM_SWIFT_RESOURCES NORMALIZE)
  cmake_path(GET MAINSTEM_SWIFT_RESOURCES PARENT_PATH _libraries)
  cmake_path(GET _libraries PARENT_PATH _toolchain)
  set(CMAKE_C_COMPILER ${_toolchain}/bin/clang)
endif()
