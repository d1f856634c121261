// A question in a window of its own. Escape closes it, and the focus goes back to where it was.
// SPDX-License-Identifier: MIT
import { button, make } from "./element.js";

export function openDialog(title, content, buttons = []) {
    const dialog = make("dialog", { "aria-label": title });
    const close = () => dialog.close();
    const form = make(
        "form",
        { method: "dialog", onsubmit: (event) => event.preventDefault() },
        make(
            "header",
            {},
            make("h2", { text: title }),
            button("Close", close, { kind: "quiet", icon: "✕", class: "quiet close" }),
        ),
        make("div", { class: "body" }, ...content),
        make("footer", {}, ...buttons.map((one) => one(close))),
    );
    dialog.append(form);
    dialog.addEventListener("close", () => setTimeout(() => dialog.remove()));
    dialog.addEventListener("click", (event) => event.target === dialog && close());
    document.body.append(dialog);
    dialog.showModal();
    dialog.querySelector(".body input, .body button, footer [type=submit]")?.focus();
    return dialog;
}

// A button of a dialog; the dialog stays when `press` gives false.
export function answer(label, press, { kind = "plain", submit = false } = {}) {
    return (close) => {
        const act = async () => (await press()) !== false && close();
        const one = button(label, act, { kind });
        if (submit) one.setAttribute("type", "submit");
        return one;
    };
}

export function field(label, input, note) {
    return make("label", { class: "field" }, make("span", { text: label }), input, note ? make("small", { text: note }) : null);
}
