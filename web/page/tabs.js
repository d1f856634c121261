// Tabs: one panel at a time, chosen with the mouse, or with the arrow keys as usual.
// SPDX-License-Identifier: MIT
import { make } from "./element.js";

export class Tabs {
    // entries: [{ name, label, panel }]
    constructor(label, entries, changed) {
        this.entries = entries;
        this.changed = changed;
        this.element = make("div", { role: "tablist", "aria-label": label, onkeydown: (event) => this.key(event) });
        for (const entry of entries) {
            entry.panel.id = `panel-${entry.name}`;
            entry.panel.setAttribute("role", "tabpanel");
            entry.tab = make("button", {
                type: "button",
                role: "tab",
                id: `tab-${entry.name}`,
                "aria-controls": entry.panel.id,
                text: entry.label,
                title: entry.title,
                onclick: () => this.choose(entry.name),
            });
            entry.panel.setAttribute("aria-labelledby", entry.tab.id);
            this.element.append(entry.tab);
        }
        this.choose(entries[0].name);
    }

    choose(name) {
        this.chosen = name;
        for (const { name: own, tab, panel } of this.entries) {
            tab.setAttribute("aria-selected", String(own === name));
            tab.tabIndex = own === name ? 0 : -1;
            panel.hidden = own !== name;
        }
        this.changed?.(name);
    }

    key(event) {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!by) return;
        event.preventDefault();
        event.stopPropagation();
        const at = this.entries.findIndex(({ name }) => name === this.chosen);
        const next = this.entries[(at + by + this.entries.length) % this.entries.length];
        this.choose(next.name);
        next.tab.focus();
    }
}
