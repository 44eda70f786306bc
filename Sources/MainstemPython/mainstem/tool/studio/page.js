// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0
//
// The page of `mainstem studio`: what is chosen, a row and an event, and everything that shows it.

import { ask, Ended, newest, pause, Refused } from "./asking.js";
import { Band } from "./band.js";
import { Chain, telling } from "./chain.js";
import { Happened, said } from "./happened.js";
import { Host } from "./host.js";
import { Chart } from "./map.js";
import { Play } from "./play.js";
import { Proof } from "./proof.js";
import { Search } from "./search.js";
import { Shown } from "./shown.js";
import { cut, duration, make, many, order, quoted, setText, shellWord } from "./text.js";
import { Visited } from "./visited.js";

const find = (id) => document.getElementById(id);

/** How often the journal is looked at, in ms: often, and when nothing has changed for long. */
const OFTEN = 250;
const SELDOM = 1000;
const LONG = 10_000;

/** What is chosen. Until the user chooses, the page follows: `isFree` is true. */
const chosen = { row: -1, at: "", isFree: true, isJump: false };
let status = { rows: 0, events: "0", first: "1", last: "0", failure: -1, opens: "" };
let hasEnded = false;

// Choosing ------------------------------------------------------------------------------------

const chain = new Chain((at) => byUser(() => select(at)));
const shown = new Shown(find("owners"), find("shown-title"), (at) => byUser(() => go(at)));
const happened = new Happened(find("rows"), {
  choose: (row) => byUser(() => choose(row)),
  grown: (row) => rowGrown(row),
  failed,
});
const search = new Search(find("search"), {
  go: (at, row) => {
    find("chain").focus();
    byUser(() => (row >= 0 ? choose(row, at) : go(at)));
  },
  at: () => chosen.at || status.last,
  failed,
});

const band = new Band(find("band"), {
  go: (at) => byUser(() => go(at)),
  choose: (row, at) => byUser(() => (row >= 0 ? choose(row, at) : go(at)), !band.isDragged),
  said: (row) => (happened.row(row) ? said(happened.row(row)) : ""),
  failed,
});
const visited = new Visited(find("earlier"), find("later"), (at) => byUser(() => go(at), false));
const play = new Play(find("play"), find("speed"), {
  row: () => chosen.row,
  choose: (row) => {
    chosen.isFree = false;
    choose(row);
  },
  failed,
});

const proof = new Proof(find("proof"), find("difference"), {
  go: (at) => byUser(() => go(at)),
  failed,
});

const host = new Host(find("window"), { failed, alarm });

const map = new Chart(find("map"), { find: (text) => search.start(text), failed });

/** Does what the user has asked for: a jump, or a step from where the page is. */
function byUser(act, isJump = true) {
  play.stop();
  Object.assign(chosen, { isFree: false, isJump });
  act();
}

/** Chooses a row and an event of it: the one that tells most, unless one is given. */
function choose(row, at = "") {
  if (row === chosen.row && at && chain.has(at)) return select(at);
  chosen.row = row;
  chosen.at = at;
  happened.list.mark(row);
  happened.list.reveal(row);
  loadChain();
}

/** Chooses an event of the row that is shown. */
function select(at) {
  chosen.at = at;
  visited.visit(at, chosen.isJump);
  chosen.isJump = false;
  setText(find("moment"), `#${at}`);
  setText(find("copied"), "");
  find("ended").hidden = !hasEnded;
  find("back").disabled = order(at, status.first) <= 0;
  find("forward").disabled = order(at, status.last) >= 0;
  chain.choose(at);
  proof.look(at);
  host.look(at);
  loadShown(at, chosen.row);
  loadWhy(at);
  loadEvent(at);
}

/** Chooses an event of any row. */
function go(at) {
  if (chain.has(at)) return select(at);
  chosen.at = at;
  setText(find("moment"), `#${at}`);
  findRow(at);
}

const findRow = newest(async (isLate, at) => {
  const { row } = await ask("why", { at });
  if (isLate() || at !== chosen.at) return;
  if (row === chosen.row || (row < 0 && chosen.row >= 0)) {
    select(at);
    // Of what is much, only a part is there.
    if (row >= 0 && chain.leftOut) loadChain();
  } else choose(row < 0 ? status.rows - 1 : row, at);
}, failed);

const loadChain = newest(async () => {
  const { row } = chosen;
  const answer = await ask("chain", { row, at: chosen.at || 0 });
  if (row !== chosen.row) return;
  const isOther = chain.row?.row !== row;
  chain.at = chosen.at || telling(answer.events) || answer.row.at;
  if (isOther) chain.filter.value = "";
  chain.show(answer);
  if (isOther || chain.at !== chosen.at) select(chain.at);
}, failed);

const loadShown = newest(async (isLate, at, row) => {
  const answer = await ask("shown", { at, row });
  if (!isLate()) shown.show(answer, chain.row);
}, failed);

const loadEvent = newest(async (isLate, at) => {
  if (!find("event").open) return;
  const { line, payload, fields } = await ask("event", { at });
  if (isLate()) return;
  find("event").querySelector("summary bdi").textContent = cut(line, 300);
  const list = fields.map(([name, text]) => make("div", "", make("dt", "", name), content(text)));
  find("event").querySelector("dl").replaceChildren(...list);
  find("event").querySelector("pre").textContent = payload;
}, failed);

function content(text) {
  return make("dd", "", quoted(String(text), { length: 200, empty: "–" }));
}

const loadWhy = newest(async (isLate, at) => {
  const { name, isValue, text, steps, time } = await ask("why", { at });
  if (isLate()) return;
  band.mark(at, time, chain.row ? said(chain.row) : "");
  const question = make("span", "question", "Why ");
  question.append(isValue ? "is " : "", make("b", "", quoted(name, { length: 80 })), " ");
  question.append(make("b", "", isValue && text ? quoted(text, { length: 60 }) : `#${at}`), "?");
  const list = make("ol", "", ...steps.map((step) => make("li", "", whyStep(step, at))));
  find("why").replaceChildren(question, list);
}, failed);

function whyStep(step, at) {
  const button = make("button", "", make("bdi", "", cut(step.text, 80)), ` #${step.at}`);
  button.type = "button";
  if (step.at === at) button.setAttribute("aria-current", "step");
  button.addEventListener("click", () => byUser(() => go(step.at)));
  return button;
}

/** A row that is shown has grown: so may what followed. */
function rowGrown(row) {
  if (row.row !== chosen.row || chain.row?.row !== row.row) return;
  const isSame = ["events", "values", "last", "failed", "count"].every(
    (name) => row[name] === chain.row[name],
  );
  if (isSame) return;
  if (chosen.isFree && chosen.row === status.rows - 1 && !status.opens) chosen.at = "";
  loadChain();
}

// Steps ---------------------------------------------------------------------------------------

function step(by) {
  if (!chosen.at) return;
  const at = String(BigInt(chosen.at) + BigInt(by));
  if (order(at, status.first) < 0 || order(at, status.last) > 0) return;
  byUser(() => go(at), false);
}

function stepRow(row) {
  if (row < 0 || row >= status.rows || row === chosen.row) return;
  byUser(() => choose(row), false);
}

function stepScreen(isNext) {
  const at = band.change(chosen.at, isNext);
  if (at) byUser(() => go(at), false);
}

function key(event) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by && event.altKey && !event.ctrlKey && !event.metaKey) {
    visited.step(by);
    return event.preventDefault();
  }
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const isTyping = event.target.matches("input:not([type=checkbox])");
  if (event.key === "Escape" && isTyping) return event.target.blur();
  if (isTyping) return;
  const isInPanel = event.target.closest("#owners, #event");
  if (event.target.matches("select")) return;
  const isControl = event.target.matches("button, summary, input");
  if (by) event.shiftKey ? stepRow(chosen.row + by) : step(by);
  else if (event.key === "/") find("search").querySelector("input").select();
  else if (event.key === "m") map.open();
  else if (event.key === " " && !isControl) play.toggle();
  else if (event.key === "PageUp" && !isInPanel) stepScreen(false);
  else if (event.key === "PageDown" && !isInPanel) stepScreen(true);
  else if (event.key === "Home" && !isInPanel) stepRow(0);
  else if (event.key === "End" && !isInPanel) byUser(() => last(), false);
  else return;
  event.preventDefault();
}

async function copyMoment() {
  const line = `mainstem studio ${shellWord(status.path)} --at ${chosen.at}`;
  try {
    await navigator.clipboard.writeText(line);
    setText(find("copied"), `Copied: ${line}`);
  } catch {
    setText(find("copied"), line);
  }
}

function hold() {
  const isHeld = happened.list.follows;
  happened.list.follows = !isHeld;
  find("hold").setAttribute("aria-pressed", isHeld);
  held = isHeld ? status.rows : -1;
  if (isHeld) chosen.isFree = false;
  else {
    happened.list.scrollTo(happened.list.end);
    byUser(() => choose(status.rows - 1));
    chosen.isFree = true;
  }
  tellHeld();
}

let held = -1;

function tellHeld() {
  const arrived = held < 0 ? 0 : status.rows - held;
  setText(find("hold"), arrived > 0 ? `Hold · ${arrived.toLocaleString("en")} new` : "Hold");
}

find("back").addEventListener("click", () => step(-1));
find("forward").addEventListener("click", () => step(1));
find("open-map").addEventListener("click", () => map.open());
find("copy").addEventListener("click", copyMoment);
find("hold").addEventListener("click", hold);
find("event").addEventListener("toggle", () => chosen.at && loadEvent(chosen.at));
document.addEventListener("keydown", key);

// The journal ---------------------------------------------------------------------------------

function failed(error) {
  if (error instanceof Ended) return end();
  if (!(error instanceof Refused)) throw error;
  alarm(error.message);
}

function end() {
  hasEnded = true;
  find("live").hidden = true;
  find("reading").hidden = true;
  alarm("mainstem studio has ended. What is shown stays; start it again to go on.");
}

function alarm(text) {
  find("ended").hidden = false;
  setText(find("ended"), cut(text, 500));
}

function tell() {
  const { name, events, duration: took, library } = status;
  const title = find("name");
  setText(title.firstElementChild, cut(name, 200));
  title.title = cut(status.path, 2000);
  document.title = `${cut(name, 80)} – Mainstem studio`;
  const facts = [many(events, "event"), took && duration(took)];
  if (library) facts.push(`Mainstem ${cut(library, 20)}`);
  const texts = facts.filter(Boolean).map((text) => make("bdi", "", text));
  find("facts").replaceChildren(...texts.flatMap((text, x) => (x ? [" · ", text] : [text])));
  setText(find("outside"), `${many(status.rows, "thing")} from outside`);
  find("live").hidden = !status.live || status.reading;
  find("reading").hidden = !status.reading;
  setText(find("reading").firstElementChild, `reading … ${Math.floor(status.done * 100)} %`);
  find("reading").lastElementChild.value = status.done;
  find("notes").hidden = status.notes.length === 0;
  find("notes").replaceChildren(
    ...status.notes.slice(0, 20).map((note) => make("li", "", make("bdi", "", cut(note, 500)))),
  );
  tellHeld();
}

/** Where the page opens: what the command line asks for, else the last failure, else the last. */
function open() {
  if (status.opens) go(status.opens);
  else if (status.failure >= 0) choose(status.failure);
  else last();
}

/** The last thing that happened: a gesture, or something late of an earlier one. */
const last = newest(async (isLate) => {
  const { row } = await ask("why", { at: status.last });
  if (isLate()) return;
  choose(row < 0 ? status.rows - 1 : row);
}, failed);

function took(next) {
  const before = status;
  status = next;
  if (JSON.stringify(before) === JSON.stringify(next)) return false;
  tell();
  happened.update(next);
  band.update(next);
  proof.update(next.proof, next.proofs);
  host.update(next.host, next.host_text);
  if (chosen.at) find("forward").disabled = order(chosen.at, next.last) >= 0;
  if (!chosen.isFree || next.rows === 0) return true;
  const isFirst = chosen.row < 0 && !chosen.at;
  const isRead = before.reading && !next.reading;
  const wasLast = !next.opens && chosen.row === before.rows - 1 && next.rows > before.rows;
  if (isFirst || isRead) open();
  else if (wasLast && !next.reading) choose(next.rows - 1);
  return true;
}

const seen = () =>
  new Promise((go) => document.addEventListener("visibilitychange", go, { once: true }));

async function follow() {
  let changed = performance.now();
  while (!hasEnded) {
    try {
      if (took(await ask("status"))) changed = performance.now();
    } catch (error) {
      failed(error);
      if (hasEnded) return;
    }
    await pause(performance.now() - changed > LONG ? SELDOM : OFTEN);
    if (document.hidden) await seen();
  }
}

follow();
