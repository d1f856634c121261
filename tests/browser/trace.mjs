// The trace view, on the air-conditioning controller: every button, the list, the chart, the File menu, and what is wrong here.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { Page } from "./lib/browser.mjs";
import { Command, prepare } from "./lib/command.mjs";
import { test } from "./lib/test.mjs";

async function walk(page, command) {
    const steps = [
        ["Next event", 1],
        ["Next event", 2],
        ["Previous", 1],
        ["Go to end", 3],
        ["Reset", 0],
    ];
    for (const [name, position] of steps) {
        await page.button(name, ".trace").click();
        await page.at(position, 3);
        assert.equal(await command.position(), position, name);
        assert.equal(await page.get(".row[aria-current]").getAttribute("data-row"), String(position));
        assert.equal(await page.get(".row.future").count(), 3 - position, "what is still to come is paler");
    }
}

async function barIsUnder(page, row, bar = ".list .bar:not(.ghost)") {
    const line = await page.get(bar).boundingBox();
    const above = await page.get(`.row[data-row="${row}"]`).boundingBox();
    assert.ok(
        Math.abs(line.y - (above.y + above.height)) <= 3,
        `the bar is under row ${row}: ${line.y} ${above.y + above.height}`,
    );
}

async function clicks(page, command) {
    await page.get('.row[data-row="2"]').click();
    await page.at(2);
    await barIsUnder(page, 2);
    await page.button("Move", ".trace").click();
    await page.get('.row[data-row="1"]').hover();
    await barIsUnder(page, 1, ".list .bar.ghost");
    assert.equal(await command.position(), 2, "the mouse alone does not move");
    await page.get('.row[data-row="1"]').click();
    await page.at(1);
    await barIsUnder(page, 1);
    assert.equal(await command.position(), 1);
    assert.equal(await page.button("Move", ".trace").getAttribute("aria-pressed"), "false");
}

async function chart(page, command) {
    await page.get("#tab-chart").click();
    assert.equal(await page.get(".chart .event").count(), 3);
    assert.equal(await page.get(".chart .arrow").count(), 1, "one message was sent and received");
    assert.deepEqual(await page.get(".lanes span").allTextContents(), ["process 1", "process 2"]);
    await page.get('.chart .event[data-row="3"] circle').click();
    await page.at(3);
    assert.equal(await command.position(), 3);
    await page.shot("chart");
}

async function condition(page) {
    await page.sees(".banner[data-kind=bad]", /assertion.*VS_assert\(ac\)/);
    await page.button("Explain").click();
    await page.sees(".explained .message", "VS_assert");
    await page.get("#tab-list").click();
    await page.button("Previous", ".trace").click();
    await page.at(2);
    assert.equal(await page.get(".banner").getAttribute("data-kind"), "calm");
}

async function menu(page, name) {
    await page.button("File").click();
    await page.get("#file-menu").button(name, false).click();
    await page.get("dialog[open]").waitFor();
}

async function save(page) {
    await menu(page, "Save the scenario");
    await page.get("dialog input[name=file]").fill("mine.path");
    await page.button("Save", "dialog").click();
    await page.sees(".messages .note", "mine.path");
    assert.match(readFileSync("mine.path", "utf8"), /^verisoft-path 1\n[^]*rcv_from_queue/);
    await menu(page, "Save the scenario");
    const file = await page.page.download(() => page.button("Download", "dialog").click());
    assert.match(readFileSync(file, "utf8"), /^verisoft-path 1\n/);
}

// A file that is there is replaced only after a question; another name takes the question back.
async function replace(page) {
    const before = readFileSync("error1.path", "utf8");
    await menu(page, "Save the scenario");
    await page.get("dialog input[name=file]").fill("error1.path");
    await page.button("Save", "dialog").click();
    await page.sees("dialog .question", "error1.path is there already. Replace it?");
    assert.equal(readFileSync("error1.path", "utf8"), before);
    await page.shot("replace");
    await page.get("dialog input[name=file]").fill("mine.path");
    await page.get("dialog .question").waitFor({ state: "hidden" });
    writeFileSync("mine.path", "something else");
    await page.button("Save", "dialog").click();
    await page.sees("dialog .question", "mine.path is there already");
    assert.equal(readFileSync("mine.path", "utf8"), "something else");
    await page.button("Replace", "dialog").click();
    await page.get("dialog").waitFor({ state: "detached" });
    assert.match(readFileSync("mine.path", "utf8"), /^verisoft-path 1\n[^]*rcv_from_queue/);
}

// What is proposed can be taken as it is.
async function proposals(browser) {
    mkdirSync("out");
    copyFileSync("error1.path", "out/error1.path");
    const command = await Command.start("main.c", "-simul", "out/error1.path", "--output", "out");
    const page = await Page.open(browser, command);
    await page.sees(".scenario", /^guided: error1.path$/);
    await menu(page, "Load");
    assert.equal(await page.get("dialog input[name=file]").inputValue(), "error1.path");
    await page.button("Load", "dialog").click();
    await page.get("dialog").waitFor({ state: "detached" });
    copyFileSync("sss.VS", "out/sss.VS");
    await command.ask("visit", { state: 2 });
    await page.sees(".scenario", /^manual$/);
    await page.sees(".banner strong", /^manual$/);
    await menu(page, "Load");
    assert.equal(await page.get("dialog input[name=file]").inputValue(), "");
    await page.press("Escape");
    await menu(page, "PostScript");
    assert.equal(await page.get("dialog input[name=file]").inputValue(), "main.ps");
    await page.press("Escape");
    page.quiet();
    await page.page.close();
    await command.end();
}

// An error that is made again is said once, and is gone after something that succeeded.
async function messages(page) {
    await menu(page, "Load");
    await page.get("dialog input[name=file]").fill("none.path");
    for (let i = 0; i < 3; i++) await page.button("Load", "dialog").click();
    await page.sees(".messages .error .times", "3 times");
    assert.equal(await page.get(".messages .error").count(), 1);
    await page.press("Escape");
    await page.get("dialog").waitFor({ state: "detached" });
    await page.sees(".messages .error", "none.path");
    await page.button("Next event", ".trace").click();
    await page.get(".messages .error").waitFor({ state: "detached" });
}

async function saveChart(page) {
    for (const [name, file, head] of [
        ["SVG", "chart.svg", /<svg[^]*My own title/],
        ["PostScript", "chart.ps", /^%!PS[^]*My own title/],
    ]) {
        await menu(page, name);
        await page.get("dialog input[name=file]").fill(file);
        await page.get("dialog input[name=title]").fill("My own title");
        await page.get("dialog input[name=color]").uncheck();
        await page.button("Save", "dialog").click();
        await page.sees(".messages .note", file);
        assert.match(readFileSync(file, "utf8"), head);
    }
}

async function load(page, command) {
    writeFileSync("short.path", "verisoft-path 1\n\n2  VS_toss(3) = 2\n");
    await menu(page, "Load");
    await page.get("dialog input[name=file]").fill("short.path");
    await page.button("Load", "dialog").click();
    await page.at(0, 1);
    await page.get("dialog").waitFor({ state: "detached" });
    await page.sees(".scenario", "short.path");
    assert.equal((await command.where()).length, 1);
    await page.get(".messages .warning").waitFor({ state: "detached" });
    writeFileSync("foreign.path", "verisoft-path 1\nprogram: other.c\n\n2  VS_toss(3) = 2\n");
    await menu(page, "Load");
    await page.get("dialog input[name=file]").fill("foreign.path");
    await page.button("Load", "dialog").click();
    await page.sees(".messages .warning", /other.c/);
    assert.equal(await page.get(".messages .warning").count(), 1);
    await page.get("dialog").waitFor({ state: "detached" });
    await page.button("Dismiss", ".messages .warning").click();
    await menu(page, "Load");
    copyFileSync("error1.path", "up.path");
    await page.get("dialog input[type=file]").choose(resolve("up.path"));
    await page.button("Load", "dialog").click();
    await page.at(0, 3);
    await page.get("dialog").waitFor({ state: "detached" });
    await menu(page, "Load");
    await page.get("dialog input[name=file]").fill("../outside.path");
    await page.button("Load", "dialog").click();
    await page.sees(".messages .error", /outside/);
    await page.button("Dismiss", ".messages .error").click();
    await page.get(".messages .error").waitFor({ state: "detached" });
    await page.press("Escape");
    assert.ok(!existsSync("../outside.path"));
}

await test(async (browser) => {
    const file = prepare("examples/ac-controller/main.c");
    const command = await Command.start(file, "-simul", "error1.path");
    const page = await Page.open(browser, command);
    await walk(page, command);
    await clicks(page, command);
    await chart(page, command);
    await condition(page);
    await save(page);
    await replace(page);
    await saveChart(page);
    await load(page, command);
    await messages(page);
    page.quiet();
    await proposals(browser);
});
