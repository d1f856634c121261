// Messages at the bottom of the page, until they are dismissed; mere notes go by themselves.
// SPDX-License-Identifier: MIT
import { dismiss, messages } from "../model/messages.js";
import { watch } from "../model/store.js";
import { button, make } from "./element.js";

const NOTE_STAYS = 6000; // milliseconds

// While a dialog is open nothing outside of it can be clicked.
function lend(element, dialog) {
    dialog.append(element);
    dialog.addEventListener("close", () => document.body.append(element), { once: true });
}

export function messagesView() {
    const element = make("div", { class: "messages", role: "log", "aria-live": "assertive", "aria-label": "messages" });
    watch(["messages"], () => {
        const shown = new Map([...element.children].map((child) => [Number(child.dataset.key), child]));
        for (const [key, child] of shown) if (!messages.some((message) => message.key === key)) child.remove();
        for (const { key, text, kind } of messages.filter((message) => !shown.has(message.key))) {
            element.append(
                make(
                    "div",
                    { class: `message ${kind}`, "data-key": key },
                    make("span", { text }),
                    button("Dismiss", () => dismiss(key), { kind: "quiet", icon: "✕" }),
                ),
            );
            if (kind === "note") setTimeout(() => dismiss(key), NOTE_STAYS);
        }
        const dialog = document.querySelector("dialog[open]");
        if (dialog && element.children.length) lend(element, dialog);
    });
    return element;
}
