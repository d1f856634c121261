// Other programs: the philosophers, who hold forks until none can go on; and threads, which come into being on the way.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { Page } from "./lib/browser.mjs";
import { Command, prepare } from "./lib/command.mjs";
import { test } from "./lib/test.mjs";

const NOTES = `#include <verisoft.h>
int main(void)
{
    int toss = VS_toss(1000);
    VS_print(toss > 500 ? "a large toss" : "a small toss");
    VS_assert(1);
    return 0;
}
`;

async function philosophers(browser) {
    const command = await Command.start(prepare("examples/philosophers.c"), "-simul", "error1.path");
    const page = await Page.open(browser, command);
    const { length } = await command.where();
    await page.press("End");
    await page.at(length, length);
    await page.sees(".banner[data-kind=bad]", "deadlock");
    assert.equal(await page.get(".process .badge.red").count(), 3, "everybody is blocked");
    await page.sees('.process[data-process="1"] .why', /process 2 .*took that semaphore/);
    await page.sees(".objects tbody tr", /semaphore/);
    await page.get("#tab-chart").click();
    assert.equal(await page.get(".chart .hold").count(), 3, "each holds a fork");
    await page.get("#tab-space").click();
    await page.until(
        () => page.get("canvas").getAttribute("data-current"),
        (state) => state > 0,
        "the state space has this state",
    );
    await page.shot("philosophers");
    await page.press("Home");
    await page.at(0);
    for (const number of [1, 1]) {
        await page.button("Continue", `.process[data-process="${number}"]`).click();
        await page.until(
            () => command.position(),
            (now) => now > 0,
            "it went",
        );
    }
    await page.at(2, 2);
    assert.equal((await command.where()).processes[0].state, "ready", "with both forks it can eat");
    page.quiet();
    await page.page.close();
    await command.end();
}

async function threads(browser) {
    const command = await Command.start(prepare("examples/transfer.c"), "-simul", "error1.path");
    const page = await Page.open(browser, command);
    await page.sees(".switches button", "process 2 · not there yet");
    const { length } = await command.where();
    for (let position = 1; position <= length; position++) {
        await page.press("ArrowRight");
        await page.at(position, length);
    }
    const { condition, processes } = await command.where();
    await page.sees(".banner[data-kind=bad]", condition.kind);
    assert.equal(await page.get(".process").count(), processes.filter(({ state }) => state !== "ended").length);
    assert.ok(processes.length > 1);
    const stuck = processes.find(({ state }) => state === "blocked").process;
    await page.process(stuck).scrollIntoViewIfNeeded();
    await page.sees(`.process[data-process="${stuck}"] .frame[data-level="0"]`, /./);
    await page.get("#tab-chart").click();
    assert.ok((await page.get(".chart .hold").count()) >= 2, "locks are held");
    await page.shot("threads");
    await page.press("Home");
    await page.at(0);
    await page.sees(".switches button", "process 2 · not there yet");
    page.quiet();
}

// VS_print, and an operation with more results than are listed.
async function notes(browser) {
    writeFileSync("notes.c", NOTES);
    const command = await Command.start("notes.c", "-simul");
    const page = await Page.open(browser, command);
    await page.button("Continue", '.process[data-process="1"]').click();
    await page.get("dialog .typed input").fill("777");
    await page.button("Take it", "dialog").click();
    await page.at(1, 1);
    assert.equal((await command.ask("trace")).events[0].text, "VS_toss(1000) = 777");
    await page.sees(".row .note", "a large toss");
    await page.get("#tab-chart").click();
    await page.sees(".chart .note", "a large toss");
    page.quiet();
}

await test(async (browser) => {
    await notes(browser);
    await philosophers(browser);
    await threads(browser);
});
