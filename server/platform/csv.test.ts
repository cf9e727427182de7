import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine, readCsv } from './csv.ts';

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

/** The rows as `line: field|field`. */
function linesOf(text: string): string[] {
  const reading = readCsv(text);
  return reading.kind === 'rows'
    ? reading.rows.map(({ line, fields }) => `${line}: ${fields.join('|')}`)
    : [`${reading.kind} ${reading.line}`];
}

test('rows are read with commas, semicolons or tabs, and know their lines; empty lines are left out', () => {
  assert.deepEqual(linesOf('a,b\n1,2\n'), ['1: a|b', '2: 1|2']);
  assert.deepEqual(linesOf('\uFEFFa;b\r\n1,5;2'), ['1: a|b', '2: 1,5|2']);
  assert.deepEqual(linesOf('a\tb\n\n , \t\n1\t2;3\n\n'), ['1: a|b', '3: ,|', '4: 1|2;3']);
  assert.deepEqual(linesOf('a,b\n,\n1,\n2'), ['1: a|b', '3: 1|', '4: 2']);
  assert.deepEqual(linesOf(''), []);
});

test('a quoted field may have separators, quotes and line breaks; what we write is read back', () => {
  assert.deepEqual(linesOf('a,b\n"1,""x""\r\ny",2\n3,4'), ['1: a|b', '2: 1,"x"\r\ny|2', '4: 3|4']);
  assert.deepEqual(linesOf(csvLine(['a "b"', 1, null, '茶'])), ['1: a "b"|1||茶']);
  assert.deepEqual(linesOf('a,b\n5" pipe,2'), ['1: a|b', '2: 5" pipe|2']);
  assert.deepEqual(linesOf('a,b\n1,2\n"3,4\n5,6'), ['open_quote 3']);
  assert.deepEqual(linesOf('a,b\n"1"x,2'), ['open_quote 2']);
});
