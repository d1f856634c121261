// What went wrong, for the user to read and dismiss.
// SPDX-License-Identifier: MIT
import { Gone, Refused } from "./client.js";
import { update } from "./store.js";

export const messages = [];
let last = 0;

// What is said again is counted, not repeated.
export function tell(text, kind = "note") {
    const same = messages.find((message) => message.text === text && message.kind === kind);
    if (same) same.times++;
    else messages.push({ key: ++last, text, kind, times: 1 });
    if (messages.length > 4) messages.shift();
    update("messages");
}

export function dismiss(key) {
    const at = messages.findIndex((message) => message.key === key);
    if (at >= 0) messages.splice(at, 1);
    update("messages");
}

// A reply can say what to be careful about; that is said once.
export function warn({ warning }) {
    if (warning && !messages.some((message) => message.text === warning)) tell(warning, "warning");
}

// Errors are about what was tried; something else was done since.
export function forgive() {
    const kept = messages.filter((message) => message.kind !== "error");
    if (kept.length === messages.length) return;
    messages.splice(0, messages.length, ...kept);
    update("messages");
}

// What to do with a request that failed, wherever it was made.
export function failed(problem) {
    if (problem instanceof Gone) update("gone", "lost");
    else if (problem instanceof Refused) tell(problem.message, "error");
    else throw problem;
}
