// Whatever the size of the window: the marked line is in view, nothing is cut or wider than the window, and what matters is large.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { Page } from "./lib/browser.mjs";
import { Command, prepare, search } from "./lib/command.mjs";
import { test } from "./lib/test.mjs";

const LINES = 4; // of code that a process view has at least, whatever else it shows
const SIZES = [
    [1280, 800],
    [1280, 560],
    [1600, 1000],
    [900, 700],
    [768, 800],
    [480, 800],
];
// The last two wait for each other; two have ended by then.
const FIVE = `#include <pthread.h>
static pthread_mutex_t first_of_two = PTHREAD_MUTEX_INITIALIZER, second_of_two = PTHREAD_MUTEX_INITIALIZER;
static void *ends(void *unused)
{
    pthread_mutex_lock(&first_of_two);
    pthread_mutex_unlock(&first_of_two);
    return unused;
}
static void *one(void *unused)
{
    pthread_mutex_lock(&first_of_two);
    pthread_mutex_lock(&second_of_two);
    pthread_mutex_unlock(&second_of_two);
    pthread_mutex_unlock(&first_of_two);
    return unused;
}
static void *other(void *unused)
{
    pthread_mutex_lock(&second_of_two);
    pthread_mutex_lock(&first_of_two);
    pthread_mutex_unlock(&first_of_two);
    pthread_mutex_unlock(&second_of_two);
    return unused;
}
int main(void)
{
    pthread_t early[2], late[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&early[i], NULL, ends, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(early[i], NULL);
    pthread_create(&late[0], NULL, one, NULL);
    pthread_create(&late[1], NULL, other, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(late[i], NULL);
    return 0;
}
`;

// Of each process view: is its marked line inside of its source, and how many lines does that show?
function sources(page) {
    return page.page.evaluate(() =>
        [...document.querySelectorAll(".process")].map((view) => {
            const pane = view.querySelector(".cm-scroller").getBoundingClientRect();
            const line = view.querySelector(".cm-line[data-next]")?.getBoundingClientRect();
            return {
                process: view.dataset.process,
                marked: Boolean(line) && line.top >= pane.top - 1 && line.bottom <= pane.bottom + 1,
                lines: line ? Math.floor(pane.height / line.height) : 0,
                inView: pane.bottom <= view.getBoundingClientRect().bottom + 1,
            };
        }),
    );
}

function good(all) {
    return all.length > 0 && all.every(({ marked, lines, inView }) => marked && inView && lines >= LINES);
}

// What is cut: buttons that are not all inside of what holds them, texts of tables that a word is broken in.
function cut(page) {
    return page.page.evaluate(() => {
        const seen = [...document.querySelectorAll("button, .objects td, .objects th")].filter(
            (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".scroller, .cm-editor, .quiet"),
        );
        const out = seen.filter((one) => {
            const box = one.getBoundingClientRect();
            const around = one.closest("header, .buttons, section, form, .switches, body").getBoundingClientRect();
            return box.left < around.left - 1 || box.right > around.right + 1 || one.scrollWidth > one.clientWidth + 2;
        });
        return [
            ...out.map((one) => one.outerHTML.slice(0, 100)),
            ...(document.documentElement.scrollWidth > innerWidth ? [`the page is ${document.documentElement.scrollWidth} wide`] : []),
        ];
    });
}

async function sizes(page, name) {
    for (const [width, height] of SIZES) {
        await page.page.setViewportSize({ width, height });
        const what = `${name} at ${width}x${height}`;
        await page.until(() => sources(page), good, `the marked lines of ${what}`);
        assert.deepEqual(await cut(page), [], what);
        await page.press("b");
        await page.until(() => sources(page), good, `the marked lines of ${what}, lower views bigger`);
        await page.press("b");
        await page.until(() => sources(page), good, `the marked lines of ${what}, lower views as before`);
    }
    const [first, second] = await page.page.evaluate(() =>
        [".trace", ".processes"].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()),
    );
    assert.ok(second.top >= first.bottom, "at 480 pixels there is one column");
    await page.shot(`room-${name}`);
}

// At the error of five threads: two have ended and are folded, three are there and large.
async function five(browser) {
    writeFileSync("five.c", FIVE);
    search("five.c");
    const command = await Command.start("five.c", "-simul", "error1.path");
    const page = await Page.open(browser, command);
    await page.press("End");
    await page.sees(".banner[data-kind=bad]", "deadlock");
    const { processes } = await command.where();
    const ended = processes.filter(({ state }) => state === "ended").map(({ process }) => process);
    assert.deepEqual(ended, [2, 3]);
    assert.equal(await page.get(".process").count(), 3);
    for (const number of ended) await page.sees(".switches button", new RegExp(`process ${number}.* · ended`));
    await page.sees('.process[data-process="5"] .frame', /./);
    await page.until(() => sources(page), (all) => all.every(({ lines }) => lines >= 6), "lines of code of each");
    await sizes(page, "five");
    await page.page.setViewportSize({ width: 1280, height: 800 });
    await page.press("2");
    await page.sees('.process[data-process="2"] .problem', "has ended");
    assert.equal(await page.button("Show call stack and variables", '.process[data-process="2"]').count(), 0);
    page.quiet();
    await page.page.close();
    await command.end();
}

// gdb is not offered for what has ended, however far out, and the marked line stays where its call stack comes.
async function far(browser) {
    writeFileSync(
        "far.c",
        `#include <verisoft.h>
#include <unistd.h>
int main(void)
{
    if (fork() == 0)
        return 0;
    for (;;)
        VS_toss(0);
}
`,
    );
    writeFileSync("far.path", `verisoft-path 1\n\n${"1\n".repeat(1500)}`);
    const command = await Command.start("far.c", "-simul", "far.path");
    const page = await Page.open(browser, command);
    await page.press("End");
    await page.at(1500);
    await page.press("2");
    await page.sees('.process[data-process="2"] .problem', "has ended");
    assert.equal(await page.button("Show call stack and variables", '.process[data-process="2"]').count(), 0);
    await page.button("Show call stack and variables", '.process[data-process="1"]').click();
    await page.sees('.process[data-process="1"] .details:not([data-late]) .frame', "main");
    await page.until(
        () => sources(page),
        (all) => all.find(({ process }) => process === "1").marked,
        "the marked line, with the call stack below it",
    );
    page.quiet();
    await page.page.close();
    await command.end();
}

await test(async (browser) => {
    const command = await Command.start(prepare("examples/ac-controller/main.c"), "-simul", "error1.path");
    const page = await Page.open(browser, command);
    await page.press("End");
    await page.sees('.process[data-process="1"] .frame', /./);
    await sizes(page, "ac");
    page.quiet();
    await page.page.close();
    await command.end();
    await five(browser);
    await far(browser);
});
