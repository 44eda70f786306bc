// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0
//
// The maps, in a dialog: which part sends what to whom, and which ways led from screen to screen.

import { ask, newest } from "./asking.js";
import { cut } from "./text.js";

const SVG = "http://www.w3.org/2000/svg";
/** How much the picture grows by a step, and how small and large it can be. */
const STEP = 1.25;
const SMALLEST = 0.05;
const LARGEST = 4;
/** Smaller, a text cannot be read: then the picture is as wide as the window, and its top is seen. */
const READABLE = 0.6;
/** How far an arrow key moves the picture, and how far a press may move until it is a drag. */
const FAR = 80;
const NEAR = 4;

function draw(tag, fields, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(fields)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export class Chart {
  /** find(text) is called when the user asks for the events of a box or an arrow. */
  constructor(dialog, { find, failed }) {
    Object.assign(this, { dialog, find });
    this.tabs = [...dialog.querySelectorAll("[role=tab]")];
    this.panel = dialog.querySelector("[role=tabpanel]");
    this.note = dialog.querySelector("p");
    this.picture = this.panel.querySelector("svg");
    this.which = "parts";
    this.load = newest(() => this.ask(), failed);
    this.listen();
  }

  listen() {
    for (const tab of this.tabs) tab.addEventListener("click", () => this.choose(tab));
    const acts = { in: () => this.zoom(STEP), out: () => this.zoom(1 / STEP), fit: () => this.fit() };
    for (const [name, act] of Object.entries({ ...acts, close: () => this.dialog.close() })) {
      this.dialog.querySelector(`[name=${name}]`).addEventListener("click", act);
    }
    this.dialog.addEventListener("keydown", (event) => this.key(event));
    this.panel.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.panel.addEventListener("pointerdown", (event) => this.press(event));
    this.panel.addEventListener("focusin", ({ target }) => this.reveal(target));
    new ResizeObserver(() => this.chart && this.dialog.open && this.fit()).observe(this.panel);
  }

  open() {
    this.dialog.showModal();
    this.load();
  }

  async ask() {
    this.chart = null;
    this.picture.replaceChildren();
    this.note.textContent = "reading …";
    try {
      this.answer = await ask("map");
    } catch (error) {
      this.note.textContent = cut(error.message || "mainstem studio has ended", 500);
      throw error;
    }
    this.show();
  }

  choose(tab) {
    this.which = tab.value;
    if (this.answer) this.show();
    tab.focus();
  }

  show() {
    for (const tab of this.tabs) {
      const isChosen = tab.value === this.which;
      tab.setAttribute("aria-selected", isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      if (isChosen) this.panel.setAttribute("aria-labelledby", tab.id);
    }
    this.chart = this.answer[this.which];
    const none = this.which === "parts" ? "There are no events." : "No screens were shown.";
    this.note.textContent = this.chart ? this.answer.note : none;
    this.picture.replaceChildren();
    if (!this.chart) return;
    const { boxes, arrows, lines } = this.chart;
    const head = draw("path", { d: "M0 0 10 5 0 10z" });
    const marker = { id: "arrow", viewBox: "0 0 10 10", refX: 9, refY: 5, orient: "auto" };
    const size = { markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse" };
    this.picture.append(
      draw("marker", { ...marker, ...size }, head),
      ...(this.which === "parts" ? lines.map(({ d }) => draw("path", { d, class: "life" })) : []),
      ...arrows.map((arrow) => this.arrow(arrow)),
      ...boxes.map((box) => this.box(box)),
      ...(this.which === "parts" ? [] : lines.map(({ d }) => draw("path", { d, class: "rule" }))),
    );
    this.fit();
  }

  arrow(arrow) {
    const { d, kind, thin, head } = arrow;
    const seen = { d, class: thin ? "wire thin" : "wire" };
    if (head) seen["marker-end"] = "url(#arrow)";
    // What is seen is thin; what can be pressed is not.
    const parts = [draw("path", seen), draw("path", { d, class: "press" })];
    return this.thing(arrow, `arrow ${kind}`, parts);
  }

  box(box) {
    const { x, y, width, height, kind, texts } = box;
    const rect = draw("rect", { x, y, width, height, rx: kind === "part" ? 17 : 8 });
    const words = texts.map(({ text, name, ...place }) => draw("text", { ...place, class: name }, text));
    return this.thing(box, `box ${kind}`, [rect, ...words], { tabindex: 0 });
  }

  thing({ title, find, failed }, name, parts, fields = {}) {
    const said = cut(title, 1000);
    const names = `${name} ${failed ? "failing" : ""} ${find ? "found" : ""}`;
    const role = find && fields.tabindex === 0 ? "button" : "img";
    const group = draw("g", { class: names, role, "aria-label": said, ...fields });
    group.append(draw("title", {}, said), ...parts);
    group.found = find;
    return group;
  }

  // Moving --------------------------------------------------------------------------------------

  fit() {
    if (!this.chart) return;
    const { clientWidth, clientHeight } = this.panel;
    const { width, height } = this.chart;
    // Larger for those who have asked for larger text.
    const text = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    const wide = Math.min(clientWidth / width, text);
    const whole = Math.min(wide, clientHeight / height);
    this.scale = whole >= READABLE * text ? whole : Math.max(wide, READABLE * text);
    this.x = Math.min(0, (width - clientWidth / this.scale) / 2);
    this.y = Math.min(0, (height - clientHeight / this.scale) / 2);
    this.place();
  }

  place() {
    const { clientWidth, clientHeight } = this.panel;
    const [width, height] = [clientWidth / this.scale, clientHeight / this.scale];
    // Some of the picture always is in view.
    this.x = Math.min(Math.max(this.x, width * -0.8), this.chart.width - width * 0.2);
    this.y = Math.min(Math.max(this.y, height * -0.8), this.chart.height - height * 0.2);
    this.picture.setAttribute("viewBox", `${this.x} ${this.y} ${width} ${height}`);
  }

  /** Zooms around a point of the panel: its middle, unless another is given. */
  zoom(by, x = this.panel.clientWidth / 2, y = this.panel.clientHeight / 2) {
    if (!this.chart) return;
    const before = this.scale;
    this.scale = Math.min(Math.max(before * by, SMALLEST), LARGEST);
    this.x += x / before - x / this.scale;
    this.y += y / before - y / this.scale;
    this.place();
  }

  move(x, y) {
    if (!this.chart) return;
    this.x += x / this.scale;
    this.y += y / this.scale;
    this.place();
  }

  wheel(event) {
    event.preventDefault();
    const { left, top } = this.panel.getBoundingClientRect();
    this.zoom(event.deltaY < 0 ? STEP : 1 / STEP, event.clientX - left, event.clientY - top);
  }

  press(event) {
    if (event.button !== 0) return;
    const { clientX, clientY, pointerId, target } = event;
    let [lastX, lastY, isDrag] = [clientX, clientY, false];
    const over = new AbortController();
    const { signal } = over;
    const move = ({ clientX: x, clientY: y }) => {
      isDrag ||= Math.hypot(x - clientX, y - clientY) > NEAR;
      if (!isDrag) return;
      this.move(lastX - x, lastY - y);
      [lastX, lastY] = [x, y];
    };
    const end = ({ type }) => {
      over.abort();
      if (!isDrag && type === "pointerup") this.list(target);
    };
    this.panel.setPointerCapture(pointerId);
    this.panel.addEventListener("pointermove", move, { signal });
    this.panel.addEventListener("pointerup", end, { signal });
    this.panel.addEventListener("pointercancel", end, { signal });
  }

  /** Brings what has the focus into view. */
  reveal(target) {
    if (!target.matches("g:focus-visible")) return;
    const [box, view] = [target, this.panel].map((each) => each.getBoundingClientRect());
    const isInView =
      box.left >= view.left && box.right <= view.right && box.top >= view.top && box.bottom <= view.bottom;
    if (isInView) return;
    this.move(
      (box.left + box.right - view.left - view.right) / 2,
      (box.top + box.bottom - view.top - view.bottom) / 2,
    );
  }

  /** Lists the events of a box or an arrow. */
  list(target) {
    const text = target.closest(".found")?.found;
    if (!text) return;
    this.dialog.close();
    this.find(text);
  }

  key(event) {
    event.stopPropagation();
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { key, target } = event;
    const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [];
    const isTab = this.tabs.includes(target);
    if (isTab && x) this.choose(this.tabs.find((tab) => tab !== target));
    else if (x !== undefined && !isTab) this.move(x * FAR, y * FAR);
    else if (key === "+" || key === "=") this.zoom(STEP);
    else if (key === "-") this.zoom(1 / STEP);
    else if (key === "0") this.fit();
    else if (key === "m") this.dialog.close();
    else if ((key === "Enter" || key === " ") && target.matches("g")) this.list(target);
    else return;
    event.preventDefault();
  }
}
