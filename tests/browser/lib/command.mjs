// The command under test: verisoft PROGRAM -simul, or verisoft farm HARNESS, its address, and the protocol past the page.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

export const project = process.env.project;
const verisoft = join(process.env.B, "verisoft");
const started = new Set();

// Finds the error of a program in this folder; error1.path is its scenario, whatever was searched there before.
export function search(file, ...options) {
    for (const name of readdirSync(".")) if (/^error\d+\.path$/.test(name)) rmSync(name);
    try {
        execFileSync(verisoft, [file, ...options], { stdio: "ignore" });
    } catch (problem) {
        assert.equal(problem.status, 1, `verisoft ${file} found no error, or failed`);
    }
}

// The program in this folder, searched: error1.path and sss.VS are there.
export function prepare(example, ...options) {
    const file = basename(example);
    copyFileSync(join(project, example), file);
    search(file, "--save-state-space", "1", ...options);
    return file;
}

export class Command {
    static start(...words) {
        return Command.startIn(process.env, ...words);
    }

    static farm(harness, ...words) {
        return Command.startIn(process.env, "farm", harness, ...words);
    }

    static async startIn(env, ...words) {
        const command = new Command();
        const page = ["--no-browser", "--port", "0"];
        command.process = spawn(verisoft, words[0] === "farm" ? [...words, ...page] : [...page, ...words], {
            stdio: ["ignore", "pipe", "inherit"],
            env,
        });
        command.ended = once(command.process, "exit");
        command.ended.catch(() => started.delete(command));
        started.add(command);
        command.address = await new Promise((found, never) => {
            let printed = "";
            command.process.stdout.on("data", (text) => {
                printed += text;
                const address = printed.match(/http:\/\/\S+/);
                if (address) found(address[0]);
            });
            command.process.on("error", never);
            command.process.on("exit", () => never(new Error(`the command ended; it printed: ${printed}`)));
        });
        return command;
    }

    async ask(what, given = {}) {
        const answer = await fetch(new URL("do", this.address), {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ do: what, ...given }),
        });
        const reply = await answer.json();
        assert.ok(reply.ok, reply.error);
        return reply;
    }

    async where() {
        return (await this.ask("where")).where;
    }

    async position() {
        return (await this.where()).position;
    }

    // How it ended: [status, signal].
    async end(signal = "SIGTERM") {
        if (this.process.exitCode === null && this.process.signalCode === null) this.process.kill(signal);
        started.delete(this);
        return this.ended;
    }
}

export async function endAll() {
    await Promise.all([...started].map((command) => command.end()));
}
