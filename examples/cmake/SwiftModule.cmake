# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
#
# What the Swift modules of an app core share: language mode, runtime, and their view of C. Before it is included:
#
#     set(APP_HEADERS …)   # what the modules see of C, beside the library's headers
#     set(APP_INCLUDES …)  # the folders where module maps are

set(_root ${CMAKE_CURRENT_LIST_DIR}/../..)
file(GLOB _manual ${_root}/include/mainstem/*.h)
# Neither CMake nor Ninja tracks the headers that Swift imports: a generated source, newer than every header, makes the
# modules rebuild.
set(_stamp ${CMAKE_CURRENT_BINARY_DIR}/AppHeaderStamp.swift)
add_custom_command(
  OUTPUT ${_stamp}
  COMMAND ${CMAKE_COMMAND} -E touch ${_stamp}
  DEPENDS ${APP_HEADERS} ${_root}/Sources/CMainstem/include/mainstem_private.h ${_manual}
  VERBATIM)
add_custom_target(${PROJECT_NAME}_header_stamp DEPENDS ${_stamp})

function(swift_module target module)
  add_library(${target} STATIC ${ARGN})
  swift_target(${target} ${module})
endfunction()

function(swift_target target module)
  target_sources(${target} PRIVATE ${_stamp})
  add_dependencies(${target} ${PROJECT_NAME}_header_stamp)
  set_target_properties(${target} PROPERTIES
    Swift_MODULE_NAME ${module}
    Swift_LANGUAGE_VERSION 6
    Swift_COMPILATION_MODE wholemodule)
  target_include_directories(${target} PUBLIC ${CMAKE_CURRENT_BINARY_DIR} PRIVATE
    ${_root}/Sources/CMainstem/include ${APP_INCLUDES})
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

# swift_library TARGET MODULE EXPORTS: the app core as one library, which exports what the map lists.
function(swift_library target module exports)
  swift_target(${target} ${module})
  target_link_libraries(${target} PUBLIC mainstem::mainstem)
  target_link_options(${target} PRIVATE
    -static-stdlib
    -use-ld=lld
    -no-toolchain-stdlib-rpath
    "SHELL:-Xlinker --version-script=${exports}"
    "SHELL:-Xlinker --gc-sections"
    "SHELL:-Xlinker -z -Xlinker nodelete")
  set_target_properties(${target} PROPERTIES LINK_DEPENDS ${exports})
endfunction()

# The Swift binding, and the signals that it knows. They are not installed: an app core in Swift carries them. Compiled
# once for all app cores of a build.
if(NOT TARGET SwiftFace)
  file(GLOB_RECURSE _signals CONFIGURE_DEPENDS ${_root}/Sources/MainstemSignals/*.swift)
  file(GLOB_RECURSE _face CONFIGURE_DEPENDS ${_root}/Sources/Mainstem/*.swift)
  swift_module(SwiftSignals MainstemSignals ${_signals})
  swift_module(SwiftFace Mainstem ${_face})
  target_link_libraries(SwiftFace PUBLIC SwiftSignals)
  foreach(_target SwiftSignals SwiftFace)
    target_compile_options(${_target} PRIVATE "SHELL:-package-name mainstem")
  endforeach()
endif()
