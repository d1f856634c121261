// The state of every object at the position; asked while somebody looks, one request at a time.
// SPDX-License-Identifier: MIT
import { ask } from "../../../web/page/client.js";
import { failed } from "../../../web/page/messages.js";
import { store, update, watch } from "./store.js";

let looked = false;
let asking = false;
let known = -1; // seq of what is in the store

async function refresh() {
    if (!looked || asking || !store.where || store.gone) return;
    asking = true;
    try {
        while (known !== store.where.seq && looked) {
            const seq = store.where.seq;
            const reply = await ask("objects");
            known = seq;
            update("objects", reply.objects);
        }
    } catch (problem) {
        failed(problem);
    } finally {
        asking = false;
    }
}

export function objectsStart() {
    watch(["where"], refresh);
}

export function objectsLook(visible) {
    looked = visible;
    refresh();
}
