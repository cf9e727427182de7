import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { stringify } from 'yaml';
import { searchAuditLog } from '../../server/domain/operators/audit-log.ts';
import { makeAccountDirectory } from '../../server/domain/partners/account-directory.ts';
import type { ApplyOutcome, IssuedSecret } from '../../server/domain/partners/apply-outcome.ts';
import { applyProvisioning } from '../../server/domain/partners/apply-provisioning.ts';
import {
  type LogisticsKeyDirectory,
  makeLogisticsKeyDirectory,
} from '../../server/domain/partners/logistics-key-directory.ts';
import { ownedName } from '../../server/domain/partners/owned-name.ts';
import { listAccountChanges } from '../../server/domain/partners/partner-list-queries.ts';
import { readProvisioning } from '../../server/domain/partners/read-provisioning.ts';
import { rotateSecret } from '../../server/domain/partners/rotate-secret.ts';
import { keepSecret, type SecretKind } from '../../server/domain/partners/secret.ts';
import { replaceSecret } from '../../server/domain/partners/secret-queries.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { noAccounts } from '../../server/platform/postgres/sql.ts';
import { makeTestStore, mayNot, type TestStore } from '../support/database.ts';
import { dumpTables } from './dump.ts';
import { refusedFiles } from './refused-files.ts';

const stores: TestStore[] = [];
after(() => Promise.all(stores.map((store) => store.close())));

async function emptyStore(): Promise<TestStore> {
  const store = await makeTestStore({ pool: 4 });
  stores.push(store);
  return store;
}

/** Applies a file as `lading apply` does: the outcome, with its mistakes as the operator reads them. */
async function apply(
  store: TestStore,
  text: string,
  actor = 'test',
): Promise<Exclude<ApplyOutcome, { kind: 'refused' }> | string[]> {
  const reading = readProvisioning(text);
  if (reading.kind === 'unreadable') return reading.mistakes;
  const { provisioning, mistakes, mistaken, word } = reading;
  const outcome = await applyProvisioning(store.service, store.keyring, provisioning, { actor, mistakes, mistaken });
  return outcome.kind === 'refused' ? word(outcome.mistakes) : outcome;
}

async function applied(
  store: TestStore,
  text: string,
  actor?: string,
): Promise<Extract<ApplyOutcome, { kind: 'applied' }>> {
  const outcome = await apply(store, text, actor);
  assert.ok(!Array.isArray(outcome) && outcome.kind === 'applied', JSON.stringify(outcome));
  return outcome;
}

async function rows(store: TestStore, query: string): Promise<Record<string, unknown>[]> {
  return [...(await store.database.read((sql) => sql.unsafe(query)))];
}

const place = { warehouse_no: 1, store_no: 10, receiving: 'on_create', sellable_days_before_expiry: 0 };
const example = {
  warehouses: [{ warehouse_no: 1, name: 'Taoyuan', connector: { type: 'manual' }, transfer_every_s: 60 }],
  stores: [{ store_no: 10, name: 'Upload test', type: 'upload' }],
  accounts: [
    {
      account_no: 'ALPHA',
      name: 'Alpha',
      environment: 'uat',
      secret: 'alpha-secret-of-thirty-two-characters-or-more',
      warehouse_api: true,
      enabled: true,
      tenants: [{ warehouse_tpw_id: 'TPW-A', ...place }],
    },
  ],
  clients: [
    {
      client_id: 'erp',
      check_value: 'erp-check-value-of-thirty-two-characters-or-more',
      account_no: 'ALPHA',
      permissions: ['stocks.read'],
      enabled: true,
    },
  ],
  logistics_keys: [
    {
      name: 'wms',
      key: 'wms-key-of-thirty-two-characters-or-more',
      account_no: 'ALPHA',
      ...place,
      callback_secret: 'whsec_d21zLWNhbGxiYWNrLXNlY3JldC1vZi1hbHBoYQ==',
    },
  ],
  operators: [{ username: 'boss', password: 'a phrase for boss only', role: 'admin' }],
};

/** Every partner with what it has, without ids, times and seals. */
async function partnersOf(store: TestStore) {
  return {
    warehouses: await rows(store, 'select warehouse_no, name, connector, transfer_every_s from warehouse order by 1'),
    stores: await rows(store, 'select store_no, name, type from store order by 1'),
    accounts: await rows(store, 'select account_no, name, environment, warehouse_api, enabled from account order by 1'),
    tenants: await rows(
      store,
      `select account_no, warehouse_tpw_id, warehouse_no, store_no, receiving, sellable_days_before_expiry, t.enabled
      from tenant t join account using (account_id) order by 1, 2`,
    ),
    clients: await rows(
      store,
      'select client_id, account_no, permissions, c.enabled from client c join account using (account_id) order by 1',
    ),
    logisticsKeys: await rows(
      store,
      `select k.name, account_no, warehouse_no, store_no, receiving, sellable_days_before_expiry, k.enabled
      from logistics_key k join account using (account_id) order by 1, 2`,
    ),
    operators: await rows(store, 'select username, role, enabled from operator order by 1'),
    secrets: await rows(store, 'select kind, owner, valid_until from secret order by 1, 2'),
  };
}

const partnersOfExample = {
  warehouses: [{ warehouse_no: 1, name: 'Taoyuan', connector: { type: 'manual' }, transfer_every_s: 60 }],
  stores: [{ store_no: 10, name: 'Upload test', type: 'upload' }],
  accounts: [{ account_no: 'ALPHA', name: 'Alpha', environment: 'uat', warehouse_api: true, enabled: true }],
  tenants: [{ account_no: 'ALPHA', warehouse_tpw_id: 'TPW-A', ...place, enabled: true }],
  clients: [{ client_id: 'erp', account_no: 'ALPHA', permissions: ['stocks.read'], enabled: true }],
  logisticsKeys: [{ name: 'wms', account_no: 'ALPHA', ...place, enabled: true }],
  operators: [{ username: 'boss', role: 'admin', enabled: true }],
  secrets: [
    { kind: 'account_secret', owner: 'ALPHA', valid_until: null },
    { kind: 'callback_secret', owner: 'ALPHA/wms', valid_until: null },
    { kind: 'check_value', owner: 'erp', valid_until: null },
    { kind: 'logistics_key', owner: 'ALPHA/wms', valid_until: null },
    { kind: 'operator_password', owner: 'boss', valid_until: null },
  ],
};

const unchangedOutcome = { kind: 'applied', changes: [], issued: [], kept: [], warnings: [] };

// Refused files leave this store as it is; other tests change the second one, and begin with the example.
const standing = await emptyStore();
const changing = await emptyStore();

test('the example file, as YAML or JSON, makes every partner of it, and issues no secret that was given', async () => {
  for (const [store, text] of [
    [standing, stringify(example)],
    [changing, JSON.stringify(example, null, '\t')],
  ] as const) {
    const { changes, issued } = await applied(store, text);
    assert.deepEqual(
      changes.map(({ kind, name, change }) => `${change} ${kind} ${name}`),
      [
        ...['created warehouse 1', 'created store 10', 'created account ALPHA', 'created tenant ALPHA/TPW-A'],
        ...['created client erp', 'created logistics_key ALPHA/wms', 'created operator boss'],
      ],
    );
    assert.deepEqual(issued, []);
    assert.deepEqual(await partnersOf(store), partnersOfExample);
  }
});

test('applied again, a file changes nothing, nor does an empty one: not a byte of the database', async () => {
  const before = await dumpTables(standing.database);
  for (const text of [stringify(example), JSON.stringify(example), '', '# nothing\n', '{}', 'accounts: []'])
    assert.deepEqual(await apply(standing, text), unchangedOutcome);
  assert.deepEqual(await dumpTables(standing.database), before);
});

test('a file with mistakes is refused with the line and path of each, and changes nothing', async () => {
  const before = await dumpTables(standing.database);
  const files = refusedFiles.trim().split(/^== /m).slice(1);
  for (const [title, ...lines] of files.map((file) => file.split('\n'))) {
    const mistakes = lines.flatMap((line, index) =>
      line
        .split(' #! ')
        .slice(1)
        .map((mistake) => `line ${index + 1}, ${mistake}`.replace(', :', ':')),
    );
    const reported = await apply(standing, lines.join('\n'));
    assert.ok(Array.isArray(reported), title);
    // Mistakes come in the order of the lines; those of one line in no particular order.
    const lineOf = (mistake: string) => Number.parseInt(mistake.slice('line '.length), 10);
    assert.deepEqual(reported.map(lineOf), mistakes.map(lineOf), title);
    assert.deepEqual(reported.toSorted(), mistakes.toSorted(), title);
  }
  const unreadable: [text: string, mistake: string][] = [
    [`stores: ${'['.repeat(5000)}${']'.repeat(5000)}`, 'the file is nested too deeply'],
    ['stores: []\nx: "hidden-value', 'line 2: Missing closing quote'],
    [
      'accounts:\n  - { account_no: ALPHA, secret: *hidden-value }',
      'an alias (*name) has no anchor before it, or aliases are nested too deeply',
    ],
  ];
  for (const [text, mistake] of unreadable) assert.deepEqual(await apply(standing, text), [mistake]);
  assert.deepEqual(await dumpTables(standing.database), before);
});

test('a mistake never repeats a value, which may be a secret', async () => {
  const hidden = 'hidden value';
  const texts = [
    `accounts: [{ account_no: ${hidden}, secret: [${hidden}], environment: ${hidden} }]`,
    `logistics_keys: [{ name: a, account_no: ALPHA, key: ${hidden}, callback_secret: ${hidden} }]`,
    `operators: [{ username: a, password: "${hidden}\\t" }]`,
    `accounts: [{ account_no: A, secret: '${hidden}`,
    `secret: "${hidden}" ${hidden}`,
    `accounts:\n  - account_no: A\n    secret: @${hidden}`,
    `accounts:\n  - account_no: A\n    secret: %${hidden}: ${hidden}`,
    `accounts:\n  - account_no: A\n    secret: "\\q${hidden}"`,
    `accounts:\n  - account_no: A\n    secret: *${hidden.replace(' ', '-')}`,
  ];
  for (const text of texts) {
    const mistakes = await apply(standing, text);
    assert.ok(Array.isArray(mistakes) && mistakes.length > 0, text);
    assert.doesNotMatch(mistakes.join('\n'), /hidden/, text);
  }
});

test('the list of changes can be neither changed nor deleted', async () => {
  const before = await dumpTables(standing.database);
  for (const statement of [
    "update partner_change set actor = 'x'",
    'delete from partner_change',
    'truncate partner_change',
  ])
    await assert.rejects(
      standing.service.read(noAccounts, (sql) => sql.unsafe(statement)),
      mayNot('partner_change'),
    );
  assert.deepEqual(await dumpTables(standing.database), before);
});

test('the demo is not made beside other accounts', async () => {
  const before = await dumpTables(standing.database);
  const options = { actor: 'test', onlyIfEmpty: true };
  const demo = { stores: [{ store_no: 1 }] };
  assert.deepEqual(await applyProvisioning(standing.service, standing.keyring, demo, options), { kind: 'not_empty' });
  assert.deepEqual(await dumpTables(standing.database), before);
});

test('a callback secret that was stored when shorter ones were allowed may stay in the file', async () => {
  const secret = { kind: 'callback_secret', owner: 'ALPHA/wms' } as const;
  const short = 'whsec_d21zLWNhbGxiYWNr';
  const kept = await keepSecret(changing.keyring, secret.kind, secret.owner, short);
  await changing.database.transaction((tx) => replaceSecret(tx, secret, { ...kept, from_file: true }, 0));
  const file = { logistics_keys: [{ name: 'wms', account_no: 'ALPHA', callback_secret: short }] };
  const warning =
    'the callback secret of ALPHA/wms is weak by the present rules; it still works, but should be replaced';
  assert.deepEqual(await applied(changing, stringify(file)), { ...unchangedOutcome, warnings: [warning] });
});

test('a field that is left out stays; one that is given changes, and only that one', async () => {
  await applied(changing, stringify(example));
  const { changes, issued } = await applied(
    changing,
    stringify({
      warehouses: [{ warehouse_no: 1, transfer_every_s: 30 }],
      accounts: [
        {
          account_no: 'ALPHA',
          enabled: false,
          tenants: [{ warehouse_tpw_id: 'TPW-A', sellable_days_before_expiry: 14 }],
        },
      ],
      clients: [{ client_id: 'erp', permissions: ['stocks.read', 'orders.read', 'orders.read'] }],
      logistics_keys: [{ name: 'wms', account_no: 'ALPHA', receiving: 'on_confirm' }],
      operators: [{ username: 'boss' }],
    }),
  );

  assert.deepEqual(changes, [
    { kind: 'warehouse', name: '1', change: 'changed', fields: ['transfer_every_s'] },
    { kind: 'account', name: 'ALPHA', change: 'changed', fields: ['enabled'] },
    { kind: 'tenant', name: 'ALPHA/TPW-A', change: 'changed', fields: ['sellable_days_before_expiry'] },
    { kind: 'client', name: 'erp', change: 'changed', fields: ['permissions'] },
    { kind: 'logistics_key', name: 'ALPHA/wms', change: 'changed', fields: ['receiving'] },
  ]);
  assert.deepEqual(issued, []);
  assert.deepEqual(await partnersOf(changing), {
    ...partnersOfExample,
    warehouses: [{ ...partnersOfExample.warehouses[0], transfer_every_s: 30 }],
    accounts: [{ ...partnersOfExample.accounts[0], enabled: false }],
    tenants: [{ ...partnersOfExample.tenants[0], sellable_days_before_expiry: 14 }],
    clients: [{ ...partnersOfExample.clients[0], permissions: ['orders.read', 'stocks.read'] }],
    logisticsKeys: [{ ...partnersOfExample.logisticsKeys[0], receiving: 'on_confirm' }],
  });
  // The order of permissions has no meaning.
  const reordered = { clients: [{ client_id: 'erp', permissions: ['orders.read', 'stocks.read'] }] };
  assert.deepEqual(await applied(changing, stringify(reordered)), unchangedOutcome);
});

test('null removes the shelf life of a tenant or a key, and a file without the field leaves it so', async () => {
  await applied(changing, stringify(example));
  for (const [rule, days] of [
    [{ sellable_days_before_expiry: 7 }, 7],
    [{ sellable_days_before_expiry: null }, null],
    [{}, null],
  ] as const) {
    const file = {
      accounts: [{ account_no: 'ALPHA', tenants: [{ warehouse_tpw_id: 'TPW-A', ...rule }] }],
      logistics_keys: [{ name: 'wms', account_no: 'ALPHA', ...rule }],
    };
    await applied(changing, stringify(file));
    const { tenants, logisticsKeys } = await partnersOf(changing);
    const stored = [...tenants, ...logisticsKeys].map((row) => row.sellable_days_before_expiry);
    assert.deepEqual(stored, [days, days]);
  }
});

test('a secret that differs from the stored one takes its place at once; another key may use the logistics key that it was', async () => {
  await applied(changing, stringify(example));
  const key = { name: 'wms', account_no: 'ALPHA', key: 'wms-key-2-of-thirty-two-characters-or-more' };
  const changed = {
    accounts: [{ account_no: 'ALPHA', secret: 'alpha-secret-2-of-thirty-two-characters-or-more' }],
    clients: [{ client_id: 'erp', check_value: 'erp-check-value-2-of-thirty-two-characters-or-more' }],
    logistics_keys: [{ ...key, callback_secret: 'whsec_d21zLWNhbGxiYWNrLXNlY3JldC1vZi1hbHBoYS0y' }],
    operators: [{ username: 'boss', password: 'another phrase for boss' }],
  };
  const { changes, issued } = await applied(changing, stringify(changed));
  assert.deepEqual(
    changes.map(({ name, change, fields }) => [name, change, fields]),
    [
      ['ALPHA', 'changed', ['secret']],
      ['erp', 'changed', ['check_value']],
      ['ALPHA/wms', 'changed', ['key', 'callback_secret']],
      ['boss', 'changed', ['password']],
    ],
  );
  assert.deepEqual(issued, []);
  assert.deepEqual(await partnersOf(changing), partnersOfExample);
  assert.deepEqual(await applied(changing, stringify(changed)), unchangedOutcome);

  const other = {
    name: 'other',
    account_no: 'ALPHA',
    warehouse_no: 1,
    store_no: 10,
    key: 'wms-key-of-thirty-two-characters-or-more',
  };
  const { changes: taken } = await applied(changing, stringify({ logistics_keys: [other] }));
  assert.deepEqual(
    taken.map(({ name, change }) => [name, change]),
    [['ALPHA/other', 'created']],
  );
});

const tenantT = { warehouse_tpw_id: 'T', warehouse_no: 2, store_no: 20 };
const keyK = { name: 'k', warehouse_no: 2, store_no: 20 };
const withoutSecrets = {
  warehouses: [{ warehouse_no: 2, connector: { type: 'http', url: 'https://warehouse.example/orders' } }],
  stores: [{ store_no: 20 }],
  accounts: [
    { account_no: 'UAT', environment: 'uat', tenants: [tenantT] },
    { account_no: 'PROD', environment: 'production', tenants: [tenantT] },
  ],
  clients: [{ client_id: 'c', account_no: 'UAT' }],
  logistics_keys: [
    { ...keyK, account_no: 'UAT' },
    { ...keyK, account_no: 'PROD' },
  ],
  operators: [{ username: 'o', role: 'read-only' }],
};
const secretForms: Record<SecretKind, RegExp> = {
  account_secret: /^las_[A-Za-z0-9_-]{43}$/,
  check_value: /^lcv_[A-Za-z0-9_-]{43}$/,
  logistics_key: /^llk_[A-Za-z0-9_-]{43}$/,
  callback_secret: /^whsec_[A-Za-z0-9+/]{43}=$/,
  account_callback_secret: /^whsec_[A-Za-z0-9+/]{43}=$/,
  tenant_callback_secret: /^whsec_[A-Za-z0-9+/]{43}=$/,
  connector_secret: /^whsec_[A-Za-z0-9+/]{43}=$/,
  operator_password: /^lop_[A-Za-z0-9_-]{43}$/,
};
const made = await emptyStore();
let secretsMade: string[] = [];

test('eight applies of a file at the same instant make one of each, with a new secret of 256 bits where none is given; each warns of a client without permissions', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, () => applied(made, stringify(withoutSecrets), 'first (root)')),
  );
  assert.deepEqual(outcomes.map(({ changes }) => changes.length).toSorted(), [0, 0, 0, 0, 0, 0, 0, 10]);
  const issued = outcomes.flatMap((outcome) => outcome.issued);
  assert.deepEqual(
    issued.map(({ kind, owner }) => `${kind} ${owner}`),
    [
      ...['connector_secret 2', 'account_secret UAT', 'account_secret PROD', 'check_value c', 'logistics_key UAT/k'],
      ...['callback_secret UAT/k', 'logistics_key PROD/k', 'callback_secret PROD/k', 'operator_password o'],
    ],
  );
  for (const { kind, value } of issued) assert.match(value, secretForms[kind]);
  secretsMade = issued.map(({ value }) => value);
  assert.equal(new Set(secretsMade).size, issued.length);
  const warnings = ['client c has no permissions, so every call that it makes is refused'];
  for (const outcome of outcomes) assert.deepEqual(outcome.warnings, warnings);
  assert.deepEqual(await rows(made, 'select count(*)::int from secret'), [{ count: 9 }]);
});

test('a new partner has the defaults where the file is silent; units count on creation in uat and on confirmation in production', async () => {
  const { secrets: _, ...partners } = await partnersOf(made);
  const account = { warehouse_api: true, enabled: true };
  const [tenant, key] = [tenantT, keyK].map((own) => ({ ...own, sellable_days_before_expiry: 0, enabled: true }));
  const connector = { type: 'http', url: 'https://warehouse.example/orders' };
  assert.deepEqual(partners, {
    warehouses: [{ warehouse_no: 2, name: 'Warehouse 2', connector, transfer_every_s: 60 }],
    stores: [{ store_no: 20, name: 'Store 20', type: 'upload' }],
    accounts: [
      { account_no: 'PROD', name: 'PROD', environment: 'production', ...account },
      { account_no: 'UAT', name: 'UAT', environment: 'uat', ...account },
    ],
    tenants: [
      { account_no: 'PROD', ...tenant, receiving: 'on_confirm' },
      { account_no: 'UAT', ...tenant, receiving: 'on_create' },
    ],
    clients: [{ client_id: 'c', account_no: 'UAT', permissions: [], enabled: true }],
    logisticsKeys: [
      { account_no: 'PROD', ...key, receiving: 'on_confirm' },
      { account_no: 'UAT', ...key, receiving: 'on_create' },
    ],
    operators: [{ username: 'o', role: 'read-only', enabled: true }],
  });
});

test('every change is recorded with actor, time and fields, and never with the value of a secret', async () => {
  const [{ before }] = (await rows(made, 'select min(created_at) as before from account')) as [{ before: Date }];
  await applied(made, stringify(example), 'second (root)');
  const third = {
    accounts: [{ account_no: 'ALPHA', name: 'Alef', secret: 'alpha-secret-2-of-thirty-two-characters-or-more' }],
  };
  await applied(made, stringify(third), 'third (root)');
  const [{ now }] = (await rows(made, 'select now() as now')) as [{ now: Date }];

  const changes = await rows(made, 'select * from partner_change order by partner_change_id');
  const ofAlpha = changes.filter(({ subject_kind, subject }) => subject_kind === 'account' && subject === 'ALPHA');
  const fields = { name: 'Alpha', environment: 'uat', warehouse_api: true, enabled: true, secret: 'set' };
  assert.deepEqual(
    ofAlpha.map(({ actor, change, fields }) => ({ actor, change, fields })),
    [
      { actor: 'second (root)', change: 'created', fields },
      { actor: 'third (root)', change: 'changed', fields: { name: 'Alef', secret: 'set' } },
    ],
  );
  assert.deepEqual(
    changes.map(({ actor }) => actor),
    [...Array(10).fill('first (root)'), ...Array(7).fill('second (root)'), 'third (root)'],
  );
  for (const { changed_at } of changes) assert.ok(before <= (changed_at as Date) && (changed_at as Date) <= now);

  const text = JSON.stringify(changes);
  const given = [
    'alpha-secret-of-thirty-two-characters-or-more',
    'alpha-secret-2-of-thirty-two-characters-or-more',
    'erp-check-value-of-thirty-two-characters-or-more',
    'wms-key-of-thirty-two-characters-or-more',
    'whsec_',
    'a phrase for boss only',
  ];
  for (const value of [...given, ...secretsMade]) assert.equal(text.includes(value), false, value);
});

/** Joined by a slash, account and name of each are the same. */
const lookAlikes = [
  { accountNo: 'A', name: 'B/C' },
  { accountNo: 'A/B', name: 'C' },
  { accountNo: 'A%2FB', name: 'C' },
];

async function storeOfLookAlikes() {
  const store = await emptyStore();
  const issued: IssuedSecret[] = [];
  for (const { accountNo: account_no, name } of lookAlikes) {
    const { warehouses, stores: placesSold } = example;
    const tenants = [{ warehouse_tpw_id: name, ...place }];
    const accounts = [{ account_no, environment: 'uat', tenants }];
    const file = { warehouses, stores: placesSold, accounts, logistics_keys: [{ account_no, name, ...place }] };
    issued.push(...(await applied(store, stringify(file))).issued);
  }
  const accounts = makeAccountDirectory(store.service, store.keyring);
  return {
    store,
    issued,
    openKeys: () => makeLogisticsKeyDirectory({ ...store, database: store.service, accounts, clock: systemClock }),
  };
}

async function rotateOneOf({ service, keyring }: TestStore): Promise<void> {
  const secret = { kind: 'callback_secret' as const, owner: ownedName('A/B', 'C') };
  const outcome = await rotateSecret(service, keyring, secret, { actor: 'test', overlapSeconds: 60 });
  assert.equal(outcome.kind, 'rotated');
}

test('keys whose account and name look alike when joined by a slash have their own secrets, and rotate alone', async () => {
  const { store, issued, openKeys } = await storeOfLookAlikes();
  const valuesOf = (kind: SecretKind) => issued.filter((one) => one.kind === kind).map(({ value }) => value);
  const keys = openKeys();
  const found = await Promise.all(valuesOf('logistics_key').map((value) => keys.find(value)));
  assert.deepEqual(
    found.map((one) => one && { accountNo: one.account.accountNo, name: one.key.name }),
    lookAlikes,
  );
  const secretsOf = (from: LogisticsKeyDirectory) =>
    Promise.all(found.map((one) => from.callbackSecretsOf(one!.key.accountId, one!.key.name)));
  const [first, second, third] = valuesOf('callback_secret');
  assert.deepEqual(await secretsOf(keys), [[first], [second], [third]]);

  await rotateOneOf(store);
  const [ofFirst, ofSecond, ofThird] = await secretsOf(openKeys());
  assert.deepEqual([ofFirst, ofSecond!.length, ofSecond![1], ofThird], [[first], 2, second, [third]]);
});

test('the history of an account has no changes of another whose keys and tenants look alike, nor has the audit log', async () => {
  const { store } = await storeOfLookAlikes();
  await rotateOneOf(store);
  for (const { accountNo } of lookAlikes) {
    const listed = await store.database.read((sql) => listAccountChanges(sql, accountNo, 100));
    assert.deepEqual(
      listed.map(({ change, subject_kind }) => `${change} ${subject_kind}`),
      [
        ...(accountNo === 'A/B' ? ['rotated logistics_key'] : []),
        ...['created logistics_key', 'created tenant', 'created account'],
      ],
    );
    const logged = await searchAuditLog(store.service, { account: accountNo, pageSize: 100, after: null });
    assert.deepEqual(
      logged.rows.map((row) => row.account_no),
      listed.map(() => accountNo),
    );
  }
});
