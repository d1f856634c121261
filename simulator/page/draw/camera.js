// The part of the state space that is on the screen: a point of the plane in the middle, and how many pixels there are between
// states and between levels.
// SPDX-License-Identifier: MIT
import { levelsNearest } from "../layout/levels.js";

const EXAMINE = { sx: 190, sy: 64 };
const MOST = { sx: 220, sy: 90 };
const LEAST = 0.002;
const STEP = 1.4;
const NEAR = 12; // pixels from a state that still mean it

const within = (low, value, high) => Math.max(low, Math.min(high, value));

export class Camera {
    constructor() {
        this.size = null; // of the screen: { width, height, ratio }
        this.layout = null;
        this.atHome = true; // shows all, also when the screen changes
        Object.assign(this, { x: 0, y: 0, sx: 1, sy: 1 });
    }

    get ready() {
        return Boolean(this.layout && this.size?.width);
    }

    setLayout(layout) {
        this.layout = layout;
        this.home();
    }

    resize(size) {
        this.size = size;
        if (this.atHome) this.home();
    }

    home() {
        this.atHome = true;
        if (!this.ready) return;
        const { size, layout } = this;
        const levels = layout.start.length - 1;
        this.sx = within(LEAST, (size.width - 160) / Math.max(1, layout.width), EXAMINE.sx);
        this.sy = within(LEAST, (size.height - 40) / Math.max(1, levels - 1), EXAMINE.sy);
        this.x = layout.width / 2;
        this.y = (levels - 1) / 2;
    }

    // By some steps, around a point of the screen or around its middle.
    zoom(steps, px = this.size.width / 2, py = this.size.height / 2) {
        const [x, y] = [this.planeX(px), this.planeY(py)];
        this.atHome = false;
        this.sx = within(LEAST, this.sx * STEP ** steps, MOST.sx);
        this.sy = within(LEAST, this.sy * STEP ** steps, MOST.sy);
        this.x = x - (px - this.size.width / 2) / this.sx;
        this.y = y - (py - this.size.height / 2) / this.sy;
    }

    pan(dx, dy) {
        this.atHome = false;
        this.x -= dx / this.sx;
        this.y -= dy / this.sy;
    }

    centre(state) {
        this.atHome = false;
        this.x = this.layout.x[state];
        this.y = this.layout.depth[state];
    }

    examine(state) {
        Object.assign(this, EXAMINE);
        this.centre(state);
    }

    // Moves only if the state is not on the screen.
    reach(state) {
        const [x, y] = [this.screenX(state), this.screenY(state)];
        if (x < 30 || y < 20 || x > this.size.width - 30 || y > this.size.height - 20) this.centre(state);
    }

    screenX(state) {
        return (this.layout.x[state] - this.x) * this.sx + this.size.width / 2;
    }

    screenY(state) {
        return (this.layout.depth[state] - this.y) * this.sy + this.size.height / 2;
    }

    planeX(px) {
        return (px - this.size.width / 2) / this.sx + this.x;
    }

    planeY(py) {
        return (py - this.size.height / 2) / this.sy + this.y;
    }

    // The state at a point of the screen; -1: none.
    stateAt(px, py) {
        const state = levelsNearest(this.layout, Math.round(this.planeY(py)), this.planeX(px), this.layout.x);
        return state >= 0 && Math.hypot(this.screenX(state) - px, this.screenY(state) - py) <= NEAR ? state : -1;
    }
}
