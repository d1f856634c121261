// A process view: its next line in the source, its buttons, its call stack and variables.
// SPDX-License-Identifier: MIT
import { liveAsk, liveFar, liveFrame, liveOf, livePeek, livePrint } from "../model/live.js";
import { hasSource, sourceOf } from "../model/sources.js";
import { hasStack, isUnborn, processOf, store, update } from "../model/store.js";
import { Code } from "./code.js";
import { openDialog } from "../../../web/page/dialog.js";
import { button, make, setFlag, setName, setText } from "../../../web/page/element.js";
import { letGo } from "./go.js";
import { explain, wordsOf, wrongOf } from "./words.js";

function placeOf({ file, line }) {
    return file ? `${file}:${line}` : "no source";
}

const NO_LINES =
    "The program does not say which lines it was made of: compile it with -g to see its source and variables, and to step.";

const ENDED = "The process has ended: it has no call stack any more.";

const NOT_LOOKED_INTO = "VeriSoft does not look into the drivers of a suite, nor into its box: a step is what a driver asked for.";

function noLines() {
    return store.hello.suite ? NOT_LOOKED_INTO : NO_LINES;
}

function noSource(stands) {
    if (!stands?.file) return noLines();
    return store.hello.suite
        ? `${stands.file} is named in no command of the suite, or is not in its folder.`
        : `The source ${stands.file} cannot be read where it was when the program was compiled.`;
}

// Of a string its text is enough; where it is, the title says.
function shortOf(value) {
    return value.replace(/^0x[0-9a-f]+ (?=")/, "");
}

export class ProcessView {
    constructor(number, close) {
        this.number = number;
        this.picked = "";
        this.browsed = null; // { file, line } of a frame or file that the user went to; null: where it stands
        this.code = new Code({
            label: `source of process ${number}`,
            peek: (text) => this.peek(text),
            picked: (text) => this.pick(text),
        });
        this.element = this.build(close);
        this.element.addEventListener("focusin", () => this.select());
        this.element.addEventListener("mousedown", () => this.select());
        this.code.view.dom.addEventListener("dblclick", () => this.picked && this.print(this.picked));
    }

    build(close) {
        const go = (what) => () => letGo(what, this.number);
        this.name = make("h3");
        this.badge = make("span", { class: "badge" });
        this.wrong = make("span", { class: "badge wrong" });
        this.why = make("p", { class: "why" });
        this.none = make("p", { class: "none", hidden: true });
        this.files = make("select", { "aria-label": "file", onchange: () => this.browse({ file: this.files.value, line: 0 }) });
        this.buttons = {
            step: button("Step", go("step"), { key: "s", title: "the next line, into calls" }),
            next: button("Next", go("next_line"), { key: "n", title: "the next line, over calls" }),
            go: button("Continue", go("go"), { key: "c", title: "to the next visible operation", kind: "primary" }),
        };
        return make(
            "article",
            { class: "view process", "aria-label": `process ${this.number}`, "data-process": this.number, tabindex: "-1" },
            make(
                "header",
                {},
                make("span", { class: "digit", text: String(this.number), "aria-hidden": "true" }),
                this.name,
                this.badge,
                this.wrong,
                make("span", { class: "gap" }),
                this.files,
                button("Close", close, { kind: "quiet", icon: "✕", title: "close this process view" }),
            ),
            make("div", { class: "buttons" }, ...Object.values(this.buttons), this.why),
            this.none,
            this.code.view.dom,
            this.buildDetails(),
        );
    }

    buildDetails() {
        this.stack = make("ol", { class: "stack" });
        this.variables = make("tbody");
        this.problem = make(
            "div",
            { class: "problem", hidden: true },
            make("div"),
            button("Show call stack and variables", () => liveAsk(), { key: "v", kind: "small" }),
        );
        this.input = make("input", {
            type: "text",
            placeholder: "expression",
            "aria-label": "expression to print",
            spellcheck: "false",
            autocomplete: "off",
            autocapitalize: "off",
        });
        this.printed = make("output", { class: "printed" });
        this.whole = button("Whole value", () => this.showWhole(), { kind: "quiet", icon: "⤢", title: "the whole value" });
        this.whole.hidden = true;
        this.details = make(
            "div",
            { class: "details" },
            make("div", {}, make("h4", { text: "Call stack" }), this.stack),
            make("div", {}, make("h4", { text: "Variables" }), make("table", {}, this.variables)),
        );
        return make(
            "footer",
            {},
            this.details,
            this.problem,
            make(
                "form",
                {
                    class: "print",
                    onsubmit: (event) => {
                        event.preventDefault();
                        this.print(this.input.value);
                    },
                },
                button("Print", null, { key: "p", title: "the value of what is selected, or typed here", type: "submit" }),
                this.input,
                this.printed,
                this.whole,
            ),
        );
    }

    select() {
        if (store.selected !== this.number) update("selected", this.number);
    }

    // What is selected in the source is what Print prints.
    pick(text) {
        this.picked = text.includes("\n") ? "" : text;
        if (this.picked) this.input.value = this.picked;
    }

    focusPrint() {
        if (this.picked) this.print(this.picked);
        else this.input.focus();
    }

    print(expression) {
        const text = expression.trim();
        this.input.value = text;
        livePrint(this.number, text);
    }

    async peek(text) {
        return store.hello.gdb && liveOf(this.number).frames?.length ? livePeek(this.number, text) : null;
    }

    showWhole() {
        const { printed } = liveOf(this.number);
        openDialog(`process ${this.number}: ${printed.expression}`, [
            make("pre", {
                class: "whole",
                text: printed.problem ?? `${printed.type ? `${printed.type}\n` : ""}${printed.value}`,
            }),
        ]);
    }

    browse(place) {
        this.browsed = place;
        this.show();
    }

    // Another position: back to where the process stands.
    moved() {
        this.browsed = null;
        this.show();
    }

    // Where the process stands: its next line, or the one that went wrong.
    standing() {
        const { inside } = store.where;
        const process = processOf(this.number);
        return inside?.process === this.number ? inside : (wrongOf(process, store.where)?.location ?? process.location);
    }

    show() {
        const process = processOf(this.number);
        const words = wordsOf(process, store.where);
        setText(this.name, process.name);
        setText(this.badge, `${words.sign} ${words.word}`);
        setName(this.badge, "class", `badge ${words.kind}`);
        setName(this.element, "data-kind", words.kind);
        const wrong = wrongOf(process, store.where);
        this.wrong.hidden = !wrong || words.kind === "wrong";
        setText(this.wrong, wrong ? `✗ ${wrong.kind}` : "");
        const why = explain(process, store.where);
        setText(this.why, why);
        setName(this.why, "title", why);
        setFlag(this.element, "data-selected", store.selected === this.number);
        const can = (process.state === "ready" && process.color !== "yellow") || words.kind === "inside";
        setName(this.buttons.go, "aria-disabled", String(!can));
        for (const one of [this.buttons.step, this.buttons.next]) setName(one, "aria-disabled", String(!can || !store.hello.gdb));
        this.showSource(wrong ? { kind: "wrong", word: wrong.kind, sign: "✗" } : words);
        this.showLive();
    }

    showFiles(file) {
        const files = store.hello.files;
        if (this.files.options.length !== files.length)
            this.files.replaceChildren(...files.map((name) => make("option", { value: name, text: name })));
        this.files.hidden = files.length < 2;
        this.files.value = file ?? "";
    }

    showNone(why) {
        setText(this.none, why);
        this.none.hidden = !why;
        this.code.view.dom.hidden = Boolean(why);
    }

    showSource(words) {
        const stands = this.standing();
        const place = this.browsed ?? stands;
        const file = place && hasSource(place.file) ? place.file : (this.code.file ?? store.hello.files[0]);
        this.showFiles(file);
        this.showNone(file ? "" : noSource(stands));
        if (!file) return;
        const text = sourceOf(file);
        if (text === null) return;
        this.code.show(file, text);
        const next = stands?.file === file && stands.line ? { line: stands.line, ...words } : null;
        if (this.browsed?.line && !(next && this.browsed.line === next.line))
            this.code.mark({ line: this.browsed.line, kind: "frame", word: "calls", sign: "▸" });
        else this.code.mark(next);
    }

    noStack() {
        return store.hello.files.length ? "It is in none of the program's own functions." : noLines();
    }

    showLive() {
        const live = liveOf(this.number);
        const late = live.seq !== store.where.seq;
        const far = late && liveFar();
        const problem = !store.hello.gdb
            ? "gdb is not installed: with it you see the call stack and the variables, and can step and print."
            : isUnborn(processOf(this.number))
              ? "The process is not there yet."
              : !hasStack(processOf(this.number))
                ? ENDED
                : far
                  ? `gdb has to execute ${store.where.position} transitions to come here.`
                  : late
                    ? null
                    : (live.problem ?? (live.frames?.length ? null : this.noStack()));
        setText(this.problem.firstChild, problem ?? "");
        this.problem.hidden = !problem;
        this.problem.lastChild.hidden = !far || !hasStack(processOf(this.number));
        this.details.hidden = Boolean(problem);
        setFlag(this.details, "data-late", late);
        if (!problem && !late) this.fill(live);
        this.showPrinted(live);
    }

    // Buttons that stay the same stay: one that is made anew between press and release is never clicked.
    fill(live) {
        const shown = JSON.stringify([live.frames, live.frame, live.variables]);
        if (shown === this.shown) return;
        this.shown = shown;
        this.stack.replaceChildren(
            ...(live.frames ?? []).map((frame) =>
                make(
                    "li",
                    {},
                    make(
                        "button",
                        {
                            type: "button",
                            class: "frame",
                            "aria-pressed": String(frame.level === live.frame),
                            "data-level": frame.level,
                            title: placeOf(frame),
                            onclick: () => this.toFrame(frame),
                        },
                        make("b", { text: frame.function }),
                        make("span", { text: store.hello.files.length > 1 ? placeOf(frame) : `:${frame.line}` }),
                    ),
                ),
            ),
        );
        this.variables.replaceChildren(
            ...(live.variables ?? []).map(({ name, type, value, argument }) =>
                make(
                    "tr",
                    { title: `${type} ${name} = ${value}`, "data-argument": argument ? "" : null },
                    make("th", { scope: "row", text: name }),
                    make("td", { text: shortOf(value) }),
                ),
            ),
        );
    }

    toFrame(frame) {
        liveFrame(this.number, frame.level);
        if (frame.file && hasSource(frame.file)) this.browse(frame.level === 0 ? null : { file: frame.file, line: frame.line });
    }

    showPrinted({ printed, expression }) {
        const text = printed ? (printed.problem ?? `= ${printed.value}`) : expression ? "…" : "";
        setText(this.printed, text);
        setName(this.printed, "title", printed?.type ? `${printed.type} ${printed.expression}` : "");
        setFlag(this.printed, "data-problem", printed?.problem);
        setFlag(this.printed, "data-late", printed && printed.seq !== store.where.seq);
        this.whole.hidden = !printed;
    }
}
