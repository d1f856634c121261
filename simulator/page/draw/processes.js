// The grid of process views, and the row of switches that open and close them.
// SPDX-License-Identifier: MIT
import { liveShow } from "../model/live.js";
import { hasStack, processOf, store, update, watch } from "../model/store.js";
import { answer, field, openDialog } from "../../../web/page/dialog.js";
import { button, make, setName, setText } from "../../../web/page/element.js";
import { ProcessView } from "./process.js";
import { wordsOf } from "./words.js";

const AT_FIRST = 6; // views that open by themselves, of processes that are there and have not ended

export class Processes {
    constructor() {
        this.views = new Map();
        this.switches = new Map();
        this.asked = new Map(); // process: whether the user wants its view, who then has the last word
        this.bar = make("div", { class: "switches", role: "group", "aria-label": "process views" });
        this.hint = make("span", { class: "hint", hidden: true, title: "press a name to open or close its view" });
        this.empty = make("p", { class: "none", hidden: true, text: "No view is open: press the name of a process above." });
        this.grid = make("div", { class: "grid" }, this.empty);
        this.element = make("section", { class: "processes", "aria-label": "Processes" }, this.bar, this.grid);
        this.seen = new IntersectionObserver(
            (entries) =>
                entries.forEach(({ target, isIntersecting }) => {
                    liveShow(Number(target.dataset.process), isIntersecting);
                    if (isIntersecting) this.views.get(Number(target.dataset.process))?.code.again();
                }),
            { root: this.grid },
        );
        watch(["where"], () => this.moved());
        watch(["live", "sources", "selected"], () => this.show());
    }

    toggle(number) {
        this.asked.set(number, !store.open.has(number));
        this.show();
    }

    // Opens it if need be, and gives it the keys. Gives its view.
    choose(number) {
        if (!processOf(number)) return null;
        this.asked.set(number, true);
        update("selected", number);
        this.arrange();
        const view = this.views.get(number);
        const { element } = view;
        element.scrollIntoView({ block: "nearest" });
        element.focus({ preventScroll: true });
        return view;
    }

    // The digits reach the first nine only.
    ask() {
        const { length } = store.where.processes;
        const number = make("input", { type: "text", name: "process", inputmode: "numeric", autocomplete: "off" });
        const choose = () => {
            if (!processOf(Number(number.value))) return false;
            // The dialog gives the focus back to where it was; then it is the view's turn.
            dialog.addEventListener("close", () => setTimeout(() => this.choose(Number(number.value))));
            return true;
        };
        const dialog = openDialog(
            "Choose a process",
            [field("Its number", number, `1 to ${length}`)],
            [answer("Choose", choose, { kind: "primary", submit: true })],
        );
    }

    current() {
        return this.views.get(store.selected);
    }

    moved() {
        this.arrange();
        for (const view of this.views.values()) view.moved();
    }

    show() {
        if (!store.where) return;
        this.arrange();
        for (const view of this.views.values()) view.show();
    }

    // What can go or is blocked has a view; what has ended, or is not there yet, is folded into its switch.
    decide() {
        store.open.clear();
        const live = store.where.processes.filter(hasStack).slice(0, AT_FIRST);
        for (const { process } of live) store.open.add(process);
        for (const [process, wanted] of this.asked) {
            if (wanted) store.open.add(process);
            else store.open.delete(process);
        }
    }

    arrange() {
        this.decide();
        for (const [number, view] of this.views) if (!store.open.has(number) || !processOf(number)) this.remove(number, view);
        for (const { process } of store.where.processes)
            if (store.open.has(process) && !this.views.has(process)) this.add(process);
        this.grid.dataset.count = Math.min(this.views.size, 4);
        this.showSwitches();
    }

    add(number) {
        const view = new ProcessView(number, () => this.toggle(number));
        this.views.set(number, view);
        const after = [...this.views.keys()].filter((other) => other > number).sort((a, b) => a - b)[0];
        this.grid.insertBefore(view.element, after ? this.views.get(after).element : null);
        this.seen.observe(view.element);
    }

    remove(number, view) {
        this.seen.unobserve(view.element);
        liveShow(number, false);
        view.code.view.destroy();
        view.element.remove();
        this.views.delete(number);
    }

    showSwitches() {
        const processes = store.where.processes;
        if (this.switches.size !== processes.length) {
            this.switches = new Map(
                processes.map(({ process }) => [process, button("", () => this.toggle(process), { kind: "switch" })]),
            );
            this.bar.replaceChildren(...this.switches.values(), this.hint);
        }
        const open = processes.filter(({ process }) => store.open.has(process)).length;
        this.hint.hidden = processes.every((one) => !hasStack(one) || store.open.has(one.process));
        setText(this.hint, `${open} of ${processes.length} views are open`);
        this.empty.hidden = open > 0;
        for (const process of processes) {
            const one = this.switches.get(process.process);
            const words = wordsOf(process, store.where);
            const folded = hasStack(process) ? "" : ` · ${words.word}`;
            setText(one.querySelector(".label"), `${words.sign} ${process.name}${folded}`);
            setName(one, "data-kind", words.kind);
            setName(one, "aria-pressed", String(store.open.has(process.process)));
            setName(one, "title", `${words.word}; ${store.open.has(process.process) ? "close" : "open"} its view`);
        }
    }
}
