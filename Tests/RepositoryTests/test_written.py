# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Every text of the sources that can get into an event is listed: Tests/journals/texts.txt.

What stands in an event must not change, or sessions of earlier versions no longer verify. So a
changed text is red here, wherever in the sources it stands, and so is a new one until it is listed.
"""

import literals
import pytest
from tree import ROOT, text

NOW = literals.sections()
LISTED = literals.listed()
MEANT = "if it is meant, put the lines of Tests/RepositoryTests/literals.py into texts.txt"


@pytest.mark.parametrize("section", NOW)
def test_every_text_of_the_sources_is_listed(section):
    new = set(map(literals.signed, NOW[section])) - set(LISTED[section])
    assert sorted(new) == [], f"not listed yet: {MEANT}"


@pytest.mark.parametrize("section", NOW)
def test_every_listed_text_is_in_the_sources(section):
    gone = set(LISTED[section]) - set(map(literals.signed, NOW[section]))
    assert sorted(gone) == [], f"changed or gone, so journals that have it may differ: {MEANT}"


def test_no_script_has_renamed_words_in_the_list():
    lines = [line for lines in LISTED.values() for line in lines]
    assert [line for line in lines if literals.signed(line[5:]) != line] == []
    assert list(LISTED) == list(NOW)
    assert all(lines == sorted(set(lines), key=lambda line: line[5:]) for lines in LISTED.values())


def test_what_no_journal_has_is_in_the_sources():
    lines = text(ROOT / "Tests" / "journals" / "written.txt").split("[in no journal]\n")[1]
    texts = [line.split(" — ")[0] for line in lines.splitlines() if " — " in line]
    assert len(texts) > 5
    assert [one for one in texts if f'"{one}"' not in NOW["texts of the core"]] == []


def swift(code):
    return list(literals.swift_literals(code))


def test_a_swift_text_is_found_with_its_holes():
    assert swift('let a = "one \\(two("three \\(4)")) five" // "six"') == [
        "three {}",
        "one {} five",
    ]
    assert swift('a(\n  """\n  one \\\n  two\n  three\n  """)') == ["one two three"]
    assert swift('/* "no" */ "a \\"b\\" c"') == ['a \\"b\\" c']
    assert swift('@implementation @_cdecl("mainstem_send") f("mainstem_send")') == ["mainstem_send"]


def test_a_c_text_may_be_in_pieces():
    code = '#include "no.h"\n/* "no" */ f("one "\n  "two", "three");'
    assert list(literals.c_literals(code)) == ["one two", "three"]


def test_a_python_text_is_no_docstring():
    code = 'def f(a):\n    """No."""\n    raise E(f"one {a} two" " three", "four")\n'
    assert sorted(literals.python_literals(code)) == ["four", "one {} two three"]
