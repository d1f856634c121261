// States by level and, within a level, from left to right; so those in a box of the plane are found without looking at the
// others.
// SPDX-License-Identifier: MIT

// Only the states that `keep` accepts.
export function levelsKeep({ order, start }, keep) {
    const kept = [];
    const starts = [0];
    for (let level = 0; level + 1 < start.length; level++) {
        for (let i = start[level]; i < start[level + 1]; i++) if (keep(order[i])) kept.push(order[i]);
        starts.push(kept.length);
    }
    return { order: Int32Array.from(kept), start: Int32Array.from(starts) };
}

function firstFrom(order, low, high, x, key) {
    while (low < high) {
        const middle = (low + high) >> 1;
        if (key(order[middle]) < x) low = middle + 1;
        else high = middle;
    }
    return low;
}

// Calls `see` for states in the box, no two of a level closer than `pitch`, and only each `stride`-th level. `left` and `right`
// say how far a state reaches to each side; they grow from left to right as the states do.
export function levelsSee({ order, start }, box, { pitch, stride, left, right }, see) {
    const lowest = Math.min(start.length - 2, Math.ceil(box.bottom));
    let level = Math.max(0, Math.floor(box.top));
    for (level -= level % stride; level <= lowest; level += stride) {
        const end = start[level + 1];
        let i = firstFrom(order, start[level], end, box.left, right);
        while (i < end && left(order[i]) <= box.right) {
            const state = order[i];
            see(state);
            i = pitch > 0 ? firstFrom(order, i + 1, end, right(state) + pitch, right) : i + 1;
        }
    }
}

// The state nearest to x on a level, or -1.
export function levelsNearest({ order, start }, level, x, place) {
    if (level < 0 || level + 1 >= start.length || start[level] === start[level + 1]) return -1;
    const i = firstFrom(order, start[level], start[level + 1], x, (state) => place[state]);
    const after = Math.min(i, start[level + 1] - 1);
    const before = Math.max(after - 1, start[level]);
    return x - place[order[before]] < place[order[after]] - x ? order[before] : order[after];
}
