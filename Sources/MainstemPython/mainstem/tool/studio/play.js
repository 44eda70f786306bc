// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0
//
// Plays what happened, gesture by gesture, with the pauses between them.

import { ask, pause } from "./asking.js";
import { setText } from "./text.js";

/** A pause is no longer than this, in ms; and this long where the journal has no times. */
const LONGEST = 2000;
const USUAL = 500;

export class Play {
  /** row() is the row that is chosen, choose(row) chooses another. */
  constructor(button, speed, { row, choose, failed }) {
    Object.assign(this, { button, speed, row, choose, failed });
    this.turn = 0;
    button.addEventListener("click", () => this.toggle());
  }

  toggle() {
    if (this.isPlaying) this.stop();
    else this.run().catch((error) => this.fail(error));
  }

  fail(error) {
    this.stop();
    this.failed(error);
  }

  stop() {
    this.turn += 1;
    this.tell(false);
  }

  tell(isPlaying) {
    this.isPlaying = isPlaying;
    setText(this.button, isPlaying ? "Pause" : "Play");
    document.body.classList.toggle("playing", isPlaying);
  }

  async run() {
    const turn = (this.turn += 1);
    const isOver = () => turn !== this.turn;
    this.tell(true);
    let row = Math.max(this.row(), 0);
    const { rows_in_all: all } = await ask("rows", { from: row, count: 0 });
    if (row >= all - 1 && !isOver()) this.choose((row = 0));
    while (!isOver()) {
      const { rows } = await ask("rows", { from: row, count: 2 });
      if (isOver()) return;
      if (rows.length < 2) return this.stop();
      await pause(this.between(...rows));
      if (!isOver()) this.choose((row += 1));
    }
  }

  between(one, next) {
    const between = next.time ? (next.time - one.time) / 1e6 : USUAL;
    return Math.min(Math.max(between, 0), LONGEST) / Number(this.speed.value);
  }
}
