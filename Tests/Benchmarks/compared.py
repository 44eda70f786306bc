# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Makes medians and ratios of the samples of `compare`: compared.py SAMPLES JSON.

A ratio is taken within each round; the table shows the median of the rounds. Not bounded.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import median

OURS = ("mainstem any", "mainstem one")
PEERS = ("raw array", "mutex array", "GSignal")


def ratio(ours: list[float], peers: list[float]) -> float:
    return median(a / b for a, b in zip(ours, peers))


def compared(samples: dict[str, list[float]]) -> dict:
    return {
        "nanoseconds": {who: round(median(times), 2) for who, times in samples.items()},
        "ratio": {
            our: {peer: round(ratio(samples[our], samples[peer]), 3) for peer in PEERS}
            for our in OURS
        },
    }


def row(first: str, rest: list[str]) -> str:
    return f"{first:<33}" + "".join(f"{word:>14}" for word in rest)


def main(samples_path: str, json_path: str) -> None:
    run = json.loads(Path(samples_path).read_text())
    cases = {case: compared(samples) for case, samples in run["cases"].items()}
    print(f"Medians of {run['rounds']} interleaved rounds of one process.")
    for our in OURS:
        print("\n" + row(f"{our} thread: time / peer's", list(PEERS)))
        for case, found in cases.items():
            print(row(case, [f"{found['ratio'][our][peer]:.3g}" for peer in PEERS]))
    print("\n" + row("ns here, this time", [*OURS, *PEERS]))
    for case, found in cases.items():
        print(row(case, [f"{found['nanoseconds'][who]:.1f}" for who in (*OURS, *PEERS)]))
    Path(json_path).write_text(
        json.dumps({"rounds": run["rounds"], "cases": cases, "samples": run["cases"]}, indent=2)
        + "\n"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
