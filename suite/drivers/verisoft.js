// What a test driver in JavaScript (Node.js) calls under `verisoft test` (doc/drivers.md): const vs = require('verisoft').
// Without it choices are random, and a check that fails ends the script. SPDX-License-Identifier: MIT
'use strict';
const fs = require('fs');
const path = require('path');

const socket = process.env.VERISOFT_DRIVER === undefined ? null : Number(process.env.VERISOFT_DRIVER);

const escape = text => String(text).replace(/\\/g, '\\\\').replace(/\t/g, '\\t').replace(/\n/g, '\\n');

const unescape = text => text.replace(/\\(.)/g, (all, c) => c === 't' ? '\t' : c === 'n' ? '\n' : c);

// The line of the caller of the function that calls this.
function place() {
    const line = (new Error().stack.split('\n')[4] || '').match(/([^/( ]+:\d+):\d+\)?$/);
    return line ? path.basename(line[1]) : '';
}

function request(what, ...fields) {
    let text = Buffer.from([place(), what, ...fields].map(escape).join('\t') + '\n');
    while (text.length)
        text = text.subarray(fs.writeSync(socket, text));
    const part = Buffer.alloc(65536), parts = [];
    for (let last = 0; last !== 10; last = parts[parts.length - 1].at(-1)) {
        const length = fs.readSync(socket, part, 0, part.length, null);
        if (!length)
            process.exit(125);
        parts.push(Buffer.from(part.subarray(0, length)));
    }
    return Buffer.concat(parts).toString().slice(0, -1);
}

function fails(words) {
    console.error('not so: ' + words);
    process.exit(1);
}

module.exports = {
    toss: most => socket === null ? Math.floor(Math.random() * (most + 1)) : Number(request('toss', most)),
    check(holds, words = '') { if (socket !== null) request('check', holds ? 1 : 0, words); else if (!holds) fails(words); },
    assume(holds, words = '') { if (socket !== null) request('assume', holds ? 1 : 0, words); else if (!holds) process.exit(0); },
    step(which = '', words = '') { if (socket !== null) request('step', which, words); },
    look(which = '', words = '') { if (socket !== null) request('look', which, words); },
    send(queue, message) { if (socket !== null) request('send', queue, message); },
    receive: queue => socket === null ? '' : unescape(request('receive', queue)),
    event(name, operation, words = '') { if (socket !== null) request('event', name, operation, words); },
    wait(name) { if (socket !== null) request('wait', name); },
    signal(name) { if (socket !== null) request('signal', name); },
    answer(words) { if (socket !== null) request('answer', words); return words; },
    say(words) { if (socket !== null) request('print', words); },
};
