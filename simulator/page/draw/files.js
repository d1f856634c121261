// The File menu: load a scenario, save it, save it as a chart.
// SPDX-License-Identifier: MIT
import { ask } from "../read/client.js";
import { failed, tell } from "../model/messages.js";
import { move } from "../model/moves.js";
import { store } from "../model/store.js";
import { answer, field, openDialog } from "./dialog.js";
import { button, make } from "./element.js";

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
        value: store.hello.scenario ?? "",
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
    const base = (store.hello.scenario ?? store.hello.program).replace(/^.*\//, "").replace(/\.[^.]*$/, "");
    return ending === "path" ? `my-${base}.path` : `${base}.${ending}`;
}

export function openSave() {
    const name = make("input", { type: "text", name: "file", spellcheck: "false", value: proposal("path") });
    const save = async () => {
        const file = name.value.trim();
        const done = await attempt("save", { file });
        if (done) tell(`The scenario is in ${file} in ${folder()}.`);
        return Boolean(done);
    };
    const take = async () => {
        const reply = await attempt("scenario");
        if (reply) download(name.value.trim(), reply.text, "text/plain");
        return Boolean(reply);
    };
    openDialog(
        "Save the scenario",
        [field("Name", name, `Save writes it into ${folder()}`)],
        [answer("Download", take), answer("Save", save, { kind: "primary", submit: true })],
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
    const save = async () => {
        const done = await attempt("chart", { ...given(), file: name.value.trim() });
        if (done) tell(`The chart is in ${name.value.trim()} in ${folder()}.`);
        return Boolean(done);
    };
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
        ],
        [answer("Download", take), answer("Save", save, { kind: "primary", submit: true })],
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
