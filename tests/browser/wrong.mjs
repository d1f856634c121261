// Programs that die, that were compiled without -g, with many processes; and what was wrong on the way.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Page } from "./lib/browser.mjs";
import { Command, project, search } from "./lib/command.mjs";
import { test } from "./lib/test.mjs";

const CRASH = `#include <verisoft.h>
#include <unistd.h>
static void dive(int *where, int depth)
{
    int twice = depth * 2;
    *where = twice;
}
int main(void)
{
    int queue = get_bounded_queue(4), child = fork() == 0;
    if (child) {
        send_to_queue(queue, 4, "ping");
        dive(0, 21);
    }
    rcv_from_queue(queue, 4);
    return 0;
}
`;
const PASSED = `#include <verisoft.h>
int main(void)
{
    VS_assert(VS_toss(1) == 0);
    for (int i = 0; i < 20; i++)
        VS_toss(0); /* turned: \u202e */
    return 0;
}
`;
const MANY = `#include <verisoft.h>
#include <unistd.h>
int main(void)
{
    int queue = get_bounded_queue(44), number = 1;
    for (int i = 2; i <= 8; i++)
        if (number == 1 && fork() == 0)
            number = i;
    send_to_queue(queue, 44, "a message that is longer than any lane is");
    for (int i = 0; number == 8 && i < 60; i++)
        VS_print("a line of text");
    VS_toss(0);
    return 0;
}
`;

const view = (number) => `.process[data-process="${number}"]`;

function compile(name, text, ...options) {
    writeFileSync(`${name}.c`, text);
    execFileSync("cc", [
        ...options,
        "-DVERIFY",
        `-I${join(project, "include")}`,
        `${name}.c`,
        join(process.env.B, "verisoft-rt.o"),
        "-o",
        name,
    ]);
    return `./${name}`;
}

// A process that died is where it died: its line, its call stack, its variables.
async function crash(browser) {
    writeFileSync("crash.c", CRASH);
    search("crash.c");
    const command = await Command.start("crash.c", "-simul", "error1.path");
    const page = await Page.open(browser, command);
    await page.press("End");
    await page.sees(".banner[data-kind=bad]", "crash");
    await page.sees(`${view(2)} .badge.wrong`, "crash");
    await page.sees(`${view(2)} .cm-line[data-next="wrong"]`, "*where = twice;");
    const [red, green] = await page.get(".cm-line[data-next=wrong]").evaluate((line) => {
        const [, r, g] = getComputedStyle(line).backgroundColor.match(/(\d+), (\d+)/);
        return [Number(r), Number(g)];
    });
    assert.ok(red > green + 20, `the line is red: ${red} ${green}`);
    await page.sees(`${view(2)} .details:not([data-late]) .frame[data-level="0"]`, "dive");
    await page.sees(`${view(2)} .frame[data-level="1"]`, "main");
    await page.sees(`${view(2)} tbody tr`, /twice.*42/);
    await page.shot("crash");
    await page.press("Home");
    await page.at(0);
    await page.press("2");
    await page.press("n");
    await page.sees(`${view(2)} .badge.inside`, "inside");
    await page.sees(`${view(2)} .details:not([data-late]) .frame[data-level="0"]`, "main");
    page.quiet();
    await overlay(page, command);
}

// A badge that says "ended" is there, and the page says that the command has ended all the same.
async function overlay(page, command) {
    await page.press("End");
    await page.press("c");
    await page.press("1");
    await page.press("c");
    await page.sees(".badge.ended", "ended");
    await command.end();
    await page.sees("dialog.gone", /does not answer any more/);
    await page.page.close();
}

async function withoutLines(browser) {
    const command = await Command.start(compile("plain", CRASH), "-simul", "error1.path");
    const page = await Page.open(browser, command);
    await page.sees(`${view(1)} .none`, "compile it with -g");
    await page.press("End");
    await page.sees(".banner[data-kind=bad]", "crash");
    await page.sees('.choices-view [data-process="2"] .badge', "crash");
    await page.sees(".objects tr[data-changed]", /ping/);
    await page.shot("without-lines");
    page.quiet();
    await page.page.close();
    await command.end();
}

async function withoutSource(browser) {
    const program = compile("lost", CRASH, "-g");
    rmSync("lost.c");
    const command = await Command.start(program, "-simul");
    const page = await Page.open(browser, command);
    await page.sees(`${view(2)} .none`, "lost.c cannot be read");
    await page.button("Continue", view(2)).click();
    await page.at(1, 1);
    await page.sees(".objects tr[data-changed]", /ping/);
    page.quiet();
    await page.page.close();
    await command.end();
}

// However fast keys come, none is lost; and an assertion that failed on the way stays marked. A character that turns the line is
// shown as one.
async function passed(browser) {
    writeFileSync("passed.c", PASSED);
    writeFileSync("passed.path", `verisoft-path 1\n\n1 VS_toss(1) = 1\n${"1\n".repeat(20)}`);
    const command = await Command.start("passed.c", "-simul", "passed.path");
    const page = await Page.open(browser, command);
    for (let i = 0; i < 12; i++) await page.press("ArrowRight");
    await page.at(12, 21);
    assert.equal(await command.position(), 12, "no press is lost");
    await page.button("Previous", ".trace").click({ clickCount: 3 });
    await page.at(9);
    await page.sees(`${view(1)} .cm-specialChar`, /./);
    await marked(page);
    await busy(page, command);
    page.quiet();
    await page.page.close();
    await command.end();
}

async function marked(page) {
    await page.sees('.row.wrong[data-row="2"] .badge', "assertion");
    assert.equal(await page.get(".row.wrong").count(), 1);
    await page.sees(".banner .passed", /assertion in step 2: VS_assert/);
    await page.press("t");
    await page.get('.chart .event.wrong[data-row="2"]').waitFor();
    await page.shot("passed");
    await page.get(".banner .passed").click();
    await page.at(1);
    await page.sees(".banner[data-kind=bad]", "assertion");
    await page.get(".banner .passed").waitFor({ state: "hidden" });
}

// While the command does not answer, the page says what it waits for; what is pressed meanwhile comes after it.
async function busy(page, command) {
    command.process.kill("SIGSTOP");
    try {
        await page.press("ArrowRight");
        await page.sees(".busy", /^waiting for (the command|gdb)/);
        await page.press("ArrowRight");
    } finally {
        command.process.kill("SIGCONT");
    }
    await page.at(3);
    await page.get(".busy").waitFor({ state: "hidden" });
}

// Whether it is in view, between the edges of what scrolls it. Rows are made anew as they move.
function inView(page, selector) {
    return page.page.evaluate((wanted) => {
        const element = document.querySelector(wanted);
        if (!element) return {};
        const box = element.getBoundingClientRect();
        const around = element.closest(".scroller").getBoundingClientRect();
        return {
            across: box.left >= around.left && Math.min(box.right, box.left + around.width) <= around.right + 1,
            down: box.top >= around.top && box.bottom <= around.bottom,
        };
    }, selector);
}

async function many(browser) {
    writeFileSync("many.c", MANY);
    writeFileSync("many.path", "verisoft-path 1\n\n1\n2\n3\n4\n5\n6\n7\n8\n");
    const command = await Command.start("many.c", "-simul", "many.path");
    const page = await Page.open(browser, command);
    await page.sees(".switches .hint", "6 of 8 views are open");
    await page.press("g");
    await page.page.keyboard.type("8");
    await page.press("Enter");
    await page.get(`${view(8)}[data-selected]`).waitFor();
    await page.press("End");
    await page.at(8, 8);
    assert.ok((await inView(page, ".list .bar:not(.ghost)")).down, "the bar is below the printed lines");
    await page.press("t");
    await page.until(
        () => inView(page, '.chart .event[data-row="8"] circle'),
        ({ across }) => across,
        "the lane of the last event",
    );
    assert.ok((await inView(page, ".chart .bar:not(.ghost)")).down, "the bar is in view in the chart, too");
    await page.press("Home");
    await page.press("ArrowRight");
    await page.at(1);
    await page.until(
        () => inView(page, '.chart .event[data-row="1"] circle'),
        ({ across, down }) => across && down,
        "the lane of the first event",
    );
    await page.get('.chart .event[data-row="1"] circle').hover();
    const { text } = (await command.ask("trace")).events[0];
    await page.sees(".chart-tip", text);
    await page.sees('.chart .event[data-row="1"] text', text);
    await page.shot("many");
    page.quiet();
    await page.page.close();
    await command.end();
}

await test(async (browser) => {
    await crash(browser);
    await withoutLines(browser);
    await withoutSource(browser);
    await passed(browser);
    await many(browser);
});
