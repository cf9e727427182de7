import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLogLine } from './readable-log.ts';

test('a log line for a terminal has the time in Taipei, the level, the message, and the other fields behind it', () => {
  const line = {
    level: 'warn',
    time: '2026-11-18T17:28:23.123Z',
    warehouse: 3,
    url: 'a b',
    parts: [1],
    msg: 'It failed',
  };
  assert.equal(formatLogLine(JSON.stringify(line)), '01:28:23 warn  It failed warehouse=3 url="a b" parts=[1]\n');
  const failed = {
    level: 'error',
    time: '2026-11-18T17:28:23Z',
    error: 'Error: x',
    stack: ['at one', 'at two'],
    msg: 'x',
  };
  assert.equal(
    formatLogLine(JSON.stringify(failed)),
    '01:28:23 error x error="Error: x"\n         at one\n         at two\n',
  );
});
