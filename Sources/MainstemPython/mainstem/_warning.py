# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Warnings from inside the package, where nobody can catch what a warning may raise."""

from __future__ import annotations

import warnings

from ._unraisable import report_unraisable


def warn(message: str, about: object) -> None:
    """Warns. With `python -W error` it is reported like any exception that nobody catches.

    It is never raised: it would be taken for an exception of the callback that runs, and the
    context would report that on its stream.
    """
    try:
        warnings.warn(message, RuntimeWarning, stacklevel=3)
    except RuntimeWarning as warning:
        report_unraisable(warning, about)
