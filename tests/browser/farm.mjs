// The farm's page: the four tables and their actions, a property with its automaton, a counter-example beside the source, editing and conflicts,
// features, the model's warnings, the queue, history; all by keys too, in light and dark.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Page } from "./lib/browser.mjs";
import { Command, project } from "./lib/command.mjs";
import { test } from "./lib/test.mjs";

const HOSTILE = '<img src=x onerror="document.title=1">';

function prepareHarness() {
    const from = join(project, "examples/alternating-bit");
    for (const name of readdirSync(from)) copyFileSync(join(from, name), name);
    let text = readFileSync("lossy.harness", "utf8").replace(
        "map map\n",
        "map map\nfeature EVEN   s == seqno\nfeature ODD    s != seqno\nfeature OTHER  s > seqno\nprecedence EVEN ODD\nprecedence EVEN OTHER\n",
    );
    text = text.replace("says   the sender", `says   ${HOSTILE} the sender`);
    text += "\nproperty reaches\n    says   it may be even and odd\n    symbol p  sender@S0\n    features +EVEN -ODD\n    holds  <>p\nend\n";
    writeFileSync("lossy.harness", text);
    writeFileSync("map", readFileSync("map", "utf8").replace(/^getnew_data.*\n/m, ""));
}

// A search of so many states that nobody waits for its end.
function prepareEndless() {
    const begin = readFileSync(join(project, "examples/alternating-bit/lossy.harness"), "utf8").replace(/\nproperty[^]*/, "\n");
    const checks = ["deadlock", "unspecified", "assertions"].map((check) => `without ${check}\n`).join("");
    const text = begin
        .replace("without progress\n", `without progress\n${checks}`)
        .replace("on_its_way = 1;", "on_its_way = 1; byte a, b, c, d;")
        .replace("sender_in!ack,1 }", "sender_in!ack,1 }\nactive proctype counts() { do :: a++ :: b++ :: c++ :: d++ od }");
    const property = (name) => `property ${name}\n    symbol all  a == 255 && b == 255 && c == 255 && d == 255 && on_its_way && !on_its_way\n    holds  []!all\nend\n`;
    writeFileSync("endless.harness", `${text}${property("first")}${property("second")}`);
}

const open = (browser, command, more = {}) => Page.open(browser, command, { ready: ".list h2", says: "Failed", ...more });
const closed = (page) => page.until(() => page.get("dialog").count(), (count) => count === 0, "the dialog closes");
const table = (state) => `.table[data-table="${state}"]`;
const row = (state, name) => `${table(state)} tr[data-name="${name}"]`;

async function tables(page) {
    await page.sees(`${row("pending", "goes-on")} .formula`, "[]<>works");
    await page.sees(`${table("pending")} h2`, "5");
    await page.button("Start check", row("pending", "goes-on")).click();
    await page.sees(`${row("failed", "goes-on")} .status`, /^[AE]\/\d+/);
    await page.sees(`${table("failed")} h2`, "1");
    await page.press("s");
    await page.sees(`${table("verified")} h2`, "3");
    await page.sees(`${row("verified", "deadlock")} .status`, /^E\d+/);
    await page.sees(".top .scenario", "2 failed, 3 verified, 0 pending, 0 running");
    await page.button("Delete result", row("verified", "deadlock")).click();
    await page.sees(`${row("pending", "deadlock")} .name`, "deadlock");
    await page.shot("farm-tables");
}

async function filters(page) {
    await page.get(".filters input").fill("goes");
    await page.until(() => page.get(".list tr[data-name]").count(), (count) => count === 1, "rows with goes");
    await page.get(".filters input").fill("");
    await page.get('.filters select[aria-label="feature"]').selectOption("ODD");
    await page.until(() => page.get(".list tr[data-name]").count(), (count) => count === 1, "rows with the feature");
    await page.get('.filters select[aria-label="feature"]').selectOption("");
    await page.get('.filters select[aria-label="state"]').selectOption("pending");
    await page.until(() => page.get(".list tr[data-name]").count(), (count) => count === 1, "pending rows");
    await page.get('.filters select[aria-label="state"]').selectOption("");
    await page.until(() => page.get(".list tr[data-name]").count(), (count) => count === 5, "all rows");
}

async function property(page) {
    await page.get(`${row("failed", "goes-on")} .name`).click();
    await page.sees(".property h2", "goes-on");
    await page.sees(".property .says", HOSTILE); // as text
    await page.sees(".property .symbols", "sender.event != -1");
    await page.sees(".property .automaton figcaption", /automaton/);
    await page.sees(".property .runs", "another level has found a counter-example");
    await page.get(`${row("verified", "reaches")} .name`).click();
    await page.until(() => page.get(".automaton").getAttribute("data-reached"), (reached) => Number(reached) > 0, "states reached");
    await page.sees(".property .coverage", /All states were searched: \d+ of \d+ statements/);
    await page.shot("farm-property");
    assert.notEqual(await page.get("head title").textContent(), "1", "prose is no script");
}

async function trail(page) {
    await page.get(`${row("failed", "goes-on")} .status .link`).click();
    await page.sees(".trail .steps li", "sender");
    await page.button("Chart", ".trail").click();
    await page.sees(".trail pre.form", /ack\(1\)/);
    await page.button("Drawing", ".trail").click();
    await page.get(".trail .form img").waitFor();
    const cut = await page.get(".forms").evaluate((forms) => forms.querySelector('[role="tablist"]').getBoundingClientRect().right - forms.getBoundingClientRect().right);
    assert.ok(cut <= 0, "all forms can be chosen");
    await page.button("Variables", ".trail").click();
    await page.sees("#panel-variables .place", "sender.at");
    await page.button("Statements", ".trail").click();
    await page.get("#panel-statements .place").filter({ hasText: "sender.at:13" }).first().click();
    await page.sees(".source h3", "sender.at:13");
    await page.sees(".source [data-here]", "switch (event)");
    await page.button("Steps", ".trail").click();
    await page.get('.steps li[data-step="0"]').click();
    await page.press("ArrowRight");
    await page.press("ArrowRight");
    await page.get('.steps li[data-step="2"][aria-current]').waitFor();
    await page.sees(".trail .others", "steps");
    await page.shot("farm-trail");
    const another = page.get(row("verified", "reaches"));
    await another.evaluate((element) => element.setAttribute("data-marked", "yes"));
    await page.press("Delete"); // the last one: it is pending again
    await page.get(row("pending", "goes-on")).waitFor();
    await page.press("r");
    await page.get(row("failed", "goes-on")).waitFor();
    assert.equal(await another.getAttribute("data-marked"), "yes", "a row in which nothing changes stays, under the mouse and with the focus");
}

async function edit(page) {
    await page.get(`${row("verified", "reaches")} .name`).click();
    await page.sees(".property h2", "reaches");
    await page.press("e");
    await page.sees(".said", "It is understood: <>p");
    await page.get("dialog textarea").fill("property reaches\n    symbol p  sender@S0\n    holds  <>nonsense\nend\n");
    await page.sees('.said[data-kind="bad"]', "nonsense is no symbol of it");
    await page.get('dialog select[aria-label="pattern"]').selectOption("response");
    await page.get('dialog input[aria-label="p"]').fill("p");
    await page.get('dialog input[aria-label="s"]').fill("p");
    await page.button("Use template", "dialog").click();
    await page.sees('.said[data-kind="good"]', "[](p -> <>p)");
    // Somebody else is faster.
    writeFileSync("lossy.harness", readFileSync("lossy.harness", "utf8").replace("it may be even", "it may well be even"));
    await page.button("Save", "dialog").click();
    await page.sees("dialog h2", "Somebody else has changed reaches");
    await page.sees("dialog pre", "it may well be even");
    await page.shot("farm-conflict");
    await page.button("Go on with mine", "dialog").click();
    await page.sees('.said[data-kind="good"]', "understood");
    await page.button("Save", "dialog").click();
    await page.sees(`${row("pending", "reaches")} .formula`, "[](p -> <>p)");
    assert.match(readFileSync("lossy.harness", "utf8"), /template response globally p=p s=p/);
    await closed(page);
    await page.press("n");
    await page.get("dialog textarea").fill("property another\n    symbol p  sender@S0\n    holds  <>p\nend\n");
    await page.sees('.said[data-kind="good"]', "understood");
    await page.button("Save", "dialog").click();
    await page.sees(`${row("pending", "another")} .name`, "another");
    await closed(page);
    await page.sees(".property h2", "another");
    await page.press("D");
    await page.button("Delete", "dialog").click();
    await page.until(() => page.get(row("pending", "another")).count(), (count) => count === 0, "it is gone");
    assert.doesNotMatch(readFileSync("lossy.harness", "utf8"), /another/);
    await closed(page);
}

async function others(page) {
    await page.press("4");
    await page.sees('[data-cell="EVEN ODD"] b', "▲");
    await page.sees('[data-cell="ODD EVEN"] b', "▼");
    await page.sees('[data-cell="EVEN OTHER"]', "no property");
    await page.shot("farm-features");
    await page.press("3");
    await page.sees(".queue .ended", "goes-on");
    await page.press("6");
    await page.sees(".history .version", /verified/);
    await page.press("5");
    await page.sees(".model .left-out", "getnew_data()");
    await page.shot("farm-model");
    await page.button("Map it", ".left-out tr").first().click();
    await page.button("Map it", "dialog").click();
    await page.until(() => page.get(".left-out tbody tr").count(), (count) => count === 0, "nothing is left out");
    assert.match(readFileSync("map", "utf8"), /getnew_data\(\)\tskip/);
    await closed(page);
}

async function changes(browser, page, command) {
    // The code changes: what is watched is verified again, in every page.
    const second = await open(browser, command, { scheme: "dark" });
    await page.press("s");
    await page.sees(".top .scenario", "0 pending, 0 running");
    writeFileSync("sender.at", readFileSync("sender.at", "utf8").replace("if (s == seqno)", "if (s == seqno + 0)"));
    await second.press("l");
    await page.sees(`${table("pending")} h2`, "5");
    await second.shot("farm-dark");
    await second.press("?");
    await second.sees("dialog h2", "Help");
    await second.press("Escape");
    writeFileSync("sender.at", "this is no C {");
    await second.press("l");
    await page.sees(".list .wrong", "The harness cannot be used now");
    copyFileSync(join(project, "examples/alternating-bit/sender.at"), "sender.at");
    await second.press("l");
    await page.sees(".top .scenario", "0 pending, 0 running"); // as it was: it costs nothing
    page.quiet();
    second.quiet();
    await second.button("Quit", ".top").click();
    await second.button("Quit", "dialog").click();
    await page.sees("dialog.gone", /ended|does not answer/);
    assert.deepEqual(await command.ended, [0, null]);
    assert.ok(!existsSync("lossy.farm-lock"), "the lock is gone");
}

const verifiers = (command) => readdirSync("/proc").filter((pid) => {
    try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/stat`, "utf8").replace(/.*\) . /, "").split(" ")[0] === String(command.process.pid) &&
            readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes("run");
    } catch {
        return false; // it has ended
    }
});

// As a hand does, that is slower than what comes in the meantime.
async function pressLong(page, button) {
    await button.hover();
    await page.page.mouse.down();
    const before = page.requests.length;
    await page.until(() => page.requests.length - before, (count) => count >= 4, "news while the mouse is pressed");
    await page.page.mouse.up();
}

// Abort run, of one that runs and of one that waits; and Abort all: what ran is ended, and nobody has a verdict.
async function aborts(browser) {
    prepareEndless();
    const command = await Command.farm("endless.harness", "-j", "2");
    const page = await open(browser, command);
    const gone = (what) => page.until(() => verifiers(command).length, (count) => count === 0, what);
    await page.button("Start check", row("pending", "first")).click();
    const status = page.get(`${row("running", "first")} .status`);
    await page.sees(`${row("running", "first")} .status`, /\d+ states/); // as its verifier tells
    const before = await status.textContent();
    await page.get(row("running", "first")).evaluate((element) => element.setAttribute("data-marked", "yes"));
    await page.until(() => status.textContent(), (now) => now !== before, "more states");
    assert.equal(await page.get(row("running", "first")).getAttribute("data-marked"), "yes", "its row stays, under the mouse of whoever aborts it");
    await page.get(`${row("running", "first")} .name`).click();
    await page.sees(".property .live", /run 1 \(A, quick, 1,024 kbit\): [\d,]+ states, depth [\d,]+, \d+ MB/);
    await page.sees(".property .live", /run 2 \(exhaustive\): [\d,]+ states/);
    await page.sees(".property .automaton figcaption", "1 of 2 states of the automaton were reached");
    await page.button("Start check", row("pending", "second")).click();
    await page.sees(`${row("pending", "second")} .status`, "queued");
    await page.button("Abort run", row("pending", "second")).click();
    await page.button("Start check", row("pending", "second")).waitFor();
    assert.ok(verifiers(command).length > 0, "the other one goes on");
    await pressLong(page, page.button("Abort run", ".property"));
    await page.button("Start check", row("pending", "first")).waitFor();
    await gone("who searched has ended");
    await page.get(`${row("pending", "first")} .name`).click();
    await page.sees(".property .runs", "aborted");
    await page.press("s");
    await page.sees(".top .scenario", "2 running"); // quick searches of both come first
    await page.button("Abort all", ".list").click();
    await page.sees(".top .scenario", "2 pending, 0 running");
    await gone("all have ended");
    page.quiet();
    await command.end("SIGINT");
}

await test(async (browser) => {
    prepareHarness();
    await aborts(browser);
    const command = await Command.farm("lossy.harness", "-j", "2");
    const page = await open(browser, command);
    await tables(page);
    await filters(page);
    await property(page);
    await trail(page);
    await edit(page);
    await others(page);
    await changes(browser, page, command);
});
