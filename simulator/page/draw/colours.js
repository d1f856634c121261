// The colours of the style sheet, for the canvas.
// SPDX-License-Identifier: MIT
import { make } from "../../../web/page/element.js";

const NAMES = [
    "paper",
    "label",
    "edge",
    "other_edge",
    "plain",
    "walked",
    "lit",
    "assertion",
    "deadlock",
    "abort",
    "other",
    "end",
];

export function coloursOf(parent) {
    const probe = make("span", { hidden: true });
    const colours = {};
    (parent.isConnected ? parent : document.body).append(probe);
    for (const name of NAMES) {
        probe.style.color = `var(--space-${name.replace("_", "-")})`;
        colours[name] = getComputedStyle(probe).color;
    }
    probe.remove();
    return colours;
}
