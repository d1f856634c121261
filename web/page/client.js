// The protocol over HTTP: a request in, its reply out. doc/protocol.md says what they are.
// SPDX-License-Identifier: MIT

// The command answered, and said no.
export class Refused extends Error {
    constructor(reply) {
        super(reply.error);
        this.choices = reply.choices;
        this.exists = Boolean(reply.exists); // the file to be written is there already
    }
}

// The command does not answer any more.
export class Gone extends Error {}

// What a refusal says, if it is one of the command's own.
function words(text) {
    return text.startsWith("{") ? JSON.parse(text).error : undefined;
}

async function read(address, options) {
    let text;
    try {
        const answer = await fetch(address, options);
        text = await answer.text();
        if (answer.status === 401) location.reload(); // the session is over
        if (!answer.ok) return { ok: false, error: words(text) ?? `the command refused the request (${answer.status}): ${text}` };
    } catch (problem) {
        if (problem.name === "AbortError") throw problem;
        throw new Gone();
    }
    return JSON.parse(text);
}

// Who asks, and the token that his requests must bring; on one's own machine there are none.
let known;
export function session() {
    known ??= read("session").then((reply) => ({ user: reply.user ?? null, role: reply.role ?? "editor", token: reply.token ?? "" }));
    return known;
}

export const pending = new Set(); // requests that wait for their reply, oldest first
let changed = () => {};

export function onPending(act) {
    changed = act;
}

export async function ask(what, given = {}) {
    const request = { what, given, since: performance.now() };
    pending.add(request);
    changed();
    try {
        const { token } = await session();
        const reply = await read("do", {
            method: "POST",
            headers: { "Content-Type": "application/json", "X-VeriSoft-Token": token },
            body: JSON.stringify({ do: what, ...given }),
        });
        if (!reply.ok) throw new Refused(reply);
        return reply;
    } finally {
        pending.delete(request);
        changed();
    }
}

// Answers when the command's seq is not this one any more, or after a while.
export async function wait(seq, signal) {
    return (await read(`wait?seq=${seq}`, { signal })).seq;
}
