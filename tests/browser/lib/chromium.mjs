// A browser of our own, driven by the DevTools protocol over a pipe: JSON, each message ended by a zero byte, written to its
// descriptor 3 and read from its descriptor 4. So it takes Node.js and a Chromium, and nothing else.
// SPDX-License-Identifier: MIT
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Tab } from "./tab.mjs";

// Without its sandbox it runs as root, too, and in containers; it sees nothing but our own page. Nor does it need a large /dev/shm.
const FLAGS = [
    "--headless",
    "--remote-debugging-pipe",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-breakpad",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--mute-audio",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-startup-window",
    "--password-store=basic",
    "--use-mock-keychain",
];

const HERE = "/proc/self/cwd";

export class Chromium {
    static async launch() {
        const self = new Chromium();
        self.folder = mkdtempSync(join(process.env.TMPDIR, "chromium-"));
        // In a process group of its own, so that all its helpers can be ended with it. What it writes stays in its folder, of which
        // it is told a short name: it makes a socket there, and the name of a socket has at most 107 bytes.
        self.process = spawn(process.env.CHROMIUM, [...FLAGS, `--user-data-dir=${HERE}/profile`], {
            cwd: self.folder,
            stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
            detached: true,
            env: { ...process.env, HOME: HERE, TMPDIR: HERE },
        });
        self.answers = new Map(); // number of a request: what to do with its reply
        self.hearers = new Map(); // session, "" for the browser's own: what to do with its events
        self.last = 0;
        self.said = "";
        self.read();
        self.ended = once(self.process, "close").then(
            () => self.over("the browser ended"),
            (problem) => self.over(problem.message),
        );
        await self.ask("", "Browser.getVersion");
        return self;
    }

    read() {
        let rest = "";
        this.process.stderr.on("data", (text) => (this.said = `${this.said}${text}`.slice(-2000)));
        this.process.stdio[3].on("error", () => {}); // its end is heard otherwise
        this.process.stdio[4].setEncoding("utf8").on("data", (text) => {
            const messages = `${rest}${text}`.split("\0");
            rest = messages.pop();
            for (const message of messages) this.hear(JSON.parse(message));
        });
    }

    hear({ id, sessionId = "", method, params, result, error }) {
        if (id === undefined) return this.hearers.get(sessionId)?.(method, params);
        const { done, fails, asked } = this.answers.get(id);
        this.answers.delete(id);
        return error ? fails(new Error(`${asked}: ${error.message}`)) : done(result);
    }

    over(why) {
        this.why = `${why}; it said: ${this.said}`;
        for (const { fails, asked } of this.answers.values()) fails(new Error(`${asked}: ${this.why}`));
        this.answers.clear();
        rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }

    ask(sessionId, method, params = {}) {
        if (this.why) return Promise.reject(new Error(`${method}: ${this.why}`));
        const id = ++this.last;
        const message = { id, method, params, ...(sessionId && { sessionId }) };
        this.process.stdio[3].write(`${JSON.stringify(message)}\0`);
        return new Promise((done, fails) => this.answers.set(id, { done, fails, asked: method }));
    }

    // A page that shares nothing with the others, not even what is stored.
    async newPage({ viewport = { width: 1280, height: 800 }, colorScheme = "light", reducedMotion = "no-preference" } = {}) {
        const { browserContextId } = await this.ask("", "Target.createBrowserContext");
        const { targetId } = await this.ask("", "Target.createTarget", { url: "about:blank", browserContextId, newWindow: true });
        const { sessionId } = await this.ask("", "Target.attachToTarget", { targetId, flatten: true });
        const tab = new Tab(this, { sessionId, targetId, browserContextId });
        await tab.begin(viewport, [
            { name: "prefers-color-scheme", value: colorScheme },
            { name: "prefers-reduced-motion", value: reducedMotion },
        ]);
        return tab;
    }

    // All of it, as if it crashed.
    async kill() {
        if (!this.why) process.kill(-this.process.pid, "SIGKILL");
        await this.ended;
    }

    async close() {
        const patience = setTimeout(() => this.kill(), 10000);
        await this.ask("", "Browser.close").catch(() => {});
        await this.ended;
        clearTimeout(patience);
    }
}
