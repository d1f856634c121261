// A file of the program to look at: the line that comes next is marked with a colour, a sign and a word; a name that the mouse
// points at shows its value.
// SPDX-License-Identifier: MIT
import { cpp } from "@codemirror/lang-cpp";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import {
    Decoration,
    EditorView,
    gutter,
    GutterMarker,
    highlightSpecialChars,
    hoverTooltip,
    keymap,
    lineNumbers,
    WidgetType,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { make } from "../../../web/page/element.js";

const colours = HighlightStyle.define([
    { tag: [tags.keyword, tags.modifier, tags.controlKeyword], class: "tok-keyword" },
    { tag: [tags.string, tags.character], class: "tok-string" },
    { tag: tags.number, class: "tok-number" },
    { tag: [tags.comment, tags.lineComment, tags.blockComment], class: "tok-comment" },
    { tag: [tags.typeName, tags.standard(tags.typeName)], class: "tok-type" },
    { tag: [tags.processingInstruction, tags.meta], class: "tok-meta" },
    { tag: tags.function(tags.variableName), class: "tok-function" },
]);

const TURNING = /[\u200c\u200d\u202a-\u202c\u2068]/g; // besides the usual ones: they, too, change how a line reads

class Word extends WidgetType {
    constructor(mark) {
        super();
        this.mark = mark;
    }

    eq(other) {
        return other.mark.word === this.mark.word && other.mark.kind === this.mark.kind;
    }

    toDOM() {
        return make("span", { class: `line-word ${this.mark.kind}`, text: this.mark.word });
    }
}

class Sign extends GutterMarker {
    constructor(mark) {
        super();
        this.mark = mark;
    }

    toDOM() {
        return make("span", { class: `line-sign ${this.mark.kind}`, title: this.mark.word, text: this.mark.sign });
    }
}

const setMark = StateEffect.define();

// The marked line: { line, kind, word, sign }, or null.
const marked = StateField.define({
    create: () => null,
    update: (mark, transaction) => transaction.effects.reduce((now, effect) => (effect.is(setMark) ? effect.value : now), mark),
    provide: (field) =>
        EditorView.decorations.from(field, (mark) => (view) => {
            if (!mark || mark.line > view.state.doc.lines) return Decoration.none;
            const line = view.state.doc.line(mark.line);
            return Decoration.set([
                Decoration.line({ class: `line-${mark.kind}`, attributes: { "data-next": mark.kind } }).range(line.from),
                Decoration.widget({ widget: new Word(mark), side: 1 }).range(line.to),
            ]);
        }),
});

const signs = gutter({
    class: "signs",
    lineMarker: (view, block) => {
        const mark = view.state.field(marked);
        const here = mark && mark.line <= view.state.doc.lines && view.state.doc.line(mark.line).from === block.from;
        return here ? new Sign(mark) : null;
    },
    lineMarkerChange: (change) => change.startState.field(marked) !== change.state.field(marked),
    initialSpacer: () => new Sign({ kind: "none", word: "", sign: "■" }),
});

// A name, with what it is reached by: p->next, a.b.
function nameAt(state, position) {
    const line = state.doc.lineAt(position);
    const at = position - line.from;
    for (const found of line.text.matchAll(/[A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*)*/g)) {
        if (found.index > at || found.index + found[0].length < at) continue;
        const rest = found[0].slice(at - found.index).match(/^\w*/)[0].length;
        return { from: line.from + found.index, to: position + rest, text: line.text.slice(found.index, at + rest) };
    }
    return null;
}

function values(peek) {
    return hoverTooltip(
        async (view, position) => {
            const name = nameAt(view.state, position);
            const value = name && (await peek(name.text));
            if (!value) return null;
            return {
                pos: name.from,
                end: name.to,
                above: true,
                create: () => ({ dom: make("div", { class: "value", text: `${value.expression} = ${value.value}` }) }),
            };
        },
        { hoverTime: 350 },
    );
}

export class Code {
    // `peek(expression)` gives its value or null; `picked(text)` hears what was selected.
    constructor({ label, peek, picked }) {
        this.file = null;
        this.extensions = [
            lineNumbers(),
            signs,
            marked,
            highlightSpecialChars({ addSpecialChars: TURNING }),
            cpp(),
            syntaxHighlighting(colours),
            search({ top: true }),
            highlightSelectionMatches(),
            keymap.of(searchKeymap),
            values(peek),
            EditorState.readOnly.of(true),
            EditorView.editable.of(false),
            EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
            EditorView.updateListener.of((change) => change.selectionSet && picked(this.selection())),
        ];
        this.view = new EditorView({ state: EditorState.create({ extensions: this.extensions }) });
        new ResizeObserver(() => this.again()).observe(this.view.scrollDOM); // the marked line stays in view
    }

    selection() {
        const { state } = this.view;
        const { from, to } = state.selection.main;
        return state.sliceDoc(from, to).trim();
    }

    show(file, text) {
        if (file === this.file) return;
        this.file = file;
        this.line = 0;
        this.view.setState(EditorState.create({ doc: text, extensions: this.extensions }));
    }

    // Marks a line and brings it into view; null marks none.
    mark(mark) {
        const now = this.view.state.field(marked);
        if (mark?.line !== now?.line || mark?.kind !== now?.kind || mark?.word !== now?.word)
            this.view.dispatch({ effects: setMark.of(mark) });
        if (mark && mark.line !== this.line) this.reveal(mark.line);
        this.line = mark?.line ?? 0;
    }

    // Scrolls this view alone: EditorView.scrollIntoView would scroll all that is around it, too.
    reveal(line) {
        const { view } = this;
        const at = view.state.doc.line(Math.min(line, view.state.doc.lines)).from;
        view.requestMeasure({
            key: "reveal",
            read: () => {
                const block = view.lineBlockAt(at);
                return block.top + block.height / 2 - view.scrollDOM.clientHeight / 2;
            },
            write: (top) => (view.scrollDOM.scrollTop = top),
        });
    }

    // The view was hidden, or its size was unknown, when the line was marked.
    again() {
        if (this.line) this.reveal(this.line);
    }
}
