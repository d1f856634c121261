// A border between two parts that can be dragged, or moved with the arrow keys.
// SPDX-License-Identifier: MIT
import { make } from "./element.js";

// `name` is the CSS variable that holds the size in pixels; `grow` is 1 when it grows to the right or down, -1 when to the
// other side.
export function split(parent, name, { label, across, grow, least, most }) {
    const size = () => parseFloat(getComputedStyle(parent).getPropertyValue(name));
    const set = (pixels) => {
        const value = Math.round(Math.max(least, Math.min(most(), pixels)));
        parent.style.setProperty(name, `${value}px`);
        element.setAttribute("aria-valuenow", String(value));
    };
    const keys = across ? { ArrowLeft: -16, ArrowRight: 16 } : { ArrowUp: -16, ArrowDown: 16 };
    const element = make("div", {
        class: `split ${across ? "across" : "down"}`,
        role: "separator",
        tabindex: "0",
        "aria-label": label,
        "aria-valuemin": least,
        "aria-orientation": across ? "vertical" : "horizontal",
        onkeydown: (event) => {
            if (!keys[event.key]) return;
            event.preventDefault();
            event.stopPropagation();
            set(size() + grow * keys[event.key]);
        },
        onpointerdown: (event) => element.setPointerCapture(event.pointerId),
        onpointermove: (event) => {
            if (element.hasPointerCapture(event.pointerId)) set(size() + grow * (across ? event.movementX : event.movementY));
        },
    });
    return element;
}
