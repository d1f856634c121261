// What the simulator's page knows.
// SPDX-License-Identifier: MIT

import { store, update, watch } from "../../../web/page/store.js";

export { store, update, watch };

Object.assign(store, {
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
});

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
