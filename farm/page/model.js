// What the page knows of the farm, and how it stays true: it waits until the command says that something has changed, and asks again for what is shown.
// SPDX-License-Identifier: MIT
import { ask, Gone, wait } from "../../web/page/client.js";
import { failed } from "../../web/page/messages.js";
import { store, update } from "../../web/page/store.js";

export { store, update };
export const ROWS = 200; // of each state; more when they are asked for

Object.assign(store, {
    list: null, // as `list` of doc/farm.md
    most: ROWS,
    filter: { text: "", feature: "", state: "" },
    live: [], // what runs, as the verifiers tell it
    selected: null, // a property's name
    property: null, // as `show`
    automaton: null,
    trail: null, // the counter-example that is looked at
    step: 0, // of it
    source: null, // { file, line, text }
    view: "property", // on the right
    queue: null,
    features: null,
    model: null,
    history: null,
    gone: null,
});

export async function get(what, given) {
    try {
        return (await ask(what, given)).value;
    } catch (problem) {
        failed(problem);
        return undefined;
    }
}

const last = (value) => value?.at?.(-1);

async function refreshList() {
    const list = await get("list", { ...store.filter, most: store.most });
    if (list) update("list", list);
}

async function refreshProperty() {
    const name = store.selected;
    if (!name || !store.list) return;
    const [property, automaton] = await Promise.all([get("property", { name }), get("automaton", { name })]);
    if (name !== store.selected || !property) return;
    update("property", property);
    update("automaton", automaton ?? null);
    const first = property.shown[0];
    if (!first) update("trail", null);
    else if (!property.shown.some((one) => one.id === store.trail?.id)) await openTrail(first.id);
}

const OTHERS = { queue: "queue", features: "features", model: "model", history: "history" };

async function refreshOther() {
    const what = OTHERS[store.view];
    if (!what) return;
    const value = await get(what);
    if (value !== undefined) update(what, value);
}

export async function refresh() {
    await Promise.all([refreshList(), refreshProperty(), refreshOther()]);
}

export async function select(name, view = "property") {
    if (name !== store.selected) {
        update("trail", null);
        update("property", null);
        update("source", null);
    }
    update("selected", name);
    if (name && location.hash.slice(1) !== encodeURIComponent(name)) history.replaceState(null, "", `#${encodeURIComponent(name)}`);
    await show(name ? view : store.view);
}

export async function show(view) {
    update("view", view);
    await Promise.all([refreshProperty(), refreshOther()]);
}

export async function narrow(filter) {
    Object.assign(store.filter, filter);
    update("filter");
    await refreshList();
}

export async function more() {
    update("most", store.most * 5);
    await refreshList();
}

// ---- a counter-example ----

export async function openTrail(id) {
    const trail = await get("trail", { id });
    if (!trail) return;
    update("trail", trail);
    await goTo(0);
}

export function placeOf(step) {
    const match = step?.location?.match(/^(.*):(\d+)$/);
    return match ? { file: match[1], line: Number(match[2]) } : null;
}

export async function openSource(place) {
    if (!place) return;
    const text = store.source?.file === place.file ? store.source.text : await get("source", { file: place.file });
    if (text !== undefined) update("source", { ...place, text });
}

export async function goTo(step) {
    const steps = store.trail?.steps ?? [];
    update("step", Math.max(0, Math.min(steps.length - 1, step)));
    await openSource(placeOf(steps[store.step]) ?? placeOf(last(steps.slice(0, store.step).filter((one) => one.location))));
}

// ---- what is done ----

export async function act(what, given) {
    const value = await get(what, given);
    if (value !== undefined) await refresh();
    return value;
}

// Until the command is gone.
export async function listen() {
    let seq = 0;
    try {
        for (;;) {
            seq = await wait(seq);
            const live = await get("live");
            if (live) update("live", live);
            await refresh();
            if (store.gone) return;
        }
    } catch (problem) {
        if (problem instanceof Gone) update("gone", store.gone ?? "lost");
        else throw problem;
    }
}
