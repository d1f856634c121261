// What a test driver in JavaScript (Node.js) calls under `verisoft test` (doc/drivers.md): const vs = require('verisoft').
// Without it choices are random, and a check that fails ends the script. SPDX-License-Identifier: MIT
'use strict';
const fs = require('fs');
const path = require('path');

const socket = process.env.VERISOFT_DRIVER === undefined ? null : Number(process.env.VERISOFT_DRIVER);

const escape = text => String(text).replace(/\\/g, '\\\\').replace(/\t/g, '\\t').replace(/\n/g, '\\n');

// The line of the caller of the function that calls this.
function place() {
    const line = (new Error().stack.split('\n')[4] || '').match(/([^/( ]+:\d+):\d+\)?$/);
    return line ? path.basename(line[1]) : '';
}

function request(what, ...fields) {
    let text = Buffer.from([place(), what, ...fields].map(escape).join('\t') + '\n');
    while (text.length)
        text = text.subarray(fs.writeSync(socket, text));
    const reply = Buffer.alloc(64), length = fs.readSync(socket, reply, 0, 64, null);
    if (!length)
        process.exit(125);
    return parseInt(reply.toString('latin1', 0, length), 10);
}

function fails(words) {
    console.error('not so: ' + words);
    process.exit(1);
}

module.exports = {
    toss: most => socket === null ? Math.floor(Math.random() * (most + 1)) : request('toss', most),
    check(holds, words = '') { if (socket !== null) request('check', holds ? 1 : 0, words); else if (!holds) fails(words); },
    assume(holds, words = '') { if (socket !== null) request('assume', holds ? 1 : 0, words); else if (!holds) process.exit(0); },
    step(which = '', words = '') { if (socket !== null) request('step', which, words); },
    wait(name) { if (socket !== null) request('wait', name); },
    signal(name) { if (socket !== null) request('signal', name); },
    answer(words) { if (socket !== null) request('answer', words); return words; },
    say(words) { if (socket !== null) request('print', words); },
};
