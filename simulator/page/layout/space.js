// The layout of a state space: a state stands at the level of its distance from the initial state, below the state from which
// it was first reached. The transitions that reach it first form a tree, which is drawn tidily; the others are drawn when an
// end is on the screen.
// SPDX-License-Identifier: MIT
import { tidy } from "./tidy.js";

const NONE = -1;

// For each state the numbers of its transitions, one after the other: those of s are list[start[s]] to list[start[s + 1] - 1].
function grouped(states, ends) {
    const start = new Int32Array(states + 1);
    for (const end of ends) start[end + 1]++;
    for (let s = 0; s < states; s++) start[s + 1] += start[s];
    const fill = start.slice();
    const list = new Int32Array(ends.length);
    ends.forEach((end, t) => (list[fill[end]++] = t));
    return { start, list };
}

// Where walks begin: state 0, states that nothing leads to, and one of each cycle that nothing else leads to.
function rootsOf(states, out, to) {
    const entered = new Uint8Array(states);
    const reached = new Uint8Array(states);
    const roots = [];
    const begin = (root) => {
        const stack = [root];
        roots.push(root);
        reached[root] = 1;
        while (stack.length) {
            const state = stack.pop();
            for (let k = out.start[state]; k < out.start[state + 1]; k++) {
                const next = to[out.list[k]];
                if (!reached[next]) stack.push(next);
                reached[next] = 1;
            }
        }
    };
    for (const state of to) entered[state] = 1;
    begin(0);
    for (const known of [entered, reached]) for (let s = 0; s < states; s++) if (!known[s] && !reached[s]) begin(s);
    return roots;
}

// Breadth first from the roots, under one root more, which is state number `states` and is not drawn.
function spanning(states, from, to) {
    const count = states + 1;
    const out = grouped(states, from);
    const tree = {
        count,
        order: new Int32Array(count),
        depth: new Int32Array(count).fill(NONE),
        parent: new Int32Array(count).fill(NONE),
        by: new Int32Array(count).fill(NONE),
        first: new Int32Array(count).fill(NONE),
        last: new Int32Array(count).fill(NONE),
        next: new Int32Array(count).fill(NONE),
        rank: new Int32Array(count),
    };
    let end = 0;
    const add = (state, parent, by) => {
        tree.depth[state] = tree.depth[parent] + 1;
        tree.parent[state] = parent;
        tree.by[state] = by;
        if (tree.last[parent] === NONE) tree.first[parent] = state;
        else {
            tree.next[tree.last[parent]] = state;
            tree.rank[state] = tree.rank[tree.last[parent]] + 1;
        }
        tree.last[parent] = state;
        tree.order[end++] = state;
    };
    tree.order[end++] = states;
    for (const root of rootsOf(states, out, to)) add(root, states, NONE);
    for (let i = 1; i < end; i++)
        for (let k = out.start[tree.order[i]]; k < out.start[tree.order[i] + 1]; k++)
            if (tree.depth[to[out.list[k]]] === NONE) add(to[out.list[k]], tree.order[i], out.list[k]);
    return { tree, out };
}

function levelsOf(order, depth) {
    const start = [0];
    order.forEach((state, i) => {
        while (start.length <= depth[state]) start.push(i);
    });
    start.push(order.length);
    return Int32Array.from(start);
}

// Transitions that are not in the tree, for each of their ends.
function others(states, from, to, by) {
    const inTree = new Uint8Array(from.length);
    for (const t of by) if (t !== NONE) inTree[t] = 1;
    const transition = [];
    const end = [];
    for (let t = 0; t < from.length; t++) {
        if (inTree[t]) continue;
        transition.push(t);
        end.push(from[t]);
        if (from[t] !== to[t]) {
            transition.push(t);
            end.push(to[t]);
        }
    }
    const { start, list } = grouped(states, end);
    return { start, list: list.map((i) => transition[i]) };
}

export function spaceLayout({ states, from, to }) {
    const { tree, out } = spanning(states, from, to);
    const x = tidy(tree).subarray(0, states);
    const order = tree.order.slice(1);
    const depth = tree.depth.subarray(0, states);
    let low = Infinity,
        high = -Infinity;
    for (const at of x) {
        low = Math.min(low, at);
        high = Math.max(high, at);
    }
    return {
        x: x.map((at) => at - low),
        depth,
        width: high - low,
        order,
        start: levelsOf(order, depth),
        parent: tree.parent.subarray(0, states).map((p) => (p === states ? NONE : p)),
        by: tree.by.subarray(0, states),
        out,
        others: others(states, from, to, tree.by),
    };
}
