# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong streams: when commands run, and what views see of them."""

from __future__ import annotations

from typing import Any

from reference.declarations import d
from reference.flow.values import Event
from reference.model import Reference, Stream
from reference.state.commands import Command, Run


class DisabledCommandsRun(Stream):
    def refusal_of(self, command: Command) -> int:
        refusal = super().refusal_of(command)
        return d.OK if refusal == d.DISABLED else refusal


class ExecutingCommandsRunAgain(Stream):
    def refusal_of(self, command: Command) -> int:
        refusal = super().refusal_of(command)
        return refusal if refusal == d.DISABLED else d.OK


class AnsweredRunsWereExecuting(Stream):
    def note_executing(self, commands: list[Command]) -> None:
        for command in commands:
            for run in command.runs:
                run.state = "executes" if run.state == "begun" else run.state


class OldRunsGoOn(Stream):
    def replace_runs(self, last: Run) -> None:
        pass


class WaitingRunsIgnoreWhatDisables(Stream):
    def go_on(self, command: Command, answer: Event) -> None:
        enabler = command.types[".enabled"]
        command.types[".enabled"] = 0  # unset
        was, command.enabler = command.enabler, 0
        super().go_on(command, answer)
        command.types[".enabled"], command.enabler = enabler, was


class WaitingRunsBeginBeforeTheAnswerIsTold(Stream):
    def tell_settled(self, answer: Event) -> None:
        if answer.settles:
            self.end_run(answer)
            answer.settles.run = None
        super().tell_settled(answer)


class ErrorsStay(Stream):
    def forget_failure(self, command: Command) -> None:
        pass


class NobodyAnswersForTheModel(Stream):
    def answer_run(self, command: Command, event: Event, status: int) -> None:
        if status != d.OK:
            super().answer_run(command, event, status)


class KeptRequestsAreAnswered(Stream):
    def begin_run(self, run: Run, event: Event) -> None:
        super().begin_run(run, event)
        self.answer_run(run.command, event, d.OK)


class RunsOutliveTheirBindings(Reference):
    def end_rows(self, binding: Any) -> None:
        binding.runs.clear()
        super().end_rows(binding)


class RefusedOnlyByAnswers(Reference):
    def refusal_at_once(self, owner: Any, number: int) -> int:
        return d.OK


class TheFirstRunWins(Stream):
    def carry_out(self, command: Command, event: Event) -> None:
        if command.policy == d.COMMAND_LATEST:
            command.policy = 0
        super().carry_out(command, event)
