# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the files of a journal: one, or numbered segments."""

from __future__ import annotations

import os
from typing import List


def files_of(path: str) -> "tuple[List[str], List[str]]":
    """Returns the files of a journal, in order, and those after a gap in their numbers."""
    if os.path.lexists(path):
        return [path], []
    folder, name = os.path.split(path)
    try:
        names = os.listdir(folder or ".")
    except OSError:
        names = []
    numbers = sorted(
        int(each[len(name) + 1 :])
        for each in names
        if each.startswith(name + ".") and _is_number(each[len(name) + 1 :])
    )
    if not numbers:
        raise FileNotFoundError(2, "there is no such journal", path)
    paths = [f"{path}.{number:06}" for number in numbers]
    whole = 1
    while whole < len(numbers) and numbers[whole] == numbers[0] + whole:
        whole += 1
    return paths[:whole], paths[whole:]


def number_of(path: str) -> int:
    """Returns the number of a segment."""
    return int(path.rsplit(".", 1)[1])


def _is_number(text: str) -> bool:
    return len(text) >= 6 and text.isascii() and text.isdigit() and text == f"{int(text):06}"
