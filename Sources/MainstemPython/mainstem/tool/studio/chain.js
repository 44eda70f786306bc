// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0
//
// What followed a gesture: a sentence, and the events as a tree with a waterfall.

import { List } from "./list.js";
import { cut, duration, make, many, order, quoted, setText } from "./text.js";

/** Deeper events are not indented further. */
const DEEPEST = 14;

const find = (id) => document.getElementById(id);

function makeRow() {
  const row = make(
    "div",
    "event",
    make("span", "at"),
    make("span", "what"),
    make("span", "fall", make("i")),
  );
  row.role = "treeitem";
  return row;
}

/** What a command shows of itself tells less than other values. */
const OF_COMMAND = /\.(enabled|executing|error)$/;

/** The event that tells most of a gesture: where it failed, else the last value, else the last. */
export function telling(events) {
  const last = (some) =>
    some.reduce((one, event) => (one && order(one.at, event.at) > 0 ? one : event), undefined);
  const values = events.filter((event) => event.kind === "value");
  const found =
    events.find((event) => event.failed) ??
    last(values.filter((event) => !OF_COMMAND.test(event.name))) ??
    last(values) ??
    last(events);
  return found?.at ?? "";
}

export class Chain {
  constructor(choose) {
    this.events = [];
    this.byPosition = new Map();
    this.shown = [];
    this.path = new Set();
    this.at = "";
    this.span = 0;
    this.filter = find("filter");
    this.only = find("only").firstElementChild;
    this.list = new List(find("chain"), {
      make: makeRow,
      fill: (row, index) => this.fill(row, this.shown[index]),
      choose: (index) => choose(this.shown[index].at),
    });
    this.filter.addEventListener("input", () => this.select());
    this.only.addEventListener("change", () => this.select());
    this.list.follows = false;
  }

  /** Shows what followed a row. */
  show({ row, say, events, left_out: leftOut }) {
    this.row = row;
    this.events = events;
    this.leftOut = leftOut;
    this.byPosition = new Map(events.map((event) => [event.at, event]));
    this.span = events.reduce((most, event) => Math.max(most, event.begin, event.end), 0);
    this.list.element.classList.toggle("no-times", this.span === 0);
    this.say(row, say);
    find("axis").hidden = this.span === 0;
    setText(find("axis").lastElementChild, duration(this.span));
    find("left-out").hidden = !leftOut;
    setText(find("left-out"), `${many(leftOut, "more event")} followed.`);
    this.choose(this.at);
  }

  say(row, [first = "", ...more]) {
    const line = make("p");
    const begins = row.what && first.startsWith(row.what);
    if (begins) line.append(make("b", "", quoted(row.what, { length: 200 })));
    line.append(make("bdi", "", cut(begins ? first.slice(row.what.length) : first, 400)));
    const rest = more.map((text) => make("p", "", make("bdi", "", cut(text, 400))));
    const say = find("say");
    // Said again only if it differs.
    if (say.textContent !== [line, ...rest].map((each) => each.textContent).join("")) {
      say.replaceChildren(line, ...rest);
    }
    say.classList.toggle("failed", row.failed);
  }

  has(at) {
    return this.byPosition.has(at);
  }

  /** Marks an event, and what led to it. */
  choose(at) {
    this.at = at;
    const event = this.byPosition.get(at);
    this.path = new Set(this.causes(event));
    const isValue = event?.kind === "value";
    find("only").hidden = !isValue && !this.only.checked;
    if (isValue) {
      this.value = event;
      find("only").querySelector("bdi").textContent = cut(event.name, 60);
    }
    this.select();
    if (this.list.chosen >= 0) this.list.reveal(this.list.chosen);
  }

  /** An event, its cause or what it answers, and so on. */
  *causes(event) {
    for (const seen = new Set(); event && !seen.has(event.at); ) {
      seen.add(event.at);
      yield event.at;
      event = this.byPosition.get(event.cause) ?? this.byPosition.get(event.answers);
    }
  }

  /** The events that the filter lets through. */
  select() {
    const text = this.filter.value.trim().toLowerCase();
    let events = this.events;
    if (this.only.checked && this.value) events = this.changing(this.value);
    if (text) events = events.filter((event) => this.matches(event, text));
    this.shown = events;
    this.list.chosen = events.findIndex((event) => event.at === this.at);
    this.list.setCount(events.length);
    this.list.element.classList.toggle("nothing", events.length === 0 && this.events.length > 0);
  }

  matches(event, text) {
    const texts = [event.name, event.by, event.layer, event.status, event.payload, event.kind];
    return `#${event.at}` === text || texts.some((each) => each.toLowerCase().includes(text));
  }

  /** What set a value, and what led to that. */
  changing(value) {
    const kept = new Set();
    for (const event of this.events) {
      if (event.kind !== "value" || event.name !== value.name || event.by !== value.by) continue;
      for (const at of this.causes(event)) kept.add(at);
    }
    return this.events.filter((event) => kept.has(event.at));
  }

  fill(element, event) {
    const [at, what, fall] = element.children;
    element.className = `event ${event.kind}`;
    element.classList.toggle("path", this.path.has(event.at));
    element.classList.toggle("failed", event.failed);
    element.setAttribute("aria-level", event.depth + 1);
    at.textContent = `#${event.at}`;
    what.style.paddingInlineStart = `${Math.min(event.depth, DEEPEST) * 0.75}rem`;
    const parts = [quoted(event.name, { name: "name", empty: "(no name)", length: 200 })];
    if (event.failed) parts.push(make("bdi", "status", `✗ ${cut(event.status || "failed", 60)}`));
    parts.push(quoted(event.payload, { name: "payload", length: 200 }));
    what.replaceChildren(...parts);
    this.drawFall(fall, event);
  }

  drawFall(fall, { begin, end }) {
    if (this.span === 0) return;
    const bar = fall.firstElementChild.style;
    bar.left = `min(${(begin / this.span) * 100}%, 100% - 3px)`;
    bar.width = `${((end - begin) / this.span) * 100}%`;
    const took = end > begin ? `, answered ${duration(end - begin)} later` : "";
    fall.title = `${duration(begin)} after the gesture${took}`;
  }
}
