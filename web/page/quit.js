// Quit, after a question; and what the page says when the command is not there any more.
// SPDX-License-Identifier: MIT
import { ask, Gone } from "./client.js";
import { answer, openDialog } from "./dialog.js";
import { button, make } from "./element.js";
import { failed } from "./messages.js";
import { store, update, watch } from "./store.js";

async function quit() {
    update("gone", "quit");
    try {
        await ask("quit");
    } catch (problem) {
        if (!(problem instanceof Gone)) failed(problem);
    }
}

// `what` ends: "simulator", "farm"; and `note` is what becomes of what it holds.
export function openQuit(what, note) {
    openDialog(
        `Quit the ${what}?`,
        [make("p", { text: `The command ends. ${note}` })],
        [answer("Stay", () => true), answer("Quit", quit, { kind: "primary", submit: true })],
    );
}

const texts = (what) => ({
    quit: [`The ${what} has ended`, "The command ended, as you asked. You can close this page."],
    lost: [
        "The command does not answer any more",
        "The verisoft command that this page belongs to has ended. What you see here is what it said last; " +
            "nothing can be done with it any more. To go on, start the command again: it prints a new address.",
    ],
});

export function overlayStart(what) {
    watch(["gone"], () => {
        if (!store.gone || document.querySelector("dialog.gone")) return;
        for (const dialog of document.querySelectorAll("dialog")) dialog.close();
        const [title, text] = texts(what)[store.gone];
        const overlay = make(
            "dialog",
            { class: "gone", "aria-labelledby": "gone-title" },
            make("h2", { id: "gone-title", text: title }),
            make("p", { text }),
            button("Look at the page all the same", () => overlay.close(), { kind: "plain" }),
        );
        document.body.append(overlay);
        document.body.toggleAttribute("data-gone", true);
        overlay.showModal();
    });
}
