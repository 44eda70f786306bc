# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
#
# The version script, generated from the headers: the name of each function marked MAINSTEM_API, and nothing else. lld
# refuses a name without a definition, so a function that is declared but not defined fails the link. No second list has
# to be kept in step by hand.

function(mainstem_write_exports script)
  set(names)
  foreach(header IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
    file(READ ${header} text)
    string(REGEX MATCHALL "MAINSTEM_API [^;(]*[(]" declarations "${text}")
    foreach(declaration IN LISTS declarations)
      if(declaration MATCHES "(mainstem_[a-z0-9_]+)[(]$")
        list(APPEND names ${CMAKE_MATCH_1})
      endif()
    endforeach()
  endforeach()
  list(JOIN names ";\n    " names)
  file(CONFIGURE OUTPUT ${script} CONTENT "MAINSTEM_0 {\n  global:\n    @names@;\n  local: *;\n};\n" @ONLY)
endfunction()
