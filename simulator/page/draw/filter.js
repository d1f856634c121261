// The state-space filter: a transition is highlighted when its label and its process are both chosen.
// SPDX-License-Identifier: MIT
import { filter, filterClear, filterMatch, refilter } from "../model/space.js";
import { store, watch } from "../model/store.js";
import { button, make, setText } from "../../../web/page/element.js";

const MOST = 500; // labels in the list; the others are reached by Match

function option(set, value, text) {
    const box = make("input", {
        type: "checkbox",
        value: String(value),
        onchange: () => {
            if (box.checked) set.add(value);
            else set.delete(value);
            refilter();
        },
    });
    return make("label", { class: "option", title: text }, box, make("span", { text }));
}

function list(name) {
    return make("div", { class: "options", role: "group", "aria-label": name });
}

export function filterView() {
    const labels = list("labels");
    const processes = list("processes");
    const found = make("output", { class: "found", "aria-live": "polite" });
    const pattern = make("input", {
        type: "text",
        placeholder: "regular expression; * is all",
        "aria-label": "regular expression for labels",
        spellcheck: "false",
        autocomplete: "off",
    });
    const form = make(
        "form",
        {
            onsubmit: (event) => {
                event.preventDefault();
                filterMatch(pattern.value || "*");
            },
        },
        pattern,
        button("Match", null, { type: "submit", title: "choose the labels that match" }),
        button("Clear", () => filterClear(), { title: "choose nothing" }),
    );
    watch(["space"], () => {
        const shown = store.space.labels.slice(0, MOST);
        labels.replaceChildren(...shown.map((text, i) => option(filter.labels, i, text)));
        if (store.space.labels.length > MOST)
            labels.append(make("p", { class: "none", text: `and ${store.space.labels.length - MOST} more: use Match` }));
        const numbers = [...new Set(store.space.process)].sort((a, b) => a - b);
        processes.replaceChildren(...numbers.map((number) => option(filter.processes, number, `process ${number}`)));
    });
    watch(["filter"], () => {
        for (const [group, set] of [
            [labels, filter.labels],
            [processes, filter.processes],
        ])
            for (const box of group.querySelectorAll("input")) box.checked = set.has(Number(box.value));
        setText(
            found,
            filter.labels.size && filter.processes.size
                ? `${store.space.litCount} transitions highlighted`
                : filter.labels.size
                  ? "choose processes, too: both are needed"
                  : filter.processes.size
                    ? "choose labels, too: both are needed"
                    : "choose labels and processes: both are needed",
        );
    });
    return make(
        "aside",
        { class: "filter", "aria-label": "State-space filter" },
        form,
        make(
            "div",
            { class: "lists" },
            make("div", {}, make("h4", { text: "Labels" }), labels),
            make("div", {}, make("h4", { text: "Processes" }), processes),
        ),
        found,
    );
}
