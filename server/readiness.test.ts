import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeBytesLow, freeBytesMin, judgeReadiness, type ReadinessFacts } from './readiness.ts';

const server = {
  timeline: 1,
  version: '18.4',
  migration: 7,
  needsStandby: false,
  standbyWaitSeconds: 0,
  isArchivingFailing: null,
  standbys: null,
};
const well: ReadinessFacts = {
  server,
  isInDoubt: false,
  longestCommitSeconds: 0,
  secondsSinceFullDisk: Number.POSITIVE_INFINITY,
  freeBytes: null,
  replicaTrouble: null,
  archiveTrouble: null,
  migration: 7,
};
const replicated = { ...server, needsStandby: true, standbys: { synchronous: 1, lagBytes: 0, lagSeconds: 0 } };
const alone = { ...replicated, standbys: { synchronous: 0, lagBytes: null, lagSeconds: null } };

const lacking = 'database: it lacks migrations of this version; run "lading migrate"';
const noStandby = 'database: no synchronous standby is connected, so commits wait';
const waiting = 'database: commits wait for the synchronous standby';
const unknown = 'database: the outcome of the last commit is unknown';

test('each reason against readiness is given once, and only if it applies', () => {
  const cases: [facts: Partial<ReadinessFacts>, reasons: string[]][] = [
    [{}, []],
    [
      { server: { outage: 'ECONNREFUSED: the database is out of reach' } },
      ['database: ECONNREFUSED: the database is out of reach'],
    ],
    [{ server: { ...server, migration: 6 } }, [lacking]],
    [{ server: replicated }, []],
    [{ server: { ...replicated, standbys: null } }, []],
    [{ server: alone }, [noStandby]],
    [{ server: { ...alone, needsStandby: false } }, []],
    [{ server: { ...replicated, standbyWaitSeconds: 2.9 }, longestCommitSeconds: 2.9 }, []],
    [{ server: { ...replicated, standbyWaitSeconds: 3.1 } }, [waiting]],
    [{ server: replicated, longestCommitSeconds: 3.1 }, [waiting]],
    [{ server: { ...alone, standbyWaitSeconds: 3.1 }, isInDoubt: true }, [noStandby]],
    [{ longestCommitSeconds: 3.1 }, ['database: commits take longer than 3 s']],
    [{ isInDoubt: true }, [unknown]],
    [{ server: { ...replicated, standbyWaitSeconds: 3.1 }, isInDoubt: true }, [waiting]],
    [{ secondsSinceFullDisk: 9 }, ['database: its disk is full']],
    [{ secondsSinceFullDisk: 11 }, []],
    [{ freeBytes: freeBytesMin - 1 }, ['disk: less than 100 MiB are free for DATA_DIR']],
    [{ freeBytes: freeBytesMin }, []],
  ];
  for (const [facts, reasons] of cases)
    assert.deepEqual(judgeReadiness({ ...well, ...facts }).reasons, reasons, JSON.stringify(facts));
});

test('little space and a newer database are warnings: requests still succeed', () => {
  const warningsOf = (facts: Partial<ReadinessFacts>) => judgeReadiness({ ...well, ...facts }).warnings;
  assert.deepEqual(warningsOf({}), []);
  assert.deepEqual(warningsOf({ freeBytes: freeBytesLow }), []);
  assert.deepEqual(warningsOf({ freeBytes: freeBytesLow - 1 }), ['disk: less than 1 GiB is free for DATA_DIR']);
  assert.deepEqual(warningsOf({ freeBytes: freeBytesMin - 1 }), []);
  assert.deepEqual(warningsOf({ archiveTrouble: 'backup: nothing is archived' }), ['backup: nothing is archived']);
  assert.deepEqual(warningsOf({ server: { ...server, migration: 8 } }), [
    'database: a newer version of Lading has migrated it; update this node',
  ]);
});
