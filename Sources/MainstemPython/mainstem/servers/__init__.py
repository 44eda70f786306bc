# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Servers: who answers requests, and how an answer is waited for."""
