// A tall list of which only the rows on the screen exist: the red bar at the position, the bar that follows the mouse in move
// mode, and clicks that move. What the rows look like is up to `render(first, last)`.
// SPDX-License-Identifier: MIT
import { moveTo } from "../model/moves.js";
import { rowAt } from "../layout/rows.js";
import { store } from "../model/store.js";
import { make } from "../../../web/page/element.js";

const MARGIN = 4; // rows drawn beyond each edge

export class Scroller {
    // `measure` makes the space as wide as it has to be; `across` gives from where to where the position is sideways, or null.
    constructor({ label, render, head, measure = () => {}, across = () => null }) {
        Object.assign(this, { render, measure, across });
        this.rows = null;
        this.ghostRow = null;
        this.layer = make("div", { class: "layer" });
        this.bar = make("div", { class: "bar", role: "separator", "aria-label": "current position" });
        this.ghost = make("div", { class: "bar ghost", hidden: true });
        this.space = make("div", { class: "space" }, this.layer, this.ghost, this.bar);
        this.element = make(
            "div",
            { class: "scroller", tabindex: "0", role: "group", "aria-label": label },
            head ?? null,
            this.space,
        );
        this.element.addEventListener("scroll", () => this.soon());
        this.space.addEventListener("click", (event) => this.click(event));
        this.space.addEventListener("mousemove", (event) => this.moving && this.setGhost(this.rowOf(event)));
        new ResizeObserver(() => this.follow()).observe(this.element);
    }

    soon() {
        this.frame ||= requestAnimationFrame(() => {
            this.frame = 0;
            this.draw();
        });
    }

    headHeight() {
        return this.space.offsetTop;
    }

    setRows(rows) {
        this.rows = rows;
        this.space.style.height = `${rows.total + 8}px`;
    }

    draw() {
        if (!this.rows || !this.element.offsetParent) return;
        this.measure();
        const top = this.element.scrollTop;
        const bottom = top + this.element.clientHeight;
        const first = Math.max(0, rowAt(this.rows, top) - MARGIN);
        const last = Math.min(this.rows.count - 1, rowAt(this.rows, bottom) + MARGIN);
        this.layer.replaceChildren(...this.render(first, last));
        this.bar.style.transform = `translateY(${this.barAt(store.where.position)}px)`;
    }

    barAt(position) {
        return this.rows.top[position + 1] - 1;
    }

    // Keeps the position and a few rows around it on the screen; of a row taller than that, its end with the bar.
    follow() {
        if (!this.rows || !this.element.offsetParent) return;
        this.measure();
        const { element, rows } = this;
        const view = element.clientHeight - this.headHeight();
        const room = Math.min(3 * rows.height, view / 4);
        const [top, bar] = [rows.top[store.where.position], this.barAt(store.where.position)];
        if (top - room < element.scrollTop) element.scrollTop = Math.max(0, top - room);
        if (bar + room > element.scrollTop + view) element.scrollTop = bar + room - view;
        this.followAcross();
        this.draw();
    }

    followAcross() {
        const { element } = this;
        const span = this.across();
        if (!span) return;
        const [left, right] = span;
        if (right > element.scrollLeft + element.clientWidth) element.scrollLeft = right - element.clientWidth;
        if (left < element.scrollLeft) element.scrollLeft = left;
    }

    rowOf(event) {
        return rowAt(this.rows, event.clientY - this.space.getBoundingClientRect().top);
    }

    click(event) {
        if (getSelection().toString()) return;
        const to = this.rowOf(event);
        this.onmoved?.();
        moveTo(to);
    }

    // Move mode: the bar follows the mouse, or the arrow keys.
    setMoving(on) {
        this.moving = on;
        this.element.toggleAttribute("data-moving", on);
        this.setGhost(on ? store.where.position : null);
    }

    setGhost(row) {
        this.ghostRow = row === null ? null : Math.max(0, Math.min(row, this.rows.count - 1));
        this.ghost.hidden = row === null;
        if (row !== null) this.ghost.style.transform = `translateY(${this.barAt(this.ghostRow)}px)`;
    }
}
