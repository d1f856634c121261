// Writes build/page: the simulator's page, its script, the worker that lays out state spaces, the style sheet, and the licences of what is in
// them; and the same of the farm in build/page/farm.
// SPDX-License-Identifier: MIT
import { copyFile, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "../../build/page");

// The libraries in the bundle, each with its licence: whoever has the page has these, too.
async function licences(inputs) {
    const modules = join(here, "node_modules");
    const names = new Set(Object.keys(inputs).flatMap((file) => file.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? []));
    const texts = [...names].sort().map(async (name) => {
        const file = (await readdir(join(modules, name))).find((one) => /^licen[cs]e/i.test(one));
        if (!file) throw new Error(`${name} has no licence file`);
        return `${name}\n\n${(await readFile(join(modules, name, file), "utf8")).trim()}\n`;
    });
    return `The page of VeriSoft's simulator contains these libraries.\n\n${(await Promise.all(texts)).join("\n\n")}`;
}

await mkdir(out, { recursive: true });
const bundled = await build({
    entryPoints: { page: join(here, "page.js"), layout: join(here, "layout/worker.js"), "farm/page": join(here, "../../farm/page/page.js"), "farm/login": join(here, "../../farm/page/login.js") },
    outdir: out,
    bundle: true,
    minify: true,
    format: "iife",
    target: ["chrome123", "firefox125", "safari17.5"],
    legalComments: "none", // licences.txt has them
    metafile: true,
    logLevel: "warning",
});
await build({
    entryPoints: { page: join(here, "style/page.css"), "farm/page": join(here, "../../farm/page/page.css") },
    outdir: out,
    bundle: true,
    minify: true,
    logLevel: "warning",
});
for (const name of ["index.html", "icon.svg"]) await copyFile(join(here, name), join(out, name));
for (const name of ["index.html", "login.html"]) await copyFile(join(here, "../../farm/page", name), join(out, "farm", name));
await copyFile(join(here, "icon.svg"), join(out, "farm/icon.svg"));
for (const folder of ["", "farm"]) await writeFile(join(out, folder, "licences.txt"), await licences(bundled.metafile.inputs));
