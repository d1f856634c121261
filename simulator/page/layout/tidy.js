// Tidy trees in linear time: parents centred above their children, subtrees as close as they can be.
// After Buchheim, Jünger and Leipert, "Improving Walker's algorithm to run in linear time" (2002), without recursion.
// SPDX-License-Identifier: MIT

const NONE = -1;

// `order` has parents before children; the children of a node follow each other from `first` by `next`. Gives x of each node.
export function tidy({ count, order, parent, first, last, next, rank }) {
    const place = new Float64Array(count); // relative to the parent's shift
    const shift = new Float64Array(count); // of all below
    const change = new Float64Array(count);
    const pushed = new Float64Array(count);
    const middle = new Float64Array(count); // of its children
    const thread = new Int32Array(count).fill(NONE);
    const ancestor = Int32Array.from({ length: count }, (_, v) => v);
    const left = (v) => (first[v] === NONE ? thread[v] : first[v]);
    const right = (v) => (last[v] === NONE ? thread[v] : last[v]);

    function moveSubtree(from, to, by) {
        const each = by / (rank[to] - rank[from]);
        change[to] -= each;
        pushed[to] += by;
        change[from] += each;
        place[to] += by;
        shift[to] += by;
    }

    function spread(v) {
        let moved = 0;
        let changed = 0;
        const children = [];
        for (let c = first[v]; c !== NONE; c = next[c]) children.push(c);
        for (const c of children.reverse()) {
            place[c] += moved;
            shift[c] += moved;
            changed += change[c];
            moved += pushed[c] + changed;
        }
    }

    // Puts the subtree of v to the right of its elder siblings'; `before` is the one next to it.
    function apportion(v, before, eldest, contour) {
        let innerRight = v,
            outerRight = v,
            innerLeft = before,
            outerLeft = eldest;
        let sInnerRight = shift[v],
            sOuterRight = shift[v],
            sInnerLeft = shift[before],
            sOuterLeft = shift[eldest];
        for (;;) {
            innerLeft = right(innerLeft);
            innerRight = left(innerRight);
            if (innerLeft === NONE || innerRight === NONE) break;
            outerLeft = left(outerLeft);
            outerRight = right(outerRight);
            ancestor[outerRight] = v;
            const gap = place[innerLeft] + sInnerLeft - place[innerRight] - sInnerRight + 1;
            if (gap > 0) {
                moveSubtree(parent[ancestor[innerLeft]] === parent[v] ? ancestor[innerLeft] : contour, v, gap);
                sInnerRight += gap;
                sOuterRight += gap;
            }
            sInnerLeft += shift[innerLeft];
            sInnerRight += shift[innerRight];
            sOuterLeft += shift[outerLeft];
            sOuterRight += shift[outerRight];
        }
        if (innerLeft !== NONE && right(outerRight) === NONE) {
            thread[outerRight] = innerLeft;
            shift[outerRight] += sInnerLeft - sOuterRight;
        }
        if (innerRight !== NONE && left(outerLeft) === NONE) {
            thread[outerLeft] = innerRight;
            shift[outerLeft] += sInnerRight - sOuterLeft;
            return v;
        }
        return contour;
    }

    function placeChildren(v) {
        let before = NONE;
        let contour = first[v];
        for (let c = first[v]; c !== NONE; before = c, c = next[c]) {
            place[c] = before === NONE ? middle[c] : place[before] + 1;
            if (before !== NONE) {
                shift[c] = first[c] === NONE ? 0 : place[c] - middle[c];
                contour = apportion(c, before, first[v], contour);
            }
        }
        spread(v);
        middle[v] = (place[first[v]] + place[last[v]]) / 2;
    }

    for (let i = count - 1; i >= 0; i--) if (first[order[i]] !== NONE) placeChildren(order[i]);
    const x = new Float64Array(count);
    for (const v of order) {
        if (parent[v] === NONE) x[v] = middle[v];
        else {
            x[v] = place[v] + shift[parent[v]];
            shift[v] += shift[parent[v]];
        }
    }
    return x;
}
