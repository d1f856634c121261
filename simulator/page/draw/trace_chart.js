// The scenario as a message sequence chart: a lane for each process, time going down.
// SPDX-License-Identifier: MIT
import { chartLayout, crossing } from "../layout/chart.js";
import { rowLayout } from "../layout/rows.js";
import { store } from "../model/store.js";
import { make, shape } from "./element.js";
import { Scroller } from "./scroller.js";

const ROW = 34;
const MIDDLE = 17; // of a row, where its circle is
const NOTE = 16;
const LEAST = 130; // width of a lane
const LETTER = 6.7; // width of one in a label
const SLOT = 7; // from one hold to the next at its side

class Chart {
    constructor() {
        this.head = make("div", { class: "lanes" });
        this.scroller = new Scroller({
            label: "Scenario as a message sequence chart",
            head: this.head,
            render: (a, b) => [this.draw(a, b)],
        });
        this.scroller.element.classList.add("chart");
    }

    relayout() {
        this.scroller.setRows(rowLayout(store.events, ROW, NOTE));
        this.spans = chartLayout(store.events);
        this.lanes = 0;
    }

    measure() {
        const lanes = store.where.processes.length;
        const width = Math.max(LEAST * lanes, this.scroller.element.clientWidth);
        if (lanes === this.lanes && width === this.width) return;
        this.lanes = lanes;
        this.width = width;
        this.lane = width / lanes;
        this.scroller.space.style.width = this.head.style.width = `${width}px`;
        this.head.replaceChildren(
            ...store.where.processes.map(({ name }) => make("span", { style: `width:${this.lane}px`, title: name, text: name })),
        );
    }

    x(process) {
        return (process - 1) * this.lane + 18;
    }

    // The middle of a row's own line, below which its notes stand.
    y(row) {
        return this.scroller.rows.top[row] + MIDDLE;
    }

    fit(text, room) {
        const letters = Math.max(4, Math.floor(room / LETTER));
        return text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
    }

    lifelines(first, last) {
        const { top, total } = this.scroller.rows;
        const end = last + 1 < top.length ? top[last + 1] : total;
        return store.where.processes.map(({ process }) =>
            shape("line", { class: "life", x1: this.x(process), x2: this.x(process), y1: top[first], y2: end }),
        );
    }

    hold(hold, position) {
        const x = this.x(hold.process) - 5 - hold.slot * SLOT;
        const end = hold.ends ? this.y(hold.last) : this.scroller.rows.total;
        return shape(
            "rect",
            {
                class: hold.first > position ? "hold future" : "hold",
                x: x - 2.5,
                width: 5,
                rx: 2,
                y: this.y(hold.first),
                height: Math.max(2, end - this.y(hold.first)),
            },
            shape("title", {}, `process ${hold.process} holds ${hold.name}`),
        );
    }

    arrow(arrow, position) {
        const [x1, x2] = [this.x(arrow.from), this.x(arrow.to)];
        const [y1, y2] = [this.y(arrow.first), this.y(arrow.last)];
        const side = x1 === x2 ? 0 : Math.sign(x2 - x1) * 6;
        const path =
            x1 === x2 ? `M${x1} ${y1} C${x1 + 40} ${y1} ${x1 + 40} ${y2} ${x2 + 7} ${y2}` : `M${x1} ${y1} L${x2 - side} ${y2}`;
        return shape(
            "path",
            { class: arrow.last > position ? "arrow future" : "arrow", d: path, "marker-end": "url(#tip)" },
            shape("title", {}, arrow.text ?? "message"),
        );
    }

    // Arrows come from above: the text of a receive stands below its line, that of all others above.
    event(row, position) {
        const event = store.events[row - 1];
        const [x, y] = [this.x(event.process), this.y(row)];
        const room = this.lane - 36;
        const notes = (event.notes ?? []).map((note, i) =>
            shape("text", { class: "note", x: x + 12, y: y + MIDDLE + i * NOTE + 10 }, this.fit(note, room)),
        );
        return shape(
            "g",
            { class: row > position ? "event future" : "event", "data-row": row },
            shape("title", {}, event.text),
            shape("circle", { cx: x, cy: y, r: 4.5, "data-role": event.role ?? "none" }),
            shape("text", { x: x + 12, y: event.from?.length ? y + 13 : y - 5 }, this.fit(event.text, room)),
            ...notes,
        );
    }

    draw(first, last) {
        this.measure();
        const { position } = store.where;
        const rows = [];
        for (let i = Math.max(1, first); i <= last; i++) rows.push(this.event(i, position));
        return shape(
            "svg",
            { width: this.width, height: this.scroller.rows.total, role: "img", "aria-label": "message sequence chart" },
            shape(
                "defs",
                {},
                shape(
                    "marker",
                    { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto" },
                    shape("path", { d: "M0 0 L8 4 L0 8 z" }),
                ),
            ),
            ...this.lifelines(first, last),
            ...[...crossing(this.spans.holds, first, last)].map((hold) => this.hold(hold, position)),
            ...[...crossing(this.spans.arrows, first, last)].map((arrow) => this.arrow(arrow, position)),
            ...rows,
        );
    }
}

export function traceChart() {
    const chart = new Chart();
    return { scroller: chart.scroller, relayout: () => chart.relayout() };
}
