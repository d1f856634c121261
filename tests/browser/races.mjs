// A data race: each access is a step, and a red arrow goes from the first access to the second. SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { Page } from "./lib/browser.mjs";
import { Command, prepare } from "./lib/command.mjs";
import { test } from "./lib/test.mjs";

await test(async (browser) => {
    const file = prepare("tests/commands/races/counter.c", "-pthread");
    const command = await Command.start(file, "-pthread", "-simul", "error1.path");
    const page = await Page.open(browser, command);
    const { length } = await command.where();
    await page.press("End");
    await page.at(length, length);
    await page.sees(".row", /read counter/);
    await page.get("#tab-chart").click();
    assert.equal(await page.get(".chart .arrow.race").count(), 1, "the race that the scenario ends in");
    assert.match(await page.get(".chart .arrow.race").getAttribute("data-tip"), /data race: nothing orders them, from step \d+ to step \d+/);
    await page.sees(".objects tbody tr", /counter/);
    await page.shot("race");
});
