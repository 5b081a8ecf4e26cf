// Plays the first legal move and, on request, throws on move 3.
'use strict';
const lines = require('readline').createInterface({ input: process.stdin });
let what = '';
let start = 0;
const cpu = () => { const used = process.cpuUsage(); return used.user + used.system; };
function choose(turn) {
    if (turn.move === 3 && what === 'raise') throw new TypeError('thrown on purpose');
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
