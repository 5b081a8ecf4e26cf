// Plays the first legal move and, on request, misbehaves on move 3.
'use strict';
const lines = require('readline').createInterface({ input: process.stdin });
let what = '';
let start = 0;
const cpu = () => { const used = process.cpuUsage(); return used.user + used.system; };
function misbehave() {
    if (what === 'raise') throw new TypeError('thrown on purpose');
    if (what === 'fork') {
        const { error } = require('child_process').spawnSync(process.execPath, ['-v']);
        if (error) throw error;
    }
    if (what === 'write') require('fs').writeFileSync('/dev/shm/written', 'x');
    if (what === 'connect') require('net').connect(9, '127.0.0.1');
    if (what === 'read-rival') require('fs').readFileSync(`${__dirname}/rival.py`);
}
function choose(turn) {
    if (turn.move === 3) misbehave();
    while (what === 'think' && cpu() - start < turn.time_us * 0.8);
    return turn.legal[0];
}
lines.on('line', line => {
    const space = line.indexOf(' ');
    const [word, rest] = space < 0 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)];
    if (word === 'arena') {
        const params = { type: 'object', properties: { what: { type: 'string', default: '', description: 'what it does wrong' } } };
        console.log('agent ' + JSON.stringify({ name: 'plays', version: '1.0.0', honours: ['time'], params }));
    } else if (word === 'new') {
        what = JSON.parse(rest).params.what ?? '';
        console.log('ready');
        start = cpu();
    } else if (word === 'turn') {
        console.log('move ' + choose(JSON.parse(rest)));
        start = cpu();
    } else {
        process.exit(0);
    }
});
