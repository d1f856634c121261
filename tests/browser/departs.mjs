// A loaded scenario that is left is told of and comes back; what is wrong is explained beside it, with links; and the chart has all
// that the exported drawing has.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { Page } from "./lib/browser.mjs";
import { Command, prepare } from "./lib/command.mjs";
import { test } from "./lib/test.mjs";

const PHILOSOPHERS = 11;

async function leaves(page, command) {
    const { length } = await command.where();
    const before = (await command.ask("trace")).events.map(({ text }) => text);
    await page.get('.row[data-row="3"]').click();
    await page.at(3, length);
    const other = (await command.where()).processes.find(({ color }) => color === "green").process;
    await page.press(String(other));
    await page.press("c");
    await page.at(4, 4);
    await page.sees(".messages .note", new RegExp(`leaves error1.path after step 3; its other ${length - 3} steps .* Key r`));
    await page.sees(".scenario", `error1.path, left after step 3 of ${length}`);
    await page.shot("departed");
    await page.press("ArrowLeft");
    await page.press("r");
    await page.at(3, length);
    await page.sees(".scenario", /error1\.path$/);
    assert.equal(await page.button("Back to it").count(), 0);
    assert.deepEqual(
        (await command.ask("trace")).events.map(({ text }) => text),
        before,
    );
    assert.equal((await command.where()).departed, null);
    await page.press("r");
    await page.press("End");
    await page.at(length, length);
    await page.sees(".banner[data-kind=bad]", "deadlock");
    assert.equal(await page.get(".messages .error").count(), 0);
}

async function explains(page, command) {
    const { length } = await command.where();
    await page.button("Explain").click();
    assert.equal(await page.get("dialog").count(), 0, "nothing lies over the page");
    await page.sees(".explained .message", "none can ever go on");
    await page.get(".explained .link").filter({ hasText: /^step 2$/ }).first().click();
    await page.at(2, length);
    await page.sees(".explained .message", "none can ever go on");
    await page.get(".explained .link").filter({ hasText: `at position ${length}` }).click();
    await page.at(length, length);
    await page.get(".explained .link").filter({ hasText: /^process 9$/ }).first().click();
    await page.get('.process[data-process="9"][data-selected]').waitFor();
    await page.get(".explained .link").filter({ hasText: /^philosophers\.c:\d+$/ }).first().click();
    await page.sees('.process[data-process="1"] .cm-line[data-next]', "semwait");
    await page.shot("explained");
}

// Two boxes of labels that overlap, lanes and labels that are not in view.
function drawn(page) {
    return page.page.evaluate(() => {
        const box = (one) => one.getBoundingClientRect();
        const view = box(document.querySelector(".chart.scroller"));
        const inside = ({ left, right }) => left >= view.left && right <= view.right + 1;
        const labels = [...document.querySelectorAll(".chart .event text.label")].map(box);
        return {
            numbers: [...document.querySelectorAll(".chart .event text.number")].map((one) => one.textContent),
            lanes: [...document.querySelectorAll(".lanes span")].filter((one) => inside(box(one))).length,
            labels: labels.filter(inside).length,
            collisions: labels.filter((a, i) =>
                labels.some((b, k) => k > i && a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom),
            ).length,
            ending: document.querySelector(".chart .ending")?.textContent,
        };
    });
}

async function chart(page, command) {
    const { length, condition } = await command.where();
    await page.press("t");
    const seen = await page.until(
        () => drawn(page),
        ({ labels }) => labels === length,
        "labels of the chart",
    );
    assert.deepEqual(
        seen.numbers,
        Array.from({ length }, (_, i) => String(i + 1)),
    );
    assert.equal(seen.lanes, PHILOSOPHERS);
    assert.equal(seen.collisions, 0);
    assert.equal(seen.ending, `✗ ${condition.kind}: ${condition.message}`);
    await page.shot("chart-eleven");
    await page.press("Home");
    await page.at(0);
    await page.sees(".chart .ending", condition.kind);
}

await test(async (browser) => {
    const file = prepare("examples/philosophers.c", "--", String(PHILOSOPHERS));
    const command = await Command.start(file, "-simul", "error1.path", "--", String(PHILOSOPHERS));
    const page = await Page.open(browser, command);
    await leaves(page, command);
    await explains(page, command);
    await chart(page, command);
    page.quiet();
});
