// The keyboard: every button has a key. The table is also what the help shows.
// SPDX-License-Identifier: MIT
import { openDialog } from "./dialog.js";
import { make } from "./element.js";

// groups: [{ title, keys: [[keys, what it does, act, how the keys are written]] }]
function written([names, , , short]) {
    return (short ? [short] : names).map((name) =>
        make("kbd", { text: name.replace("ArrowLeft", "←").replace("ArrowRight", "→") }),
    );
}

export function openHelp(groups) {
    openDialog("Help", [
        make("p", {
            text:
                "A scenario is a list of transitions. The red bar shows where the system stands in it; walk back and forth, " +
                "or let another process go to see what would have happened.",
        }),
        make(
            "div",
            { class: "help" },
            ...groups.map(({ title, keys }) =>
                make(
                    "section",
                    {},
                    make("h3", { text: title }),
                    make("dl", {}, ...keys.flatMap((key) => [make("dt", {}, ...written(key)), make("dd", { text: key[1] })])),
                ),
            ),
        ),
        make("h3", { text: "Colours of the next line" }),
        make(
            "ul",
            { class: "colours" },
            ...[
                ["blue", "➤ goes next: the scenario says so"],
                ["green", "▶ can go"],
                ["red", "■ blocked"],
                ["yellow", "◆ has to wait: another process is inside its own code"],
                ["inside", "● inside its own code"],
            ].map(([kind, text]) => make("li", {}, make("span", { class: `badge ${kind}`, text }))),
        ),
        make("p", {}, make("a", { href: "licences.txt", target: "_blank", text: "Libraries in this page" })),
    ]);
}

function typing(target) {
    return target.closest("input:not([type=checkbox]), select, textarea, [contenteditable=true]");
}

export function keysStart(groups, first) {
    const acts = new Map(
        groups.flatMap(({ keys }) => keys.flatMap(([names, , act]) => (act ? names.map((name) => [name, act]) : []))),
    );
    document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
        if (document.querySelector("dialog[open]")) return;
        if (typing(event.target)) {
            if (event.key === "Escape") event.target.blur();
            return;
        }
        const act = first(event.key) ? () => {} : acts.get(event.key);
        if (!act) return;
        event.preventDefault();
        act(event);
    });
}
