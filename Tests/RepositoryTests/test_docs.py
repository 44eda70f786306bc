# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Lists in the documents have each thing once."""

import re

from tree import ROOT


def doubles(found):
    return sorted({each for each in found if found.count(each) > 1})


def test_the_glossary_has_each_word_once():
    text = (ROOT / "docs/glossary.md").read_text()
    rows = re.findall(r"^\| (\*\*.+?\*\*.*?) \|", text, flags=re.M)
    words = [word for row in rows for word in re.findall(r"\*\*(.+?)\*\*( \(.+?\))?", row)]
    each = [part + more for word, more in words for part in word.split(", ")]
    assert doubles(each) == []


def test_the_list_of_documents_has_each_once():
    text = (ROOT / "docs/README.md").read_text()
    assert doubles(re.findall(r"^\| \[[^]]+\]\(([^)]+)\)", text, flags=re.M)) == []
