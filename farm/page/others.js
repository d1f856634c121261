// The queue and its machines; the matrix of features (figure 7); what is left out of the model; what broke when.
// SPDX-License-Identifier: MIT
import { answer, field, openDialog } from "../../web/page/dialog.js";
import { button, make } from "../../web/page/element.js";
import { watch } from "../../web/page/store.js";
import { act, openSource, select, store } from "./model.js";
import { memory, number, seconds, shortTime } from "./words.js";

const toProperty = (name) => make("button", { type: "button", class: "link", text: name, onclick: () => select(name) });

function tableOf(heads, rows, given = {}) {
    return make(
        "table",
        given,
        make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", { text })))),
        make("tbody", {}, ...rows.map((cells) => make("tr", {}, ...cells.map((cell) => make("td", {}, cell ?? ""))))),
    );
}

function view(name, part, draw) {
    const element = make("div", { class: `panel ${name}` });
    watch([part, "live"], () => store[part] && element.replaceChildren(...draw(store[part]).filter(Boolean)));
    return element;
}

// ---- the queue ----

function drawQueue({ working, open, ended }) {
    const machines = new Map();
    for (const run of open) if (run.state === "running") machines.set(run.machine, (machines.get(run.machine) ?? 0) + 1);
    const told = (run) => store.live.find((one) => one.run === run.id);
    return [
        make("p", { text: working ? "This command works on the queue." : "Nobody works on the queue." }),
        make("h3", { text: "Machines" }),
        tableOf(["Machine", "Runs"], [...machines].map(([name, count]) => [name, String(count)]), { class: "machines" }),
        make("h3", { text: `In the queue: ${open.length}` }),
        tableOf(
            ["Property", "Level", "State", "Priority", "Tries", "States", "Time", ""],
            open.map((run) => [
                toProperty(run.name),
                run.kind,
                run.state,
                String(run.priority),
                String(run.tries),
                told(run)?.states ? number(told(run).states) : "",
                seconds(told(run)?.seconds),
                run.why,
            ]),
            { class: "open" },
        ),
        make("h3", { text: "Ended last" }),
        tableOf(
            ["Property", "Level", "State", "Result", "States", "Time", "Memory", "When", ""],
            ended.map((run) => [
                toProperty(run.name),
                run.kind,
                run.state,
                run.identifier,
                run.states === null ? "" : number(run.states),
                seconds(run.seconds),
                memory(run.memory_kb),
                shortTime(run.ended),
                run.why,
            ]),
            { class: "ended" },
        ),
    ];
}

// ---- features ----

const bare = (choice) => choice.slice(1);

function cell(row, column, { properties, precedences }) {
    if (row === column) return make("td", { class: "same" });
    const needing = properties.filter(({ first, second }) => [bare(first), bare(second)].sort().join() === [row, column].sort().join());
    const before = precedences.some(({ first, second }) => first === row && second === column);
    const behind = precedences.some(({ first, second }) => first === column && second === row);
    return make(
        "td",
        {
            "data-cell": `${row} ${column}`,
            "data-required": before || behind ? "" : null,
            "data-unchecked": (before || behind) && !needing.length ? "" : null,
            title: before ? `${row} comes before ${column}` : behind ? `${column} comes before ${row}` : "",
        },
        before ? make("b", { text: "▲" }) : behind ? make("b", { text: "▼" }) : "",
        needing.length
            ? make("button", { type: "button", class: "link", text: String(needing.length), onclick: () => openPair(row, column, needing) })
            : before || behind
              ? make("span", { class: "badge yellow", text: "no property" })
              : "",
    );
}

function openPair(row, column, properties) {
    const dialog = openDialog(`${row} and ${column}`, [
        make(
            "ul",
            {},
            ...properties.map(({ first, second, name, state }) =>
                make(
                    "li",
                    {},
                    make("button", {
                        type: "button",
                        class: "link",
                        text: name,
                        onclick: () => {
                            dialog.close();
                            select(name);
                        },
                    }),
                    ` ${first} ${second} (${state})`,
                ),
            ),
        ),
    ]);
}

function drawFeatures(told) {
    const names = (told.features ?? []).map(({ name }) => name);
    if (!names.length) return [make("p", { class: "none", text: "The harness names no features (feature NAME CONDITION)." })];
    return [
        make("p", { text: "▲ the feature of the row comes before that of the column, ▼ behind it; a number: properties that name both." }),
        make(
            "table",
            { class: "matrix" },
            make("thead", {}, make("tr", {}, make("th"), ...names.map((name) => make("th", { text: name })))),
            make("tbody", {}, ...names.map((row) => make("tr", {}, make("th", { text: row }), ...names.map((column) => cell(row, column, told))))),
        ),
    ];
}

// ---- the model ----

function openMap(statement) {
    const left = make("input", { type: "text", value: statement.condition ? `(${statement.text})` : statement.text });
    const right = make("input", { type: "text", value: statement.condition ? "true" : "skip" });
    openDialog(
        "What becomes of it in the model",
        [
            field("Statement or condition of the source", left, "a beginning is enough; $1, $2 stand for arguments"),
            field("Becomes", right, "skip, true, false, keep, or Promela"),
        ],
        [
            answer("Cancel", () => true),
            answer("Map it", async () => (await act("map", { left: left.value, right: right.value })) !== undefined, { kind: "primary", submit: true }),
        ],
    );
}

function drawModel({ wrong, about }) {
    const left = (about?.statements ?? []).filter(({ fate }) => fate === "left out");
    const counts = Object.entries(about?.counts ?? {}).filter(([, count]) => count);
    const at = (one) =>
        make("button", {
            type: "button",
            class: "link",
            text: `${one.file}:${one.line}`,
            onclick: async () => {
                await openSource({ file: one.file, line: one.line });
                if (store.source) openDialog(store.source.file, [make("pre", { class: "whole", text: around(store.source) })]);
            },
        });
    return [
        wrong ? make("p", { class: "wrong", text: wrong }) : null,
        make("p", { text: `Statements: ${counts.map(([fate, count]) => `${count} ${fate}`).join(", ")}` }),
        make("h3", { text: `Left out: ${left.length}` }),
        tableOf(
            ["Place", "Statement", ""],
            left.map((one) => [at(one), make("code", { text: one.text }), button("Map it", () => openMap(one), { kind: "small", "data-writes": true })]),
            { class: "left-out" },
        ),
        make("h3", { text: `Warnings: ${about?.warnings.length ?? 0}` }),
        make("ul", { class: "warnings" }, ...(about?.warnings ?? []).map((text) => make("li", { text }))),
    ];
}

function around({ text, line }) {
    const lines = text.split("\n");
    const from = Math.max(0, line - 8);
    return lines
        .slice(from, line + 7)
        .map((one, i) => `${from + i + 1 === line ? "➤" : " "} ${String(from + i + 1).padStart(4)}  ${one}`)
        .join("\n");
}

// ---- history ----

function drawHistory(versions) {
    return versions.map((version) =>
        make(
            "section",
            { class: "version", "data-version": version.id },
            make("h3", { text: `${shortTime(version.seen)}  ${version.revision ?? version.content.slice(0, 12)}` }),
            make("p", { text: `${version.verified} verified, ${version.failed} failed of ${version.properties}${version.author ? `; ${version.author}` : ""}` }),
            make(
                "ul",
                {},
                ...version.changes.map(({ name, before, after }) =>
                    make("li", { class: after === "failed" ? "broke" : "mended" }, toProperty(name), ` ${before} → ${after}`),
                ),
            ),
        ),
    );
}

export const queueView = () => view("queue", "queue", drawQueue);
export const featuresView = () => view("matrix-view", "features", drawFeatures);
export const modelView = () => view("model", "model", drawModel);
export const historyView = () => view("history", "history", drawHistory);
