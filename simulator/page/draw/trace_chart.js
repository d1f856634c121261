// The scenario as a message sequence chart: a lane for each process, time going down.
// SPDX-License-Identifier: MIT
import { chartLayout, crossing } from "../layout/chart.js";
import { rowLayout } from "../layout/rows.js";
import { store } from "../model/store.js";
import { make, setText, shape } from "./element.js";
import { Scroller } from "./scroller.js";

const ROW = 34;
const MIDDLE = 17; // of a row, where its circle is
const NOTE = 16;
const LEAST = 130; // width of a lane
const MOST = 240;
const LETTERS = 160; // of a label at most
const SIDE = 18; // of a lane, beside its line
const LETTER = 6.7; // width of one in a label
const SLOT = 7; // from one hold to the next at its side

function lettersOf(event) {
    return Math.min(LETTERS, Math.max(event.text.length, ...(event.notes ?? []).map((note) => note.length)));
}

// Of each process: letters of its longest label, and how many things it holds at once.
function needsOf(events, spans) {
    const needs = new Map();
    const of = (process) => needs.get(process) ?? needs.set(process, { letters: 0, slots: 0 }).get(process);
    for (const event of events) of(event.process).letters = Math.max(of(event.process).letters, lettersOf(event));
    for (const hold of spans.holds.flat()) of(hold.process).slots = Math.max(of(hold.process).slots, hold.slot + 1);
    return needs;
}

// A lane is as wide as its labels, up to MOST, but narrower where that makes them all fit: a label goes on over the lanes beside
// it, where its row has nothing.
function lanesOf(needs, room) {
    const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
    const lanes = needs.map(({ letters, slots }, i) => {
        const most = i + 1 < needs.length ? MOST : Infinity;
        const before = SIDE + Math.max(0, slots - 1) * SLOT;
        const label = letters * LETTER + SIDE;
        return { before, label, width: Math.max(before + LEAST - SIDE, Math.min(most, before + label)) };
    });
    const more = room - sum(lanes.map(({ width }) => width));
    const yielding = lanes.slice(0, -1).map(({ before, width }) => width - (before + LEAST - SIDE));
    const part = more < 0 ? Math.min(1, -more / Math.max(1, sum(yielding))) : 0;
    let left = 0;
    lanes.forEach((lane, i) => {
        lane.width += more > 0 ? more / lanes.length : -part * (yielding[i] ?? 0);
        Object.assign(lane, { left, x: left + lane.before });
        left += lane.width;
    });
    return lanes;
}

function tipOf(event, row) {
    const place = event.location ? `${event.location.file}:${event.location.line}` : "";
    const wrong = event.condition ? `went wrong: ${event.condition}` : "";
    return [`${row}. process ${event.process}: ${event.text}`, place, wrong, ...(event.notes ?? [])].filter(Boolean).join("\n");
}

class Chart {
    constructor() {
        this.head = make("div", { class: "lanes" });
        this.tip = make("div", { class: "chart-tip", role: "tooltip", hidden: true });
        this.scroller = new Scroller({
            label: "Scenario as a message sequence chart",
            head: this.head,
            render: (a, b) => [this.draw(a, b)],
            measure: () => this.measure(),
            across: () => this.across(),
        });
        const { element, layer } = this.scroller;
        element.classList.add("chart");
        element.append(this.tip);
        layer.addEventListener("mousemove", (event) => this.point(event));
        layer.addEventListener("mouseleave", () => (this.tip.hidden = true));
        element.addEventListener("scroll", () => (this.tip.hidden = true));
    }

    // What the mouse points at, in full.
    point({ target, clientX, clientY }) {
        const text = target.closest?.("[data-tip]")?.dataset.tip;
        this.tip.hidden = !text;
        if (!text) return;
        setText(this.tip, text);
        this.tip.style.left = `${Math.min(clientX + 12, innerWidth - this.tip.offsetWidth - 8)}px`;
        this.tip.style.top = `${Math.min(clientY + 16, innerHeight - this.tip.offsetHeight - 8)}px`;
    }

    relayout() {
        this.scroller.setRows(rowLayout(store.events, ROW, NOTE));
        this.spans = chartLayout(store.events);
        this.needs = needsOf(store.events, this.spans);
        this.room = -1;
    }

    measure() {
        const { processes } = store.where;
        const room = this.scroller.element.clientWidth;
        if (processes.length === this.lanes?.length && room === this.room) return;
        this.room = room;
        this.lanes = lanesOf(
            processes.map(({ process }) => this.needs.get(process) ?? { letters: 0, slots: 0 }),
            room,
        );
        this.width = Math.max(...this.lanes.map(({ left, width, x, label }) => Math.max(left + width, x + label)));
        this.scroller.space.style.width = this.head.style.width = `${this.width}px`;
        this.head.replaceChildren(
            ...processes.map(({ name }, i) => make("span", { style: `width:${this.lanes[i].width}px`, title: name, text: name })),
        );
    }

    // The lane of the last transition, and its label.
    across() {
        const event = store.events[store.where.position - 1];
        const lane = event && this.lanes[event.process - 1];
        return lane ? [lane.left, Math.min(this.width, lane.x + lettersOf(event) * LETTER + SIDE)] : null;
    }

    x(process) {
        return this.lanes[process - 1].x;
    }

    // The middle of a row's own line, below which its notes stand.
    y(row) {
        return this.scroller.rows.top[row] + MIDDLE;
    }

    fit(text) {
        return text.length > LETTERS ? `${text.slice(0, LETTERS - 1)}…` : text;
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
        const until = hold.ends ? `to step ${hold.last}` : "on";
        return shape("rect", {
            class: hold.first > position ? "hold future" : "hold",
            "data-tip": `process ${hold.process} holds ${hold.name}, from step ${hold.first} ${until}`,
            x: x - 2.5,
            width: 5,
            rx: 2,
            y: this.y(hold.first),
            height: Math.max(2, end - this.y(hold.first)),
        });
    }

    arrow(arrow, position) {
        const [x1, x2] = [this.x(arrow.from), this.x(arrow.to)];
        const [y1, y2] = [this.y(arrow.first), this.y(arrow.last)];
        const side = x1 === x2 ? 0 : Math.sign(x2 - x1) * 6;
        const path =
            x1 === x2 ? `M${x1} ${y1} C${x1 + 40} ${y1} ${x1 + 40} ${y2} ${x2 + 7} ${y2}` : `M${x1} ${y1} L${x2 - side} ${y2}`;
        return shape("path", {
            class: arrow.last > position ? "arrow future" : "arrow",
            d: path,
            "marker-end": "url(#tip)",
            "data-tip": `${arrow.text ?? "a message"}, from step ${arrow.first} to step ${arrow.last}`,
        });
    }

    // Arrows come from above: the text of a receive stands below its line, that of all others above.
    event(row, position) {
        const event = store.events[row - 1];
        const [x, y] = [this.x(event.process), this.y(row)];
        const text = event.condition ? `✗ ${event.text}` : event.text;
        const notes = (event.notes ?? []).map((note, i) =>
            shape("text", { class: "note", x: x + 12, y: y + MIDDLE + i * NOTE + 10 }, this.fit(note)),
        );
        return shape(
            "g",
            {
                class: `event${row > position ? " future" : ""}${event.condition ? " wrong" : ""}`,
                "data-row": row,
                "data-tip": tipOf(event, row),
            },
            shape("circle", { cx: x, cy: y, r: 4.5, "data-role": event.role ?? "none" }),
            shape("text", { x: x + 12, y: event.from?.length ? y + 13 : y - 5 }, this.fit(text)),
            ...notes,
        );
    }

    draw(first, last) {
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
