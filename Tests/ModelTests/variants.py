# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong models, one planted fault each: the scripts must tell each from the true one."""

from __future__ import annotations

from types import ModuleType

import wrong_bindings
import wrong_calls
import wrong_commands
import wrong_delivery
import wrong_effects
import wrong_ends
import wrong_origins
import wrong_owners
import wrong_queues
import wrong_reactors
import wrong_rights
import wrong_rivals
import wrong_rows
import wrong_served
import wrong_services
import wrong_settled
import wrong_shared
import wrong_shows
import wrong_times
import wrong_unanswered
import wrong_values
from reference.model import Reference, Stream


def classes_of(module: ModuleType, base: type) -> list[type]:
    """The classes that a module makes of another one."""
    own = [each for each in vars(module).values() if isinstance(each, type)]
    return [each for each in own if issubclass(each, base) and each is not base]


def reference_on(stream: type[Stream]) -> type[Reference]:
    """A reference on a wrong stream."""
    return type(stream.__name__, (Reference,), {"stream_class": stream})


# What scripts must be about that are to see a fault, where few of the others do.
QUEUES, HISTORY, TIMERS = ("schedulers",), ("history", "timers"), ("timers", "asked", "schedulers")
ABOUT: dict[str, tuple[str, ...]] = {
    "RejectLetsInWhatWasNotAsked": ("schedulers", "timers"),
    "AnswersRefused": QUEUES,
    "BytesForgotten": QUEUES,
    "OneThatIsTooLargeNeverFits": QUEUES,
    "OldestAndNewestMixedUp": QUEUES,
    "LossAtTheEndTold": QUEUES,
    "EachLossAGap": QUEUES,
    "DroppedIsNotAsked": ("schedulers", "demand"),
    "ScheduledBeforeImmediate": ("schedulers", "counters"),
    "CancelledStillWaits": QUEUES,
    "AnswerOvertakesScheduled": ("schedulers", "asked"),
    "TimersByArming": TIMERS,
    "PeriodLost": TIMERS,
    "TimersOutliveScopes": TIMERS,
    "TimeoutAnswersTheAnswered": ("timers", "asked"),
    "HistoryOfEverything": HISTORY,
    "HistoryUnbounded": HISTORY,
    "HistoryAgeless": HISTORY,
    "HistoryByType": HISTORY,
    "HistoryInsideTheCurrentEvent": HISTORY,
    "LateEventsNotCounted": HISTORY,
    "RightsWiden": ("rights",),
    "EachDenialReported": ("rights",),
    "ReachForgotten": ("rights",),
    "BudgetOfTheParentForgotten": ("rights",),
    "WhoFindsMayMore": ("rights", "found"),
    "OnlyOwnChildrenAreFound": ("found",),
    "ChainOneTooLong": ("limits",),
    "OneTooManyWaits": ("limits",),
    "OnePostTooMany": ("limits",),
    "ScheduledChainGoesOn": ("limits", "schedulers"),
    "ProgressAfterTheAnswer": ("progress", "asked"),
    "LaterServerCounts": ("servers",),
    "AskingScopeEndsSilently": ("servers",),
    "LastServerEndsSilently": ("servers",),
    "OtherServerForgotten": ("servers",),
    "WaitingRequestsAreUnhandled": ("served", "schedulers"),
    "QueuesOfServersDropTheNewest": ("served", "schedulers"),
    "TheAnswererIsTold": ("settled",),
    "OnlyTheLibrarysAnswersAreTold": ("settled",),
    "ToldBeforeTheRequester": ("settled",),
    "ToldAfterItsScope": ("settled", "servers"),
    "ToldAtOnceOnASchedulerToo": ("settled", "schedulers"),
    "ForgottenRequestsStayOpen": ("asked", "servers"),
    "CopiesDoNotCount": ("asked", "servers"),
    "ReleasesDeliver": ("asked", "servers"),
    "FailuresAreToldTwice": ("asked", "servers"),
    "CallsOnSchedulersHoldForEver": ("asked", "served", "schedulers"),
    "OriginsOfChildrenToo": ("origins",),
    "OneOriginInOrderOfRegistration": ("origins",),
    "OwnHandlersGetEveryOrigin": ("origins",),
    "OwnHandlersHandleNothing": ("origins",),
    "OwnHandlersOfOthersHandle": ("origins",),
    "EveryOriginComesLate": ("origins", "history"),
    "OriginsNotAskedForRoom": ("origins", "schedulers"),
    "OriginsEndWithTheirScope": ("origins",),
    **{each: ("opens",) for each in vars(wrong_ends) if "End" in each or "Owners" in each},
    "EndsOfContextsThatNobodyDrainedAreSilent": ("schedulers",),
    "OwnersHangBelowWhoAsked": ("opens", "rights"),
    **{name.__name__: ("values",) for name in classes_of(wrong_values, Stream)},
    "OutputsHeedInputs": ("values", "host"),
    **dict.fromkeys(("ValuesEndAtOnce", "EndsOfThoseWhoShowAreSilent"), ("values", "opens")),
    **dict.fromkeys(("WhatWaitsIsNotShown", "ValuesOutliveTheirEnd"), ("values", "opens")),
    "InputsHeedNoInputs": ("values", "host"),
    "EachAskerAsks": ("group",),
    "HandlersGetAskers": ("group",),
    "OwnersAskTogether": ("group", "origins"),
    "EveryOriginAsksAlone": ("group", "origins"),
    "TheLastAskerIsAnsweredFirst": ("group", "servers"),
    "TheFirstToGiveUpStopsTheWork": ("group", "servers"),
    "NobodyStopsTheWork": ("group", "servers"),
    "StepsForTheFirstAsker": ("group", "progress", "servers"),
    "AskersJoinWhatIsAnswered": ("group", "servers"),
    **{
        each.__name__: ("bindings",)
        for base in (Stream, Reference)
        for each in classes_of(wrong_bindings, base)
    },
    **{
        each.__name__: ("bindings", "ended")
        for base in (Stream, Reference)
        for each in classes_of(wrong_owners, base)
    },
    "EndsOvertakeValues": ("bindings", "rows", "ended"),
    **{each.__name__: ("bindings", "rows") for each in classes_of(wrong_rows, Reference)},
    "OlderThanTheWriteComes": ("bindings", "rows", "host"),
    "EchoesThroughOtherViewsAreSent": ("bindings", "rows", "commands"),
    **{
        each.__name__: ("commands", "bindings", "settled")
        for base in (Stream, Reference)
        for each in classes_of(wrong_commands, base)
    },
    **{each.__name__: ("effects", "values") for each in classes_of(wrong_effects, Stream)},
    **{
        each.__name__: ("reactors", "commands", "bindings")
        for each in classes_of(wrong_reactors, Reference)
    },
    **{each.__name__: ("services",) for each in classes_of(wrong_services, Reference)},
    **{each.__name__: ("servers", "origins") for each in classes_of(wrong_rivals, Reference)},
    "EventsHaveOneHandler": ("origins",),
    "ShownBeforeAllObservers": ("shows",),
    "AnswersBeforeTheShow": ("shows",),
    "AnswersOfFailedShowsLost": ("shows",),
    "ShownInOrderOfAdding": ("shows", "origins"),
    "OnlyHandlersOwe": ("shows",),
    "CompletionsFromOutsideOwe": ("shows",),
    "ShownTwiceForTwoCallbacks": ("shows",),
    "LateEventsOweNothing": ("shows", "history"),
    "ShownInsideTheAdding": ("shows",),
    "NoRoomIsAFailure": ("shows",),
    "NoRoomIsForgotten": ("shows",),
    "FirstShowsFindNoRoom": ("shows", "limits"),
    "EndedServersShow": ("shows",),
}
WRONG_STREAMS = [
    each
    for module in (
        wrong_rights,
        wrong_delivery,
        wrong_queues,
        wrong_times,
        wrong_settled,
        wrong_unanswered,
        wrong_served,
        wrong_origins,
        wrong_shared,
        wrong_ends,
        wrong_values,
        wrong_bindings,
        wrong_owners,
        wrong_shows,
        wrong_commands,
        wrong_effects,
    )
    for each in classes_of(module, Stream)
]
VARIANTS: dict[str, type[Reference]] = {
    **{stream.__name__: reference_on(stream) for stream in WRONG_STREAMS},
    **{each.__name__: each for each in classes_of(wrong_calls, Reference)},
    **{each.__name__: each for each in classes_of(wrong_ends, Reference)},
    **{each.__name__: each for each in classes_of(wrong_bindings, Reference)},
    **{each.__name__: each for each in classes_of(wrong_rows, Reference)},
    **{each.__name__: each for each in classes_of(wrong_services, Reference)},
    **{each.__name__: each for each in classes_of(wrong_rivals, Reference)},
    **{each.__name__: each for each in classes_of(wrong_commands, Reference)},
    **{each.__name__: each for each in classes_of(wrong_reactors, Reference)},
    **{each.__name__: each for each in classes_of(wrong_owners, Reference)},
}
