// A scenario of a suite in the page: what the box answered, where a driver stands, forwards, backwards, and on another way, for which the box is
// started again. SPDX-License-Identifier: MIT
import { writeFileSync } from "node:fs";
import { Page } from "./lib/browser.mjs";
import { Command, search } from "./lib/command.mjs";
import { test } from "./lib/test.mjs";

const DRIVER = `
n=$(vs toss 1)
VS_AT=driver.sh:3 vs step read
old=$(cat "$VERISOFT_FOLDER/state")
vs answer "it holds $old"
VS_AT=driver.sh:6 vs step write
echo $((old + n)) > "$VERISOFT_FOLDER/state"
VS_AT=driver.sh:8 vs step look
VS_AT=driver.sh:9 vs check 'nothing is lost' test "$(cat "$VERISOFT_FOLDER/state")" -ge $((old + n))
`;
const SUITE = `[box]
start = 'echo 0 > "$VERISOFT_FOLDER/state"; exec sleep 1000'
ready = 'test -s "$VERISOFT_FOLDER/state"'
[[driver]]
name = "teller"
run = "sh driver.sh"
count = 2
`;

const go = async (page, number) => {
    await page.press(String(number));
    await page.press("c");
};

async function along(page, command) {
    const { length } = await command.where();
    await page.press("End");
    await page.at(length, length);
    await page.sees(".banner[data-kind=bad]", "nothing is lost");
    await page.sees(".row", /it holds 0/);
    await page.sees('.process[data-process="3"] .cm-line[data-next]', "nothing is lost");
    await page.shot("suite");
    await page.press("ArrowLeft");
    await page.at(length - 1, length);
    await page.press("Home");
    await page.at(0, length);
}

// The other one writes first: the box was started again for it.
async function otherwise(page, command) {
    const { length } = await command.where();
    const before = 9;
    await page.get(`.row[data-row="${before}"]`).click();
    await page.at(before, length);
    const { events } = await command.ask("trace");
    const [other] = [2, 3].filter((process) => process !== events[before].process);
    await go(page, other);
    await page.at(before + 1, before + 1);
    await page.sees(".messages .note", new RegExp(`leaves error1.path after step ${before}`));
    await page.sees(`.row[data-row="${before + 1}"]`, "step: write");
}

await test(async (browser) => {
    writeFileSync("driver.sh", DRIVER);
    writeFileSync("suite.toml", SUITE);
    search("test", "suite.toml");
    const command = await Command.start("suite.toml", "-simul", "error1.path");
    const page = await Page.open(browser, command);
    await along(page, command);
    await otherwise(page, command);
    page.quiet();
});
