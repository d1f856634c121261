// What the page knows, in one place. Whoever changes a part says so by its name; whoever shows it is called once before the
// next frame.
// SPDX-License-Identifier: MIT

export const store = {
    hello: null,
    where: null,
    events: [], // the whole scenario, as far as it was asked for
    edition: -1, // of the events
    objects: [],
    sources: new Map(), // file: its text, or null while it is on its way
    live: new Map(), // process: what gdb said of it at the position
    space: null, // the state space with its layout
    selected: 1, // process that the keys s, n, c and p mean
    open: new Set(), // processes whose view is open
    gone: null, // why nothing answers any more
    busy: null, // the request that takes long
};

const watchers = new Map();
let changed = new Set();
let frame = 0;

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
    for (const part of changed) for (const show of watchers.get(part) ?? []) shows.add(show);
    changed = new Set();
    for (const show of shows) call(show);
}

export function update(part, value) {
    if (value !== undefined) store[part] = value;
    changed.add(part);
    frame ||= requestAnimationFrame(flush);
}

export function processOf(number) {
    return store.where?.processes.find((process) => process.process === number);
}

// Whether it has a call stack: it is there, and has not ended, unless that is what went wrong.
export function hasStack(process) {
    return process.state !== "ended" || store.where.condition?.process === process.process;
}

// It will be made by another on the way.
export function isUnborn(process) {
    return process.created === false;
}
