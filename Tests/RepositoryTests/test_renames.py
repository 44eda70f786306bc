# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""docs/renames.sed gives a program of 0.10 names that there are, and docs/renames.md lists them."""

import re
import subprocess

from tree import ROOT, text

SED = ROOT / "docs" / "renames.sed"
RULE = re.compile(r"^s/\\b(\w+)\\b/(\w+)/g$", re.M)
HEADERS = "\n".join(map(text, sorted((ROOT / "include" / "mainstem").glob("*.h"))))
#: What the name of a function was is the name of a struct.
TWICE = {"mainstem_context_stats"}


def rules():
    return dict(RULE.findall(text(SED)))


def test_each_rule_leads_from_a_name_that_is_gone_to_one_that_there_is():
    assert len(rules()) > 25
    for then, now in rules().items():
        assert re.search(rf"\b{now}\b", HEADERS), now
        assert then in TWICE or not re.search(rf"\b{then}\b", HEADERS), then


def test_a_source_is_renamed_once():
    source = "\n".join(rules())
    command = ["sed", "-E", "-f", str(SED)]
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n") == list(rules().values())


def test_the_page_lists_each():
    page = text(ROOT / "docs" / "renames.md")
    short = re.compile(r"^(mainstem|MAINSTEM)(_[a-z]+|_VIEWMODEL)?(?=_)")
    for name in [*rules(), *rules().values()]:
        assert f"`{name}`" in page or f"`{short.sub('', name)}`" in page or f".{name}`" in page, (
            name
        )
