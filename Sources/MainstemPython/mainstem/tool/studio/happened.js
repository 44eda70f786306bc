// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0
//
// What happened: the gestures, each with how much followed. Asks for the rows in view only.

import { ask } from "./asking.js";
import { List } from "./list.js";
import { clock, cut, make, many, quoted } from "./text.js";

const PAGE = 200;
const KEPT = 60;

function makeRow() {
  const row = make(
    "div",
    "row",
    make("span", "time"),
    make("span", "what"),
    make("span", "count"),
    make("span", "much"),
    make("span", "by"),
    make("span", "fails"),
  );
  row.role = "option";
  return row;
}

function words(row) {
  const found = [];
  if (row.verb) found.push(make("bdi", "verb", cut(row.verb, 60)));
  if (row.what) found.push(quoted(row.what, { name: "name" }));
  if (row.text) found.push(make("q", "", make("bdi", "", cut(row.text, 120))));
  return found.length ? found : [make("bdi", "none", "(no name)")];
}

/** What a row says, as a text. */
export function said(row) {
  return [row.verb, row.what, row.text && `“${cut(row.text, 60)}”`].filter(Boolean).join(" ");
}

export class Happened {
  /** grown(row) is called with each row that was asked for anew. */
  constructor(element, { choose, grown, failed }) {
    Object.assign(this, { grown, failed });
    this.pages = new Map();
    this.version = 0;
    this.hasTimes = true;
    this.sessions = 1;
    this.list = new List(element, {
      make: makeRow,
      fill: (row, index) => this.fill(row, index),
      choose,
      drawn: () => this.load(),
    });
  }

  /** The journal has grown: rows in view may have, too. */
  update(status) {
    this.version += 1;
    this.hasTimes = status.duration > 0;
    this.duration = status.duration;
    this.sessions = status.sessions;
    this.list.element.classList.toggle("no-times", !this.hasTimes);
    this.list.setCount(status.rows);
  }

  row(index) {
    return this.pages.get(Math.floor(index / PAGE))?.rows[index % PAGE];
  }

  /** The first page in view that is not here, or is old. */
  missing() {
    const { first, visible, count } = this.list;
    const last = Math.min(first + visible, count) - 1;
    for (let page = Math.floor(first / PAGE); page * PAGE <= last; page += 1) {
      if (this.pages.get(page)?.version !== this.version) return page;
    }
    return -1;
  }

  async load() {
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      for (let page = this.missing(); page >= 0; page = this.missing()) {
        await this.loadPage(page, this.version);
        this.list.refresh();
      }
    } finally {
      this.isLoading = false;
    }
  }

  async loadPage(page, version) {
    let rows = this.pages.get(page)?.rows ?? [];
    try {
      ({ rows } = await ask("rows", { from: page * PAGE, count: PAGE }));
      rows.forEach(this.grown);
    } catch (error) {
      this.failed(error);
    }
    this.pages.delete(page);
    this.pages.set(page, { rows, version });
    if (this.pages.size > KEPT) this.pages.delete(this.pages.keys().next().value);
  }

  fill(element, index) {
    const row = this.row(index);
    const [time, what, count, much, by, fails] = element.children;
    element.classList.toggle("dim", Boolean(row) && !row.failed && row.values === 0);
    element.classList.toggle("failed", Boolean(row?.failed));
    if (!row) {
      what.replaceChildren("…");
      for (const part of [time, count, much, by, fails]) part.textContent = "";
      return;
    }
    time.textContent = this.hasTimes ? clock(row.time, this.duration) : `#${row.at}`;
    what.replaceChildren(...words(row));
    count.textContent = row.count > 1 ? `${row.count.toLocaleString("en")}×` : "";
    much.textContent = row.values ? many(row.values, "value") : "";
    by.replaceChildren(quoted(row.by, { length: 80 }));
    if (this.sessions > 1) by.append(` · session ${row.session}`);
    fails.textContent = row.failed ? "✗ failed" : "";
  }
}
