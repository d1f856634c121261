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

// before, behind: what the page has to say besides
export function openHelp(groups, before = [], behind = []) {
    openDialog("Help", [
        ...before,
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
        ...behind,
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
