// The colours of the manual in words and signs, since a colour alone says nothing to some.
// SPDX-License-Identifier: MIT
import { isUnborn, store } from "../model/store.js";

const WORDS = {
    blue: { word: "goes next", sign: "➤" },
    green: { word: "can go", sign: "▶" },
    red: { word: "blocked", sign: "■" },
    yellow: { word: "has to wait", sign: "◆" },
    inside: { word: "inside", sign: "●" },
    ended: { word: "ended", sign: "✓" },
    unborn: { word: "not there yet", sign: "○" },
};

// The file that the scenario is from, without folders; null: it is driven by hand.
export function scenarioName() {
    const { mode, scenario } = store.hello;
    return mode === "guided" ? scenario.replace(/^.*\//, "") : null;
}

// What is wrong here, if it is about this process.
export function wrongOf(process, where) {
    return where.condition?.process === process.process ? where.condition : null;
}

// Of a process: the name of its colour, a word and a sign.
export function wordsOf(process, where) {
    const wrong = wrongOf(process, where);
    if (wrong && process.state === "ended") return { kind: "wrong", word: wrong.kind, sign: "✗" };
    const kind =
        where.inside?.process === process.process ? "inside" : (process.color ?? (isUnborn(process) ? "unborn" : "ended"));
    return { kind, ...WORDS[kind] };
}

// Without who waits where: that is next to it.
function reason({ why }) {
    return why.replace(/^process \d+(?: \(.*?\))? waits in .*? at \S+:\d+: /, "");
}

export function explain(process, where) {
    const { kind } = wordsOf(process, where);
    if (kind === "inside") return `between two visible operations, in ${where.inside.function ?? "its own code"}`;
    if (kind === "yellow") return process.why || `process ${where.inside?.process} is inside its own code; continue it first`;
    if (kind === "red") return reason(process);
    if (kind === "unborn") return "another process makes it later";
    if (kind === "wrong") return process.operation || where.condition.message;
    if (kind === "ended") return process.why || "it has ended";
    return process.operation ? `next: ${process.operation}` : "";
}
