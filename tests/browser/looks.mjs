// What everybody can read and reach: contrast in both themes, names, nothing that jumps, nothing wider than the window.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { Page } from "./lib/browser.mjs";
import { Command, prepare } from "./lib/command.mjs";
import { test } from "./lib/test.mjs";

// Runs in the page: texts whose contrast to what is behind them is too low.
function faint() {
    const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
    const light = ([r, g, b]) =>
        [r, g, b]
            .map((c) => c / 255)
            .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
            .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const over = ([r, g, b, a = 1], below) => [r, g, b].map((c, i) => c * a + below[i] * (1 - a));
    const ground = (element) => {
        const layers = [];
        for (let e = element; e; e = e.parentElement) layers.push(numbers(getComputedStyle(e).backgroundColor));
        return layers
            .reverse()
            .reduce((below, layer) => (layer.length === 4 && layer[3] === 0 ? below : over(layer, below)), [255, 255, 255]);
    };
    const opacity = (element) => (element ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1);
    const found = [];
    for (const element of document.querySelectorAll("body *")) {
        const text = [...element.childNodes]
            .filter((node) => node.nodeType === Node.TEXT_NODE)
            .map((node) => node.data.trim())
            .join("");
        const style = getComputedStyle(element);
        if (!text || !element.checkVisibility({ visibilityProperty: true }) || element.closest("title, [aria-hidden=true]"))
            continue;
        const below = ground(element);
        const ink = over(numbers(element instanceof SVGElement ? style.fill : style.color), below);
        const shown = over([...ink, opacity(element)], below);
        const [low, high] = [light(shown), light(below)].sort((a, b) => a - b);
        const ratio = (high + 0.05) / (low + 0.05);
        const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
        if (ratio < (large ? 3 : 4.5))
            found.push(`${ratio.toFixed(2)}: "${text.slice(0, 30)}" in ${element.tagName}.${element.getAttribute("class")}`);
    }
    return found;
}

// Runs in the page: what has no name for who cannot see it, ids that are there twice, tabs without their panel.
function nameless() {
    const name = (e) => e.getAttribute("aria-label") || e.labels?.[0]?.textContent || e.textContent || e.title;
    const found = [
        ...document.querySelectorAll("button, input, select, canvas, [role=separator], [role=tab], dialog, section, article"),
    ]
        .filter((e) => e.checkVisibility() && !name(e)?.trim())
        .map((e) => e.outerHTML.slice(0, 80));
    const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
    const twice = ids.filter((id, i) => ids.indexOf(id) !== i);
    const loose = [...document.querySelectorAll("[aria-controls]")].filter(
        (e) => !document.getElementById(e.getAttribute("aria-controls")),
    );
    return [
        ...found,
        ...twice,
        ...loose.map((e) => e.outerHTML.slice(0, 80)),
        ...(document.documentElement.lang ? [] : ["no language"]),
    ];
}

async function check(page, name) {
    assert.deepEqual(await page.page.evaluate(faint), [], `contrast: ${name}`);
    assert.deepEqual(await page.page.evaluate(nameless), [], `names: ${name}`);
    assert.ok(
        await page.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
        `${name} is wider than the window`,
    );
    await page.shot(name);
}

// Where each view stands.
function boxes(page) {
    return page.page.evaluate(() =>
        [...document.querySelectorAll(".banner, .trace, .scroller, .process, .process .cm-editor, .process footer, .dock")]
            .filter((e) => e.checkVisibility())
            .map((e) => Object.values(e.getBoundingClientRect().toJSON()).map(Math.round).join()),
    );
}

async function walk(page, scheme) {
    await page.sees(".frame", /./);
    await check(page, `${scheme}-beginning`);
    const before = await boxes(page);
    await page.press("End");
    await page.at(3);
    await page.sees(".banner[data-kind=bad]", /./);
    await page.sees('.process[data-process="1"] .details:not([data-late]) tbody', /ac/);
    assert.deepEqual(await boxes(page), before, "nothing jumps");
    await check(page, `${scheme}-error`);
    for (const key of ["t", "x", "ArrowLeft"]) await page.press(key);
    await page.at(2);
    await page.get("canvas[data-drawn]").waitFor();
    await check(page, `${scheme}-chart-and-space`);
    await page.press("?");
    await check(page, `${scheme}-help`);
    await page.press("Escape");
}

async function inside(page, scheme) {
    await page.press("x");
    await page.button("Next", '.process[data-process="1"]').click();
    await page.sees(".badge.yellow", /./);
    await page.sees('.process[data-process="1"] .details:not([data-late]) .frame', /./);
    await check(page, `${scheme}-inside`);
    await page.press("1");
    await page.press("c");
    await page.at(3);
    await page.press("2");
    await page.press("c");
    await page.get("dialog .choice").first().waitFor();
    await check(page, `${scheme}-choice`);
    await page.press("Escape");
    await page.press("o");
    await page.page.keyboard.type("none.path");
    await page.press("Enter");
    await page.sees(".messages .error", /none.path/);
    await page.press("Escape");
    await check(page, `${scheme}-message`);
}

await test(async (browser) => {
    const file = prepare("examples/ac-controller/main.c");
    for (const scheme of ["light", "dark"]) {
        const command = await Command.start(file, "-simul", "error1.path");
        const page = await Page.open(browser, command, { scheme });
        await walk(page, scheme);
        await inside(page, scheme);
        page.quiet();
        await page.page.close();
        await command.end();
    }
});
