// The state-space view: pan, zoom, and click to drive the system to a state.
// SPDX-License-Identifier: MIT
import { move } from "../model/moves.js";
import { spaceLook } from "../model/space.js";
import { store, watch } from "../model/store.js";
import { Camera } from "./camera.js";
import { button, make, setText } from "../../../web/page/element.js";
import { filterView } from "./filter.js";
import { spaceKey, spaceMouse } from "./space_hands.js";
import { kindOf, Painter } from "./space_paint.js";
import { coloursOf } from "./colours.js";

export class SpaceView {
    constructor() {
        this.labels = false;
        this.cursor = -1; // the state that the arrow keys chose
        this.camera = new Camera();
        this.element = this.build();
        this.painter = new Painter(this.canvas, coloursOf(this.element));
        spaceMouse(this);
        new ResizeObserver(() => this.resized()).observe(this.canvas);
        watch(["space"], () => this.arrived());
        watch(["walked", "filter", "theme"], () => this.soon());
        watch(["theme"], () => (this.painter.colours = coloursOf(this.element)));
    }

    build() {
        this.canvas = make("canvas", {
            tabindex: "0",
            role: "application",
            "aria-label":
                "State space. Arrow keys choose a state, Enter drives the " +
                "system there, C centres, E examines, plus and minus zoom, H is home.",
            onkeydown: (event) => spaceKey(this, event),
        });
        this.tip = make("div", { class: "tip", role: "status" });
        this.none = make("p", { class: "none" });
        this.labelsButton = button("Labels", () => this.toggleLabels(), {
            key: "l",
            "aria-pressed": "false",
            title: "the operations of the transitions",
        });
        this.filterButton = button("Filter", () => this.toggleFilter(), {
            key: "f",
            "aria-pressed": "true",
            title: "highlight transitions",
        });
        this.summary = make("span", { class: "summary" });
        this.filter = filterView();
        return make(
            "section",
            { class: "space-view", "aria-label": "State space" },
            make(
                "div",
                { class: "buttons" },
                button("Home", () => this.home(), { key: "h", icon: "⌂", title: "the initial view" }),
                button("Zoom in", () => this.zoom(1), { key: "+", icon: "+", kind: "quiet" }),
                button("Zoom out", () => this.zoom(-1), { key: "-", icon: "−", kind: "quiet" }),
                this.labelsButton,
                this.filterButton,
                this.summary,
                this.legend(),
            ),
            make("div", { class: "space-body" }, make("div", { class: "canvas" }, this.canvas, this.tip, this.none), this.filter),
        );
    }

    legend() {
        const kinds = { walked: "scenario", assertion: "assertion", deadlock: "deadlock", abort: "abort", other: "other" };
        return make(
            "ul",
            { class: "legend", "aria-label": "colours" },
            ...Object.entries(kinds).map(([kind, text]) => make("li", {}, make("i", { class: `swatch ${kind}` }), text)),
        );
    }

    // The tab was chosen.
    look() {
        spaceLook();
        setText(
            this.none,
            store.hello.space
                ? store.space
                    ? ""
                    : "Laying out the state space…"
                : `There is no sss.VS in the output folder. To have one: verisoft ${store.hello.program} --save-state-space 1`,
        );
        this.soon();
    }

    toggleLabels() {
        this.labels = !this.labels;
        this.labelsButton.setAttribute("aria-pressed", String(this.labels));
        this.soon();
    }

    toggleFilter() {
        this.filter.hidden = !this.filter.hidden;
        this.filterButton.setAttribute("aria-pressed", String(!this.filter.hidden));
    }

    resized() {
        const { clientWidth: width, clientHeight: height } = this.canvas;
        const ratio = devicePixelRatio || 1;
        this.canvas.width = width * ratio;
        this.canvas.height = height * ratio;
        this.camera.resize({ width, height, ratio });
        this.draw();
    }

    arrived() {
        const { space } = store;
        this.camera.setLayout(space.layout);
        setText(this.none, "");
        setText(this.summary, `${space.states} states, ${space.from.length} transitions${space.complete ? "" : ", cut short"}`);
        this.soon();
    }

    soon() {
        this.frame ||= requestAnimationFrame(() => {
            this.frame = 0;
            this.draw();
        });
    }

    draw() {
        const { space } = store;
        if (!this.camera.ready || !space.lit) return;
        this.painter.paint(space, this.camera, { labels: this.labels, cursor: this.cursor });
        const { drawn, edges, labelled } = this.painter;
        const at =
            this.cursor < 0 ? "" : [this.camera.screenX(this.cursor), this.camera.screenY(this.cursor)].map(Math.round).join();
        const { states, current, litCount: lit } = space;
        const zoom = this.camera.sx.toPrecision(4);
        Object.assign(this.canvas.dataset, { drawn, edges, labelled, states, current, cursor: this.cursor, at, zoom, lit });
    }

    home() {
        this.camera.home();
        this.soon();
    }

    zoom(steps, px, py) {
        if (this.camera.ready) this.camera.zoom(steps, px, py);
        this.soon();
    }

    pan(dx, dy) {
        this.camera.pan(dx, dy);
        this.soon();
    }

    // The cursor goes there; `show` says how the camera follows.
    choose(state, show) {
        this.cursor = state;
        this.describe(state);
        show?.();
        this.soon();
    }

    visit(state) {
        this.choose(state);
        move("visit", { state });
    }

    centre(state) {
        this.choose(state, () => this.camera.centre(state));
    }

    examine(state) {
        if (!this.labels) this.toggleLabels();
        this.choose(state, () => this.camera.examine(state));
    }

    reach(state) {
        this.choose(state, () => this.camera.reach(state));
    }

    describe(state) {
        setText(this.tip, state < 0 ? "" : describe(store.space, state));
    }
}

function describe(space, state) {
    const by = space.layout.by[state];
    const note = space.noteOf.get(state);
    const words = [`state ${state}`];
    if (by >= 0) words.push(`by process ${space.process[by]}: ${space.labels[space.label[by]]}`);
    if (note) words.push(kindOf(note) === "end" ? "every process has ended" : note.what);
    if (note?.process) words.push(`process ${note.process}`);
    return words.join(" · ");
}
