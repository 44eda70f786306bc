# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A host validates edits, and answers later, as if another machine had to be asked (E-075)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List, Tuple

import hosts  # noqa: F401
import mainstem
import todo
from mainstem import Failure
from todostream import install


class Host:
    """A view, and a validator that answers when a test says so."""

    def __init__(self, context: mainstem.Context, path: Path) -> None:
        self.asked: List[Any] = []
        todos = install(context, str(path), validates=True)
        scope = context.scope("host", sends="viewmodel", observes="viewmodel")
        scope.server("validator", {"RequestValidateDetailViewModel": self.validate})
        self.view = todo.View(context.scope("view", sends="viewmodel", observes="viewmodel"), todos)
        self.view.open()
        self.scope, self.context = scope, context

    def validate(self, event: mainstem.Event) -> Any:
        self.asked.append(event.retain())
        return mainstem.LATER

    def ask(self, kind: str, **payload: Any) -> List[Tuple[int, str]]:
        """Asks, and returns a list that gets the answer's code and text."""
        answers: List[Tuple[int, str]] = []
        self.scope.request(
            kind,
            json.dumps(payload),
            then=lambda event: answers.append((event.status, event.text)),
        )
        self.context.flush()
        return answers

    def edit(self, title: str) -> Dict[str, Any]:
        self.ask("RequestNewTodoDetailViewModel", list="home")
        return {**self.view.shown.detail, "title": title}


def test_a_validator_of_the_host_answers_later_e_075(tmp_path: Path) -> None:
    with mainstem.Context() as context:
        host = Host(context, tmp_path / "todo.sqlite")
        detail = host.edit("Milk")

        answers = host.ask("RequestUpdateDetailViewModel", detail=detail)
        assert (answers, len(host.asked), len(host.view.rows)) == ([], 1, 0)
        host.asked.pop().respond(Failure("taken", user_message="This title is taken.", code=2001))
        assert answers == [(2001, "This title is taken.")]

        answers = host.ask("RequestUpdateDetailViewModel", detail=detail)
        host.asked.pop().respond(None)
        host.view.settle()
        assert [code for code, _ in answers] == [0]
        assert [row["title"] for row in host.view.rows] == ["Milk"]
