// Writes build/page: the page, its script, the worker that lays out state spaces, and the style sheet.
// SPDX-License-Identifier: MIT
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "../../build/page");

await mkdir(out, { recursive: true });
await build({
    entryPoints: { page: join(here, "page.js"), layout: join(here, "layout/worker.js") },
    outdir: out,
    bundle: true,
    minify: true,
    format: "iife",
    target: ["chrome123", "firefox125", "safari17.5"],
    legalComments: "none",
    logLevel: "warning",
});
await build({
    entryPoints: { page: join(here, "style/page.css") },
    outdir: out,
    bundle: true,
    minify: true,
    logLevel: "warning",
});
for (const name of ["index.html", "icon.svg"]) await copyFile(join(here, name), join(out, name));
