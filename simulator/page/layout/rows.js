// Rows of the trace, from top to bottom: row 0 is the initial state, row K the transition that leads to position K, with its
// notes below.
// SPDX-License-Identifier: MIT

export function rowLayout(events, height, noteHeight) {
    const top = new Float64Array(events.length + 2);
    top[1] = height;
    events.forEach((event, i) => {
        top[i + 2] = top[i + 1] + height + (event.notes?.length ?? 0) * noteHeight;
    });
    return { top, count: events.length + 1, height, total: top[events.length + 1] };
}

// The row at this height: the last one that begins above it.
export function rowAt(rows, y) {
    let low = 0;
    let high = rows.count - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (rows.top[middle] <= y) low = middle;
        else high = middle - 1;
    }
    return low;
}
