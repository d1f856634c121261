// What gdb says of the processes on the screen: call stack, variables, printed expressions. Asked a moment after the last move,
// so that walking through the trace stays instant; what is late is dropped.
// SPDX-License-Identifier: MIT
import { ask, Gone, Refused } from "../../../web/page/client.js";
import { failed } from "../../../web/page/messages.js";
import { hasStack, processOf, store, update, watch } from "./store.js";

const CALM = 200; // milliseconds without a move before gdb is asked
const FAR = 1000; // transitions that its copy of the program may have to execute without being asked to

const shown = new Set(); // processes on the screen
let timer = 0;
let round = 0; // of asking; an older one's answers are dropped
let copyAt = 0; // position of gdb's copy

function entry(process) {
    if (!store.live.has(process))
        store.live.set(process, {
            seq: -1,
            frames: null,
            frame: 0,
            frameAt: -1,
            variables: null,
            problem: null,
            expression: "",
            printed: null,
        });
    return store.live.get(process);
}

function late(seq) {
    return seq !== store.where.seq || store.gone;
}

export function liveOf(process) {
    return entry(process);
}

async function answer(ask) {
    try {
        return { value: await ask };
    } catch (problem) {
        if (problem instanceof Refused) return { problem: problem.message };
        throw problem;
    }
}

async function refreshFrame(process, seq) {
    const live = entry(process);
    const variables = await answer(ask("locals", { process, frame: live.frame }));
    if (late(seq)) return;
    live.variables = variables.value?.variables ?? null;
    if (live.expression) await printed(process, seq);
}

async function printed(process, seq) {
    const live = entry(process);
    const expression = live.expression;
    const given = await answer(ask("print", { process, frame: live.frame, expression }));
    if (!late(seq) && live.expression === expression)
        live.printed = given.value ? { ...given.value, seq } : { expression, problem: given.problem, seq };
}

async function refresh(process, seq) {
    const live = entry(process);
    const stack = await answer(ask("stack", { process }));
    if (late(seq)) return;
    copyAt = store.where.position;
    live.frames = stack.value?.frames ?? null;
    live.problem = stack.problem ?? null;
    if (live.frameAt !== seq || live.frame >= live.frames?.length) live.frame = 0;
    live.variables = null;
    if (live.frames?.length) await refreshFrame(process, seq);
    live.seq = seq;
    update("live");
}

function wanted(process) {
    const it = processOf(process);
    return shown.has(process) && it && hasStack(it) && entry(process).seq !== store.where.seq;
}

async function refreshAll() {
    const mine = ++round;
    const seq = store.where.seq;
    const first = [store.selected, ...shown].filter((process, at, all) => all.indexOf(process) === at);
    for (const process of first) {
        if (mine !== round || late(seq)) return;
        if (wanted(process)) await refresh(process, seq);
    }
}

// The copy goes on with the trace, but not back: it begins anew. While it is on its way nothing else is answered.
export function liveFar() {
    const { position } = store.where;
    return position - (position < copyAt ? 0 : copyAt) > FAR;
}

export function liveAsk() {
    return refreshAll().catch(failed);
}

// A move is told a frame later: it may have led far away meanwhile.
function whenCalm() {
    if (!liveFar()) liveAsk();
}

function soon() {
    clearTimeout(timer);
    if (store.hello?.gdb && !store.gone && !liveFar()) timer = setTimeout(whenCalm, CALM);
}

export function liveStart() {
    watch(["where"], soon);
}

// A process view came onto the screen, or left it.
export function liveShow(process, visible) {
    if (visible) shown.add(process);
    else shown.delete(process);
    if (visible && store.where && wanted(process)) soon();
}

export async function liveFrame(process, frame) {
    Object.assign(entry(process), { frame, frameAt: store.where.seq });
    try {
        await refreshFrame(process, store.where.seq);
    } catch (problem) {
        failed(problem);
    }
    update("live");
}

// Prints now, and again after each move.
export async function livePrint(process, expression) {
    entry(process).expression = expression;
    entry(process).printed = null;
    if (expression) {
        try {
            await printed(process, store.where.seq);
        } catch (problem) {
            failed(problem);
        }
    }
    update("live");
}

// The value of what the mouse points at; null when it has none.
export async function livePeek(process, expression) {
    try {
        return await ask("print", { process, frame: entry(process).frame, expression });
    } catch (problem) {
        if (problem instanceof Gone) failed(problem);
        return null;
    }
}
