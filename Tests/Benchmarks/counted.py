# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Reads what callgrind and `quiet` counted, prints the table, writes it as JSON, and judges it.

counted.py FOLDER BOUNDS JSON: exits with 1 if a figure is over its bound.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

FURTHER = 100
KINDS = ("any thread", "one thread")


def dumps(folder: Path) -> dict[str, dict[int, int]]:
    """Instructions by case and length; each dump of callgrind is a file of its own."""
    found: dict[str, dict[int, int]] = {}
    for path in folder.glob("callgrind.out*"):
        text = path.read_text()
        label = re.search(r"^desc: Trigger: Client Request: (\d+) (.*)$", text, flags=re.M)
        total = re.search(r"^(?:summary|totals): (\d+)", text, flags=re.M)
        if label and total:
            found.setdefault(label[2], {})[int(label[1])] = int(total[1])
    return found


def per_operation(folder: Path) -> dict[str, float]:
    return {
        case: (count[max(count)] - count[min(count)]) / (max(count) - min(count))
        for case, count in dumps(folder).items()
    }


def figures(folder: Path) -> dict[str, float]:
    """The figures by name: of a send, neither the callback's own nor the caller's loop."""
    counted = per_operation(folder)
    result: dict[str, float] = {}
    for kind in KINDS:
        # Both empty functions return, which is one instruction of theirs and none of the loop's.
        empty = counted.pop(f"callback's loop, {kind}") - 1
        callback = counted.pop(f"callback, {kind}") - empty
        shown = counted.pop(f"show function, {kind}") - empty
        loop = counted.pop(f"send's loop, {kind}") - 1
        all_101 = counted.pop(f"send to 101 observers, {kind}")
        further = (all_101 - counted[f"send, {kind}"]) / FURTHER
        for case in [case for case in counted if case.endswith(kind)]:
            # A set of what is there calls nobody.
            own = callback + loop if case.startswith("send") else loop
            result[case] = counted[case] - (own if case.startswith("se") else 0)
        shows = result[f"send to a server that shows, {kind}"]
        result[f"show without a change, {kind}"] = (
            shows - result[f"send to a server, {kind}"] - shown
        )
        result[f"the callback itself, {kind}"] = callback
        result[f"each further observer, {kind}"] = further - callback
    for line in (folder / "quiet").read_text().splitlines():
        count, case = line.split(" ", 1)
        result[case] = float(count)
    return result


def holds(figure: float, bound: dict, all_figures: dict[str, float]) -> bool:
    if "at_most" in bound:
        return figure <= bound["at_most"]
    if "within" in bound:
        return abs(figure - all_figures[bound["of"]]) <= bound["within"]
    return True


def written(bound: dict) -> str:
    goal = f", goal {bound['goal']}" if "goal" in bound else ""
    if "at_most" in bound:
        return f"at most {bound['at_most']}{goal}"
    if "within" in bound:
        return f'± {bound["within"]} of "{bound["of"]}"{goal}'
    return goal.lstrip(", ")


def main(folder: str, bounds_path: str, json_path: str) -> int:
    bounds = json.loads(Path(bounds_path).read_text())
    found = figures(Path(folder))
    missing = [case for case in bounds if case not in found]
    if missing:
        print(f"Bounded and not counted: {missing}", file=sys.stderr)
        return 1
    rows = [
        {
            "case": case,
            "count": round(found[case], 2),
            "holds": holds(found[case], bounds.get(case, {}), found),
            **bounds.get(case, {}),
        }
        for case in [*bounds, *sorted(set(found) - set(bounds))]
    ]
    print("Instructions per operation, without the callback's own; 64-byte payload, unless said")
    for row in rows:
        mark = "" if row["holds"] else "  OVER"
        print(f"{row['count']:10.1f}  {row['case']:<62}{written(row)}{mark}".rstrip())
    Path(json_path).write_text(json.dumps(rows, indent=2) + "\n")
    over = [row for row in rows if not row["holds"]]
    for row in over:
        print(f"over its bound: {row['case']}: {row['count']:.1f}, {written(row)}", file=sys.stderr)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
