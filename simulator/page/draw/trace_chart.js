// The scenario as a message sequence chart: a lane for each process, time going down.
// SPDX-License-Identifier: MIT
import { chartLayout, crossing } from "../layout/chart.js";
import { rowLayout } from "../layout/rows.js";
import { store } from "../model/store.js";
import { make, setText, shape } from "../../../web/page/element.js";
import { Scroller } from "./scroller.js";

const ROW = 24;
const MIDDLE = 12; // of a row, where its circle is
const NOTE = 16;
const NUMBERS = 40; // width of the column of step numbers
const LEAST = 46; // width of a lane
const NAMED = 84; // of a lane that has room for its process's name
const LETTERS = 160; // of a label at most
const SIDE = 14; // from the line of a lane to a label
const LETTER = 6.7; // width of one in a label
const SLOT = 9; // from one hold to the next at its side

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

// A lane is as wide as its labels where that makes all lanes fit. Else a label goes on over the lanes behind its own, where its row
// has nothing: lanes are as far from each other as leaves room for that.
function lanesOf(needs, room) {
    const before = ({ slots }) => SIDE + Math.max(0, slots - 1) * SLOT;
    const label = ({ letters }) => SIDE + letters * LETTER + SIDE;
    const wide = needs.map((need) => Math.max(NAMED, before(need) + label(need)));
    const free = room - NUMBERS - wide.reduce((sum, one) => sum + one, 0);
    const least = Math.max(LEAST, ...needs.map((need) => before(need) + SIDE));
    const even = (room - NUMBERS) / needs.length;
    const pitches = needs.slice(1).map((need, i) => (room - label(need) - before(need) - NUMBERS) / (i + 1));
    const pitch = Math.max(least, Math.min(even, ...pitches));
    let left = NUMBERS;
    return needs.map((need, i) => {
        const width = free >= 0 ? wide[i] + free / needs.length : pitch;
        const lane = { left, width, before: before(need), x: left + before(need) };
        left += width;
        return lane;
    });
}

// Where the label of an event stands: on that side of its line that has room for it, or more room; cut where neither has.
function placeOf({ x, before }, text, width) {
    const right = Math.floor((width - x - SIDE - 4) / LETTER);
    const left = Math.floor((x - before - NUMBERS) / LETTER);
    const ahead = text.length <= right || right >= left;
    const letters = Math.min(LETTERS, ahead ? right : left);
    return {
        x: ahead ? x + SIDE : x - before,
        "text-anchor": ahead ? "start" : "end",
        text: text.length > letters ? `${text.slice(0, letters - 1)}…` : text,
    };
}

// What the scenario ends in, once that was seen, or as its file says.
function endOf() {
    const { where, hello } = store;
    if (where.position === where.length) return where.condition ? `${where.condition.kind}: ${where.condition.message}` : "";
    return hello.error && !where.departed ? hello.error : "";
}

function tipOf(event, row) {
    const place = event.location ? `${event.location.file}:${event.location.line}` : "";
    const wrong = event.condition ? `went wrong: ${event.condition}` : "";
    return [`${row}. process ${event.process}: ${event.text}`, place, wrong, ...(event.notes ?? [])].filter(Boolean).join("\n");
}

// Of an arrow; those of data races have their own, for their colour.
function tip(id) {
    return shape(
        "marker",
        { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto" },
        shape("path", { d: "M0 0 L8 4 L0 8 z" }),
    );
}

class Chart {
    constructor() {
        this.end = "";
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
        this.spans = chartLayout(store.events);
        this.needs = needsOf(store.events, this.spans);
        this.setEnd();
        this.room = -1;
    }

    // One row more, below all steps, where the scenario ends in an error.
    setEnd() {
        const rows = rowLayout(store.events, ROW, NOTE);
        this.steps = rows.total;
        if (this.end) rows.total += ROW;
        this.scroller.setRows(rows);
    }

    measure() {
        const { processes, edition } = store.where;
        const room = this.scroller.element.clientWidth;
        if (this.ofEdition !== edition) this.end = "";
        this.ofEdition = edition;
        const end = endOf() || this.end;
        if (end !== this.end) {
            this.end = end;
            this.setEnd();
        }
        if (processes.length === this.lanes?.length && room === this.room) return;
        this.room = room;
        this.lanes = lanesOf(
            processes.map(({ process }) => this.needs.get(process) ?? { letters: 0, slots: 0 }),
            room,
        );
        const last = this.lanes[this.lanes.length - 1];
        this.width = Math.max(room, last.left + last.width);
        this.scroller.space.style.width = this.head.style.width = `${this.width}px`;
        this.head.replaceChildren(
            ...processes.map(({ name, process }, i) =>
                make("span", {
                    style: `left:${this.lanes[i].x}px`,
                    title: name,
                    "aria-label": name,
                    text: this.lanes[i].width >= NAMED ? name : String(process),
                }),
            ),
        );
    }

    // The lane of the last transition.
    across() {
        const event = store.events[store.where.position - 1];
        const lane = event && this.lanes[event.process - 1];
        return lane ? [Math.max(0, lane.left - NUMBERS), lane.left + lane.width] : null;
    }

    x(process) {
        return this.lanes[process - 1].x;
    }

    // The middle of a row's own line, below which its notes stand.
    y(row) {
        return this.scroller.rows.top[row] + MIDDLE;
    }

    lifelines(first, last) {
        const { top } = this.scroller.rows;
        const end = last + 1 < top.length ? top[last + 1] : this.steps;
        return store.where.processes.map(({ process }) =>
            shape("line", { class: "life", x1: this.x(process), x2: this.x(process), y1: top[first], y2: end }),
        );
    }

    // What it ends in, over all lanes.
    ending() {
        const y = this.steps + MIDDLE;
        const text = `✗ ${this.end}`;
        const letters = Math.floor((this.room - NUMBERS) / LETTER);
        return shape(
            "g",
            { class: "ending", "data-tip": this.end },
            shape("rect", { x: 0, y: this.steps, width: this.width, height: ROW }),
            shape("text", { x: NUMBERS, y: y + 4 }, text.length > letters ? `${text.slice(0, letters - 1)}…` : text),
        );
    }

    hold(hold, position) {
        const x = this.x(hold.process) - hold.slot * SLOT;
        const end = hold.ends ? this.y(hold.last) : this.steps;
        const until = hold.ends ? `to step ${hold.last}` : "on";
        return shape("rect", {
            class: hold.first > position ? "hold future" : "hold",
            "data-tip": `process ${hold.process} holds ${hold.name}, from step ${hold.first} ${until}`,
            x: x - 3.5,
            width: 7,
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
            class: `arrow${arrow.race ? " race" : ""}${arrow.last > position ? " future" : ""}`,
            d: path,
            "marker-end": arrow.race ? "url(#race-tip)" : "url(#tip)",
            "data-tip": `${arrow.race ? "data race: nothing orders them" : (arrow.text ?? "a message")}, from step ${arrow.first} to step ${arrow.last}`,
        });
    }

    event(row, position) {
        const event = store.events[row - 1];
        const lane = this.lanes[event.process - 1];
        const y = this.y(row);
        const { text, ...place } = placeOf(lane, event.condition ? `✗ ${event.text}` : event.text, this.width);
        const below = event.from?.length ? 6 : 0; // below the tip of the arrow, which comes from above
        const notes = (event.notes ?? []).map((note, i) => {
            const { text: words, ...at } = placeOf(lane, note, this.width);
            return shape("text", { class: "note", ...at, y: y + MIDDLE + i * NOTE + 10 }, words);
        });
        return shape(
            "g",
            {
                class: `event${row > position ? " future" : ""}${event.condition ? " wrong" : ""}`,
                "data-row": row,
                "data-tip": tipOf(event, row),
            },
            shape("text", { class: "number", x: NUMBERS - 10, y: y + 4 }, String(row)),
            shape("circle", { cx: lane.x, cy: y, r: 4.5, "data-role": event.role ?? "none" }),
            shape("text", { class: "label", ...place, y: y + 4 + below }, text),
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
                tip("tip"),
                tip("race-tip"),
            ),
            ...this.lifelines(first, last),
            ...[...crossing(this.spans.holds, first, last)].map((hold) => this.hold(hold, position)),
            ...[...crossing(this.spans.arrows, first, last)].map((arrow) => this.arrow(arrow, position)),
            ...rows,
            ...(this.end ? [this.ending()] : []),
        );
    }
}

export function traceChart() {
    const chart = new Chart();
    return { scroller: chart.scroller, relayout: () => chart.relayout() };
}
