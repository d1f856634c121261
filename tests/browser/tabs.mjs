// Two pages at once stay in step; a page that is closed, a browser that is killed, a command that ends: nothing is lost, and it
// is said.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { launch, Page } from "./lib/browser.mjs";
import { Command, prepare } from "./lib/command.mjs";
import { test } from "./lib/test.mjs";

async function together(browser, command) {
    const one = await Page.open(browser, command);
    const two = await Page.open(browser, command);
    await one.press("ArrowRight");
    await two.at(1, 3);
    await two.button("Continue", '.choices-view [data-process="2"]').click();
    await one.at(2, 3);
    await one.press("Home");
    await two.at(0, 3);
    await one.get('.choices-view [data-process="2"] [data-choice="3"]').click();
    await two.at(1, 1);
    await two.sees('.row[data-row="1"]', "VS_toss(3) = 3");
    await two.press("o");
    await two.get("dialog input").first().waitFor();
    await two.page.keyboard.type("error1.path");
    await two.press("Enter");
    await one.sees(".scenario", "error1.path");
    await one.at(0, 3);
    await one.get('.choices-view [data-process="2"] [data-choice="3"]').click();
    await two.at(1, 1);
    await one.page.close();
    await two.press("Home");
    await two.at(0, 1);
    two.quiet();
    await two.page.close();
}

async function killed(browser, command) {
    const doomed = await launch();
    const first = await Page.open(doomed, command);
    await first.press("End");
    await first.at(1, 1);
    await doomed.kill();
    assert.equal(await command.position(), 1, "the command goes on without its browser");
    const page = await Page.open(browser, command);
    await page.at(1, 1);
    await command.end();
    await page.sees("dialog.gone", /does not answer any more.*start the command again/);
    await page.shot("ended");
    await page.page.close();
}

async function quit(browser) {
    const command = await Command.start("main.c", "-simul");
    const page = await Page.open(browser, command);
    await page.button("Quit", ".top").click();
    await page.button("Stay", "dialog").click();
    assert.equal(await command.position(), 0, "nobody quit");
    await page.button("Quit", ".top").click();
    await page.button("Quit", "dialog").click();
    await page.sees("dialog.gone", /ended, as you asked/);
    assert.deepEqual(await command.ended, [0, null]);
    page.quiet();
}

await test(async (browser) => {
    const command = await Command.start(prepare("examples/ac-controller/main.c"), "-simul", "error1.path");
    await together(browser, command);
    await killed(browser, command);
    await quit(browser);
});
