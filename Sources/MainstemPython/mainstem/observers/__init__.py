# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Observers: what is called with events, where, and what becomes of what it raises."""
