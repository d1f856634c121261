// One line that is always there: what is wrong here, or what can be done.
// SPDX-License-Identifier: MIT
import { moveTo } from "../model/moves.js";
import { store, watch } from "../model/store.js";
import { button, make, setName, setText } from "../../../web/page/element.js";
import { scenarioName } from "./words.js";

export function what({ location, message }) {
    return location ? `${location.file}:${location.line}: ${message}` : message;
}

function summary(where) {
    if (where.condition) return { kind: "bad", title: where.condition.kind, text: what(where.condition) };
    if (where.inside)
        return {
            kind: "inside",
            title: "inside",
            text:
                `Process ${where.inside.process} is inside its own code, before ${where.inside.file}:${where.inside.line}. ` +
                "Step, Next or Continue it; the others have to wait.",
        };
    if (where.finished) return { kind: "good", title: "finished", text: "Every process has ended." };
    const next = where.position < where.length ? store.events[where.position] : null;
    if (next) return { kind: "calm", title: "scenario", text: `Next comes process ${next.process}: ${next.text}` };
    return {
        kind: "calm",
        title: where.departed ? "off the scenario" : where.length && scenarioName() ? "end of the scenario" : "manual",
        text: "Choose a process that can go, and press its Continue.",
    };
}

// The last step before the position that went wrong; -1: none did.
function wrongBefore(position) {
    for (let i = position - 1; i >= 0; i--) if (store.events[i]?.condition) return i;
    return -1;
}

// What was passed is not forgotten: a button that goes back to it.
function passedMark() {
    let step = -1;
    const element = button("", () => moveTo(step), { kind: "passed", icon: "✗" });
    const show = () => {
        step = wrongBefore(store.where.position);
        element.hidden = step < 0;
        if (step < 0) return;
        const { condition, process, operation, location } = store.events[step];
        const place = location ? `, ${location.file}:${location.line}` : "";
        setText(element.querySelector(".label"), `${condition} in step ${step + 1}: ${operation}`);
        setName(element, "title", `process ${process} did ${operation}${place}; go to the state before it`);
    };
    return { element, show };
}

export function banner(explain) {
    const title = make("strong");
    const text = make("span", { class: "message" });
    const more = button("Explain", explain, { kind: "plain", key: "e", title: "what that means" });
    const passed = passedMark();
    const element = make("div", { class: "banner", role: "status" }, title, text, more, passed.element);
    watch(["where", "events", "hello"], () => {
        if (!store.where) return;
        const now = summary(store.where);
        setName(element, "data-kind", now.kind);
        setText(title, now.title);
        setText(text, now.text);
        setName(text, "title", now.text);
        more.hidden = !store.where.condition;
        passed.show();
    });
    return element;
}
