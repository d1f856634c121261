// Light or dark: as the system says, until the user says otherwise.
// SPDX-License-Identifier: MIT
import { update } from "./store.js";

function isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function remembered(value) {
    try {
        if (value) localStorage.setItem("verisoft-theme", value);
        return localStorage.getItem("verisoft-theme");
    } catch {
        return null;
    }
}

function set(theme) {
    document.documentElement.dataset.theme = theme;
    update("theme");
}

export function themeToggle() {
    set(isDark() ? "light" : "dark");
    remembered(document.documentElement.dataset.theme);
}

export function themeStart() {
    const chosen = remembered();
    if (chosen === "light" || chosen === "dark") set(chosen);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => update("theme"));
}
