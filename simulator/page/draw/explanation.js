// What is wrong, in words, beside what it is about: its steps, processes and places are links. It stays while one follows them.
// SPDX-License-Identifier: MIT
import { moveTo } from "../model/moves.js";
import { hasSource } from "../model/sources.js";
import { processOf, store, watch } from "../model/store.js";
import { what } from "./banner.js";
import { make, setText } from "../../../web/page/element.js";

const LINK = /\bstep (\d+)|\bprocess (\d+)|([^\s:()"]+\.\w+):(\d+)/g;

function link(text, title, act) {
    return make("button", { type: "button", class: "link", text, title, onclick: act });
}

// A sentence with its links. A place is of the process that was named last before it.
function linked(text, { toProcess, toPlace }) {
    const parts = [];
    let end = 0;
    let about = null;
    for (const found of text.matchAll(LINK)) {
        const [all, step, process, file, line] = found;
        let one = null;
        if (step) one = link(all, "go there", () => moveTo(Number(step)));
        else if (process && processOf(Number(process))) one = link(all, "show it", () => toProcess(Number(process)));
        else if (file && hasSource(file)) {
            const whose = about ?? store.selected;
            one = link(all, "show it", () => toPlace(whose, { file, line: Number(line) }));
        }
        if (process) about = Number(process);
        if (!one) continue;
        parts.push(text.slice(end, found.index), one);
        end = found.index + all.length;
    }
    return [...parts, text.slice(end)];
}

export function explanationView(go) {
    const none = make("p", { class: "none" });
    const body = make("div", { class: "explained" });
    let told = null; // { condition, position, edition } of what stands there
    const fill = ({ condition, position }) => {
        const lines = (condition.explanation ?? "").split("\n").filter((line) => line.trim());
        body.replaceChildren(
            make(
                "h2",
                {},
                make("span", { class: "badge wrong", text: `✗ ${condition.kind}` }),
                link(`at position ${position}`, "go there", () => moveTo(position)),
            ),
            make("p", { class: "message" }, ...linked(what(condition), go)),
            ...lines.map((line) => make("p", {}, ...linked(line, go))),
        );
    };
    watch(["where", "hello"], () => {
        if (!store.where) return;
        const { condition, position, edition } = store.where;
        if (condition) {
            told = { condition, position, edition };
            fill(told);
        } else if (told && told.edition !== edition) told = null;
        body.hidden = !told;
        none.hidden = Boolean(told);
        setText(none, "Nothing is wrong here. Where something is, this says what, and who waits for whom.");
    });
    return make("section", { class: "panel explanation", "aria-label": "Explanation" }, none, body);
}
