// The four tables: pending, running, verified, failed (Holzmann and Smith 2002, figure 8).
// SPDX-License-Identifier: MIT
import { button, make, setText } from "../../web/page/element.js";
import { watch } from "../../web/page/store.js";
import { act, more, narrow, select, store } from "./model.js";
import { number, shortTime } from "./words.js";

const STATES = [
    ["failed", "Failed", [["Delete result", "delete"]]],
    ["running", "Running", [["Abort run", "abort"]]],
    ["pending", "Pending", [["Start check", "start"]]],
    ["verified", "Verified", [["Delete result", "delete"]]],
];

function status(property) {
    if (property.state === "running") {
        const runs = store.live.filter((one) => one.property === property.name && one.states);
        if (!runs.length) return "begins";
        const most = runs.reduce((a, b) => (a.states > b.states ? a : b));
        return `${number(most.states)} states`;
    }
    if (property.waiting) return "queued";
    return property.identifier ?? (property.why ? "could not be run" : "");
}

function note(property) {
    if (property.verdict === "vacuous") return "vacuous";
    if (property.verdict === "not finished") return "not finished";
    return property.trial ?? "";
}

// `tell`: while it is verified its status changes all the time, under the mouse of whoever wants to abort it.
function row(property, actions) {
    const open = (view) => () => select(property.name, view);
    const acts = property.state === "pending" && property.waiting ? [["Abort run", "abort"]] : actions;
    const told = make("button", {
        type: "button",
        class: "link",
        title: property.words ?? property.why ?? "",
        onclick: open(property.state === "failed" ? "trail" : "property"),
    });
    const element = make(
        "tr",
        { "data-name": property.name, "data-state": property.state, "aria-current": property.name === store.selected ? "true" : null },
        make(
            "td",
            {},
            make("button", { type: "button", class: "link name", text: property.name, title: property.says, onclick: open("property") }),
            make("div", { class: "formula", text: property.formula ?? property.says ?? "" }),
        ),
        make("td", { class: "features", text: property.features.join(" ") }),
        make(
            "td",
            { class: "status" },
            told,
            note(property) ? make("span", { class: "badge yellow", text: note(property) }) : null,
            make("div", { class: "when", text: shortTime(property.ended) }),
        ),
        make("td", {}, ...acts.map(([label, what]) => button(label, () => act(what, { name: property.name }), { kind: "small", "data-writes": true }))),
    );
    return { element, tell: (now) => setText(told, status(now)) };
}

// What is under the mouse, or has the focus, is not taken away while something else changes: rows that say what they said stay as they are.
function keeper(body, actions) {
    let shown = new Map(); // by name: what it says but for its status, and the row
    return (properties) => {
        const now = new Map();
        for (const property of properties) {
            const says = JSON.stringify([property, property.name === store.selected]);
            const before = shown.get(property.name);
            const kept = before?.says === says ? before : { says, ...row(property, actions) };
            kept.tell(property);
            now.set(property.name, kept);
        }
        const wanted = new Set([...now.values()].map(({ element }) => element));
        for (const element of [...body.children]) if (!wanted.has(element)) element.remove();
        [...wanted].forEach((element, i) => body.children[i] === element || body.insertBefore(element, body.children[i] ?? null));
        shown = now;
    };
}

function table([state, title, actions]) {
    const count = make("span", { class: "badge" });
    const body = make("tbody");
    const rest = make("p", { class: "none" });
    const show = keeper(body, actions);
    const section = make(
        "section",
        { class: "table", "data-table": state, "aria-label": title },
        make("h2", {}, `${title} `, count),
        make(
            "table",
            {},
            make("thead", {}, make("tr", {}, ...["Property", "Features", "Status", "Action"].map((text) => make("th", { text })))),
            body,
        ),
        rest,
    );
    const draw = () => {
        if (!store.list) return;
        const rows = store.list.properties.filter((property) => property.state === state);
        const all = store.list.counts[state];
        setText(count, String(all));
        section.toggleAttribute("data-empty", !all);
        section.hidden = Boolean(store.filter.state) && store.filter.state !== state;
        show(rows);
        rest.replaceChildren(...(all > rows.length ? [`${all - rows.length} more are not shown. `, button("Show more", more, { kind: "small" })] : []));
    };
    watch(["list", "selected", "live"], draw);
    return section;
}

function filters() {
    const features = make("select", { "aria-label": "feature", onchange: () => narrow({ feature: features.value }) });
    const states = make("select", { "aria-label": "state", onchange: () => narrow({ state: states.value }) });
    const text = make("input", { type: "text", placeholder: "Name, prose or formula", "aria-label": "text", oninput: () => narrow({ text: text.value }) });
    states.append(...["", ...STATES.map(([state]) => state)].map((value) => make("option", { value, text: value || "any state" })));
    let known = "";
    watch(["list"], () => {
        const names = store.list.harness.features?.map(({ name }) => name) ?? [];
        if (names.join() === known) return;
        known = names.join();
        features.replaceChildren(...["", ...names].map((value) => make("option", { value, text: value || "any feature" })));
    });
    return { text, element: make("div", { class: "buttons filters" }, text, features, states) };
}

export function listView(openNew) {
    const { text, element } = filters();
    const wrong = make("p", { class: "wrong", role: "alert", hidden: true });
    watch(["list"], () => {
        const why = store.list.harness.wrong;
        wrong.hidden = !why;
        setText(wrong, why ? `The harness cannot be used now: ${why}` : "");
    });
    return {
        focus: () => text.focus(),
        element: make(
            "section",
            { class: "view list", "aria-label": "Properties" },
            make(
                "header",
                {},
                make("h2", { text: "Properties" }),
                make("span", { class: "gap" }),
                button("Start all", () => act("start", { all: true }), { key: "s", "data-writes": true }),
                button("Abort all", () => act("abort", { all: true }), { key: "a", "data-writes": true }),
                button("New", openNew, { key: "n", title: "a new property", "data-writes": true }),
            ),
            element,
            wrong,
            make("div", { class: "scroll" }, ...STATES.map(table)),
        ),
    };
}
