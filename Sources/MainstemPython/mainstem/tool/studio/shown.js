// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0
//
// What every owner shows after an event, and what the gesture has changed up to it.

import { cut, make, many, quoted } from "./text.js";

/** How many values of an owner are seen at once, if no more of them changed. */
const FEW = 6;
/** How many owners are open that did not change, and how many are made at once. */
const OPEN = 8;
const AT_ONCE = 200;

export class Shown {
  /** go(at) is called when the user asks for the event that set a value. */
  constructor(element, title, go) {
    Object.assign(this, { element, title, go });
    /** What the user opened and closed, by name. */
    this.open = new Map();
  }

  show({ at, owners }, row) {
    const what = row?.what || row?.verb;
    const changed = owners.some((owner) => owner.values.some((value) => value.changed));
    const small = make("small");
    if (changed) small.append("what ", make("bdi", "", cut(what || "it", 40)), " changed is green");
    this.title.replaceChildren(`Shown after #${at}`, small);
    this.at = at;
    this.keepFocus(() => {
      this.element.replaceChildren();
      this.add(owners, 0);
      if (owners.length === 0) this.element.append(make("p", "nothing", "Nothing is shown yet."));
    });
  }

  /** The same button has the focus after the values were made anew. */
  keepFocus(change) {
    const focused = this.element.contains(document.activeElement) ? document.activeElement : null;
    const { scrollTop } = this.element;
    change();
    this.element.scrollTop = scrollTop;
    if (!focused?.dataset.key) return;
    const same = [...this.element.querySelectorAll("[data-key]")].find(
      (element) => element.dataset.key === focused.dataset.key,
    );
    (same ?? this.element).focus({ preventScroll: true });
  }

  add(owners, from) {
    const some = owners.slice(from, from + AT_ONCE).map((owner, x) => this.owner(owner, from + x));
    this.element.append(...some);
    const left = owners.length - from - some.length;
    if (left <= 0) return;
    const more = make("button", "more", `${many(left, "more owner")}`);
    more.addEventListener("click", () => {
      more.remove();
      this.add(owners, from + AT_ONCE);
      this.element.children[from + AT_ONCE].firstElementChild.focus();
    });
    this.element.append(more);
  }

  owner(owner, index) {
    const { values } = owner;
    const key = `${owner.scope} ${owner.owner}`;
    const changed = values.filter((value) => value.changed);
    const rest = values.filter((value) => !value.changed);
    const seen = rest.splice(0, Math.max(0, FEW - changed.length));
    const heading = make("summary", "", quoted(owner.owner, { empty: "(no name)", length: 120 }));
    if (owner.which) heading.append(make("bdi", "which", cut(owner.which, 40)));
    const word = owner.isGone ? "gone · " : owner.isNew ? "new · " : "";
    heading.append(make("small", "", word + many(values.length, "value")));
    const group = make("details", owner.isGone ? "owner gone" : "owner", heading);
    this.remember(group, heading, key, changed.length > 0 || index < OPEN);
    group.append(this.table(key, [...changed, ...seen]));
    if (rest.length) group.append(this.fold(key, rest));
    return group;
  }

  fold(key, values) {
    const heading = make("summary", "", `${values.length.toLocaleString("en")} more`);
    const group = make("details", "rest", heading);
    this.remember(group, heading, `${key} more`, false);
    // Made when they are looked at first.
    const fill = () => group.children.length > 1 || group.append(this.table(key, values));
    if (group.open) fill();
    group.addEventListener("toggle", fill);
    return group;
  }

  remember(group, heading, key, isOpen) {
    heading.dataset.key = key;
    group.open = this.open.get(key) ?? isOpen;
    heading.addEventListener("click", () => this.open.set(key, !group.open));
  }

  table(key, values) {
    return make("dl", "", ...values.map((value) => this.value(key, value)));
  }

  value(key, value) {
    const content = make("dd");
    if (value.changed && value.old !== null) {
      content.append(make("del", "", quoted(value.old, { length: 400, empty: "–" })), " ");
    }
    const now = quoted(value.text, { length: 400, empty: "–" });
    content.append(value.changed ? make("ins", "", now) : now);
    const go = make("button", "at", `#${value.at}`);
    go.type = "button";
    go.title = "Go to the event that set it";
    go.dataset.key = `${key} ${value.name}`;
    go.setAttribute("aria-label", `${cut(value.name, 60)} was set by #${value.at}`);
    go.addEventListener("click", () => this.go(value.at));
    const row = make("div", value.changed ? "shows changed" : "shows");
    row.classList.toggle("chosen", value.at === this.at);
    row.append(make("dt", "", quoted(value.name, { empty: "(no name)" })), content, go);
    return row;
  }
}
