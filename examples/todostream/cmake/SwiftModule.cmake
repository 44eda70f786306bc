# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
#
# What the app's Swift modules share: language mode, runtime, and their view of C.

set(_headers
  ${CMAKE_CURRENT_SOURCE_DIR}/include/todostream.h
  ${CMAKE_CURRENT_SOURCE_DIR}/Sources/CTodostream/include/todostream_private.h
  ${CMAKE_CURRENT_SOURCE_DIR}/../../Sources/CMainstem/include/mainstem_private.h)
file(GLOB _manual ${CMAKE_CURRENT_SOURCE_DIR}/../../include/mainstem/*.h)
# Neither CMake nor Ninja tracks the headers that Swift imports: a generated source, newer than every header, makes the
# modules rebuild.
set(_stamp ${CMAKE_CURRENT_BINARY_DIR}/TodoHeaderStamp.swift)
add_custom_command(
  OUTPUT ${_stamp}
  COMMAND ${CMAKE_COMMAND} -E touch ${_stamp}
  DEPENDS ${_headers} ${_manual}
  VERBATIM)
add_custom_target(todostream_header_stamp DEPENDS ${_stamp})

function(todostream_module target module)
  add_library(${target} STATIC ${ARGN})
  todostream_swift(${target} ${module})
endfunction()

function(todostream_swift target module)
  target_sources(${target} PRIVATE ${_stamp})
  add_dependencies(${target} todostream_header_stamp)
  set_target_properties(${target} PROPERTIES
    Swift_MODULE_NAME ${module}
    Swift_LANGUAGE_VERSION 6
    Swift_COMPILATION_MODE wholemodule)
  target_include_directories(${target} PUBLIC ${CMAKE_CURRENT_BINARY_DIR} PRIVATE
    ${CMAKE_CURRENT_SOURCE_DIR}/../../Sources/CMainstem/include
    ${CMAKE_CURRENT_SOURCE_DIR}/Sources/CTodostream/include
    ${CMAKE_CURRENT_SOURCE_DIR}/Sources/CSQLite)
  target_compile_options(${target} PRIVATE
    -static-stdlib
    "SHELL:-enable-upcoming-feature ExistentialAny"
    "SHELL:-enable-upcoming-feature MemberImportVisibility"
    "SHELL:-enable-upcoming-feature InternalImportsByDefault")
  if(CMAKE_COMPILE_WARNING_AS_ERROR)
    target_compile_options(${target} PRIVATE -warnings-as-errors)
  endif()
  # Older CMake does not know Swift_COMPILATION_MODE and compiles and links in one step, and swiftc does not touch an
  # unchanged output: as in the library's own build.
  if(CMAKE_VERSION VERSION_LESS 3.29)
    target_compile_options(${target} PRIVATE -wmo "SHELL:-num-threads 2")
    add_custom_command(TARGET ${target} POST_BUILD
      COMMAND ${CMAKE_COMMAND} -E touch_nocreate
        $<TARGET_OBJECTS:${target}> ${CMAKE_CURRENT_BINARY_DIR}/${module}.swiftmodule
      VERBATIM COMMAND_EXPAND_LISTS)
  endif()
endfunction()
