// The trace view: the scenario as a list or as a chart, and the buttons that walk through it.
// SPDX-License-Identifier: MIT
import { move, moveBy, moveTo } from "../model/moves.js";
import { store, watch } from "../model/store.js";
import { button, make, setName, setText } from "../../../web/page/element.js";
import { Tabs } from "../../../web/page/tabs.js";
import { traceChart } from "./trace_chart.js";
import { traceList } from "./trace_list.js";

export class TraceView {
    constructor() {
        this.list = traceList();
        this.chart = traceChart();
        this.views = { list: this.list, chart: this.chart };
        for (const { scroller } of Object.values(this.views)) scroller.onmoved = () => this.setMoving(false);
        this.tabs = new Tabs(
            "Trace as",
            [
                {
                    name: "list",
                    label: "List",
                    title: "key t: list or chart",
                    panel: make("div", { class: "panel" }, this.list.scroller.element),
                },
                {
                    name: "chart",
                    label: "Chart",
                    title: "key t: list or chart",
                    panel: make("div", { class: "panel" }, this.chart.scroller.element),
                },
            ],
            () => this.shown(),
        );
        this.element = this.build();
        watch(["events"], () => this.relayout());
        watch(["where"], () => this.show());
    }

    build() {
        this.count = make("output", { class: "count", "aria-label": "position", "aria-live": "polite" });
        this.moveButton = button("Move", () => this.setMoving(!this.moving()), {
            key: "m",
            icon: "↕",
            "aria-pressed": "false",
            title: "the red bar follows the mouse; a click goes there",
        });
        this.reset = button("Reset", () => move("reset"), { key: "Home", icon: "|◀", title: "to the initial state" });
        this.previous = button("Previous", () => moveBy(-1), { key: "ArrowLeft", icon: "◀", title: "one transition back" });
        this.next = button("Next event", () => moveBy(1), { key: "ArrowRight", icon: "▶", title: "one transition on" });
        this.toEnd = button("Go to end", () => move("end"), { key: "End", icon: "▶|", title: "to the end of the scenario" });
        return make(
            "section",
            { class: "view trace", "aria-label": "Trace" },
            make("header", {}, make("h2", { text: "Trace" }), this.tabs.element, this.count),
            make("div", { class: "buttons" }, this.reset, this.previous, this.next, this.moveButton, this.toEnd),
            ...this.tabs.entries.map(({ panel }) => panel),
        );
    }

    current() {
        return this.views[this.tabs.chosen].scroller;
    }

    moving() {
        return Boolean(this.current().moving);
    }

    setMoving(on) {
        this.moveButton.setAttribute("aria-pressed", String(on));
        for (const { scroller } of Object.values(this.views)) scroller.setMoving(false);
        if (on) {
            this.current().setMoving(true);
            this.current().element.focus();
        }
    }

    // Keys in move mode; gives whether it was one.
    movingKey(key) {
        const by = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[key];
        if (by) this.current().setGhost(this.current().ghostRow + by);
        else if (key === "Enter") {
            moveTo(this.current().ghostRow);
            this.setMoving(false);
        } else if (key === "Escape") this.setMoving(false);
        else return false;
        return true;
    }

    toggle() {
        this.tabs.choose(this.tabs.chosen === "list" ? "chart" : "list");
    }

    shown() {
        this.views[this.tabs?.chosen ?? "list"].scroller.follow();
    }

    relayout() {
        for (const view of Object.values(this.views)) view.relayout();
        this.show();
    }

    show() {
        const { position, length } = store.where;
        setText(this.count, `${position} of ${length}`);
        for (const one of [this.reset, this.previous])
            setName(one, "aria-disabled", String(position === 0 && !store.where.inside));
        for (const one of [this.next, this.toEnd]) setName(one, "aria-disabled", String(position === length));
        if (!this.list.scroller.rows) this.relayout();
        else this.current().follow();
    }
}
