# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Misuses of the functions of the header, and what they need."""
