import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { listBackups, writeManifest, writeVerification } from './manifest.ts';
import { parseMoment } from './moment.ts';
import { planRetention, removeLeftovers, removeOldBackups } from './retention.ts';
import { sealKeys, unsealKeys } from './sealed-keys.ts';
import { isOlderThan, newestTimelineAfter, parseHistory, segmentsOf } from './wal-segment.ts';

const folder = mkdtempSync(join(tmpdir(), 'lading-backups-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('the files of the log between two positions are those with any byte in between', () => {
  const segmentBytes = 16 * 1_048_576;
  const names = (start: string, end: string) => segmentsOf({ timeline: 1, start, end, segmentBytes });
  assert.deepEqual(names('0/2000028', '0/2000120'), ['000000010000000000000002']);
  assert.deepEqual(names('0/2000028', '0/3000000'), ['000000010000000000000002']);
  assert.deepEqual(names('0/FE000028', '1/1'), [
    '0000000100000000000000FE',
    '0000000100000000000000FF',
    '000000010000000100000000',
  ]);
});

test('a file of the archive is old if it is before a segment on any timeline; histories are never old', () => {
  const segment = '000000020000000000000010';
  assert.equal(isOlderThan('00000001000000000000000F', segment), true);
  assert.equal(isOlderThan('00000001000000000000000F.00000028.backup', segment), true);
  for (const name of ['000000010000000000000010', '000000020000000000000010', '00000002.history', 'notes.txt'])
    assert.equal(isOlderThan(name, segment), false, name);
});

test('a backup is continued by the newest timeline that branched off after its end', () => {
  const histories = new Map([
    [2, parseHistory('1\t0/5000000\tat 2026-11-18\n')],
    [3, parseHistory('1\t0/9000000\tafter\n')],
    [4, parseHistory('1\t0/5000000\tbefore\n2\t0/7000000\tafter\n')],
  ]);
  assert.equal(newestTimelineAfter({ timeline: 1, end: '0/6000000' }, histories), 3);
  assert.equal(newestTimelineAfter({ timeline: 1, end: '0/4000000' }, histories), 4);
  assert.equal(newestTimelineAfter({ timeline: 1, end: '0/A000000' }, histories), 1);
});

test('a moment has an offset or is in Taipei, is exact to the microsecond, and must exist', () => {
  assert.equal(parseMoment('2026-11-18T12:00:00.000001+08:00')!.text, '2026-11-18 12:00:00.000001+08:00');
  const noon = 1_794_974_400_000_000n;
  for (const same of ['2026-11-18 12:00:00', '2026-11-18T04:00:00Z', '2026-11-18t13:00:00+09:00'])
    assert.equal(parseMoment(same)!.micros, noon, same);
  for (const wrong of ['noon', '2026-11-18', '2026-02-30 12:00:00', '2026-11-18 25:00:00', '2026-11-18 12:00'])
    assert.equal(parseMoment(wrong), undefined, wrong);
});

test('the passphrase opens sealed keys, and a changed byte is noticed', async () => {
  const keys = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const sealed = await sealKeys(keys, 'correct horse battery');
  assert.deepEqual(await unsealKeys(sealed, 'correct horse battery'), keys);
  const changed = Buffer.from(sealed.sealed, 'base64');
  changed[0]! ^= 1;
  assert.equal(await unsealKeys({ ...sealed, sealed: changed.toString('base64') }, 'correct horse battery'), null);
});

test('the newest verified backups stay, and as many of the newest of all', () => {
  const plan = (states: string, keep: number) => {
    const backups = [...states].map((state, age) => ({ age, isVerified: state === 'v' }));
    return planRetention(backups, keep).map(({ age }) => age);
  };
  assert.deepEqual(plan('vvvv', 2), [2, 3]);
  assert.deepEqual(plan('vvvv', 7), []);
  assert.deepEqual(plan('xxxxv', 1), [1, 2, 3]);
  assert.deepEqual(plan('xvxvxv', 2), [2, 4, 5]);
  assert.deepEqual(plan('xxx', 1), [1, 2]);
});

const systemIdentifier = '7709318015622755554';

/** A backup without a database in it. */
function fakeBackup(day: number, { segment, system = systemIdentifier }: { segment: number; system?: string }): string {
  const name = `202611${String(day).padStart(2, '0')}T000000Z`;
  mkdirSync(join(folder, name));
  const at = `2026-11-${String(day).padStart(2, '0')}T00:00:00.000000Z`;
  const first_segment = `0000000100000000000000${segment.toString(16).toUpperCase().padStart(2, '0')}`;
  const positions = {
    timeline: 1,
    segment_bytes: 16_777_216,
    start_position: '0/1',
    end_position: '0/2',
    first_segment,
  };
  const facts = { name, lading_version: '0.1.0', postgres_version: '18.4', system_identifier: system, bytes: 0 };
  const master_key = { kind: 'excluded' as const, key_id: '0' };
  const manifest = writeManifest(
    join(folder, name),
    { ...facts, ...positions, started_at: at, ended_at: at, master_key },
    [],
    null,
  );
  writeVerification(join(folder, name), manifest, { state: 'verified', at, details: '' }, null);
  return name;
}

test('retention removes old backups of this cluster and the log before the oldest that stays, and nothing else', async () => {
  const names = [1, 2, 3].map((day) => fakeBackup(day, { segment: 0x10 + day }));
  const stranger = fakeBackup(4, { segment: 1, system: '1' });
  mkdirSync(join(folder, '20261105T000000Z'));
  mkdirSync(join(folder, `.unfinished-${systemIdentifier}-1-1`));
  mkdirSync(join(folder, 'wal'));
  const archived = ['11', '12', '13'].map((end) => `0000000100000000000000${end}`);
  for (const name of [...archived, '00000002.history']) writeFileSync(join(folder, 'wal', name), '');

  assert.deepEqual(await removeOldBackups(folder, systemIdentifier, 2), { backups: 1, segments: 1 });
  await removeLeftovers(folder, systemIdentifier, () => {});

  assert.deepEqual(
    (await listBackups(folder)).map(({ manifest, isVerified }) => [manifest.name, isVerified]),
    [stranger, names[2], names[1]].map((name) => [name, true]),
  );
  assert.deepEqual(readdirSync(join(folder, 'wal')).toSorted(), ['00000002.history', ...archived.slice(1)].toSorted());
  // Half a backup, which has no manifest, is no backup, and not ours to remove.
  assert.equal(existsSync(join(folder, '20261105T000000Z')), true);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('.')),
    [],
  );
});
