// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0
//
// What a browser makes of the page: written into its end, for look.py to read.

"use strict";

const found = [];
const all = (which, below = document) => [...below.querySelectorAll(which)];
const place = (element) => element.getBoundingClientRect();
const told = (element) => (element.textContent || element.getAttribute("class")).trim().slice(0, 60);

const isInside = (inner, outer, slack = 1) =>
  inner.left >= outer.left - slack && inner.right <= outer.right + slack &&
  inner.top >= outer.top - slack && inner.bottom <= outer.bottom + slack;

const overlap = (one, other) =>
  Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
  Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;

const noneOverlaps = (what, elements) => {
  const sorted = elements.map((element) => [element, place(element)])
    .sort((one, other) => one[1].top - other[1].top);
  sorted.forEach(([element, here], index) => {
    for (let next = index + 1; next < sorted.length && sorted[next][1].top < here.bottom; next += 1) {
      if (overlap(here, sorted[next][1])) {
        found.push(`${what}: "${told(element)}" overlaps "${told(sorted[next][0])}"`);
      }
    }
  });
};

// Each text of a box or a card stands in it, its sign beside its name, and how often beside what.
for (const kind of all("a.kind, a.place")) {
  const box = place(kind.querySelector(".box"));
  for (const text of all(".sign, .name, .facts, .label, .often, .about", kind)) {
    if (!isInside(place(text), box)) found.push(`a text leaves its box: ${told(text)}`);
  }
  if (overlap(place(kind.querySelector(".sign")), place(kind.querySelector(".name")))) {
    found.push(`a sign and its name overlap: ${told(kind)}`);
  }
}
noneOverlaps("texts of cards", all("a.place text"));
for (const part of all("g.part")) {
  if (!isInside(place(part.querySelector("text")), place(part.querySelector("rect")))) {
    found.push(`the name of a part leaves its head: ${told(part)}`);
  }
}
// Everything drawn is on its picture.
for (const svg of all("svg")) {
  for (const element of all("rect, text, path, circle", svg)) {
    if (element.closest("defs")) continue;
    if (!isInside(place(element), place(svg), 3)) found.push(`off the picture: ${told(element)}`);
  }
}
noneOverlaps("boxes", [...all(".box"), ...all("g.part rect")]);
noneOverlaps("ticks", all(".tick"));
noneOverlaps("labels", all(".label"));
noneOverlaps("names of what comes next", [...all(".next"), ...all(".box")]);

// The page itself never scrolls sideways: what is wide scrolls in its frame.
if (document.documentElement.scrollWidth > innerWidth) found.push("the page is wider than the window");
// What can be clicked leads somewhere, and the keyboard reaches it.
for (const link of all("a")) {
  if (!document.getElementById(link.getAttribute("href").slice(1))) found.push("a link leads nowhere");
  if (link.tabIndex < 0) found.push("the keyboard does not reach a box");
}
for (const frame of all(".frame")) if (frame.tabIndex !== 0) found.push("no keyboard in a frame");

const result = document.createElement("script");
result.type = "application/json";
result.id = "checked";
result.textContent = JSON.stringify({
  found,
  boxes: all("a.kind").length,
  cards: all("a.place").length,
  parts: all("g.part").length,
  rows: all("tbody tr").length,
  bars: all(".bar").length,
  dark: getComputedStyle(document.body).backgroundColor,
});
document.body.append(result);
