// The state-space view and its filter, on what a search of the air-conditioning controller saved.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { Page } from "./lib/browser.mjs";
import { Command, prepare } from "./lib/command.mjs";
import { test } from "./lib/test.mjs";

const canvas = ".space-view canvas";

async function data(page, name, wanted) {
    const check = typeof wanted === "function" ? wanted : (value) => value === String(wanted);
    return page.until(() => page.get(canvas).getAttribute(`data-${name}`), check, `data-${name} of the state space`);
}

// Moves the dashed ring to the state that violates the assertion, and gives where it is on the screen.
async function toError(page) {
    await page.get(canvas).focus();
    for (const key of [...Array(8).fill("ArrowUp"), "ArrowDown", "ArrowRight", "ArrowDown", "ArrowDown"]) await page.press(key);
    await page.sees(".tip", /assertion/);
    const [state] = (await page.get(".tip").textContent()).match(/\d+/);
    await data(page, "cursor", state);
    const box = await page.get(canvas).boundingBox();
    const [x, y] = (await data(page, "at", (at) => at)).split(",").map(Number);
    return { state: Number(state), x: box.x + x, y: box.y + y, box };
}

async function leftButton(page, command) {
    const { state, x, y } = await toError(page);
    await page.page.mouse.click(x, y);
    await page.at(3, 3);
    await data(page, "current", state);
    assert.equal((await command.where()).condition.kind, "assertion");
    assert.match((await command.ask("trace")).events[2].text, /rcv_from_queue/);
    await page.button("Previous", ".trace").click();
    await page.at(2);
    await data(page, "current", (now) => now !== String(state) && now >= 0);
}

async function otherButtons(page) {
    const { x, y, box } = await toError(page);
    await page.page.mouse.click(x, y, { button: "middle" });
    const middle = `${Math.round(box.width / 2)},${Math.round(box.height / 2)}`;
    await data(page, "at", middle);
    const before = await page.get(canvas).getAttribute("data-zoom");
    await page.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { button: "right" });
    await data(page, "zoom", (zoom) => zoom === "190.0" && zoom !== before);
    await data(page, "at", middle);
    await data(page, "labelled", (count) => count > 0);
    await page.shot("space-examined");
}

async function zooming(page) {
    const { box } = await toError(page);
    await page.button("Home", ".space-view").click();
    const home = await data(page, "zoom", (zoom) => zoom !== "190.0");
    const at = await page.get(canvas).getAttribute("data-at");
    await page.button("Zoom in", ".space-view").click();
    await data(page, "zoom", (zoom) => Math.abs(zoom / home - 1.4) < 0.01);
    await page.button("Zoom out", ".space-view").click();
    await data(page, "zoom", home);
    await page.page.mouse.move(box.x + 40, box.y + 40);
    await page.page.mouse.wheel(0, -100);
    await data(page, "zoom", (zoom) => zoom > home * 1.3);
    await page.button("Home", ".space-view").click();
    await data(page, "at", at);
    await page.page.mouse.move(box.x + 10, box.y + 10);
    await page.page.mouse.down();
    await page.page.mouse.move(box.x + 60, box.y + 30);
    await page.page.mouse.up();
    const [x, y] = at.split(",").map(Number);
    await data(page, "at", `${x + 50},${y + 20}`);
    await page.page.mouse.move(box.x + 10, box.y + 10);
    await page.page.mouse.down();
    await page.page.mouse.move(box.x + 4010, box.y + 10);
    await page.page.mouse.up();
    await data(page, "drawn", 0);
    await page.button("Home", ".space-view").click();
    await data(page, "drawn", (drawn) => drawn > 10);
}

async function labels(page) {
    const on = await page.button("Labels", ".space-view").getAttribute("aria-pressed");
    await page.button("Labels", ".space-view").click();
    assert.notEqual(await page.button("Labels", ".space-view").getAttribute("aria-pressed"), on);
    await page.press("l");
    assert.equal(await page.button("Labels", ".space-view").getAttribute("aria-pressed"), on);
}

async function filter(page, command) {
    const space = await command.ask("space");
    const tosses = space.process.filter(
        (process, t) => process === 2 && space.labels[space.label[t]].startsWith("VS_toss"),
    ).length;
    await page.get(".filter input[type=text]").fill("^VS_toss");
    await page.button("Match", ".filter").click();
    await page.sees(".filter .found", "choose processes, too");
    await data(page, "lit", 0);
    await page.get(".filter .option").filter({ hasText: "process 1" }).click();
    await page.sees(".filter .found", "0 transitions highlighted");
    await page.get(".filter .option").filter({ hasText: "process 1" }).click();
    await page.get(".filter .option").filter({ hasText: "process 2" }).click();
    await data(page, "lit", tosses);
    await page.sees(".filter .found", `${tosses} transitions highlighted`);
    assert.deepEqual(
        (await command.ask("match", { pattern: "^VS_toss" })).labels.length,
        await page.get('.filter [aria-label="labels"] input:checked').count(),
    );
    await page.shot("space-filter");
    await page.get(".filter .option").filter({ hasText: "VS_toss(3) = 0" }).click();
    await data(page, "lit", (lit) => lit < tosses);
    await page.button("Clear", ".filter").click();
    await data(page, "lit", 0);
    await page.get(".filter input[type=text]").fill("*");
    await page.button("Match", ".filter").click();
    await page.sees(".filter .option:has(:checked)", "rcv_from_queue");
    await page.get(".filter input[type=text]").fill("(");
    await page.button("Match", ".filter").click();
    await page.sees(".messages .error", /\(/);
    await page.button("Dismiss", ".messages").click();
    await page.button("Filter", ".space-view").click();
    await page.get(".filter").waitFor({ state: "hidden" });
}

await test(async (browser) => {
    const command = await Command.start(prepare("examples/ac-controller/main.c"), "-simul");
    const page = await Page.open(browser, command);
    await page.get("#tab-space").click();
    await data(page, "states", (await command.ask("space")).states);
    await page.sees(".summary", "15 states");
    await leftButton(page, command);
    await otherButtons(page);
    await zooming(page);
    await labels(page);
    await filter(page, command);
    page.quiet();
});
