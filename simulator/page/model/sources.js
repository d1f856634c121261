// The text of the program's files, each asked for once.
// SPDX-License-Identifier: MIT
import { ask } from "../../../web/page/client.js";
import { failed } from "../../../web/page/messages.js";
import { store, update } from "./store.js";

// Null while it is on its way; then "sources" changes.
export function sourceOf(file) {
    if (store.sources.has(file)) return store.sources.get(file);
    store.sources.set(file, null);
    ask("source", { file })
        .then(
            (reply) => reply.text,
            (problem) => {
                failed(problem);
                return "";
            },
        )
        .then((text) => {
            store.sources.set(file, text);
            update("sources");
        });
    return null;
}

export function hasSource(file) {
    return store.hello.files.includes(file);
}
