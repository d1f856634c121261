// Where one comes in, when the farm is seen from other machines. SPDX-License-Identifier: MIT
import { make, setText } from "../../web/page/element.js";
import { themeStart } from "../../web/page/theme.js";

const name = make("input", { id: "name", autocomplete: "username", required: true, maxLength: 32, autofocus: true });
const password = make("input", { id: "password", type: "password", autocomplete: "current-password", required: true, maxLength: 512 });
const said = make("p", { class: "wrong", role: "alert", hidden: true });
const enter = make("button", { type: "submit", class: "primary", text: "Log in" });
const form = make(
    "form",
    { class: "enter", "aria-label": "Log in" },
    make("h1", { text: "VeriSoft farm" }),
    make("label", { for: "name", text: "Name" }),
    name,
    make("label", { for: "password", text: "Password" }),
    password,
    said,
    enter,
);

form.addEventListener("submit", async (event) => {
    event.preventDefault();
    enter.disabled = true;
    const answer = await fetch("login", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ name: name.value, password: password.value }),
    }).catch(() => null);
    if (answer?.ok) return location.reload();
    enter.disabled = false;
    said.hidden = false;
    setText(said, answer ? await answer.text() : "The farm does not answer.");
    password.value = "";
    password.focus();
});

themeStart();
document.body.append(form);
name.focus();
