// The mouse alone: the same story as with the keyboard, without a single key.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { Page } from "./lib/browser.mjs";
import { Command, prepare } from "./lib/command.mjs";
import { test } from "./lib/test.mjs";

await test(async (browser) => {
    const command = await Command.start(prepare("examples/ac-controller/main.c"), "-simul", "error1.path");
    const page = await Page.open(browser, command);
    await page.button("Go to end", ".trace").click();
    await page.at(3, 3);
    await page.get('.row[data-row="0"]').click();
    await page.at(0, 3);
    await page.get('.choices-view [data-process="2"] [data-choice="3"]').click();
    await page.at(1, 1);
    assert.equal((await command.ask("trace")).events[0].text, "VS_toss(3) = 3");
    await page.button("Next", '.process[data-process="2"]').click();
    await page.sees(".banner[data-kind=inside]", "Process 2");
    await page.button("Continue", '.choices-view [data-process="2"]').click();
    await page.get(".banner:not([data-kind=inside])").waitFor();
    await page.sees(".objects tr[data-changed]", /close_door.*changed/);
    assert.ok((await command.ask("objects")).objects.some((object) => object.changed));

    await page.button("File").click();
    await page.get("#file-menu").button("Save the scenario", false).click();
    const proposed = await page.get("dialog input[name=file]").inputValue();
    await page.button("Save", "dialog").click();
    await page.sees(".messages .note", proposed);
    assert.ok(existsSync(proposed));

    const split = await page.get(".split.across").boundingBox();
    const before = (await page.get(".trace").boundingBox()).width;
    await page.page.mouse.move(split.x + 4, 400);
    await page.page.mouse.down();
    await page.page.mouse.move(split.x + 84, 400);
    await page.page.mouse.up();
    assert.equal(Math.round((await page.get(".trace").boundingBox()).width), Math.round(before + 80));

    await page.get("#tab-space").click();
    await page.button("Bigger", ".dock").click();
    await page.get("canvas[data-drawn]").waitFor();
    await page.button("Bigger", ".dock").click();
    await page.button("Light or dark", ".top").click();
    assert.equal(await page.page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await page.button("Help", ".top").click();
    await page.sees("dialog h2", "Help");
    await page.button("Close", "dialog").click();
    await page.button("Quit", ".top").click();
    await page.button("Quit", "dialog").click();
    await page.sees("dialog.gone", /ended, as you asked/);
    assert.deepEqual(await command.ended, [0, null]);
    page.quiet();
});
