// For every process whether it can go, and each result that its operation can give as a button.
// SPDX-License-Identifier: MIT
import { hasStack, store, watch } from "../model/store.js";
import { button, make } from "../../../web/page/element.js";
import { letGo } from "./go.js";
import { explain, wordsOf } from "./words.js";

const MOST = 12; // results with a button of their own

function goButtons(process) {
    const inside = store.where.inside?.process === process.process;
    if (inside || process.choices.length <= 1) return [button("Continue", () => letGo("go", process.process), { kind: "small" })];
    const some = process.choices
        .slice(0, MOST)
        .map(({ choice, text }) =>
            button(text, () => letGo("go", process.process, choice), {
                kind: "small",
                title: `${process.operation} = ${text}`,
                "data-choice": choice,
            }),
        );
    return process.choice_count > MOST
        ? [...some, button("others…", () => letGo("go", process.process), { kind: "small" })]
        : some;
}

function line(process) {
    const words = wordsOf(process, store.where);
    const can = (process.state === "ready" && process.color !== "yellow") || words.kind === "inside";
    return make(
        "li",
        { "data-process": process.process, "data-kind": words.kind },
        make("span", { class: `badge ${words.kind}`, text: `${words.sign} ${words.word}` }),
        make("b", { text: process.name }),
        make("span", {
            class: "operation",
            text: (can && process.operation) || explain(process, store.where),
            title: explain(process, store.where),
        }),
        make("span", { class: "goes" }, ...(can ? goButtons(process) : [])),
    );
}

// Those that have ended, or are not there yet, in a line each of all of them.
function folded() {
    const words = new Map();
    for (const process of store.where.processes.filter((one) => !hasStack(one))) {
        const { word } = wordsOf(process, store.where);
        words.set(word, [...(words.get(word) ?? []), process.name]);
    }
    return [...words].map(([word, names]) =>
        make("li", { class: "folded" }, make("span", { class: "badge", text: word }), make("span", { text: names.join(", ") })),
    );
}

export function choicesView() {
    const list = make("ul");
    // The buttons are made anew after each move; the focus stays on the process it was on.
    watch(["where"], () => {
        const held = list.contains(document.activeElement) && document.activeElement.closest("li").dataset.process;
        list.replaceChildren(...store.where.processes.filter(hasStack).map(line), ...folded());
        if (held) (list.querySelector(`[data-process="${held}"] button`) ?? list.querySelector("button"))?.focus();
    });
    return make("section", { class: "choices-view", "aria-label": "Choices" }, make("h2", { text: "Choices" }), list);
}
