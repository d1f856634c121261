// Messages at the bottom of the page, until they are dismissed; mere notes go by themselves.
// SPDX-License-Identifier: MIT
import { dismiss, messages } from "./messages.js";
import { watch } from "./store.js";
import { button, make, setText } from "./element.js";

const NOTE_STAYS = 6000; // milliseconds

// While a dialog is open nothing outside of it can be clicked.
function lend(element, dialog) {
    dialog.append(element);
    dialog.addEventListener("close", () => document.body.append(element), { once: true });
}

function one({ key, text, kind }) {
    if (kind === "note") setTimeout(() => dismiss(key), NOTE_STAYS);
    return make(
        "div",
        { class: `message ${kind}`, "data-key": key },
        make("span", { text }),
        make("span", { class: "times" }),
        button("Dismiss", () => dismiss(key), { kind: "quiet", icon: "✕" }),
    );
}

export function messagesView() {
    const element = make("div", { class: "messages", role: "log", "aria-live": "assertive", "aria-label": "messages" });
    watch(["messages"], () => {
        const shown = new Map([...element.children].map((child) => [Number(child.dataset.key), child]));
        for (const [key, child] of shown) if (!messages.some((message) => message.key === key)) child.remove();
        for (const message of messages) {
            if (!shown.has(message.key)) element.append(one(message));
            const times = element.querySelector(`[data-key="${message.key}"] .times`);
            setText(times, message.times > 1 ? `${message.times} times` : "");
        }
        const dialog = document.querySelector("dialog[open]");
        if (dialog && element.children.length) lend(element, dialog);
    });
    return element;
}
