// A property as text, checked while one types; a template as a form; and what to do when somebody else was faster.
// SPDX-License-Identifier: MIT
import { answer, field, openDialog } from "../../web/page/dialog.js";
import { button, make, setText } from "../../web/page/element.js";
import { Refused, ask } from "../../web/page/client.js";
import { failed, tell } from "../../web/page/messages.js";
import { act, get, refresh, select } from "./model.js";

const PATTERNS = {
    absence: "p",
    existence: "p",
    "bounded-existence-1": "p",
    "bounded-existence-2": "p",
    universality: "p",
    precedence: "ps",
    response: "ps",
    "precedence-chain-2-1": "pst",
    "precedence-chain-1-2": "pst",
    "response-chain-2-1": "pst",
    "response-chain-1-2": "pst",
    "constrained-chain": "pstz",
};
const SCOPES = { globally: "", before: "r", after: "q", between: "qr", "after-until": "qr" };

const nameOf = (text) => text.match(/^\s*property\s+(\S+)/)?.[1];

// ---- a template ----

function templateForm(insert) {
    const options = (names) => Object.keys(names).map((value) => make("option", { value, text: value }));
    const pattern = make("select", { "aria-label": "pattern", onchange: () => draw() }, ...options(PATTERNS));
    const scope = make("select", { "aria-label": "scope", onchange: () => draw() }, ...options(SCOPES));
    const inputs = make("span", { class: "arguments" });
    const draw = () =>
        inputs.replaceChildren(
            ...[...PATTERNS[pattern.value], ...SCOPES[scope.value]].map((letter) =>
                make("label", {}, `${letter} = `, make("input", { type: "text", name: letter, size: 8, "aria-label": letter })),
            ),
        );
    const line = () =>
        `    template ${pattern.value} ${scope.value} ${[...inputs.querySelectorAll("input")].map((input) => `${input.name}=${input.value.replace(/\s/g, "")}`).join(" ")}`;
    draw();
    return make("div", { class: "template" }, pattern, scope, inputs, button("Use template", () => insert(line()), { kind: "small" }));
}

// In the place of the formula that is there.
function withFormula(text, line) {
    const lines = text.split("\n").filter((one) => !/^\s*(holds|violation|template)\b/.test(one));
    const end = lines.findIndex((one) => one.trim() === "end");
    lines.splice(end < 0 ? lines.length : end, 0, line);
    return lines.join("\n");
}

// ---- checking ----

function checker(area, said) {
    let timer = 0;
    let turn = 0;
    const check = async () => {
        const mine = ++turn;
        const name = nameOf(area.value);
        try {
            const { value } = await ask("try", { name: name ?? "", text: area.value });
            if (mine !== turn) return;
            said.dataset.kind = "good";
            setText(said, value.formula ? `It is understood: ${value.formula}` : "It is understood.");
        } catch (problem) {
            if (mine !== turn) return;
            if (!(problem instanceof Refused)) failed(problem);
            said.dataset.kind = "bad";
            setText(said, problem.message);
        }
    };
    area.addEventListener("input", () => {
        clearTimeout(timer);
        timer = setTimeout(check, 150);
    });
    return check;
}

// ---- saving ----

function openConflict({ name, ours, theirs }) {
    openDialog(
        `Somebody else has changed ${name}`,
        [
            make("p", { text: "Nothing was written. This is what the file has now, and what you wanted:" }),
            make("h3", { text: "In the file" }),
            make("pre", { class: "whole", text: ours ?? "(it is not there any more)" }),
            make("h3", { text: "Yours" }),
            make("pre", { class: "whole", text: theirs ?? "(deleted)" }),
        ],
        [
            answer("Keep the file's", () => refresh()),
            answer("Go on with mine", () => void setTimeout(() => openText(`Edit ${name}`, theirs ?? ours, ours)), { kind: "primary" }),
        ],
    );
}

async function save(text, before) {
    const name = nameOf(text);
    if (!name) {
        tell("A property begins with the line property NAME.", "error");
        return false;
    }
    const value = await act("put", { name, text, before });
    if (value === undefined) return false;
    if (value.conflict) setTimeout(() => openConflict(value.conflict));
    else await select(name);
    return true;
}

function openText(title, text, before) {
    const area = make("textarea", { class: "text", rows: 14, spellcheck: "false", "aria-label": "the property" });
    const said = make("p", { class: "said", role: "status" });
    area.value = text;
    const check = checker(area, said);
    const insert = (line) => {
        area.value = withFormula(area.value, line);
        check();
    };
    const dialog = openDialog(
        title,
        [field("As it stands in the harness's file", area), said, make("h3", { text: "Template" }), templateForm(insert)],
        [answer("Cancel", () => true), answer("Save", () => save(area.value, before), { kind: "primary" })],
    );
    dialog.classList.add("wide");
    area.focus();
    check();
}

export function openEdit(property) {
    openText(`Edit ${property.name}`, property.text, property.text);
}

export function openNew() {
    openText("A new property", "property NAME\n    says    what must be so, in prose\n    symbol  p  MACHINE.VARIABLE == 1\n    holds   []p\nend\n", null);
}

export async function remove(property) {
    openDialog(
        `Delete ${property.name}?`,
        [make("p", { text: "It is taken out of the harness's file." })],
        [
            answer("Keep it", () => true),
            answer(
                "Delete",
                async () => {
                    const value = await get("put", { name: property.name, before: property.text });
                    if (value?.conflict) setTimeout(() => openConflict(value.conflict));
                    await select(null);
                    await refresh();
                },
                { kind: "primary" },
            ),
        ],
    );
}
