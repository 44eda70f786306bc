// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0
//
// Elements, texts and times. Names and payloads come from a journal, which may be hostile: they
// become text of an element and nothing else, isolated from the direction of what is around them.

/** An element: make("p", "note", "Text", child) has the class note and two children. */
export function make(tag, name = "", ...children) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...children);
  return element;
}

/** Sets an attribute or a property of the page only where it differs. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** The beginning of a text: a row shows little of it, and browsers lay out all they are given. */
export function cut(text, length = 300) {
  if (text.length <= length) return text;
  const end = /[\uD800-\uDBFF]/.test(text[length - 1]) ? length - 1 : length;
  return text.slice(0, end) + "…";
}

/** A text of the journal, isolated. An empty one is told apart from none. */
export function quoted(text, { length = 300, empty = "", name = "" } = {}) {
  const element = make("bdi", text ? name : `${name} none`.trim(), cut(text, length) || empty);
  if (text.length > 40) element.title = cut(text, 2000);
  return element;
}

/** The order of two positions, which are texts because they have 64 bits. */
export function order(one, other) {
  return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
}

/** A number with its noun: "1 value", "19 values". */
export function many(number, noun) {
  return `${Number(number).toLocaleString("en")} ${noun}${Number(number) === 1 ? "" : "s"}`;
}

/** A time since the journal began; finer, if the whole of it is short. */
export function clock(ns, whole = Infinity) {
  const seconds = ns / 1e9;
  if (seconds < 1000) return seconds.toFixed(whole < 1e10 ? 3 : whole < 1e11 ? 2 : 1);
  const two = (number) => String(Math.floor(number)).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** The same with its unit. */
export function moment(ns) {
  return clock(ns) + (ns < 1e12 ? " s" : "");
}

/** How long something took. */
export function duration(ns) {
  if (ns < 1e3) return `${ns} ns`;
  if (ns < 1e6) return `${Number((ns / 1e3).toPrecision(3))} µs`;
  if (ns < 1e9) return `${Number((ns / 1e6).toPrecision(3))} ms`;
  return ns < 1e12 ? `${Number((ns / 1e9).toPrecision(3))} s` : clock(ns);
}

/** A text as one word of a shell. */
export function shellWord(text) {
  return /^[\w\/.,:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
