// The scenario as a list: a row for each transition, its VS_print lines below it.
// SPDX-License-Identifier: MIT
import { rowLayout } from "../layout/rows.js";
import { store } from "../model/store.js";
import { make } from "../../../web/page/element.js";
import { Scroller } from "./scroller.js";

const ROW = 24;
const NOTE = 18;

function placeOf(location) {
    return location ? `${location.file}:${location.line}` : "";
}

function wrongText({ condition }) {
    return condition ? `went wrong: ${condition}` : "";
}

function initial(position) {
    return make(
        "div",
        { class: "row initial", style: "top:0", "data-row": 0, "aria-current": position === 0 ? "true" : null },
        make("span", { class: "number", text: "0" }),
        make("span", { class: "text", text: "initial state" }),
    );
}

function row(index, top, position) {
    const event = store.events[index - 1];
    return make(
        "div",
        {
            class: `row${index > position ? " future" : ""}${event.condition ? " wrong" : ""}`,
            style: `top:${top}px`,
            role: "listitem",
            "data-row": index,
            "aria-current": index === position ? "true" : null,
            "aria-setsize": store.events.length,
            "aria-posinset": index,
            title: [event.text, placeOf(event.location), wrongText(event)].filter(Boolean).join("\n"),
        },
        make("span", { class: "number", text: String(index) }),
        make("span", { class: "who", text: String(event.process), "aria-label": `process ${event.process}:` }),
        make("span", { class: "text", text: event.text }),
        event.condition ? make("span", { class: "badge wrong", text: `✗ ${event.condition}` }) : null,
        make("span", { class: "place", text: placeOf(event.location) }),
        ...(event.notes ?? []).map((note, i) => make("span", { class: "note", style: `top:${ROW + i * NOTE}px`, text: note })),
    );
}

export function traceList() {
    const scroller = new Scroller({
        label: "Scenario as a list",
        render: (first, last) => {
            const { position } = store.where;
            const shown = [];
            for (let i = first; i <= last; i++) shown.push(i === 0 ? initial(position) : row(i, scroller.rows.top[i], position));
            return shown;
        },
    });
    scroller.element.classList.add("list");
    scroller.layer.setAttribute("role", "list");
    return { scroller, relayout: () => scroller.setRows(rowLayout(store.events, ROW, NOTE)) };
}
