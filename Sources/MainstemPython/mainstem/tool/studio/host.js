// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0
//
// The program's own window, which shows the moment that the page shows.

import { act, newest } from "./asking.js";

export class Host {
  constructor(button, { failed, alarm }) {
    Object.assign(this, { button, failed, alarm });
    this.state = "none";
    this.text = "";
    this.at = "";
    this.go = newest(async (isLate, at) => {
      if (!isLate()) await act("go", { at });
    }, failed);
    button.addEventListener("click", () => this.toggle());
  }

  toggle() {
    const asked = this.state === "open" ? act("shut") : act("open", { at: this.at });
    asked.catch(this.failed);
  }

  /** How it stands now, and why it has ended by itself. */
  update(state, text) {
    if (state === this.state && text === this.text) return;
    Object.assign(this, { state, text });
    this.button.hidden = state === "none";
    this.button.disabled = state === "ending";
    this.button.setAttribute("aria-pressed", state === "open");
    if (text) this.alarm(`The window has closed: ${text}`);
    // What was chosen while it began.
    if (state === "open") this.look(this.at);
  }

  /** An event was chosen. */
  look(at) {
    this.at = at;
    if (this.state === "open" && at) this.go(at);
  }
}
