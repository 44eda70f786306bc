// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether the program would do it again: a word in the header, and the first difference in its place.

import { act, ask, newest } from "./asking.js";
import { cut, make, quoted, setText } from "./text.js";

const WORDS = {
  ready: "",
  running: "proving …",
  proved: "✓ proved",
  stopped: "not proved",
  failed: "not proved",
};
/** What differs, unless it is one field. */
const SAID = {
  missing: "this event did not happen",
  extra: "an event happened that the journal does not have",
  digest: "the digest of all events up to here is another one",
};
/** What is compared, in the order of the two sides. */
const FIELDS = [
  ["type", "name"],
  ["origin", "by"],
  ["cause", "cause"],
  ["answers", "answers"],
  ["status", "status"],
  ["payload", "payload"],
];

export class Proof {
  /** go(at) is called when the user asks for the difference. */
  constructor(element, panel, { go, failed }) {
    Object.assign(this, { element, panel, go, failed });
    this.button = element.querySelector("[name=prove]");
    this.word = element.querySelector("[role=status]");
    this.link = element.querySelector("[name=go]");
    this.state = "none";
    this.found = {};
    this.button.addEventListener("click", () => act("prove").catch(failed));
    this.link.addEventListener("click", () => this.go(this.found.goes));
    this.load = newest(async (isLate) => {
      const found = await ask("proof");
      if (!isLate()) this.show(found);
    }, failed);
  }

  /** How it stands now, and how often it was tried. */
  update(state, turn) {
    if (state === this.state && turn === this.turn) return;
    Object.assign(this, { state, turn });
    this.element.hidden = state === "none";
    this.button.disabled = state === "running";
    this.load();
  }

  show(found) {
    this.found = found;
    const { state, text, at, goes } = found;
    this.element.className = state;
    setText(this.word, WORDS[state] ?? "");
    this.word.title = cut(text, 2000);
    this.link.hidden = !goes;
    setText(this.link, `✗ #${at}`);
    this.link.setAttribute("aria-label", `Go to the first difference, #${at}`);
    // What prevents a proof is said once, where all can read it.
    if (state === "failed" || state === "stopped") this.tell(text);
    else this.tell("");
    this.look(this.at);
  }

  tell(text) {
    const note = document.getElementById("unproved");
    note.hidden = !text;
    setText(note, text && `Not proved: ${cut(text, 2000)}`);
  }

  /** An event was chosen: the difference is shown beside its place. */
  look(at) {
    this.at = at;
    const { goes, field, text } = this.found;
    this.panel.hidden = !goes || goes !== at;
    if (this.panel.hidden) return;
    const title = this.panel.querySelector("h2");
    setText(title, `The program does something else now: ${SAID[field] ?? `another ${field}`}`);
    title.title = cut(text, 2000);
    this.panel.querySelector(".sides").replaceChildren(...this.sides());
  }

  sides() {
    const { recorded, actual } = this.found;
    return [
      this.side("recorded", "In the journal", recorded, actual, "Nothing."),
      this.side("actual", "In the proof", actual, recorded, "Nothing happened."),
    ];
  }

  side(name, title, event, other, nothing) {
    const side = make("div", `side ${name}`, make("h3", "", title));
    if (!event) {
      side.append(make("p", "nothing", nothing));
      return side;
    }
    const list = make("dl");
    for (const [word, field] of FIELDS) {
      const differs = other !== null && event[field] !== other[field];
      if (!event[field] && !differs) continue;
      const text = field === "payload" ? whole(event[field], other?.[field]) : quoted(event[field]);
      const value = make("dd", "", text);
      list.append(make("div", differs ? "differs" : "", make("dt", "", word), value));
    }
    side.append(list);
    return side;
  }
}

/** A payload, with what the other has not marked. */
function whole(text, other) {
  const element = make("pre");
  element.dir = "auto";
  if (other === undefined || other === text) {
    element.textContent = text;
    return element;
  }
  const [begin, end] = between(text, other);
  const from = Math.max(begin - 2000, 0);
  const to = Math.min(Math.max(end, begin) + 2000, text.length);
  element.append(from ? "…" : "", text.slice(from, begin));
  element.append(make("mark", "", cut(text.slice(begin, end), 4000)));
  element.append(text.slice(end, to), to < text.length ? "…" : "");
  return element;
}

/** Where a text begins and ends to differ from another; pairs of surrogates stay whole. */
function between(text, other) {
  const least = Math.min(text.length, other.length);
  let begin = 0;
  while (begin < least && text[begin] === other[begin]) begin += 1;
  let end = text.length;
  let there = other.length;
  while (end > begin && there > begin && text[end - 1] === other[there - 1]) {
    end -= 1;
    there -= 1;
  }
  const isLow = (index) => /[\uDC00-\uDFFF]/.test(text[index] ?? "");
  if (isLow(begin)) begin -= 1;
  if (isLow(end)) end += 1;
  return [begin, end];
}
