// Who is logged in, where the page is seen from other machines; on one's own there is nobody, and nothing to be said. SPDX-License-Identifier: MIT
import { button, make } from "./element.js";
import { session } from "./client.js";

// For the head of a page: the name, what he may do, and the way out.
export function sessionView() {
    const place = make("span", { class: "session" });
    session().then(({ user, role, token }) => {
        if (!user) return;
        document.body.dataset.role = role;
        const leave = async () => {
            await fetch("logout", { method: "POST", headers: { "Content-Type": "application/json", "X-VeriSoft-Token": token }, body: "{}" });
            location.reload();
        };
        place.append(make("span", { class: "scenario", text: `${user} (${role})` }), button("Log out", leave));
    });
    return place;
}
