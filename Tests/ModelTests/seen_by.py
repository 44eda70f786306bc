# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Which scripts see the planted faults that few see, so that nobody has to search for them.

They are tried before all others, and count only if they see the fault. When the scripts change,
all are tried again, which takes minutes: with PYTHONPATH=Tests `python
Tests/ModelTests/seen_by.py` prints a new table.
"""

from __future__ import annotations

from time import process_time

import drive

#: Seeds, of which each is a script for one thread and one for any.
SEEN_BY = {
    "BudgetOfTheParentForgotten": (7512, 7548, 7655),
    "ChangesAreToldAgain": (7617, 7690, 7741),
    "ChildrenEndBeforeParents": (7960, 8375, 8393),
    "DroppedActionsRun": (7588, 7608, 7627),
    "DroppedIsNotAsked": (7529, 7578, 7658),
    "DroppedMutationsAreSent": (7500, 7534, 7641),
    "EachChangeIsNamed": (7690, 7838, 8125),
    "EchoesOfOtherThreads": (7569, 8078, 8986),
    "EchoesThroughOtherViewsAreSent": (7503, 7593, 7658),
    "EndsAreToldAgain": (7959, 8257, 8418),
    "EndsAreToldBeforeChanges": (7575, 7611),
    "EndsOvertakeValues": (7544, 7627, 7855),
    "HistoryOfEverything": (7551, 7604, 7616),
    "InnerFetchesHideOuterOnes": (7593, 7648, 7677),
    "LaterServerCounts": (7596, 7600, 7611),
    "LimitedDrainBeginsAnew": (7626, 7749, 7818),
    "NewestOpenedEndsFirst": (7931, 7960, 8087),
    "OldOwnersAreTold": (7599, 7709, 8184),
    "OlderThanTheWriteComes": (7560, 7855, 8109),
    "OnlyTheFirstBindingIsTold": (7620, 7877, 8486),
    "PostsInOneTurn": (7579, 7649, 7679),
    "RefusedMutationsAreReduced": (7512, 7520, 7544),
    "ReleasedBeforeTheLastCall": (7556, 7651, 7742),
    "RunsOutliveTheirBindings": (7508, 7542),
    "ScheduledChainGoesOn": (7513, 7615, 7650),
    "ToldAtOnceOnASchedulerToo": (7574, 7579),
    "TransformedStatesAreKept": (7513, 7515, 7527),
    "ValuesEndAtOnce": (7555, 7653, 7747),
    "ValuesOfEndedScopesKept": (8123, 8231, 8593),
    "WaitingRunsIgnoreWhatDisables": (7523, 7574, 7625),
    "WritesOfTheOldOwnerCount": (7571, 7703, 7709),
}


def scripts(name: str, corpus: list[drive.Key]) -> list[drive.Key]:
    """The corpus, with those first that are known to see this fault."""
    known = [key for seed in SEEN_BY.get(name, ()) for key in drive.keys(seed, 2)]
    return known + [key for key in corpus if key not in known]


def main() -> None:
    import test_model

    for name in sorted(test_model.VARIANTS):
        began = process_time()
        seeing = test_model.seeing(name, test_model.CORPUS)
        if process_time() - began > 1:
            print(f'    "{name}": {tuple(sorted({seed for seed, *_ in seeing}))},')


if __name__ == "__main__":
    main()
