// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0
//
// What is wrong with how the studio's page looks now, as a list of texts: for studio.py, which runs
// this as the body of a function.

"use strict";

const found = [];
const told = (element) => `${element.tagName} ${element.textContent.trim().slice(0, 40)}`;
const isSeen = (element) => element.checkVisibility() && element.getClientRects().length > 0;

// The colors of a style, as numbers from 0 to 1; the last is how much it covers.
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const colors = new Map();
const channels = (color) => {
  if (!colors.has(color)) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    colors.set(color, [...canvas.getImageData(0, 0, 1, 1).data].map((each) => each / 255));
  }
  return colors.get(color);
};

const ground = (element) => {
  for (let below = element; below; below = below.parentElement) {
    const color = channels(getComputedStyle(below).backgroundColor);
    if (color[3] === 1) return color;
  }
  return [1, 1, 1, 1];
};

const light = ([red, green, blue]) => {
  const linear = (each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
};

const contrast = (one, other) => {
  const [dark, bright] = [light(one), light(other)].sort((first, second) => first - second);
  return (bright + 0.05) / (dark + 0.05);
};

const hasText = (element) =>
  [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());

for (const element of document.body.querySelectorAll("*")) {
  if (!hasText(element) || !isSeen(element) || element.matches(":disabled")) continue;
  const measured = contrast(channels(getComputedStyle(element).color), ground(element));
  if (measured < 4.5) found.push(`${told(element)}: a contrast of ${measured.toFixed(2)}`);
}

// Nothing to press or to type in is cut, nor off the page; the page does not scroll sideways.
for (const control of document.querySelectorAll("button, input, summary, h1, #say")) {
  if (!isSeen(control)) continue;
  const place = control.getBoundingClientRect();
  if (place.left < -1 || place.right > innerWidth + 1) found.push(`${told(control)}: off the page`);
  if (control.tagName === "BUTTON" && control.scrollWidth > control.clientWidth + 1) {
    found.push(`${told(control)}: cut`);
  }
}
if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");

// Rows of a list stand below each other.
for (const list of document.querySelectorAll(".list")) {
  const rows = [...list.querySelectorAll(".strip > :not([hidden])")]
    .map((row) => row.getBoundingClientRect())
    .sort((one, other) => one.top - other.top);
  rows.forEach((row, index) => {
    if (index && Math.abs(row.top - rows[index - 1].bottom) > 1) found.push("rows overlap or gape");
  });
  if (rows.length && list.clientHeight < rows[0].height) found.push(`${list.id}: no room`);
}

return found;
