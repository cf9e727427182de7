import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttentionKind } from '../overview/attention-kinds.ts';
import { nextAttemptAt } from './alert-message.ts';
import { type AlertRule, isQuietFor, kindsOf } from './alert-rule.ts';
import type { AlertState } from './alert-state.ts';
import { decide } from './evaluate-alerts.ts';

const waiting = 'orders_awaiting_stock';
const rule: AlertRule = {
  alertRuleId: 1,
  name: 'night shift',
  enabled: true,
  language: 'en',
  kinds: null,
  scope: { accountNos: null, warehouseNos: null },
  minCount: 3,
  minMinutes: 10,
  repeatHours: 4,
  notifyResolved: true,
  emails: ['ops@mail.example'],
  webhookUrl: null,
  quiet: null,
  urgentIgnoresQuiet: true,
};
const begin = Date.parse('2026-11-16T12:00:00+08:00');
const minuteMs = 60_000;

/** Looks at one kind at minutes after the begin, and returns what each look says. */
function looks(own: Partial<AlertRule>, counts: [minute: number, count: number][], kind: AttentionKind = waiting) {
  let states: AlertState[] = [];
  return counts.map(([minute, count]) => {
    const severity = count === 0 ? ('fine' as const) : ('warning' as const);
    const item = { kind, severity, count, isMore: false, since: null, examples: [] };
    const decided = decide({ ...rule, ...own }, states, [item], new Date(begin + minute * minuteMs));
    states = decided.states;
    const [said] = [...decided.alert, ...decided.summary];
    return said === undefined ? '-' : `${said.event} ${said.count}`;
  });
}

test('a condition is sent when its count has reached the threshold for long enough, and not before', () => {
  assert.deepEqual(
    looks({}, [
      [0, 2],
      [1, 3],
      [10, 3],
      [11, 4],
      [12, 4],
    ]),
    ['-', '-', '-', 'raised 4', '-'],
  );
  assert.deepEqual(
    looks({}, [
      [0, 3],
      [9, 2],
      [10, 3],
      [19, 3],
      [20, 3],
    ]),
    ['-', '-', '-', '-', 'raised 3'],
  );
  assert.deepEqual(looks({ minMinutes: 0, minCount: 1 }, [[0, 1]]), ['raised 1']);
});

test('it is sent again after the interval, or earlier if the count has doubled', () => {
  assert.deepEqual(
    looks({ minMinutes: 0 }, [
      [0, 5],
      [60, 9],
      [61, 10],
      [62, 12],
      [300, 12],
      [301, 12],
      [302, 12],
    ]),
    ['raised 5', '-', 'grown 10', '-', '-', 'repeated 12', '-'],
  );
});

test('its end is sent once it has lasted for five minutes, and a new begin is news again', () => {
  const counts: [number, number][] = [
    [0, 5],
    [10, 0],
    [14, 0],
    [14.9, 5],
    [20, 0],
    [24, 0],
    [25, 0],
    [26, 0],
    [30, 4],
  ];
  assert.deepEqual(looks({ minMinutes: 0 }, counts), [
    'raised 5',
    '-',
    '-',
    '-',
    '-',
    '-',
    'resolved 0',
    '-',
    'raised 4',
  ]);
  assert.deepEqual(
    looks({ minMinutes: 5 }, [
      [0, 5],
      [1, 0],
      [30, 0],
    ]),
    ['-', '-', '-'],
  );
});

test('without messages about the end, the same condition is not sent again within the interval', () => {
  assert.deepEqual(
    looks({ minMinutes: 0, notifyResolved: false }, [
      [0, 5],
      [10, 0],
      [30, 0],
      [60, 5],
      [120, 0],
      [240, 0],
      [250, 5],
    ]),
    ['raised 5', '-', '-', '-', '-', '-', 'raised 5'],
  );
});

const nights = { from: 22 * 60, to: 7 * 60, days: [1, 2, 3, 4, 5] };
const at = (text: string) => new Date(`${text}:00+08:00`);

test('quiet hours belong to the day on which they begin, in Taipei, also over midnight', () => {
  const isQuiet = (text: string, quiet = nights) => isQuietFor({ quiet, urgentIgnoresQuiet: false }, at(text));
  // 2026-11-16 is a Monday.
  for (const [text, expected] of [
    ['2026-11-16T06:59', false],
    ['2026-11-16T21:59', false],
    ['2026-11-16T22:00', true],
    ['2026-11-17T06:59', true],
    ['2026-11-17T07:00', false],
    ['2026-11-20T23:00', true],
    ['2026-11-21T06:59', true],
    ['2026-11-21T22:00', false],
    ['2026-11-22T23:59', false],
  ] as const)
    assert.equal(isQuiet(text), expected, text);
  const lunch = { from: 12 * 60, to: 13 * 60, days: [1] };
  assert.deepEqual(
    ['2026-11-16T11:59', '2026-11-16T12:00', '2026-11-16T13:00', '2026-11-17T12:00'].map((text) =>
      isQuiet(text, lunch),
    ),
    [false, true, false, false],
  );
  const wholeDays = { from: 0, to: 0, days: [6, 7] };
  assert.deepEqual(
    ['2026-11-20T23:59', '2026-11-21T00:00', '2026-11-22T23:59', '2026-11-23T00:00'].map((text) =>
      isQuiet(text, wholeDays),
    ),
    [false, true, true, false],
  );
});

test('what happens in quiet hours is one summary at their end, with the highest count; urgent kinds may be sent at once', () => {
  const quiet = { quiet: { from: 13 * 60, to: 14 * 60, days: [1] }, minMinutes: 0 };
  const counts: [number, number][] = [
    [0, 3],
    [60, 6],
    [61, 20],
    [62, 8],
    [119, 8],
    [120, 8],
    [121, 8],
  ];
  assert.deepEqual(looks(quiet, counts), ['raised 3', '-', '-', '-', '-', 'held 8', '-']);
  const gone: [number, number][] = [
    [60, 5],
    [80, 0],
    [90, 0],
    [120, 0],
    [121, 0],
  ];
  assert.deepEqual(looks(quiet, gone), ['-', '-', '-', 'held 0', '-']);
  assert.deepEqual(looks(quiet, [[60, 5]], 'transfers_rejected'), ['raised 5']);
  assert.deepEqual(
    looks(
      { ...quiet, urgentIgnoresQuiet: false },
      [
        [60, 5],
        [120, 5],
      ],
      'transfers_rejected',
    ),
    ['-', 'held 5'],
  );

  let states: AlertState[] = [];
  for (const [minute, count] of [
    [60, 5],
    [61, 9],
    [80, 0],
    [90, 0],
    [120, 0],
  ] as const) {
    const severity = count === 0 ? ('fine' as const) : ('warning' as const);
    const item = { kind: waiting, severity, count, isMore: false, since: null, examples: [] } as const;
    const decided = decide(
      { ...rule, ...quiet },
      states,
      [{ ...item, examples: [] }],
      new Date(begin + minute * minuteMs),
    );
    states = decided.states;
    if (minute < 120) assert.deepEqual([decided.alert, decided.summary], [[], []]);
    else
      assert.deepEqual(
        decided.summary.map(({ held }) => held),
        [{ since: '2026-11-16T13:00:00.000+08:00', max: 9, isOver: true }],
      );
  }
  assert.deepEqual(states, []);
});

test('a rule for accounts or warehouses has only the kinds that can be counted for them', () => {
  const ofAccounts = kindsOf({ kinds: null, scope: { accountNos: ['ALPHA'], warehouseNos: null } });
  assert.ok(ofAccounts.includes('callbacks_failed') && !ofAccounts.includes('stock_audit'));
  assert.deepEqual(kindsOf({ kinds: ['jobs_failed', waiting], scope: { accountNos: null, warehouseNos: [1] } }), [
    waiting,
  ]);
});

test('a late audit counts as one occurrence, although it has no findings', () => {
  const item = {
    kind: 'stock_audit',
    severity: 'warning',
    count: 0,
    isMore: false,
    since: null,
    examples: [],
  } as const;
  const decided = decide({ ...rule, minCount: 1, minMinutes: 0 }, [], [{ ...item, examples: [] }], new Date(begin));
  assert.deepEqual(
    decided.alert.map(({ kind, count }) => [kind, count]),
    [['stock_audit', 1]],
  );
});

test('attempts are a minute apart at first and hours later, and end after a day', () => {
  const minutes = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((attempts) => {
    const next = nextAttemptAt(attempts, new Date(begin));
    return next && (next.getTime() - begin) / minuteMs;
  });
  assert.deepEqual(minutes, [1, 5, 15, 30, 60, 180, 360, 720, null]);
});
