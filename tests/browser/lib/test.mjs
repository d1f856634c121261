// A test: it gets a browser, and whatever happens nothing is left running.
// SPDX-License-Identifier: MIT
import { closeAll, launch, shootAll } from "./browser.mjs";
import { endAll } from "./command.mjs";

export async function test(body) {
    try {
        await body(await launch());
    } catch (problem) {
        console.log(problem.stack ?? problem);
        process.exitCode = 1;
        await shootAll();
    } finally {
        await closeAll();
        await endAll();
    }
}
