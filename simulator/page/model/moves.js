// Moves: requests that change where the system stands. One at a time; presses that come while one is on its way become one move.
// SPDX-License-Identifier: MIT
import { ask, wait } from "../read/client.js";
import { failed } from "./messages.js";
import { store, update, watch } from "./store.js";

let queue = Promise.resolve();
let moving = false;
let target = null; // position that key presses asked for while a move was on its way

function inOrder(work) {
    queue = queue.then(work).catch(failed);
    return queue;
}

// When all moves that were asked for are done.
export async function settled() {
    await queue;
}

// Which of the known events still hold.
function kept(where) {
    if (where.edition === store.edition) return Math.min(store.events.length, where.length);
    return where.edition === store.edition + 1 ? Math.min(store.events.length, where.changed_from) : 0;
}

async function adopt(where) {
    const from = kept(where);
    if (from < where.length || from < store.events.length) {
        const fresh = from < where.length ? (await ask("trace", { from, to: where.length })).events : [];
        store.events.length = from;
        for (const event of fresh) store.events.push(event);
        update("events");
    }
    const another = from === 0 && store.edition >= 0 && store.edition !== where.edition;
    store.edition = where.edition;
    update("where", where);
    if (another) update("hello", await ask("hello")); // it may have been loaded, perhaps by another page
}

// Gives whether the command did it.
export function move(what, given) {
    let done = false;
    return inOrder(async () => {
        moving = true;
        try {
            await adopt((await ask(what, given)).where);
            done = true;
        } finally {
            moving = false;
        }
    }).then(() => done);
}

export function moveTo(position) {
    const to = Math.max(0, Math.min(position, store.where.length));
    const waiting = target !== null;
    target = to;
    if (!waiting)
        inOrder(async () => {
            const here = store.where.position;
            const wanted = target;
            target = null;
            if (wanted === here) return;
            const single = wanted === here + 1 ? "next" : wanted === here - 1 ? "previous" : "move";
            await adopt((await ask(single, single === "move" ? { to: wanted } : {})).where);
        });
}

// Forward or back by some transitions.
export function moveBy(count) {
    moveTo((target ?? store.where.position) + count);
}

export async function begin() {
    try {
        const hello = await ask("hello");
        update("hello", hello);
        await adopt(hello.where);
    } catch (problem) {
        failed(problem);
    }
}

// Hears what other pages do. A page that nobody sees does not listen.
export async function listen() {
    let stop = null;
    document.addEventListener("visibilitychange", () => document.hidden && stop?.abort());
    watch(["gone"], () => stop?.abort());
    while (!store.gone) {
        if (document.hidden) await new Promise((go) => document.addEventListener("visibilitychange", go, { once: true }));
        stop = new AbortController();
        try {
            const seq = await wait(store.where.seq, stop.signal);
            if (moving) await queue;
            if (seq !== store.where.seq && !store.gone) await inOrder(async () => adopt((await ask("where")).where));
        } catch (problem) {
            if (problem.name !== "AbortError" && !store.gone) failed(problem);
        }
    }
}
