import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from './csv.ts';

test('every field is quoted, and what a spreadsheet would calculate is text', () => {
  assert.equal(csvLine(['a', 'b "c"', null, 1, -1]), '"a","b ""c""","","1","-1"\r\n');
  assert.equal(
    csvLine(['=1', '+1', '-1', '@a', '\ta', '\ra', 'a=1', '茶']),
    `"'=1","'+1","'-1","'@a","'\ta","'\ra","a=1","茶"\r\n`,
  );
});

test('full-width signs start a formula too, and so does the first sign after spaces or a line break', () => {
  assert.equal(csvLine(['＝1', '＋1', '－1', '＠a', '茶＝1']), `"'＝1","'＋1","'－1","'＠a","茶＝1"\r\n`);
  assert.equal(csvLine([' =1', '\u3000＝1', '\n=1', '\na']), `"' =1","'\u3000＝1","'\n'=1","'\na"\r\n`);
  assert.equal(
    csvLine(['a\n=1', 'a\r\n＋1', 'a\r-1', 'a\n\tb', 'a\n b']),
    `"a\n'=1","a\r\n'＋1","a\r'-1","a\n'\tb","a\n b"\r\n`,
  );
});
