// Help: what the simulator is, its keys, its colours.
// SPDX-License-Identifier: MIT
import { make } from "../../../web/page/element.js";
import * as keys from "../../../web/page/keys.js";

export function openHelp(groups) {
    const before = [
        make("p", {
            text:
                "A scenario is a list of transitions. The red bar shows where the system stands in it; walk back and forth, " +
                "or let another process go to see what would have happened.",
        }),
    ];
    const behind = [
        make("h3", { text: "Colours of the next line" }),
        make(
            "ul",
            { class: "colours" },
            ...[
                ["blue", "➤ goes next: the scenario says so"],
                ["green", "▶ can go"],
                ["red", "■ blocked"],
                ["yellow", "◆ has to wait: another process is inside its own code"],
                ["inside", "● inside its own code"],
            ].map(([kind, text]) => make("li", {}, make("span", { class: `badge ${kind}`, text }))),
        ),
    ];
    keys.openHelp(groups, before, behind);
}
