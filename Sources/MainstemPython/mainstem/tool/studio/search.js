// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0
//
// The search field, with what was found in a list below it.

import { ask, newest } from "./asking.js";
import { make, many, order, quoted, setText } from "./text.js";

/** It goes on by itself until so many are found; the user asks for more by going to the end. */
const ENOUGH = 50;

export class Search {
  /** go(at, row) is called when the user chooses what was found; at() is where the page is. */
  constructor(element, { go, at, failed }) {
    Object.assign(this, { go, at });
    this.input = element.querySelector("input");
    [this.results] = element.querySelectorAll("#results");
    [this.found, this.searched] = this.results.children;
    this.load = newest((isLate, text) => this.run(isLate, text), failed);
    this.forget();
    this.input.addEventListener("input", () => this.load(this.input.value.trim()));
    this.input.addEventListener("focus", () => this.open(this.text !== ""));
    this.input.addEventListener("keydown", (event) => this.key(event));
    element.addEventListener("focusout", ({ relatedTarget }) => {
      if (!element.contains(relatedTarget)) this.open(false);
    });
    this.found.addEventListener("pointerdown", (event) => event.preventDefault());
    this.found.addEventListener("click", (event) => this.click(event));
  }

  forget() {
    this.text = "";
    this.events = [];
    this.next = "0";
    this.active = -1;
    this.isNear = false;
  }

  /** Searches for a text as if it were typed. */
  start(text) {
    this.input.value = text;
    this.input.focus();
    this.load(text);
  }

  open(isOpen) {
    this.results.hidden = !isOpen;
    this.input.setAttribute("aria-expanded", isOpen);
  }

  async run(isLate, text) {
    if (text !== this.text) {
      this.forget();
      this.text = text;
      this.found.replaceChildren();
    }
    this.open(text !== "");
    const enough = this.events.length + ENOUGH;
    while (text && this.next && this.events.length < enough && !isLate()) {
      this.tell();
      const { found, next } = await ask("search", { q: text, from: this.next });
      if (isLate()) return;
      this.next = next;
      this.add(found);
    }
    this.tell();
  }

  tell() {
    const found = this.events.length ? `${many(this.events.length, "event")} found` : "";
    const isOver = this.events.length ? found : "Nothing is found";
    const isEnough = this.events.length >= ENOUGH;
    const searching = isEnough ? `${found}; ↓ at the end finds more` : `${found} Searching…`;
    setText(this.searched, this.next ? searching.trim() : isOver);
  }

  add(found) {
    for (const event of found) {
      const row = make("div", "result", make("span", "at", `#${event.at}`));
      row.role = "option";
      row.id = `found${this.events.length}`;
      row.append(quoted(event.name, { name: "name", empty: "(no name)", length: 100 }));
      row.append(quoted(event.payload, { name: "payload", length: 300 }));
      row.append(quoted(event.by, { name: "by", length: 60 }));
      this.events.push(event);
      this.found.append(row);
    }
    if (this.active < 0 || this.isNear) this.near();
  }

  /** Goes to what is last before the moment that is shown, until the user goes elsewhere. */
  near() {
    const index = this.events.findLastIndex(({ at }) => order(at, this.at()) <= 0);
    if (this.events.length) this.activate(Math.max(0, index));
    this.isNear = true;
  }

  activate(index) {
    this.found.children[this.active]?.setAttribute("aria-selected", "false");
    this.active = Math.min(Math.max(0, index), this.events.length - 1);
    const row = this.found.children[this.active];
    if (!row) return;
    row.setAttribute("aria-selected", "true");
    row.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", row.id);
    if (index >= this.events.length && this.next) this.load(this.text);
  }

  key(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    if (event.key in steps) {
      this.open(this.text !== "");
      this.isNear = false;
      this.activate(this.active + steps[event.key]);
    } else if (event.key === "Enter") {
      this.choose(this.active);
    } else if (event.key === "Escape") {
      if (this.results.hidden) this.input.blur();
      this.open(false);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  click(event) {
    const row = event.target.closest(".result");
    if (row) this.choose([...this.found.children].indexOf(row));
  }

  choose(index) {
    const event = this.events[index];
    if (!event) return;
    this.open(false);
    this.go(event.at, event.row);
  }
}
