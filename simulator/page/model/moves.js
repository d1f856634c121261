// Moves: requests that change where the system stands. One at a time; presses that come while one is on its way become one move.
// SPDX-License-Identifier: MIT
import { ask, wait } from "../../../web/page/client.js";
import { failed, forgive, tell, warn } from "../../../web/page/messages.js";
import { store, update, watch } from "./store.js";

let queue = Promise.resolve();
let moving = false;

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

async function meet() {
    const hello = await ask("hello");
    update("hello", hello);
    warn(hello);
    return hello;
}

// `renamed`: the scenario is another one.
async function adopt(where, renamed = false) {
    const from = kept(where);
    if (from < where.length || from < store.events.length) {
        const fresh = from < where.length ? (await ask("trace", { from, to: where.length })).events : [];
        store.events.length = from;
        for (const event of fresh) store.events.push(event);
        update("events");
    }
    const another = renamed || (from === 0 && store.edition >= 0 && store.edition !== where.edition);
    store.edition = where.edition;
    update("where", where);
    if (another) await meet(); // it may have been loaded, perhaps by another page
}

function leaving({ after, aside }) {
    const name = store.hello.scenario ?? "the scenario";
    return `This leaves ${name} after step ${after}; its other ${aside} steps are set aside. Key r brings them back.`;
}

// Gives whether the command did it.
export function move(what, given) {
    let done = false;
    return inOrder(async () => {
        moving = true;
        try {
            const reply = await ask(what, given);
            if (reply.where.departed && !store.where.departed) tell(leaving(reply.where.departed));
            await adopt(reply.where, what === "load" || what === "visit");
            forgive();
            warn(reply);
            done = true;
        } finally {
            moving = false;
        }
    }).then(() => done);
}

// What key presses asked for and is not on its way yet: each says where to from where. They count from where the moves before
// them lead to, which is known once those are done.
let presses = [];

function press(where) {
    presses.push(where);
    if (presses.length > 1) return;
    inOrder(async () => {
        const { position: here, length } = store.where;
        const to = presses.reduce((at, next) => Math.max(0, Math.min(next(at), length)), here);
        presses = [];
        if (to === here) return;
        const single = to === here + 1 ? "next" : to === here - 1 ? "previous" : "move";
        await adopt((await ask(single, single === "move" ? { to } : {})).where);
        forgive();
    });
}

export function moveTo(position) {
    press(() => position);
}

// Forward or back by some transitions.
export function moveBy(count) {
    press((at) => at + count);
}

export async function begin() {
    try {
        await adopt((await meet()).where);
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
