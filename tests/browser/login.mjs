// The farm's page for other machines: logging in, what a reader sees and may not do, logging out; in light and dark. SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Page } from "./lib/browser.mjs";
import { Command, project } from "./lib/command.mjs";
import { test } from "./lib/test.mjs";

function prepare() {
    const from = join(project, "examples/alternating-bit");
    for (const name of readdirSync(from)) copyFileSync(join(from, name), name);
    const add = (name, role) =>
        execFileSync(join(process.env.B, "verisoft"), ["farm", "lossy.harness", "user", "add", name, "--role", role], { input: `${name}-secret\n` });
    add("rita", "reader");
    add("edith", "editor");
}

async function enter(page, name, password) {
    await page.get("#name").fill(name);
    await page.get("#password").fill(password);
    await page.button("Log in", "form").click();
}

// Buttons that can be seen and would change something.
const offered = (page) => page.page.locator("body").evaluate(() => [...document.querySelectorAll("[data-writes]")].filter((one) => one.offsetParent).map((one) => one.textContent));

const opened = (browser, command, scheme) => Page.open(browser, command, { ready: "form.enter h1", says: "VeriSoft farm", scheme });

await test(async (browser) => {
    prepare();
    const command = await Command.farm("lossy.harness", "--listen", "127.0.0.1:0");
    const page = await opened(browser, command, "light");
    await enter(page, "rita", "guess");
    await page.sees(".wrong", "another password");
    await enter(page, "rita", "rita-secret");
    await page.sees(".top .session", "rita (reader)");
    await page.sees('.table[data-table="pending"] h2', "4");
    assert.deepEqual(await offered(page), []);
    await page.press("s");
    await page.sees("body", "an editor can");
    await page.press("q");
    await page.sees('.table[data-table="pending"] h2', "4");
    await page.shot("farm-reader");
    await page.button("Log out", ".top").click();
    await page.sees("form.enter h1", "VeriSoft farm");
    const other = await opened(browser, command, "dark");
    await other.shot("farm-login");
    await enter(other, "edith", "edith-secret");
    await other.sees(".top .session", "edith (editor)");
    assert.ok((await offered(other)).includes("Look again"));
    await other.button("Quit", ".top").click();
    await other.button("Quit", "dialog").click();
    assert.deepEqual(await command.ended, [0, null]);
});
