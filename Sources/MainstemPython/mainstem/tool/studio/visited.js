// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0
//
// The events that the user has been at, to go back to and forward again.

const MOST = 1000;

export class Visited {
  /** The buttons go back and forward; go(at) is called to go to an event. */
  constructor(back, forward, go) {
    Object.assign(this, { back, forward, go });
    this.places = [];
    this.now = -1;
    back.addEventListener("click", () => this.step(-1));
    forward.addEventListener("click", () => this.step(1));
  }

  /** The page is at an event: by a jump; or by a step, which goes on from where it was. */
  visit(at, isJump) {
    if (this.places[this.now] === at) return;
    if (isJump || this.now < 0) this.places.length = this.now += 1;
    this.places[this.now] = at;
    if (this.places.length > MOST) this.now -= this.places.splice(0, 1).length;
    this.tell();
  }

  step(by) {
    if (!(this.now + by in this.places)) return;
    this.now += by;
    this.tell();
    this.go(this.places[this.now]);
  }

  tell() {
    this.back.disabled = this.now <= 0;
    this.forward.disabled = this.now >= this.places.length - 1;
  }
}
