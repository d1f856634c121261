// Large things stay fluid. Counted, not timed: rows that exist, states that are drawn, requests that are made.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Page } from "./lib/browser.mjs";
import { Command } from "./lib/command.mjs";
import { test } from "./lib/test.mjs";

const LENGTH = 10000;
const LONG = `#include <verisoft.h>
int main(void)
{
    int queue = get_bounded_queue(4), child = fork() == 0;
    for (;;)
        if (child)
            rcv_from_queue(queue, 4);
        else
            send_to_queue(queue, 4, "ping");
}
`;
const WIDE = `#include <verisoft.h>
int main(void)
{
    for (int i = 0; i < 4; i++)
        VS_toss(9);
    VS_assert(VS_toss(9) != 7);
    return 0;
}
`;
const ROWS = 80; // more than fit on the screen
const DOTS = 25000; // states that are drawn at most, however many there are

const count = (page, what) => page.requests.filter((one) => one === what).length;

async function longTrace(browser) {
    writeFileSync("long.c", LONG);
    writeFileSync("long.path", `verisoft-path 1\n\n${"1\n2\n".repeat(LENGTH / 2)}`);
    const command = await Command.start("long.c", "-simul", "long.path");
    const page = await Page.open(browser, command);
    await page.at(0, LENGTH);
    assert.equal(count(page, "trace"), 1, "the scenario is read once");
    assert.ok((await page.get(".row").count()) < ROWS);
    await page.press("End");
    await page.at(LENGTH, LENGTH);
    await page.get(`.row[data-row="${LENGTH}"]`).waitFor();
    assert.ok((await page.get(".row").count()) < ROWS);
    await page.press("t");
    await page.get(`.chart .event[data-row="${LENGTH}"]`).waitFor();
    assert.ok((await page.get(".chart .event").count()) < ROWS);
    assert.ok((await page.get(".chart .arrow").count()) < ROWS);
    await page.get(".chart.scroller").evaluate((scroller) => (scroller.scrollTop = scroller.scrollHeight / 2));
    await page.get(`.chart .event[data-row="${LENGTH / 2}"]`).waitFor();
    assert.ok((await page.get(".chart .event").count()) < ROWS);
    await held(page, command);
    await walkedFast(page);
    page.quiet();
    await page.page.close();
    await command.end();
}

// An arrow key that is held down: a move for each press or fewer.
async function held(page, command) {
    const PRESSES = 60;
    page.requests.length = 0;
    await page.page.evaluate((presses) => {
        for (let i = 0; i < presses; i++)
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
    }, PRESSES);
    await page.at(LENGTH - PRESSES);
    assert.equal(await command.position(), LENGTH - PRESSES, "no press is lost");
    assert.ok(count(page, "previous") + count(page, "move") <= PRESSES);
    assert.equal(count(page, "stack"), 0, "gdb is not asked by itself to execute thousands of transitions");
    assert.equal(count(page, "trace"), 0, "what is known is not asked again");
}

// Where gdb is near it is asked once the walk is over.
async function walkedFast(page) {
    await page.press("Home");
    await page.at(0);
    page.requests.length = 0;
    await page.page.evaluate(() => {
        for (let i = 0; i < 30; i++)
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    });
    await page.at(30);
    await page.until(
        () => count(page, "locals"),
        (asked) => asked === 2,
        "the variables of both processes",
    );
    assert.ok(count(page, "stack") <= 4, `gdb was asked ${count(page, "stack")} times in 30 steps`);
}

async function drawn(page, check) {
    return Number(
        await page.until(
            () => page.get("canvas").getAttribute("data-drawn"),
            (value) => value !== null && check(Number(value)),
            "states drawn",
        ),
    );
}

async function wideSpace(browser) {
    writeFileSync("wide.c", WIDE);
    try {
        execFileSync(join(process.env.B, "verisoft"), [
            "wide.c",
            "--search",
            "dfs",
            "--reduction",
            "none",
            "--save-state-space",
            "1",
            "--stop-at-error",
            "0",
        ]);
    } catch (problem) {
        assert.equal(problem.status, 1);
    }
    const command = await Command.start("wide.c", "-simul");
    const page = await Page.open(browser, command);
    await page.press("x");
    await page.until(
        () => page.get("canvas").getAttribute("data-states"),
        (states) => states > 100000,
        "states",
    );
    const all = await drawn(page, (number) => number > 100);
    assert.ok(all < DOTS, `${all} are drawn`);
    await page.shot("large-space");
    await page.until(
        () => count(page, "locals"),
        (asked) => asked === 1,
        "the variables, asked for when the page was opened",
    );
    page.requests.length = 0;
    await page.get("canvas").hover();
    for (let i = 0; i < 5; i++) await page.page.mouse.wheel(0, -800);
    const near = await drawn(page, (number) => number < 300);
    assert.ok(near < 300, `${near} are drawn when few are on the screen`);
    const box = await page.get("canvas").boundingBox();
    await page.page.mouse.move(box.x + 20, box.y + 20);
    await page.page.mouse.down();
    await page.page.mouse.move(box.x + 20, box.y + 3000);
    await page.page.mouse.up();
    await drawn(page, (number) => number === 0);
    assert.equal(page.requests.length, 0, "to look around asks nothing");
    await visit(page, command);
    page.quiet();
}

async function visit(page, command) {
    await page.press("h");
    await page.get("canvas").focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "Enter"]) await page.press(key);
    await page.at(2, 2);
    assert.equal(await command.position(), 2);
    assert.equal(count(page, "space"), 0, "the state space is read once");
}

await test(async (browser) => {
    await longTrace(browser);
    await wideSpace(browser);
});
