import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseRecord, refusalOf } from './database-record.ts';

const server = (timeline: number, systemIdentifier = '7001') => ({
  systemIdentifier,
  timeline,
  isStandby: false,
  isStalled: false,
});

function open(record: DatabaseRecord, identity: ReturnType<typeof server>, purpose = 'requests') {
  const connection = {
    identity,
    purpose,
    isOpen: true,
    destroy() {
      connection.isOpen = false;
      record.closed(connection);
    },
  };
  record.opened(connection);
  return connection;
}

test('a server is refused if it is a standby, of another cluster, or older than one that has committed', () => {
  const codeOf = (...args: Parameters<typeof refusalOf>) => refusalOf(...args)?.code ?? null;
  assert.equal(codeOf({ ...server(3), isStandby: true }, null), 'STANDBY');
  assert.equal(codeOf(server(1), null), null);
  assert.equal(codeOf(server(2), server(2)), null);
  assert.equal(codeOf(server(3), server(2)), null);
  assert.equal(codeOf(server(1), server(2)), 'OLD_TIMELINE');
  assert.equal(codeOf(server(3, '7002'), server(2)), 'OTHER_CLUSTER');
  assert.equal(codeOf({ ...server(2), isStalled: true }, null), 'STALLED');
  assert.equal(codeOf({ ...server(2), isStalled: true }, server(2)), 'STALLED');
});

test('only a commit that succeeded makes older servers unusable', () => {
  const record = new DatabaseRecord();
  const newer = open(record, server(2));
  record.commitSent(newer).ended('failed');
  record.commitSent(newer).ended('in_doubt');
  assert.equal(record.refusalOf(server(1)), null);
  record.commitSent(newer).ended('committed');
  assert.equal(record.refusalOf(server(1))?.code, 'OLD_TIMELINE');
  record.commitSent(open(record, server(1))).ended('committed');
  assert.equal(record.refusalOf(server(1))?.code, 'OLD_TIMELINE');
  assert.deepEqual(record.commits, { committed: 2, in_doubt: 1, failed: 1 });
});

test('connections to older servers of the same cluster are closed when a newer one is seen', () => {
  const record = new DatabaseRecord();
  const [old, other] = [open(record, server(1)), open(record, server(1, '7002'))];
  assert.equal(record.timeline(), 1);
  const [newer, listener] = [open(record, server(2)), open(record, server(2), 'listen')];
  assert.deepEqual(
    [old, other, newer, listener].map(({ isOpen }) => isOpen),
    [false, true, true, true],
  );
  assert.deepEqual(Object.fromEntries(record.connectionsByPurpose()), { requests: 2, listen: 1 });
  assert.equal(record.timeline(), 2);
  assert.equal(record.generation, 1);
  open(record, server(1));
  open(record, server(2));
  assert.equal(record.generation, 1);
});

test('a doubt lasts until a commit is confirmed', () => {
  const record = new DatabaseRecord();
  const connection = open(record, server(1));
  assert.equal(record.isInDoubt(), false);
  const pending = record.commitSent(connection);
  assert.ok(record.longestPendingSeconds() > 0);
  pending.ended('in_doubt');
  assert.equal(record.longestPendingSeconds(), 0);
  assert.equal(record.isInDoubt(), true);
  record.commitSent(connection).ended('committed');
  assert.equal(record.isInDoubt(), false);
});
