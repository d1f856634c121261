// What a person waits for at the simulator's page, in a real browser: milliseconds, one line for each, with the words before a tab.
// Called by bench/run, with B, project, CHROMIUM and TMPDIR as tests/run sets them, in a folder with what it made there.
// SPDX-License-Identifier: MIT
import { Page } from "../tests/browser/lib/browser.mjs";
import { Command } from "../tests/browser/lib/command.mjs";
import { test } from "../tests/browser/lib/test.mjs";

const say = (words, ms) => console.log(`${words}\t${ms.toFixed(1)}`);

// From the address to the first paint that shows something.
async function painted(page) {
    return page.evaluate(
        () =>
            new Promise((done) =>
                new PerformanceObserver((list) => {
                    const found = list.getEntriesByName("first-contentful-paint")[0];
                    if (found) done(found.startTime);
                }).observe({ type: "paint", buffered: true }),
            ),
    );
}

async function emptyPage(browser) {
    const page = await browser.newPage();
    await page.goto("data:text/html,<p>empty</p>");
    say("an empty page, first paint", await painted(page));
    await page.close();
}

// From a key to the frame in which the page says another position.
async function pressed(page, key, times) {
    const all = [];
    for (let i = 0; i < times; i++)
        all.push(
            await page.page.evaluate(
                (name) =>
                    new Promise((done) => {
                        const count = document.querySelector(".trace .count");
                        const start = performance.now();
                        new MutationObserver((_, self) => {
                            self.disconnect();
                            requestAnimationFrame(() => done(performance.now() - start));
                        }).observe(count, { childList: true, characterData: true, subtree: true });
                        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
                    }),
                key,
            ),
        );
    return all.sort((a, b) => a - b)[Math.floor(times / 2)];
}

await test(async (browser) => {
    await emptyPage(browser);
    const [talk, path, philosophers, found] = process.argv.slice(2);
    const trace = await Command.start(talk, "-simul", path);
    const page = await Page.open(browser, trace);
    say("10,000 transitions, first paint", await painted(page.page));
    say("10,000 transitions, a key to the next event", await pressed(page, "ArrowRight", 15));
    await page.page.close();
    await trace.end();
    const space = await Command.start(philosophers, "-simul", "--output", found, "--", "8");
    const wide = await Page.open(browser, space);
    const start = Date.now();
    await wide.press("x");
    await wide.until(() => wide.get("canvas").getAttribute("data-drawn"), Number, "states drawn");
    say("100,000 states, until they are drawn", Date.now() - start);
    await wide.get("canvas").focus();
    await wide.press("ArrowDown");
    await wide.press("ArrowDown");
    const clicked = Date.now();
    await wide.press("Enter");
    await wide.at(1);
    say("100,000 states, Enter to the state", Date.now() - clicked);
});
