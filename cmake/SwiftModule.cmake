# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
#
# What the Swift modules share: language mode, flavour, and their view of C.

# Neither CMake nor Ninja tracks the headers that Swift imports through a module map. A generated source, newer than
# every header, makes the Swift modules rebuild.
set(_header_stamp ${CMAKE_CURRENT_BINARY_DIR}/HeaderStamp.swift)
add_custom_command(
  OUTPUT ${_header_stamp}
  COMMAND ${CMAKE_COMMAND} -E touch ${_header_stamp}
  DEPENDS ${MAINSTEM_HEADERS} ${MAINSTEM_PRIVATE_HEADERS}
  VERBATIM)
add_custom_target(mainstem_header_stamp DEPENDS ${_header_stamp})

# Debugging means frequent builds, so only changed files are compiled. Embedded Swift compiles whole modules only.
if(CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT MAINSTEM_RUNTIME STREQUAL "embedded")
  set(_mode incremental)
else()
  set(_mode wholemodule)
endif()

function(mainstem_swift_module target module)
  target_sources(${target} PRIVATE ${_header_stamp})
  add_dependencies(${target} mainstem_header_stamp)
  set_target_properties(${target} PROPERTIES
    Swift_MODULE_NAME ${module}
    Swift_LANGUAGE_VERSION 6
    Swift_COMPILATION_MODE ${_mode})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/Sources/CMainstem/include)
  target_compile_options(${target} PRIVATE
    "SHELL:-package-name mainstem"
    "SHELL:-enable-upcoming-feature ExistentialAny"
    "SHELL:-enable-upcoming-feature MemberImportVisibility"
    "SHELL:-enable-upcoming-feature InternalImportsByDefault")
  if(NOT MAINSTEM_SHORT_WAYS)
    target_compile_options(${target} PRIVATE -DMAINSTEM_NO_SHORT_WAYS)
  endif()
  if(CMAKE_COMPILE_WARNING_AS_ERROR)
    target_compile_options(${target} PRIVATE -warnings-as-errors)
  endif()
  # Older CMake does not know Swift_COMPILATION_MODE. Two threads make one object per file, as Ninja expects; a plain
  # -wmo would make a single object, and every build would start over.
  if(CMAKE_VERSION VERSION_LESS 3.29 AND _mode STREQUAL "wholemodule")
    target_compile_options(${target} PRIVATE -wmo "SHELL:-num-threads 2")
  endif()
  if(MAINSTEM_RUNTIME STREQUAL "embedded")
    # The stack protector guards arrays on the stack, and the core has none that a host could overrun. Each function
    # gets its own section, so that the linker can drop uncalled ones.
    target_compile_options(${target} PRIVATE "SHELL:-enable-experimental-feature Embedded" -disable-stack-protector
      "SHELL:-Xfrontend -function-sections")
    # For size, but for functions marked @_optimize(speed); the specializer of signatures would lose the mark, because
    # it makes another function, and that of closures copies whole functions (docs/decisions/0049-compiled-for-size.md).
    if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
      target_compile_options(${target} PRIVATE -Osize
        "SHELL:-Xllvm -sil-disable-pass=function-signature-opts"
        "SHELL:-Xllvm -sil-disable-pass=closure-specialize")
    endif()
  else()
    target_compile_options(${target} PRIVATE -static-stdlib)
  endif()
  # Older CMake compiles and links in one step, and swiftc does not touch an unchanged output: without this, Ninja would
  # link on every build.
  if(CMAKE_VERSION VERSION_LESS 3.29)
    add_custom_command(TARGET ${target} POST_BUILD
      COMMAND ${CMAKE_COMMAND} -E touch_nocreate
        $<TARGET_OBJECTS:${target}> ${CMAKE_CURRENT_BINARY_DIR}/${module}.swiftmodule
      VERBATIM COMMAND_EXPAND_LISTS)
  endif()
endfunction()
