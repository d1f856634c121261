// The message sequence chart: arrows from each send to the receive that took its message and between the accesses of a data race, and
// holds from each take to its give.
// Both are found by the rows they cross, so that only those on the screen are drawn.
// SPDX-License-Identifier: MIT

const BUCKET = 64; // rows

function arrowsOf(events) {
    const arrows = [];
    events.forEach((event, i) => {
        for (const from of event.from ?? [])
            arrows.push({ first: from + 1, last: i + 1, from: events[from].process, to: event.process, text: event.result });
        for (const from of event.races ?? [])
            arrows.push({ first: from + 1, last: i + 1, from: events[from].process, to: event.process, race: true });
    });
    return arrows;
}

// What is held: an object, or one of its parts, as a semaphore of a set.
function held({ object, part }) {
    return `${object}.${part}`;
}

// A give ends the hold of its own process on that object, or else the oldest hold of anybody.
function endHold(open, event, row) {
    const holds = open.get(held(event)) ?? [];
    const own = holds.findIndex((hold) => hold.process === event.process);
    const [hold] = holds.splice(own < 0 ? 0 : own, 1);
    if (hold) {
        hold.last = row;
        hold.ends = true;
    }
}

function holdsOf(events) {
    const holds = [];
    const open = new Map();
    events.forEach((event, i) => {
        if (event.role === "give") endHold(open, event, i + 1);
        if (event.role !== "take") return;
        const hold = {
            process: event.process,
            object: event.object,
            name: event.object_name,
            first: i + 1,
            last: events.length,
            ends: false,
        };
        holds.push(hold);
        if (!open.has(held(event))) open.set(held(event), []);
        open.get(held(event)).push(hold);
    });
    return holds;
}

// Holds of one process that overlap stand side by side.
function giveSlots(holds) {
    const busy = new Map();
    for (const hold of holds) {
        const until = busy.get(hold.process) ?? [];
        const free = until.findIndex((row) => row < hold.first);
        hold.slot = free < 0 ? until.length : free;
        until[hold.slot] = hold.last;
        busy.set(hold.process, until);
    }
}

function bucketed(spans) {
    const buckets = [];
    for (const span of spans)
        for (let b = Math.floor(span.first / BUCKET); b <= Math.floor(span.last / BUCKET); b++) (buckets[b] ??= []).push(span);
    return buckets;
}

export function chartLayout(events) {
    const holds = holdsOf(events);
    giveSlots(holds);
    return { arrows: bucketed(arrowsOf(events)), holds: bucketed(holds) };
}

// Those spans that cross a row from `first` to `last`, each once.
export function crossing(buckets, first, last) {
    const found = new Set();
    for (let b = Math.floor(first / BUCKET); b <= Math.floor(last / BUCKET); b++)
        for (const span of buckets[b] ?? []) if (span.first <= last && span.last >= first) found.add(span);
    return found;
}
