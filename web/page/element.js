// Elements of the page, made and changed with few words.
// SPDX-License-Identifier: MIT

function apply(element, given) {
    for (const [name, value] of Object.entries(given)) {
        if (value === undefined || value === null) continue;
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else if (name === "text") element.textContent = value;
        else element.setAttribute(name, value === true ? "" : value);
    }
}

export function make(tag, given = {}, ...children) {
    const element = document.createElement(tag);
    apply(element, given);
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
}

export function shape(tag, given = {}, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    apply(element, given);
    element.append(...children);
    return element;
}

// Only what differs is written, so that nothing flickers and nothing is laid out again.
export function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
}

export function setFlag(element, name, on) {
    if (element.hasAttribute(name) !== Boolean(on)) element.toggleAttribute(name, Boolean(on));
}

export function setName(element, name, value) {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

// A button; `key` is the one that does the same.
export function button(label, press, { key, title, kind, icon, ...more } = {}) {
    const hint = [title ?? label, key && `key ${key}`].filter(Boolean).join("; ");
    const content = [
        icon && make("span", { class: "icon", "aria-hidden": "true", text: icon }),
        make("span", { class: "label", text: label }),
    ];
    return make(
        "button",
        { type: "button", class: kind ?? "plain", title: hint || null, "aria-keyshortcuts": key, onclick: press, ...more },
        ...content,
    );
}
