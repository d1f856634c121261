// Paints the part of the state space that is on the screen. What is off the screen is not looked at, and where states are
// closer than the eye can tell, only some are drawn; those with a note, on the way, or highlighted always are.
// SPDX-License-Identifier: MIT
import { levelsSee } from "../layout/levels.js";

const CLOSE = 3; // pixels between two states that are both worth drawing
const LETTER = 6.7; // width of one in a label
const LETTERS = 48; // of a label at most
const KINDS = { assertion: "assertion", deadlock: "deadlock", abort: "abort", end: "end" };

export function kindOf(note) {
    return note ? (KINDS[note.what] ?? "other") : "plain";
}

export class Painter {
    constructor(canvas, colours) {
        this.context = canvas.getContext("2d");
        this.colours = colours;
    }

    begin(space, camera) {
        this.space = space;
        this.camera = camera;
        this.drawn = 0;
        this.edges = 0;
        this.labelled = 0;
        const { x, parent } = space.layout;
        const { width, height } = camera.size;
        this.box = {
            left: camera.planeX(0) - 1,
            right: camera.planeX(width) + 1,
            top: camera.planeY(0),
            bottom: camera.planeY(height) + 1,
        };
        this.ways = {
            pitch: CLOSE / camera.sx > 1 ? CLOSE / camera.sx : 0,
            stride: Math.max(1, Math.ceil(CLOSE / camera.sy)),
            left: (s) => (parent[s] < 0 ? x[s] : Math.min(x[s], x[parent[s]])),
            right: (s) => (parent[s] < 0 ? x[s] : Math.max(x[s], x[parent[s]])),
        };
    }

    toX(state) {
        return this.camera.screenX(state);
    }

    toY(state) {
        return this.camera.screenY(state);
    }

    see(levels, act) {
        levelsSee(levels, this.box, this.ways, act);
    }

    // A line from each state to the one that it was first reached from.
    lines(levels, colour, width) {
        const { context, space } = this;
        const { parent } = space.layout;
        context.beginPath();
        this.see(levels, (state) => {
            if (parent[state] < 0) return;
            context.moveTo(this.toX(parent[state]), this.toY(parent[state]));
            context.lineTo(this.toX(state), this.toY(state));
            this.edges++;
        });
        context.strokeStyle = colour;
        context.lineWidth = width;
        context.stroke();
    }

    // Transitions to states that were reached before, as curves.
    curves(colour, width, want) {
        const { context, space } = this;
        const { start, list } = space.layout.others;
        context.beginPath();
        this.see(space.layout, (state) => {
            for (let k = start[state]; k < start[state + 1]; k++)
                if (want(list[k])) this.curve(space.from[list[k]], space.to[list[k]]);
        });
        context.strokeStyle = colour;
        context.lineWidth = width;
        context.stroke();
    }

    curve(from, to) {
        const [x1, y1, x2, y2] = [this.toX(from), this.toY(from), this.toX(to), this.toY(to)];
        const bend = from === to ? 14 : Math.min(40, Math.abs(y2 - y1) / 3 + 8);
        this.context.moveTo(x1, y1);
        this.context.bezierCurveTo(x1 + bend, y1 + bend / 2, x2 + bend, y2 - bend / 2, x2, y2);
        this.edges++;
    }

    radius() {
        return Math.max(1, Math.min(6, this.camera.sx * 0.35, this.camera.sy * 0.3));
    }

    dot(state, radius) {
        const [x, y] = [this.toX(state), this.toY(state)];
        if (x < -radius || x > this.camera.size.width + radius || y < -radius || y > this.camera.size.height + radius) return;
        this.drawn++;
        if (radius < 2) this.context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
        else {
            this.context.moveTo(x + radius, y);
            this.context.arc(x, y, radius, 0, 7);
        }
    }

    dots(levels, colour, radius, want = () => true) {
        this.context.beginPath();
        this.see(levels, (state) => want(state) && this.dot(state, radius));
        this.context.fillStyle = colour;
        this.context.fill();
    }

    noted(radius) {
        const { noted, noteOf } = this.space;
        for (const kind of ["end", "other", "abort", "deadlock", "assertion"])
            this.dots(noted, this.colours[kind], radius, (state) => kindOf(noteOf.get(state)) === kind);
    }

    ring(state, colour, radius, dashes = []) {
        const { context } = this;
        context.beginPath();
        context.setLineDash(dashes);
        context.arc(this.toX(state), this.toY(state), radius, 0, 7);
        context.strokeStyle = colour;
        context.lineWidth = 2;
        context.stroke();
        context.setLineDash([]);
    }

    // A label on each state that has room for some letters up to the next on its level.
    labels() {
        const { depth, by } = this.space.layout;
        let last = -1;
        this.context.font = "11px ui-monospace, monospace";
        const put = (next) => {
            const room = next >= 0 && depth[next] === depth[last] ? this.toX(next) - this.toX(last) : Infinity;
            if (last >= 0 && by[last] >= 0) this.label(last, by[last], Math.min(LETTERS, Math.floor((room - 24) / LETTER)));
        };
        this.see(this.space.layout, (state) => {
            put(state);
            last = state;
        });
        put(-1);
    }

    label(state, transition, letters) {
        const { context, space, colours } = this;
        const full = `${space.process[transition]}: ${space.labels[space.label[transition]]}`;
        if (letters < 6 || this.camera.sy < 26) return;
        const text = full.length > letters ? `${full.slice(0, letters - 1)}…` : full;
        const [x, y] = [this.toX(state) + 8, this.toY(state) - 3];
        context.fillStyle = colours.paper;
        context.fillRect(x - 2, y - 10, text.length * LETTER + 4, 13);
        context.fillStyle = space.highlighted[transition] ? colours.lit : colours.label;
        context.fillText(text, x, y);
        this.labelled++;
    }

    paint(space, camera, { labels, cursor }) {
        const { context, colours } = this;
        const { width, height, ratio } = camera.size;
        this.begin(space, camera);
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, width, height);
        this.lines(space.layout, colours.edge, 1);
        this.curves(colours.other_edge, 1, () => true);
        this.lines(space.walked, colours.walked, 2.5);
        this.lines(space.lit, colours.lit, 3);
        this.curves(colours.lit, 3, (t) => space.highlighted[t]);
        if (labels) this.labels();
        const radius = this.radius();
        this.dots(space.layout, colours.plain, radius);
        this.dots(space.walked, colours.walked, radius);
        this.noted(Math.max(2.5, radius + 1));
        if (space.current >= 0) this.ring(space.current, colours.walked, Math.max(6, radius + 4));
        if (cursor >= 0) this.ring(cursor, colours.label, Math.max(8, radius + 7), [3, 3]);
    }
}
