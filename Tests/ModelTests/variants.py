# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong models, one planted fault each: the scripts must tell each from the true one."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

from reference.model import Reference, Stream

MODULES = {
    path.stem: importlib.import_module(path.stem)
    for path in sorted(Path(__file__).parent.glob("wrong_*.py"))
}


def classes_of(module: ModuleType) -> list[type]:
    """The wrong streams and references of a module."""
    own = [each for each in vars(module).values() if isinstance(each, type)]
    return [
        each
        for each in own
        if issubclass(each, (Stream, Reference)) and each not in (Stream, Reference)
    ]


def names_of(module: str) -> list[str]:
    return [each.__name__ for each in classes_of(MODULES[module])]


def reference_of(wrong: type) -> type[Reference]:
    """A wrong reference, or a reference on a wrong stream."""
    if issubclass(wrong, Reference):
        return wrong
    return type(wrong.__name__, (Reference,), {"stream_class": wrong})


#: What scripts are about that are to see the faults of a module, where few of the others do.
ABOUT_OF = {
    "wrong_bindings": "bindings",
    "wrong_children": "lists children schedulers",
    "wrong_commands": "commands bindings settled",
    "wrong_effects": "effects values",
    "wrong_ends": "opens",
    "wrong_lists": "lists",
    "wrong_origins": "origins",
    "wrong_owners": "bindings ended",
    "wrong_reactors": "reactors commands bindings",
    "wrong_rights": "rights",
    "wrong_rivals": "servers origins",
    "wrong_rows": "bindings rows",
    "wrong_served": "served schedulers",
    "wrong_services": "services",
    "wrong_settled": "settled",
    "wrong_shared": "group servers",
    "wrong_shows": "shows",
    "wrong_times": "history timers",
    "wrong_unanswered": "asked servers",
    "wrong_values": "values",
}
#: The same, of single faults.
ABOUT_ONE = {
    "servers": (
        "LastServerEndsSilently AskingScopeEndsSilently OtherServerForgotten LaterServerCounts"
    ),
    "progress asked": "ProgressAfterTheAnswer",
    "schedulers": (
        "EndsOfContextsThatNobodyDrainedAreSilent BytesForgotten OneThatIsTooLargeNeverFits "
        "AnswersRefused OldestAndNewestMixedUp LossAtTheEndTold EachLossAGap "
        "CancelledStillWaits"
    ),
    "opens rights": "OwnersHangBelowWhoAsked",
    "origins history": "EveryOriginComesLate",
    "origins schedulers": "OriginsNotAskedForRoom",
    "bindings rows ended": "EndsOvertakeValues",
    "schedulers timers": "RejectLetsInWhatWasNotAsked",
    "schedulers demand": "DroppedIsNotAsked",
    "schedulers counters": "ScheduledBeforeImmediate",
    "schedulers asked": "AnswerOvertakesScheduled",
    "rights found": "WhoFindsMayMore",
    "found": "OnlyOwnChildrenAreFound",
    "limits": "ChainOneTooLong OneTooManyWaits OnePostTooMany",
    "limits schedulers": "ScheduledChainGoesOn",
    "origins": "EventsHaveOneHandler",
    "lists schedulers": (
        "ListsBehindGapsAreChanges ListsBehindGapsStayWhole OnlyTheFirstLossCounts "
        "OnlyTheLastLossCounts OtherLossesDoNotCount"
    ),
    "lists values": "AnyValueIsAList",
    "lists host": "EndsOfWhatWasDelivered ListsDifferWhereTheyAreSet",
    "lists children opens host": "EndingScopesGoOn",
    "bindings rows host": "OlderThanTheWriteComes",
    "bindings rows commands": "EchoesThroughOtherViewsAreSent",
    "settled servers": "ToldAfterItsScope",
    "settled schedulers": "ToldAtOnceOnASchedulerToo",
    "group": "EachAskerAsks HandlersGetAskers",
    "group origins": "OwnersAskTogether EveryOriginAsksAlone",
    "group progress servers": "StepsForTheFirstAsker",
    "shows origins": "ShownInOrderOfAdding",
    "shows history": "LateEventsOweNothing",
    "shows limits": "FirstShowsFindNoRoom",
    "timers asked schedulers": "TimersByArming PeriodLost TimersOutliveScopes",
    "timers asked": "TimeoutAnswersTheAnswered",
    "asked served schedulers": "CallsOnSchedulersHoldForEver",
    "values host": "OutputsHeedInputs InputsHeedNoInputs",
    "values opens": (
        "ValuesEndAtOnce EndsOfThoseWhoShowAreSilent WhatWaitsIsNotShown ValuesOutliveTheirEnd"
    ),
}
ABOUT = {
    name: tuple(about.split()) for module, about in ABOUT_OF.items() for name in names_of(module)
}
ABOUT.update(
    {name: tuple(key.split()) for key, names in ABOUT_ONE.items() for name in names.split()}
)
VARIANTS: dict[str, type[Reference]] = {
    each.__name__: reference_of(each) for module in MODULES.values() for each in classes_of(module)
}
