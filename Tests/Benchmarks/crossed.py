# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Makes medians and ratios of the samples of `across`: crossed.py SAMPLES JSON.

A ratio is taken within each round; the table shows the median of the rounds. Not bounded.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import median


def main(samples_path: str, json_path: str) -> None:
    run = json.loads(Path(samples_path).read_text())
    found = {}
    print(f"\nAcross threads. Medians of {run['rounds']} interleaved rounds of one process.")
    for case, samples in run["cases"].items():
        ours = [who for who in samples if who.startswith("mainstem")]
        peers = [who for who in samples if who not in ours]
        ratio = {
            our: {
                peer: round(median(a / b for a, b in zip(samples[our], samples[peer])), 3)
                for peer in peers
            }
            for our in ours
        }
        medians = {who: round(median(times), 1) for who, times in samples.items()}
        found[case] = {"nanoseconds": medians, "ratio": ratio}
        print(f"\n{case:<26}" + "".join(f"{peer:>15}" for peer in ["", *peers]))
        print(f"{'':<26}{'':>15}" + "".join(f"{medians[peer]:>15,.0f}" for peer in peers))
        for our in ours:
            words = [f"{medians[our]:,.0f}", *(f"{ratio[our][peer]:.3g} x" for peer in peers)]
            print(f"  {our:<24}" + "".join(f"{word:>15}" for word in words))
    document = {"rounds": run["rounds"], "cases": found, "samples": run["cases"]}
    Path(json_path).write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
