// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0
//
// A list of any length, of which only the rows in view are elements. It has a scroll position of
// its own, since browsers cap the height of an element. Rows have one height, set by the style.

import { make } from "./text.js";

/** How many rows the strip moves before its rows are placed anew: keeps coordinates small. */
const REBASE = 2000;

let lists = 0;

export class List {
  /**
   * make() makes the element of a row, fill(element, index) shows what the row is now, choose(index)
   * is called when the user chooses one, drawn() after each drawing.
   */
  constructor(element, { make: makeRow, fill, choose, drawn = () => {} }) {
    Object.assign(this, { element, makeRow, fill, choose, drawn });
    this.count = 0;
    this.offset = 0;
    this.chosen = -1;
    this.follows = true;
    this.pool = [];
    this.base = 0;
    this.version = 0;
    this.height = 0;
    this.size = 20;
    this.id = `list${(lists += 1)}`;
    this.strip = make("div", "strip");
    this.strip.role = "presentation";
    this.thumb = make("div", "thumb");
    this.bar = make("div", "bar", this.thumb);
    this.bar.setAttribute("aria-hidden", "true");
    // As high as a row, whether one is shown or not.
    this.probe = make("div", "probe");
    element.append(this.strip, this.bar, this.probe);
    this.grow(1);
    this.measure();
    this.listen();
  }

  listen() {
    const resized = new ResizeObserver(() => this.measure());
    resized.observe(this.element);
    resized.observe(this.probe);
    this.element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.strip.addEventListener("click", (event) => this.click(event));
    this.bar.addEventListener("pointerdown", (event) => this.drag(event));
    this.strip.addEventListener("pointerdown", (event) => this.touch(event));
    // The browser may scroll what overflows by itself, to show a focus or a found text.
    this.element.addEventListener("scroll", () => (this.element.scrollTop = 0));
  }

  measure() {
    const { size, offset, chosen } = this;
    const top = chosen * size - offset;
    const wasInView = chosen >= 0 && top > -size && top < this.height;
    const wasAtEnd = this.follows && this.isAtEnd;
    this.height = this.element.clientHeight;
    this.size = this.probe.offsetHeight || size;
    this.pool.forEach((row) => (row.index = -1));
    this.scrollTo(wasAtEnd ? this.end : (offset / size) * this.size);
    if (wasInView) this.reveal(chosen);
  }

  get end() {
    return Math.max(0, this.count * this.size - this.height);
  }

  get isAtEnd() {
    return this.offset >= this.end - this.size / 2;
  }

  get first() {
    return Math.floor(this.offset / this.size);
  }

  /** How many rows are in view, those in part included. */
  get visible() {
    return Math.ceil(this.height / this.size) + 1;
  }

  setCount(count) {
    const stays = this.follows && this.isAtEnd;
    this.count = count;
    this.version += 1;
    this.element.style.setProperty("--rows", count);
    this.scrollTo(stays ? this.end : this.offset);
  }

  /** Shows anew what the rows in view are. */
  refresh() {
    this.version += 1;
    this.later();
  }

  mark(index) {
    this.chosen = index;
    this.refresh();
  }

  scrollTo(offset) {
    this.offset = Math.min(Math.max(0, offset), this.end);
    this.later();
  }

  /** Brings a row into view: by as little as possible if it is near, else into the middle. */
  reveal(index) {
    const top = index * this.size;
    const below = top + this.size - this.height;
    if (top >= this.offset && below <= this.offset) return;
    const isNear = Math.abs(top - this.offset - this.height / 2) < this.height / 2 + 2 * this.size;
    const nearest = top < this.offset ? top : below;
    this.scrollTo(isNear ? nearest : top - (this.height - this.size) / 2);
  }

  later() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.draw();
    });
  }

  grow(rows) {
    while (this.pool.length < rows) {
      const element = this.makeRow();
      element.id = `${this.id}-${this.pool.length}`;
      this.strip.append(element);
      this.pool.push({ element, index: -1, version: -1 });
      this.pool.forEach((row) => (row.index = -1));
    }
  }

  /** Row i is shown by element i modulo their number: scrolling by a row fills one element. */
  draw() {
    this.grow(this.visible);
    const { first, pool } = this;
    if (Math.abs(first - this.base) > REBASE) {
      this.base = first;
      pool.forEach((row) => (row.index = -1));
    }
    this.strip.style.transform = `translateY(${this.base * this.size - this.offset}px)`;
    for (let index = first; index < first + pool.length; index += 1) {
      const row = pool[index % pool.length];
      if (row.index === index && row.version === this.version) continue;
      this.place(row, index);
    }
    this.drawBar();
    this.drawn();
  }

  place(row, index) {
    const { element } = row;
    row.index = index;
    row.version = this.version;
    element.hidden = index >= this.count;
    element.style.transform = `translateY(${(index - this.base) * this.size}px)`;
    if (element.hidden) return;
    const isChosen = index === this.chosen;
    element.setAttribute("aria-posinset", index + 1);
    element.setAttribute("aria-setsize", this.count);
    element.setAttribute("aria-selected", isChosen);
    if (isChosen) this.element.setAttribute("aria-activedescendant", element.id);
    this.fill(element, index);
  }

  drawBar() {
    const isInView = this.chosen >= this.first && this.chosen < this.first + this.visible;
    if (!isInView) this.element.removeAttribute("aria-activedescendant");
    this.bar.hidden = this.end === 0;
    if (this.bar.hidden) return;
    const length = this.thumbLength;
    const top = (this.offset / this.end) * (this.height - length);
    this.thumb.style.height = `${length}px`;
    this.thumb.style.transform = `translateY(${top}px)`;
  }

  get thumbLength() {
    return Math.max(28, (this.height * this.height) / (this.count * this.size));
  }

  indexOf(target) {
    return this.pool.find((row) => row.element.contains(target))?.index ?? -1;
  }

  click(event) {
    const index = this.indexOf(event.target);
    if (index >= 0 && index < this.count) this.choose(index);
  }

  wheel(event) {
    if (event.ctrlKey || event.shiftKey) return;
    const unit = [1, this.size, this.height][event.deltaMode];
    const before = this.offset;
    this.scrollTo(before + event.deltaY * unit);
    // At an end, the page below scrolls on.
    if (this.offset !== before) event.preventDefault();
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const page = Math.max(1, Math.floor(this.height / this.size) - 1);
    const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page };
    steps.Home = -this.count;
    steps.End = this.count;
    if (!(event.key in steps) || this.count === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const from = this.chosen < 0 ? this.first : this.chosen;
    this.choose(Math.min(Math.max(0, from + steps[event.key]), this.count - 1));
  }

  /** Drags the thumb; a press beside it brings it there. */
  drag(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    const length = this.thumbLength;
    const thumb = this.thumb.getBoundingClientRect();
    const isOn = event.clientY >= thumb.top && event.clientY <= thumb.bottom;
    const grip = isOn ? event.clientY - thumb.top : length / 2;
    const move = ({ clientY }) => {
      const top = clientY - grip - this.bar.getBoundingClientRect().top;
      this.scrollTo((top / (this.height - length)) * this.end);
    };
    move(event);
    this.capture(this.bar, event, move);
  }

  touch(event) {
    if (event.pointerType !== "touch") return;
    const from = this.offset + event.clientY;
    this.capture(this.element, event, ({ clientY }) => this.scrollTo(from - clientY));
  }

  capture(element, { pointerId }, move) {
    const over = new AbortController();
    const { signal } = over;
    element.setPointerCapture(pointerId);
    element.addEventListener("pointermove", move, { signal });
    element.addEventListener("lostpointercapture", () => over.abort(), { signal });
  }
}
