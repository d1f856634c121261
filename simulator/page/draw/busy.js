// A mark in the header while the command takes long, with what it is about.
// SPDX-License-Identifier: MIT
import { store, watch } from "../model/store.js";
import { make, setName, setText } from "../../../web/page/element.js";

const GDB = {
    stack: "the call stack",
    locals: "the variables",
    print: "a value",
    step: "a line",
    next_line: "a line",
};
const OTHERS = {
    hello: "the program",
    trace: "the scenario",
    load: "the scenario",
    go: "the transition",
    visit: "the way to that state",
    objects: "the objects",
    source: "the source",
    chart: "the chart",
};

function words({ what, given }) {
    if (GDB[what]) return `waiting for gdb: ${GDB[what]} of process ${given.process}…`;
    return `waiting for the command${OTHERS[what] ? `: ${OTHERS[what]}` : ""}…`;
}

export function busyMark() {
    const text = make("span");
    const element = make("span", { class: "busy", role: "status", hidden: true }, make("i", { "aria-hidden": "true" }), text);
    setName(element, "title", "The command does one thing at a time, for all pages; what you do meanwhile comes after it.");
    watch(["busy", "gone"], () => {
        const { busy, gone } = store;
        element.hidden = !busy || Boolean(gone);
        setText(text, busy ? words(busy) : "");
    });
    return element;
}
