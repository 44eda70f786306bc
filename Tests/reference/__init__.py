# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The reference model: what the library is to do, in the shortest way, as parts that compose."""
