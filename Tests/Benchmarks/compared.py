# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Makes medians and ratios of the samples of `compare` or `state`: compared.py SAMPLES JSON.

A ratio is taken within each round; the table shows the median of the rounds. Not bounded.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import median

OURS = ("mainstem any", "mainstem one")


def ratio(ours: list[float], peers: list[float]) -> float:
    return median(a / b for a, b in zip(ours, peers))


def compared(samples: dict[str, list[float]]) -> dict:
    return {
        "nanoseconds": {who: round(median(times), 2) for who, times in samples.items()},
        "ratio": {
            our: {
                peer: round(ratio(samples[our], times), 3)
                for peer, times in samples.items()
                if peer not in OURS
            }
            for our in OURS
        },
    }


def peers(cases: dict[str, dict]) -> list[str]:
    """All that some case has, each once."""
    return list(dict.fromkeys(who for case in cases.values() for who in case if who not in OURS))


def row(first: str, rest: list[str]) -> str:
    return f"{first:<33}" + "".join(f"{word:>14}" for word in rest)


def main(samples_path: str, json_path: str) -> None:
    run = json.loads(Path(samples_path).read_text())
    cases = {case: compared(samples) for case, samples in run["cases"].items()}
    others = peers(run["cases"])
    print(f"Medians of {run['rounds']} interleaved rounds of one process.")
    for our in OURS:
        print("\n" + row(f"{our} thread: time / peer's", others))
        for case, found in cases.items():
            ratios = found["ratio"][our]
            print(row(case, [f"{ratios[who]:.3g}" if who in ratios else "-" for who in others]))
    print("\n" + row("ns here, this time", [*OURS, *others]))
    for case, found in cases.items():
        times = found["nanoseconds"]
        print(row(case, [f"{times[who]:.1f}" if who in times else "-" for who in (*OURS, *others)]))
    if "heap" in run:
        print(f"\nHeap after the first round: {run['heap'][0]:,} bytes; ", end="")
        print(f"after the last of {len(run['heap'])}: {run['heap'][-1]:,}.")
    Path(json_path).write_text(
        json.dumps({"rounds": run["rounds"], "cases": cases, "samples": run["cases"]}, indent=2)
        + "\n"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
