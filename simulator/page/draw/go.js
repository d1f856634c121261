// Lets a process go, and asks which value a choice is to take where there are several (the manual's Figure 5).
// SPDX-License-Identifier: MIT
import { move, settled } from "../model/moves.js";
import { processOf, store } from "../model/store.js";
import { tell } from "../../../web/page/messages.js";
import { openDialog } from "../../../web/page/dialog.js";
import { button, make } from "../../../web/page/element.js";

// What the scenario says that comes next, if it is of this process.
function planned(process) {
    const next = store.events[store.where.position];
    return next?.process === process && !store.where.inside ? next.choice : null;
}

// Of very many only the first are listed; any other is typed.
function typed(count, act) {
    const input = make("input", { type: "text", inputmode: "numeric", "aria-label": "number of the result" });
    return make(
        "div",
        { class: "typed" },
        make("span", { text: `or any, from 0 to ${count - 1}:` }),
        input,
        button("Take it", () => act(Number(input.value)), { kind: "plain" }),
    );
}

function choose(process, act) {
    const { choices, choice_count: count, operation } = processOf(process);
    const asScenario = planned(process);
    const dialog = openDialog(`Process ${process}: ${operation}`, [
        make("p", { text: "This operation can give several results. Which one?" }),
        count > choices.length
            ? typed(count, (choice) => {
                  dialog.close();
                  act(choice);
              })
            : "",
        make(
            "div",
            { class: "choices" },
            ...choices.map(({ choice, text }, i) =>
                button(
                    choice === asScenario ? `${text} (as in the scenario)` : text,
                    () => {
                        dialog.close();
                        act(choice);
                    },
                    { kind: "choice", key: i < 9 ? String(i + 1) : undefined, "data-choice": choice },
                ),
            ),
        ),
    ]);
    dialog.addEventListener("keydown", (event) => {
        if (event.target.matches("input")) return;
        const wanted = choices[Number(event.key) - 1];
        if (wanted) {
            event.preventDefault();
            event.stopPropagation();
            dialog.close();
            act(wanted.choice);
        }
    });
}

// `what` is go, step or next_line. What is on its way comes first: it may change what can be done.
export async function letGo(what, process, choice) {
    await settled();
    const it = processOf(process);
    const inside = store.where.inside?.process === process;
    if (!it) return;
    if (!inside && it.state !== "ready") {
        tell(it.state === "ended" ? `${it.name} has ended` : `${it.name} is blocked. ${it.why}`, "error");
        return;
    }
    if (choice === undefined && !inside && it.choices.length > 1)
        choose(process, (chosen) => move(what, { process, choice: chosen }));
    else move(what, choice === undefined ? { process } : { process, choice });
}
