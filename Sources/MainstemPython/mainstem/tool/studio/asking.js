// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0
//
// Asks the process that serves this page.

/** The process answered that it cannot; the message is to be shown. */
export class Refused extends Error {}

/** Nothing answered. */
export class Ended extends Error {}

/** The answer to a question, for example ask("rows", { from: 0, count: 200 }). */
export function ask(what, fields = {}) {
  return answerTo(what, `${what}?${new URLSearchParams(fields)}`, { cache: "no-store" });
}

/** Has something done, for example act("go", { at: "12" }): `done` is false if it could not be. */
export function act(what, fields = {}) {
  const address = `${what}?${new URLSearchParams(fields)}`;
  return answerTo(what, address, { method: "POST", cache: "no-store" });
}

async function answerTo(what, address, options) {
  let answer;
  let body;
  try {
    answer = await fetch(address, options);
    body = await answer.json();
  } catch {
    if (answer) throw new Refused(`The answer to ${what} cannot be read`);
    throw new Ended();
  }
  if (!answer.ok) throw new Refused(body.error);
  return body;
}

export const pause = (ms) => new Promise((go) => setTimeout(go, ms));

/**
 * Runs one call at a time. Calls that come meanwhile replace each other: only the newest is made.
 * So a held key costs what the process can do, and an answer that comes late is never shown:
 * `run` is given a function that tells whether a newer call waits.
 */
export function newest(run, failed) {
  let isBusy = false;
  let waiting = null;
  return async (...values) => {
    waiting = values;
    if (isBusy) return;
    isBusy = true;
    try {
      while (waiting) {
        const these = waiting;
        waiting = null;
        await run(() => waiting !== null, ...these).catch(failed);
      }
    } finally {
      isBusy = false;
    }
  };
}
