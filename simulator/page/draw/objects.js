// The state of every object, and what the last transition changed.
// SPDX-License-Identifier: MIT
import { objectsLook } from "../model/objects.js";
import { store, watch } from "../model/store.js";
import { make } from "../../../web/page/element.js";

function line(object) {
    return make(
        "tr",
        { "data-changed": object.changed ? "" : null, "data-object": object.object },
        make("th", { scope: "row", text: object.name, title: object.type }),
        make("td", { class: "state", text: object.state, title: object.state }),
        make("td", {
            class: "change",
            text: object.changed ? `● changed${object.before === null ? "" : `, was ${object.before}`}` : "",
        }),
    );
}

export function objectsView() {
    const body = make("tbody");
    const none = make("p", { class: "none", text: "The program has no objects yet.", hidden: true });
    const table = make(
        "table",
        {},
        make(
            "thead",
            {},
            make("tr", {}, ...["object", "state", "last transition"].map((text) => make("th", { scope: "col", text }))),
        ),
        body,
    );
    const element = make("section", { class: "objects", "aria-label": "Objects" }, make("h2", { text: "Objects" }), table, none);
    watch(["objects"], () => {
        body.replaceChildren(...store.objects.map(line));
        none.hidden = store.objects.length > 0;
    });
    new IntersectionObserver(([{ isIntersecting }]) => objectsLook(isIntersecting)).observe(element);
    return element;
}
