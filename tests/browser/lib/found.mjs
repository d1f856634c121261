// Elements of a page, looked for anew each time: `found` says how. What is done to one waits until it is there, and until a
// person could do it: it is seen, it stands still, and nothing lies over it.
// SPDX-License-Identifier: MIT
import { patiently } from "./tab.mjs";

// Runs in the page. Steps narrow each other: elements below those found, those with a text, those named so, the first.
function find(steps) {
    const plain = (text) => text.replace(/\s+/g, " ").trim();
    const says = (text, { string, pattern }) =>
        string === undefined ? new RegExp(...pattern).test(text) : plain(text).includes(plain(string));
    const spoken = (node) =>
        node.nodeType === Node.TEXT_NODE
            ? node.data
            : node.getAttribute("aria-hidden") === "true"
              ? ""
              : [...node.childNodes].map(spoken).join("");
    const named = (element, { name, exact }) => {
        const own = plain(element.getAttribute("aria-label") ?? spoken(element));
        return element.checkVisibility() && (exact ? own === name : own.includes(name));
    };
    return steps.reduce(
        (found, { css, text, button, first }) => {
            if (css) return [...new Set(found.flatMap((one) => [...one.querySelectorAll(css)]))];
            if (text) return found.filter((one) => says(one.textContent, text));
            if (button) return found.flatMap((one) => [...one.querySelectorAll("button")]).filter((one) => named(one, button));
            return first ? found.slice(0, 1) : found;
        },
        [document],
    );
}

// Runs in the page. Where to put the mouse on an element; or why that cannot be done yet.
async function reach(elements, force) {
    const box = (one) => Object.values(one.getBoundingClientRect().toJSON()).join();
    const frame = () => new Promise((next) => requestAnimationFrame(next));
    const seen = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0;
    if (elements.length !== 1) return { not: `${elements.length} are there` };
    const [element] = elements;
    if (!seen(element) || element.disabled) return { not: "it is hidden or disabled" };
    element.scrollIntoViewIfNeeded();
    const before = box(element);
    await frame();
    await frame();
    if (!element.isConnected || box(element) !== before) return { not: "it moves" };
    const { x, y, width, height } = element.getBoundingClientRect();
    const middle = { x: x + width / 2, y: y + height / 2 };
    const there = document.elementFromPoint(middle.x, middle.y);
    if (!force && !element.contains(there)) return { not: `over it lies ${there?.outerHTML.slice(0, 100)}` };
    return middle;
}

export class Found {
    constructor(tab, steps) {
        Object.assign(this, { tab, steps });
    }

    and(step) {
        return new Found(this.tab, [...this.steps, step]);
    }

    locator(css) {
        return this.and({ css });
    }

    button(name, exact = true) {
        return this.and({ button: { name, exact } });
    }

    filter({ hasText }) {
        return this.and({ text: hasText instanceof RegExp ? { pattern: [hasText.source, hasText.flags] } : { string: hasText } });
    }

    first() {
        return this.and({ first: true });
    }

    toString() {
        return JSON.stringify(this.steps);
    }

    // Of all that are there now: what `act` gives of the list of them.
    ofAll(act, given) {
        return this.tab.evaluate(`(steps, given) => (${act})((${find})(steps), given)`, this.steps, given);
    }

    // Of the one element, once it is there.
    async evaluate(act, given) {
        const { value } = await patiently(
            () => this.ofAll(`async (all, given) => all.length === 1 ? { value: await (${act})(all[0], given) } : null`, given),
            async () => `one element ${this}: ${await this.count()} are there`,
        );
        return value;
    }

    count() {
        return this.ofAll((all) => all.length);
    }

    allTextContents() {
        return this.ofAll((all) => all.map((one) => one.textContent));
    }

    textContent() {
        return this.evaluate((one) => one.textContent);
    }

    inputValue() {
        return this.evaluate((one) => one.value);
    }

    getAttribute(name) {
        return this.evaluate((one, wanted) => one.getAttribute(wanted), name);
    }

    boundingBox() {
        return this.evaluate((one) => one.getBoundingClientRect().toJSON());
    }

    // Until one is visible; or none is (hidden), or none is there (detached).
    waitFor({ state = "visible" } = {}) {
        const check = {
            visible: (all) => all.some((one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length),
            hidden: (all) => !all.some((one) => one.checkVisibility({ visibilityProperty: true })),
            detached: (all) => !all.length,
        }[state];
        return patiently(() => this.ofAll(check), `${state}: ${this}`);
    }

    async place({ force = false } = {}) {
        let why = "";
        return patiently(
            async () => {
                const place = await this.ofAll(`(all, given) => (${reach})(all, given)`, force);
                why = place.not;
                return why ? null : place;
            },
            () => `the mouse on ${this}: ${why}`,
        );
    }

    async hover() {
        const { x, y } = await this.place();
        await this.tab.mouse.move(x, y);
    }

    async click(how = {}) {
        const { x, y } = await this.place(how);
        await this.tab.mouse.click(x, y, how);
    }

    focus() {
        return this.evaluate((one) => one.focus());
    }

    async press(key) {
        await this.focus();
        await this.tab.keyboard.press(key);
    }

    async fill(text) {
        await this.evaluate((one) => {
            one.focus();
            one.select();
        });
        if (text) await this.tab.ask("Input.insertText", { text });
        else await this.tab.keyboard.press("Delete");
    }

    async uncheck() {
        if (await this.evaluate((one) => one.checked)) await this.click();
    }

    selectOption(value) {
        return this.evaluate((one, wanted) => {
            one.value = wanted;
            one.dispatchEvent(new Event("change", { bubbles: true }));
        }, value);
    }

    scrollIntoViewIfNeeded() {
        return this.evaluate((one) => one.scrollIntoViewIfNeeded());
    }

    // A file of ours in a field for files.
    async choose(file) {
        const { result } = await this.tab.ask("Runtime.evaluate", {
            expression: `(${find})(${JSON.stringify(this.steps)})[0]`,
        });
        await this.tab.ask("DOM.setFileInputFiles", { files: [file], objectId: result.objectId });
    }
}
