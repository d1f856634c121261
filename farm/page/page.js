// The farm's page: properties on the left, what is looked at on the right. SPDX-License-Identifier: MIT
import { button, make, setText } from "../../web/page/element.js";
import { keysStart, openHelp } from "../../web/page/keys.js";
import { messagesView } from "../../web/page/messages_view.js";
import { openQuit, overlayStart } from "../../web/page/quit.js";
import { sessionView } from "../../web/page/session.js";
import { watch } from "../../web/page/store.js";
import { Tabs } from "../../web/page/tabs.js";
import { themeStart, themeToggle } from "../../web/page/theme.js";
import { openEdit, openNew, remove } from "./edit.js";
import { listView } from "./list.js";
import { act, goTo, listen, refresh, select, show, store } from "./model.js";
import { featuresView, historyView, modelView, queueView } from "./others.js";
import { propertyView } from "./property.js";
import { trailView } from "./trail.js";

const list = listView(openNew);
const entries = [
    { name: "property", label: "Property", panel: propertyView(openEdit) },
    { name: "trail", label: "Counter-example", panel: trailView() },
    { name: "queue", label: "Queue", panel: queueView() },
    { name: "features", label: "Features", panel: featuresView() },
    { name: "model", label: "Model", panel: modelView() },
    { name: "history", label: "History", panel: historyView() },
];
const tabs = new Tabs("Views", entries, (name) => name !== store.view && show(name));
watch(["view"], () => tabs.chosen !== store.view && tabs.choose(store.view));

// Who may only read is told so.
const quit = () => (document.body.dataset.role === "reader" ? act("quit") : openQuit("farm", "What runs stays in the queue."));

const NAMES = entries.map(({ name }) => name);
const groups = [
    {
        title: "Properties",
        keys: [
            [["/"], "filter", () => list.focus()],
            [["j"], "next", () => step(1)],
            [["k"], "previous", () => step(-1)],
            [["s"], "start all", () => act("start", { all: true })],
            [["a"], "abort all", () => act("abort", { all: true })],
            [["n"], "new", openNew],
        ],
    },
    {
        title: "The one that is chosen",
        keys: [
            [["r"], "start check (run it)", () => store.selected && act("start", { name: store.selected })],
            [["x"], "abort run", () => store.selected && act("abort", { name: store.selected })],
            [["Delete"], "delete result", () => store.selected && act("delete", { name: store.selected })],
            [["e"], "edit", () => store.property?.text && openEdit(store.property)],
            [["D"], "take it out of the harness", () => store.property?.text && remove(store.property)],
            [["ArrowRight"], "next step of the counter-example", () => goTo(store.step + 1)],
            [["ArrowLeft"], "previous step", () => goTo(store.step - 1)],
        ],
    },
    {
        title: "All",
        keys: [
            [[..."123456"], "views", (event) => show(NAMES[Number(event.key) - 1]), "1 – 6"],
            [["l"], "look at the sources again", () => act("look")],
            [["d"], "light or dark", themeToggle],
            [["?"], "help", () => help()],
            [["q"], "quit", quit],
        ],
    },
];

const help = () =>
    openHelp(groups, [
        make("p", {
            text:
                "A property is pending until it is checked, running, verified when all states were searched, or failed when there is a counter-example. " +
                "E is an exhaustive search, A, B and M are quick ones; A/50 is a counter-example of 50 steps.",
        }),
    ]);

function step(by) {
    const names = [...document.querySelectorAll(".list tr[data-name]")].filter((row) => row.offsetParent).map((row) => row.dataset.name);
    const at = names.indexOf(store.selected);
    const next = names[Math.max(0, Math.min(names.length - 1, at < 0 ? 0 : at + by))];
    if (next) select(next, store.view === "trail" ? "trail" : "property");
}

const harness = make("span", { class: "program" });
const counts = make("span", { class: "scenario" });
watch(["list"], () => {
    const { counts: n, harness: h, version } = store.list;
    setText(harness, h.file.replace(/^.*\//, ""));
    harness.title = h.file;
    setText(counts, `${n.failed} failed, ${n.verified} verified, ${n.pending} pending, ${n.running} running${version?.revision ? ` · ${version.revision}` : ""}`);
    document.title = `${n.failed ? `(${n.failed}) ` : ""}${harness.textContent} · VeriSoft farm`;
});

overlayStart("farm");
themeStart();
document.body.append(
    make(
        "header",
        { class: "top" },
        make("h1", { text: "VeriSoft farm" }),
        harness,
        counts,
        make("span", { class: "gap" }),
        sessionView(),
        button("Look again", () => act("look"), { key: "l", title: "at harness and sources", "data-writes": true }),
        button("Light or dark", themeToggle, { key: "d", icon: "◐", kind: "quiet" }),
        button("Help", help, { key: "?", icon: "?", kind: "quiet" }),
        button("Quit", quit, { key: "q", "data-writes": true }),
    ),
    make(
        "main",
        { class: "farm" },
        list.element,
        make("section", { class: "view detail", "aria-label": "What is looked at" }, make("header", {}, tabs.element), ...entries.map(({ panel }) => panel)),
    ),
    messagesView(),
);
keysStart(groups, () => false);
addEventListener("hashchange", () => select(decodeURIComponent(location.hash.slice(1)) || null));
begin();

async function begin() {
    await refresh();
    if (location.hash.length > 1) await select(decodeURIComponent(location.hash.slice(1)));
    await listen();
}
