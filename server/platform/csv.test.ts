import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from './csv.ts';

test('every field is quoted, and what a spreadsheet would calculate is text', () => {
  assert.equal(csvLine(['a', 'b "c"', null, 1, -1]), '"a","b ""c""","","1","-1"\r\n');
  assert.equal(csvLine(['=1', '+1', '-1', '@a', '\ta', '\ra', 'a=1', '茶']), `"'=1","'+1","'-1","'@a","'\ta","'\ra","a=1","茶"\r\n`);
});
