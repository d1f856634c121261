// The colours of the manual in words and signs, since a colour alone says nothing to some.
// SPDX-License-Identifier: MIT

const WORDS = {
    blue: { word: "goes next", sign: "➤" },
    green: { word: "can go", sign: "▶" },
    red: { word: "blocked", sign: "■" },
    yellow: { word: "has to wait", sign: "◆" },
    inside: { word: "inside", sign: "●" },
    ended: { word: "ended", sign: "✓" },
    unborn: { word: "not there yet", sign: "○" },
};

// It will be made by another on the way.
export function isUnborn(process) {
    return process.state === "ended" && process.operation === "not created";
}

// Of a process: the name of its colour, a word and a sign.
export function wordsOf(process, where) {
    const kind =
        where.inside?.process === process.process ? "inside" : (process.color ?? (isUnborn(process) ? "unborn" : "ended"));
    return { kind, ...WORDS[kind] };
}

// Without who waits where: that is next to it.
function reason({ why }) {
    return why.replace(/^process \d+ waits in .*? at \S+:\d+: /, "");
}

export function explain(process, where) {
    const { kind } = wordsOf(process, where);
    if (kind === "inside") return `between two visible operations, in ${where.inside.function ?? "its own code"}`;
    if (kind === "yellow") return process.why || `process ${where.inside?.process} is inside its own code; continue it first`;
    if (kind === "red") return reason(process);
    if (kind === "unborn") return "another process makes it later";
    if (kind === "ended") return process.why || "it has ended";
    return process.operation ? `next: ${process.operation}` : "";
}
