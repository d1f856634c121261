// A real browser, and a page of the simulator in it. Whatever a page says to its console as an error fails the test.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { project } from "./command.mjs";

const { chromium } = createRequire(join(project, "simulator/page/package.json"))("playwright-core");
const FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];
const browsers = new Set();
const screenshots = join(process.env.B, "tests/screenshots");

const options = { executablePath: process.env.CHROMIUM, args: FLAGS };

export async function launch() {
    const browser = await chromium.launch(options);
    browsers.add(browser);
    return browser;
}

// What a killed browser leaves in its folder of temporary files is its own.
function sweep() {
    for (const name of readdirSync(process.env.TMPDIR))
        if (name.startsWith("org.chromium.")) rmSync(join(process.env.TMPDIR, name), { recursive: true });
}

// One that can be killed as if it crashed.
export async function launchToKill() {
    const server = await chromium.launchServer(options);
    const browser = await chromium.connect(server.wsEndpoint());
    return { browser, kill: () => server.kill().then(sweep) };
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
    static async open(browser, command, { scheme = "light" } = {}) {
        const self = new Page();
        opened.push(self);
        self.page = await browser.newPage({
            viewport: { width: 1280, height: 800 },
            colorScheme: scheme,
            reducedMotion: "reduce",
        });
        self.page.setDefaultTimeout(15000);
        self.problems = [];
        self.requests = [];
        self.page.on("pageerror", (problem) => self.problems.push(problem.stack));
        self.page.on(
            "console",
            (message) => message.type() === "error" && self.problems.push(`${message.text()} ${message.location().url}`),
        );
        self.page.on("request", (request) => {
            if (request.url().endsWith("/do")) self.requests.push(JSON.parse(request.postData()).do);
        });
        await self.page.goto(command.address);
        await self.page.locator(".trace .count").filter({ hasText: "of" }).waitFor();
        return self;
    }

    get(selector) {
        return this.page.locator(selector);
    }

    button(name, within = "body") {
        return this.page.locator(within).getByRole("button", { name, exact: true });
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
        for (const end = Date.now() + 15000; Date.now() < end; await new Promise((go) => setTimeout(go, 20))) {
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
