# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Makes medians and ratios of the samples of `kept`: kept.py SAMPLES JSON FILE_SYSTEM.

A ratio is taken within each round; the table shows the median of the rounds. Not bounded.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import median


def main(samples_path: str, json_path: str, file_system: str) -> None:
    run = json.loads(Path(samples_path).read_text())
    found = {}
    print(
        f"\nKept on {file_system}, events a second, and how many times as fast mainstem is."
        f" Medians of {run['rounds']} interleaved rounds of one process."
    )
    for case, samples in run["cases"].items():
        rates = {who: round(1e9 / median(times)) for who, times in samples.items()}
        ours = samples["mainstem"]
        faster = {
            peer: round(median(b / a for a, b in zip(ours, times)), 3)
            for peer, times in samples.items()
            if peer != "mainstem"
        }
        found[case] = {"events a second": rates, "times as fast": faster}
        print(f"\n{case}\n  " + "".join(f"{who:>15}" for who in rates))
        print("  " + "".join(f"{rate:>15,}" for rate in rates.values()))
        print(
            "  " + "".join(f"{word:>15}" for word in ["", *(f"{f:.3g} x" for f in faster.values())])
        )
    sending = run["sending"]
    without, recorded = median(sending["without"]), median(sending["recorded"])
    more = median(b - a for a, b in zip(sending["without"], sending["recorded"]))
    print(
        f"\nsending in batches of 100: {without:.0f} ns an event, recorded {recorded:.0f} ns",
        end="",
    )
    print(f": {more:.0f} ns more")
    print("bytes on disk an event: " + json.dumps(run["bytes an event"])[1:-1].replace('"', ""))
    document = {
        "file system": file_system,
        "rounds": run["rounds"],
        "cases": found,
        "sending": {"without": without, "recorded": recorded, "more": round(more, 1)},
        "bytes an event": run["bytes an event"],
        "samples": {**run["cases"], "sending": sending},
    }
    Path(json_path).write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
