// The simulator's page. Data goes one way: read (the protocol), model (what is known), layout, draw.
// SPDX-License-Identifier: MIT
import { banner } from "./draw/banner.js";
import { busyMark } from "./draw/busy.js";
import { choicesView } from "./draw/choices.js";
import { button, make, setFlag, setName, setText } from "../../web/page/element.js";
import { explanationView } from "./draw/explanation.js";
import { fileMenu, openLoad, openSave } from "./draw/files.js";
import { letGo } from "./draw/go.js";
import { openHelp } from "./draw/help.js";
import { keysStart } from "../../web/page/keys.js";
import { messagesView } from "../../web/page/messages_view.js";
import { objectsView } from "./draw/objects.js";
import { Processes } from "./draw/processes.js";
import { SpaceView } from "./draw/space.js";
import { openQuit, overlayStart } from "../../web/page/quit.js";
import { split } from "../../web/page/split.js";
import { Tabs } from "../../web/page/tabs.js";
import { themeStart, themeToggle } from "../../web/page/theme.js";
import { TraceView } from "./draw/trace.js";
import { scenarioName } from "./draw/words.js";
import { busyStart } from "./model/busy.js";
import { liveAsk, liveStart } from "./model/live.js";
import { begin, listen, move, moveBy } from "./model/moves.js";
import { objectsStart } from "./model/objects.js";
import { spaceStart } from "./model/space.js";
import { store, watch } from "./model/store.js";

const trace = new TraceView();
const processes = new Processes();
const space = new SpaceView();
const now = make("div", { class: "panel now" }, choicesView(), objectsView());
const spacePanel = make("div", { class: "panel" }, space.element);
const explanation = explanationView({
    toProcess: (number) => processes.choose(number),
    toPlace: (number, place) => processes.choose(number)?.browse(place),
});
const dock = new Tabs(
    "More views",
    [
        { name: "now", label: "Choices and objects", panel: now, title: "key x" },
        { name: "space", label: "State space", panel: spacePanel, title: "key x" },
        { name: "explanation", label: "Explanation", panel: explanation, title: "key e" },
    ],
    (name) => name === "space" && space.look(),
);
const explain = () => dock.choose("explanation");

const quit = () => openQuit("simulator", "What you did is lost unless you saved the scenario.");
const onSelected = (what) => () => letGo(what, store.selected);
const groups = [
    {
        title: "Trace",
        keys: [
            [["ArrowRight"], "next event", () => moveBy(1)],
            [["ArrowLeft"], "previous", () => moveBy(-1)],
            [["Home"], "reset: to the initial state", () => move("reset")],
            [["End"], "go to end", () => move("end")],
            [["r"], "back to the scenario that was loaded", () => store.where?.departed && move("rejoin")],
            [["m"], "move: arrows, then Enter", () => trace.setMoving(!trace.moving())],
            [["t"], "list or chart", () => trace.toggle()],
        ],
    },
    {
        title: "Processes",
        keys: [
            [[..."123456789"], "choose a process", (event) => processes.choose(Number(event.key)), "1 – 9"],
            [["g"], "choose any, by its number", () => processes.ask()],
            [["s"], "step", onSelected("step")],
            [["n"], "next line", onSelected("next_line")],
            [["c"], "continue", onSelected("go")],
            [["p"], "print", () => processes.current()?.focusPrint()],
            [["v"], "call stack and variables, where gdb takes long", () => liveAsk()],
            [["e"], "explain what is wrong", explain],
        ],
    },
    {
        title: "State space",
        keys: [
            [["x"], "choices or state space", () => dock.choose(dock.chosen === "space" ? "now" : "space")],
            [["h"], "home", () => space.home()],
            [["+", "="], "zoom in", () => space.zoom(1)],
            [["-"], "zoom out", () => space.zoom(-1)],
            [["l"], "labels", () => space.toggleLabels()],
            [["f"], "filter", () => space.toggleFilter()],
            [["Enter"], "in it: drive the system there"],
            [["c"], "in it: centre"],
            [["e"], "in it: examine"],
        ],
    },
    {
        title: "Mouse in the state space",
        keys: [
            [[], "drive the system there", null, "left click"],
            [[], "centre", null, "middle click"],
            [[], "examine", null, "right click"],
            [[], "zoom", null, "wheel"],
            [[], "look around", null, "drag"],
        ],
    },
    {
        title: "All",
        keys: [
            [["o"], "load", openLoad],
            [["w"], "save", openSave],
            [["b"], "bigger lower views", () => toggleTall()],
            [["d"], "light or dark", themeToggle],
            [["?"], "help", () => openHelp(groups)],
            [["q"], "quit", quit],
        ],
    },
];

function toggleTall() {
    main.toggleAttribute("data-tall");
    tall.setAttribute("aria-pressed", String(main.hasAttribute("data-tall")));
}

const tall = button("Bigger", toggleTall, {
    key: "b",
    icon: "⤢",
    kind: "quiet",
    "aria-pressed": "false",
    title: "more room for these views",
});
const program = make("span", { class: "program" });
const scenario = make("span", { class: "scenario" });
const rejoin = button("Back to it", () => move("rejoin"), {
    key: "r",
    icon: "↩",
    kind: "small",
    title: "the scenario that was loaded, where it was left",
});
const header = make(
    "header",
    { class: "top" },
    make("h1", { text: "VeriSoft" }),
    program,
    scenario,
    rejoin,
    fileMenu(),
    make("span", { class: "gap" }),
    busyMark(),
    button("Light or dark", themeToggle, { key: "d", icon: "◐", kind: "quiet" }),
    button("Help", () => openHelp(groups), { key: "?", icon: "?", kind: "quiet" }),
    button("Quit", quit, { key: "q" }),
);
const lower = make(
    "section",
    { class: "view dock", "aria-label": "More views" },
    make("header", {}, dock.element, make("span", { class: "gap" }), tall),
    now,
    spacePanel,
    explanation,
);
const right = make("div", { class: "right" });
const main = make("main", {}, trace.element);
main.append(
    split(main, "--trace", { label: "width of the trace", across: true, grow: 1, least: 240, most: () => innerWidth - 500 }),
    right,
);
right.append(
    processes.element,
    split(main, "--dock", { label: "height of the lower views", grow: -1, least: 90, most: () => innerHeight - 300 }),
    lower,
);

function showTitle() {
    const { hello } = store;
    setText(program, hello.program);
    const departed = store.where?.departed;
    const left = departed ? `, left after step ${departed.after} of ${departed.after + departed.aside}` : "";
    setText(scenario, scenarioName() ? `guided: ${scenarioName()}${left}` : "manual");
    setFlag(scenario, "data-left", departed);
    rejoin.hidden = !departed;
    setName(scenario, "title", hello.scenario ?? "");
    document.title = `${hello.program} · VeriSoft simulator`;
}

themeStart();
document.body.append(header, banner(explain), main, messagesView());
overlayStart("simulator");
busyStart();
liveStart();
objectsStart();
spaceStart();
watch(["hello", "where"], () => store.hello && showTitle());
keysStart(groups, (key) => trace.moving() && trace.movingKey(key));
begin().then(() => store.where && listen());
