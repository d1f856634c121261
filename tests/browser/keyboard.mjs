// The keyboard alone: from the error to a scenario of one's own, to the state space, to the end; and everything can be reached
// by Tab.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Page } from "./lib/browser.mjs";
import { Command, prepare } from "./lib/command.mjs";
import { test } from "./lib/test.mjs";

async function trace(page, command) {
    for (const [key, position] of [
        ["ArrowRight", 1],
        ["ArrowRight", 2],
        ["ArrowLeft", 1],
        ["End", 3],
        ["Home", 0],
    ]) {
        await page.press(key);
        await page.at(position, 3);
        assert.equal(await command.position(), position, key);
    }
    for (const key of ["m", "ArrowDown", "ArrowDown", "Enter"]) await page.press(key);
    await page.at(2, 3);
    await page.press("t");
    await page.get(".chart .event").first().waitFor();
    await page.press("t");
    await page.press("End");
    await page.at(3);
    await page.press("e");
    await page.sees(".explained .message", "VS_assert(ac)");
}

async function processes(page, command) {
    await page.press("Home");
    await page.at(0);
    await page.press("2");
    await page.get('.process[data-process="2"][data-selected]').waitFor();
    await page.press("c");
    await page.get("dialog .choice").first().waitFor();
    await page.press("3");
    await page.at(1, 1);
    assert.equal((await command.ask("trace")).events[0].text, "VS_toss(3) = 2");
    await page.press("n");
    await page.sees(".banner[data-kind=inside]", "Process 2");
    await page.press("c");
    await page.get(".banner:not([data-kind=inside])").waitFor();
    await page.press("s");
    await page.get("dialog .choice").first().waitFor();
    await page.press("1");
    await page.sees(".banner[data-kind=inside]", "Process 2");
    await page.press("s");
    await page.press("c");
    await page.get(".banner:not([data-kind=inside])").waitFor();
    await page.press("1");
    await page.get('.process[data-process="1"][data-selected]').waitFor();
    await page.press("p");
    await page.page.keyboard.type("is_door_closed");
    await page.press("Enter");
    await page.sees('.process[data-process="1"] .printed', "= 1");
    await page.press("Escape");
}

async function files(page) {
    await page.press("w");
    await page.get("dialog input").waitFor();
    await page.page.keyboard.type("keys.path");
    await page.press("Enter");
    await page.sees(".messages .note", "keys.path");
    assert.match(readFileSync("keys.path", "utf8"), /VS_toss\(3\) = 2/);
    await page.get("dialog").waitFor({ state: "detached" });     // whose keys they are until then
    await page.press("o");
    await page.get("dialog input").first().waitFor();
    await page.page.keyboard.type("error1.path");
    await page.press("Enter");
    await page.at(0, 3);
    await page.get("dialog").waitFor({ state: "detached" });
}

async function space(page, command) {
    await page.press("x");
    await page.get("canvas[data-drawn]").waitFor();
    await page.press("f");
    await page.get(".filter").waitFor({ state: "hidden" });
    await tabTo(page, "canvas");
    for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.press(key);
    await page.at(1, 3);
    assert.equal(await command.position(), 1);
    for (const [key, zoom] of [
        ["e", "190.0"],
        ["+", "220.0"],
        ["h", "190.0"],
    ]) {
        await page.press(key);
        await page.until(
            () => page.get("canvas").getAttribute("data-zoom"),
            (now) => now === zoom,
            `zoom after ${key}`,
        );
    }
    await page.press("x");
}

async function tabTo(page, selector) {
    for (let i = 0; i < 120; i++) {
        if (await page.page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
        await page.press("Tab");
    }
    assert.fail(`Tab never comes to ${selector}`);
}

// Each thing that Tab comes to has a name and shows that it has the focus.
async function tabOrder(page) {
    const seen = [];
    for (let i = 0; i < 70; i++) {
        await page.press("Tab");
        const stop = await page.page.evaluate(() => {
            const it = document.activeElement;
            const style = getComputedStyle(it);
            const name = it.getAttribute("aria-label") || it.textContent || it.title;
            return {
                what: it.outerHTML.slice(0, 90),
                name: name.trim(),
                ring: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0,
                body: it === document.body,
            };
        });
        if (stop.body) continue;
        assert.ok(stop.name, `no name: ${stop.what}`);
        assert.ok(stop.ring, `no ring: ${stop.what}`);
        seen.push(stop.name);
    }
    for (const name of ["Next event", "Continue", "Step", "Print", "Quit", "File"])
        assert.ok(
            seen.some((one) => one.includes(name)),
            `Tab never comes to ${name}`,
        );
}

await test(async (browser) => {
    const command = await Command.start(prepare("examples/ac-controller/main.c"), "-simul", "error1.path");
    const page = await Page.open(browser, command);
    await trace(page, command);
    await processes(page, command);
    await files(page);
    await space(page, command);
    await tabOrder(page);
    await page.press("?");
    await page.sees("dialog h2", "Help");
    await page.press("Escape");
    await page.press("q");
    await page.get("dialog[open]").waitFor();
    await page.press("Enter");
    await page.sees("dialog.gone", /ended, as you asked/);
    assert.deepEqual(await command.ended, [0, null]);
    page.quiet();
});
