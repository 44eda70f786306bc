# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The calls of the header for bindings and models: a part of the real library (library.py)."""

from __future__ import annotations

from ctypes import sizeof
from typing import Any

from reference.declarations import d
from reference.state.commands import COMMANDS


class StateCalls:
    """In the language of reference/model.py, as Library."""

    def binding_add(self, view: int, owner: int | None, rows: Any, hook: Any) -> Any:
        """The rows of a binding share user_data: each gets a C function of its own."""
        table = (d.BindingRow * len(rows))()
        for index, (name, fn, flags) in enumerate(rows):
            table[index] = d.BindingRow(name.encode(), d.EVENT_FN(self.handler(fn)), flags)
        what = (view, owner, table, sizeof(d.BindingRow), len(rows))
        return self.called("binding_add", *what, self.keep(table, hook), self.hook_of(hook))

    def viewmodel_add(
        self, parent: int, name: str, told: Any, commands: Any, hook: Any, show: Any
    ) -> Any:
        """A model of one value that views write, and these commands."""
        rows = [
            d.ViewmodelRow(
                b"may", d.VIEWMODEL_WRITABLE, d.PAYLOAD_BOOL, d.EVENT_FN(self.handler(told))
            )
        ]
        for command, policy, is_enabled, fn in commands:
            carries, called = COMMANDS[command], d.EVENT_FN(self.handler(fn))
            enabled = b"may" if is_enabled else None
            row = (command.encode(), d.VIEWMODEL_COMMAND, carries, called, enabled, policy, carries)
            rows.append(d.ViewmodelRow(*row))
        table = (d.ViewmodelRow * len(rows))(*rows)
        shown = d.SHOW_FN(self.shower(show)) if show else d.SHOW_FN()
        what = (parent, name, table, sizeof(d.ViewmodelRow), len(rows), shown)
        rest = (self.keep((table, shown), hook), self.hook_of(hook))
        return self.child(parent, self.called("viewmodel_add", *what, *rest))

    def binding_run(self, binding: int, name: str, data: bytes, fn: Any, hook: Any) -> Any:
        called = self.event_fn if fn else d.EVENT_FN()
        rest = (called, self.keep(fn, hook), self.hook_of(hook))
        return self.called("binding_run", binding, name, data, *rest)

    def binding_on_changes(self, binding: int, changes: Any) -> int:
        fn = self.changes_fn if changes else d.CHANGES_FN()
        return self.called("binding_on_changes", binding, fn, self.keep(changes, None))

    def binding_on_ended(self, binding: int, ended: Any) -> int:
        fn = self.settled_fn if ended else d.RELEASE_FN()
        return self.called("binding_on_ended", binding, fn, self.keep(ended, None))
