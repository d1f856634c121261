// A real browser, and a page of the simulator in it. Whatever a page says to its console as an error fails the test.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Chromium } from "./chromium.mjs";
import { PATIENCE } from "./tab.mjs";

const browsers = new Set();
const screenshots = join(process.env.B, "tests/screenshots");

export async function launch() {
    const browser = await Chromium.launch();
    browsers.add(browser);
    return browser;
}

export async function closeAll() {
    await Promise.all([...browsers].map((browser) => browser.close()));
}

const opened = [];

// What stood on the screen when a test failed.
export async function shootAll() {
    for (const [i, page] of opened.entries())
        if (!page.page.isClosed()) await page.shot(`failed-${process.argv[1].replace(/^.*\/|\.mjs$/g, "")}-${i}`).catch(() => {});
}

export class Page {
    static async open(browser, command, { scheme = "light", ready = ".trace .count", says = "of" } = {}) {
        const self = new Page();
        opened.push(self);
        self.page = await browser.newPage({
            viewport: { width: 1280, height: 800 },
            colorScheme: scheme,
            reducedMotion: "reduce",
        });
        self.problems = [];
        self.requests = [];
        self.page.on("problem", (problem) => self.problems.push(problem));
        self.page.on("request", ({ url, postData }) => {
            if (url.endsWith("/do")) self.requests.push(JSON.parse(postData).do);
        });
        await self.page.goto(command.address);
        await self.page.locator(ready).filter({ hasText: says }).first().waitFor();
        return self;
    }

    get(selector) {
        return this.page.locator(selector);
    }

    button(name, within = "body") {
        return this.page.locator(within).button(name);
    }

    press(key) {
        return this.page.keyboard.press(key);
    }

    // The view of a process.
    process(number) {
        return this.page.locator(`.process[data-process="${number}"]`);
    }

    // The middle of a word on the first line of a process's source that has `line` in it.
    async word(number, line, word) {
        return this.process(number)
            .locator(".cm-line")
            .filter({ hasText: line })
            .first()
            .evaluate((element, wanted) => {
                const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
                for (let node = walk.nextNode(); node; node = walk.nextNode()) {
                    const at = node.data.indexOf(wanted);
                    if (at < 0) continue;
                    const range = document.createRange();
                    range.setStart(node, at);
                    range.setEnd(node, at + wanted.length);
                    const box = range.getBoundingClientRect();
                    return { x: box.x + box.width / 2, y: box.y + box.height / 2, left: box.left, right: box.right };
                }
                throw new Error(`no ${wanted}`);
            }, word);
    }

    // Until the page says so.
    async sees(selector, text) {
        const found = this.page.locator(selector).filter({ hasText: text }).first();
        await found.waitFor({ state: "visible" }).catch(async () => {
            const now = await this.page.locator(selector).allTextContents();
            assert.fail(`${selector} says ${JSON.stringify(now)}, not ${text}`);
        });
    }

    async at(position, length) {
        await this.sees(
            ".trace .count",
            length === undefined ? new RegExp(`^${position} of `) : new RegExp(`^${position} of ${length}$`),
        );
    }

    // Until `check` is true of the value that `read` gives in the page.
    async until(read, check, what) {
        let last;
        for (const end = Date.now() + PATIENCE; Date.now() < end; await sleep(20)) {
            last = await read();
            if (check(last)) return last;
        }
        return assert.fail(`${what}: ${JSON.stringify(last)}`);
    }

    async shot(name) {
        mkdirSync(screenshots, { recursive: true });
        await this.page.screenshot({ path: join(screenshots, `${name}.png`) });
    }

    quiet() {
        assert.deepEqual(this.problems, [], "the page said errors to its console");
    }
}
