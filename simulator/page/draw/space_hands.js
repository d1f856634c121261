// What the mouse and the keys do in the state space.
// SPDX-License-Identifier: MIT
import { levelsNearest } from "../layout/levels.js";
import { store } from "../model/store.js";

const NOTCH = 100; // of a wheel
const STILL = 4; // pixels that a click may move

function place(canvas, event) {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
}

// Left drives the system there, middle centres, right examines; a press that moves pans.
export function spaceMouse(view) {
    const { canvas, camera } = view;
    let held = null;
    const stateAt = (event) => (camera.ready ? camera.stateAt(...place(canvas, event)) : -1);
    canvas.addEventListener("wheel", (event) => {
        event.preventDefault();
        view.zoom(-event.deltaY / NOTCH, ...place(canvas, event));
    });
    canvas.addEventListener("pointerdown", (event) => {
        held = { x: event.clientX, y: event.clientY, moved: false };
        canvas.setPointerCapture(event.pointerId);
        if (event.button === 1) event.preventDefault();
    });
    canvas.addEventListener("pointermove", (event) => {
        if (held && event.buttons && camera.ready) pan(view, held, event);
        else view.describe(stateAt(event));
    });
    canvas.addEventListener("pointerup", (event) => {
        const state = held && !held.moved ? stateAt(event) : -1;
        held = null;
        if (state >= 0) [() => view.visit(state), () => view.centre(state), () => view.examine(state)][event.button]?.();
    });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
}

function pan(view, held, event) {
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.moved && Math.hypot(dx, dy) < STILL) return;
    Object.assign(held, { x: event.clientX, y: event.clientY, moved: true });
    view.pan(dx, dy);
}

// Up to where a state came from, down to what comes of it, left and right on its level.
function neighbour(layout, state, key) {
    const at = layout.order.indexOf(state);
    const level = layout.depth[state];
    const onLevel = (i) => (i >= layout.start[level] && i < layout.start[level + 1] ? layout.order[i] : state);
    if (key === "ArrowLeft") return onLevel(at - 1);
    if (key === "ArrowRight") return onLevel(at + 1);
    const found = key === "ArrowUp" ? layout.parent[state] : levelsNearest(layout, level + 1, layout.x[state], layout.x);
    return found < 0 ? state : found;
}

export function spaceKey(view, event) {
    if (!view.camera.ready || event.ctrlKey || event.metaKey || event.altKey) return;
    const state = view.cursor < 0 ? Math.max(0, store.space.current) : view.cursor;
    const arrow = () => view.reach(view.cursor < 0 ? state : neighbour(store.space.layout, state, event.key));
    const acts = {
        Enter: () => view.visit(state),
        c: () => view.centre(state),
        e: () => view.examine(state),
        "+": () => view.zoom(1),
        "=": () => view.zoom(1),
        "-": () => view.zoom(-1),
        h: () => view.home(),
    };
    const act = event.key.startsWith("Arrow") ? arrow : acts[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
}
