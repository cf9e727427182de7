import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { type Database, openDatabase, operationDeadlineSeconds } from '../../server/platform/postgres/database.ts';
import { DatabaseUnavailable } from '../../server/platform/postgres/deadline.ts';
import { type GroupCommit, type GroupOperation, makeGroupCommit } from '../../server/platform/postgres/group-commit.ts';
import type { Tx } from '../../server/platform/postgres/sql.ts';
import { holdTransaction, lockIsAwaited, makeTestStore, openOwnerDatabase, serviceRole } from '../support/database.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';

const store = await makeTestStore({ deadlineSeconds: operationDeadlineSeconds });
const proxy = await startDatabaseProxy();
const proxied = openDatabase(proxy.through(store.serviceConnection), {
  max: 2,
  deadlineSeconds: operationDeadlineSeconds,
});
/** For transactions that keep others waiting. */
const patient = openOwnerDatabase(store.connection, { max: 4, deadlineSeconds: null });
const closing: (() => Promise<void>)[] = [() => store.close(), () => proxied.close(), () => patient.close()];
after(async () => {
  for (const close of closing.toReversed()) await close();
});

// The prefix of a name decides what happens when its note is committed.
await store.database.read((sql) =>
  sql.unsafe(`
    create table note (name text primary key, value integer not null check (value >= 0));
    grant all on note to ${serviceRole};
    create function at_commit() returns trigger language plpgsql as $$
      begin
        if new.name like 'waits%' then perform pg_advisory_xact_lock(7); end if;
        if new.name like 'warns%' then raise warning 'may be lost'; end if;
        if new.name like 'refused%' then raise exception 'not committed' using errcode = '23514'; end if;
        return null;
      end $$;
    create constraint trigger at_commit after insert on note deferrable initially deferred for each row execute function at_commit()`),
);

interface NoteRequest {
  accountId: number;
  name: string;
  value: number;
  weight: number;
  /** Cannot be decided upon. */
  poisoned: boolean;
}

interface NoteOutcome {
  kind: 'kept' | 'known';
  /** In which transaction. */
  transaction: string;
}

interface Notes extends GroupCommit<NoteRequest, NoteOutcome> {
  keep(name: string, more?: Partial<NoteRequest>): Promise<NoteOutcome>;
  /** The names that each transaction was about, repeats of a transaction included. */
  runs: string[][];
  /** The size of each group, from its start. */
  sizes: number[];
  /** Other events of groups. */
  events: ('repeated' | 'halved')[];
  /** Nothing is decided until `goOn`; `reached` resolves when a group has looked, and waits. */
  pause(): { reached: Promise<void>; goOn(): void };
  /** The server's process that has served the latest group. */
  backend(): number;
}

interface Habits {
  /** Each group has one account, and as many groups run side by side. */
  accountLanes?: number;
  /** Groups have several accounts, and as many groups run side by side. */
  lanes?: number;
  /** Sent before the decision, beside the look. */
  read?(tx: Tx): Promise<unknown>;
  /** Does not look what is there. */
  blind?: boolean;
  /** Decides to change nothing. */
  idle?: boolean;
  /** Sent after the writes, and not waited for. */
  behind?(tx: Tx): Promise<unknown>;
}

/** Keeps notes, one of each name: the smallest operation that locks, looks, decides and writes. */
function makeNotes(habits: Habits = {}, database: Database = store.service): Notes {
  let decide = async () => {};
  let backend = 0;
  const runs: string[][] = [];
  const sizes: number[] = [];
  const events: Notes['events'] = [];

  async function run(tx: Tx, requests: NoteRequest[]) {
    const names = requests.map(({ name }) => name);
    runs.push(names);
    const [, transaction, found] = await Promise.all([
      habits.read?.(tx),
      readTransaction(tx),
      lockNotes(tx, habits.blind ? [] : names),
    ]);
    backend = transaction.backend;
    await decide();

    const poisoned = requests.find((request) => request.poisoned);
    if (poisoned) throw new RangeError(`${poisoned.name} is poisoned`);
    const known = new Set(found.map(({ name }) => name));
    const fresh = requests.filter(({ name }) => !known.has(name));

    const writes = fresh.length > 0 && !habits.idle ? [insertNotes(tx, fresh)] : [];
    void habits.behind?.(tx).catch(() => {});
    const answer = names.map(
      (name): NoteOutcome => ({ kind: known.has(name) ? 'known' : 'kept', transaction: transaction.id }),
    );
    return { answer, writes };
  }

  const operation: GroupOperation<NoteRequest, NoteOutcome> = {
    name: 'keep_notes',
    run,
    weightOf: ({ weight }) => weight,
    ...(habits.lanes !== undefined && { lanes: habits.lanes }),
  };
  const group = makeGroupCommit(database, operation, habits.accountLanes ?? null, (event) => {
    if (event.kind === 'formed') sizes.push(event.size);
    else events.push(event.kind);
  });
  closing.push(() => group.close());
  return {
    ...group,
    keep: (name, more) => group.submit({ accountId: 1, name, value: 1, weight: 1, poisoned: false, ...more }),
    runs,
    sizes,
    events,
    pause() {
      const reached = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      decide = async () => {
        reached.resolve();
        await goOn.promise;
      };
      return { reached: reached.promise, goOn: goOn.resolve };
    },
    backend: () => backend,
  };
}

async function readTransaction(tx: Tx): Promise<{ id: string; backend: number }> {
  const [row] = await tx<
    { id: string; backend: number }[]
  >`select pg_current_xact_id()::text as id, pg_backend_pid() as backend`;
  return row!;
}

async function lockNotes(tx: Tx, names: string[]): Promise<{ name: string }[]> {
  return await tx<{ name: string }[]>`select name from note where name = any(${names}) order by name for update`;
}

async function insertNotes(tx: Tx, notes: NoteRequest[]): Promise<void> {
  await tx`
    insert into note (name, value)
    select * from unnest(${notes.map(({ name }) => name)}::text[], ${notes.map(({ value }) => value)}::integer[])`;
}

/** Seen by another connection. */
async function isThere(name: string): Promise<boolean> {
  return (await store.database.read((sql) => sql`select from note where name = ${name}`)).length === 1;
}

const meanwhile = (work: (tx: Tx) => Promise<unknown>) => holdTransaction(patient, work);
const untilSomebodyWaits = () => lockIsAwaited(store.database);
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
const lockTable = (tx: Tx) => tx`lock table note in exclusive mode`;

test('a lone request goes at once, in a transaction of its own', async () => {
  const notes = makeNotes();
  const first = notes.keep('lone-1');
  assert.deepEqual(notes.sizes, [1]);
  const second = await first.then(() => notes.keep('lone-2'));
  assert.deepEqual(notes.sizes, [1, 1]);
  assert.notEqual((await first).transaction, second.transaction);
});

test('requests that come while a group is under way form the next one, and share its transaction', async () => {
  const notes = makeNotes();
  const { goOn } = notes.pause();
  const first = notes.keep('shared-first');
  const others = names('shared', 99).map((name) => notes.keep(name));
  assert.deepEqual([notes.sizes, notes.waiting()], [[1], 99]);
  goOn();
  const outcomes = await Promise.all([first, ...others]);

  assert.deepEqual([notes.sizes, notes.waiting()], [[1, 99], 0]);
  assert.equal(new Set(outcomes.map(({ transaction }) => transaction)).size, 2);
  assert.equal(new Set(outcomes.slice(1).map(({ transaction }) => transaction)).size, 1);
});

test('a group has at most 256 requests', async () => {
  const notes = makeNotes();
  const all = names('many', 1 + 256 + 256 + 10).map((name) => notes.keep(name));
  await Promise.all(all);
  assert.deepEqual(notes.sizes, [1, 256, 256, 10]);
});

test('a group has at most 2000 units of work, but for a single request that is larger', async () => {
  const notes = makeNotes();
  const weights = [1, 1000, 1000, 1, 5000, 1999, 1];
  await Promise.all(weights.map((weight, index) => notes.keep(`heavy-${index}`, { weight })));
  assert.deepEqual(notes.sizes, [1, 2, 1, 1, 2]);
});

test('a request is answered only when it is committed', async () => {
  const notes = makeNotes();
  const { release } = await meanwhile((tx) => tx`select pg_advisory_xact_lock(7)`);
  let answered = 0;
  const all = ['waits-1', 'waits-2', 'waits-3'].map(async (name) => {
    await notes.keep(name);
    answered++;
  });
  await untilSomebodyWaits();
  assert.deepEqual([answered, await isThere('waits-1')], [0, false]);
  await release();
  await Promise.all(all);
  assert.deepEqual([await isThere('waits-1'), await isThere('waits-3')], [true, true]);
});

test('a transaction that the database has rolled back is no success, although none of its writes failed', async () => {
  const notes = makeNotes({ behind: async (tx) => await tx.unsafe('select 1 / 0') });
  await assert.rejects(notes.keep('rolled-back'), /division by zero|ended with ROLLBACK/);
  assert.equal(await isThere('rolled-back'), false);
});

test('a commit that comes with a warning is not called done: it may be lost', async () => {
  const notes = makeNotes();
  await assert.rejects(notes.keep('warns-1'), DatabaseUnavailable);
  assert.equal((await notes.keep('warns-1')).kind, 'known');
});

const poisons: [why: string, prefix: string, poison: Partial<NoteRequest>, error: object][] = [
  ['its write violates a constraint', 'negative', { value: -1 }, { code: '23514' }],
  ['its decision throws', 'poison', { poisoned: true }, RangeError],
  ['its commit is refused', 'refused', {}, { message: 'not committed' }],
];
for (const [why, prefix, poison, error] of poisons) {
  test(`a request fails alone, and its neighbours succeed, when ${why}`, async () => {
    const notes = makeNotes();
    const [bad, good] = [names(prefix, 2), names(`beside-${prefix}`, 40)];
    const results = good.map((name) => notes.keep(name));
    for (const [index, at] of [3, 31].entries()) results.splice(at, 0, notes.keep(bad[index]!, poison));
    const settled = await Promise.allSettled(results);

    const failed = settled.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []));
    assert.deepEqual(failed, [3, 31]);
    for (const at of failed) await assert.rejects(results[at]!, error);
    assert.deepEqual(await Promise.all([...bad, ...good].map(isThere)), [false, false, ...good.map(() => true)]);
  });
}

test('a name that another connection takes at the same instant repeats the group, which then finds it', async () => {
  const notes = makeNotes();
  const { release } = await meanwhile((tx) => tx`insert into note values ('overtaken', 1)`);
  const { goOn } = notes.pause();
  const all = [notes.keep('overtaken-first'), notes.keep('overtaken'), notes.keep('overtaken-beside')];
  goOn();
  await untilSomebodyWaits();
  await release();
  const [, overtaken, beside] = await Promise.all(all);

  assert.deepEqual([overtaken!.kind, beside!.kind], ['known', 'kept']);
  assert.equal(overtaken!.transaction, beside!.transaction);
  const group = ['overtaken', 'overtaken-beside'];
  assert.deepEqual(notes.runs, [['overtaken-first'], group, group]);
  assert.deepEqual(notes.events, ['repeated']);
});

test('a name that is always taken is given up after five tries, alone', async () => {
  const notes = makeNotes({ blind: true });
  await store.database.read((sql) => sql`insert into note values ('always-taken', 1)`);
  const settled = await Promise.allSettled(
    ['always-first', 'always-taken', 'always-good'].map((name) => notes.keep(name)),
  );
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.equal((settled[1] as PromiseRejectedResult).reason.code, '23505');
  const tried = notes.runs.filter((run) => run.includes('always-taken'));
  assert.deepEqual(tried, [...Array(5).fill(['always-taken', 'always-good']), ...Array(5).fill(['always-taken'])]);
  assert.deepEqual(notes.events, [...Array(4).fill('repeated'), 'halved', ...Array(4).fill('repeated')]);
});

const serializationFailure = `do $$ begin raise exception 'try again' using errcode = '40001'; end $$`;

test('a serialization failure repeats the group, also when the failures that follow from it are seen first', async () => {
  let failures = 2;
  const fail = async (tx: Tx) => failures-- > 0 && (await tx.unsafe(serializationFailure));
  const roundabout = async (tx: Tx) => await Promise.all([fail(tx)]);
  const notes = makeNotes({ read: async (tx) => await roundabout(tx) });
  assert.equal((await notes.keep('roundabout')).kind, 'kept');
  assert.deepEqual(notes.events, ['repeated', 'repeated']);
});

test('contention that outlasts five tries fails the whole group as out of reach, and nothing is changed', async () => {
  const notes = makeNotes({ read: async (tx) => await tx.unsafe(serializationFailure) });
  const settled = await Promise.allSettled(names('contended', 4).map((name) => notes.keep(name)));
  for (const one of settled) assert.ok((one as PromiseRejectedResult).reason instanceof DatabaseUnavailable);
  assert.deepEqual(
    notes.runs.map((run) => run.length),
    [1, 1, 1, 1, 1, 3, 3, 3, 3, 3],
  );
  assert.equal(await isThere('contended-0'), false);
});

test('accounts take turns: one that floods delays no other, and is itself served in order', async () => {
  const notes = makeNotes();
  const { goOn } = notes.pause();
  const first = notes.keep('turn-first');
  const flood = names('flood', 1000).map((name) => notes.keep(name));
  const others = [
    notes.keep('turn-2', { accountId: 2 }),
    notes.keep('turn-3', { accountId: 3 }),
    notes.keep('turn-2b', { accountId: 2 }),
  ];
  goOn();
  await Promise.all([first, ...flood, ...others]);

  assert.deepEqual(notes.sizes, [1, 256, 256, 256, 235]);
  assert.deepEqual(notes.runs[1]!.slice(0, 6), ['turn-2', 'turn-3', 'flood-0', 'turn-2b', 'flood-1', 'flood-2']);
  assert.deepEqual(
    notes.runs.flat().filter((name) => name.startsWith('flood')),
    names('flood', 1000),
  );
});

test('a request that is too heavy for the rest of a group is the first of the next one', async () => {
  const notes = makeNotes();
  const { goOn } = notes.pause();
  const first = notes.keep('room-first', { accountId: 3 });
  const light = names('room', 3).map((name) => notes.keep(name, { weight: 700 }));
  const heavy = notes.keep('room-heavy', { accountId: 2, weight: 1500 });
  goOn();
  await Promise.all([first, ...light, heavy]);
  assert.deepEqual(notes.runs, [['room-first'], ['room-0'], ['room-heavy'], ['room-1', 'room-2']]);
});

test('when 10,000 requests wait, the next one is rejected at once', async () => {
  const notes = makeNotes({ idle: true });
  const { goOn } = notes.pause();
  const waiting = names('crowd', 10_001).map((name) => notes.keep(name, { weight: 0 }));
  assert.equal(notes.waiting(), 10_000);
  await assert.rejects(notes.keep('crowded-out'), new DatabaseUnavailable('too many requests wait for their group'));
  goOn();
  await Promise.allSettled(waiting);
  assert.equal(notes.waiting(), 0);
  assert.equal((await notes.keep('crowd-gone')).kind, 'kept');
});

test('a decision that writes nothing or throws changes nothing and holds no locks afterwards', async () => {
  await makeNotes().keep('let-go');
  const read = async (tx: Tx) => await tx`update note set value = 99 where name = 'let-go'`;
  assert.equal((await makeNotes({ idle: true, read }).keep('let-go')).kind, 'known');
  const notes = makeNotes({ read });
  await assert.rejects(notes.keep('let-go', { poisoned: true }), RangeError);
  const [row] = await store.database.read((sql) => sql`select value from note where name = 'let-go' for update nowait`);
  assert.equal(row!.value, 1);
  assert.equal((await notes.keep('let-go-next')).kind, 'kept');
});

test('a statement that comes when its transaction is over cannot write', async () => {
  let kept: Tx | null = null;
  const notes = makeNotes({
    async read(tx) {
      kept = tx;
    },
  });
  await notes.keep('over');
  const over = new Error('a statement came after the end of its work');
  await assert.rejects(kept!`insert into note values ('too-late', 1)`, over);
  await assert.rejects(kept!`update note set value = 99 where name = 'over'`, over);
  assert.equal(await isThere('too-late'), false);
});

test('closing waits for those that are under way and those that wait', async () => {
  const notes = makeNotes();
  let answered = 0;
  const all = names('closing', 30).map(async (name) => {
    await notes.keep(name);
    answered++;
  });
  await notes.close();
  await Promise.all(all);
  assert.equal(answered, 30);
  await assert.rejects(notes.keep('closed'), DatabaseUnavailable);
});

test('groups of several accounts run side by side, and an account is in one of them at a time', async () => {
  const notes = makeNotes({ lanes: 2 });
  await notes.keep('busy');
  const { release } = await meanwhile((tx) => tx`select from note where name = 'busy' for update`);
  const busy = [notes.keep('busy'), notes.keep('busy-next')];
  await untilSomebodyWaits();

  // The second lane takes the others together, and leaves the request of the busy account where it is.
  const { reached, goOn } = notes.pause();
  const alone = notes.keep('beside-2', { accountId: 2 });
  const together = [2, 3, 4].map((accountId) => notes.keep(`beside-next-${accountId}`, { accountId }));
  await reached;
  goOn();
  await Promise.all([alone, ...together]);
  assert.deepEqual(notes.runs.slice(1), [['busy'], ['beside-2'], ['beside-next-3', 'beside-next-4', 'beside-next-2']]);
  assert.equal(notes.waiting(), 1);

  await release();
  await Promise.all(busy);
  assert.deepEqual(notes.runs.slice(4), [['busy-next']]);
});

test('with account lanes, a transaction has one account, and each account shares a transaction among its own requests', async () => {
  const notes = makeNotes({ accountLanes: 3 });
  const { goOn } = notes.pause();
  const all = names('own', 30).map((name, index) => notes.keep(name, { accountId: (index % 3) + 1 }));
  assert.deepEqual([notes.sizes, notes.waiting()], [[1, 1, 1], 27]);
  goOn();
  const transactions = (await Promise.all(all)).map(({ transaction }) => transaction);

  const accountsOf = Map.groupBy(transactions.keys(), (index) => transactions[index]!);
  for (const indexes of accountsOf.values()) assert.equal(new Set(indexes.map((index) => index % 3)).size, 1);
  assert.equal(accountsOf.size, 6);
  assert.deepEqual(notes.sizes, [1, 1, 1, 9, 9, 9]);
});

test('with account lanes, while one account waits for a row, another one commits', async () => {
  const notes = makeNotes({ accountLanes: 2 });
  await notes.keep('held-up');
  const { release } = await meanwhile((tx) => tx`select from note where name = 'held-up' for update`);
  let isAnswered = false;
  const first = notes.keep('held-up').then((outcome) => {
    isAnswered = true;
    return outcome;
  });
  await untilSomebodyWaits();

  assert.equal((await notes.keep('passes-by', { accountId: 2 })).kind, 'kept');
  assert.deepEqual([isAnswered, await isThere('passes-by')], [false, true]);
  await release();
  assert.equal((await first).kind, 'known');
});

test('with account lanes, an account that floods has one group at a time and leaves the other lanes to others', async () => {
  const notes = makeNotes({ accountLanes: 2 });
  await notes.keep('flooded');
  const { release } = await meanwhile((tx) => tx`select from note where name = 'flooded' for update`);
  const flood = [notes.keep('flooded'), ...names('flooding', 1000).map((name) => notes.keep(name))];
  await untilSomebodyWaits();

  for (const accountId of [2, 3, 2]) await notes.keep(`beside-flood-${accountId}`, { accountId });
  assert.deepEqual([notes.sizes, notes.waiting()], [[1, 1, 1, 1, 1], 1000]);
  await release();
  await Promise.all(flood);
  assert.deepEqual(notes.sizes.slice(5), [256, 256, 256, 232]);
  assert.deepEqual(notes.runs.slice(5).flat(), names('flooding', 1000));
});

test('with account lanes, an account that has just been served queues up behind those that came meanwhile', async () => {
  const notes = makeNotes({ accountLanes: 1 });
  const { goOn } = notes.pause();
  const first = notes.keep('lane-first');
  const flood = names('lane-flood', 300).map((name) => notes.keep(name));
  const others = [
    notes.keep('lane-2', { accountId: 2 }),
    notes.keep('lane-3', { accountId: 3 }),
    notes.keep('lane-2b', { accountId: 2 }),
  ];
  goOn();
  await Promise.all([first, ...flood, ...others]);
  assert.deepEqual(notes.runs.slice(0, 3), [['lane-first'], ['lane-2', 'lane-2b'], ['lane-3']]);
  assert.deepEqual(notes.sizes, [1, 2, 1, 256, 44]);
});

test('with account lanes, a group has at most 2000 units of work of its account', async () => {
  const notes = makeNotes({ accountLanes: 2 });
  const weights = [1, 1000, 1000, 1, 5000, 1999, 1];
  await Promise.all(weights.map((weight, index) => notes.keep(`heavy-lane-${index}`, { weight })));
  assert.deepEqual(notes.sizes, [1, 2, 1, 1, 2]);
});

test('with account lanes, a request fails alone; its neighbours and other accounts succeed', async () => {
  const notes = makeNotes({ accountLanes: 2 });
  const all = names('lane-poison', 20).map((name, index) =>
    notes.keep(name, { accountId: (index % 2) + 1, poisoned: index === 12 }),
  );
  const settled = await Promise.allSettled(all);
  assert.deepEqual(
    settled.flatMap(({ status }, index) => (status === 'rejected' ? [index] : [])),
    [12],
  );
  await assert.rejects(all[12]!, RangeError);
  for (const run of notes.runs) assert.equal(new Set(run.map((name) => Number(name.split('-').at(-1)) % 2)).size, 1);
});

test('with account lanes, closing waits for all lanes and for those that wait', async () => {
  const notes = makeNotes({ accountLanes: 2 });
  let answered = 0;
  const all = names('closing-lanes', 30).map(async (name, index) => {
    await notes.keep(name, { accountId: index % 3 });
    answered++;
  });
  await notes.close();
  await Promise.all(all);
  assert.equal(answered, 30);
  await assert.rejects(notes.keep('closed-lanes'), DatabaseUnavailable);
});

/** Where a group is when its connection goes, how it is brought there, and how it is let go on. */
interface Moment {
  when: string;
  name: string;
  reach(notes: Notes): Promise<{ first: Promise<NoteOutcome>; goOn(): Promise<void> | void }>;
}

const moments: Moment[] = [
  {
    when: 'looks',
    name: 'looks',
    async reach(notes) {
      const { release } = await meanwhile(lockTable);
      const first = notes.keep('looks');
      await untilSomebodyWaits();
      return { first, goOn: release };
    },
  },
  {
    when: 'decides',
    name: 'decides',
    async reach(notes) {
      const { reached, goOn } = notes.pause();
      const first = notes.keep('decides');
      await reached;
      return { first, goOn };
    },
  },
  {
    when: 'writes',
    name: 'writes',
    async reach(notes) {
      await store.database.read((sql) => sql`delete from note where name = 'writes'`);
      const { release } = await meanwhile((tx) => tx`insert into note values ('writes', 2)`);
      const first = notes.keep('writes');
      await untilSomebodyWaits();
      return { first, goOn: release };
    },
  },
  {
    when: 'commits',
    name: 'waits-commits',
    async reach(notes) {
      const { release } = await meanwhile((tx) => tx`select pg_advisory_xact_lock(7)`);
      const first = notes.keep('waits-commits');
      await untilSomebodyWaits();
      return { first, goOn: release };
    },
  },
];

const losses: [how: string, lose: (notes: Notes) => unknown][] = [
  ['cut', () => proxy.cut()],
  // As an administrator or a restart would: the server itself says goodbye.
  [
    'ended by the server',
    (notes) => store.database.read((sql) => sql`select pg_terminate_backend(${notes.backend()})`),
  ],
];

for (const { when, name, reach } of moments) {
  for (const [how, lose] of losses) {
    test(`a group whose connection is ${how} while it ${when} fails alone; the next one is served, and a repeat is safe`, async () => {
      await store.database.read((sql) => sql`delete from note where name = ${name}`);
      const notes = makeNotes({}, proxied);
      await notes.keep(`${when}-${how}-before`);
      const { first, goOn } = await reach(notes);
      const next = [notes.keep(`${when}-${how}-next-1`), notes.keep(`${when}-${how}-next-2`)];
      const failing = assert.rejects(first, DatabaseUnavailable);
      await lose(notes);
      if (when === 'decides') void goOn();
      await failing;
      await goOn();

      assert.deepEqual(
        (await Promise.all(next)).map(({ kind }) => kind),
        ['kept', 'kept'],
      );
      await notes.keep(name);
      assert.equal(await isThere(name), true);
    });
  }
}

test('a connection that is cut while nothing is under way costs one group at most', async () => {
  const notes = makeNotes({}, proxied);
  await notes.keep('idle-before');
  proxy.cut();
  const [first] = await Promise.allSettled([notes.keep('idle-first')]);
  if (first.status === 'rejected') assert.ok(first.reason instanceof DatabaseUnavailable);
  assert.ok(['kept', 'known'].includes((await notes.keep('idle-first')).kind));
});

// Each takes its deadline of some seconds, so they take it together.
suite('deadlines', { concurrency: true }, () => {
  test('a decision that comes after its deadline changes nothing', async () => {
    const notes = makeNotes();
    const { goOn } = notes.pause();
    await assert.rejects(notes.keep('dawdling'), DatabaseUnavailable);
    goOn();
    assert.equal((await notes.keep('dawdling-after')).kind, 'kept');
    assert.equal(await isThere('dawdling'), false);
  });

  test('a request that came later than the rest of the group has a deadline of its own', async () => {
    const notes = makeNotes();
    const first = notes.pause();
    const lone = notes.keep('ages-lone');
    const older = notes.keep('ages-older');
    const late = assert.rejects(older, DatabaseUnavailable);
    await new Promise((resolve) => setTimeout(resolve, operationDeadlineSeconds * 1000 - 300));
    const younger = notes.keep('ages-younger');
    const second = notes.pause();
    first.goOn();
    await Promise.allSettled([lone]);
    await late;
    second.goOn();
    assert.equal((await younger).kind, 'kept');
  });

  test('a row that somebody else keeps locked: the group gives up in time and lets go of what it had', async () => {
    const notes = makeNotes();
    await notes.keep('kept-locked');
    const { release } = await meanwhile((tx) => tx`select from note where name = 'kept-locked' for update`);
    await assert.rejects(notes.keep('kept-locked'), DatabaseUnavailable);
    assert.equal((await notes.keep('kept-locked-beside')).kind, 'kept');
    await release();
    assert.equal((await notes.keep('kept-locked')).kind, 'known');
  });
});
