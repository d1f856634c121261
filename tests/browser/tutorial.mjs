// The walk of doc/tutorial.md. With PICTURES=doc/pictures its pictures are made again.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Page } from "./lib/browser.mjs";
import { Command, prepare, project } from "./lib/command.mjs";
import { test } from "./lib/test.mjs";

const view = (number) => `.process[data-process="${number}"]`;

async function picture(page, name) {
    const folder = process.env.PICTURES ? resolve(project, process.env.PICTURES) : join(process.env.B, "tests/screenshots");
    mkdirSync(folder, { recursive: true });
    await page.page.mouse.move(640, 20);
    for (const number of [1, 2])
        await page.until(() => page.get(`${view(number)} .details:not([data-late]) .frame`).count(), Number, "a call stack");
    await page.page.screenshot({ path: join(folder, `${name}.png`) });
    const text = readFileSync(join(project, "doc/tutorial.md"), "utf8");
    assert.ok(text.includes(`pictures/${name}.png`), `doc/tutorial.md does not show ${name}.png`);
}

async function error(page) {
    await page.sees(`${view(2)} .badge.blue`, /./);
    await picture(page, "1-opened");
    for (let position = 1; position <= 3; position++) {
        await page.press("ArrowRight");
        await page.at(position, 3);
    }
    await page.press("t");
    await page.sees(`${view(1)} tbody tr`, /^ac0$/);
    await page.sees(`${view(1)} tbody tr`, /^is_room_hot1$/);
    await picture(page, "2-error");
}

async function inside(page) {
    await page.press("ArrowLeft");
    await page.at(2);
    await page.press("1");
    for (const line of [56, 57, 60]) {
        await page.press("n");
        await page.sees(".banner[data-kind=inside]", `main.c:${line}`);
    }
    await picture(page, "3-inside");
    await page.press("c");
    await page.sees(".banner[data-kind=bad]", "assertion");
}

// The door is opened first: the same message does no harm then.
async function otherwise(page, command) {
    await page.press("Home");
    await page.at(0);
    let position = 0;
    for (const [name, toss] of [
        ["open_door", 2],
        ["room_is_hot", 1],
        ["close_door", 3],
    ]) {
        await page.get(`.choices-view [data-process="2"] [data-choice="${toss}"]`).click();
        await page.at(++position, position);
        for (const number of [2, 1]) {
            await page.button("Continue", view(number)).click();
            await page.at(++position, position);
        }
        await page.sees(".objects", name);
    }
    assert.equal((await command.where()).condition, null);
    await picture(page, "4-otherwise");
}

async function space(page) {
    await page.press("x");
    await page.press("b");
    await page.press("l");
    await page.press("f");
    await page.get("canvas[data-drawn]").waitFor();
    await page.press("h");
    await picture(page, "5-space");
}

await test(async (browser) => {
    const command = await Command.start(prepare("examples/ac-controller/main.c"), "-simul", "error1.path");
    const page = await Page.open(browser, command);
    await page.page.setViewportSize({ width: 1180, height: 720 });
    await error(page);
    await inside(page);
    await otherwise(page, command);
    await space(page);
    page.quiet();
});
