// A counter-example in its four forms, beside the source: each step is linked to its line.
// SPDX-License-Identifier: MIT
import { button, make } from "../../web/page/element.js";
import { watch } from "../../web/page/store.js";
import { Tabs } from "../../web/page/tabs.js";
import { goTo, openSource, openTrail, store } from "./model.js";
import { picture } from "./property.js";

const PLACE = /([\w./+-]+\.\w+):(\d+)/;

// A text of which each line that names a place leads there.
function linked(text) {
    return make(
        "pre",
        {},
        ...text.split("\n").map((line) => {
            const found = line.match(PLACE);
            if (!found) return `${line}\n`;
            const place = { file: found[1], line: Number(found[2]) };
            return make("span", { class: "place", tabindex: "0", role: "link", text: `${line}\n`, onclick: () => toPlace(place), onkeydown: enter(() => toPlace(place)) });
        }),
    );
}

const enter = (go) => (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    go();
};

// Files are named in short in some forms: the step's own name is whole.
function toPlace({ file, line }) {
    const step = store.trail.steps.find((one) => one.location?.endsWith(`${file}:${line}`));
    return openSource({ file: step ? step.location.replace(/:\d+$/, "") : file, line });
}

function steps() {
    const list = make("ol", { class: "steps" });
    const draw = () =>
        list.replaceChildren(
            ...(store.trail?.steps ?? []).map((step, i) =>
                make(
                    "li",
                    {
                        "data-step": i,
                        tabindex: "0",
                        "aria-current": i === store.step ? "step" : null,
                        "data-cycle": i === store.trail.cycle ? "" : null,
                        onclick: () => goTo(i),
                        onkeydown: enter(() => goTo(i)),
                    },
                    make("b", { text: step.process }),
                    ` ${step.message ?? step.statement ?? ""} `,
                    make("small", { text: step.location ?? "" }),
                ),
            ),
        );
    watch(["trail"], draw);
    watch(["step"], () => {
        for (const one of list.children) one.toggleAttribute("aria-current", Number(one.dataset.step) === store.step);
        list.children[store.step]?.scrollIntoView({ block: "nearest" });
    });
    return list;
}

function source() {
    const title = make("h3");
    const lines = make("pre", { class: "lines" });
    let shown = "";
    watch(["source"], () => {
        const { source: now } = store;
        title.textContent = now ? `${now.file}:${now.line}` : "";
        if (!now) {
            lines.replaceChildren();
            shown = "";
            return;
        }
        if (shown !== now.text)
            lines.replaceChildren(...now.text.split("\n").map((text, i) => make("div", { "data-line": i + 1 }, make("i", { text: String(i + 1) }), text || " ")));
        shown = now.text;
        for (const one of lines.querySelectorAll("[data-here]")) one.removeAttribute("data-here");
        const here = lines.children[now.line - 1];
        here?.setAttribute("data-here", "");
        here?.scrollIntoView({ block: "center" });
    });
    return make("section", { class: "source", "aria-label": "source" }, title, lines);
}

function forms() {
    const chart = make("pre", { class: "panel form" });
    const drawing = make("div", { class: "panel form" });
    const statements = make("div", { class: "panel form" });
    const variables = make("div", { class: "panel form" });
    const walk = make("div", { class: "panel form" }, steps());
    const tabs = new Tabs("Forms of the counter-example", [
        { name: "walk", label: "Steps", panel: walk },
        { name: "chart", label: "Chart", panel: chart },
        { name: "drawing", label: "Drawing", panel: drawing },
        { name: "statements", label: "Statements", panel: statements },
        { name: "variables", label: "Variables", panel: variables },
    ]);
    watch(["trail"], () => {
        const t = store.trail;
        chart.textContent = t?.chart ?? "";
        drawing.replaceChildren(...(t ? [make("img", { src: picture(t.svg), alt: "message sequence chart" })] : []));
        statements.replaceChildren(...(t ? [linked(t.statements)] : []));
        variables.replaceChildren(...(t ? [linked(t.variables)] : []));
    });
    return [tabs.element, walk, chart, drawing, statements, variables];
}

export function trailView() {
    const others = make("div", { class: "buttons others" });
    const [tabs, ...panels] = forms();
    const none = make("p", { class: "none", text: "There is no counter-example." });
    const both = make("div", { class: "beside" }, make("section", { class: "forms" }, tabs, ...panels), source());
    watch(["property", "trail"], () => {
        const shown = store.property?.shown ?? [];
        none.hidden = shown.length > 0;
        both.hidden = !shown.length;
        others.replaceChildren(
            ...shown.map((one) =>
                button(`${one.length} steps`, () => openTrail(one.id), { kind: "small", "aria-pressed": String(one.id === store.trail?.id) }),
            ),
        );
    });
    return make("div", { class: "panel trail" }, others, none, both);
}
