// A page in the browser: its keys, its mouse, what runs in it and what it says.
// SPDX-License-Identifier: MIT
import { EventEmitter } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Found } from "./found.mjs";

export const PATIENCE = 300000; // milliseconds, to end what would wait for ever
const STEP = 20; // milliseconds between two looks

// Calls `look` until it gives something that is neither null nor undefined nor false; gives that.
export async function patiently(look, what) {
    for (const end = Date.now() + PATIENCE; ; await sleep(STEP)) {
        const seen = await look();
        if (seen !== null && seen !== undefined && seen !== false) return seen;
        if (Date.now() > end) throw new Error(`this does not come: ${typeof what === "function" ? await what() : what}`);
    }
}

// Keys that are not the character they make: what the system calls them, and what they type.
const KEYS = {
    ArrowLeft: [37],
    ArrowUp: [38],
    ArrowRight: [39],
    ArrowDown: [40],
    Home: [36],
    End: [35],
    PageUp: [33],
    PageDown: [34],
    Escape: [27],
    Tab: [9],
    Backspace: [8],
    Delete: [46],
    Enter: [13, "\r"],
};

class Keyboard {
    constructor(tab) {
        this.tab = tab;
    }

    async press(key) {
        const [number, text] = KEYS[key] ?? [/[a-z0-9]/i.test(key) ? key.toUpperCase().charCodeAt(0) : 0, key];
        const about = { key, windowsVirtualKeyCode: number };
        await this.tab.ask("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", text, ...about });
        await this.tab.ask("Input.dispatchKeyEvent", { type: "keyUp", ...about });
    }

    async type(text) {
        for (const character of text) await this.press(character);
    }
}

const BUTTONS = { none: 0, left: 1, right: 2, middle: 4 };

class Mouse {
    constructor(tab) {
        Object.assign(this, { tab, x: 0, y: 0, held: "none" });
    }

    send(type, button, more = {}) {
        const { x, y, held } = this;
        return this.tab.ask("Input.dispatchMouseEvent", { type, x, y, button, buttons: BUTTONS[held], ...more });
    }

    async move(x, y, { steps = 1 } = {}) {
        const from = { x: this.x, y: this.y };
        for (let i = 1; i <= steps; i++) {
            Object.assign(this, { x: from.x + ((x - from.x) * i) / steps, y: from.y + ((y - from.y) * i) / steps });
            await this.send("mouseMoved", this.held);
        }
    }

    async down({ button = "left", clickCount = 1 } = {}) {
        this.held = button;
        await this.send("mousePressed", button, { clickCount });
    }

    async up({ button = "left", clickCount = 1 } = {}) {
        this.held = "none";
        await this.send("mouseReleased", button, { clickCount });
    }

    // `clickCount`: all clicks up to that one, as a hand does.
    async click(x, y, { button = "left", clickCount = 1 } = {}) {
        await this.move(x, y);
        for (let i = 1; i <= clickCount; i++) {
            await this.down({ button, clickCount: i });
            await this.up({ button, clickCount: i });
        }
    }

    dblclick(x, y) {
        return this.click(x, y, { clickCount: 2 });
    }

    wheel(deltaX, deltaY) {
        return this.send("mouseWheel", "none", { deltaX, deltaY });
    }
}

// Emits "problem" with what the page says as an error, "request" with each that it makes, and "gone".
export class Tab extends EventEmitter {
    constructor(browser, about) {
        super();
        Object.assign(this, { browser, ...about, closed: false, loads: 0 });
        this.keyboard = new Keyboard(this);
        this.mouse = new Mouse(this);
    }

    ask(method, params) {
        return this.browser.ask(this.sessionId, method, params);
    }

    async begin({ width, height }, features) {
        this.browser.hearers.set(this.sessionId, (method, params) => this.hear(method, params));
        for (const part of ["Page", "Runtime", "Log", "Network"]) await this.ask(`${part}.enable`);
        await this.setViewportSize({ width, height });
        await this.ask("Emulation.setEmulatedMedia", { features });
        await this.ask("Emulation.setFocusEmulationEnabled", { enabled: true });
    }

    hear(method, params) {
        if (method === "Page.loadEventFired") this.loads++;
        else if (method === "Runtime.exceptionThrown")
            this.emit("problem", params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
        else if (method === "Runtime.consoleAPICalled" && params.type === "error")
            this.emit("problem", params.args.map((one) => one.value ?? one.description).join(" "));
        else if (method === "Log.entryAdded" && params.entry.level === "error")
            this.emit("problem", `${params.entry.text} ${params.entry.url ?? ""}`);
        else if (method === "Network.requestWillBeSent") this.emit("request", params.request);
    }

    setViewportSize({ width, height }) {
        return this.ask("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    }

    async goto(url) {
        const { loads } = this;
        const { errorText } = await this.ask("Page.navigate", { url });
        if (errorText) throw new Error(`${url}: ${errorText}`);
        await patiently(() => this.loads > loads, `the load of ${url}`);
    }

    // Runs a function in the page; gives what it gives, once that is there.
    async evaluate(act, ...given) {
        const { result, exceptionDetails } = await this.ask("Runtime.evaluate", {
            expression: `(${act})(${given.map((one) => JSON.stringify(one) ?? "undefined").join()})`,
            awaitPromise: true,
            returnByValue: true,
            userGesture: true,
        });
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
    }

    locator(selector) {
        return new Found(this, [{ css: selector }]);
    }

    async screenshot({ path }) {
        const { data } = await this.ask("Page.captureScreenshot", { format: "png" });
        writeFileSync(path, Buffer.from(data, "base64"));
    }

    // The file that `act` makes the page give to its user.
    async download(act) {
        const { browser, browserContextId } = this;
        let guid;
        let done = false;
        await browser.ask("", "Browser.setDownloadBehavior", {
            behavior: "allowAndName",
            downloadPath: browser.folder,
            eventsEnabled: true,
            browserContextId,
        });
        browser.hearers.set("", (method, params) => {
            if (method === "Browser.downloadWillBegin") ({ guid } = params);
            if (method === "Browser.downloadProgress") done ||= params.guid === guid && params.state === "completed";
        });
        await act();
        await patiently(() => done, "the download");
        return join(browser.folder, guid);
    }

    isClosed() {
        return this.closed;
    }

    async close() {
        this.closed = true;
        await this.browser.ask("", "Target.disposeBrowserContext", { browserContextId: this.browserContextId });
    }
}
