// Reads the state space and lays it out, off the page's own thread.
// SPDX-License-Identifier: MIT
import { ask } from "../../../web/page/client.js";
import { spaceLayout } from "./space.js";

async function run() {
    const { states, labels, notes, from, to, process, label, ...about } = await ask("space");
    const space = { states, from: Int32Array.from(from), to: Int32Array.from(to) };
    return {
        ...about,
        ...space,
        labels,
        notes,
        process: Int32Array.from(process),
        label: Int32Array.from(label),
        layout: spaceLayout(space),
    };
}

run().then(
    (space) => postMessage({ space }),
    (problem) => postMessage({ problem: problem.message || "the command does not answer" }),
);
