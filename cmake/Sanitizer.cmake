# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
#
# MAINSTEM_SANITIZE=address|thread applies to the library, the tests and the examples.

if(NOT MAINSTEM_SANITIZE MATCHES "^(address|thread)$")
  message(FATAL_ERROR "MAINSTEM_SANITIZE is address or thread, not \"${MAINSTEM_SANITIZE}\".")
endif()
if(NOT MAINSTEM_RUNTIME STREQUAL "static")
  message(FATAL_ERROR "MAINSTEM_SANITIZE needs -DMAINSTEM_RUNTIME=static: an embedded library has no sanitizer runtime.")
endif()

add_compile_options(
  $<$<COMPILE_LANGUAGE:Swift>:-sanitize=${MAINSTEM_SANITIZE}>
  $<$<COMPILE_LANGUAGE:C>:-fsanitize=${MAINSTEM_SANITIZE}>
  $<$<COMPILE_LANGUAGE:C>:-fno-omit-frame-pointer>
  -g)
add_link_options(
  $<$<LINK_LANGUAGE:Swift>:-sanitize=${MAINSTEM_SANITIZE}>
  $<$<LINK_LANGUAGE:C>:-fsanitize=${MAINSTEM_SANITIZE}>
  $<$<LINK_LANGUAGE:C>:-fuse-ld=lld>)
# Swift's thread sanitizer depends on libdispatch: its runtime does not load without it.
if(MAINSTEM_SANITIZE STREQUAL "thread")
  add_link_options(
    $<$<LINK_LANGUAGE:C>:-L${MAINSTEM_SWIFT_RESOURCES}/linux>
    $<$<LINK_LANGUAGE:C>:-Wl,-rpath,${MAINSTEM_SWIFT_RESOURCES}/linux>
    $<$<LINK_LANGUAGE:C>:-Wl,--no-as-needed>
    $<$<LINK_LANGUAGE:C>:-ldispatch>
    $<$<LINK_LANGUAGE:C>:-lBlocksRuntime>)
endif()
