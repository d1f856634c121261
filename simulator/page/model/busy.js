// What the page waits for, once it takes long. The command does one thing at a time, for all its pages.
// SPDX-License-Identifier: MIT
import { onPending, pending } from "../../../web/page/client.js";
import { store, update } from "./store.js";

const LONG = 300; // milliseconds
let timer = 0;

function show() {
    const [oldest] = pending;
    const waited = oldest ? performance.now() - oldest.since : 0;
    clearTimeout(timer);
    if (oldest && waited < LONG) timer = setTimeout(show, LONG - waited + 1);
    const busy = waited < LONG ? null : oldest;
    if (busy !== store.busy) update("busy", busy);
}

export function busyStart() {
    onPending(show);
}
