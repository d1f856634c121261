// The state space, read and laid out by a worker when it is first looked at; where the scenario is in it; and the filter.
// SPDX-License-Identifier: MIT
import { ask } from "../../../web/page/client.js";
import { levelsKeep } from "../layout/levels.js";
import { failed, tell, warn } from "../../../web/page/messages.js";
import { store, update, watch } from "./store.js";

export const filter = { labels: new Set(), processes: new Set() };
let asked = false;
let way = []; // states of the scenario, -1 from where it leaves the state space

export function spaceLook() {
    if (asked || !store.hello.space) return;
    asked = true;
    const worker = new Worker("layout.js");
    worker.onmessage = ({ data }) => {
        worker.terminate();
        if (data.problem) tell(data.problem, "error");
        else adopt(data.space);
    };
}

function adopt(space) {
    const what = new Map(space.notes.map((note) => [note.state, note]));
    space.noteOf = what;
    space.noted = levelsKeep(space.layout, (state) => what.has(state));
    update("space", space);
    warn(space);
    follow();
    refilter();
}

function step(space, state, event) {
    const { start, list } = space.layout.out;
    for (let k = start[state]; k < start[state + 1]; k++) {
        const t = list[k];
        if (space.process[t] === event.process && space.labels[space.label[t]] === event.text) return space.to[t];
    }
    return -1;
}

function follow() {
    const space = store.space;
    if (!space) return;
    way = [0];
    for (const event of store.events) {
        const last = way[way.length - 1];
        way.push(last < 0 ? -1 : step(space, last, event));
    }
    place();
}

// The state at the position; -1 when the search did not save it.
function place() {
    const space = store.space;
    if (!space) return;
    const walked = new Set(way.slice(0, store.where.position + 1));
    space.current = way[store.where.position] ?? -1;
    space.walked = levelsKeep(space.layout, (state) => walked.has(state));
    update("walked");
}

export function spaceStart() {
    watch(["events"], follow);
    watch(["where"], place);
}

function passes(space, transition) {
    return filter.labels.has(space.label[transition]) && filter.processes.has(space.process[transition]);
}

export function refilter() {
    const { space } = store;
    if (!space) return;
    const on = filter.labels.size && filter.processes.size;
    space.highlighted = new Uint8Array(space.from.length);
    if (on) space.from.forEach((_, t) => (space.highlighted[t] = passes(space, t) ? 1 : 0));
    const { by } = space.layout;
    space.lit = levelsKeep(space.layout, (state) => by[state] >= 0 && space.highlighted[by[state]]);
    space.litCount = space.highlighted.reduce((sum, one) => sum + one, 0);
    update("filter");
}

export async function filterMatch(pattern) {
    try {
        const { labels } = await ask("match", { pattern });
        for (const label of labels) filter.labels.add(label);
        refilter();
    } catch (problem) {
        failed(problem);
    }
}

export function filterClear() {
    filter.labels.clear();
    filter.processes.clear();
    refilter();
}
