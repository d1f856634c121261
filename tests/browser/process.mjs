// The process views: Continue with its choice, Step, Next, Print, call stack, variables, other files, why a process is blocked.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Page } from "./lib/browser.mjs";
import { Command, prepare } from "./lib/command.mjs";
import { test } from "./lib/test.mjs";

const MAIN = `#include <verisoft.h>
int deepen(int depth);
int main(void)
{
    int depth = VS_toss(2);
    return deepen(depth + 40);
}
`;
const OTHER = `#include <verisoft.h>
struct pair { int first, second; } both = { 3, 4 };
int deepen(int depth)
{
    struct pair *where = &both;
    where->second = depth;
    VS_assert(depth > 0);
    return 0;
}
`;

const view = (number) => `.process[data-process="${number}"]`;

async function marked(page, number, kind, line) {
    await page.sees(`${view(number)} .badge.${kind}`, /./);
    await page.sees(`${view(number)} .cm-line[data-next="${kind}"]`, line);
    await page.sees(`${view(number)} .line-sign.${kind}`, /./);
}

// The manual's walk: blocked is red, Continue asks for the toss, what can go is green, what the scenario says is blue.
async function colours(page, command) {
    await marked(page, 1, "red", "rcv_from_queue");
    await page.sees(`${view(1)} .why`, /the queue is empty/);
    await marked(page, 2, "green", "VS_toss(3)");
    await page.button("Continue", view(2)).click();
    await page.sees("dialog h2", "VS_toss(3)");
    assert.equal(await page.get("dialog .choice").count(), 4);
    await page.get('dialog .choice[data-choice="1"]').click();
    await page.at(1, 1);
    assert.equal((await command.ask("trace")).events[0].text, "VS_toss(3) = 1");
    await page.button("Continue", view(2)).click();
    await page.at(2, 2);
    await page.button("Previous", ".trace").click();
    await page.at(1, 2);
    await marked(page, 2, "blue", "send_to_queue");
    await page.button("Continue", view(1)).click({ force: true });
    await page.sees(".messages .error", /blocked/);
    assert.equal(await command.position(), 1, "what is refused changes nothing");
    await page.button("Dismiss", ".messages").click();
}

async function stackAndVariables(page) {
    await page.sees(`${view(2)} .frame[data-level="0"]`, "Environment");
    await page.sees(`${view(2)} .frame[data-level="1"]`, "main");
    await page.sees(`${view(2)} tbody tr`, /message.*"room_is_hot"/);
    await page.get(`${view(2)} .frame[data-level="1"]`).click();
    await page.sees(`${view(2)} .cm-line.line-frame`, "Environment()");
    await page.sees(`${view(2)} tbody tr`, /^i/);
}

async function print(page, command) {
    const input = page.get(`${view(1)} .print input`);
    await input.fill("is_door_closed + 1");
    await page.button("Print", `${view(1)} .print`).click();
    await page.sees(`${view(1)} .printed`, /^= 2$/);
    assert.equal((await command.ask("print", { process: 1, frame: 0, expression: "is_door_closed + 1" })).value, "2");
    await page.button("Whole value", view(1)).click();
    await page.sees("dialog .whole", "2");
    await page.press("Escape");
    const other = await page.word(1, "int is_door_closed", "is_door_closed");
    await page.page.mouse.move(other.left, other.y);
    await page.page.mouse.down();
    await page.page.mouse.move(other.right, other.y, { steps: 4 });
    await page.page.mouse.up();
    await page.button("Print", `${view(1)} .print`).click();
    await page.sees(`${view(1)} .printed`, /^= 1$/);
    await page.until(
        async () => {
            await page.get("h1").hover(); // the value of what the mouse was on before may lie over it, as long as the mouse is there
            const name = await page.word(1, "int is_room_hot", "is_room_hot");
            await page.page.mouse.dblclick(name.x, name.y);
            return input.inputValue();
        },
        (text) => text === "is_room_hot",
        "the word that was clicked",
    );
    await page.sees(`${view(1)} .printed`, /^= 0$/);
    await input.fill("no_such_thing");
    await input.press("Enter");
    await page.sees(`${view(1)} .printed[data-problem]`, /no_such_thing/);
}

async function hover(page) {
    const name = await page.word(1, "int is_door_closed", "is_door_closed");
    await page.page.mouse.move(name.x, name.y);
    await page.sees(".value", "is_door_closed = 1");
    await page.get("h1").hover();
}

// One process inside its invisible code at a time: the other is yellow meanwhile.
async function stepping(page, command) {
    await page.button("Next", view(2)).click();
    await page.sees(".banner[data-kind=inside]", "Process 2 is inside");
    assert.equal((await command.where()).inside.process, 2);
    await page.sees(`${view(1)} .badge.yellow`, "has to wait");
    await page.sees(`${view(2)} .cm-line[data-next="inside"]`, /./);
    await page.shot("inside");
    await page.button("Continue", view(2)).click();
    await page.get(".banner:not([data-kind=inside])").waitFor();
    assert.equal((await command.where()).inside, null);
}

async function closing(page) {
    await page.button("Close", view(1)).click();
    await page.process(1).waitFor({ state: "detached" });
    await page.get(".switches button").filter({ hasText: "process 1" }).click();
    await page.process(1).waitFor();
}

async function files(browser) {
    writeFileSync("deep.c", MAIN);
    writeFileSync("other.c", OTHER);
    const command = await Command.start("deep.c", "other.c", "-simul");
    const page = await Page.open(browser, command);
    await page.button("Step", view(1)).click();
    await page.get('dialog .choice[data-choice="2"]').click();
    await page.sees(".banner[data-kind=inside]", "deep.c:6");
    await page.button("Step", view(1)).click();
    await page.sees(".banner[data-kind=inside]", "other.c");
    await page.sees(`${view(1)} .cm-line[data-next="inside"]`, "where = &both");
    await page.sees(`${view(1)} tbody tr`, /depth.*42/);
    await page.button("Next", view(1)).click();
    await page.sees(".banner[data-kind=inside]", "other.c:6");
    await page.get(`${view(1)} .print input`).fill("*where");
    await page.get(`${view(1)} .print input`).press("Enter");
    await page.sees(`${view(1)} .printed`, /first = 3, second = 4/);
    await page.get(`${view(1)} .frame[data-level="1"]`).click();
    await page.sees(`${view(1)} .cm-line.line-frame`, "deepen(depth + 40)");
    await page.get(`${view(1)} select`).selectOption("other.c");
    await page.sees(`${view(1)} .cm-line`, "struct pair");
    await page.button("Continue", view(1)).click();
    await page.sees(`${view(1)} .cm-line[data-next="green"]`, "VS_assert");
    page.quiet();
}

// The folders of PATH with all programs but gdb, in the same order: a compiler may look for another of its name behind it.
function withoutGdb() {
    const folders = process.env.PATH.split(":").filter((one) => existsSync(one));
    return folders
        .map((folder, i) => {
            const mine = resolve(`bin${i}`);
            mkdirSync(mine);
            for (const name of readdirSync(folder).filter((one) => !/gdb/.test(one)))
                symlinkSync(join(folder, name), join(mine, name));
            return mine;
        })
        .join(":");
}

async function noGdb(browser) {
    const command = await Command.startIn({ ...process.env, PATH: withoutGdb() }, "main.c", "-simul");
    const page = await Page.open(browser, command);
    await page.sees(`${view(1)} .problem`, "gdb is not installed");
    assert.equal(await page.button("Step", view(2)).getAttribute("aria-disabled"), "true");
    await page.button("Continue", view(2)).click();
    await page.get('dialog .choice[data-choice="0"]').click();
    await page.at(1, 1);
    assert.ok(!page.requests.includes("stack"));
    page.quiet();
}

await test(async (browser) => {
    const command = await Command.start(prepare("examples/ac-controller/main.c"), "-simul");
    const page = await Page.open(browser, command);
    await colours(page, command);
    await stackAndVariables(page);
    await print(page, command);
    await hover(page);
    await stepping(page, command);
    await closing(page);
    page.quiet();
    await files(browser);
    await noGdb(browser);
});
