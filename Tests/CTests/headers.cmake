# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
#
#     cmake -DINCLUDE=include -P Tests/CTests/headers.cmake
#
# Acceptance A-72: each public header alone, twice in one file, in every language and compiler a
# host may bring, without a warning.

set(languages "c -std=c99" "c -std=c11" "c++ -std=c++11" "c++ -std=c++17")
file(GLOB headers RELATIVE ${INCLUDE} ${INCLUDE}/mainstem.h ${INCLUDE}/mainstem/*.h)
list(LENGTH headers count)
if(count LESS 5)
  message(FATAL_ERROR "${INCLUDE} has ${count} headers.")
endif()

string(RANDOM LENGTH 12 name)
if(DEFINED ENV{TMPDIR})
  set(source $ENV{TMPDIR}/mainstem-${name}.h)
else()
  set(source /tmp/mainstem-${name}.h)
endif()

set(passed 0)
set(failed "")
foreach(compiler IN ITEMS gcc clang)
  find_program(found_${compiler} ${compiler} REQUIRED)
  foreach(language IN LISTS languages)
    separate_arguments(flags UNIX_COMMAND "-x ${language}")
    foreach(header IN LISTS headers)
      file(WRITE ${source} "#include <${header}>\n#include <${header}>\n")
      execute_process(
        COMMAND ${found_${compiler}} ${flags} -Wall -Wextra -Wpedantic -Werror -fsyntax-only
          -I${INCLUDE} -include ${source} /dev/null
        RESULT_VARIABLE status
        ERROR_VARIABLE said)
      if(status EQUAL 0)
        math(EXPR passed "${passed} + 1")
      else()
        string(APPEND failed "${header} as ${language} with ${compiler}:\n${said}")
      endif()
    endforeach()
  endforeach()
endforeach()
file(REMOVE ${source})

if(failed)
  message(FATAL_ERROR "${failed}")
endif()
message("${passed} passed, 0 failed")
