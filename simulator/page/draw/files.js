// The File menu: load a scenario, save it, save it as a chart.
// SPDX-License-Identifier: MIT
import { ask } from "../../../web/page/client.js";
import { failed, tell } from "../../../web/page/messages.js";
import { move } from "../model/moves.js";
import { store } from "../model/store.js";
import { answer, field, openDialog } from "../../../web/page/dialog.js";
import { button, make, setName, setText } from "../../../web/page/element.js";
import { scenarioName } from "./words.js";

function download(name, text, type) {
    const address = URL.createObjectURL(new Blob([text], { type }));
    make("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}

function folder() {
    return store.hello.output === "." ? "the output folder" : `the output folder ${store.hello.output}`;
}

// A request whose failure is told; gives the reply or false, which keeps the dialog open.
async function attempt(what, given) {
    try {
        return await ask(what, given);
    } catch (problem) {
        failed(problem);
        return false;
    }
}

async function suggest(list) {
    const reply = await attempt("scenarios");
    list.append(...(reply ? reply.files : []).map((file) => make("option", { value: file })));
}

export function openLoad() {
    const known = make("datalist", { id: "scenarios" });
    const name = make("input", {
        type: "text",
        name: "file",
        placeholder: "error1.path",
        spellcheck: "false",
        value: scenarioName() ?? "",
        list: "scenarios",
    });
    suggest(known);
    const file = make("input", { type: "file", accept: ".path" });
    const load = async () => {
        const [chosen] = file.files;
        if (chosen) return move("load", { name: chosen.name, text: await chosen.text() });
        return name.value.trim() ? move("load", { file: name.value.trim() }) : false;
    };
    openDialog(
        "Load a scenario",
        [field("Name", name, `a .path file in ${folder()}`), known, field("Or a file of yours", file)],
        [answer("Load", load, { kind: "primary", submit: true })],
    );
    name.select();
}

function proposal(ending) {
    const base = (scenarioName() ?? store.hello.program).replace(/^.*\//, "").replace(/\.[^.]*$/, "");
    return ending === "path" ? `my-${base}.path` : `${base}.${ending}`;
}

// Save, into the file that `name` names. One that is there is replaced only when the button, which then asks that, is pressed
// again.
class Saving {
    constructor(name, what, request) {
        Object.assign(this, { name, what, request, replace: null });
        this.question = make("p", { class: "question", role: "alert", hidden: true });
        this.button = (close) => (this.made ??= answer("Save", () => this.save(), { kind: "primary", submit: true })(close));
        name.addEventListener("input", () => this.ask(null));
    }

    // Whether the file of this name may be replaced; null: nothing to ask.
    ask(file) {
        this.replace = file;
        this.question.hidden = file === null;
        setText(this.question, file === null ? "" : `${file} is there already. Replace it?`);
        setText(this.made.querySelector(".label"), file === null ? "Save" : "Replace");
        setName(this.made, "title", file === null ? "Save" : `what ${file} says now is lost`);
    }

    async save() {
        const file = this.name.value.trim();
        try {
            await ask(this.what, { ...this.request(), file, ...(this.replace === file && { replace: true }) });
        } catch (problem) {
            if (problem.exists) this.ask(file);
            else failed(problem);
            return false;
        }
        tell(`The ${this.what === "chart" ? "chart" : "scenario"} is in ${file} in ${folder()}.`);
        return true;
    }
}

export function openSave() {
    const name = make("input", { type: "text", name: "file", spellcheck: "false", value: proposal("path") });
    const saving = new Saving(name, "save", () => ({}));
    const take = async () => {
        const reply = await attempt("scenario");
        if (reply) download(name.value.trim(), reply.text, "text/plain");
        return Boolean(reply);
    };
    openDialog(
        "Save the scenario",
        [field("Name", name, `Save writes it into ${folder()}`), saving.question],
        [answer("Download", take), saving.button],
    );
    name.select();
}

function openChart(format) {
    const ending = format === "ps" ? "ps" : "svg";
    const what = format === "ps" ? "PostScript" : "SVG";
    const name = make("input", { type: "text", name: "file", spellcheck: "false", value: proposal(ending) });
    const title = make("input", { type: "text", name: "title", placeholder: "none" });
    const color = make("input", { type: "checkbox", name: "color", checked: true });
    const given = () => ({ format, color: color.checked, ...(title.value.trim() && { title: title.value.trim() }) });
    const saving = new Saving(name, "chart", given);
    const take = async () => {
        const reply = await attempt("chart", given());
        if (reply) download(name.value.trim(), reply.text, format === "ps" ? "application/postscript" : "image/svg+xml");
        return Boolean(reply);
    };
    openDialog(
        `Save the chart as ${what}`,
        [
            field("Name", name, `Save writes it into ${folder()}`),
            field("Title", title),
            make("label", { class: "check" }, color, make("span", { text: "in colour" })),
            saving.question,
        ],
        [answer("Download", take), saving.button],
    );
    name.select();
}

export function fileMenu() {
    const menu = make("div", { class: "menu", popover: "auto", id: "file-menu", "aria-label": "File" });
    const item = (label, act, key) => {
        const one = button(
            label,
            () => {
                menu.hidePopover();
                act();
            },
            { kind: "item", key },
        );
        if (key) one.append(make("kbd", { text: key }));
        return one;
    };
    menu.append(
        item("Load a scenario…", openLoad, "o"),
        item("Save the scenario…", openSave, "w"),
        item("Save the chart as SVG…", () => openChart("svg")),
        item("Save the chart as PostScript…", () => openChart("ps")),
    );
    const opener = button("File", null, { kind: "plain", popovertarget: "file-menu", icon: "▾" });
    menu.addEventListener("beforetoggle", () => {
        const box = opener.getBoundingClientRect();
        menu.style.left = `${box.left}px`;
        menu.style.top = `${box.bottom + 4}px`;
    });
    return make("span", {}, opener, menu);
}
