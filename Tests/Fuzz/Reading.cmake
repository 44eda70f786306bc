# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
#
# Makes the library the fuzzed one, which reads what the fuzzer has in memory, and all else as ever:
# cmake -DCMAKE_PROJECT_INCLUDE=…/Reading.cmake

cmake_language(DEFER CALL
  target_sources mainstem_shim PRIVATE ${PROJECT_SOURCE_DIR}/Tests/Fuzz/reading.c)
cmake_language(DEFER CALL target_link_options mainstem PRIVATE
  "SHELL:-Xlinker --wrap=mainstem_p_input_open"
  "SHELL:-Xlinker --wrap=mainstem_p_input_close"
  "SHELL:-Xlinker --wrap=mainstem_p_input_read"
  "SHELL:-Xlinker --wrap=mainstem_p_input_next_data"
  "SHELL:-Xlinker --wrap=mainstem_p_input_numbers")
