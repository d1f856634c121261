// What went wrong, for the user to read and dismiss.
// SPDX-License-Identifier: MIT
import { Gone, Refused } from "../read/client.js";
import { update } from "./store.js";

export const messages = [];
let last = 0;

export function tell(text, kind = "note") {
    messages.push({ key: ++last, text, kind });
    if (messages.length > 4) messages.shift();
    update("messages");
}

export function dismiss(key) {
    const at = messages.findIndex((message) => message.key === key);
    if (at >= 0) messages.splice(at, 1);
    update("messages");
}

// What to do with a request that failed, wherever it was made.
export function failed(problem) {
    if (problem instanceof Gone) update("gone", "lost");
    else if (problem instanceof Refused) tell(problem.message, "error");
    else throw problem;
}
