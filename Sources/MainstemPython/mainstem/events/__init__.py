# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Events: their classes and types, how they travel, and as they come from the stream."""
