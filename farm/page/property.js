// One property: prose, formula, symbols, its automaton with the states that were reached, its runs over time.
// SPDX-License-Identifier: MIT
import { button, make, shape } from "../../web/page/element.js";
import { watch } from "../../web/page/store.js";
import { act, store } from "./model.js";
import { memory, number, seconds, shortTime } from "./words.js";

const picture = (svg) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

// Prose may have a link: only one to the web is one.
function link(address) {
    if (!/^https?:\/\//.test(address ?? "")) return address ? make("span", { text: address }) : null;
    return make("a", { href: address, target: "_blank", rel: "noreferrer noopener", text: address });
}

function about(p) {
    return [
        make("h2", {}, p.name, " ", make("span", { class: `badge ${{ failed: "red", verified: "green", running: "blue" }[p.state] ?? ""}`, text: p.state })),
        make("p", { class: "says", text: p.says ?? "" }),
        link(p.link),
        p.formula
            ? make("p", { class: "formula" }, make("b", { text: p.violation ? "violation " : "holds " }), p.formula, p.fair ? make("em", { text: "  (fair)" }) : null)
            : make("p", { class: "none", text: "one of the default checks" }),
        make(
            "dl",
            { class: "symbols" },
            ...p.symbols.flatMap(({ name, expression }) => [make("dt", { text: name }), make("dd", { text: expression })]),
        ),
        p.features.length ? make("p", { text: `features: ${p.features.join(" ")}` }) : null,
        make("p", { class: "words", text: [p.identifier, p.words].filter(Boolean).join(": ") }),
    ];
}

// If this search is as large as the last of its kind was.
const left = (one) => (one.seconds_left === undefined ? "" : `; about ${seconds(one.seconds_left)} to go, as the last time`);

// How thorough it is.
const level = (one) => (one.bits ? `${one.kind}, quick, ${number(2 ** (one.bits - 10))} kbit` : "exhaustive");

function running() {
    const runs = store.live.filter((one) => one.property === store.selected);
    return make(
        "ul",
        { class: "live" },
        ...runs.map((one) =>
            make("li", {
                "data-run": one.run,
                text: one.states
                    ? `run ${one.run} (${level(one)}): ${number(one.states)} states, depth ${number(one.depth)}, ${memory(one.memory_kb)}, ${seconds(one.seconds)}${left(one)}`
                    : `run ${one.run} (${level(one)}): the verifier is made`,
            }),
        ),
    );
}

function automaton() {
    const drawn = store.automaton;
    if (!drawn?.automaton) return null;
    const reached = drawn.automaton.states.filter((state) => state.reached).length;
    const known = drawn.automaton.states.some((state) => state.reached !== null);
    return make(
        "figure",
        { class: "automaton", "data-reached": known ? String(reached) : "" },
        drawn.svg
            ? make("img", { src: picture(drawn.svg), alt: "the automaton of what is wrong" })
            : make("p", { class: "none", text: "The automaton is too large to be drawn." }),
        make("figcaption", {
            text: known ? `${reached} of ${drawn.automaton.states.length} states of the automaton were reached` : "The automaton of what is wrong",
        }),
    );
}

// What a search that came to its end went through, and what it never came to.
function coverage(p) {
    const told = p.state === "verified" ? p.coverage : null;
    if (!told) return null;
    const { statements, reached, missed } = told;
    return make(
        "section",
        { class: "coverage" },
        make("h3", { text: "Coverage" }),
        make("p", { text: `All states were searched: ${number(reached)} of ${number(statements)} statements of the model were reached${missed.length ? "; never:" : "."}` }),
        missed.length ? make("ul", {}, ...missed.map((one) => make("li", {}, `${one.file}:${one.line}  `, make("code", { text: one.text })))) : null,
    );
}

// A bar for each run that ended, as high as its states, on a logarithmic scale.
function chart(runs) {
    const done = runs.filter((run) => run.states > 0).slice(0, 60).reverse();
    if (done.length < 2) return null;
    const top = Math.log10(Math.max(...done.map((run) => run.states)) + 1);
    return shape(
        "svg",
        { class: "bars", viewBox: `0 0 ${done.length * 10} 60`, role: "img", "aria-label": "states of each run, over time" },
        ...done.map((run, i) => {
            const height = 4 + (54 * Math.log10(run.states + 1)) / top;
            return shape("rect", { x: i * 10 + 1, y: 60 - height, width: 8, height, class: run.errors ? "bad" : "good" });
        }),
    );
}

function runs(list) {
    const cells = (run) => [
        run.kind,
        run.state,
        run.identifier ?? "",
        run.states === null ? "" : number(run.states),
        seconds(run.seconds),
        memory(run.memory_kb),
        shortTime(run.started),
        run.revision ?? "",
        run.why ?? "",
    ];
    return make(
        "table",
        { class: "runs" },
        make("thead", {}, make("tr", {}, ...["", "Run", "Result", "States", "Time", "Memory", "Begun", "Version", ""].map((text) => make("th", { text })))),
        make("tbody", {}, ...list.map((run) => make("tr", { "data-current": run.current ? "" : null }, ...cells(run).map((text) => make("td", { text }))))),
    );
}

function actions(p, openEdit) {
    const does = (label, what, key) => button(label, () => act(what, { name: p.name }), { key });
    return make(
        "div",
        { class: "buttons", "data-writes": true },
        p.state === "pending" && !p.waiting ? does("Start check", "start") : null,
        p.running || p.waiting ? does("Abort run", "abort") : null,
        p.state === "failed" || p.state === "verified" ? does("Delete result", "delete") : null,
        p.text ? button("Edit", () => openEdit(p), { key: "e" }) : null,
    );
}

export function propertyView(openEdit) {
    const element = make("div", { class: "panel property" });
    const draw = () => {
        const p = store.property;
        if (!p) {
            element.replaceChildren(make("p", { class: "none", text: store.selected ? "…" : "Choose a property on the left." }));
            return;
        }
        const parts = [actions(p, openEdit), ...about(p), running(), automaton(), coverage(p), chart(p.runs), runs(p.runs)];
        element.replaceChildren(...parts.filter(Boolean));
    };
    watch(["property", "automaton", "live", "selected"], draw);
    draw();
    return element;
}

export { picture };
