// What a page knows, in one place. Whoever changes a part says so by its name; whoever shows it is called once before the
// next frame.
// SPDX-License-Identifier: MIT

export const store = {}; // each page puts its own parts in

const watchers = new Map();
let changed = new Set();
let frame = 0;
let pressed = false; // the mouse, or a finger

export function watch(parts, show) {
    for (const part of parts) {
        if (!watchers.has(part)) watchers.set(part, new Set());
        watchers.get(part).add(show);
    }
}

// One view that fails must not keep the others from showing what is so.
function call(show) {
    try {
        show();
    } catch (problem) {
        reportError(problem);
    }
}

function flush() {
    const shows = new Set();
    frame = 0;
    if (pressed) return;
    for (const part of changed) for (const show of watchers.get(part) ?? []) shows.add(show);
    changed = new Set();
    for (const show of shows) call(show);
}

export function update(part, value) {
    if (value !== undefined) store[part] = value;
    changed.add(part);
    soon();
}

function soon() {
    frame ||= requestAnimationFrame(flush);
}

// What is pressed is still there when it is released: were it made anew in between, the click would be lost.
function release() {
    if (!pressed) return;
    pressed = false;
    if (changed.size) soon();
}

addEventListener("pointerdown", () => (pressed = true), true);
for (const end of ["pointerup", "pointercancel", "blur"]) addEventListener(end, () => setTimeout(release), true); // the click comes first
addEventListener("pointermove", ({ buttons }) => buttons || release(), true); // it was released outside
