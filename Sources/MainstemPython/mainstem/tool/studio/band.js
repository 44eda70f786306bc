// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0
//
// The band: what was on the screen when, and what happened. It is the slider through time.

import { ask, newest, pause } from "./asking.js";
import { cut, make, moment, order, setText } from "./text.js";

const SVG = "http://www.w3.org/2000/svg";
const KINDS = new Set(["screen", "dialog", "present", "overlay", "embed"]);
/** The width of the picture of the marks, in its own units; and where each kind begins and ends. */
const WIDE = 10_000;
const TICKS = { many: "5v6", usual: "2v12", failed: "0v16" };
/** So many pixels away is still meant; more is a drag. */
const NEAR = 4;
/** More marks than this are drawn thin. */
const CROWD = 250;
/** The band is asked for at most so often, in ms. */
const SELDOM = 1000;

function makeLane() {
  const name = make("span", "name", make("bdi"), " ", make("small"));
  return make("div", "lane", name, make("div", "track"));
}

/** The child at an index, made if it is not there. */
function child(element, index, makeChild) {
  return element.children[index] ?? element.appendChild(makeChild());
}

function cutChildren(element, count) {
  while (element.children.length > count) element.lastChild.remove();
}

export class Band {
  /**
   * go(at) and choose(row, at) are called when the user goes to an event; said(row) says in words
   * what a row is, or "".
   */
  constructor(element, { go, choose, said, failed }) {
    Object.assign(this, { element, go, choose, said });
    [this.lanes, this.ticks, this.head] = element.children;
    this.answer = { lanes: [], marks: [] };
    this.status = { duration: 0, first: "1", last: "1", rows: 0 };
    this.makeTicks();
    this.load = newest(async () => {
      this.show(await ask("band"));
      await pause(SELDOM);
    }, failed);
    this.find = newest(async (isLate, fields) => {
      const { at, row } = await ask("moment", fields);
      if (!isLate()) this.choose(row, at);
    }, failed);
    element.addEventListener("pointerdown", (event) => this.press(event));
    element.addEventListener("pointermove", (event) => this.tell(event));
  }

  makeTicks() {
    const picture = document.createElementNS(SVG, "svg");
    picture.setAttribute("viewBox", `0 0 ${WIDE} 16`);
    picture.setAttribute("preserveAspectRatio", "none");
    this.paths = Object.keys(TICKS).map((name) => {
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("class", name);
      return path;
    });
    picture.append(...this.paths);
    this.ticks.append(picture);
  }

  /** The journal has grown. */
  update(status) {
    this.status = status;
    this.element.hidden = status.rows === 0;
    if (status.rows) this.load();
  }

  show(answer) {
    this.answer = answer;
    answer.lanes.forEach((lane, index) => this.drawLane(child(this.lanes, index, makeLane), lane));
    cutChildren(this.lanes, answer.lanes.length);
    this.drawTicks();
    if (this.now) this.drawHead(this.place(this.now.time, this.now.at));
  }

  /** Where a moment is, from 0 to 1: by time, or by position if there are no times. */
  place(time, at) {
    const { duration, first, last } = this.status;
    const span = duration || Number(BigInt(last) - BigInt(first)) || 1;
    const from = duration ? time : Number(BigInt(at) - BigInt(first));
    return Math.min(Math.max(from / span, 0), 1);
  }

  // Drawing -------------------------------------------------------------------------------------

  drawLane(element, { name, bars }) {
    const [label, track] = element.children;
    const kinds = [...new Set(bars.map((bar) => bar.kind))].filter((kind) => kind !== "screen");
    setText(label.firstChild, cut(name, 80));
    label.title = cut(name, 500);
    setText(label.lastChild, kinds.join(", "));
    bars.forEach((bar, index) => this.drawBar(child(track, index, () => make("i")), bar));
    cutChildren(track, bars.length);
  }

  drawBar(element, bar) {
    const { kind, at, begin, last, end } = bar;
    const left = this.place(begin, at);
    const right = last ? this.place(end ?? begin, last) : 1;
    const drawn = `${left} ${right} ${kind} ${last}`;
    Object.assign(element, { bar });
    if (element.drawn === drawn) return;
    element.drawn = drawn;
    element.className = `${KINDS.has(kind) ? kind : ""} ${last ? "" : "open"}`;
    element.style.left = `${left * 100}%`;
    element.style.width = `${(right - left) * 100}%`;
  }

  drawTicks() {
    const lines = { many: [], usual: [], failed: [] };
    this.ticks.classList.toggle("crowded", this.answer.marks.length > CROWD);
    for (const { time, at, failed, many } of this.answer.marks) {
      const x = Math.round(this.place(time, at) * WIDE);
      lines[failed ? "failed" : many ? "many" : "usual"].push(x);
    }
    Object.entries(lines).forEach(([name, places], index) => {
      const path = places.map((x) => `M${x} ${TICKS[name]}`).join("");
      this.paths[index].setAttribute("d", path);
    });
  }

  drawHead(place) {
    this.element.style.setProperty("--now", place);
    this.head.classList.toggle("left", place > 0.9);
  }

  /** Shows where the chosen event is, and says what it is. */
  mark(at, time, words) {
    this.now = { at, time };
    setText(this.head.firstElementChild, `#${at}`);
    if (!this.isDragged) this.drawHead(this.place(time, at));
    const { duration, first, last } = this.status;
    const when = duration ? `, ${moment(time)}` : "";
    this.element.setAttribute("aria-valuemin", Number(first));
    this.element.setAttribute("aria-valuemax", Number(last));
    this.element.setAttribute("aria-valuenow", Number(at));
    this.element.setAttribute("aria-valuetext", `#${at}${when}${words ? `, ${words}` : ""}`);
  }

  /** Says what is below the pointer. */
  tell({ target, clientX }) {
    if (target.bar) {
      const { kind, begin, last, end } = target.bar;
      const name = target.closest(".lane").querySelector("bdi").textContent;
      const until = last ? moment(end ?? begin) : "now";
      const when = this.status.duration ? `, ${moment(begin)} to ${until}` : "";
      target.title = `${name}, ${cut(kind, 40)}${when}`;
      return;
    }
    const mark = this.near(clientX);
    const when = mark && this.status.duration ? `${moment(mark.time)} ` : "";
    this.ticks.title = mark ? `${when}${this.said(mark.row)}${mark.failed ? " ✗ failed" : ""}` : "";
  }

  // Going ---------------------------------------------------------------------------------------

  /** The nearest mark, if it is near. */
  near(x) {
    const { left, width } = this.ticks.firstChild.getBoundingClientRect();
    const away = (mark) => Math.abs(left + this.place(mark.time, mark.at) * width - x);
    const nearest = this.answer.marks.reduce(
      (one, mark) => (one && away(one) <= away(mark) ? one : mark),
      undefined,
    );
    return nearest && away(nearest) <= NEAR ? nearest : undefined;
  }

  press(event) {
    const { left, right } = this.ticks.firstChild.getBoundingClientRect();
    const { button, clientX, pointerId, target } = event;
    if (button !== 0 || clientX < left - NEAR || clientX > right + NEAR) return;
    const over = new AbortController();
    const { signal } = over;
    this.element.setPointerCapture(pointerId);
    const move = ({ clientX: x }) => {
      this.isDragged ||= Math.abs(x - clientX) > NEAR;
      if (this.isDragged) this.moveTo((x - left) / (right - left));
    };
    const end = ({ type }) => {
      over.abort();
      if (!this.isDragged && type === "pointerup") this.click(target, clientX);
      this.isDragged = false;
      if (this.now) this.drawHead(this.place(this.now.time, this.now.at));
    };
    this.element.addEventListener("pointermove", move, { signal });
    this.element.addEventListener("pointerup", end, { signal });
    this.element.addEventListener("pointercancel", end, { signal });
  }

  click(target, x) {
    const isOnTick = this.ticks.contains(target);
    const mark = isOnTick && this.near(x);
    // Where there are more rows than marks, a mark stands for several.
    const isSure = this.answer.marks.length >= this.status.rows;
    const { left, width } = this.ticks.firstChild.getBoundingClientRect();
    if (target.bar) this.go(target.bar.at);
    else if (mark && isSure) this.choose(mark.row, mark.many ? mark.at : "");
    else this.moveTo((x - left) / width);
  }

  /** Goes to the last event before a place between 0 and 1. */
  moveTo(place) {
    const { duration, first, last } = this.status;
    const inside = Math.min(Math.max(place, 0), 1);
    if (this.isDragged) this.drawHead(inside);
    if (duration) return this.find({ time: Math.round(inside * duration) });
    const steps = Math.round(inside * Number(BigInt(last) - BigInt(first)));
    return this.find({ at: String(BigInt(first) + BigInt(steps)) });
  }

  /** The position of the next change of what is on the screen, or the one before; "": none. */
  change(at, isNext) {
    const bars = this.answer.lanes.flatMap((lane) => lane.bars);
    const all = bars.flatMap((bar) => [bar.at, bar.last]).filter(Boolean);
    const there = all.filter((each) => (isNext ? order(each, at) > 0 : order(each, at) < 0));
    const nearest = (one, each) => (order(one, each) < 0 === isNext ? one : each);
    return there.length ? there.reduce(nearest) : "";
  }
}
